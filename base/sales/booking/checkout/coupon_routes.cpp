// RouteSpecs of a discount's code on a checkout session.
#include "base/platform/limits/client_address.hpp"
#include "base/sales/booking/checkout/checkout_parts.hpp"
#include "base/sales/pricing/wire.hpp"
#include "shared/api/named.hpp"

namespace svc::booking {
namespace {

using api::Method;
using api::Permission;
using api::Request;
using json::Value;

Value coupon_json(const pricing::Quote& quote, const settings::Look& look, const Request& request) {
    Value data = pricing::summary_of(quote, look);
    pricing::say_coupon_error(data, quote, request.say);
    const Value& coupon = quote.shown["coupon_discount"];
    for (const char* member : {"code", "type", "discount_amount"})
        data.set(member, coupon[member]);
    data.set("discount_amount_formatted", data["coupon_discount"]["discount_amount_formatted"]);
    data.set("new_total", quote.total);
    data.set("new_total_formatted", look.amount(quote.total));
    return data;
}

// Without a price: while no date is chosen, or it is sold out.
Value no_price(const api::Schema& members) {
    Value data = Value::object();
    for (const api::Field& member : members.fields())
        data.set(member.name, Value());
    return data;
}

Result<void> count_attempt(const CheckoutRoutes& checkout, const std::string& secret) {
    constexpr limits::Limit limit{.burst = 20, .per = std::chrono::minutes(10)};
    return limits::answer_of(checkout.limits.take("coupon", crypto::sha256_hex(secret), limit),
                             errc::too_many_attempts);
}

// Sessions cost nothing, so a guesser has many of them; one network has so many wrong codes. While it has used them up
// a right code is refused too, or the guesser would simply go on.
Result<void> limit_wrong_codes(const CheckoutRoutes& checkout, const Request& request, const std::string& code) {
    constexpr limits::Limit limit{.burst = 40, .per = std::chrono::minutes(10)};
    constexpr std::string_view bucket = "wrong_coupon";
    const std::string network = limits::network_of(request.address);
    SVC_RETURN_IF_ERROR(limits::answer_of(checkout.limits.refused(bucket, network), errc::too_many_attempts));
    if (checkout.offers.is_usable_code(code))
        return {};
    return limits::answer_of(checkout.limits.take_strictly({{bucket, network, limit}}), errc::too_many_attempts);
}

}  // namespace

Result<void> may_try_code(const CheckoutRoutes& checkout, const Request& request, const std::string& secret,
                          const std::string& code) {
    if (!checkout.sessions.tries_code(secret, code))
        return {};
    if (!secret.empty())
        SVC_RETURN_IF_ERROR(count_attempt(checkout, secret));
    return limit_wrong_codes(checkout, request, code);
}

void add_coupon_routes(api::RouteTable& routes, const CheckoutRoutes& checkout) {
    const api::Schema members = api::Schema{
        {.name = "code", .type = api::text(50).or_null()},
        {.name = "type", .type = api::choice({"percentage", "fixed"}).or_null()},
        {.name = "discount_amount", .type = api::money().or_null(), .help = "The discount."},
        {.name = "discount_amount_formatted", .type = api::text(60).or_null()},
        {.name = "new_total", .type = api::money(), .help = "Same as final_total.", .required = true},
        {.name = "new_total_formatted",
         .type = api::text(60)}}.plus(*pricing::summary_answer().members);
    routes.add({.method = Method::post,
                .path = "/booking/coupons",
                .name = "applyCoupon",
                .who = Permission::everyone(),
                .summary = "Apply a coupon code to a session, replacing any other; returns the new quote.",
                .body = session_fields().plus({{.name = "code",
                                                .type = api::text(255, 1),
                                                .help = "The coupon code; not case-sensitive.",
                                                .required = true,
                                                .also = {"coupon_code"}}}),
                .answer = api::object("CouponQuote", members),
                .errors = {&errc::session_expired, &errc::coupon_not_found, &errc::coupon_inactive,
                           &errc::coupon_not_started, &errc::coupon_expired, &errc::coupon_usage_limit,
                           &errc::coupon_customer_limit, &errc::coupon_first_time_only, &errc::coupon_not_applicable,
                           &errc::coupon_min_amount, &errc::too_many_attempts, &errc::trip_not_found,
                           &errc::date_unavailable, &errc::sold_out, &errc::group_size, &errc::conflict},
                .lane = api::Lane::checkout,
                .repeats_safely = true,
                .handle = [checkout](const Request& request) {
                    const auto put = [&](const std::string& secret) -> Result<pricing::Quote> {
                        const std::string& code = request.body["code"].text();
                        if (checkout.sessions.knows(secret))
                            for (const auto& may :
                                 {count_attempt(checkout, secret), limit_wrong_codes(checkout, request, code)})
                                if (!may)
                                    return may.error();
                        return checkout.sessions.set_coupon(secret, code, request.caller);
                    };
                    return api::respond(quote_of(checkout, request, put), [&](const pricing::Quote& quote) {
                        return api::ok(coupon_json(quote, settings::look_of(checkout.settings), request));
                    });
                }});
    const api::Schema nullable = members.changed([](api::Field& member) { member.type = member.type.or_null(); });
    routes.add(
        {.method = Method::del,
         .path = "/booking/coupons",
         .name = "removeCoupon",
         .who = Permission::everyone(),
         .summary = "Remove the coupon code from a session; returns the new quote, null without a complete selection.",
         .query = session_fields(),
         .body = session_fields(),
         .answer = api::object("QuoteWithoutCoupon", nullable),
         .errors = {&errc::session_expired, &errc::trip_not_found, &errc::conflict},
         .lane = api::Lane::checkout,
         .repeats_safely = true,
         .handle = [checkout, nullable](const Request& request) {
             const auto take_off = [&](const std::string& secret) {
                 return checkout.sessions.choose(secret, {.coupon_code = ""}, request.caller);
             };
             return api::respond(with_session<OpenSession>(checkout, request, take_off), [&](const OpenSession& open) {
                 return api::ok(open.quote ? coupon_json(*open.quote, settings::look_of(checkout.settings), request)
                                           : no_price(nullable));
             });
         }});
}

}  // namespace svc::booking
