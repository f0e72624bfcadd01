// The dates that buyers are offered, from memory.
#include "base/availability/service.hpp"

#include <algorithm>

#include "base/availability/hooks.hpp"
#include "base/availability/record/departure_rows.hpp"
#include "shared/api/schema.hpp"
#include "shared/core/log.hpp"

namespace svc::availability {

using catalog::trips::Trip;

namespace {

json::Value told_of(const Bookable& date) {
    return json::Value::object({{"id", date.departure_id},
                                {"rule_id", date.rule_id},
                                {"date", date.date},
                                {"time", date.time},
                                {"max_capacity", date.capacity},
                                {"available_capacity", date.available()},
                                {"source", date_source_of(date.origin)},
                                {"original_price", date.price.regular},
                                {"price", date.price.effective()}});
}

Money told_price(const json::Value& answer, std::string_view name, const Money& ours) {
    if (!answer[name].is_number())
        return ours;
    const auto theirs = Money::parse(answer[name].number_text(), ours.currency());
    return theirs ? max(*theirs, Money::zero(ours.currency())) : ours;
}

// What is paid is never above the list price that is shown beside it.
void take_price(Bookable& date, const json::Value& answer) {
    const Money listed = told_price(answer, "original_price", date.price.regular);
    const Money paid = told_price(answer, "price", date.price.effective());
    if (listed == date.price.regular && paid == date.price.effective())
        return;
    if (paid.is_zero() || paid >= listed)
        date.price = {paid, std::nullopt};
    else
        date.price = {listed, paid};
}

}  // namespace

Service::Service(const Parts& parts)
    : parts_(parts),
      calendar_(parts.store, parts.clock),
      rules_({.store = parts.store,
              .hooks = parts.hooks,
              .settings = parts.settings,
              .trips = parts.trips,
              .clock = parts.clock},
             calendar_) {}

Moment Service::moment() const { return {parts_.clock.now(), parts_.settings.zone()}; }

int Service::horizon() const {
    const auto months = parts_.settings.integer("availability_horizon_months");
    const auto asked = parts_.hooks.apply(horizon_months, months, {});
    const std::string& digits = asked.number_text();
    const bool whole = !digits.empty() && digits.size() <= 2 &&
                       std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
    const int value = whole ? std::stoi(digits) : 0;
    return value >= 1 && value <= 36 ? value : static_cast<int>(months);
}

Result<Span> Service::span_of(const Trip& trip, const DatesQuery& query, const Moment& moment) const {
    const Date today = moment.today();
    if (query.from && query.to && *query.from > *query.to)
        return invalid("from_date", "This must not be after to_date.");
    Span span;
    span.first = std::max(query.from.value_or(today), today);
    span.last = query.to ? *query.to : today.plus_months(horizon());
    span.last = std::min(span.last, today.plus_days(farthest_days));
    if (trip.available_from)
        span.first = std::max(span.first, *trip.available_from);
    if (trip.available_to)
        span.last = std::min(span.last, *trip.available_to);
    span.sold_out_too = parts_.settings.flag("show_sold_out");
    span.time = query.time;
    span.travelers = query.travelers;
    return span;
}

Result<std::vector<Bookable>> Service::available_dates(std::int64_t trip_id, const DatesQuery& query,
                                                       const Moment& moment) const {
    const auto trip = parts_.trips.published(trip_id);
    if (!trip)
        return errc::trip_not_found;
    const auto span = span_of(*trip, query, moment);
    if (!span)
        return span.error();
    return dates_offered(*trip, *calendar_.of(trip_id), *span, moment).dates;
}

bool Service::asks(const hooks::Filter& filter) const { return !parts_.filtered || parts_.filtered(filter.name); }

bool Service::dates_are_filtered() const {
    return asks(resolve_availability) || asks(virtual_availability) || asks(availability_price);
}

bool Service::allowed(const Trip& trip, Bookable& date) const {
    // Their answer's price and its seats, where it leaves fewer: more are not there to be taken.
    const auto take = [&](const hooks::Filter& filter, json::Array about) {
        const json::Value answer = parts_.hooks.apply(filter, told_of(date), std::move(about));
        if (answer.is_null() || (answer.is_boolean() && !answer.boolean()))
            return false;
        if (!answer.is_object()) {
            log::warning("filter_ignored", {{"filter", filter.name}, {"why", "neither an object nor null"}});
            return true;
        }
        if (!date.traveler_based)
            take_price(date, answer);
        const auto seats = api::integer(0).check(answer["available_capacity"], "available_capacity");
        if (answer["available_capacity"].is_number() && seats && seats->integer() < date.available())
            date.booked = date.capacity - static_cast<int>(seats->integer());
        return true;
    };
    if (!date.departure_id && date.rule_id && asks(virtual_availability) &&
        !take(virtual_availability, {*date.rule_id, date.date}))
        return false;
    return !asks(resolve_availability) || take(resolve_availability, {trip.id, date.date});
}

void Service::let_price(const Trip& trip, Bookable& date, int travelers) const {
    const Money ours = date.price.effective();
    if (!asks(availability_price))
        return;
    auto context = json::Value::object({{"trip_id", trip.id},
                                        {"travel_date", date.date},
                                        {"departure_time", date.time},
                                        {"travelers_count", travelers}});
    const auto answer = parts_.hooks.apply(availability_price, ours, {std::move(context)});
    const auto theirs = Money::parse(answer.number_text(), ours.currency());
    if (!theirs || *theirs == ours)
        return;
    date.before_listeners = ours;
    if (theirs->is_negative() || theirs->is_zero() || *theirs >= date.price.regular)
        date.price = {max(*theirs, Money::zero(ours.currency())), std::nullopt};
    else
        date.price.lowered = *theirs;
}

Service::Offered Service::dates_offered(const Trip& trip, const TripDates& known, const Span& span,
                                        const Moment& moment) const {
    Offered offered{bookable_dates(trip, known.known(), span, moment), {}};
    std::vector<Bookable>& dates = offered.dates;
    if (dates.size() >= span.most && dates.back().date < span.last)
        offered.goes_on = dates.back().date.plus_days(1);
    if (dates_are_filtered()) {
        std::erase_if(dates, [&](Bookable& each) {
            const int before = each.available();
            return !allowed(trip, each) || (each.available() < before && !span.has_room(each));
        });
        for (Bookable& each : dates)
            let_price(trip, each, span.travelers);
    }
    return offered;
}

Result<Bookable> Service::shown_date(const Trip& trip, Date date, std::optional<ClockTime> time, int seats,
                                     const Moment& moment) const {
    auto found = find_shown(trip, date, time, seats, moment.now);
    if (found)
        let_price(trip, *found, seats);
    return found;
}

Result<Departure> Service::update(std::int64_t trip_id, std::int64_t id, const DepartureChange& change,
                                  const Actor& actor) {
    auto done = update(trip_id, id, change, actor, Ending{});
    if (!done)
        return done.error();
    return std::move(done->departure);
}

Result<void> Service::remove_all(store::Transaction& tx, std::int64_t trip_id) {
    if (!rows::remove_all(tx, trip_id))
        return Error{errc::in_use, "Bookings refer to this trip, so it cannot be deleted."};
    return {};
}

}  // namespace svc::availability
