// Routes of e-mails (spec 4.7).
#pragma once

#include "base/messaging/service.hpp"
#include "base/platform/outbound/mail.hpp"
#include "shared/api/route.hpp"

namespace svc::messaging {

// What an e-mail is written from; both as on the wire.
struct Sources {
    std::function<std::optional<json::Value>(std::int64_t booking_id)> booking;
    std::function<std::optional<json::Value>(std::int64_t booking_id)> last_payment;   // completed
    std::function<std::optional<json::Value>(std::int64_t booking_id)> event_booking;  // as its events have it
    std::function<json::Value(std::int64_t trip_id)> trip;                             // null: there is none
    std::function<std::optional<outbound::SmtpSettings>()> server;                     // nothing: none is set
    const hooks::Hooks* hooks = nullptr;
};

// What happened to a booking, e-mails about it included.
void add_history_route(api::RouteTable& routes, store::Store& store, const Sources& sources);
void add_routes(api::RouteTable& routes, Service& messaging, const Sources& sources);

}  // namespace svc::messaging
