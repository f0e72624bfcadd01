// Staff's trips and the public catalogue.
#include "base/catalog/trips/editor/routes.hpp"

#include "base/catalog/trips/editor/staff_answer.hpp"
#include "base/catalog/trips/editor/stages.hpp"
#include "base/catalog/trips/record/search_text.hpp"
#include "base/platform/html/refused.hpp"
#include "shared/api/author.hpp"
#include "shared/api/keeping.hpp"
#include "shared/api/list_meta.hpp"
#include "shared/api/named.hpp"
#include "shared/api/period.hpp"
#include "shared/api/sometimes_sent.hpp"

namespace svc::catalog::trips {
namespace {

using api::Method;
using api::Permission;
using api::Reply;
using api::Request;

const api::Schema versioned{{.name = "row_version",
                             .type = api::integer(1).or_null(),
                             .help = "The version that was read; svc_conflict if the record changed since."}};

// Whether the clock changes the status of such a trip by other fields than it does now.
bool plans_status(const TripChange& change, const Trip& trip) {
    const auto differs = [](const auto& sent, const auto& stored) { return sent && *sent != stored; };
    if (differs(change.scheduled_publish_at, trip.scheduled_publish_at) ||
        differs(change.scheduled_unpublish_at, trip.scheduled_unpublish_at))
        return true;
    // A season affects trips that are or were published; a draft's season takes effect when it is published.
    return (trip.is_public() || trip.archived_by_season) &&
           ((change.seasonal_auto_enable &&
             change.seasonal_auto_enable->value_or(false) != trip.seasonal_auto_enable) ||
            differs(change.seasonal_enable_date, trip.seasonal_enable_date) ||
            differs(change.seasonal_disable_date, trip.seasonal_disable_date));
}

Error may_not_plan() {
    return {errc::forbidden, "Scheduling a status requires the permission svc_publish_trips."_sentence};
}

// The gate admits either permission; the fields sent decide which one is needed. A form that sends the current status
// and schedule changes neither.
Result<void> may_write(const Service& trips, const Request& request) {
    bool fields = false;
    for (const auto& [name, value] : request.body.members())
        fields = fields || (name != "status" && name != "row_version");
    if (fields && !request.caller.can("svc_edit_trips"))
        return Error{errc::forbidden, "Your permissions only allow changing the status."_sentence};
    if (request.caller.can("svc_publish_trips"))
        return {};
    SVC_ASSIGN_OR_RETURN(const auto trip, trips.find(request.path_id()));
    if (request.body.find("status") && request.body.text_or("status") != name_of(trip.status))
        return Error{errc::forbidden, "Changing the status requires the permission svc_publish_trips."_sentence};
    if (plans_status(change_of(request.body, {}), trip))
        return may_not_plan();
    return {};
}

json::Value itinerary_meta(const Service::ItineraryTerms& things) {
    auto types = json::Value::array(), items = json::Value::array();
    for (const auto& type : things.item_types) {
        auto icon = json::parse(type.icon);
        types.push(json::Value::object({{"id", type.id},
                                        {"name", type.name},
                                        {"icon", icon ? std::move(*icon) : json::Value()},
                                        {"color", type.color}}));
    }
    for (const auto& item : things.items)
        items.push(json::Value::object({{"id", item.id}, {"name", item.name}, {"type_id", item.type_id}}));
    return json::Value::object({{"available_item_types", std::move(types)}, {"available_items", std::move(items)}});
}

// The answer of itinerary_meta.
api::Schema itinerary_members() {
    using namespace api;
    using api::text;
    const auto member = [](const char* name, Schema members) {
        return Field{
            .name = name, .type = list(object(std::move(members)), 1000), .help = "Only with include_itinerary_meta."};
    };
    return {member("available_item_types", {{.name = "id", .type = id()},
                                            {.name = "name", .type = api::text(255)},
                                            {.name = "icon", .type = map(anything()).or_null()},
                                            {.name = "color", .type = api::text(20)}}),
            member("available_items", {{.name = "id", .type = id()},
                                       {.name = "name", .type = api::text(255)},
                                       {.name = "type_id", .type = id().or_null()}})};
}

std::vector<std::string> trip_orders() {
    return {"id", "title", "price", "duration", "status", "bookings_count", "avg_rating", "created_at", "updated_at"};
}

Reply list(const Service& trips, const Request& request) {
    SVC_ASSIGN_OR_RETURN(auto page, api::page_of(*request.route, request.query));
    SVC_ASSIGN_OR_RETURN(const auto period, api::period_of(request.query, trips.zone()));
    const auto listed = trips.list({.status = request.query.text_or("status"),
                                    .made = period,
                                    .search = request.query.text_or("search"),
                                    .order_by = page.order_by,
                                    .ascending = page.ascending,
                                    .limit = page.per_page,
                                    .offset = page.offset()});
    auto items = json::array_of(listed.trips, [&](const Whole& whole) { return staff_row(trips, whole, request); });
    Reply reply = api::list_reply(std::move(items), page, listed.total);
    if (request.query.maybe_boolean("include_itinerary_meta").value_or(false))
        reply.more_meta = itinerary_meta(trips.itinerary_terms());
    return reply;
}

Reply search(const Service& trips, const Request& request) {
    SVC_ASSIGN_OR_RETURN(auto page, api::page_of(*request.route, request.query));
    std::string typed = request.query.text_or("search");
    if (typed.empty())
        typed = request.query.text_or("keyword");
    if (search_query(typed).empty())
        return api::failed(invalid("search", "Enter a word of a title or slug."_sentence));
    if (!request.query.find("orderby"))
        page.order_by = api::relevance;
    SVC_ASSIGN_OR_RETURN(const auto period, api::period_of(request.query, trips.zone()));
    const auto found = trips.list({.status = request.query.text_or("status"),
                                   .made = period,
                                   .search = typed,
                                   .names_only = true,
                                   .order_by = page.order_by,
                                   .ascending = page.ascending,
                                   .limit = page.per_page,
                                   .offset = page.offset()});
    auto items = json::array_of(found.trips, [&](const Whole& whole) { return staff_row(trips, whole, request); });
    return api::list_reply(std::move(items), page, found.total);
}

TripChange change_of_body(const Service& trips, const Request& request, bool fresh) {
    return change_of(staged_body(trips, request, fresh), trips.showing().parts);
}

Result<void> may_create(const Request& request, const TripChange& change) {
    if (request.caller.can("svc_publish_trips"))
        return {};
    if (request.body.text_or("status") == "publish")
        return Error{errc::forbidden, "Publishing requires the permission svc_publish_trips."_sentence};
    if (plans_status(change, {}))
        return may_not_plan();
    return {};
}

Reply create(Service& trips, const Request& request) {
    SVC_RETURN_IF_ERROR(may_create(request, change_of(request.body, {})));
    const TripChange change = change_of_body(trips, request, true);
    return answer_write(
        trips, request, [&] { return trips.editor().create(change, api::author(request.caller)); }, made);
}

Reply update(Service& trips, const Request& request) {
    SVC_RETURN_IF_ERROR(may_write(trips, request));
    TripChange change = change_of_body(trips, request, false);
    if (!request.caller.can("svc_publish_trips")) {
        // Keeps the current values, even if others change them meanwhile.
        change.status.reset();
        change.scheduled_publish_at.reset();
        change.scheduled_unpublish_at.reset();
    }
    SVC_ASSIGN_OR_RETURN(const auto seen, version_seen(trips, request));
    change.row_version = seen;
    return answer_write(trips, request,
                        [&] { return trips.editor().update(request.path_id(), change, api::author(request.caller)); });
}

Reply remove_for_good(Service& trips, const Request& request, const TripRemover& remover) {
    SVC_ASSIGN_OR_RETURN(const auto seen, version_seen(trips, request));
    const std::int64_t id = request.path_id();
    return api::respond_once(
        request, [&] { return trips.lifecycle().remove(id, remover, seen); }, api::deleted(id));
}

// Moves to the trash; deletes permanently from there, with the permission.
Reply remove(Service& trips, const Request& request, const TripRemover& remover) {
    SVC_ASSIGN_OR_RETURN(const auto trip, trips.find(request.path_id()));
    if (trip.status != TripStatus::trash) {
        SVC_ASSIGN_OR_RETURN(const auto seen, version_seen(trips, request));
        const auto answer = [](const Trip& trashed) {
            return api::ok(json::Value::object({{"id", trashed.id}, {"status", name_of(trashed.status)}}));
        };
        return api::respond_once(
            request, [&] { return trips.lifecycle().trash(trip.id, api::author(request.caller), seen); }, answer);
    }
    if (!request.caller.can("svc_delete_trips"))
        return api::failed(
            Error{errc::forbidden, "Deleting a trip permanently requires the permission svc_delete_trips."_sentence});
    return remove_for_good(trips, request, remover);
}

Reply stats(const Service& trips) {
    const auto counts = trips.counts();
    auto data = json::Value::object({{"all", counts.all}});
    for (const auto& [status, count] : counts.by_status)
        data.set(std::string(name_of(status)), count);
    return api::ok(std::move(data));
}

// Fields whose rules depend on other fields.
const std::vector<std::pair<std::string_view, std::string_view>> compared{
    {"discounted_price", "regular_price"},
    {"sale_price", "regular_price"},
    {"regular_price", "pricing_type"},
    {"price_types", "pricing_type"},
    {"seasons", "price_types"},
    {"duration_nights", "duration"},
    {"duration_nights", "trip_type"},
    {"duration_hours", "duration"},
    {"duration_hours", "trip_type"},
    {"max_travelers", "min_travelers"},
    {"age_max", "age_min"},
    {"available_to", "available_from"},
    {"scheduled_unpublish_at", "scheduled_publish_at"},
    {"starting_longitude", "starting_latitude"},
    {"starting_latitude", "starting_longitude"},
    {"ending_longitude", "ending_latitude"},
    {"ending_latitude", "ending_longitude"},
};

void add_write_routes(api::RouteTable& routes, Service& trips, const TripRemover& remover) {
    routes.add(
        {.method = Method::post,
         .path = "/trips",
         .who = Permission::any_of({"svc_create_trips", "svc_edit_trips"}),
         .summary = "Create a trip; a draft unless a status is sent.",
         .body = trip_fields(trips.showing().parts),
         .answer = api::object("WrittenTrip", trip_answer(trips.showing().parts).members->plus(html::warnings_field())),
         .success = 201,
         .stores_reply = true,
         .handle =
             [&trips](const Request& request) {
                 return html::naming_refused(request, [&](const Request& one) { return create(trips, one); });
             },
         .rules =
             [&trips](const Request& request) {
                 return may_create(request, change_of(request.body, {}))
                            ? trips.editor().faults({}, change_of_body(trips, request, true))
                            : std::vector<FieldError>{};
             },
         .beside = compared});
    routes.add(
        {.method = Method::put,
         .path = "/trips/{id}",
         .who = Permission::any_of({"svc_edit_trips", "svc_publish_trips"}),
         .summary = "Update a trip: its status requires svc_publish_trips, other fields svc_edit_trips.",
         .body = trip_fields(trips.showing().parts).partial().plus(versioned),
         .answer = api::object("WrittenTrip", trip_answer(trips.showing().parts).members->plus(html::warnings_field())),
         .errors = {&errc::trip_not_found, &errc::conflict},
         .stores_reply = true,
         .handle =
             [&trips](const Request& request) {
                 return html::naming_refused(request, [&](const Request& one) { return update(trips, one); });
             },
         .rules =
             [&trips](const Request& request) {
                 return may_write(trips, request)
                            ? trips.editor().faults(request.path_id(), change_of_body(trips, request, false))
                            : std::vector<FieldError>{};
             },
         .beside = compared});
    routes.add(
        {.method = Method::del,
         .path = "/trips/{id}",
         .who = Permission::can("svc_edit_trips"),
         .summary = "Move a trip to the trash; a trip in the trash is deleted permanently, with svc_delete_trips.",
         .answer = api::object(
             {{.name = "id", .type = api::id(), .required = true},
              api::sometimes_sent({.name = "status", .type = api::choice({"trash"})}),
              api::sometimes_sent(
                  {.name = "deleted", .type = api::boolean(), .help = "True once it is deleted permanently."})}),
         .errors = {&errc::trip_not_found, &errc::conflict, &errc::in_use},
         .stores_reply = true,
         .handle = [&trips, remover](const Request& request) { return remove(trips, request, remover); }});
    routes.add(
        {.method = Method::del,
         .path = "/trips/{id}/permanent-delete",
         .who = Permission::can("svc_delete_trips"),
         .summary = "Delete a trip in the trash permanently, unless bookings refer to it.",
         .answer = api::deleted(),
         .errors = {&errc::trip_not_found, &errc::conflict, &errc::in_use},
         .stores_reply = true,
         .handle = [&trips, remover](const Request& request) { return remove_for_good(trips, request, remover); }});
}

}  // namespace

void add_routes(api::RouteTable& routes, Service& trips, const TripRemover& remover) {
    std::vector<std::string> statuses(writable_statuses.begin(), writable_statuses.end());
    statuses.emplace_back("trash");
    routes.add({.method = Method::get,
                .path = "/trips",
                .who = may_read_trips(),
                .summary = "List trips; those in the trash with status=trash.",
                .query = api::Schema{{.name = "include_itinerary_meta",
                                      .type = api::boolean(),
                                      .help = "Include item types and items in meta."}}
                             .plus(api::period_fields())
                             .plus(api::updated_since_field()),
                .is_list = true,
                .sortable = trip_orders(),
                .ranked = true,
                .statuses = statuses,
                .answer = api::with_meta(api::list(trip_row(trips.showing().parts)), itinerary_members()),
                .handle = [&trips](const Request& request) { return list(trips, request); }});
    routes.add({.method = Method::get,
                .path = "/trips/search",
                .who = Permission::can("svc_view_trips"),
                .summary = "Search trips by words of title and slug, best match first.",
                .query =
                    api::Schema{
                        {.name = "keyword", .type = api::text(200), .help = "Same as search; one of both is required."}}
                        .plus(api::period_fields())
                        .plus(api::updated_since_field()),
                .is_list = true,
                .sortable = trip_orders(),
                .ranked = true,
                .statuses = statuses,
                .answer = api::list(trip_row(trips.showing().parts)),
                .handle = [&trips](const Request& request) { return search(trips, request); }});
    std::vector<api::Field> counted{{.name = "all", .type = api::integer(0), .required = true}};
    for (const std::string& status : statuses)
        counted.push_back({.name = status, .type = api::integer(0)});
    routes.add({.method = Method::get,
                .path = "/trips/stats",
                .who = may_read_trips(),
                .summary = "Count trips by status; `all` excludes the trash.",
                .answer = api::object(api::Schema(std::move(counted))),
                .handle = [&trips](const Request&) { return stats(trips); }});
    routes.add({.method = Method::get,
                .path = "/trips/{id}",
                .who = may_read_trips(),
                .summary = "Return a trip of any status.",
                .answer = trip_answer(trips.showing().parts),
                .errors = {&errc::trip_not_found},
                .handle = [&trips](const Request& request) {
                    return api::respond(trips.read(request.path_id()), [&](const Whole& whole) {
                        return api::unless_known(request, staff_answer(trips, whole, request));
                    });
                }});
    add_write_routes(routes, trips, remover);
    add_copy_routes(routes, trips, remover);
    add_public_routes(routes, trips);
}

}  // namespace svc::catalog::trips
