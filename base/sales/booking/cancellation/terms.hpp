// What cancelling a booking costs, by the days that are left until its departure: the terms of a trip, as staff write
// them and as its customers agree to them. Issue 50, the shop; docs/rules.md, Cancelling. Any thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "shared/api/schema.hpp"
#include "shared/core/date.hpp"
#include "shared/core/money.hpp"
#include "shared/json/value.hpp"

namespace svc::booking {

// One row: until so many days before the departure, the fee is that. Either a percentage of the booking's total or an
// amount.
struct CancellationStep {
    std::optional<int> until_days = {};  // nothing: from then on
    std::optional<Rate> percentage = {};
    std::optional<Money> amount = {};
    bool per_traveler = false;  // of an amount; else per booking

    [[nodiscard]] bool is_free() const { return percentage ? percentage->ppm == 0 : !amount || amount->is_zero(); }
    friend bool operator==(const CancellationStep&, const CancellationStep&) = default;
};

// Rows in order, days descending; the last one is from then on. Empty: nothing is said about fees.
struct CancellationTerms {
    std::vector<CancellationStep> steps = {};

    [[nodiscard]] bool empty() const { return steps.empty(); }
    [[nodiscard]] bool has_amounts() const;
    friend bool operator==(const CancellationTerms&, const CancellationTerms&) = default;
};

inline constexpr std::size_t most_cancellation_steps = 20;  // the one from then on included
inline constexpr int most_cancellation_days = 730;
inline constexpr Rate whole_price{1'000'000};

// The list of rows in bodies and answers alike.
api::Type cancellation_terms_type();
// Of a value that the type lets through; amounts are read in `currency`. Completes the last row: 100 %. Null and an
// empty list are no terms. The error has every field at fault: "cancellation_terms.2.days".
Result<CancellationTerms> cancellation_terms_of(const json::Value& rows, Currency currency, const std::string& field);
// The list of rows.
json::Value to_json(const CancellationTerms& terms);

// What the fee is taken of.
struct CancellationFare {
    Money total;
    std::int64_t travelers = 1;
    Date departs;  // in the site's zone, as `today`
};

// The fee of a booking that is cancelled on that day: never more than the total, and never less than on an earlier day.
// Needs terms.
Money cancellation_fee(const CancellationTerms& terms, const CancellationFare& fare, Date today);
// The last day on which cancelling is free; nothing: it never is.
std::optional<Date> free_cancellation_until(const CancellationTerms& terms, Date departs);

// A row of a booking: its last day and its fee.
struct DatedFee {
    std::optional<Date> until = {};  // nothing: from then on
    Money fee;
};
std::vector<DatedFee> dated_fees(const CancellationTerms& terms, const CancellationFare& fare);

}  // namespace svc::booking
