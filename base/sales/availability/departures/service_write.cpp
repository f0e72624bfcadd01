// Departures made, changed and ended.
#include <algorithm>

#include "base/platform/store/changes.hpp"
#include "base/sales/availability/dates/offer.hpp"
#include "base/sales/availability/departures/service.hpp"
#include "base/sales/availability/record/departure_json.hpp"
#include "base/sales/availability/record/hooks.hpp"
#include "base/sales/availability/record/rule_rows.hpp"
#include "base/sales/availability/record/slot_rows.hpp"
#include "shared/api/steps.hpp"

namespace svc::availability {
namespace {

using catalog::trips::Trip;

constexpr std::string_view departure_cancelled = "Its departure was cancelled.";

Error slot_taken(bool by_sale_names) {
    Error error{errc::conflict, "A departure on this date and time already exists."_sentence};
    error.at(by_sale_names ? "departure_date" : "start_date", error.message());
    return error;
}

Error departure_changed_meanwhile() {
    return {errc::conflict, "The departure was changed in the meantime. Reload it and try again."_sentence};
}

Error too_small(const Departure& departure, bool by_sale_names) {
    Error error{errc::conflict, "The number of seats must not be below the booked seats."_sentence};
    error.at(by_sale_names ? "seats_total" : "max_capacity", error.message());
    return error.with("booked_count", std::to_string(departure.booked));
}

bool may_be_sold(const Departure& departure) { return departure.on_sale() && !departure.is_deleted(); }

// The seats and the guide that the date had by the trip's rules, so that a departure put in its place does not change
// them unasked.
struct ByRules {
    int seats = 0;
    std::optional<std::int64_t> guide_user_id;
};
std::optional<ByRules> date_of_rules(store::Session& session, const Departure& departure, const Trip& trip,
                                     const Moment& here) {
    auto rules = rows::rules_of_trip(session, trip.id);
    std::erase_if(rules, [](const Rule& rule) { return !rule.active(); });
    const Produced produced =
        produced_dates(trip, rules, departure.start_date, departure.start_date, most_dates, here, {});
    for (const Bookable& each : produced.dates)
        if (each.time == departure.time) {
            const Rule* rule = rule_of(rules, each.rule_id);
            return ByRules{.seats = each.capacity, .guide_user_id = rule ? rule->guide_user_id : std::nullopt};
        }
    return std::nullopt;
}

}  // namespace

void Departures::saved(store::Transaction& tx, std::int64_t departure_id, const hooks::Action& what) {
    parts_.hooks.emit(tx, departure_saved, {departure_id});
    parts_.hooks.emit(tx, availability_updated, {departure_id});
    parts_.hooks.emit(tx, what, {departure_id, to_json(rows::find(tx, departure_id).value(), {}, nullptr)});
    store::touch(tx, channel);
}

Result<Departure> Departures::writing(const std::function<Result<Departure>(store::Transaction&)>& work) {
    auto departure = parts_.store.transact<Departure>(work);
    if (departure)
        calendar_.refresh(departure->trip_id);
    return departure;
}

Result<Departure> Departures::create(std::int64_t trip_id, const DepartureChange& change, Origin origin,
                                     const Actor& actor) {
    try {
        return writing([&](store::Transaction& tx) -> Result<Departure> {
            SVC_ASSIGN_OR_RETURN(const auto trip, catalog::trips::Service::find(tx, trip_id));
            if (trip.status == catalog::trips::TripStatus::trash)
                return Error{errc::conflict, "The trip is in the trash."_sentence};
            return create(tx, trip, change, origin, actor);
        });
    } catch (const store::UniqueViolation&) {
        return slot_taken(change.by_sale_names);
    }
}

Result<Departure> Departures::create(store::Transaction& tx, const Trip& trip, const DepartureChange& change,
                                     Origin origin, const Actor& actor) {
    const Moment here = moment();
    auto departure = checked_new(tx, trip, change, origin, actor);
    if (!departure)
        return departure;
    const bool has_capacity = change.capacity && *change.capacity;
    if (!has_capacity || !change.guide_user_id)
        if (const auto replaced = date_of_rules(tx, *departure, trip, here)) {
            if (!has_capacity)
                departure->capacity = replaced->seats;
            if (!change.guide_user_id)
                departure->guide_user_id = replaced->guide_user_id;
        }
    departure->status = status_on(*departure, here.today());
    departure->created_at = departure->updated_at = here.now;
    departure->id = rows::insert(tx, *departure, actor.user_id);
    if (!departure->prices.empty())
        rows::set_prices(tx, *departure);
    saved(tx, departure->id, specific_date_created);
    return rows::find(tx, departure->id).value();
}

Result<Departure> Departures::duplicate(std::int64_t id, const DepartureChange& change, const Actor& actor) {
    try {
        return writing([&](store::Transaction& tx) -> Result<Departure> {
            auto copy = rows::find(tx, id);
            if (!copy || copy->is_deleted())
                return no_such(false);
            const Moment here = moment();
            Faults faults;
            if (*change.start_date < here.today() && !actor.any_date)
                faults.at("departure_date", "This date is over."_sentence);
            copy->booked = copy->waiting = 0;
            copy->origin = Origin::fixed;
            copy->status = Status::upcoming;
            if (copy->sale_state == SaleState::cancelled)
                copy->sale_state = SaleState::open;
            Departure departure =
                changed(*copy, change, catalog::trips::Service::find(tx, copy->trip_id).value(), faults);
            SVC_RETURN_IF_ERROR(faults.outcome());
            departure.status = status_on(departure, here.today());
            departure.created_at = departure.updated_at = here.now;
            departure.id = rows::insert(tx, departure, actor.user_id);
            rows::set_prices(tx, departure);
            saved(tx, departure.id, specific_date_created);
            return rows::find(tx, departure.id).value();
        });
    } catch (const store::UniqueViolation&) {
        return slot_taken(change.by_sale_names);
    }
}

std::vector<std::int64_t> Departures::everybody_of(store::Session& session, std::int64_t departure_id) {
    std::vector<std::int64_t> ids = bookings_of(session, departure_id);
    const auto waiting = Waitlist::waiting_bookings(session, departure_id);
    ids.insert(ids.end(), waiting.begin(), waiting.end());
    std::sort(ids.begin(), ids.end());
    return ids;
}

// `before` is as read under its lock.
Result<Departure> Departures::updated(store::Transaction& tx, const Departure& before, const DepartureChange& change,
                                      const Actor& actor) {
    if (change.row_version && *change.row_version != before.row_version)
        return departure_changed_meanwhile();
    const bool other_trip = change.trip_id && *change.trip_id != before.trip_id;
    const auto trip = catalog::trips::Service::find(tx, change.trip_id.value_or(before.trip_id));
    if (!trip)
        return invalid("trip_id", "This trip does not exist."_sentence);
    if (other_trip && (before.booked > 0 || before.waiting > 0))
        return Error{errc::in_use, "A departure with bookings cannot be moved to another trip."_sentence};
    auto departure = checked_change(tx, before, *trip, change);
    if (!departure)
        return departure;
    departure->trip_id = trip->id;
    if (*departure == before)
        return before;
    departure->updated_at = parts_.clock.now();
    // Seats that were forced onto it stay.
    const bool has_forced = before.booked > before.capacity && !before.may_be_overbooked;
    if (before.booked > departure->capacity && !departure->may_be_overbooked &&
        !(has_forced && departure->capacity >= before.capacity))
        return too_small(before, change.by_sale_names);
    if (!rows::update(tx, *departure, other_trip, moment().today(), actor.user_id))
        return departure_changed_meanwhile();
    if (other_trip && before.is_planned())
        rows::keep_planned(tx, before.trip_id);
    if (change.prices)
        rows::set_prices(tx, *departure);
    saved(tx, before.id, specific_date_updated);
    return rows::find(tx, before.id).value();
}

Result<Departure> Departures::update(store::Transaction& tx, std::int64_t id, const DepartureChange& change,
                                     const Actor& actor) {
    rows::lock(tx, id);
    const auto before = rows::find(tx, id);
    if (!before || before->is_deleted())
        return no_such(false);
    SVC_ASSIGN_OR_RETURN(auto after, updated(tx, *before, change, actor));
    const bool moved =
        after.start_date != before->start_date || after.end_date != before->end_date || after.time != before->time;
    if (moved && !everybody_of(tx, id).empty())
        return Error{errc::in_use,
                     "This departure has bookings. Change its days or its time on its own page."_sentence};
    return after;
}

namespace {

// What the first step of an earlier try has done; `affected`: as it is stored.
Departures::Updated as_before(Departure departure, const json::Value& affected) {
    Departures::Updated done{std::move(departure)};
    for (const json::Value& booking : affected.items())
        done.affected.push_back(booking.integer());
    return done;
}

// Each in its own transaction: they are flagged already, so that none is lost if this process ends.
void cancel_each(Bookings& bookings, Departures::Updated& done, const std::string& reason,
                 std::optional<std::int64_t> user_id) {
    for (const std::int64_t booking : done.affected) {
        const api::Step step("booking " + std::to_string(booking));
        done.cancelled += step.before() || bookings.cancel(booking, reason, user_id) ? 1 : 0;
    }
}

}  // namespace

Result<Departures::Updated> Departures::update(std::optional<std::int64_t> trip_id, std::int64_t id,
                                               const DepartureChange& change, const Actor& actor,
                                               const Ending& ending) {
    std::int64_t left_trip = 0;
    const auto work = [&](store::Transaction& tx) -> Result<Updated> {
        rows::lock(tx, id);
        const auto before = rows::find(tx, id);
        if (!before || is_out_of_reach(*before, trip_id, change))
            return no_such(trip_id.has_value());
        left_trip = before->trip_id;
        SVC_ASSIGN_OR_RETURN(auto after, updated(tx, *before, change, actor));
        const Instant now = parts_.clock.now();
        const bool moved =
            after.start_date != before->start_date || after.end_date != before->end_date || after.time != before->time;
        const bool cancelled = after.status == Status::cancelled && before->status != Status::cancelled;
        Updated done{after};
        if (moved || cancelled)
            done.affected = everybody_of(tx, id);
        if (moved && bookings_ && !done.affected.empty())
            bookings_->follow(tx, done.affected, after, now);
        if (!cancelled)
            done.affected.clear();
        if (cancelled && bookings_ && !done.affected.empty())
            bookings_->flag(tx, done.affected, departure_cancelled, now);
        if (bookings_ && before->status == Status::cancelled && after.status != Status::cancelled)
            bookings_->unflag(tx, everybody_of(tx, id), departure_cancelled, now);
        if (may_be_sold(after) && (after.capacity > before->capacity || !may_be_sold(*before))) {
            waitlist_.promote(tx, id, now);
            done.departure = rows::find(tx, id).value();
        }
        return done;
    };
    const auto written = [&]() -> Result<Updated> {
        if (!ending.cancel_bookings)
            return parts_.store.transact<Updated>(work);
        const auto step =
            api::Step::of<Updated>(first_step, [](const Updated& done) { return json::array_of(done.affected); });
        if (!step.before())
            return parts_.store.transact<Updated>(work);
        SVC_ASSIGN_OR_RETURN(auto departure, find(std::nullopt, id));
        left_trip = departure.trip_id;
        return as_before(std::move(departure), *step.before());
    };
    try {
        SVC_ASSIGN_OR_RETURN(auto done, written());
        calendar_.refresh(done.departure.trip_id);
        if (left_trip != done.departure.trip_id)
            calendar_.refresh(left_trip);
        if (!ending.cancel_bookings || !bookings_ || done.affected.empty())
            return done;
        cancel_each(*bookings_, done, ending.reason, actor.user_id);
        if (auto now = find(std::nullopt, id))
            done.departure = std::move(*now);
        return done;
    } catch (const store::UniqueViolation&) {
        return slot_taken(change.by_sale_names);
    }
}

Result<Departure> Departures::update(std::int64_t trip_id, std::int64_t id, const DepartureChange& change,
                                     const Actor& actor) {
    SVC_ASSIGN_OR_RETURN(auto done, update(trip_id, id, change, actor, Ending{}));
    return std::move(done.departure);
}

Result<Departure> Departures::remove(std::optional<std::int64_t> trip_id, std::int64_t id, const Actor& actor) {
    return writing([&](store::Transaction& tx) -> Result<Departure> {
        rows::lock(tx, id);
        const auto departure = rows::find(tx, id);
        if (!departure || (trip_id && departure->trip_id != *trip_id) || departure->is_deleted())
            return no_such(trip_id.has_value());
        if (departure->waiting > 0)
            return Error{errc::in_use, "People wait for seats of this departure, so it cannot be deleted."_sentence};
        parts_.hooks.emit(tx, specific_date_before_delete, {id, to_json(*departure, {}, nullptr)});
        if (!rows::trash(tx, id, actor.user_id, parts_.clock.now()))
            return Error{errc::in_use, "Bookings hold seats on this departure, so it cannot be deleted."_sentence};
        saved(tx, id, specific_date_deleted);
        return rows::find(tx, id).value();
    });
}

Result<void> Departures::remove_all(store::Transaction& tx, std::int64_t trip_id) {
    if (!rows::remove_all(tx, trip_id))
        return Error{errc::in_use, "The trip has bookings and cannot be deleted."_sentence};
    return {};
}

}  // namespace svc::availability
