// RouteSpecs that providers call: where they report events and where they send browsers back to.
#include "base/sales/payment/record/wire.hpp"
#include "base/sales/payment/routes.hpp"
#include "shared/api/named.hpp"

namespace svc::payment {

using api::Method;
using api::Permission;
using api::Reply;
using api::Request;

namespace {

using api::Lane;
using json::Value;

constexpr std::size_t webhook_limit = 256 * 1024;

void add_webhook(api::RouteTable& routes, const Paying& paying) {
    routes.add(
        {.method = Method::post,
         .path = "/payment/webhook/{gateway}",
         .who = Permission::everyone(),
         .summary = "Receive a provider's event; the gateway verifies it, and each event takes effect once.",
         .answer = api::object({{.name = "received", .type = api::boolean(), .required = true},
                                {.name = "duplicate",
                                 .type = api::boolean(),
                                 .help = "The event was already processed.",
                                 .required = true}}),
         .errors = {&errc::invalid_gateway, &errc::webhook_rejected, &errc::gateway_unavailable, &errc::rate_limited},
         .lane = Lane::webhook,
         .body_limit = webhook_limit,
         .raw_body_only = true,
         .raw_media = "application/json",
         .keeps_replay = false,
         .handle = [paying](const Request& request) -> Reply {
             const std::string gateway = request.path["gateway"].text();
             WebhookCall call{.headers = {}, .body = std::string(request.raw_body)};
             if (const Gateway* known = paying.gateways.find(gateway))
                 for (const std::string& name : known->info().webhook_headers)
                     if (const std::string_view value = request.header(name); !value.empty())
                         call.headers.emplace_back(name, value);
             return api::respond(
                 paying.checkout.events.receive(gateway, call), [](const ProviderEvents::Received& received) {
                     return api::ok(Value::object({{"received", true}, {"duplicate", received.duplicate}}));
                 });
         }});
}

void add_gateway_test(api::RouteTable& routes, const Paying& paying) {
    routes.add({.method = Method::post,
                .path = "/payment/gateways/{gateway}/test",
                .who = Permission::can("svc_manage_payment_gateways"),
                .summary = "Test the stored credentials with the provider.",
                .answer = api::object({{.name = "ok", .type = api::boolean(), .required = true},
                                       {.name = "message", .type = api::raw_text(1000), .required = true}}),
                .errors = {&errc::invalid_gateway, &errc::offline_gateway_manual},
                .lane = api::Lane::provider,
                .keeps_replay = false,
                .handle = [paying](const Request& request) -> Reply {
                    const auto value = paying.checkout.calls.probe(request.path["gateway"].text());
                    if (!value && (&value.error().code() == &errc::invalid_gateway ||
                                   &value.error().code() == &errc::offline_gateway_manual))
                        return api::failed(value.error());
                    return api::ok(Value::object({{"ok", static_cast<bool>(value)},
                                                  {"message", value ? *value : request.say(value.error().message())}}));
                }});
}

}  // namespace

void add_provider_routes(api::RouteTable& routes, const Paying& paying) {
    add_gateway_test(routes, paying);
    add_webhook(routes, paying);
    routes.add({.method = Method::get,
                .path = "/payment/callback/{gateway}",
                .who = Permission::everyone(),
                .summary =
                    "Receive the browser from a provider's page; asks the provider for the outcome and redirects (302) "
                    "to the site's page.",
                .query = {{.name = "intent", .type = api::raw_text(100), .help = "This server's id of the charge."},
                          {.name = "transaction_id",
                           .type = api::raw_text(191),
                           .help = "The provider's id of the charge or capture."},
                          {.name = "payment_intent",
                           .type = api::raw_text(191),
                           .help = "The charge's id as Stripe sends it."},
                          {.name = "token", .type = api::raw_text(191), .help = "The charge's id as PayPal sends it."},
                          {.name = "razorpay_order_id",
                           .type = api::raw_text(191),
                           .help = "The charge's id as Razorpay sends it."},
                          {.name = "razorpay_payment_id",
                           .type = api::raw_text(191),
                           .help = "A payment of the booking's charge; with booking_id."},
                          {.name = "razorpay_signature",
                           .type = api::raw_text(200),
                           .help = "Razorpay's signature of the payment."},
                          {.name = "booking_id", .type = api::id(), .help = "Must be the charge's booking."},
                          {.name = "cancelled", .type = api::boolean(), .help = "The customer cancelled."},
                          {.name = "status", .type = api::raw_text(50), .help = "Ignored; the provider decides."}},
                .enveloped = false,
                .success = 302,
                .errors = {&errc::invalid_gateway},
                .lane = api::Lane::provider,
                .limit = {.burst = 30, .seconds = 60},
                .handle = [paying](const Request& request) -> Reply {
                    const json::Value& query = request.query;
                    Confirmations::Return back{.key = query.text_or("intent"),
                                               .payment = query.text_or("razorpay_payment_id"),
                                               .booking_id = query.maybe_integer("booking_id"),
                                               .cancelled = query.maybe_boolean("cancelled").value_or(false)};
                    for (const char* name : {"transaction_id", "payment_intent", "token", "razorpay_order_id"})
                        back.charges.push_back(query.text_or(name));
                    if (const std::string signature = query.text_or("razorpay_signature"); !signature.empty())
                        back.proof.set("razorpay_signature", signature);
                    SVC_ASSIGN_OR_RETURN(const auto page,
                                         paying.checkout.confirmations.returned(request.path["gateway"].text(), back));
                    Reply reply;
                    reply.status = 302;
                    reply.raw = std::make_shared<const std::string>();
                    reply.headers.emplace_back("Location", page);
                    reply.headers.emplace_back("Cache-Control", "no-store");
                    return reply;
                }});
}

api::Type outcome_answer() {
    using namespace api;
    using api::text;
    return object(
        "ChargeOutcome",
        {{.name = "status", .type = choice({"completed", "processing", "pending", "cancelled"}), .required = true},
         {.name = "amount", .type = money(), .help = "The amount paid.", .required = true},
         {.name = "currency", .type = text(3), .required = true},
         {.name = "transaction_id", .type = text(191).or_null(), .required = true},
         {.name = "payment_id",
          .type = id().or_null(),
          .help = "Id of the payment record; null while nothing is paid."},
         {.name = "invoice_token", .type = text(200).or_null(), .help = "Grants access to the payment's invoice."},
         {.name = "idempotent", .type = boolean(), .help = "The payment was already confirmed.", .required = true},
         {.name = "payment_status", .type = text(20), .help = "The booking's payment status."},
         {.name = "booking_status", .type = text(30)},
         {.name = "amount_due", .type = money()}});
}

Reply outcome_reply(const Paying& paying, const Result<Outcome>& outcome) {
    if (!outcome)
        return api::failed(outcome.error());
    if (outcome->progress == Progress::failed)
        return api::failed(outcome->payment && !outcome->payment->notes.empty()
                               ? Error{errc::payment_failed, Sentence::verbatim(outcome->payment->notes)}
                               : Error{errc::payment_failed});
    const auto booking = paying.bookings.find(outcome->booking_id).value();
    const Money amount = outcome->payment ? outcome->payment->amount : Money::zero(booking.total.currency());
    const std::string_view status = outcome->progress == Progress::paid         ? "completed"
                                    : outcome->progress == Progress::processing ? "processing"
                                    : outcome->progress == Progress::cancelled  ? "cancelled"
                                                                                : "pending";
    return api::ok(Value::object(
        {{"status", status},
         {"amount", amount},
         {"currency", amount.currency().code()},
         {"transaction_id", outcome->payment ? Value(outcome->payment->transaction_id) : Value()},
         {"payment_id", outcome->payment ? Value(outcome->payment->id) : Value()},
         {"invoice_token", outcome->payment ? Value(paying.checkout.invoice_token(*outcome->payment)) : Value()},
         {"idempotent", outcome->repeated},
         {"payment_status", booking.payment_status},
         {"booking_status", booking.status},
         {"amount_due", booking.amount_due()}}));
}

}  // namespace svc::payment
