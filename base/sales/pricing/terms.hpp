// Settings for prices: taxes, the amount due at checkout, and combining discounts with dynamic prices.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/settings/values/look.hpp"
#include "shared/core/date.hpp"
#include "shared/core/money.hpp"

namespace svc::pricing {

struct Tax {
    std::string name;
    Rate rate;
};

// Whether the discount or the dynamic price applies to a booking that has both.
enum class Stacking : std::uint8_t { both, discount_only, dynamic_pricing_only, best_for_customer };

struct Terms {
    // Taxes of the country that counts; without any nothing is taxed.
    bool taxed = false, tax_inclusive = false;
    std::vector<Tax> taxes = {};
    // Whether these modules are on.
    bool flexible_payments = false, advanced_discount = false, dynamic_pricing = false;
    bool deposit = false, deposit_required = false;
    std::optional<Rate> deposit_rate = {};     // else
    std::optional<Money> deposit_amount = {};  // of a booking
    std::optional<Rate> partial_rate = {};     // empty: no part payments
    // Set: the balance is due that many days before the tour, so that later bookings are paid at once.
    std::optional<int> balance_days = {};
    // Without automatic charges what is left is due by the first day of the tour; with them so many days after the
    // booking, or before the tour.
    bool rest_is_charged = false;
    int rest_days_after_booking = 0;
    // The day by which everything is to be paid of a booking that is made today.
    [[nodiscard]] Date rest_on(Date travel_date) const {
        const Date eve = travel_date.plus_days(-1);
        if (!rest_is_charged || eve <= today)
            return travel_date;
        if (balance_days)
            return travel_date.plus_days(-*balance_days) > today ? travel_date.plus_days(-*balance_days) : travel_date;
        return std::min(today.plus_days(rest_days_after_booking), eve);
    }
    Stacking stacking = Stacking::both;
    Date today = {};
    // Amounts as the site writes them, for labels. Empty: plainly.
    std::function<std::string(const Money&)> writes = {};
    [[nodiscard]] std::string written(const Money& amount) const {
        return writes ? writes(amount) : settings::Look{}.amount(amount);
    }
};

// The inputs of Terms besides the settings.
struct TermsFor {
    std::string contact_country, trip_country;  // empty: not known
};

}  // namespace svc::pricing
