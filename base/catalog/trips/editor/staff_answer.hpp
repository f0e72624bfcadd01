// Responses of staff's routes of trips.
#pragma once

#include "base/catalog/trips/editor/service.hpp"
#include "base/catalog/trips/record/hooks.hpp"
#include "shared/api/conditions.hpp"
#include "shared/api/guided.hpp"
#include "shared/api/keeping.hpp"
#include "shared/api/route.hpp"

namespace svc::catalog::trips {

inline api::Permission may_read_trips() { return api::Permission::any_of({"svc_view_trips", "svc_edit_trips"}); }

// As listeners want it answered to this request.
inline json::Value prepared(json::Value item, const Trip& trip, const api::Request& request,
                            const hooks::Hooks& hooks) {
    item = hooks.apply(trip_prepare_item, std::move(item),
                       {trip.id, json::Value::object({{"method", api::name_of(request.route->method)},
                                                      {"path", request.route->path}})});
    item.set("id", trip.id);
    item.set("slug", trip.slug);
    if (api::guided_by(request.caller))
        item.set("revenue_total", json::Value());
    return item;
}

// The version that the request's If-Match makes a condition, or row_version in its body.
inline Result<std::optional<std::int64_t>> version_seen(const Service& trips, const api::Request& request) {
    return api::required_version(request, [&] { return trips.version(request.path_id()); });
}

inline json::Value staff_row(const Service& trips, const Whole& whole, const api::Request& request) {
    const Display display = display_of(whole.trip, trips.hooks(), trips.showing().asks);
    const Display card = card_of(whole.trip, display, trips.hooks(), trips.showing().asks);
    return prepared(staff_json(whole, card, trips.showing()), whole.trip, request, trips.hooks());
}

inline api::Reply staff_answer(const Service& trips, const Whole& whole, const api::Request& request) {
    auto answer = staff_json(whole, display_of(whole.trip, trips.hooks(), trips.showing().asks), trips.showing());
    answer = as_loaded(std::move(answer), whole.trip, trips.hooks());
    api::Reply reply = api::ok(prepared(std::move(answer), whole.trip, request, trips.hooks()));
    reply.headers.emplace_back("ETag", api::version_tag(whole.trip.row_version, reply.data));
    return reply;
}

// Answers a write from its own transaction. `finish` may change the answer before it is sent.
template <class Write, class Finish>
api::Reply answer_write(const Service& trips, const api::Request& request, Write write, Finish finish) {
    return api::respond_once(request, write, [&](store::Transaction& tx, const Trip& trip) {
        api::Reply reply = staff_answer(trips, trips.whole(tx, trip), request);
        finish(reply, trip);
        return reply;
    });
}
template <class Write>
api::Reply answer_write(const Service& trips, const api::Request& request, Write write) {
    return answer_write(trips, request, write, [](api::Reply&, const Trip&) {});
}

inline void made(api::Reply& reply, const Trip& trip) {
    reply.status = 201;
    reply.headers.emplace_back("Location", "/trips/" + std::to_string(trip.id));
}

}  // namespace svc::catalog::trips
