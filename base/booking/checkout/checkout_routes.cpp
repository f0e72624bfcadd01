// RouteSpecs of checkout: price summary and create.
#include <algorithm>

#include "base/booking/checkout/checkout_parts.hpp"
#include "base/booking/checkout/seat_share.hpp"
#include "base/booking/record/invoice_token.hpp"
#include "base/booking/record/wire.hpp"
#include "base/identity/human_check.hpp"
#include "base/identity/proven.hpp"
#include "base/pricing/wire.hpp"
#include "shared/api/keeping.hpp"
#include "shared/api/named.hpp"
#include "shared/core/country.hpp"
#include "shared/core/person_name.hpp"
#include "shared/core/text.hpp"

namespace svc::booking {

namespace {

using api::Method;
using api::Permission;
using api::Reply;
using api::Request;
using json::Value;

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
            [&](pricing::Quote&& quote) {
                return api::ok(pricing::summary_of(std::move(quote), settings::look_of(checkout.settings)));
            });
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

// At create `travelers` holds the travelers' data, so their number has other names.
api::Schema create_choice_fields() {
    return checkout_choice_fields().changed([](api::Field& field) {
        if (field.name == "travelers_count")
            field.also = {"traveler_count"};
        else if (field.name == "country")
            field.also.clear();  // contact_country is a separate field
    });
}

api::Schema create_fields() {
    const auto fields =
        session_fields()
            .plus(create_choice_fields())
            .plus(
                {{"contact_first_name", api::text(100, 1), "", true},
                 {"contact_last_name", api::text(100), "Empty for a person with one name."},
                 {"contact_email", api::email(), "The confirmation is sent to this address.", true},
                 {"contact_phone", api::text(40), ""},
                 {"contact_phone_country", api::text(10),
                  "Dialling code for a contact_phone without one, such as +44; other values are ignored."},
                 {"contact_country", api::text(60), "A country's code or name; stored as its code."},
                 {"travelers", api::list(api::map(api::anything()), 1000),
                  "The travelers by the form's fields, the lead traveler first; at most travelers_count, which "
                  "defaults to"
                  " their number."},
                 {"payment_gateway", api::text(50),
                  "A gateway of /payment/gateways; defaults to the session's gateway, then to pay_later."},
                 {"special_requests", api::raw_text(64 * 1024), "A note for the operator."},
                 locale_field(),
                 {"contact_nationality", api::text(100), ""},
                 {"contact_address", api::raw_text(1000), ""},
                 {"contact_data", api::map(api::anything()), "Answers to the form's contact fields."},
                 {"emergency_name", api::text(200), ""},
                 {"emergency_phone", api::text(40), ""},
                 {"emergency_relationship", api::text(60), ""},
                 {"emergency_contact", api::map(api::anything()), "Answers to the form's emergency fields."},
                 {"subscribe_newsletter", api::boolean(), "", false, {"newsletter_optin"}},
                 {"terms_accepted", api::boolean(), "Must be true when the operator requires acceptance of the terms."},
                 {"recaptcha_token", api::raw_text(4096), "The token, when booking is protected by reCAPTCHA."},
                 {"create_account", api::boolean(),
                  "Create an account for the contact's address, as /auth/register does. The booking remains a"
                  " guest booking until the address is confirmed by the mailed link."},
                 {"account_password", api::raw_text(1024), "Checked and not stored: the mailed page sets it."},
                 {"account_password_confirm", api::raw_text(1024), "The password repeated; optional."},
                 {"join_waitlist",
                  api::boolean(),
                  "Join the waitlist when too few seats are left; otherwise 409 sold_out, whose waitlist says if there "
                  "is one.",
                  false,
                  {"waitlist"}},
                 {"is_remaining_payment", api::boolean(), "Must be false; a balance is paid at /payment/remaining."},
                 {"expected_total", api::money(),
                  "The total shown to the customer; a different total returns 409 price_changed."}});
    return fields.changed([](api::Field& field) {
        if (!field.required)
            field.type = field.type.or_null();
    });
}

// Forms send the dialling code separately.
std::string phone_of(const Value& body) {
    std::string phone = body.text_or("contact_phone");
    const std::string code = body.text_or("contact_phone_country");
    const std::string_view digits = std::string_view(code).substr(code.starts_with('+') ? 1 : 0);
    const bool is_code = !digits.empty() && digits.size() <= 4 && digits.find_first_not_of("0123456789") == digits.npos;
    const bool has_one = phone.starts_with('+') || phone.starts_with("00");
    return phone.empty() || has_one || !is_code ? phone : "+" + std::string(digits) + " " + phone;
}

NewBooking draft_of(const Request& request) {
    const Value& body = request.body;
    NewBooking draft{.choice = choice_of(body),
                     .contact = {.first_name = body.text_or("contact_first_name"),
                                 .last_name = body.text_or("contact_last_name"),
                                 .email = body.text_or("contact_email"),
                                 .phone = phone_of(body),
                                 .country = country_as_code(body.text_or("contact_country"))},
                     .travelers = Value::array(),
                     .gateway = body.text_or("payment_gateway"),
                     .special_requests = body.text_or("special_requests"),
                     .locale = body.text_or("locale"),
                     .join_waitlist = body.maybe_boolean("join_waitlist").value_or(false)};
    // Whoever pays the rest of a booking here would book again.
    if (body.maybe_boolean("is_remaining_payment").value_or(false))
        draft.choice.fault = invalid("is_remaining_payment", "Pay a remaining balance at /payment/remaining.");
    if (const Value& travelers = body["travelers"]; travelers.is_array())
        draft.travelers = travelers;
    const auto gather = [&](const char* map, std::initializer_list<std::pair<const char*, const char*>> known) {
        Value answers = body[map].is_object() ? body[map] : Value::object();
        for (const auto& [field, id] : known)
            if (const auto answer = body.maybe_text(field); answer && !answer->empty())
                answers.set(id, *answer);
        return answers;
    };
    draft.contact_data =
        gather("contact_data", {{"contact_nationality", "nationality"}, {"contact_address", "address"}});
    draft.emergency =
        gather("emergency_contact",
               {{"emergency_name", "name"}, {"emergency_phone", "phone"}, {"emergency_relationship", "relationship"}});
    take_own_answers(request, draft);
    draft.newsletter = body.maybe_boolean("subscribe_newsletter").value_or(false);
    draft.terms_accepted = body.maybe_boolean("terms_accepted").value_or(false);
    if (body.maybe_boolean("create_account").value_or(false))
        draft.account_password = body.text_or("account_password");
    if (body["expected_total"].is_number())
        draft.expected_total = body["expected_total"].number_text();
    return draft;
}

// Once per request: faults_of runs for requests that never reach the handler.
Result<void> check_person(const CheckoutRoutes& checkout, const Request& request) {
    return checkout.is_human ? checkout.is_human(request.body.text_or("recaptcha_token"), request.address)
                             : Result<void>{};
}

// They are mailed to an address that the caller chooses.
std::vector<FieldError> faults_of_names(const Request& request) {
    std::vector<FieldError> faults;
    for (const char* name : {"contact_first_name", "contact_last_name"})
        if (auto good = check_person_name(name, request.body.text_or(name));
            !good && !request.caller.can("svc_create_bookings"))
            faults.push_back(good.error().fields().front());
    return faults;
}

Result<std::vector<FieldError>> faults_of(const CheckoutRoutes& checkout, const Request& request, bool asks_person) {
    using Faults = std::vector<FieldError>;
    SVC_RETURN_IF_ERROR(asks_person ? check_person(checkout, request) : Result<void>{});
    const NewBooking draft = draft_of(request);
    return with_session<Faults>(checkout, request, [&](const std::string& secret) {
        auto faults = checkout.creator.faults(secret, draft, request.caller);
        if (faults) {
            use_sent_names(*faults, request.body);
            for (FieldError& fault : faults_of_names(request))
                faults->push_back(std::move(fault));
        }
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
        {"type", choice({"done", "intent", "offline", "verify", "waitlist"}),
         "intent: create the charge of amount_due at /payment/create-intent. offline: payment_instructions"
         " explain how to pay. verify: a confirmation link was mailed.",
         true},
        {"expires_in_seconds", integer(0), "Seconds until the mailed link expires."}};
    return object(
        "CreatedBooking",
        Schema{
            {"booking_id", id(), "Same as id.", true},
            {"trip_date", date(), "Same as travel_date."},
            {"confirmation_url", text(2000), "Redirect the customer to this page."},
            {"redirect_url", text(2000), "Same as confirmation_url."},
            {"booking_token", text(60), "Proves a guest's ownership of the booking; returned only here."},
            {"invoice_token", text(120), "Grants access to this booking's invoice."},
            {"next", object("NextStep", next), "", true},
            {"expires_at", instant().or_null(), "When the booking expires unless it is paid, confirmed or accepted."},
            {"payment_instructions", raw_text(64 * 1024), "How to pay with an offline gateway; empty for others."}}
            .plus(booking_row_answer()));
}

// Pages call it before the last step, so that faults appear next to their fields.
void add_validation(api::RouteTable& routes, const CheckoutRoutes& checkout) {
    routes.add(
        {.method = Method::post,
         .path = "/booking/validate",
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
             if (const auto faults = faults_of_names(request); !faults.empty())
                 return api::failed(invalid(faults.front().field, faults.front().sentence));
             return api::respond(
                 quote_of(checkout, request,
                          [&](const std::string& secret) -> Result<pricing::Quote> {
                              if (auto may =
                                      may_try_code(checkout, request, secret, request.body.text_or("coupon_code"));
                                  !may)
                                  return may.error();
                              return checkout.creator.check(secret, draft_of(request), request.caller);
                          }),
                 [&](pricing::Quote&& quote) {
                     return api::ok(pricing::summary_of(std::move(quote), settings::look_of(checkout.settings)));
                 });
         },
         .rules = [checkout](const Request& request) { return faults_of(checkout, request, false); },
         .beside = form_answer_pairs()});
}

}  // namespace

api::Schema session_fields() {
    return {{"session_id",
             api::raw_text(200),
             "The session's secret; alternatively sent as header X-Svc-Session.",
             false,
             {"booking_token"}}};
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
             NewBooking draft = draft_of(request);
             draft.client = checkout.client_of(request.address);
             if (const auto again = request.body.maybe_text("account_password_confirm");
                 draft.account_password && again && *again != *draft.account_password)
                 return api::failed(invalid("account_password_confirm", "The passwords do not match."));
             if (const auto faults = faults_of_names(request); !faults.empty())
                 return api::failed(invalid(faults.front().field, faults.front().sentence));
             if (draft.account_password && !request.caller.is_user() && checkout.may_make_account)
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
                                                  return checkout.creator.create(secret, draft, request.caller);
                                              }),
                 [&](const CreatedBooking& created) { return made_json(checkout, created, read, request.caller); });
         },
         .rules = [checkout](const Request& request) { return faults_of(checkout, request, true); },
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
