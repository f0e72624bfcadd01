// Staff's departures as they operate them, by trip and over all trips.

#include "base/sales/availability/departures/routes.hpp"

#include <algorithm>

#include "base/sales/availability/departures/wire.hpp"
#include "base/sales/availability/record/requests.hpp"
#include "shared/api/author.hpp"
#include "shared/api/conditions.hpp"
#include "shared/api/guided.hpp"
#include "shared/api/keeping.hpp"
#include "shared/api/list_meta.hpp"
#include "shared/api/named.hpp"
#include "shared/api/period.hpp"
#include "shared/api/steps.hpp"

namespace svc::availability {

using api::Method;
using api::Permission;
using api::Reply;
using api::Request;
using json::Value;

Departures::Actor actor_of(const Request& request) {
    return {api::author(request.caller), request.caller.can("manage_options")};
}

// The gate admits who may manage departures; ending one requires more, depending on the body.
Result<void> may_end(const Request& request, const DepartureChange& change) {
    const bool ends = change.status && (*change.status == "cancelled" || *change.status == "trash");
    if (ends && !request.caller.can("svc_cancel_departures"))
        return Error{errc::forbidden, "Cancelling a departure requires the permission svc_cancel_departures."_sentence};
    if (request.body.maybe_boolean("cancel_bookings").value_or(false) &&
        !request.caller.can("svc_change_booking_status"))
        return Error{errc::forbidden,
                     "Cancelling its bookings requires the permission svc_change_booking_status."_sentence};
    return {};
}

Result<void> take_version(const Departures& service, const Request& request, DepartureChange& change) {
    if (api::Steps::before(Departures::first_step))
        return {};  // it has changed since by this very request
    auto version = api::required_version(request, [&]() -> std::optional<std::int64_t> {
        const auto departure = service.find(std::nullopt, request.path_id());
        return departure ? std::optional(departure->row_version) : std::nullopt;
    });
    if (!version)
        return version.error();
    change.row_version = *version;
    return {};
}

Departures::Ending ending_of(const Value& body) {
    return {body.maybe_boolean("cancel_bookings").value_or(false),
            body.text_or("reason", "The departure was cancelled.")};
}

void add_affected(Value& data, const Departures::Updated& updated) {
    Value ids = json::array_of(updated.affected);
    data.set("affected_bookings", std::move(ids));
    data.set("cancelled_bookings", updated.cancelled);
}

namespace {

const api::Schema filters{{.name = "availability",
                           .type = api::choice({"available", "partial", "full"}),
                           .help = "Filter by seats booked; can be combined with status."},
                          {.name = "source",
                           .type = api::choice({"fixed", "manual", "booking_created", "recurring_rule"}),
                           .help = "Filter by origin."}};
const api::Field include_past{
    .name = "include_past", .type = api::boolean(), .help = "Include past departures.", .otherwise = Value(true)};

// Guides see their departures, not what they earn.
Value without_revenue(Value departure, const api::Caller& caller) {
    if (api::guided_by(caller))
        departure.set("total_revenue", Value());
    return departure;
}

Value items_of(const Departures::Listed& listed, const api::Caller& caller) {
    Value items = Value::array();
    for (const Departure& departure : listed.departures) {
        std::vector<std::int64_t> bookings;
        auto link = std::lower_bound(listed.links.begin(), listed.links.end(), departure.id,
                                     [](const Link& each, std::int64_t id) { return each.departure_id < id; });
        for (; link != listed.links.end() && link->departure_id == departure.id; ++link)
            bookings.push_back(link->booking_id);
        const auto party = std::find_if(listed.parties.begin(), listed.parties.end(),
                                        [&](const Party& each) { return each.departure_id == departure.id; });
        items.push(
            without_revenue(to_json(departure, bookings, party == listed.parties.end() ? nullptr : &*party), caller));
    }
    return items;
}

// The list's filters without its page; a status in the path wins.
Result<DepartureQuery> query_of(const Departures& service, const Request& request, DepartureQuery query,
                                const api::Page& page) {
    const Value& parameters = request.query;
    SVC_RETURN_IF_ERROR(take_period(parameters, service.moment().zone, query.from, query.to, query.updated_since));
    query.search = parameters.text_or("search");
    query.availability = parameters.text_or("availability");
    query.guide_id = api::guided_by(request.caller);
    query.origin = origin_of_source(parameters.text_or("source"));
    query.include_past = parameters.maybe_boolean("include_past").value_or(true);
    query.order_by = page.order_by;
    query.ascending = page.ascending;
    if (query.status.empty())
        query.status = parameters.text_or("status");
    return query;
}

Reply list(const Departures& service, const Request& request, const DepartureQuery& of) {
    SVC_ASSIGN_OR_RETURN(const auto page, api::page_of(*request.route, request.query));
    SVC_ASSIGN_OR_RETURN(auto query, query_of(service, request, of, page));
    query.limit = page.per_page;
    query.offset = page.offset();
    const auto listed = service.list(query);
    Reply reply = api::list_reply(items_of(listed, request.caller), page, listed.total);
    reply.more_meta = Value::object({{"counts", to_json(listed.counts)}});
    return reply;
}

Reply trip_list(const Departures& service, const Request& request, std::string status) {
    const std::int64_t trip_id = request.path_id("trip_id");
    SVC_RETURN_IF_ERROR(service.trips().find(trip_id));
    return list(service, request, {.trip_id = trip_id, .status = std::move(status)});
}

Reply upcoming(const Departures& service, const Request& request) {
    SVC_ASSIGN_OR_RETURN(const auto list_page, api::page_of(*request.route, request.query));
    api::Page page = list_page;
    page.per_page = request.query.maybe_integer("limit").value_or(page.per_page);
    const bool full = request.query.text_or("status") == "full";
    SVC_ASSIGN_OR_RETURN(auto query, query_of(service, request, {.status = full ? "full" : "upcoming"}, page));
    query.limit = page.per_page;
    query.offset = page.offset();
    const auto listed = service.list(query);
    return api::list_reply(items_of(listed, request.caller), page, listed.total);
}

Value staff_json(const Departures& service, store::Session& session, const Departure& departure) {
    const auto parties = service.parties_of(session, departure.id);
    return to_json(departure, Departures::bookings_of(session, departure.id),
                   parties.empty() ? nullptr : &parties.front());
}

Value staff_json(const Departures& service, const Departure& departure) {
    return service.store().reading<Value>(
        [&](store::Session& session) { return staff_json(service, session, departure); });
}

Reply tagged(Value data, const Departure& departure) {
    Reply reply = api::ok(std::move(data));
    reply.headers.emplace_back("ETag", '"' + std::to_string(departure.row_version) + '"');
    return reply;
}

Reply read(const Departures& service, const Request& request) {
    SVC_ASSIGN_OR_RETURN(const auto departure, service.find(request.path_id("trip_id"), request.path_id()));
    if (const auto guide = api::guided_by(request.caller); guide && departure.guide_user_id != guide)
        return api::failed(errc::not_found);
    Value data = without_revenue(staff_json(service, departure), request.caller);
    if (const auto trip = service.trips().find(departure.trip_id)) {
        Value about = data["trip"];
        about.set("summary", trip->summary);
        about.set("starting_location", trip->starting_location);
        about.set("ending_location", trip->ending_location);
        about.set("difficulty_level", trip->difficulty_level_id);
        about.set("min_travelers", trip->min_travelers);
        about.set("max_travelers", trip->max_travelers);
        about.set("duration", trip->duration_days);
        data.set("trip", std::move(about));
    }
    return tagged(std::move(data), departure);
}

Reply create(Departures& service, const Request& request) {
    const auto answer = [](const Departure& departure) {
        Reply reply = tagged(to_json(departure, {}, nullptr), departure);
        reply.status = 201;
        reply.headers.emplace_back(
            "Location", "/trips/" + std::to_string(departure.trip_id) + "/departures/" + std::to_string(departure.id));
        return reply;
    };
    return api::respond_once(
        request, [&] { return service.create(request.path_id("trip_id"), change_of(request.body), actor_of(request)); },
        answer);
}

Reply remove(Departures& service, const Request& request) {
    return api::respond_once(
        request, [&] { return service.remove(request.path_id("trip_id"), request.path_id(), actor_of(request)); },
        api::deleted(request.path_id()));
}

Reply update(Departures& service, const Request& request) {
    DepartureChange change = change_of(request.body);
    const std::int64_t trip_id = request.path_id("trip_id"), id = request.path_id();
    SVC_RETURN_IF_ERROR(may_end(request, change));
    SVC_RETURN_IF_ERROR(take_version(service, request, change));
    if (change.status && *change.status == "trash") {
        return api::respond_once(
            request, [&] { return service.remove(trip_id, id, actor_of(request)); },
            [&](store::Transaction& tx, const Departure& departure) {
                return tagged(staff_json(service, tx, departure), departure);
            });
    }
    const auto answer = [&](Value data, const Departures::Updated& updated) {
        if (change.status && *change.status == "cancelled")
            add_affected(data, updated);
        return tagged(std::move(data), updated.departure);
    };
    const Departures::Ending ending = ending_of(request.body);
    // With bookings to cancel, each in its own write, the reply is only known at the end.
    std::optional<api::StoreReply> keeping;
    if (!ending.cancel_bookings)
        keeping.emplace(request, std::in_place_type<Departures::Updated>,
                        [&](store::Transaction& tx, const Departures::Updated& updated) {
                            return answer(staff_json(service, tx, updated.departure), updated);
                        });
    return api::respond(
        service.update(trip_id, id, change, actor_of(request), ending),
        [&](const Departures::Updated& updated) { return answer(staff_json(service, updated.departure), updated); });
}

// Fields whose rules depend on other fields.
const std::vector<std::pair<std::string_view, std::string_view>> compared{{"end_date", "start_date"},
                                                                          {"return_date", "start_date"},
                                                                          {"sale_price", "price_override"},
                                                                          {"pricing_type", "price_override"},
                                                                          {"from_latitude", "from_longitude"},
                                                                          {"from_longitude", "from_latitude"},
                                                                          {"to_latitude", "to_longitude"},
                                                                          {"to_longitude", "to_latitude"},
                                                                          {"pricing_type", "price_by_traveler_type"}};

void add_writing(api::RouteTable& routes, Departures& service) {
    const std::string path = "/trips/{trip_id}/departures", one = path + "/{id}";
    routes.add({.method = Method::post,
                .path = path,
                .who = Permission::can("svc_manage_departures"),
                .summary = "Create a departure.",
                .body = departure_fields(),
                .answer = departure_answer(),
                .success = 201,
                .errors = {&errc::trip_not_found, &errc::conflict},
                .stores_reply = true,
                .handle = [&service](const Request& request) { return create(service, request); },
                .rules =
                    [&service](const Request& request) {
                        return service.faults_of_new(request.path_id("trip_id"), change_of(request.body),
                                                     actor_of(request));
                    },
                .beside = compared});
    routes.add({.method = Method::put,
                .path = one,
                .who = Permission::can("svc_manage_departures"),
                .summary = "Update a departure; its bookings move with its dates. Cancelling it returns its bookings.",
                .body = departure_fields().partial().plus(departure_update_fields()),
                .answer = departure_answer(),
                .errors = {&errc::not_found, &errc::conflict, &errc::in_use},
                .repeats_safely = true,
                .handle = [&service](const Request& request) { return update(service, request); },
                .rules =
                    [&service](const Request& request) {
                        return service.faults_of_change(request.path_id("trip_id"), request.path_id(),
                                                        change_of(request.body));
                    },
                .beside = compared});
    routes.add({.method = Method::del,
                .path = one,
                .who = Permission::can("svc_cancel_departures"),
                .summary = "Move a departure without bookings to the trash.",
                .answer = api::deleted(),
                .errors = {&errc::not_found, &errc::in_use},
                .stores_reply = true,
                .handle = [&service](const Request& request) { return remove(service, request); }});
}

api::RouteSpec departure_list(std::string path, std::string summary) {
    return {.method = Method::get,
            .path = std::move(path),
            .who = Permission::can("svc_view_departures"),
            .summary = std::move(summary),
            .query = filters.plus({include_past}).plus(api::period_fields()).plus(api::updated_since_field()),
            .is_list = true,
            .sortable = {"start_date", "id", "status", "booked_count", "updated_at"},
            .ascending = true,
            .statuses = {"upcoming", "full", "past", "cancelled", "trash"},
            .answer = api::with_meta(
                api::list(departure_answer(), 100),
                {{.name = "counts", .type = api::map(api::integer(0)), .help = "Number of departures by tab."}})};
}

}  // namespace

void add_routes(api::RouteTable& routes, Departures& service) {
    auto all = departure_list("/departures", "List departures of all trips.");
    all.handle = [&service](const Request& request) { return list(service, request, {}); };
    routes.add(std::move(all));
    routes.add({.method = Method::get,
                .path = "/departures/upcoming",
                .who = Permission::can("svc_view_departures"),
                .summary = "List the next departures of all trips, including full ones.",
                .query = filters.plus(api::period_fields())
                             .plus(api::updated_since_field())
                             .plus({{.name = "per_page", .type = api::page_sum(), .otherwise = Value(10)},
                                    {.name = "limit",
                                     .type = api::integer(1, 100),
                                     .help = "Same as per_page; takes precedence."}}),
                .is_list = true,
                .sortable = {"start_date", "id", "status", "booked_count", "updated_at"},
                .ascending = true,
                .statuses = {"upcoming", "full"},
                .answer = api::list(departure_answer(), 100),
                .handle = [&service](const Request& request) { return upcoming(service, request); }});
    routes.add({.method = Method::get,
                .path = "/departures/guides",
                .who = Permission::any_of({"svc_manage_departures", "svc_edit_trips"}),
                .summary = "List the users with the role of a guide, for departures and recurring rules.",
                .answer = api::list(api::object("Guide", {{.name = "id", .type = api::id(), .required = true},
                                                          {.name = "name", .type = api::text(200), .required = true}}),
                                    100'000),
                .handle = [&service](const Request&) {
                    return api::ok(json::array_of(service.store().reading<std::vector<rows::Guide>>(
                                                      [](store::Session& session) { return rows::guides(session); }),
                                                  [](const rows::Guide& each) {
                                                      return Value::object({{"id", each.user_id}, {"name", each.name}});
                                                  }));
                }});
    auto of_trip = departure_list("/trips/{trip_id}/departures", "List a trip's departures.");
    of_trip.errors = {&errc::trip_not_found};
    of_trip.handle = [&service](const Request& request) { return trip_list(service, request, {}); };
    routes.add(std::move(of_trip));
    auto past = departure_list("/trips/{trip_id}/departures/past", "List a trip's past departures, newest first.");
    past.errors = {&errc::trip_not_found};
    past.ascending = false;
    past.statuses = {"past"};
    past.handle = [&service](const Request& request) { return trip_list(service, request, "past"); };
    routes.add(std::move(past));
    routes.add({.method = Method::get,
                .path = "/trips/{trip_id}/departures/{id}",
                .who = Permission::can("svc_view_departures"),
                .summary = "Return a departure with its bookings.",
                .answer = departure_answer(),
                .errors = {&errc::not_found},
                .handle = [&service](const Request& request) { return read(service, request); }});
    add_writing(routes, service);
    add_sale_routes(routes, service);
}

}  // namespace svc::availability
