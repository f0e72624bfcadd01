// RouteSpecs of checkout: price summary and create.
#include <algorithm>

#include "base/people/identity/human_check.hpp"
#include "base/people/identity/proven.hpp"
#include "base/sales/booking/checkout/checkout_parts.hpp"
#include "base/sales/booking/checkout/seat_share.hpp"
#include "base/sales/booking/record/invoice_token.hpp"
#include "base/sales/booking/record/tracking_consent.hpp"
#include "base/sales/booking/record/wire.hpp"
#include "base/sales/pricing/wire.hpp"
#include "shared/api/keeping.hpp"
#include "shared/api/named.hpp"
#include "shared/api/sometimes_sent.hpp"
#include "shared/core/text.hpp"

namespace svc::booking {

namespace {

using api::Method;
using api::Permission;
using api::Reply;
using api::Request;
using json::Value;

// The summary, with the coupon's fault in the language of the caller.
Value said_summary(const CheckoutRoutes& checkout, pricing::Quote&& quote, const Request& request) {
    const settings::Look look = settings::look_of(checkout.settings);
    if (!quote.coupon_error)
        return pricing::summary_of(std::move(quote), look);
    Value summary = pricing::summary_of(quote, look);
    pricing::say_coupon_error(summary, quote, request.say);
    return summary;
}

void add_summary(api::RouteTable& routes, const CheckoutRoutes& checkout) {
    const auto handle = [checkout](const Request& request) {
        const Value& input = request.route->method == Method::get ? request.query : request.body;
        return api::respond(
            with_session<pricing::Quote>(checkout, request,
                                         [&](const std::string& secret) -> Result<pricing::Quote> {
                                             SVC_RETURN_IF_ERROR(
                                                 may_try_code(checkout, request, secret, input.text_or("coupon_code")));
                                             return checkout.sessions.summary(secret, choice_of(input), request.caller);
                                         }),
            [&](pricing::Quote&& quote) { return api::ok(said_summary(checkout, std::move(quote), request)); });
    };
    const std::string help = "Quote the session's selection with the request's changes; without a session, trip_id's.";
    routes.add({.method = Method::get,
                .path = "/booking/summary",
                .who = Permission::everyone(),
                .summary = help,
                .query = session_fields().plus(checkout_choice_fields()),
                .answer = pricing::summary_answer(),
                .errors = {&errc::session_expired, &errc::trip_not_found, &errc::date_unavailable, &errc::sold_out,
                           &errc::group_size, &errc::too_many_attempts},
                .brief = true,
                .lane = api::Lane::checkout,
                .handle = handle});
    routes.add({.method = Method::post,
                .path = "/booking/summary",
                .name = "quoteBooking",
                .who = Permission::everyone(),
                .summary = help,
                .body = session_fields().plus(checkout_choice_fields()),
                .answer = pricing::summary_answer(),
                .errors = {&errc::session_expired, &errc::trip_not_found, &errc::date_unavailable, &errc::sold_out,
                           &errc::group_size, &errc::too_many_attempts},
                .brief = true,
                .lane = api::Lane::checkout,
                .keeps_replay = false,  // it writes nothing
                .handle = handle});
}

// Once per request: faults_of runs for requests that never reach the handler.
Result<void> check_person(const CheckoutRoutes& checkout, const Request& request) {
    return checkout.is_human ? checkout.is_human(request.body.text_or("recaptcha_token"), request.address)
                             : Result<void>{};
}

// What is stored beside the booking, in its transaction.
Creator::Finally stored_beside(const Request& request) {
    const auto consent = tracking_consent_of(request);
    if (!consent)
        return {};
    return [consent](store::Transaction& tx, const CreatedBooking& created) {
        TrackingConsents::insert(tx, created.booking.id, *consent);
    };
}

using DraftOf = NewBooking (*)(const Request&);

Result<std::vector<FieldError>> faults_of(const CheckoutRoutes& checkout, const Request& request, DraftOf draft) {
    using Faults = std::vector<FieldError>;
    return with_session<Faults>(checkout, request, [&](const std::string& secret) {
        auto faults = checkout.creator.faults(secret, draft(request), request.caller);
        if (faults)
            use_sent_names(*faults, request.body);
        return faults;
    });
}

Reply made_json(const CheckoutRoutes& checkout, const CreatedBooking& created, const PaymentPages::Instructions& read,
                const api::Caller& caller) {
    const Booking& booking = created.booking;
    Value data = shown_to(caller, booking, to_json(booking, settings::look_of(checkout.settings)));
    data.set("booking_id", booking.id);
    data.set("trip_date", booking.travel_date);
    const std::string page =
        checkout.site_url + "/" + checkout.settings.text("booking_base") + "/confirmation/" + booking.reference;
    data.set("confirmation_url", page);
    data.set("redirect_url", page);
    if (!created.booking_token.empty())
        data.set("booking_token", created.booking_token);
    data.set("invoice_token",
             InvoiceTokens{checkout.keyring}.issue({0, booking.id, booking.email}, booking.created_at));
    const auto [online, instructions] =
        read(booking.payment_gateway, data,
             booking.locale.empty() ? checkout.settings.text("site_language") : booking.locale);
    const bool waits = booking.status == status::waitlist, unproven = booking.status == status::pending_verification;
    const bool owes = !booking.amount_due().is_zero();
    Value next = Value::object({{"type", waits                  ? "waitlist"
                                         : unproven             ? "verify"
                                         : !owes                ? "done"
                                         : online               ? "intent"
                                         : instructions.empty() ? "done"
                                                                : "offline"}});
    data.set("expires_at", created.expires_at);
    if (unproven && created.expires_at)
        next.set("expires_in_seconds",
                 std::max<std::int64_t>(0, created.expires_at->seconds() - booking.created_at.seconds()));
    data.set("next", std::move(next));
    data.set("payment_instructions", waits || unproven || !owes ? std::string() : instructions);
    Reply reply = api::created(std::move(data), "/customers/my-bookings/" + std::to_string(booking.id));
    if (created.repeated)
        reply.status = 200;
    return reply;
}

api::Type made_answer() {
    using namespace api;
    using api::text;
    const Schema next{
        {.name = "type",
         .type = choice({"done", "intent", "offline", "verify", "waitlist"}),
         .help = "intent: create the charge of amount_due at /payment/create-intent. offline: payment_instructions"
                 " explain how to pay. verify: a confirmation link was mailed.",
         .required = true},
        sometimes_sent(
            {.name = "expires_in_seconds", .type = integer(0), .help = "Seconds until the mailed link expires."})};
    return object(
        "CreatedBooking",
        Schema{{.name = "booking_id", .type = id(), .help = "Same as id.", .required = true},
               {.name = "trip_date", .type = date(), .help = "Same as travel_date."},
               {.name = "confirmation_url", .type = text(2000), .help = "Redirect the customer to this page."},
               {.name = "redirect_url", .type = text(2000), .help = "Same as confirmation_url."},
               sometimes_sent({.name = "booking_token",
                               .type = text(60),
                               .help = "Proves a guest's ownership of the booking; returned only here."}),
               {.name = "invoice_token", .type = text(120), .help = "Grants access to this booking's invoice."},
               {.name = "next", .type = object("NextStep", next), .required = true},
               {.name = "expires_at",
                .type = instant().or_null(),
                .help = "When the booking expires unless it is paid, confirmed or accepted."},
               {.name = "payment_instructions",
                .type = raw_text(64 * 1024),
                .help = "How to pay with an offline gateway; empty for others."}}
            .plus(booking_row_answer()));
}

// Pages call it before the last step, so that faults appear next to their fields.
void add_validation(api::RouteTable& routes, const CheckoutRoutes& checkout) {
    routes.add(
        {.method = Method::post,
         .path = "/booking/validate",
         .name = "validateBooking",
         .who = Permission::everyone(),
         .summary = "Check a booking as /booking/create would, but for payment_gateway, account and reCAPTCHA, and"
                    " quote it. Nothing is booked.",
         .body = create_fields(),
         .answer = pricing::summary_answer(),
         .errors = {&errc::session_expired, &errc::login_required, &errc::guest_not_allowed, &errc::customer_blocked,
                    &errc::trip_not_found, &errc::date_unavailable, &errc::cutoff_passed, &errc::date_blocked,
                    &errc::group_size, &errc::sold_out, &errc::price_changed, &errc::conflict,
                    &errc::too_many_attempts},
         .brief = true,
         .lane = api::Lane::checkout,
         .keeps_replay = false,  // it writes nothing
         .handle = [checkout](const Request& request) -> Reply {
             return api::respond(
                 quote_of(checkout, request,
                          [&](const std::string& secret) -> Result<pricing::Quote> {
                              if (auto may =
                                      may_try_code(checkout, request, secret, request.body.text_or("coupon_code"));
                                  !may)
                                  return may.error();
                              return checkout.creator.check(secret, draft_of(request), request.caller);
                          }),
                 [&](pricing::Quote&& quote) { return api::ok(said_summary(checkout, std::move(quote), request)); });
         },
         .rules = [checkout](const Request& request) { return faults_of(checkout, request, draft_of); },
         .beside = form_answer_pairs()});
}

}  // namespace

api::Schema session_fields() {
    return {{.name = "session_id",
             .type = api::raw_text(200),
             .help = "The session's secret; alternatively sent as header X-Svc-Session.",
             .also = {"booking_token"}}};
}

Result<pricing::Quote> quote_of(const CheckoutRoutes& checkout, const Request& request,
                                const std::function<Result<pricing::Quote>(const std::string& secret)>& price) {
    return with_session<pricing::Quote>(checkout, request, price);
}

void add_checkout_routes(api::RouteTable& routes, CheckoutRoutes checkout) {
    add_session_routes(routes, checkout);
    add_summary(routes, checkout);
    add_coupon_routes(routes, checkout);
    add_validation(routes, checkout);
    routes.add(
        {.method = Method::post,
         .path = "/booking/create",
         .name = "placeBooking",
         .who = Permission::everyone(),
         .summary = "Create the booking of a checkout session. Repeating it for a session returns the same booking.",
         .body = create_fields(),
         .answer = made_answer(),
         .success = 201,
         .errors = {&errc::recaptcha_failed,
                    &errc::session_expired,
                    &errc::login_required,
                    &errc::guest_not_allowed,
                    &errc::customer_blocked,
                    &errc::trip_not_found,
                    &errc::date_unavailable,
                    &errc::cutoff_passed,
                    &errc::date_blocked,
                    &errc::group_size,
                    &errc::sold_out,
                    &errc::unpaid_seats_limit,
                    &errc::price_changed,
                    &errc::registration_disabled,
                    &errc::payment_method_unavailable,
                    &errc::invalid_gateway,
                    &unknown_code,
                    &errc::coupon_inactive,
                    &errc::coupon_not_started,
                    &errc::coupon_expired,
                    &errc::coupon_usage_limit,
                    &errc::coupon_customer_limit,
                    &errc::coupon_first_time_only,
                    &errc::coupon_not_applicable,
                    &errc::coupon_min_amount,
                    &errc::too_many_attempts},
         .lane = api::Lane::checkout,
         .stores_reply = true,
         .handle = [checkout](const Request& request) -> Reply {
             SVC_RETURN_IF_ERROR(check_person(checkout, request));
             NewBooking draft = draft_to_make(request);
             draft.client = checkout.client_of(request.address);
             // Not of a request that is refused anyway: it counts.
             if (draft.account_password && draft.faults.empty() && !request.caller.is_user() &&
                 checkout.may_make_account)
                 if (auto may = checkout.may_make_account(request.body.text_or("recaptcha_token"), request.address);
                     !may)
                     return api::failed(may.error());
             const PaymentPages::Instructions read = checkout.pages.instructions();
             const auto keeping =
                 api::StoreReply::of<CreatedBooking>(request, [&](store::Transaction&, const CreatedBooking& created) {
                     return made_json(checkout, created, read, request.caller);
                 });
             return api::respond(
                 with_session<CreatedBooking>(checkout, request,
                                              [&](const std::string& secret) -> Result<CreatedBooking> {
                                                  SVC_RETURN_IF_ERROR(may_try_code(
                                                      checkout, request, secret, request.body.text_or("coupon_code")));
                                                  return checkout.creator.create(secret, draft, request.caller,
                                                                                 stored_beside(request));
                                              }),
                 [&](const CreatedBooking& created) { return made_json(checkout, created, read, request.caller); });
         },
         .rules = [checkout](const Request& request) -> Result<std::vector<FieldError>> {
             SVC_RETURN_IF_ERROR(check_person(checkout, request));
             return faults_of(checkout, request, draft_to_make);
         },
         .beside = form_answer_pairs()});
}

Value shown_to(const api::Caller& caller, const Booking& booking, Value record) {
    const bool owns = identity::is_proven(caller) && booking.user_id == caller.user_id &&
                      text::folded(booking.email) == text::folded(caller.email);
    if (!owns && !caller.can("svc_view_bookings"))
        record.erase("customer_id");
    return record;
}

}  // namespace svc::booking
