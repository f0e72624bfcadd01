// RouteSpecs of refunds.
#include "base/sales/payment/routes.hpp"
#include "shared/api/guided_amounts.hpp"
#include "shared/api/keeping.hpp"
#include "shared/api/named.hpp"

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
    routes.add(api::without_amounts_for_guides(
        {.method = Method::get,
         .path = "/payments/{id}/refunds",
         .who = Permission::can("svc_view_bookings"),
         .summary = "List a payment's refunds, oldest first.",
         .answer = api::list(refund_answer()),
         .errors = {&errc::payment_not_found},
         .handle = [&service](const Request& request) -> Reply {
             return api::respond(
                 service.of_payment(request.path_id(), request.caller), [](const std::vector<Refunded>& refunds) {
                     Value items = json::array_of(refunds, [&](const Refunded& one) { return to_json(one); });
                     return api::ok(std::move(items));
                 });
         }}));
    routes.add(
        {.method = Method::post,
         .path = "/payments/{id}/refunds",
         .who = Permission::can("svc_refund_bookings"),
         .summary = "Refund a payment through its gateway, or record a manual refund.",
         .body = {{.name = "amount", .type = api::money(), .help = "Defaults to the unrefunded rest of the payment."},
                  {.name = "reason", .type = api::raw_text(1000), .help = "Reason, stored and passed to the provider."},
                  {.name = "by_hand",
                   .type = api::boolean(),
                   .help = "The refund was made manually, outside this server."},
                  {.name = "reduces_total",
                   .type = api::boolean(),
                   .help = "Whether the refund reduces the booking's total, so that the amount is not due again. The"
                           " total is kept if the booking has ended or ends with this refund.",
                   .otherwise = Value(true)},
                  {.name = "close",
                   .type = api::boolean(),
                   .help = "Set the booking to refunded once nothing remains paid."}},
         .answer = refund_answer(),
         .success = 201,
         .errors = {&errc::payment_not_found, &errc::invalid_transition, &errc::conflict},
         .lane = api::Lane::provider,
         .repeats_safely = true,
         .handle = [&service](const Request& request) -> Reply {
             Refunds::Request refund_request{
                 .payment_id = request.path_id(),
                 .reason = request.body.text_or("reason"),
                 .by_hand = request.body.maybe_boolean("by_hand").value_or(false),
                 .reduces_total = request.body.maybe_boolean("reduces_total").value_or(true),
                 .close = request.body.maybe_boolean("close").value_or(false),
                 .user_id = request.caller.user_id};
             if (request.body["amount"].is_number())
                 refund_request.amount = request.body["amount"].number_text();
             return api::respond_once(
                 request, [&] { return service.refund(refund_request); },
                 [](const Refunded& refund) { return api::created(to_json(refund)); });
         }});
}

}  // namespace svc::payment
