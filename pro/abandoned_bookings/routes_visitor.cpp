// POST /abandoned-bookings/track and GET /abandoned-bookings/recover/{token}.
#include "pro/abandoned_bookings/routes.hpp"
#include "shared/api/named.hpp"
#include "shared/core/country.hpp"

namespace svc::pro::abandoned_bookings {
namespace {

using api::Method;
using json::Value;

api::Schema report_fields() {
    return {
        {.name = "booking_token",
         .type = api::raw_text(400),
         .help = "The secret of the checkout session, or the mark of a page of the booking.",
         .required = true},
        {.name = "customer_email", .type = api::text(254), .help = "Required unless declined is true."},
        {.name = "customer_name", .type = api::text(200)},
        {.name = "customer_phone", .type = api::text(60)},
        {.name = "customer_country",
         .type = api::text(60),
         .help = "Its name or two letters; decides about consent. Else that of the session."},
        {.name = "step",
         .type = api::text(40),
         .help = "Where the visitor is: details or pay.",
         .otherwise = Value("details")},
        {.name = "error", .type = api::text(200), .help = "The fault that is shown there, such as a field."},
        {.name = "locale", .type = api::text(20), .help = "Of the e-mails; else the site's."},
        {.name = "consent", .type = api::boolean(), .help = "The visitor ticked the box.", .otherwise = Value(false)},
        {.name = "declined",
         .type = api::boolean(),
         .help = "No, thanks: what is kept of it is deleted at once.",
         .otherwise = Value(false)}};
}

api::RouteSpec track_route(const Capture& capture) {
    auto spec = route(Method::post, "/abandoned-bookings/track",
                      "Keep the contact of an unfinished booking for reminders, as far as consent goes; one record for"
                      " each checkout.");
    spec.who = api::Permission::everyone();
    spec.body = report_fields();
    spec.answer = api::object("AbandonedTracked",
                              {{.name = "tracked",
                                .type = api::boolean(),
                                .help = "false: nothing is kept. true does not tell whether the address is known.",
                                .required = true}});
    spec.errors = {&errc::session_expired};
    spec.limit = {.burst = 20, .seconds = 60};
    spec.keeps_replay = false;  // a report says how things are; a repeated one changes nothing
    spec.handle = [&capture](const api::Request& request) -> api::Reply {
        const Value& body = request.body;
        const std::string country = body.text_or("customer_country");
        Report report{.token = body.text_or("booking_token"),
                      .email = body.text_or("customer_email"),
                      .name = body.text_or("customer_name"),
                      .phone = body.text_or("customer_phone"),
                      .country = country_code(country),
                      .locale = body.text_or("locale"),
                      .step = body.text_or("step"),
                      .fault = body.text_or("error"),
                      .agreed = body.maybe_boolean("consent").value_or(false),
                      .declined = body.maybe_boolean("declined").value_or(false)};
        if (!country.empty() && report.country.empty())
            return api::failed(invalid("customer_country", not_a_country));
        if (report.email.empty() && !report.declined)
            return api::failed(missing("customer_email"));
        return api::respond(capture.take(report, request.caller, request.address, request.now), [](bool tracked) {
            return api::ok(Value::object({{"tracked", tracked}}));
        });
    };
    return spec;
}

// A new checkout with what was chosen; without the date where that can no longer be booked.
Result<Value> begin_again(const plugin::Calls& calls, const Offer& offer, const api::Request& request) {
    Value wanted = offer.gone.empty() ? choice_of(offer.row) : Value::object({{"trip_id", offer.row.trip_id}});
    wanted.set("form_data", contact_of(offer.row));
    if (offer.gone.empty() && !offer.coupon_code.empty())
        wanted.set("coupon_code", offer.coupon_code);
    const auto open = [&] {
        return calls({.method = Method::post,
                      .path = "/booking/session",
                      .body = wanted,
                      .as = request.caller.is_user() ? plugin::Calls::As::user : plugin::Calls::As::visitor,
                      .user_id = request.caller.is_user() ? request.caller.user_id : 0,
                      .address = request.address});
    };
    SVC_ASSIGN_OR_RETURN(auto opened, open());
    if (!opened.is_good() && wanted.find("coupon_code")) {
        wanted.erase("coupon_code");
        SVC_ASSIGN_OR_RETURN(opened, open());
    }
    if (opened.status == errc::rate_limited.status)
        return errc::rate_limited;
    if (!opened.is_good())
        return Error{errc::token_expired, "What was chosen is no longer offered."_sentence}.because(opened.code());
    return opened.data();
}

bool is_browser(const api::Request& request) {
    return request.header && request.header("Accept").find("text/html") != std::string_view::npos;
}

api::RouteSpec recover_route(const plugin::Calls& calls, const Recovery& recovery, Reminders& reminders) {
    auto spec =
        route(Method::get, "/abandoned-bookings/recover/{token}",
              "Go on with an abandoned booking at today's price: opens a new checkout. A browser is led (302) to"
              " the site's page, which does the same.");
    spec.who = api::Permission::everyone();
    const api::Type price = api::money().or_null();
    spec.answer = api::object(
        "AbandonedRecovered",
        {{.name = "booking_token", .type = api::text(200), .help = "The secret of the new session.", .required = true},
         {.name = "redirect_url", .type = api::text(2000), .help = "The site's page.", .required = true},
         {.name = "trip_id", .type = api::id(), .required = true},
         {.name = "currency", .type = api::text(3)},
         {.name = "price_before", .type = price, .help = "What the visitor saw."},
         {.name = "price_now", .type = price, .help = "With the coupon; null where it cannot be booked so."},
         {.name = "coupon_code", .type = api::text(255).or_null()},
         {.name = "unavailable",
          .type = api::choice({"date", "sold_out", "choice"}).or_null(),
          .help = "Why another choice is needed; the session has the trip alone then."}});
    spec.errors = {&errc::not_found, &errc::token_expired};
    spec.limit = {.burst = 30, .seconds = 60};
    spec.handle = [&calls, &recovery, &reminders](const api::Request& request) -> api::Reply {
        const std::string token = request.path["token"].text();
        SVC_RETURN_IF_ERROR(recovery.opened(LinkKind::recover, token, request.now));
        SVC_ASSIGN_OR_RETURN(const auto address, reminders.site_url());
        const std::string page = address + "/booking-recovery/" + token;
        if (is_browser(request)) {
            api::Reply reply;
            reply.status = 302;
            reply.raw = std::make_shared<const std::string>();
            reply.headers.emplace_back("Location", page);
            reply.headers.emplace_back("Cache-Control", "no-store");
            return reply;
        }
        SVC_ASSIGN_OR_RETURN(const auto offer, recovery.offer(token, request.now));
        if (offer.is_booked() || offer.gone == "trip")
            return api::failed(Error{errc::token_expired, offer.is_booked()
                                                              ? "This trip is booked already."_sentence
                                                              : "This trip is no longer offered."_sentence});
        SVC_ASSIGN_OR_RETURN(const auto session, begin_again(calls, offer, request));
        recovery.use(offer.row, request.now);
        return api::ok(Value::object({{"booking_token", session.text_or("session_id")},
                                      {"redirect_url", page},
                                      {"trip_id", offer.row.trip_id},
                                      {"currency", offer.row.currency.code()},
                                      {"price_before", offer.before},
                                      {"price_now", offer.now},
                                      {"coupon_code", offer.coupon_code.empty() ? Value() : Value(offer.coupon_code)},
                                      {"unavailable", offer.gone.empty() ? Value() : Value(offer.gone)}}));
    };
    return spec;
}

}  // namespace

void add_visitor_routes(const Site& site, const plugin::Calls& calls, const Capture& capture, const Recovery& recovery,
                        Reminders& reminders) {
    site.routes.add(track_route(capture));
    site.routes.add(recover_route(calls, recovery, reminders), {"Accept"});
}

}  // namespace svc::pro::abandoned_bookings
