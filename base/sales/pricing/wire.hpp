// How a quote looks on the wire.
#pragma once

#include <functional>
#include <string>

#include "base/sales/pricing/quote.hpp"
#include "base/settings/values/look.hpp"
#include "shared/api/schema.hpp"

namespace svc::pricing {

// The members of spec 4.6's summary, made of the sums; Quote::shown is this with the listeners' additions.
json::Value to_wire(const Quote& quote, const std::string& coupon_code = {});
// {"3": 2}; under 0 without categories.
json::Value to_wire(const TravelerCounts& counts, std::int64_t travelers);
// These members; listeners declare their own.
api::Type quote_answer();
// Of its member payment_methods.
api::Type payment_options_answer();
// Of its member dynamic_pricing, which bookings have, too.
api::Type dynamic_pricing_answer();
// Of its member coupon_discount.
api::Type coupon_answer();
// Why the coupon gives nothing, in the language of the caller: shown by the members coupon_error and coupon_discount,
// which are in English before.
void say_coupon_error(json::Value& shown, const Quote& quote, const std::function<std::string(const Sentence&)>& say);
// Quote::shown for a page: each sum again as the site writes it, and `tax` in few words.
json::Value summary_of(Quote quote, const settings::Look& look);
api::Type summary_answer();

}  // namespace svc::pricing
