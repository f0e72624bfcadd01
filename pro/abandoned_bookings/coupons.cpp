// Makes discounts through the base's own route, so that its rules and limits hold for them.
#include "pro/abandoned_bookings/coupons.hpp"

#include "pro/crypto/hmac.hpp"

namespace svc::pro::abandoned_bookings {

using json::Value;

std::string own_code(const AbandonedBooking& row, std::int64_t number) {
    constexpr std::string_view alphabet = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";  // none that look alike
    constexpr std::size_t letters = 10;
    const std::string digest = crypto::sha256_hex("svc_abandoned_coupon:" + row.uid + ":" + std::to_string(number));
    std::string code = "BACK-";
    for (std::size_t i = 0; i < letters; ++i)
        code += alphabet[std::stoul(digest.substr(i * 2, 2), nullptr, 16) % alphabet.size()];
    return code;
}

Result<Coupon> make_coupon(const Site& site, const plugin::Calls& calls, const AbandonedBooking& row,
                           const Campaign* campaign, Instant now) {
    Coupon coupon;
    if (campaign && campaign->has_discount()) {
        if (campaign->discount_type == "percentage")
            coupon.rate = campaign->rate;
        else
            coupon.amount = campaign->amount;
    } else if (!campaign && discount_of(site, row.stage).ppm > 0) {
        coupon.rate = discount_of(site, row.stage);
    }
    if (campaign && !campaign->discount_code.empty()) {
        coupon.code = campaign->discount_code;
        return coupon;
    }
    if (!coupon.rate && !coupon.amount) {
        coupon.code = campaign ? std::string() : common_code(site);
        return coupon;
    }
    coupon.code = own_code(row, row.emails_sent + 1);
    coupon.until = site.today(now).plus_days(static_cast<std::int32_t>(coupon_days(site)));
    SVC_ASSIGN_OR_RETURN(
        const auto made,
        calls({.method = api::Method::post,
               .path = "/discounts",
               .body = Value::object({{"code", coupon.code},
                                      {"name", "Reminder of an unfinished booking"},
                                      {"description", "Made for one e-mail about an abandoned booking."},
                                      {"type", coupon.rate ? "percentage" : "fixed"},
                                      {"amount", coupon.rate ? Value(*coupon.rate) : Value(*coupon.amount)},
                                      {"usage_limit", 1},
                                      {"expiry_date", *coupon.until},
                                      {"applicable_to", "specific_trips"},
                                      {"trip_ids", Value::array({Value(row.trip_id.value_or(0))})},
                                      {"status", "publish"}}),
               .as = plugin::Calls::As::system}));
    // The code is taken where an earlier attempt at this reminder made it.
    if (!made.is_good() && made.body["data"].text_or("field") != "code" && made.status != errc::conflict.status)
        return Error{errc::internal_error}.because("the base refused a coupon: " + made.code());
    return coupon;
}

}  // namespace svc::pro::abandoned_bookings
