// What the public list may be asked for.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "base/catalog/trips/search_text.hpp"
#include "base/catalog/trips/shown_trip.hpp"

namespace svc::catalog::trips {

struct PublicQuery {
    std::int64_t page = 1, per_page = 20;
    std::string order_by = "created_at";  // title, price, duration, avg_rating; relevance of a search
    bool ascending = false;
    std::string search = {};
    std::array<std::string, kind_names.size()> classes = {};  // by kind: an id or a slug
    std::string trip_type = {};
    std::optional<std::string> min_price = {}, max_price = {};  // decimals; some price that can be booked lies between
    std::optional<std::int64_t> min_duration = {}, max_duration = {};  // days
    std::optional<std::int64_t> min_rating = {};                       // hundredths of a star
    std::optional<Date> from = {}, to = {};                            // some bookable date lies between
    bool facets = false;

    [[nodiscard]] bool filters() const;
    // The same for queries that are answered alike.
    [[nodiscard]] std::string key() const;
};

// When a price of single dates can be paid: where the trip is priced that way, by category or not; whatever the trip
// says; or it is the trip's own prices that count on those dates, by category or not, and none is named.
enum class Counts : std::uint8_t { as_trip, always, of_trip };
// A price of single dates of a trip, beside its own. `of_category`: of a traveler category.
struct DatePrice {
    std::int64_t trip_id;
    Money price;
    bool of_category;
    Counts counts = Counts::as_trip;
};

// What features above know of trips' dates; asked by filters, each once a query, so that what it needs is looked up
// once for thousands of trips. Each may be empty: then it filters nothing.
struct TripDates {
    // Of the days from `first` to `last`, none of which lies outside of the trip's own season. To look at `trip` costs
    // more than the rest; `sure_days` is FactRow's.
    using HasDate = std::function<bool(std::int64_t id, Date first, Date last, int sure_days, const Trip& trip)>;
    std::function<HasDate()> has_date;
    // Calls `take` for every price of a date that can still come, in the order of the trips.
    std::function<void(const std::function<void(const DatePrice&)>& take)> each_price;
};

struct PublicPage {
    Body body;
    std::int64_t total = 0;
};

}  // namespace svc::catalog::trips
