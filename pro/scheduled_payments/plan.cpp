// The dates of a plan first, then its amounts.
#include "pro/scheduled_payments/plan.hpp"

#include <algorithm>
#include <stdexcept>

namespace svc::pro::scheduled_payments {
namespace {

// As many as there are parts, ascending; two may be the same day.
std::vector<Date> dates_of(Date today, Date travel_date, const Terms& terms) {
    const Date last_day = travel_date.plus_days(-1);
    std::vector<Date> dates;
    for (std::int32_t k = 0; k < terms.installments; ++k) {
        const Date date = terms.by_tour
                              ? travel_date.plus_days(-terms.due_days - (terms.installments - 1 - k) * terms.interval)
                              : today.plus_days(terms.days + k * terms.interval);
        dates.push_back(std::min(date, last_day));
    }
    // Counted back from the tour, some days may be over; nothing is charged on the day of the booking itself.
    std::erase_if(dates, [&](Date date) { return terms.by_tour ? date <= today : date < today; });
    return dates;
}

}  // namespace

std::vector<Part> plan_of(const Money& balance, Date today, Date travel_date, const Terms& terms) {
    const auto dates = dates_of(today, travel_date, terms);
    const auto count = static_cast<std::int64_t>(dates.size());
    std::vector<Part> parts;
    for (std::int64_t k = 0; k < count; ++k) {
        const std::int64_t each = balance.minor() / count;
        const Money amount{k + 1 < count ? each : balance.minor() - each * (count - 1), balance.currency()};
        if (amount.is_zero())
            continue;  // fewer units than parts
        const Date date = dates[static_cast<std::size_t>(k)];
        if (!parts.empty() && parts.back().date == date)
            parts.back().amount += amount;
        else
            parts.push_back({date, amount});
    }
    return parts;
}

Date day_of(Date planned, std::optional<std::int64_t> days_before_tour, Date travel_date, Date today) {
    if (days_before_tour) {
        const Date due = travel_date.plus_days(-static_cast<std::int32_t>(*days_before_tour));
        planned = due > today ? due : std::min(planned, today.plus_days(1));
    }
    return std::min(planned, travel_date.plus_days(-1));
}

std::vector<Money> split_in_proportion(const Money& balance, const std::vector<Money>& amounts) {
    __extension__ using Wide = __int128;
    Wide sum = 0;
    for (const Money& amount : amounts)
        sum += amount.minor();
    if (sum <= 0)
        throw std::logic_error("amounts that come to nothing have no shares");
    std::vector<Money> fresh;
    std::int64_t given = 0;
    for (std::size_t at = 0; at + 1 < amounts.size(); ++at) {
        const auto part = static_cast<std::int64_t>(Wide{balance.minor()} * amounts[at].minor() / sum);
        fresh.emplace_back(part, balance.currency());
        given += part;
    }
    fresh.emplace_back(balance.minor() - given, balance.currency());
    return fresh;
}

std::vector<Money> left_of(const Money& rest, const std::vector<Money>& amounts) {
    Money settled = Money::zero(rest.currency()) - rest;
    for (const Money& amount : amounts)
        settled += amount;
    if (settled.is_negative())
        return split_in_proportion(rest, amounts);
    std::vector<Money> left;
    for (const Money& amount : amounts) {
        const Money part = min(settled, amount);
        settled = settled - part;
        left.push_back(amount - part);
    }
    return left;
}

}  // namespace svc::pro::scheduled_payments
