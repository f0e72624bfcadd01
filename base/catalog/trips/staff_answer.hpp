// What the staff's routes of trips answer with.
#pragma once

#include "base/catalog/trips/service.hpp"
#include "shared/api/conditions.hpp"
#include "shared/api/route.hpp"

namespace svc::catalog::trips {

inline api::Permission may_read_trips() { return api::Permission::any_of({"svc_view_trips", "svc_edit_trips"}); }

inline api::Reply staff_answer(const Service& trips, const Whole& whole) {
    auto answer = staff_json(whole, display_of(whole.trip, trips.hooks()), trips.showing());
    api::Reply reply = api::ok(as_loaded(std::move(answer), whole.trip, trips.hooks()));
    reply.headers.emplace_back("ETag", api::version_tag(whole.trip.row_version, reply.data));
    return reply;
}

// Answers a write with what its own transaction saw, and keeps the answer there for a repetition. `finish` may change
// the answer before.
template <class Write, class Finish>
api::Reply answered(const Service& trips, const api::Request& request, Write write, Finish finish) {
    api::Reply reply;
    const auto kept = [&](store::Transaction& tx, const Trip& trip) {
        reply = staff_answer(trips, trips.whole(tx, trip));
        finish(reply, trip);
        if (request.keep_reply)
            request.keep_reply(tx, reply);
    };
    const Result<Trip> written = write(kept);
    return written ? reply : api::failed(written.error());
}
template <class Write>
api::Reply answered(const Service& trips, const api::Request& request, Write write) {
    return answered(trips, request, write, [](api::Reply&, const Trip&) {});
}

inline void made(api::Reply& reply, const Trip& trip) {
    reply.status = 201;
    reply.headers.emplace_back("Location", "/trips/" + std::to_string(trip.id));
}

}  // namespace svc::catalog::trips
