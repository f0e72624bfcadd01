// Routes of e-mails (spec 4.7).
#pragma once

#include "base/messaging/mails/service.hpp"
#include "base/platform/outbound/mail.hpp"
#include "shared/api/route.hpp"

namespace svc::messaging {

using FindServer = std::function<std::optional<outbound::SmtpSettings>()>;  // nothing: no server is set

// The log of a booking with its payments and e-mails.
void add_history_route(api::RouteTable& routes, store::Store& store, const Bookings& bookings);
void add_routes(api::RouteTable& routes, Service& messaging, const FindServer& find_server);

}  // namespace svc::messaging
