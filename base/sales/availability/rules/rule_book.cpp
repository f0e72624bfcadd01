// Recurring rules written and previewed.
#include "base/sales/availability/rules/rule_book.hpp"

#include <algorithm>

#include "base/platform/store/changes.hpp"
#include "base/sales/availability/dates/offer.hpp"
#include "base/sales/availability/record/hooks.hpp"
#include "base/sales/availability/rules/repository.hpp"
#include "base/sales/availability/rules/wire.hpp"

namespace svc::availability {
namespace {

using catalog::trips::Trip;

Error no_such_rule() { return {errc::not_found, "This availability rule does not exist."_sentence}; }

Error rule_changed_meanwhile() {
    return {errc::conflict, "The rule was changed in the meantime. Reload it and try again."_sentence};
}

constexpr int days_previewed = 365;

// The seats that a rule offers on a date and time; empty where it offers none.
std::optional<int> seats_by(const Rule& rule, Maker& maker, const ExtraSeats& at, Date today) {
    const Day day = Day::of(at.date);
    const RuleSlot* slot = rule.slot_at(at.time);
    if (!rule.active() || (!rule.slots.empty() && !slot) || rule.excludes(at.date) ||
        !rule.means(day, std::min(today, at.date.plus_days(-rule.advance_days))))
        return std::nullopt;
    return maker.from_rule(rule, day, at.time, slot).capacity;
}

// Departures that bookings created keep their seats when their rule's seats change.
std::vector<ExtraSeats> keeping_more(store::Session& session, const Trip& trip, const Rule& before, const Rule& after,
                                     const Moment& now) {
    std::vector<ExtraSeats> extra_seats;
    Maker maker(trip, now.zone);
    for (ExtraSeats& each : rows::seats_of_rule(session, after.id, now.today())) {
        const auto was = seats_by(before, maker, each, now.today()), is = seats_by(after, maker, each, now.today());
        if (!was || !is || *is >= *was || each.capacity <= *is || extra_seats.size() == most_extra_seats)
            continue;
        each.of_rule = *is;
        extra_seats.push_back(each);
    }
    return extra_seats;
}

}  // namespace

Result<RuleBook::Listed> RuleBook::list(const RuleQuery& query) const {
    SVC_RETURN_IF_ERROR(parts_.trips.find(query.trip_id));
    return parts_.store.reading<Listed>([&](store::Session& session) {
        return Listed{rows::list_rules(session, query), rows::count_rules(session, query)};
    });
}

Result<RuleCounts> RuleBook::counts(std::int64_t trip_id) const {
    SVC_RETURN_IF_ERROR(parts_.trips.find(trip_id));
    return parts_.store.reading<RuleCounts>(
        [&](store::Session& session) { return rows::rule_counts(session, trip_id); });
}

Result<Rule> RuleBook::find(std::optional<std::int64_t> trip_id, std::int64_t id) const {
    auto rule = parts_.store.reading<std::optional<Rule>>(
        [&](store::Session& session) { return rows::find_rule(session, id); });
    if (!rule || (trip_id && rule->trip_id != *trip_id))
        return no_such_rule();
    return std::move(*rule);
}

Result<Rule> RuleBook::insert(store::Transaction& tx, Rule rule, User user_id) {
    if (rows::rule_counts(tx, rule.trip_id).all >= most_rules)
        return Error{errc::conflict, "A trip has at most {most} rules."_sentence.with("most", most_rules)};
    const auto id = rows::insert_rule(tx, rule, {user_id, parts_.clock.now()});
    Rule stored = rows::find_rule(tx, id).value();
    parts_.hooks.emit(tx, rule_created, {id, to_json(stored)});
    store::touch(tx, channel);
    return stored;
}

Result<Rule> RuleBook::create(std::int64_t trip_id, const Change& change, User user_id) {
    auto rule = parts_.store.transact<Rule>([&](store::Transaction& tx) -> Result<Rule> {
        SVC_ASSIGN_OR_RETURN(const auto trip, catalog::trips::Service::find(tx, trip_id));
        Rule fresh;
        fresh.trip_id = trip_id;
        fresh.currency = trip.currency;
        auto draft = change(tx, std::move(fresh));
        return draft ? insert(tx, std::move(*draft), user_id) : std::move(draft);
    });
    if (rule)
        calendar_.refresh(trip_id);
    return rule;
}

Result<Rule> RuleBook::duplicate(std::int64_t id, const std::optional<std::string>& name, User user_id) {
    auto rule = parts_.store.transact<Rule>([&](store::Transaction& tx) -> Result<Rule> {
        auto copy = rows::find_rule(tx, id);
        if (!copy)
            return no_such_rule();
        copy->status = RuleStatus::inactive;
        if (name)
            copy->name = *name;
        return insert(tx, std::move(*copy), user_id);
    });
    if (rule)
        calendar_.refresh(rule->trip_id);
    return rule;
}

void RuleBook::copy(store::Transaction& tx, std::int64_t from_trip_id, std::int64_t to_trip_id,
                    std::optional<std::int64_t> user_id) {
    auto rules = rows::rules_of_trip(tx, from_trip_id);
    std::sort(rules.begin(), rules.end(), [](const Rule& a, const Rule& b) { return a.id < b.id; });
    for (Rule& rule : rules) {
        rule.trip_id = to_trip_id;
        const auto id = rows::insert_rule(tx, rule, {user_id, parts_.clock.now()});
        parts_.hooks.emit(tx, rule_created, {id, to_json(rows::find_rule(tx, id).value())});
    }
    if (!rules.empty())
        store::touch(tx, channel);
}

Result<Rule> RuleBook::update(std::optional<std::int64_t> trip_id, std::int64_t id,
                              std::optional<std::int64_t> row_version, const Change& change, User user_id) {
    auto rule = parts_.store.transact<Rule>([&](store::Transaction& tx) -> Result<Rule> {
        const auto before = rows::find_rule(tx, id);
        if (!before || (trip_id && before->trip_id != *trip_id))
            return no_such_rule();
        if (row_version && *row_version != before->row_version)
            return rule_changed_meanwhile();
        auto draft = change(tx, *before);
        if (!draft)
            return draft;
        if (*draft == *before)
            return *before;
        if (!rows::update_rule(tx, *draft, {user_id, parts_.clock.now()}))
            return rule_changed_meanwhile();
        Rule after = rows::find_rule(tx, id).value();
        if (after.guide_user_id != before->guide_user_id)
            rows::hand_over(tx, *before, after, moment().today(), {user_id, parts_.clock.now()});
        if (const auto trip = catalog::trips::Service::find(tx, after.trip_id))
            after.keeps_more = keeping_more(tx, *trip, *before, after, moment());
        parts_.hooks.emit(tx, rule_updated, {id, to_json(after)});
        store::touch(tx, channel);
        return after;
    });
    if (rule)
        calendar_.refresh(rule->trip_id);
    return rule;
}

Result<void> RuleBook::remove(std::optional<std::int64_t> trip_id, std::int64_t id, User user_id) {
    std::int64_t of_trip = 0;
    auto removed = parts_.store.write([&](store::Transaction& tx) -> Result<void> {
        const auto rule = rows::find_rule(tx, id);
        if (!rule || (trip_id && rule->trip_id != *trip_id))
            return no_such_rule();
        of_trip = rule->trip_id;
        parts_.hooks.emit(tx, rule_before_delete, {id, to_json(*rule)});
        if (!rows::remove_rule(tx, id, user_id, parts_.clock.now()))
            return no_such_rule();
        parts_.hooks.emit(tx, rule_deleted, {id, to_json(*rule)});
        store::touch(tx, channel);
        return {};
    });
    if (removed)
        calendar_.refresh(of_trip);
    return removed;
}

std::vector<FieldError> RuleBook::faults_of(const Rule& rule, const Change& change) const {
    const auto made =
        parts_.store.reading<Result<Rule>>([&](store::Session& session) { return change(session, rule); });
    return made ? std::vector<FieldError>{} : made.error().fields();
}

std::vector<FieldError> RuleBook::faults_of_new(std::optional<std::int64_t> trip_id, const Change& change) const {
    const auto trip = trip_id ? parts_.trips.find(*trip_id) : errc::trip_not_found;
    Rule fresh;
    fresh.currency = trip ? trip->currency : parts_.settings.currency();
    fresh.trip_id = trip ? trip->id : 0;
    return faults_of(fresh, change);
}

std::vector<FieldError> RuleBook::faults_of_change(std::optional<std::int64_t> trip_id, std::int64_t id,
                                                   const Change& change) const {
    const auto rule = find(trip_id, id);
    return rule ? faults_of(*rule, change) : std::vector<FieldError>{};
}

Produced RuleBook::produce(const Trip& trip, const Rule& rule, std::size_t most) const {
    const Moment here = moment();
    const Date first = std::max(rule.start_date.value_or(here.today()), here.today());
    const Date farthest = here.today().plus_days(farthest_days);
    if (first > farthest)
        return {};
    const Date last = std::min(rule.end_date.value_or(first.plus_days(days_previewed)), farthest);
    Produced found = produced_dates(trip, {&rule, 1}, first, last, most, here, calendar_.of(trip.id)->slots);
    // Without an end date it continues beyond the period examined.
    found.truncated = found.truncated || !rule.end_date || *rule.end_date > last;
    return found;
}

Result<Produced> RuleBook::preview(std::optional<std::int64_t> trip_id, const Change& change, std::size_t most) const {
    Trip trip;
    trip.currency = parts_.settings.currency();
    trip.regular_price = Money::zero(trip.currency);
    if (trip_id) {
        SVC_ASSIGN_OR_RETURN(auto found, parts_.trips.find(*trip_id));
        trip = std::move(found);
    }
    Rule fresh;
    fresh.trip_id = trip.id;
    fresh.currency = trip.currency;
    const auto rule =
        parts_.store.reading<Result<Rule>>([&](store::Session& session) { return change(session, fresh); });
    if (!rule)
        return rule.error();
    return produce(trip, *rule, most);
}

Result<Produced> RuleBook::preview(const Rule& rule, std::size_t most) const {
    SVC_ASSIGN_OR_RETURN(const auto trip, parts_.trips.find(rule.trip_id));
    return produce(trip, rule, most);
}

Result<Produced> RuleBook::produce(std::int64_t trip_id, Date first, Date last) const {
    SVC_ASSIGN_OR_RETURN(const auto trip, parts_.trips.find(trip_id));
    auto rules = parts_.store.reading<std::vector<Rule>>(
        [&](store::Session& session) { return rows::rules_of_trip(session, trip_id); });
    std::erase_if(rules, [](const Rule& rule) { return !rule.active(); });
    const Moment here = moment();
    last = std::min(last, here.today().plus_days(farthest_days));
    if (first > last)
        return Produced{};
    // Back in time as far as forward.
    first = std::max(first, here.today().plus_days(-farthest_days));
    return produced_dates(trip, rules, first, last, most_dates, here, calendar_.of(trip_id)->slots);
}

}  // namespace svc::availability
