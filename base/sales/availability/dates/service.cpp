// The dates that buyers are offered, from memory.
#include "base/sales/availability/dates/service.hpp"

#include <algorithm>

#include "base/sales/availability/dates/prices.hpp"
#include "base/sales/availability/record/hooks.hpp"
#include "base/sales/availability/record/rule_rows.hpp"
#include "base/sales/availability/record/slot_rows.hpp"
#include "shared/api/schema.hpp"
#include "shared/core/log.hpp"

namespace svc::availability {

using catalog::trips::Trip;

namespace {

json::Value filter_value(const Bookable& date) {
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

Money listener_price(const json::Value& answer, std::string_view name, const Money& ours) {
    if (!answer[name].is_number())
        return ours;
    const auto theirs = Money::parse(answer[name].number_text(), ours.currency());
    return theirs ? max(*theirs, Money::zero(ours.currency())) : ours;
}

// The price never exceeds the list price shown next to it.
void take_price(Bookable& date, const json::Value& answer) {
    const Money listed = listener_price(answer, "original_price", date.price.regular);
    const Money paid = listener_price(answer, "price", date.price.effective());
    if (listed == date.price.regular && paid == date.price.effective())
        return;
    if (paid.is_zero() || paid >= listed)
        date.price = {paid, std::nullopt};
    else
        date.price = {listed, paid};
}

struct Known {
    std::vector<Slot> slots;
    bool planned = true;
    std::vector<Rule> rules;
    [[nodiscard]] TripSlots trip_slots() const { return {slots, planned, rules}; }
};
// Reads the data for a request from the database, mainly the date's departures. `priced`: with prices.
Known known_on(store::Session& session, const Trip& trip, Date date, std::optional<ClockTime> time, int seats,
               bool priced) {
    Known known{rows::on_date(session, trip.id, date), true, {}};
    const bool settled = settled_by_departures(known.slots, date, time, seats);
    const bool by_rule =
        std::any_of(known.slots.begin(), known.slots.end(), [](const Slot& each) { return each.rule_id.has_value(); });
    if (!settled || (priced && by_rule))
        known.rules = rows::rules_of_trip(session, trip.id);
    if (!settled && known.rules.empty())
        known.planned = rows::is_planned(session, trip.id);
    const auto says_so = [](const auto& each) { return each.traveler_based.value_or(false); };
    if (priced && (trip.traveler_based || std::any_of(known.slots.begin(), known.slots.end(), says_so) ||
                   std::any_of(known.rules.begin(), known.rules.end(), says_so)))
        rows::read_category_prices(session, known.slots);
    return known;
}

}  // namespace

int OfferedDates::horizon() const {
    const auto months = parts_.settings.integer("availability_horizon_months");
    const auto answer = parts_.hooks.apply(horizon_months, months, {});
    const std::string& digits = answer.number_text();
    const bool whole = !digits.empty() && digits.size() <= 2 &&
                       std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
    const int value = whole ? std::stoi(digits) : 0;
    return value >= 1 && value <= 36 ? value : static_cast<int>(months);
}

Result<Span> OfferedDates::span_of(const Trip& trip, const DatesQuery& query, const Moment& moment) const {
    const Date today = moment.today();
    if (query.from && query.to && *query.from > *query.to)
        return invalid("from_date", "This must not be after to_date."_sentence);
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

Result<std::vector<Bookable>> OfferedDates::available_dates(std::int64_t trip_id, const DatesQuery& query,
                                                            const Moment& moment) const {
    const auto trip = parts_.trips.published(trip_id);
    if (!trip)
        return errc::trip_not_found;
    SVC_ASSIGN_OR_RETURN(const auto span, span_of(*trip, query, moment));
    return offered_dates(*trip, *calendar_.of(trip_id), span, moment).dates;
}

bool OfferedDates::asks(const hooks::Filter& filter) const { return parts_.hooks.filtered(filter.name); }

bool OfferedDates::dates_are_filtered() const {
    return asks(resolve_availability) || asks(virtual_availability) || asks(availability_price) || asks(date_prices);
}

bool OfferedDates::allowed(const Trip& trip, Bookable& date) const {
    // Their answer's price and its seats, where it leaves fewer: more are not there to be taken.
    const auto take = [&](const hooks::Filter& filter, json::Array about) {
        const json::Value answer = parts_.hooks.apply(filter, filter_value(date), std::move(about));
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

void OfferedDates::apply_price_filter(const Trip& trip, Bookable& date, int travelers) const {
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

OfferedDates::Offered OfferedDates::offered_dates(const Trip& trip, const TripDates& known, const Span& span,
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
            apply_price_filter(trip, each, span.travelers);
        if (asks(date_prices))
            take_date_prices(parts_.hooks, trip, dates, span.travelers);
    }
    return offered;
}

Result<Bookable> OfferedDates::shown_date(const Trip& trip, Date date, std::optional<ClockTime> time, int seats,
                                          const Moment& moment) const {
    auto found = find_shown(trip, date, time, seats, moment.now);
    if (!found)
        return found;
    apply_price_filter(trip, *found, seats);
    if (asks(date_prices))
        take_date_prices(parts_.hooks, trip, std::span(&*found, 1), seats);
    return found;
}

bool OfferedDates::has_waitlist(const Trip& trip) const {
    // Both must allow it; without a value the trip does.
    const bool allowed = parts_.settings.flag("allow_waitlist") && trip.waitlist_enabled.value_or(true);
    return parts_.hooks.apply(trip_allows_waitlist, allowed, {trip.id}).boolean();
}

Result<Bookable> OfferedDates::find_bookable(store::Session& session, const Trip& trip, Date date,
                                             std::optional<ClockTime> time, int seats, bool by_staff,
                                             Instant now) const {
    const Moment here{now, parts_.settings.zone()};
    // Lists may include later dates, but visitors cannot buy beyond the horizon.
    if (!by_staff && date > here.today().plus_months(horizon()))
        return errc::date_unavailable;
    const Known known = known_on(session, trip, date, time, seats, true);
    return sellable(availability::resolve(trip, known.trip_slots(), date, time, seats, here, by_staff), trip, seats,
                    by_staff, now);
}

Result<Bookable> OfferedDates::find_to_take(store::Session& session, const Trip& trip, Date date,
                                            std::optional<ClockTime> time, int seats, Instant now) const {
    const Known known = known_on(session, trip, date, time, seats, false);
    return availability::resolve(trip, known.trip_slots(), date, time, seats, {now, parts_.settings.zone()}, true);
}

Result<Bookable> OfferedDates::find_shown(const Trip& trip, Date date, std::optional<ClockTime> time, int seats,
                                          Instant now) const {
    const Moment here{now, parts_.settings.zone()};
    if (date > here.today().plus_months(horizon()))
        return errc::date_unavailable;
    const Dates known = calendar_.of(trip.id);
    return sellable(availability::resolve(trip, known->known(), date, time, seats, here), trip, seats, false, now);
}

Result<void> OfferedDates::check_time(store::Session* session, const Trip& trip, Date date, bool by_staff,
                                      Instant now) const {
    const Moment here{now, parts_.settings.zone()};
    std::vector<ClockTime> times;
    if (session) {
        Known known{rows::on_date(*session, trip.id, date), true, rows::rules_of_trip(*session, trip.id)};
        if (known.slots.empty() && known.rules.empty())
            known.planned = rows::is_planned(*session, trip.id);
        times = times_on(trip, known.trip_slots(), date, here, by_staff);
    } else {
        const Dates known = calendar_.of(trip.id);
        times = times_on(trip, known->known(), date, here, by_staff);
    }
    if (times.size() < 2)
        return {};
    std::string list;
    for (const ClockTime time : times)
        list += (list.empty() ? "" : ", ") + time.text();
    return invalid("departure_time",
                   "This day has several departure times. Choose one: {list}."_sentence.with("list", list));
}

Result<Bookable> OfferedDates::sellable(Result<Bookable> found, const Trip& trip, int seats, bool by_staff,
                                        Instant now) const {
    if (!found)
        return found;
    if (!by_staff && now >= found->cutoff_at)
        return errc::cutoff_passed;
    const int before = found->available();
    if (!allowed(trip, *found))
        return errc::date_unavailable;
    if (const int left = found->available(); !by_staff && left < before && left < seats)
        return Error{errc::sold_out}.with("available", std::to_string(left));
    return found;
}

}  // namespace svc::availability
