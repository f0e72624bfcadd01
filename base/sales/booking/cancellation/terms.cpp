// Checks the rows of cancellation terms and takes their fees.
#include "base/sales/booking/cancellation/terms.hpp"

#include <algorithm>

#include "shared/api/named.hpp"
#include "shared/core/exact_money.hpp"
#include "shared/core/faults.hpp"

namespace svc::booking {
namespace {

using json::Value;

Money fee_of(const CancellationStep& step, const CancellationFare& fare) {
    if (step.percentage)
        return min(fare.total.share(*step.percentage), fare.total);
    const Money& amount = step.amount.value();
    if (!step.per_traveler || amount.is_zero())
        return min(amount, fare.total);
    // More travelers than the total pays for; their product could leave the range of amounts.
    return fare.travelers > fare.total.minor() / amount.minor() ? fare.total : amount.times(fare.travelers);
}

// Whether the row still holds so many days before the departure.
bool holds(const CancellationStep& step, std::int64_t days_left) {
    return !step.until_days || days_left >= *step.until_days;
}

// A later row that costs less is a slip: where both count the same way, and where it is free after a fee, or less than
// the whole price after that, however they count.
bool falls(const CancellationStep& earlier, const CancellationStep& later) {
    const bool has_fee = later.percentage || later.amount;
    if (has_fee && ((later.is_free() && !earlier.is_free()) ||
                    (earlier.percentage == whole_price && later.percentage != whole_price)))
        return true;
    if (earlier.percentage && later.percentage)
        return *later.percentage < *earlier.percentage;
    return earlier.amount && later.amount && earlier.per_traveler == later.per_traveler &&
           *later.amount < *earlier.amount;
}

CancellationStep step_of(const Value& row, Currency currency, const std::string& path, Faults& faults) {
    CancellationStep step{.until_days = {}, .per_traveler = row.text_or("per") == "traveler"};
    if (const auto days = row.maybe_integer("days"))
        step.until_days = static_cast<int>(*days);
    const Value &percentage = row["percentage"], &amount = row["amount"];
    if (percentage.is_number())
        if (const auto rate = Rate::parse_percent(percentage.number_text()))
            step.percentage = *rate;
    if (amount.is_number()) {
        if (const auto money = parse_exact(amount.number_text(), currency))
            step.amount = *money;
        else
            faults.at(path + "amount", money.error().message());
    }
    if (percentage.is_number() == amount.is_number())
        faults.at(path + "percentage", amount.is_number() ? "Enter a percentage or an amount, not both."_sentence
                                                          : "Enter a percentage or an amount."_sentence);
    step.per_traveler = step.per_traveler && step.amount;
    return step;
}

}  // namespace

bool CancellationTerms::has_amounts() const {
    return std::any_of(steps.begin(), steps.end(), [](const CancellationStep& step) { return step.amount; });
}

api::Type cancellation_terms_type() {
    using namespace api;
    Type percentage = decimal(0, 100);
    percentage.decimals = 2;
    return list(
        object(
            "CancellationStep",
            {{.name = "days",
              .type = integer(0, most_cancellation_days).or_null(),
              .help =
                  "The fee applies until so many days before the departure, that day included; null: from then on, in"
                  " the last row."},
             {.name = "percentage",
              .type = percentage.or_null(),
              .help = "Of the booking's total; either this or an amount."},
             {.name = "amount", .type = money().or_null(), .help = "In the trip's currency."},
             {.name = "per",
              .type = choice({"booking", "traveler"}),
              .help = "What an amount is for.",
              .otherwise = Value("booking")}}),
        most_cancellation_steps);
}

Result<CancellationTerms> cancellation_terms_of(const Value& rows, Currency currency, const std::string& field) {
    CancellationTerms terms;
    Faults faults;
    const std::size_t count = rows.is_array() ? rows.size() : 0;
    for (std::size_t i = 0; i < count; ++i) {
        const std::string path = field + "." + std::to_string(i + 1) + ".";
        CancellationStep step = step_of(rows[i], currency, path, faults);
        if (!step.until_days && i + 1 < count)
            faults.at(path + "days", "Only the last row can be without days."_sentence);
        if (!terms.empty()) {
            const CancellationStep& above = terms.steps.back();
            if (above.until_days && step.until_days && *step.until_days >= *above.until_days)
                faults.at(path + "days", "Each row must have fewer days than the row above it."_sentence);
            if (falls(above, step))
                faults.at(path + (step.percentage ? "percentage" : "amount"),
                          "The fee must not fall as the departure comes nearer."_sentence);
        }
        terms.steps.push_back(std::move(step));
    }
    if (!terms.empty() && terms.steps.back().until_days)
        terms.steps.push_back({.until_days = {}, .percentage = whole_price});
    if (terms.steps.size() > most_cancellation_steps)
        faults.at(field, "At most 20 rows are possible, with the one for the fee from then on."_sentence);
    if (!faults.none())
        return faults.error();
    return terms;
}

Value to_json(const CancellationTerms& terms) {
    return json::array_of(terms.steps, [](const CancellationStep& step) {
        return Value::object({{"days", step.until_days},
                              {"percentage", step.percentage},
                              {"amount", step.amount},
                              {"per", step.per_traveler ? "traveler" : "booking"}});
    });
}

Money cancellation_fee(const CancellationTerms& terms, const CancellationFare& fare, Date today) {
    const std::int64_t days_left = std::int64_t{fare.departs.days()} - today.days();
    Money fee = Money::zero(fare.total.currency());
    for (const CancellationStep& step : terms.steps) {
        fee = max(fee, fee_of(step, fare));
        if (holds(step, days_left))
            break;
    }
    return fee;
}

std::optional<Date> free_cancellation_until(const CancellationTerms& terms, Date departs) {
    std::optional<Date> last;
    for (const CancellationStep& step : terms.steps) {
        if (!step.is_free())
            break;
        last = departs.plus_days(-step.until_days.value_or(0));
    }
    return last;
}

std::vector<DatedFee> dated_fees(const CancellationTerms& terms, const CancellationFare& fare) {
    std::vector<DatedFee> dated;
    Money fee = Money::zero(fare.total.currency());
    for (const CancellationStep& step : terms.steps) {
        fee = max(fee, fee_of(step, fare));
        dated.push_back(
            {.until = step.until_days ? std::optional(fare.departs.plus_days(-*step.until_days)) : std::nullopt,
             .fee = fee});
    }
    return dated;
}

}  // namespace svc::booking
