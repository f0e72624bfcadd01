// The payment plan of a trip, and what it makes of a price. Pure functions, any thread.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "pro/scheduled_payments/agreed.hpp"
#include "shared/core/faults.hpp"

namespace svc::pro::scheduled_payments {

struct TripPlanPart {
    // One of them; neither of the last part, which takes the rest.
    std::optional<Money> amount = {};
    std::optional<Rate> rate = {};
    std::string due = "booking";   // booking, date, after_booking, before_departure
    std::optional<Date> on = {};   // due: date
    std::optional<int> days = {};  // due: after_booking, before_departure
    friend bool operator==(const TripPlanPart&, const TripPlanPart&) = default;
};

struct TripPlan {
    static constexpr std::size_t most_parts = 10;
    static constexpr int most_days = 1000;

    std::string kind = "fixed";  // fixed: part by part; flexible: also earlier, and all at once
    Currency currency = Currency::usd();
    std::vector<TripPlanPart> parts = {};

    [[nodiscard]] bool is_fixed() const { return kind == "fixed"; }
    // Whether it can divide a price in that currency: its amounts are in it.
    [[nodiscard]] bool fits(Currency of_price) const;
    friend bool operator==(const TripPlan&, const TripPlan&) = default;
};

// 1 to 10 parts, the first at booking; each but the last an amount or a share, the shares below 100 %; days in their
// order. Faults name the field: "parts.1.amount" is of the first; answers count from 0.
void check(const TripPlan& plan, Faults& faults);

struct Divided {
    Money first;                    // at booking, with all parts whose day has come by then
    std::vector<AgreedPart> later;  // in order of their days, each above zero, before the day of travel
};

// A price above zero by the plan, exactly: first and later come to it. An amount beyond what is left of the price is
// that; parts of one day are one. A day on the day of travel or after it is the day before.
Divided divide(const TripPlan& plan, const Money& price, Date today, Date travel_date);

// The later parts for a rest that is not theirs (staff, a gateway's deposit, or another total set it): in proportion.
std::vector<AgreedPart> for_rest(std::vector<AgreedPart> later, const Money& rest);

}  // namespace svc::pro::scheduled_payments
