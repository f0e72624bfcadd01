// Dates on sale, by trip: the same rows as departures, with the names that sellers use.
#include <algorithm>

#include "base/sales/availability/departures/routes.hpp"
#include "base/sales/availability/departures/wire.hpp"
#include "base/sales/availability/record/requests.hpp"
#include "shared/api/keeping.hpp"
#include "shared/api/named.hpp"
#include "shared/api/period.hpp"
#include "shared/core/text.hpp"

namespace svc::availability {
namespace {

using api::Method;
using api::Permission;
using api::Reply;
using api::Request;
using json::Value;

const std::vector<std::string> sale_statuses{"available", "limited", "sold_out",    "closed",
                                             "cancelled", "blocked", "unavailable", "trash"};

// "2026-06" or "all"; the first and last day of that month, or nothing for all.
Result<std::optional<std::pair<Date, Date>>> month_of(const std::string& text) {
    if (text.empty() || text == "all")
        return std::optional<std::pair<Date, Date>>();
    const auto first = Date::parse(text + "-01");
    if (!first || first->year() >= 9999)
        return invalid("month", "This must be a month like 2026-06, or all."_sentence);
    return std::optional(std::pair(*first, first->plus_months(1).plus_days(-1)));
}

Error no_trip() { return invalid("trip_id", "This trip does not exist."_sentence); }

Reply list_sales(const Departures& service, const Request& request) {
    SVC_ASSIGN_OR_RETURN(const auto page, api::page_of(*request.route, request.query));
    const Value& parameters = request.query;
    SVC_ASSIGN_OR_RETURN(const auto month, month_of(parameters.text_or("month")));
    DepartureQuery query{.trip_id = parameters["trip_id"].integer(),
                         .search = parameters.text_or("search"),
                         .in_places = true,
                         .order_by = page.order_by == "departure_date" ? "start_date"
                                     : page.order_by == "status"       ? "sale_status"
                                                                       : page.order_by,
                         .ascending = page.ascending,
                         .limit = page.per_page,
                         .offset = page.offset()};
    if (!service.trips().find(*query.trip_id))
        return api::failed(no_trip());
    const std::string status = parameters.text_or("status");
    if (status == "trash")
        query.status = status;
    else if (status != "all")
        query.sale_status = status;
    SVC_RETURN_IF_ERROR(take_period(parameters, service.moment().zone, query.from, query.to, query.updated_since));
    if (month) {
        query.from = std::max(query.from.value_or(month->first), month->first);
        query.to = std::min(query.to.value_or(month->second), month->second);
    }
    const auto listed = service.list(query);
    Value items =
        json::array_of(listed.departures, [&](const Departure& departure) { return to_sale_json(departure); });
    return api::list_reply(std::move(items), page, listed.total);
}

Reply sale_reply(const Departure& departure, int status) {
    Reply reply = api::ok(to_sale_json(departure));
    reply.status = status;
    if (status == 201)
        reply.headers.emplace_back("Location", "/availability/" + std::to_string(departure.id));
    reply.headers.emplace_back("ETag", '"' + std::to_string(departure.row_version) + '"');
    return reply;
}

Reply put_on_sale(Departures& service, const Request& request) {
    const DepartureChange change = sale_change_of(request.body);
    SVC_RETURN_IF_ERROR(may_end(request, change));
    return api::respond_once(
        request,
        [&]() -> Result<Departure> {
            auto departure =
                service.create(request.body["trip_id"].integer(), change, Origin::fixed, actor_of(request));
            if (!departure && departure.error().code().name == errc::trip_not_found.name)
                return no_trip();
            return departure;
        },
        [](const Departure& departure) { return sale_reply(departure, 201); });
}

Reply duplicate(Departures& service, const Request& request) {
    const DepartureChange change = sale_change_of(request.body);
    SVC_RETURN_IF_ERROR(may_end(request, change));
    return api::respond_once(
        request, [&] { return service.duplicate(request.path_id(), change, actor_of(request)); },
        [](const Departure& departure) { return sale_reply(departure, 201); });
}

Reply change_sale(Departures& service, const Request& request) {
    DepartureChange change = sale_change_of(request.body);
    SVC_RETURN_IF_ERROR(may_end(request, change));
    SVC_RETURN_IF_ERROR(take_version(service, request, change));
    const auto answer = [&](const Departures::Updated& updated) {
        Reply reply = sale_reply(updated.departure, 200);
        if (change.status && *change.status == "cancelled")
            add_affected(reply.data, updated);
        return reply;
    };
    const Departures::Ending ending = ending_of(request.body);
    // With bookings to cancel, each in its own write, the reply is only known at the end.
    std::optional<api::StoreReply> keeping;
    if (!ending.cancel_bookings)
        keeping.emplace(request, std::in_place_type<Departures::Updated>,
                        [&](store::Transaction&, const Departures::Updated& updated) { return answer(updated); });
    return api::respond(service.update(std::nullopt, request.path_id(), change, actor_of(request), ending), answer);
}

api::Schema duplicate_fields() {
    const api::Schema all = sale_fields().partial();
    std::vector<api::Field> fields;
    for (const char* name : {"departure_date", "departure_time", "arrival_time", "seats_total", "status"})
        fields.push_back(*all.find(name));
    fields.front().required = true;
    return api::Schema(std::move(fields));
}

// Fields whose rules depend on other fields.
const std::vector<std::pair<std::string_view, std::string_view>> compared_sales{
    {"arrival_date", "departure_date"},  {"return_date", "departure_date"}, {"discounted_price", "original_price"},
    {"pricing_type", "original_price"},  {"pricing_type", "price_types"},   {"from_latitude", "from_longitude"},
    {"from_longitude", "from_latitude"}, {"to_latitude", "to_longitude"},   {"to_longitude", "to_latitude"}};

void add_reading(api::RouteTable& routes, Departures& service) {
    const auto reads = Permission::any_of({"svc_view_trips", "svc_edit_trips"});
    routes.add(
        {.method = Method::get,
         .path = "/availability",
         .who = reads,
         .summary = "List a trip's dates.",
         .query = api::Schema{{.name = "trip_id", .type = api::id(), .help = "Id of the trip.", .required = true},
                              {.name = "per_page",
                               .type = api::page_sum(),
                               .help = "Items per page, at most 100.",
                               .otherwise = Value(50)},
                              {.name = "month",
                               .type = api::text(7),
                               .help = "Only dates that start in this month, such as 2026-06, or all."}}
                      .plus(api::period_fields())
                      .plus(api::updated_since_field()),
         .is_list = true,
         .sortable = {"departure_date", "id", "status", "seats_available", "updated_at"},
         .ascending = true,
         .statuses = sale_statuses,
         .columns = {"departure_date", "departure_time", "status", "seats_available", "seats_total", "original_price"},
         .answer = api::list(sale_answer(), 100),
         .handle = [&service](const Request& request) { return list_sales(service, request); }});
    routes.add({.method = Method::get,
                .path = "/availability/{id}",
                .who = reads,
                .summary = "Return a date with its current seats.",
                .answer = sale_answer(),
                .errors = {&errc::not_found},
                .handle = [&service](const Request& request) {
                    return api::respond(service.find(std::nullopt, request.path_id()),
                                        [](const Departure& departure) { return sale_reply(departure, 200); });
                }});
}

}  // namespace

void add_sale_routes(api::RouteTable& routes, Departures& service) {
    const auto writes = Permission::can("svc_edit_trips");
    const auto changed_rules = [&service](const Request& request) {
        return service.faults_of_change(std::nullopt, request.path_id(), sale_change_of(request.body));
    };
    add_reading(routes, service);
    routes.add(
        {.method = Method::post,
         .path = "/availability",
         .who = writes,
         .summary = "Create a date.",
         .body = api::Schema{{.name = "trip_id", .type = api::id(), .help = "Id of the trip.", .required = true}}.plus(
             sale_fields()),
         .answer = sale_answer(),
         .success = 201,
         .errors = {&errc::conflict},
         .stores_reply = true,
         .handle = [&service](const Request& request) { return put_on_sale(service, request); },
         .rules = [&service](const Request& request) -> std::vector<FieldError> {
             const auto trip = request.body.maybe_integer("trip_id");
             if (!trip)
                 return {};
             if (!service.trips().find(*trip))
                 return no_trip().fields();
             return service.faults_of_new(*trip, sale_change_of(request.body), actor_of(request));
         },
         .beside = compared_sales});
    routes.add({.method = Method::post,
                .path = "/availability/{id}/duplicate",
                .who = writes,
                .summary = "Duplicate a date on another day; moves arrival and return days, not bookings.",
                .body = duplicate_fields(),
                .answer = sale_answer(),
                .success = 201,
                .errors = {&errc::not_found, &errc::conflict},
                .stores_reply = true,
                .handle = [&service](const Request& request) { return duplicate(service, request); },
                .rules = changed_rules,
                .beside = compared_sales});
    routes.add({.method = Method::put,
                .path = "/availability/{id}",
                .who = writes,
                .summary = "Update a date; seats must not be below the booked seats unless overbooking is allowed.",
                .body = sale_fields().partial().plus(common_update_fields()),
                .answer = sale_answer(),
                .errors = {&errc::not_found, &errc::conflict, &errc::in_use},
                .repeats_safely = true,
                .handle = [&service](const Request& request) { return change_sale(service, request); },
                .rules = changed_rules,
                .beside = compared_sales});
    routes.add({.method = Method::del,
                .path = "/availability/{id}",
                .who = writes,
                .summary = "Move a date without bookings to the trash.",
                .answer = api::deleted(),
                .errors = {&errc::not_found, &errc::in_use},
                .stores_reply = true,
                .handle = [&service](const Request& request) {
                    return api::respond_once(
                        request, [&] { return service.remove(std::nullopt, request.path_id(), actor_of(request)); },
                        api::deleted(request.path_id()));
                }});
}

}  // namespace svc::availability
