// Keeps the calendar in step: at once with this process's commits, by the change feed with those of others.
#include "base/availability/calendar.hpp"

#include <algorithm>
#include <unordered_set>

#include "base/availability/repository.hpp"

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

// What may still be sold somewhere on earth; the site's own day is looked at when dates are told.
Date first_day(Instant now) { return Zone::utc().date_at(now).plus_days(-1); }

}  // namespace

RememberedAnswer TripDates::remembered() const {
    const std::lock_guard lock(mutex_);
    return answer_;
}

void TripDates::remember(RememberedAnswer answer) const {
    const std::lock_guard lock(mutex_);
    std::swap(answer_, answer);
}

Calendar::Calendar(store::Store& store, const Clock& clock) : store_(store), clock_(clock) {}

Dates Calendar::merged(const Dates& known, const std::vector<Slot>& slots, std::optional<bool> planned) {
    auto next = std::make_shared<TripDates>();
    next->slots = known->slots;
    next->planned = planned.value_or(known->planned);
    for (const Slot& slot : slots) {
        const auto at = std::lower_bound(next->slots.begin(), next->slots.end(), slot.id,
                                         [](const Slot& each, std::int64_t id) { return each.id < id; });
        if (at == next->slots.end() || at->id != slot.id)
            next->slots.insert(at, slot);
        else if (at->revision < slot.revision)
            *at = slot;
        if (slot.is_planned() && !slot.deleted)
            next->planned = true;
    }
    return next;
}

void Calendar::load() {
    const std::lock_guard reloading(reloading_);
    const Instant now = clock_.now();
    std::unordered_map<std::int64_t, std::vector<Slot>> slots;
    std::unordered_set<std::int64_t> planned;
    store_.read([&](store::Session& session) {
        slots.clear();
        for (Slot& slot : rows::current(session, first_day(now)))
            slots[slot.trip_id].push_back(slot);
        const auto ids = rows::planned_trips(session);
        planned = {ids.begin(), ids.end()};
    });
    Trips next;
    for (const auto& [trip_id, of_trip] : slots)
        next.emplace(trip_id, merged(nothing(), of_trip, planned.contains(trip_id)));
    for (const std::int64_t trip_id : planned)
        next.try_emplace(trip_id, merged(nothing(), {}, true));

    {
        const std::unique_lock lock(mutex_);
        trips_.swap(next);
    }
    newest_ = now;
    loaded_ = std::chrono::steady_clock::now();
    merge_changed();  // what was committed while we read went into the map that is gone now
}

void Calendar::refresh(std::int64_t trip_id) {
    std::vector<Slot> slots;
    bool planned = false;
    store_.read([&](store::Session& session) {
        slots = rows::of_trip(session, trip_id, first_day(clock_.now()));
        planned = rows::is_planned(session, trip_id);
    });
    const std::unique_lock lock(mutex_);
    Dates& place = trips_.try_emplace(trip_id, nothing()).first->second;
    place = merged(place, slots, planned);
}

void Calendar::put(const Slot& slot) {
    const std::unique_lock lock(mutex_);
    Dates& place = trips_.try_emplace(slot.trip_id, nothing()).first->second;
    place = merged(place, {slot}, std::nullopt);
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
    const auto changed = store_.reading<std::vector<std::pair<Slot, Instant>>>(
        [&](store::Session& session) { return rows::changed_since(session, since); });
    std::unordered_set<std::int64_t> shrunk;
    for (const auto& [slot, at] : changed) {
        newest_ = std::max(newest_, at);
        const auto id = slot.id, revision = slot.revision;
        const Dates dates = of(slot.trip_id);
        const bool known = std::any_of(dates->slots.begin(), dates->slots.end(),
                                       [&](const Slot& each) { return each.id == id && each.revision >= revision; });
        if (known)
            continue;
        put(slot);
        if (slot.deleted)
            shrunk.insert(slot.trip_id);
    }
    for (const std::int64_t trip_id : shrunk)
        refresh(trip_id);
}

Dates Calendar::of(std::int64_t trip_id) const {
    const std::shared_lock lock(mutex_);
    const auto found = trips_.find(trip_id);
    return found == trips_.end() ? nothing() : found->second;
}

}  // namespace svc::availability
