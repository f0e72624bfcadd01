// Each route is about the caller's own rows.
#include "pro/saved_trips/routes.hpp"

#include <algorithm>

#include "shared/api/named.hpp"
#include "shared/api/period.hpp"
#include "shared/core/text.hpp"

namespace svc::pro::saved_trips {
namespace {

using api::Method;
using api::Request;
using json::Value;

api::RouteSpec route(Method method, std::string path, std::string summary) {
    api::RouteSpec spec{.method = method, .path = std::move(path), .who = api::Permission::signed_in(), .handle = {}};
    spec.module = std::string(module_slug);
    spec.summary = std::move(summary);
    spec.errors = {&errc::forbidden};
    return spec;
}

// Refuses everything while trips cannot be saved on this site.
void serve(plugin::Routes& routes, const SavedTrips& trips, api::RouteSpec spec,
           std::function<api::Reply(const Request&)> handle) {
    spec.handle = [&trips, handle = std::move(handle)](const Request& request) -> api::Reply {
        if (!trips.enabled())
            return api::failed(Error{errc::forbidden, "Trips cannot be saved on this site."_sentence});
        return handle(request);
    };
    routes.add(std::move(spec));
}

Value state_of(std::int64_t trip_id, bool is_saved) {
    return Value::object({{"trip_id", trip_id}, {"is_saved", is_saved}});
}

api::Type state_answer() {
    return api::object("SavedTripState",
                       {{.name = "trip_id", .type = api::id()}, {.name = "is_saved", .type = api::boolean()}});
}

api::RouteSpec list_route() {
    auto spec = route(Method::get, "/saved-trips", "List the published trips that you saved, the latest first.");
    spec.is_list = true;
    spec.query = api::period_fields().plus(api::updated_since_field());  // the period is of saved_at
    spec.sortable = {"saved_at", "title", "updated_at"};
    // Each as in GET /trips/public, and with saved_at.
    spec.answer = api::list(api::map(api::anything(), 500));
    return spec;
}

// Within the period, in the order that is asked for.
std::vector<Value> arranged(std::vector<Value> trips, const api::Period& period, const api::Page& page) {
    std::erase_if(trips, [&](const Value& trip) {
        const auto saved_at = Instant::parse(trip.text_or("saved_at")),
                   updated_at = Instant::parse(trip.text_or("updated_at"));
        return !saved_at || (period.from && *saved_at < *period.from) || (period.to && *saved_at >= *period.to) ||
               (period.updated_since && (!updated_at || *updated_at < *period.updated_since));
    });
    const std::string& key = page.order_by;
    if (key != "title" && key != "updated_at") {  // they come with the latest first, finer than their texts say
        if (page.ascending)
            std::reverse(trips.begin(), trips.end());
        return trips;
    }
    const auto compared = [&](const Value& trip) {
        return key == "title" ? text::folded(trip.text_or(key)) : trip.text_or(key);
    };
    std::stable_sort(trips.begin(), trips.end(), [&](const Value& a, const Value& b) {
        return page.ascending ? compared(a) < compared(b) : compared(b) < compared(a);
    });
    return trips;
}

api::Reply list_saved(const Site& site, const SavedTrips& trips, const Request& request) {
    SVC_ASSIGN_OR_RETURN(const auto page, api::page_of(*request.route, request.query));
    SVC_ASSIGN_OR_RETURN(const auto period, api::period_of(request.query, site.zone()));
    SVC_ASSIGN_OR_RETURN(auto all, trips.shown_to(request.caller.user_id));
    const std::vector<Value> chosen = arranged(std::move(all), period, page);
    Value rows = Value::array();
    const auto total = static_cast<std::int64_t>(chosen.size());
    for (std::int64_t i = page.offset(); i < std::min(total, page.offset() + page.per_page); ++i)
        rows.push(chosen[static_cast<std::size_t>(i)]);
    return api::list_reply(std::move(rows), page, total);
}

}  // namespace

void add_routes(const Site& site, const SavedTrips& trips) {
    plugin::Routes& routes = site.routes;
    serve(routes, trips, list_route(),
          [&site, &trips](const Request& request) { return list_saved(site, trips, request); });

    auto save = route(Method::post, "/saved-trips", "Save a published trip; saving it again changes nothing.");
    save.body = {{.name = "trip_id", .type = api::id(), .required = true, .also = {"tripId"}}};
    save.answer = state_answer();
    save.repeats_safely = true;
    save.errors.push_back(&errc::trip_not_found);
    serve(routes, trips, std::move(save), [&trips](const Request& request) -> api::Reply {
        const std::int64_t trip_id = request.body["trip_id"].integer();
        const auto saved = trips.save(request.caller.user_id, {trip_id});
        return saved ? api::ok(state_of(trip_id, true)) : api::failed(saved.error());
    });

    auto remove = route(Method::del, "/saved-trips/{trip_id}", "Remove a trip from those that you saved.");
    remove.answer = state_answer();
    remove.repeats_safely = true;
    serve(routes, trips, std::move(remove), [&trips](const Request& request) -> api::Reply {
        const std::int64_t trip_id = request.path_id("trip_id");
        const auto removed = trips.remove(request.caller.user_id, {trip_id});
        return removed ? api::ok(state_of(trip_id, false)) : api::failed(removed.error());
    });

    auto check = route(Method::get, "/saved-trips/check/{trip_id}", "Return whether you saved the trip.");
    check.answer = api::object({{.name = "is_saved", .type = api::boolean()}});
    serve(routes, trips, std::move(check), [&trips](const Request& request) -> api::Reply {
        return api::ok(Value::object({{"is_saved", trips.has(request.caller.user_id, request.path_id("trip_id"))}}));
    });
}

}  // namespace svc::pro::saved_trips
