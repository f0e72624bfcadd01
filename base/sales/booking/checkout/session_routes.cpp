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
    return {{"payment_gateway", api::text(50).or_null(),
             "One of enabled_gateways; the default for /booking/create if it names"
             " none."},
            {"form_data", api::map(api::anything()).or_null(),
             "The partly completed form, by the page's field names: at most 16 KiB, no payment card data. Each one"
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
        {"id", id(), "As svc_trip_added_to_session passes it; it opens nothing."},
        {"trip_id", id().or_null(), "", true},
        {"travel_date", date().or_null(), "", true},
        {"departure_time", time().or_null()},
        {"travelers", integer(1), "How many people.", true},
        {"travelers_count", integer(1), "The same as travelers.", true},
        {"traveler_counts", map(integer(0)), "Numbers by traveler category, if they were sent."},
        {"payment_method", choice({"full", "deposit", "partial"}), "The payment option at checkout."},
        {"payment_gateway", text(50), "Chosen so far; empty for none."},
        {"form_data", map(anything()), "The partly completed form, as last sent."},
        {"coupon_code", text(255), "As typed; empty for none."},
        {"coupon", pricing::coupon_answer().or_null(), "The coupon's discount, or the reason for none."},
        {"country", text(60)},
        {"availability_id", text(60).or_null(),
         "The chosen date: its departure's id, or the date's id by rule; null for others."},
        {"selected_services", map(integer(0)), "Quantities by additional service."},
        {"additional_services", list(id()), "Their ids."},
        {"status", choice({"open", "converted", "closed"}), "converted: the session was booked.", true},
        {"booking_id", id().or_null(), "The booking made from the session."},
        {"currency", text(3)},
        {"timestamp", integer(0), "When the session was created, in seconds since 1970."},
        {"expires_at", instant(), "Renewed by each call.", true},
        {"trip_title", text(255), "With a published trip, as the next ones."},
        {"trip_slug", text(255)},
        {"min_travelers", integer(1)},
        {"max_travelers", integer(1)},
        {"duration_days", integer(0)},
        {"is_day_trip", boolean()},
        {"pricing_type", choice({"regular", "traveler_based"})},
        {"price_types", list(catalog::trips::price_type_answer(), 1000), "By traveler category."},
        {"quote", pricing::summary_answer().or_null(),
         "The price, as in /booking/summary; null without a complete selection.", true},
        {"quote_error", object({{"code", text(60), "", true}, {"message", text(500), "", true}}).or_null(),
         "Why the chosen trip and date cannot be booked; null otherwise.", true},
        {"enabled_gateways", list(checkout.pages.usable_answer()), "The gateways that the customer can choose.", true}};
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
    const Schema members{{"is_remaining_payment", boolean(),
                          "Only for a token of /payment/remaining/session, like the following members."},
                         {"existing_booking_id", id()},
                         {"booking_reference", text(32)},
                         {"remaining_amount", money(), "The amount charged for the balance."},
                         {"amount_paid", money()},
                         {"total_amount", money()}};
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
    return {{"session_id", text(60), "The session's secret; returned only to its holder.", true},
            {"booking_token", text(60), "Same as session_id.", true},
            {"redirect_url", text(2000), "Address of the booking page.", true}};
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
                .answer = api::object({{"deleted", api::boolean(), "", true}}),
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
