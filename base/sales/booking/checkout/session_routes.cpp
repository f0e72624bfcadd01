// RouteSpecs of checkout sessions.
#include "base/catalog/trips/record/display.hpp"
#include "base/sales/booking/checkout/cart_event.hpp"
#include "base/sales/booking/checkout/checkout_parts.hpp"
#include "base/sales/pricing/wire.hpp"
#include "base/settings/values/site_pages.hpp"
#include "shared/api/keeping.hpp"
#include "shared/api/named.hpp"
#include "shared/api/sometimes_sent.hpp"

namespace svc::booking {

namespace {

using api::Method;
using api::Permission;
using api::Reply;
using api::Request;
using json::Value;

// Data that a page stores with its choice.
api::Schema kept_fields() {
    return {
        {.name = "payment_gateway",
         .type = api::text(50).or_null(),
         .help = "One of enabled_gateways; the default for /booking/create if it names"
                 " none."},
        {.name = "form_data",
         .type = api::map(api::anything()).or_null(),
         .help = "The partly completed form, by the page's field names: at most 16 KiB, no payment card data. Each one"
                 " replaces the previous one; deleted when the session is booked."}};
}

// The choice with them; null takes one away.
Choice kept_with(Choice choice, const Value& body) {
    if (const Value* gateway = body.find("payment_gateway"))
        choice.payment_gateway = gateway->is_string() ? gateway->text() : "";
    if (const Value* draft = body.find("form_data"))
        choice.form_data = draft->is_object() ? *draft : Value::object();
    return choice;
}

// A change of a session's choice: null removes a member.
Choice changed_choice_of(const Value& body) {
    Choice choice = choice_of(body);
    const auto is_null = [&](std::string_view name) { return body.find(name) && body.find(name)->is_null(); };
    choice.no_date = is_null("travel_date") && !choice.travel_date && !choice.departure_id;
    choice.no_time = is_null("departure_time") && !choice.departure_time && !choice.departure_id;
    if (is_null("coupon_code"))
        choice.coupon_code = "";
    return kept_with(std::move(choice), body);
}

void show_trip(Value& data, const catalog::trips::Trip& trip, bool traveler_based) {
    Value types = Value::array();
    if (traveler_based)
        for (const catalog::trips::PriceType& type : trip.price_types)
            types.push(catalog::trips::to_json(type));
    data.set("trip_title", trip.title);
    data.set("trip_slug", trip.slug);
    data.set("min_travelers", trip.min_travelers);
    data.set("max_travelers", trip.default_capacity());
    data.set("duration_days", trip.duration_days);
    data.set("is_day_trip", trip.type == catalog::trips::TripType::single_day);
    data.set("pricing_type", traveler_based ? "traveler_based" : "regular");
    data.set("price_types", std::move(types));
}

void report_secret(const CheckoutRoutes& checkout, Value& data, const std::string& secret) {
    data.set("session_id", secret);
    data.set("booking_token", secret);
    data.set("redirect_url", settings::booking_address(checkout.settings, checkout.site_url));
}

Value session_json(const CheckoutRoutes& checkout, const OpenSession& open, const Request& request) {
    const CheckoutSession& session = open.session;
    Value counts = Value::object();
    for (const auto& [category, count] : session.traveler_counts)
        counts.set(std::to_string(category), count);
    Value services = Value::object(), service_ids = Value::array();
    for (const auto& [service, count] : session.services) {
        services.set(std::to_string(service), count);
        service_ids.push(service);
    }
    // The choice is priced in its trip's currency, even if the site's changed.
    const Currency currency = open.trip ? open.trip->currency : checkout.settings.currency();
    Value quote = open.quote ? pricing::summary_of(*open.quote, settings::look_of(checkout.settings)) : Value();
    if (open.quote)
        pricing::say_coupon_error(quote, *open.quote, request.say);
    Value data = Value::object({{"id", session.id},
                                {"trip_id", session.trip_id},
                                {"travel_date", session.travel_date},
                                {"departure_time", session.departure_time},
                                {"travelers", session.travelers},
                                {"travelers_count", session.travelers},
                                {"traveler_counts", std::move(counts)},
                                {"payment_method", session.payment_method},
                                {"payment_gateway", session.payment_gateway},
                                {"form_data", open.form_data},
                                {"coupon_code", session.coupon_code},
                                {"coupon", quote["coupon_discount"]},
                                {"country", session.country},
                                {"availability_id", open.date_id.empty() ? Value() : Value(open.date_id)},
                                {"selected_services", std::move(services)},
                                {"additional_services", std::move(service_ids)},
                                {"status", session.status},
                                {"booking_id", session.booking_id},
                                {"currency", currency.code()},
                                {"timestamp", session.created_at.seconds()},
                                {"expires_at", session.expires_at}});
    if (open.trip)
        show_trip(data, *open.trip, open.traveler_based.value_or(open.trip->traveler_based));
    if (!open.secret.empty())
        report_secret(checkout, data, open.secret);
    data.set("quote", std::move(quote));
    data.set("quote_error", open.not_for_sale ? Value::object({{"code", open.not_for_sale->code().name},
                                                               {"message", request.say(open.not_for_sale->message())}})
                                              : Value());
    // While there is no price yet: those that could take any.
    data.set(
        "enabled_gateways",
        checkout.pages.usable(
            open.quote ? open.quote->total : Money::zero(currency),
            session.travel_date ? std::optional(Departs{*session.travel_date, session.departure_time}) : std::nullopt));
    return data;
}

api::Schema session_answer(const CheckoutRoutes& checkout) {
    using namespace api;
    using api::text;
    const Schema members{
        {.name = "id", .type = id(), .help = "As svc_trip_added_to_session passes it; it opens nothing."},
        {.name = "trip_id", .type = id().or_null(), .required = true},
        {.name = "travel_date", .type = date().or_null(), .required = true},
        {.name = "departure_time", .type = time().or_null()},
        {.name = "travelers", .type = integer(1), .help = "How many people.", .required = true},
        {.name = "travelers_count", .type = integer(1), .help = "The same as travelers.", .required = true},
        {.name = "traveler_counts",
         .type = map(integer(0)),
         .help = "Numbers by traveler category, if they were sent."},
        {.name = "payment_method",
         .type = choice({"full", "deposit", "partial"}),
         .help = "The payment option at checkout."},
        {.name = "payment_gateway", .type = text(50), .help = "Chosen so far; empty for none."},
        {.name = "form_data", .type = map(anything()), .help = "The partly completed form, as last sent."},
        {.name = "coupon_code", .type = text(255), .help = "As typed; empty for none."},
        {.name = "coupon",
         .type = pricing::coupon_answer().or_null(),
         .help = "The coupon's discount, or the reason for none."},
        {.name = "country", .type = text(60)},
        {.name = "availability_id",
         .type = text(60).or_null(),
         .help = "The chosen date: its departure's id, or the date's id by rule; null for others."},
        {.name = "selected_services", .type = map(integer(0)), .help = "Quantities by additional service."},
        {.name = "additional_services", .type = list(id()), .help = "Their ids."},
        {.name = "status",
         .type = choice({"open", "converted", "closed"}),
         .help = "converted: the session was booked.",
         .required = true},
        {.name = "booking_id", .type = id().or_null(), .help = "The booking made from the session."},
        {.name = "currency", .type = text(3)},
        {.name = "timestamp", .type = integer(0), .help = "When the session was created, in seconds since 1970."},
        {.name = "expires_at", .type = instant(), .help = "Renewed by each call.", .required = true},
        {.name = "trip_title", .type = text(255), .help = "With a published trip, as the next ones."},
        {.name = "trip_slug", .type = text(255)},
        {.name = "min_travelers", .type = integer(1)},
        {.name = "max_travelers", .type = integer(1)},
        {.name = "duration_days", .type = integer(0)},
        {.name = "is_day_trip", .type = boolean()},
        {.name = "pricing_type", .type = choice({"regular", "traveler_based"})},
        {.name = "price_types",
         .type = list(catalog::trips::price_type_answer(), 1000),
         .help = "By traveler category."},
        {.name = "quote",
         .type = pricing::summary_answer().or_null(),
         .help = "The price, as in /booking/summary; null without a complete selection.",
         .required = true},
        {.name = "quote_error",
         .type = object({{.name = "code", .type = text(60), .required = true},
                         {.name = "message", .type = text(500), .required = true}})
                     .or_null(),
         .help = "Why the chosen trip and date cannot be booked; null otherwise.",
         .required = true},
        {.name = "enabled_gateways",
         .type = list(checkout.pages.usable_answer()),
         .help = "The gateways that the customer can choose.",
         .required = true}};
    // The session of a balance has nothing left to choose; one without a trip does not know what the trip says.
    return sometimes_sent(
        members, {"id", "payment_gateway", "form_data", "coupon_code", "coupon", "country", "selected_services",
                  "additional_services", "booking_id", "trip_title", "trip_slug", "min_travelers", "max_travelers",
                  "duration_days", "is_day_trip", "pricing_type", "price_types"});
}

// Replaces the choice when the rest of a booking is paid.
api::Schema balance_answer() {
    using namespace api;
    using api::text;
    const Schema members{{.name = "is_remaining_payment",
                          .type = boolean(),
                          .help = "Only for a token of /payment/remaining/session, like the following members."},
                         {.name = "existing_booking_id", .type = id()},
                         {.name = "booking_reference", .type = text(32)},
                         {.name = "remaining_amount", .type = money(), .help = "The amount charged for the balance."},
                         {.name = "amount_paid", .type = money()},
                         {.name = "total_amount", .type = money()}};
    return sometimes_sent(members, {"is_remaining_payment", "existing_booking_id", "booking_reference",
                                    "remaining_amount", "amount_paid", "total_amount"});
}

// Opens a balance's token where no session has that secret.
Result<Value> balance_instead(const CheckoutRoutes& checkout, const Error& refusal, const std::string& secret,
                              const api::Caller& caller) {
    if (&refusal.code() != &errc::session_expired)
        return refusal;
    auto balance = checkout.pages.balance(secret, caller);
    if (balance) {
        balance->set("travelers_count", (*balance)["travelers"]);
        balance->set("status", "open");
        balance->set("quote", Value());
        balance->set("quote_error", Value());
        report_secret(checkout, *balance, secret);
    }
    return balance;
}

// The rest of a booking cannot be changed: rejects every value that differs from the booking.
Result<Value> unchanged(Result<Value> balance, const Value& body) {
    if (!balance)
        return balance;
    const api::Schema choices = checkout_choice_fields().plus(kept_fields());
    for (const api::Field& field : choices.fields()) {
        const Value* sent = body.find(field.name);
        const bool is_nothing = !sent || sent->is_null() || (sent->is_string() && sent->text().empty()) ||
                                ((sent->is_object() || sent->is_array()) && sent->size() == 0);
        if (!is_nothing && *sent != (*balance)[field.name])
            return Error{errc::conflict,
                         "The balance of a booking is paid as booked; {name} cannot be changed."_sentence.with(
                             "name", field.name)};
    }
    return balance;
}

// Repeats the secret, for pages that only store the last response.
Result<OpenSession> with_secret(Result<OpenSession> open, const std::string& secret) {
    if (open)
        open->secret = secret;
    return open;
}

api::Schema opened_answer() {
    using namespace api;
    using api::text;
    return {{.name = "session_id",
             .type = text(60),
             .help = "The session's secret; returned only to its holder.",
             .required = true},
            {.name = "booking_token", .type = text(60), .help = "Same as session_id.", .required = true},
            {.name = "redirect_url", .type = text(2000), .help = "Address of the booking page.", .required = true}};
}

}  // namespace

void add_session_routes(api::RouteTable& routes, const CheckoutRoutes& checkout) {
    const api::Type answer = api::object(opened_answer().plus(session_answer(checkout)));
    const std::string path = "/booking/session";
    routes.add(
        {.method = Method::post,
         .path = path,
         .who = Permission::everyone(),
         .summary = "Create a checkout session; the returned session_id is its secret.",
         .body = checkout_choice_fields().plus(kept_fields()).plus({cart_event_field()}),
         .answer = answer,
         .success = 201,
         .errors = {&errc::trip_not_found, &errc::invalid_gateway, &errc::too_many_attempts},
         .lane = api::Lane::checkout,
         .repeats_safely = true,
         .handle = [checkout, path](const Request& request) -> Reply {
             SVC_RETURN_IF_ERROR(may_try_code(checkout, request, "", request.body.text_or("coupon_code")));
             auto fresh = checkout.sessions.open(kept_with(choice_of(request.body), request.body), request.caller);
             if (fresh)
                 SVC_RETURN_IF_ERROR(keep_cart_event(checkout.store, fresh->session.id,
                                                     request.body.text_or("cart_event_id"), request.now));
             return api::respond(
                 fresh ? std::move(fresh) : Result<OpenSession>(by_field(std::move(fresh.error()), request)),
                 [&](const OpenSession& open) { return api::created(session_json(checkout, open, request), path); });
         }});
    const api::Type answer_or_balance =
        api::object("BookingSession", opened_answer().plus(session_answer(checkout)).plus(balance_answer()));
    routes.add({.method = Method::get,
                .path = path,
                .who = Permission::everyone(),
                .summary = "Return a checkout or balance session and extend it by thirty minutes.",
                .query = session_fields(),
                .answer = answer_or_balance,
                .errors = {&errc::session_expired},
                .lane = api::Lane::checkout,
                .handle = [checkout](const Request& request) {
                    const auto read = [&](const std::string& secret) -> Result<Value> {
                        const auto open = with_secret(checkout.sessions.resume(secret, request.caller), secret);
                        return open ? session_json(checkout, *open, request)
                                    : balance_instead(checkout, open.error(), secret, request.caller);
                    };
                    return api::respond(with_session<Value>(checkout, request, read),
                                        [](const Value& session) { return api::ok(session); });
                }});
    routes.add(
        {.method = Method::put,
         .path = path,
         .who = Permission::everyone(),
         .summary = "Update a session; changing the trip clears date, time and party. Extends balance sessions.",
         .body = session_fields().plus(checkout_choice_fields()).plus(kept_fields()).plus({cart_event_field()}),
         .answer = answer_or_balance,
         .errors = {&errc::session_expired, &errc::trip_not_found, &errc::too_many_attempts, &errc::conflict,
                    &errc::invalid_gateway},
         .lane = api::Lane::checkout,
         .repeats_safely = true,
         .handle = [checkout](const Request& request) {
             const auto choose = [&](const std::string& secret) -> Result<Value> {
                 SVC_RETURN_IF_ERROR(may_try_code(checkout, request, secret, request.body.text_or("coupon_code")));
                 const auto open = with_secret(
                     checkout.sessions.choose(secret, changed_choice_of(request.body), request.caller), secret);
                 if (open)
                     SVC_RETURN_IF_ERROR(keep_cart_event(checkout.store, open->session.id,
                                                         request.body.text_or("cart_event_id"), request.now));
                 return open ? session_json(checkout, *open, request)
                             : unchanged(balance_instead(checkout, open.error(), secret, request.caller), request.body);
             };
             return api::respond(with_session<Value>(checkout, request, choose),
                                 [](const Value& session) { return api::ok(session); });
         }});
    routes.add({.method = Method::del,
                .path = path,
                .who = Permission::everyone(),
                .summary = "Delete a checkout or balance session.",
                .query = session_fields(),
                .body = session_fields(),
                .answer = api::object({{.name = "deleted", .type = api::boolean(), .required = true}}),
                .errors = {&errc::session_expired},
                .lane = api::Lane::checkout,
                .stores_reply = true,
                .handle = [checkout](const Request& request) -> Reply {
                    Reply reply = api::ok(Value::object({{"deleted", true}}));
                    const api::StoreReply keeping(request, reply);
                    const auto closed = with_session<void>(checkout, request, [&](const std::string& secret) {
                        auto done = checkout.sessions.close(secret, request.caller);
                        return !done && &done.error().code() == &errc::session_expired
                                   ? checkout.pages.end_balance(secret, request.caller)
                                   : done;
                    });
                    return closed ? std::move(reply) : api::failed(closed.error());
                }});
}

}  // namespace svc::booking
