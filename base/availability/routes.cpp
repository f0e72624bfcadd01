// Staff's departures, and the dates that visitors are offered.
#include "base/availability/routes.hpp"

#include <algorithm>

#include "base/availability/wire.hpp"

namespace svc::availability {
namespace {

using api::Method;
using api::Permission;
using api::Reply;
using api::Request;
using json::Value;

const api::Schema versioned{
    {.name = "row_version",
     .type = api::integer(1).or_null(),
     .says = "The version that was read; svc_conflict when it is another by now."},
    {.name = "status",
     .type = api::choice({"upcoming", "full", "past", "cancelled", "trash"}),
     .says = "cancelled and trash are set, with svc_cancel_departures; any other follows from dates and seats."}};

const api::Schema filters{
    {.name = "availability",
     .type = api::choice({"available", "partial", "full"}),
     .says = "By the seats booked now; combines with status."},
    {.name = "source",
     .type = api::choice({"fixed", "manual", "booking_created", "recurring_rule"}),
     .says = "Where they come from."},
    {.name = "from", .type = api::date(), .says = "First start date.", .also = {"date_from"}},
    {.name = "to", .type = api::date(), .says = "Last start date.", .also = {"date_to"}},
    {.name = "include_past", .type = api::boolean(), .says = "Ended ones too.", .otherwise = Value(true)}};

std::optional<Date> date_in(const Value& query, std::string_view name) {
    const auto text = query.maybe_text(name);
    return text ? Date::parse(*text) : std::nullopt;
}

Service::Actor actor_of(const Request& request) {
    return {request.caller.user_id, request.caller.can("manage_options")};
}

// Without per_page in the query every row is answered, on one page.
Reply list(const Service& service, const Request& request, std::optional<std::int64_t> trip_id) {
    const auto page = api::page_of(*request.route, request.query);
    if (!page)
        return api::failed(page.error());
    const Value& asked = request.query;
    DepartureQuery query{.trip_id = trip_id,
                         .status = asked.text_or("status"),
                         .availability = asked.text_or("availability"),
                         .search = asked.text_or("search"),
                         .origin = origin_of_source(asked.text_or("source")),
                         .from = date_in(asked, "from"),
                         .to = date_in(asked, "to"),
                         .include_past = asked.maybe_boolean("include_past").value_or(true),
                         .order_by = page->order_by,
                         .ascending = page->ascending};
    if (query.from && query.to && *query.from > *query.to)
        return api::failed(invalid("from", "This must not be after to."));
    const bool paged = asked.find("per_page") != nullptr;
    if (paged) {
        query.limit = page->per_page;
        query.offset = page->offset();
    }
    const auto listed = service.list(query);
    Value items = Value::array();
    for (const Departure& departure : listed.departures) {
        std::vector<std::int64_t> bookings;
        auto link = std::lower_bound(listed.links.begin(), listed.links.end(), departure.id,
                                     [](const Link& each, std::int64_t id) { return each.departure_id < id; });
        for (; link != listed.links.end() && link->departure_id == departure.id; ++link)
            bookings.push_back(link->booking_id);
        items.push(to_json(departure, bookings));
    }
    Reply reply = api::ok(std::move(items));
    reply.page =
        paged ? api::PageMeta{page->page, page->per_page, listed.total} : api::PageMeta{1, listed.total, listed.total};
    reply.more_meta = Value::object({{"counts", to_json(listed.counts)}});
    return reply;
}

Reply trip_list(const Service& service, const Request& request) {
    const std::int64_t trip_id = request.path_id("trip_id");
    if (const auto trip = service.trips().find(trip_id); !trip)
        return api::failed(trip.error());
    return list(service, request, trip_id);
}

Reply read(const Service& service, const Request& request) {
    const auto departure = service.find(request.path_id("trip_id"), request.path_id());
    if (!departure)
        return api::failed(departure.error());
    Value data = to_json(*departure, service.bookings_of(departure->id));
    if (const auto trip = service.trips().find(departure->trip_id)) {
        Value about = data["trip"];
        about.set("summary", trip->summary);
        about.set("min_travelers", trip->min_travelers);
        about.set("max_travelers", trip->max_travelers);
        about.set("duration", trip->duration_days);
        data.set("trip", std::move(about));
    }
    Reply reply = api::ok(std::move(data));
    reply.headers.emplace_back("ETag", '"' + std::to_string(departure->row_version) + '"');
    return reply;
}

Reply saved_json(const Departure& departure, std::vector<std::int64_t> bookings, int status) {
    Reply reply = api::ok(to_json(departure, bookings));
    reply.status = status;
    if (status == 201)
        reply.headers.emplace_back(
            "Location", "/trips/" + std::to_string(departure.trip_id) + "/departures/" + std::to_string(departure.id));
    reply.headers.emplace_back("ETag", '"' + std::to_string(departure.row_version) + '"');
    return reply;
}

Reply create(Service& service, const Request& request) {
    const auto answer = [](const Departure& departure) { return saved_json(departure, {}, 201); };
    Service::Kept kept;
    if (request.keep_reply)
        kept = [&](store::Transaction& tx, const Departure& departure) { request.keep_reply(tx, answer(departure)); };
    return api::respond(service.create(request.path_id("trip_id"), change_of(request.body), actor_of(request), kept),
                        answer);
}

Reply remove(Service& service, const Request& request) {
    const auto gone = service.remove(request.path_id("trip_id"), request.path_id(), actor_of(request));
    if (!gone)
        return api::failed(gone.error());
    return api::ok(Value::object({{"id", request.path_id()}, {"deleted", true}}));
}

Reply update(Service& service, const Request& request) {
    const DepartureChange change = change_of(request.body);
    const std::int64_t trip_id = request.path_id("trip_id"), id = request.path_id();
    const bool ends = change.status && (*change.status == "cancelled" || *change.status == "trash");
    // The gate lets in who may manage departures; ending one takes more, and which it is the body says.
    if (ends && !request.caller.can("svc_cancel_departures"))
        return api::failed(Error{errc::forbidden, "Ending a departure needs the right to cancel departures."});
    if (change.status && *change.status == "trash") {
        if (const auto gone = service.remove(trip_id, id, actor_of(request)); !gone)
            return api::failed(gone.error());
        return read(service, request);
    }
    const auto answer = [&](const Departure& departure) {
        return saved_json(departure, service.bookings_of(departure.id), 200);
    };
    return api::respond(service.update(trip_id, id, change, actor_of(request)), answer);
}

std::shared_ptr<const std::string> dates_body(const std::vector<Bookable>& dates) {
    std::string body = R"({"success":true,"data":)";
    to_json(dates).dump_to(body);
    body += '}';
    return std::make_shared<const std::string>(std::move(body));
}

// From memory. The answer to the plain question is remembered until a departure, the trip, a setting, the day or a
// cut-off makes it another.
Reply available_dates(const Service& service, const Request& request) {
    const std::int64_t trip_id = request.path_id();
    const DatesQuery query{.from = date_in(request.query, "from_date"),
                           .to = date_in(request.query, "to_date"),
                           .time = ClockTime::parse(request.query.text_or("time")),
                           .travelers = static_cast<int>(request.query.maybe_integer("travelers").value_or(1))};
    const auto trip = service.trips().published(trip_id);
    if (!trip)
        return api::failed(errc::trip_not_found);
    const Moment moment = service.moment();
    const auto span = service.span_of(*trip, query, moment);
    if (!span)
        return api::failed(span.error());
    const Dates dates = service.calendar().of(trip_id);
    std::shared_ptr<const std::string> body;
    if (query.is_plain()) {
        const RememberedAnswer known = dates->remembered();
        if (known.trip == trip && known.first == span->first && known.last == span->last &&
            known.sold_out_too == span->sold_out_too && known.from <= moment.now && moment.now < known.until)
            body = known.body;
    }
    if (!body) {
        const auto found = bookable_dates(*trip, dates->known(), *span, moment);
        body = dates_body(found);
        if (query.is_plain()) {
            Instant until = moment.now.plus(std::chrono::hours(24));
            for (const Bookable& each : found)
                until = std::min(until, each.cutoff_at);
            dates->remember({trip, span->first, span->last, span->sold_out_too, moment.now, until, body});
        }
    }
    Reply reply = api::prebuilt(std::move(body));
    reply.headers.emplace_back("Cache-Control", "no-store");
    return reply;
}

void add_staff_routes(api::RouteTable& routes, Service& service) {
    const std::string path = "/trips/{trip_id}/departures", one = path + "/{id}";
    routes.add({.method = Method::post,
                .path = path,
                .who = Permission::can("svc_manage_departures"),
                .summary = "Add a departure to a trip.",
                .body = departure_fields(),
                .answer = departure_answer(),
                .success = 201,
                .errors = {&errc::trip_not_found, &errc::conflict},
                .keeps_own_reply = true,
                .handle = [&service](const Request& request) { return create(service, request); }});
    routes.add({.method = Method::get,
                .path = one,
                .who = Permission::can("svc_view_departures"),
                .summary = "A departure with its bookings.",
                .answer = departure_answer(),
                .errors = {&errc::not_found},
                .handle = [&service](const Request& request) { return read(service, request); }});
    routes.add({.method = Method::put,
                .path = one,
                .who = Permission::can("svc_manage_departures"),
                .summary = "Change a departure; never its capacity below the seats booked.",
                .body = departure_fields().partial().plus(versioned),
                .answer = departure_answer(),
                .errors = {&errc::not_found, &errc::conflict, &errc::in_use},
                .handle = [&service](const Request& request) { return update(service, request); }});
    routes.add({.method = Method::del,
                .path = one,
                .who = Permission::can("svc_cancel_departures"),
                .summary = "Put a departure that holds no bookings into the trash.",
                .answer = api::object({{"id", api::id(), "", true}, {"deleted", api::boolean(), "", true}}),
                .errors = {&errc::not_found, &errc::in_use},
                .handle = [&service](const Request& request) { return remove(service, request); }});
}

api::RouteSpec departure_list(std::string path, std::string summary) {
    return {.method = Method::get,
            .path = std::move(path),
            .who = Permission::can("svc_view_departures"),
            .summary = std::move(summary),
            .query = filters,
            .is_list = true,
            .sortable = {"start_date", "id", "status", "booked_count"},
            .ascending = true,
            .statuses = {"upcoming", "full", "past", "cancelled", "trash"},
            .pages_on_request = true,
            .answer = api::list(departure_answer(), 100'000)};
}

}  // namespace

void add_routes(api::RouteTable& routes, Service& service) {
    auto all = departure_list("/departures", "Departures of all trips; every one unless per_page is sent.");
    all.handle = [&service](const Request& request) { return list(service, request, std::nullopt); };
    routes.add(std::move(all));
    auto of_trip = departure_list("/trips/{trip_id}/departures", "A trip's departures.");
    of_trip.errors = {&errc::trip_not_found};
    of_trip.handle = [&service](const Request& request) { return trip_list(service, request); };
    routes.add(std::move(of_trip));
    add_staff_routes(routes, service);
    routes.add({.method = Method::get,
                .path = "/trips/{id}/available-dates",
                .who = Permission::everyone(),
                .summary = "The dates of a published trip that can be bought, in order.",
                .query = {{.name = "from_date", .type = api::date(), .says = "From this day; today at the earliest."},
                          {.name = "to_date", .type = api::date(), .says = "To this day; the horizon when left out."},
                          {.name = "time", .type = api::time(), .says = "Only this time of departure."},
                          {.name = "travelers", .type = api::integer(1, 100'000), .says = "Only dates with room."}},
                .answer = api::list(date_answer(), 10'000),
                .errors = {&errc::trip_not_found},
                .waits = false,
                .handle = [&service](const Request& request) { return available_dates(service, request); }});
}

}  // namespace svc::availability
