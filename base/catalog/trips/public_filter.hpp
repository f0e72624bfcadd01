// Which published trips a query means, and how many of each sort there are among them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/catalog/trips/public_query.hpp"

namespace svc::catalog::trips {

// Made for one query; asks the features above for dates only where everything else fits.
class Filter {
  public:
    Filter(const PublicQuery& query, const TripDates& dates, const ClassNames& names);
    [[nodiscard]] bool fits(const ShownTrip& shown) const;

  private:
    struct Bounds {
        Currency currency;
        std::int64_t least, most;
    };
    [[nodiscard]] bool fits_price(const ShownTrip& shown) const;
    [[nodiscard]] const Bounds& bounds(Currency currency) const;

    const PublicQuery& query_;
    TripDates::HasDate has_date_;      // empty unless the query asks for it
    TripDates::EachPrice each_price_;  // the same
    bool impossible_ = false;
    std::vector<ClassKey> classes_;
    mutable std::vector<Bounds> bounds_;  // of the currencies met so far
};

// Counts over the trips that fit.
class Facets {
  public:
    void add(const ShownTrip& shown);
    [[nodiscard]] json::Value answer(const ClassNames& names) const;

  private:
    std::map<ClassKey, std::int64_t> classes_;
    std::map<std::string_view, std::int64_t> types_;
    struct Range {
        Money least, most;
    };
    std::map<std::string_view, Range> prices_;  // by currency
};

}  // namespace svc::catalog::trips
