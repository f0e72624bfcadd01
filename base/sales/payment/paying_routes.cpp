// RouteSpecs of paying: charges by gateways, what pages and providers send, refunds.
#include "base/people/identity/proven.hpp"
#include "base/sales/booking/record/proof.hpp"
#include "base/sales/booking/record/wire.hpp"
#include "base/sales/payment/record/wire.hpp"
#include "base/sales/payment/routes.hpp"
#include "shared/api/named.hpp"
#include "shared/core/exact_money.hpp"

namespace svc::payment {
namespace {

using api::Method;
using api::Permission;
using api::Reply;
using api::Request;
using json::Value;

enum class Asker : std::uint8_t { proven, stranger };

// Whether the caller proved the booking. Anybody may begin a charge for a guest's booking, since the amount is ours,
// and is told neither the amount nor anything else of it; for a user's booking only a caller with proof, and a wrong
// token is rejected. Checked by the handler, since the gate has no rule that depends on the booking's owner.
Result<Asker> asker_of(const Paying& paying, const Request& request, std::int64_t id) {
    const auto booking = paying.bookings.find(id);
    const bool gives_token =
        !request.header("X-Svc-Booking-Token").empty() || !request.body.text_or("booking_token").empty();
    // A booking that cannot be paid is reported before the token, which ended with the booking.
    if (booking && !booking->user_id && !is_payable(booking->status))
        return Asker::stranger;
    const auto owns = paying.owns(request, id);
    if (owns)
        return Asker::proven;
    const bool is_open_to_strangers = !gives_token && !(booking && booking->user_id);
    if (is_open_to_strangers && &owns.error().code() != &errc::rate_limited)
        return Asker::stranger;
    return owns.error();
}

// Without a booking: the amount of a session's quote, or of staff. No other amount is accepted.
Result<Offers::Holder> holder_of(const Request& request, const std::optional<booking::OpenSession>& open) {
    const Value& body = request.body;
    if (open) {
        if (!open->session.trip_id)
            return missing("trip_id");
        if (!open->session.travel_date)
            return missing("travel_date");
        if (!open->quote)
            return errc::date_unavailable;
        if (open->quote->amount_due.is_zero())
            return errc::already_paid;
        return Offers::Holder{.session_id = open->session.id,
                              .amount = open->quote->amount_due,
                              .description = "Booking for " + open->session.travel_date->text()};
    }
    if (!request.caller.can("svc_edit_bookings"))
        return request.caller.is_user() ? errc::forbidden : errc::unauthorized;
    if (!body["amount"].is_number())
        return missing("amount");
    if (!body.maybe_text("currency"))
        return missing("currency");
    const auto currency = currency_named(body.text_or("currency"));
    if (!currency)
        return invalid("currency", "Enter a currency code of ISO 4217, such as EUR."_sentence);
    const auto amount = parse_exact(body["amount"].number_text(), *currency);
    if (!amount)
        return invalid("amount", amount.error().message());
    if (amount->is_zero() || amount->is_negative())
        return invalid("amount", "The amount must be above zero."_sentence);
    return Offers::Holder{.user_id = request.caller.user_id, .amount = *amount};
}

// A session that has become a booking pays that one.
Result<Offers::Offer> begin(const Paying& paying, const Request& request, Offers::Request& offer_request) {
    if (offer_request.booking_id == 0) {
        SVC_ASSIGN_OR_RETURN(const auto open, paying.session(request));
        if (!open || !open->session.booking_id) {
            const auto holder = holder_of(request, open);
            return holder ? paying.checkout.offers.hold(offer_request, *holder) : Result<Offers::Offer>(holder.error());
        }
        offer_request.booking_id = *open->session.booking_id;  // its secret proves the booking
        offer_request.is_proven = true;
    } else {
        SVC_ASSIGN_OR_RETURN(const auto asker, asker_of(paying, request, offer_request.booking_id));
        offer_request.is_proven = asker == Asker::proven;
        offer_request.by_pay_link = offer_request.is_proven && booking::shows_pay_link(request);
    }
    // Limited per booking, whatever the address (S20): callers without proof have a separate limit.
    const char* bucket = offer_request.is_proven ? "create_intent" : "create_intent_stranger";
    SVC_RETURN_IF_ERROR(limits::answer_of(
        paying.limits.take(bucket, std::to_string(offer_request.booking_id), {10, std::chrono::seconds(60)})));
    return paying.checkout.offers.offer(offer_request);
}

// A value that the page sends besides the booking; only compared.
std::optional<std::string> said_by_client(const Value& body, std::string_view name) {
    const Value* value = body.find(name);
    if (!value || value->is_null())
        return {};
    const std::string text = value->is_number()   ? value->number_text()
                             : value->is_string() ? value->text()
                                                  : value->dump();
    return text.substr(0, 60);
}

Permission owns_in_body(const Paying& paying) {
    return Permission::decided_by("staff, the booking's owner, or a guest with its booking_token",
                                  [paying](const Request& request) -> Result<void> {
                                      return paying.owns(request, request.body.maybe_integer("booking_id").value_or(0));
                                  });
}

// Only the signed-in owner; nobody else pays a customer's balance.
Result<void> owns_alone(const Paying& paying, const Request& request, std::int64_t booking_id) {
    const auto booking = paying.bookings.find(booking_id);
    // For staff with access to all bookings, a missing booking is no secret.
    if (!booking && request.caller.can("svc_view_bookings"))
        return errc::booking_not_found;
    if (!booking || !identity::is_proven(request.caller) || booking->user_id != request.caller.user_id)
        return errc::forbidden;
    return {};
}

api::Type offer_answer() {
    using namespace api;
    using api::text;
    return object(
        "ChargeOffer",
        {{.name = "payment_id",
          .type = text(191).or_null(),
          .help = "The provider's id of the charge; null for an offline gateway."},
         {.name = "client_secret",
          .type = raw_text(1000),
          .help =
              "For the provider's script on the page; empty unless the caller has proven ownership of the booking."},
         {.name = "payment_url",
          .type = raw_text(4000),
          .help = "Redirect the browser here to pay; empty if the customer pays on the page itself."},
         {.name = "gateway_data", .type = map(anything()), .help = "Further public data for the payment page."},
         {.name = "return_url",
          .type = text(2000),
          .help = "Where the provider's script returns the browser to; empty for none."},
         {.name = "gateway", .type = text(50), .required = true},
         {.name = "booking_id", .type = id().or_null(), .help = "Null before the booking exists.", .required = true},
         {.name = "amount",
          .type = money().or_null(),
          .help = "The amount to charge, computed by the server; null unless the caller has proven ownership of the "
                  "booking.",
          .required = true},
         {.name = "currency", .type = text(3).or_null(), .help = "Likewise.", .required = true},
         {.name = "next", .type = choice({"redirect", "action", "offline"}), .required = true},
         {.name = "instructions", .type = raw_text(10'000), .help = "Payment instructions of an offline gateway."},
         {.name = "saves_method", .type = boolean(), .help = "Whether the payment method is saved for later charges."},
         {.name = "expires_at",
          .type = instant().or_null(),
          .help = "Until then, the same request returns the same charge."}});
}

Value offer_json(const Offers::Request& offer_request, const Offers::Offer& offer) {
    // Without a booking the caller's own session or right is the proof.
    const bool is_proven = offer_request.is_proven || offer_request.booking_id == 0;
    Value data = Value::object({{"payment_id", offer.page["payment_id"]},
                                {"client_secret", offer.page.text_or("client_secret")},
                                {"payment_url", offer.page.text_or("payment_url")},
                                {"gateway_data", offer.intent ? offer.page["gateway_data"] : Value::object()},
                                {"return_url", offer.page["gateway_data"].text_or("return_url")},
                                {"gateway", offer_request.gateway},
                                {"booking_id", offer_request.booking_id ? Value(offer_request.booking_id) : Value()},
                                {"amount", is_proven ? Value(offer.amount) : Value()},
                                {"currency", is_proven ? Value(offer.amount.currency().code()) : Value()},
                                {"next", !offer.intent                               ? "offline"
                                         : offer.page.text_or("payment_url").empty() ? "action"
                                                                                     : "redirect"},
                                {"instructions", offer.instructions},
                                {"saves_method", offer.intent && offer.intent->save_method}});
    data.set("expires_at", offer.intent ? Value(offer.intent->expires_at) : Value());
    return data;
}

void add_intents(api::RouteTable& routes, const Paying& paying) {
    const std::vector<const ErrorCode*> errors{&errc::booking_not_found, &errc::invalid_gateway,
                                               &errc::already_paid,      &errc::not_payable,
                                               &errc::payment_error,     &errc::gateway_unavailable,
                                               &errc::session_expired,   &errc::payment_method_unavailable,
                                               &errc::date_unavailable,  &errc::conflict,
                                               &errc::charge_in_progress};
    routes.add(
        {.method = Method::post,
         .path = "/payment/create-intent",
         .who = Permission::everyone(),
         .summary = "Create a charge for the amount that the booking, or the open session, has due now; returns an "
                    "open charge again.",
         .body =
             {{.name = "gateway", .type = api::text(50, 1), .help = "One of /payment/gateways.", .required = true},
              {.name = "booking_id",
               .type = api::id(),
               .help =
                   "The booking to pay. Without one, the charge is for the open session's quote and is captured only "
                   "after the session is booked; staff send amount and currency."},
              {.name = "amount",
               .type = api::anything(),
               .help = "Ignored, except from staff without a booking; a difference from the server's amount fires "
                       "svc_payment_amount_mismatch."},
              {.name = "currency", .type = api::anything(), .help = "Likewise."},
              {.name = "session_id",
               .type = api::raw_text(200),
               .help = "The session's secret, unless X-Svc-Session holds it."},
              {.name = "return_url",
               .type = api::raw_text(2000),
               .help = "An address of this site; defaults to the confirmation page."},
              {.name = "cancel_url",
               .type = api::raw_text(2000),
               .help = "An address of this site; defaults to return_url."},
              {.name = "save_card",
               .type = api::boolean(),
               .help = "The customer agrees to later charges by the same method."},
              {.name = "next_installment",
               .type = api::boolean(),
               .help =
                   "Pay only the next installment of the booking's plan, if it has one, instead of all that is left;"
                   " where the plan binds, that is all that can be paid."},
              booking::booking_token_field()},
         .answer = offer_answer(),
         .errors = errors,
         .lane = api::Lane::provider,
         .limit = {.burst = 20, .seconds = 60},
         .repeats_safely = true,
         .handle = [paying](const Request& request) -> Reply {
             const Value& body = request.body;
             Offers::Request offer_request{.gateway = body.text_or("gateway"),
                                           .booking_id = body.maybe_integer("booking_id").value_or(0),
                                           .return_url = body.text_or("return_url"),
                                           .cancel_url = body.text_or("cancel_url"),
                                           .save_method = body.maybe_boolean("save_card").value_or(false)};
             offer_request.next_installment = body.maybe_boolean("next_installment").value_or(false);
             offer_request.client_amount = said_by_client(body, "amount");
             offer_request.client_currency = said_by_client(body, "currency");
             return api::respond(begin(paying, request, offer_request),
                                 [&](const Offers::Offer& offer) { return api::ok(offer_json(offer_request, offer)); });
         }});
    routes.add(
        {.method = Method::post,
         .path = "/payment/remaining",
         .who = Permission::signed_in(),
         .summary = "Create a charge for a booking's whole balance.",
         .body = {{.name = "booking_id", .type = api::id(), .help = "The caller's booking; not needed with a session."},
                  {.name = "session",
                   .type = api::raw_text(200),
                   .help = "The booking_token of /payment/remaining/session."},
                  {.name = "method",
                   .type = api::text(50, 1),
                   .help = "One of /payment/gateways?context=remaining.",
                   .required = true,
                   .also = {"gateway"}},
                  {.name = "return_url", .type = api::raw_text(2000), .help = "An address of this site."},
                  {.name = "cancel_url", .type = api::raw_text(2000), .help = "An address of this site."}},
         .answer = offer_answer(),
         .errors = {&errc::booking_not_found, &errc::session_expired, &errc::invalid_gateway,
                    &errc::payment_method_unavailable, &errc::no_balance_due, &errc::not_payable,
                    &errc::offline_gateway_manual, &errc::payment_error, &errc::gateway_unavailable, &errc::conflict,
                    &errc::charge_in_progress},
         .lane = api::Lane::provider,
         .limit = {.burst = 20, .seconds = 60},
         .repeats_safely = true,
         .handle = [paying](const Request& request) -> Reply {
             const std::string session = request.body.text_or("session");
             const auto named = request.body.maybe_integer("booking_id");
             if (session.empty() && !named)
                 return api::failed(missing("booking_id"));
             const auto id =
                 session.empty() ? Result<std::int64_t>(*named) : paying.checkout.balances.booking_of(session);
             if (!id)
                 return api::failed(id.error());
             if (named.value_or(*id) != *id)
                 return api::failed(invalid("session", "This session belongs to another booking."_sentence));
             SVC_RETURN_IF_ERROR(owns_alone(paying, request, *id));
             const Offers::Request offer_request{.gateway = request.body.text_or("method"),
                                                 .booking_id = *id,
                                                 .return_url = request.body.text_or("return_url"),
                                                 .cancel_url = request.body.text_or("cancel_url"),
                                                 .remaining = true,
                                                 .is_proven = true};
             return api::respond(paying.checkout.offers.offer(offer_request),
                                 [&](const Offers::Offer& offer) { return api::ok(offer_json(offer_request, offer)); });
         }});
}

void add_remaining_session(api::RouteTable& routes, const Paying& paying) {
    routes.add({.method = Method::post,
                .path = "/payment/remaining/session",
                .who = Permission::signed_in(),
                .summary = "Return what a page needs to collect the balance; its token is valid for half an hour.",
                .body = {{.name = "booking_id", .type = api::id(), .help = "The caller's booking.", .required = true}},
                .answer = balance_session_answer(),
                .errors = {&errc::booking_not_found, &errc::no_balance_due, &errc::not_payable},
                .repeats_safely = true,
                .handle = [paying](const Request& request) -> Reply {
                    const std::int64_t id = request.body["booking_id"].integer();
                    SVC_RETURN_IF_ERROR(owns_alone(paying, request, id));
                    const auto session = paying.checkout.balances.open(id);
                    return session ? api::ok(*session) : api::failed(session.error());
                }});
}

// `transaction` is the member of the body with the provider's id.
Reply confirm_payment(const Paying& paying, const Request& request, std::string gateway, const char* transaction,
                      bool by_staff) {
    const Value* proof = request.body.find("gateway_data");
    Reply reply = outcome_reply(
        paying, paying.checkout.confirmations.confirm({.gateway = std::move(gateway),
                                                       .booking_id = request.body["booking_id"].integer(),
                                                       .transaction_id = request.body.text_or(transaction),
                                                       .proof = proof ? *proof : Value::object(),
                                                       .by_staff = by_staff}));
    // It opens an invoice, with the customer's name and address.
    if (!reply.error && booking::shows_pay_link(request))
        reply.data.set("invoice_token", Value());
    return reply;
}

void add_confirming(api::RouteTable& routes, const Paying& paying) {
    const auto add = [&](std::string path, std::string summary, std::vector<api::Field> body,
                         std::function<Reply(const Request&)> handle) {
        for (const api::Field& field : {api::Field{.name = "gateway_data",
                                       .type = api::map(api::anything()),
                                       .help = "The result of the provider's script."},
                                        booking::booking_token_field(), booking::session_id_field()})
            body.push_back(field);
        routes.add({.method = Method::post,
                    .path = std::move(path),
                    .who = owns_in_body(paying),
                    .summary = std::move(summary),
                    .body = api::Schema(std::move(body)),
                    .answer = outcome_answer(),
                    .errors = {&errc::booking_not_found, &errc::invalid_gateway, &errc::transaction_mismatch,
                               &errc::payment_error, &errc::offline_gateway_manual, &errc::payment_failed,
                               &errc::gateway_unavailable},
                    .lane = api::Lane::provider,
                    .repeats_safely = true,
                    .handle = std::move(handle)});
    };
    add("/payment/confirm", "Confirm a payment made on the page: asks the provider and applies its answer once.",
        {{.name = "gateway", .type = api::text(50, 1), .help = "The gateway of the charge.", .required = true},
         {.name = "booking_id", .type = api::id(), .required = true},
         {.name = "transaction_id",
          .type = api::text(191, 1),
          .help = "The provider's id of the charge or capture.",
          .required = true},
         {.name = "save_card", .type = api::boolean(), .help = "As sent when the charge was created."}},
        [paying](const Request& request) {
            return confirm_payment(paying, request, request.body.text_or("gateway"), "transaction_id",
                                   request.caller.can("svc_edit_bookings"));
        });
    add("/payment/{gateway}/complete", "Same as /payment/confirm, for gateways whose page returns a source.",
        {{.name = "booking_id", .type = api::id(), .required = true},
         {.name = "source_id",
          .type = api::text(191, 1),
          .help = "The provider's id of the charge or capture.",
          .required = true,
          .also = {"transaction_id"}},
         {.name = "amount", .type = api::money(), .help = "Ignored; the provider decides."},
         {.name = "currency", .type = api::text(3, 3), .help = "Ignored; the provider decides."}},
        [paying](const Request& request) {
            return confirm_payment(paying, request, request.path["gateway"].text(), "source_id", false);
        });
}

}  // namespace

void add_paying_routes(api::RouteTable& routes, const Paying& paying) {
    add_intents(routes, paying);
    add_remaining_session(routes, paying);
    add_confirming(routes, paying);
    add_provider_routes(routes, paying);
    add_saved_method_routes(routes, paying);
    add_refund_routes(routes, paying.refunds);
}

}  // namespace svc::payment
