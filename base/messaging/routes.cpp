// RouteSpecs of e-mails.
#include "base/messaging/routes.hpp"

#include "shared/api/keeping.hpp"

namespace svc::messaging {

using api::Method;
using api::Permission;
using api::Reply;
using api::Request;

void add_routes(api::RouteTable& routes, Service& messaging, const Sources& sources) {
    routes.add({.method = Method::post,
                .path = "/bookings/{id}/email",
                .who = Permission::can("svc_edit_bookings"),
                .summary = "Resend an e-mail about a booking. confirmation sends booking_confirmed for confirmed and"
                           " completed bookings, otherwise booking_confirmation.",
                .body = {{"type", api::choice(resendable()), "", false, {}, json::Value("confirmation")}},
                .answer = api::object(
                    {{"sent", api::boolean(), "Whether the e-mail was queued.", true},
                     {"reason", api::text(200).or_null(), "Why it was not sent; null if it was queued.", true},
                     {"template", api::text(60), "", true},
                     {"recipient", api::text(2000), "", true}}),
                .errors = {&errc::booking_not_found},
                .repeats_safely = true,
                .handle = [&messaging, sources](const Request& request) -> Reply {
                    const auto booking = sources.booking(request.path_id());
                    if (!booking)
                        return api::failed(errc::booking_not_found);
                    const auto answer = [](const Resent& done) {
                        return api::ok(json::Value::object(
                            {{"sent", done.sent},
                             {"reason", done.reason.empty() ? json::Value() : json::Value(done.reason)},
                             {"template", done.template_key},
                             {"recipient", done.recipient}}));
                    };
                    const auto prepared = messaging.prepare_resend(request.body["type"].text(), *booking,
                                                                   sources.last_payment(request.path_id()));
                    if (!prepared)
                        return api::failed(prepared.error());
                    const api::Keeping keeping(request, answer(prepared->queued));
                    return answer(messaging.resend(*prepared));
                }});
}

}  // namespace svc::messaging
