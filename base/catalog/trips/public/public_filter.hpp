// Selects published trips by a query, and counts them by facet.
#pragma once

#include <vector>

#include "base/catalog/trips/public/fact_rows.hpp"
#include "base/catalog/trips/public/public_query.hpp"

namespace svc::catalog::trips {

// The slot of a trip's row by its id.
struct SlotOf {
    std::int64_t id;
    std::size_t slot;
};

// Built for one query; asks higher features for dates only if all other conditions match.
class Filter {
  public:
    Filter(const PublicQuery& query, const TripDates& dates, const FactRows& rows, const ClassNames& names);

    // Those of all rows that the query means.
    [[nodiscard]] SlotSet fitting() const;
    // Those of the rows with a score.
    [[nodiscard]] SlotSet fitting(const std::vector<std::uint16_t>& scores) const;

  private:
    struct Bounds {
        Currency currency;
        std::int64_t least, most;
    };
    template <class EachRow>
    [[nodiscard]] SlotSet fitting_of(EachRow each_row) const;
    [[nodiscard]] bool fits(std::size_t slot, const FactRow& row) const;  // by all but price and dates
    [[nodiscard]] bool help(const std::vector<TripFact>& facts) const;
    [[nodiscard]] bool within(const Money& price) const;
    [[nodiscard]] bool fits_own_price(const FactRow& row, Date first, Date last) const;
    [[nodiscard]] bool fits_plain_price(const FactRow& row) const;
    [[nodiscard]] bool fits_category(const Trip& trip, const DatePrices::Categories* own, Date first, Date last) const;
    [[nodiscard]] bool fits_alike(const FactRow& row, const DatePrices& dates, const PricedSeason* season, Date first,
                                  Date last) const;
    [[nodiscard]] bool fits_by_category(const FactRow& row, const DatePrices& dates, Date first, Date last) const;
    [[nodiscard]] bool fits_dates(const FactRow& row, const DatePrices& dates) const;
    void add_by_price(std::vector<SlotOf>& priced, SlotSet& fitting) const;
    [[nodiscard]] const Bounds& bounds(Currency currency) const;

    const PublicQuery& query_;
    const TripDates& dates_;
    const FactRows& rows_;
    bool impossible_ = false, by_price_ = false;
    Date today_;
    std::optional<TripType> type_;
    std::int64_t min_duration_, max_duration_, min_rating_;
    std::vector<std::uint32_t> classes_;  // numbers of the rows
    mutable std::vector<Bounds> bounds_;  // of the currencies met so far
};

// The facets of the rows in these slots. The range of prices has those of seasons that are not over on `today`.
json::Value facets_of(const SlotSet& slots, const FactRows& rows, const ClassNames& names, Date today);

}  // namespace svc::catalog::trips
