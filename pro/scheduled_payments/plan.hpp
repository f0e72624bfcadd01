// When and in which parts a balance is charged. Pure functions, any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "shared/core/date.hpp"
#include "shared/core/money.hpp"

namespace svc::pro::scheduled_payments {

// The settings.
struct Terms {
    bool by_tour = false;           // due before the tour instead of after the booking
    std::int32_t installments = 1;  // 1: the balance at once
    std::int32_t days = 15;         // from the booking to the first charge
    std::int32_t interval = 30;     // between two charges
    std::int32_t due_days = 14;     // before the tour
};

struct Part {
    Date date;
    Money amount;
    friend bool operator==(const Part&, const Part&) = default;
};

// The parts add up to the balance, which is above zero; the last one takes what does not divide. All lie before the day
// of travel, none before today. Empty: the day of travel is too near.
std::vector<Part> plan_of(const Money& balance, Date today, Date travel_date, const Terms& terms);

// The due day of a part for the tour's current date. Days counted back from the tour move with it, to tomorrow at the
// earliest; every part stays before the day of travel.
Date day_of(Date planned, std::optional<std::int64_t> days_before_tour, Date travel_date, Date today);

// Other amounts in the proportion of these, which come to more than zero, that add up to the balance; the last takes
// the rest. Some may be zero.
std::vector<Money> split_in_proportion(const Money& balance, const std::vector<Money>& amounts);

// What is left of these amounts where `rest` is: paid before their days, the first ones are settled, in part perhaps
// (zero: whole); a higher rest is divided in their proportion.
std::vector<Money> left_of(const Money& rest, const std::vector<Money>& amounts);

}  // namespace svc::pro::scheduled_payments
