// The dates that visitors are offered, all from memory.
#include "base/sales/availability/dates/routes.hpp"

#include <algorithm>

#include "base/sales/availability/dates/visitor_pages.hpp"
#include "base/sales/availability/dates/wire.hpp"
#include "shared/api/list_meta.hpp"
#include "shared/api/public_answer.hpp"

namespace svc::availability {
namespace {

using api::Method;
using api::Permission;
using api::Reply;
using api::Request;
using json::Value;

std::optional<Date> date_in(const Value& query, std::string_view name) {
    const auto text = query.maybe_text(name);
    return text ? Date::parse(*text) : std::nullopt;
}

Reply dates_answer(const Request& request, const std::shared_ptr<const HeldDates>& found) {
    Reply reply;
    if (request.takes_held) {
        reply.held = found;
        reply.more_meta = Value::object({{"next_from_date", found->goes_on()}});
    } else {
        reply = api::public_answer(request, found->text().body, found->text().etag);
    }
    const auto total = static_cast<std::int64_t>(found->size());
    reply.page = api::PageMeta{.page = 1, .per_page = std::max<std::int64_t>(1, total), .total = total};
    return reply;
}

// Cached until a departure, a rule, the trip, a setting, the day or a cut-off changes it; never while listeners can
// change it.
Reply available_dates(const OfferedDates& service, const Request& request) {
    const std::int64_t trip_id = request.path_id();
    const DatesQuery query{.from = date_in(request.query, "from_date"),
                           .to = date_in(request.query, "to_date"),
                           .time = ClockTime::parse(request.query.text_or("time")),
                           .travelers = static_cast<int>(request.query.maybe_integer("travelers").value_or(1))};
    const auto trip = service.trips().published(trip_id);
    if (!trip)
        return api::failed(errc::trip_not_found);
    const Moment moment = service.moment();
    SVC_ASSIGN_OR_RETURN(const auto span, service.span_of(*trip, query, moment));
    const bool waitlist = service.has_waitlist(*trip), remembers = query.is_plain() && !service.dates_are_filtered();
    const Dates dates = service.calendar().of(trip_id);
    RememberedAnswer known;
    if (remembers) {
        known = service.remembered().find(trip_id, dates);
        if (known.found && known.trip == trip && known.first == span.first && known.last == span.last &&
            known.sold_out_too == span.sold_out_too && known.waitlist == waitlist && known.zone == moment.zone.name() &&
            known.from <= moment.now && moment.now < known.until)
            return dates_answer(request, known.found);
    }
    auto offered = service.offered_dates(*trip, *dates, span, moment);
    const auto found = std::make_shared<const HeldDates>(
        HeldDates::Offer{trip_id, std::move(offered.dates), offered.goes_on, waitlist}, remembers, known.found.get());
    if (remembers) {
        Instant until = moment.now.plus(std::chrono::hours(24));
        for (const Bookable& each : found->dates())
            until = std::min(until, each.cutoff_at);
        service.remembered().keep(trip_id, {trip, dates, span.first, span.last, span.sold_out_too, waitlist, moment.now,
                                            until, found, moment.zone.name()});
    }
    return dates_answer(request, found);
}

const api::Schema template_query{
    {.name = "month_filter",
     .type = api::text(20),
     .help = "A month such as 2026-06 or jun-2026, or all.",
     .also = {"month"}},
    {.name = "page", .type = api::integer(1, INT32_MAX), .help = "From 1.", .otherwise = Value(1)},
    {.name = "per_page", .type = api::page_sum(), .help = "Cards per page, at most 50.", .otherwise = Value(10)},
    {.name = "sort",
     .type = api::choice({"date-asc", "date-desc", "price-asc", "price-desc", "seats-desc"}),
     .help = "The order of the cards.",
     .otherwise = Value("date-asc")},
    {.name = "date", .type = api::date(), .help = "The day to highlight."},
    {.name = "num_travelers",
     .type = api::integer(1, 100'000),
     .help = "Only dates with seats left.",
     .otherwise = Value(1)},
    {.name = "travelers",
     .type = api::text(2000),
     .help = "Alternative as JSON: a number, a list of numbers, or numbers by traveler category."},
    {.name = "partial",
     .type = api::boolean(),
     .help = "Return only the cards, for appending to a list.",
     .otherwise = Value(false)}};

const api::Schema pricing_query{
    {.name = "date", .type = api::date(), .help = "The travel date.", .required = true},
    {.name = "time", .type = api::time(), .help = "A departure time of that date.", .also = {"departure_time"}},
    {.name = "travelers", .type = api::integer(1, 100'000), .help = "Number of travelers.", .also = {"num_travelers"}},
    {.name = "traveler_counts",
     .type = api::anything(),
     .help = "Alternative by category: traveler_counts[3]=2 for category 3, traveler_counts[]=2 for any."}};

}  // namespace

void add_routes(api::RouteTable& routes, const OfferedDates& service) {
    routes.add(
        {.method = Method::get,
         .path = "/trips/{id}/available-dates",
         .name = "listAvailableDates",
         .who = Permission::everyone(),
         .summary = "List the available dates of a published trip, in order.",
         .query = {{.name = "from_date", .type = api::date(), .help = "From this day; today at the earliest."},
                   {.name = "to_date", .type = api::date(), .help = "To this day; defaults to the booking horizon."},
                   {.name = "time", .type = api::time(), .help = "Only this departure time."},
                   {.name = "travelers", .type = api::integer(1, 100'000), .help = "Only dates with seats left."}},
         .answer = api::with_meta(api::list(date_answer(), most_dates + 24 * 60),
                                  {{.name = "next_from_date",
                                    .type = api::date().or_null(),
                                    .help = "Where there are more dates than one answer holds: the day to continue"
                                            " with.",
                                    .required = true}}),
         .errors = {&errc::trip_not_found},
         .waits = false,
         .handle = [&service](const Request& request) { return available_dates(service, request); }});
    routes.add(
        {.method = Method::get,
         .path = "/trips/{id}/availability-template",
         .who = Permission::everyone(),
         .summary =
             "Return a rendered month list and date cards of a published trip, from today to the booking horizon.",
         .query = template_query,
         .answer = template_answer(),
         .errors = {&errc::trip_not_found},
         .waits = false,
         .handle = [&service](const Request& request) { return availability_template(service, request); }});
    routes.add({.method = Method::get,
                .path = "/trips/{id}/date-pricing",
                .who = Permission::everyone(),
                .summary = "Return the price of one date of a published trip; null for unavailable dates.",
                .query = pricing_query,
                .answer = date_pricing_answer(),
                .errors = {&errc::trip_not_found},
                .waits = false,
                .handle = [&service](const Request& request) { return date_pricing(service, request); }});
}

}  // namespace svc::availability
