// Keeps the calendar in step: at once with this process's commits, by the change feed with those of others.
#include "base/sales/availability/dates/calendar.hpp"

#include <algorithm>
#include <unordered_set>

#include "base/platform/store/changes.hpp"
#include "base/sales/availability/record/parts.hpp"
#include "base/sales/availability/record/rule_rows.hpp"
#include "base/sales/availability/record/slot_rows.hpp"

namespace svc::availability {
namespace {

// Longer than clocks of nodes differ and than a transaction lasts: a row may become visible that long after the
// instant it carries.
constexpr std::chrono::seconds overlap{60};
constexpr std::chrono::minutes full_load_after{10};

const Dates& nothing() {
    static const Dates none = std::make_shared<const TripDates>();
    return none;
}

Rules shared(std::vector<Rule> rules) {
    return rules.empty() ? nullptr : std::make_shared<const std::vector<Rule>>(std::move(rules));
}

// The first day that is not over in every time zone; reads compare with the site's own day.
Date first_day(Instant now) { return Zone::utc().date_at(now).plus_days(-1); }

// The departure of that id, deleted or not; null when the trip has none.
const Slot* slot_in(const TripDates& dates, std::int64_t id) {
    const auto at = std::lower_bound(dates.slots.begin(), dates.slots.end(), id,
                                     [](const Slot& slot, std::int64_t sought) { return slot.id < sought; });
    return at == dates.slots.end() || at->id != id ? nullptr : &*at;
}

// Keeps slots that the trip lost, by deletion or by moving to another trip or day: each changed at least once, so one
// revision more cannot exceed the database's.
void add_gone(std::vector<Slot>& slots, const std::vector<Slot>& before, Date first) {
    const auto read = static_cast<std::ptrdiff_t>(slots.size());
    for (const Slot& each : before) {
        if (each.is_deleted() || each.end_date < first ||
            std::any_of(slots.begin(), slots.begin() + read, [&](const Slot& now) { return now.id == each.id; }))
            continue;
        Slot lost = each;
        lost.status = Status::trash;
        ++lost.revision;
        slots.push_back(std::move(lost));
    }
}

}  // namespace

Calendar::Calendar(store::Store& store, const Clock& clock) : store_(store), clock_(clock) {}

Dates Calendar::merged(std::int64_t trip_id, const Dates& known, const std::vector<Slot>& slots,
                       std::optional<bool> planned, const Rules& rules) {
    auto next = std::make_shared<TripDates>();
    next->slots = known->slots;
    next->rules = rules;
    next->planned = planned.value_or(known->planned);
    for (const Slot& slot : slots) {
        const auto at = std::lower_bound(next->slots.begin(), next->slots.end(), slot.id,
                                         [](const Slot& each, std::int64_t id) { return each.id < id; });
        if (at == next->slots.end() || at->id != slot.id)
            next->slots.insert(at, slot);
        else if (at->revision < slot.revision) {
            // A change of seats changes no price.
            const auto prices = slot.by_category ? slot.by_category : at->by_category;
            *at = slot;
            at->by_category = prices;
        } else if (at->revision == slot.revision && slot.by_category) {
            at->by_category = slot.by_category;
        }
        if (!planned && slot.is_planned())
            next->planned = true;
    }
    next->prices = dated_prices(trip_id, next->slots, next->rule_list(), next->planned);
    next->outline = outline_of(trip_id, next->slots, next->planned, next->rule_list());
    return next;
}

template <class Change>
void Calendar::replace(std::int64_t trip_id, Change change) {
    Dates& place = trips_.try_emplace(trip_id, nothing()).first->second;
    Dates next = change(place);
    if (next->prices != place->prices) {  // seldom: most changes are of seats
        prices_ = replaced(*prices_, place->prices, next->prices);
        ++price_edition_;
    }
    if (next->outline != place->outline)
        outlines_ = replaced(*outlines_, next->outline);
    place = std::move(next);
    ++edition_;
}

void Calendar::load() {
    const std::lock_guard reloading(reloading_);
    const Instant now = clock_.now();
    std::unordered_map<std::int64_t, std::vector<Slot>> slots;
    std::unordered_set<std::int64_t> planned;
    std::unordered_map<std::int64_t, std::vector<Rule>> rules;
    store_.read([&](store::Session& session) {
        slots.clear();
        rules.clear();
        auto current = rows::current(session, first_day(now));
        rows::read_category_prices(session, current);
        for (Slot& slot : current)
            slots[slot.trip_id].push_back(slot);
        const auto ids = rows::planned_trips(session);
        planned = {ids.begin(), ids.end()};
        for (Rule& rule : rows::all_rules(session))
            rules[rule.trip_id].push_back(std::move(rule));
    });
    Trips next;
    std::vector<DatedPrice> prices;
    std::vector<Outline> drawn;
    const auto add = [&](std::int64_t trip_id, const std::vector<Slot>& of_trip) {
        const auto found = rules.find(trip_id);
        const Rules known = found == rules.end() ? nullptr : shared(std::move(found->second));
        const Dates dates = merged(trip_id, nothing(), of_trip, planned.contains(trip_id), known);
        prices.insert(prices.end(), dates->prices.begin(), dates->prices.end());
        drawn.push_back(dates->outline);
        next.emplace(trip_id, dates);
    };
    for (const auto& [trip_id, of_trip] : slots)
        add(trip_id, of_trip);
    for (const std::int64_t trip_id : planned)
        if (!next.contains(trip_id))
            add(trip_id, {});

    auto all_prices = price_list(std::move(prices));
    auto all_drawn = availability::outlines(std::move(drawn));
    {
        const std::unique_lock lock(mutex_);
        trips_.swap(next);
        prices_.swap(all_prices);
        outlines_.swap(all_drawn);
        ++edition_;
        ++price_edition_;
    }
    newest_ = now;
    loaded_ = std::chrono::steady_clock::now();
    merge_changed();  // commits during the read went into the replaced map
}

void Calendar::refresh(std::int64_t trip_id) {
    const std::lock_guard refreshing(refreshing_);
    const Dates before = of(trip_id);
    const Date first = first_day(clock_.now());
    std::vector<Slot> slots;
    std::vector<Rule> rules;
    bool planned = false;
    store_.read([&](store::Session& session) {
        slots = rows::of_trip(session, trip_id, first);
        rows::read_category_prices(session, slots);
        planned = rows::is_planned(session, trip_id);
        rules = rows::rules_of_trip(session, trip_id);
    });
    add_gone(slots, before->slots, first);
    const std::unique_lock lock(mutex_);
    replace(trip_id,
            [&](const Dates& known) { return merged(trip_id, known, slots, planned, shared(std::move(rules))); });
}

void Calendar::put(const Slot& slot) {
    const std::unique_lock lock(mutex_);
    replace(slot.trip_id,
            [&](const Dates& known) { return merged(slot.trip_id, known, {slot}, std::nullopt, known->rules); });
}

void Calendar::follow(store::Transaction& tx, const Slot& slot) {
    store::touch(tx, channel, store::Announce::polled);
    tx.after_commit([this, slot] { put(slot); });
}

void Calendar::reload_changed() {
    bool old = false;
    {
        const std::lock_guard reloading(reloading_);
        old = std::chrono::steady_clock::now() - loaded_ > full_load_after;
        if (!old)
            merge_changed();
    }
    if (old)
        load();
}

void Calendar::merge_changed() {
    const Instant since = std::min(newest_, clock_.now()).minus(overlap);
    const auto changed = store_.reading<std::vector<ChangedSlot>>(
        [&](store::Session& session) { return rows::changed_since(session, since); });
    std::unordered_set<std::int64_t> shrunk;
    std::vector<Slot> unknown, moved;
    for (const ChangedSlot& slot : changed) {
        newest_ = std::max(newest_, slot.changed_at);
        const auto id = slot.id, revision = slot.revision;
        const Dates dates = of(slot.trip_id);
        const bool known = std::any_of(dates->slots.begin(), dates->slots.end(),
                                       [&](const Slot& each) { return each.id == id && each.revision >= revision; });
        if (known)
            continue;
        unknown.push_back(slot);
        const Slot* here = slot_in(*dates, id);
        if (slot.is_planned() && revision > 1 && (!here || here->is_deleted()))  // new to this trip, but not new
            moved.push_back(slot);
    }
    if (!unknown.empty())
        store_.read([&](store::Session& session) { rows::read_category_prices(session, unknown); });
    for (const Slot& slot : unknown) {
        put(slot);
        if (slot.is_deleted())
            shrunk.insert(slot.trip_id);
    }
    if (!moved.empty()) {
        const std::shared_lock lock(mutex_);
        for (const auto& [trip_id, dates] : trips_)
            for (const Slot& each : moved)
                if (const Slot* left = slot_in(*dates, each.id); left && trip_id != each.trip_id && !left->is_deleted())
                    shrunk.insert(trip_id);
    }
    for (const std::int64_t trip_id : shrunk)
        refresh(trip_id);
    refresh_rules_changed(since);
}

void Calendar::refresh_rules_changed(Instant since) {
    const auto changed = store_.reading<std::vector<RuleChanged>>(
        [&](store::Session& session) { return rows::rules_changed_since(session, since); });
    std::unordered_set<std::int64_t> trips;
    for (const RuleChanged& each : changed) {
        const Dates dates = of(each.trip_id);
        const auto rules = dates->rule_list();
        const auto known =
            std::find_if(rules.begin(), rules.end(), [&](const Rule& rule) { return rule.id == each.id; });
        const bool same = each.deleted ? known == rules.end() && dates->planned
                                       : known != rules.end() && known->row_version >= each.row_version;
        if (!same)
            trips.insert(each.trip_id);
    }
    for (const std::int64_t trip_id : trips)
        refresh(trip_id);
}

Dates Calendar::of(std::int64_t trip_id) const {
    const std::shared_lock lock(mutex_);
    const auto found = trips_.find(trip_id);
    return found == trips_.end() ? nothing() : found->second;
}

std::shared_ptr<const Outlines> Calendar::outlines() const {
    const std::shared_lock lock(mutex_);
    return outlines_;
}

std::shared_ptr<const PriceList> Calendar::prices() const {
    const std::shared_lock lock(mutex_);
    return prices_;
}

}  // namespace svc::availability
