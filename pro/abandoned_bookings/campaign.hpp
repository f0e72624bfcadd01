// A reminder of the operator's own, with its text, its delay and its coupon.
#pragma once

#include "pro/abandoned_bookings/abandoned_booking.hpp"
#include "pro/common/site.hpp"
#include "shared/resource/resource.hpp"

namespace svc::pro::abandoned_bookings {

struct Campaign : record::Audit {
    std::int64_t id = 0;
    std::string name, subject, email_body;  // the body is HTML; both may use tags()
    std::int64_t delay_hours = 24;
    std::string status{"inactive"};
    std::string discount_code;  // of the operator, named as it is; empty: one is made where there is a discount
    std::string discount_type{"percentage"};
    Rate rate;
    Currency currency = Currency::usd();  // of the amount
    Money amount = Money::zero(Currency::usd());

    [[nodiscard]] bool has_discount() const { return discount_type == "percentage" ? rate.ppm > 0 : !amount.is_zero(); }
};
const record::Record<Campaign>& campaign_record();

// At most three are active: no booking is reminded of more often.
resource::Resource<Campaign> campaign_resource(const Site& site);
std::vector<Campaign> active_campaigns(store::Session& session);  // by delay

// The names that their texts may use, in the order in which the screen shows them.
const std::vector<std::string_view>& campaign_tags();
// The text with the values of its tags; of names that end in _html HTML, else escaped where `is_html`.
std::string with_values(std::string_view text, const std::map<std::string, std::string, std::less<>>& values,
                        bool is_html);

}  // namespace svc::pro::abandoned_bookings
