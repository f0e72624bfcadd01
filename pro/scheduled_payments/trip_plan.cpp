// Amounts in the order of the plan first, then their days.
#include "pro/scheduled_payments/trip_plan.hpp"

#include <algorithm>

namespace svc::pro::scheduled_payments {
namespace {

constexpr std::int64_t whole_ppm = 1'000'000;

std::string field(std::size_t at, std::string_view member) {
    return "parts." + std::to_string(at + 1) + "." + std::string(member);
}

void check_size(const TripPlanPart& part, std::size_t at, bool is_last, Faults& faults) {
    if (part.amount && part.rate)
        faults.at(field(at, "percentage"), "Enter an amount or a percentage, not both."_sentence);
    else if (is_last && part.amount)
        faults.at(field(at, "amount"), "The last part takes the rest of the price."_sentence);
    else if (!is_last && !part.amount && !part.rate)
        faults.at(field(at, "amount"), "Enter an amount or a percentage."_sentence);
    else if (part.amount && (part.amount->is_zero() || part.amount->is_negative()))
        faults.at(field(at, "amount"), "The amount must be above zero."_sentence);
    else if (part.rate && part.rate->ppm <= 0)
        faults.at(field(at, "percentage"), "The percentage must be above zero."_sentence);
}

// Shares come to the whole price: those before the last to less, and one that is named for the last is what they leave.
void check_shares(const TripPlan& plan, Faults& faults) {
    std::int64_t sum = 0;
    bool has_amounts = false;
    for (std::size_t at = 0; at < plan.parts.size(); ++at) {
        const TripPlanPart& part = plan.parts[at];
        const bool is_last = at + 1 == plan.parts.size();
        has_amounts = has_amounts || part.amount;
        if (!part.rate || part.amount)
            continue;
        if (is_last && has_amounts)
            return faults.at(field(at, "percentage"), "The last part takes the rest of the price."_sentence);
        sum += part.rate->ppm;
        if (!is_last && sum >= whole_ppm)
            return faults.at(field(at, "percentage"),
                             "The parts before the last must come to less than 100 %."_sentence);
        if (is_last && sum != whole_ppm)
            return faults.at(field(at, "percentage"), "The percentages must add up to 100 %."_sentence);
    }
}

void check_due(const TripPlanPart& part, std::size_t at, Faults& faults) {
    const bool counts_days = part.due == "after_booking" || part.due == "before_departure";
    if ((at == 0) != (part.due == "booking"))
        return faults.at(field(at, "due"), at == 0 ? "The first part is paid at booking."_sentence
                                                   : "Only the first part is paid at booking."_sentence);
    if (part.due == "date" && !part.on)
        faults.at(field(at, "date"), "Enter the day."_sentence);
    if (part.due != "date" && part.on)
        faults.at(field(at, "date"), "This part is not due on a fixed day."_sentence);
    if (counts_days && !part.days)
        faults.at(field(at, "days"), "Enter the number of days."_sentence);
    if (!counts_days && part.days)
        faults.at(field(at, "days"), "This part does not count days."_sentence);
    if (part.due == "after_booking" && part.days == 0)
        faults.at(field(at, "days"), "Only the first part is paid at booking."_sentence);
}

// Days of one kind ascend; those of different kinds cannot be compared before there is a booking.
void check_order(const TripPlan& plan, Faults& faults) {
    for (std::size_t at = 1; at < plan.parts.size(); ++at) {
        const TripPlanPart& part = plan.parts[at];
        for (std::size_t before = 1; before < at; ++before) {
            const TripPlanPart& earlier = plan.parts[before];
            if (earlier.due != part.due)
                continue;
            if (part.on && earlier.on && *part.on <= *earlier.on)
                return faults.at(field(at, "date"), "This must be after the part before."_sentence);
            const bool ascends = part.due == "before_departure" ? part.days < earlier.days : part.days > earlier.days;
            if (part.days && earlier.days && !ascends)
                return faults.at(field(at, "days"), "This must be after the part before."_sentence);
        }
    }
}

// Of each part in order, the last with the rest; the first at least the smallest unit, since a booking begins with it.
std::vector<Money> amounts_by(const TripPlan& plan, const Money& price) {
    const Money unit{1, price.currency()};
    std::vector<Money> amounts;
    Money left = price;
    for (std::size_t at = 0; at < plan.parts.size(); ++at) {
        const TripPlanPart& part = plan.parts[at];
        const bool is_last = at + 1 == plan.parts.size();
        Money amount = is_last ? left : min(left, part.amount ? *part.amount : price.share(*part.rate));
        if (at == 0)
            amount = max(amount, unit);
        amounts.push_back(amount);
        left -= amount;
    }
    return amounts;
}

Date day_by(const TripPlanPart& part, Date today, Date travel_date) {
    const Date day = part.due == "date"            ? *part.on
                     : part.due == "after_booking" ? today.plus_days(*part.days)
                     : part.due == "booking"       ? today
                                                   : travel_date.plus_days(-*part.days);
    return std::min(day, travel_date.plus_days(-1));
}

}  // namespace

bool TripPlan::fits(Currency of_price) const {
    return std::all_of(parts.begin(), parts.end(),
                       [&](const TripPlanPart& part) { return !part.amount || part.amount->currency() == of_price; });
}

void check(const TripPlan& plan, Faults& faults) {
    if (plan.parts.empty() || plan.parts.size() > TripPlan::most_parts)
        return faults.at("parts", "A plan has 1 to 10 parts."_sentence);
    for (std::size_t at = 0; at < plan.parts.size(); ++at) {
        check_size(plan.parts[at], at, at + 1 == plan.parts.size(), faults);
        check_due(plan.parts[at], at, faults);
    }
    if (faults.none())
        check_shares(plan, faults);
    if (faults.none())
        check_order(plan, faults);
}

Divided divide(const TripPlan& plan, const Money& price, Date today, Date travel_date) {
    Divided divided{.first = Money::zero(price.currency()), .later = {}};
    const std::vector<Money> amounts = amounts_by(plan, price);
    for (std::size_t at = 0; at < amounts.size(); ++at) {
        const TripPlanPart& part = plan.parts[at];
        const Date day = day_by(part, today, travel_date);
        if (day <= today)
            divided.first += amounts[at];
        else if (!amounts[at].is_zero())
            divided.later.push_back({.part = {.date = day, .amount = amounts[at]},
                                     .days_before_tour = part.due == "before_departure"
                                                             ? std::optional<std::int64_t>(*part.days)
                                                             : std::nullopt});
    }
    auto& later = divided.later;
    std::stable_sort(later.begin(), later.end(),
                     [](const AgreedPart& a, const AgreedPart& b) { return a.part.date < b.part.date; });
    std::vector<AgreedPart> merged;
    for (AgreedPart& each : later)
        if (!merged.empty() && merged.back().part.date == each.part.date)
            merged.back().part.amount += each.part.amount;
        else
            merged.push_back(std::move(each));
    for (std::size_t at = 0; at < merged.size(); ++at)
        merged[at].number = static_cast<std::int64_t>(at) + 1;
    later = std::move(merged);
    return divided;
}

std::vector<AgreedPart> for_rest(std::vector<AgreedPart> later, const Money& rest) {
    std::vector<Money> amounts;
    Money sum = Money::zero(rest.currency());
    for (const AgreedPart& each : later) {
        amounts.push_back(each.part.amount);
        sum += each.part.amount;
    }
    if (later.empty() || sum == rest)
        return later;
    const std::vector<Money> fresh = split_in_proportion(rest, amounts);
    std::vector<AgreedPart> parts;
    for (std::size_t at = 0; at < later.size(); ++at)
        if (!fresh[at].is_zero()) {
            later[at].part.amount = fresh[at];
            later[at].number = static_cast<std::int64_t>(parts.size()) + 1;
            parts.push_back(later[at]);
        }
    return parts;
}

}  // namespace svc::pro::scheduled_payments
