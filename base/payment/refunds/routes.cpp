// RouteSpecs of refunds.
#include "base/payment/routes.hpp"

namespace svc::payment {
namespace {

using api::Method;
using api::Permission;
using api::Reply;
using api::Request;
using json::Value;

api::Type refund_answer() { return api::object(refund_record().answer_schema()); }

}  // namespace

void add_refund_routes(api::RouteTable& routes, Refunds& service) {
    routes.add({.method = Method::get,
                .path = "/payments/{id}/refunds",
                .who = Permission::can("svc_view_bookings"),
                .summary = "The refunds of a payment, oldest first.",
                .answer = api::list(refund_answer()),
                .errors = {&errc::payment_not_found},
                .handle = [&service](const Request& request) -> Reply {
                    return api::respond(service.of_payment(request.path_id(), request.caller),
                                        [](const std::vector<Refunded>& refunds) {
                                            Value items = Value::array();
                                            for (const Refunded& one : refunds)
                                                items.push(to_json(one));
                                            return api::ok(std::move(items));
                                        });
                }});
    routes.add({.method = Method::post,
                .path = "/payments/{id}/refunds",
                .who = Permission::can("svc_refund_bookings"),
                .summary = "Send money back: by the gateway that took it, or as a note of what our staff did by hand.",
                .body = {{"amount", api::money(), "All that is left of the payment when absent."},
                         {"reason", api::raw_text(1000), "For the record and the provider."},
                         {"by_hand", api::boolean(), "The money went back outside of this server."},
                         {"reduces_total",
                          api::boolean(),
                          "Whether the booking's total goes down with it, so that the booking does not owe it again. A"
                          " total stays where the booking has ended, or ends with this refund.",
                          false,
                          {},
                          Value(true)},
                         {"close", api::boolean(), "Once nothing is paid any more the booking ends as refunded."}},
                .answer = refund_answer(),
                .success = 201,
                .errors = {&errc::payment_not_found, &errc::invalid_transition, &errc::conflict},
                .lane = api::Lane::provider,
                .repeats_safely = true,
                .handle = [&service](const Request& request) -> Reply {
                    Refunds::Wanted wanted{.payment_id = request.path_id(),
                                           .reason = request.body.text_or("reason"),
                                           .by_hand = request.body.maybe_boolean("by_hand").value_or(false),
                                           .reduces_total = request.body.maybe_boolean("reduces_total").value_or(true),
                                           .close = request.body.maybe_boolean("close").value_or(false),
                                           .user_id = request.caller.user_id};
                    if (request.body["amount"].is_number())
                        wanted.amount = request.body["amount"].number_text();
                    return api::respond(service.refund(wanted),
                                        [](const Refunded& refund) { return api::created(to_json(refund)); });
                }});
}

}  // namespace svc::payment
