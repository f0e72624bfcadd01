// Parameters of the public list.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/catalog/trips/record/search_text.hpp"
#include "base/catalog/trips/record/shown_trip.hpp"

namespace svc::catalog::trips {

struct PublicQuery {
    std::int64_t page = 1, per_page = 20;
    std::string order_by = "created_at";  // title, price, duration, avg_rating; relevance of a search
    bool ascending = false;
    std::string search = {};
    std::array<std::string, kind_names.size()> classes = {};  // by kind: an id or a slug
    std::string trip_type = {};
    // decimals; matches a trip with a bookable price in this range
    std::optional<std::string> min_price = {}, max_price = {};
    std::optional<std::int64_t> min_duration = {}, max_duration = {};  // days
    std::optional<std::int64_t> min_rating = {};                       // hundredths of a star
    // matches a trip with a bookable date in this range
    std::optional<Date> from = {}, to = {};
    std::vector<FactFilter> wishes = {};  // all of them
    bool facets = false;

    [[nodiscard]] bool filters() const;
    // The same for queries that are answered alike.
    [[nodiscard]] std::string key() const;
};

// Prices of a trip's dates: one entry per distinct price of departures, and one for dates with the trip's own price. A
// trip without entries has its own price on every date.
struct DatePrices {
    using Categories = std::vector<std::pair<std::int64_t, Money>>;  // prices by id of the traveler category

    std::int64_t trip_id = 0;
    Date first, last;                              // the range of dates
    std::optional<bool> by_category = {};          // empty: as the trip is
    std::optional<Money> own = {};                 // of everybody alike; empty: the trip's
    std::shared_ptr<const Categories> categories;  // of those that differ from the trip's; null: none
};

// Dates of trips, provided by higher features; each function is fetched once per query, so that it can prepare for
// thousands of trips. Empty functions filter nothing.
struct TripDates {
    // Whether there is a date from `first` to `last`, which are in the trip's season. Reading `trip` is the expensive
    // part; `sure_days` is FactRow's.
    using HasDate = std::function<bool(std::int64_t id, Date first, Date last, int sure_days, const Trip& trip)>;
    std::function<HasDate()> has_date;
    // Calls `take` with the prices of future dates, ordered by trip.
    std::function<void(const std::function<void(const DatePrices&)>& take)> each_price;
    std::function<Date()> today;  // the site's day
    // Another number once dates have changed, or their prices alone.
    std::function<std::uint64_t(bool prices_alone)> edition;
    // Where a public trip's dates begin, if listeners set the prices of dates. It may call plugins: never inside a
    // session.
    std::function<std::optional<FromPrice>(const ShownTrip& trip)> from_price = {};
};

// A page of the list, in order. The text of its answer is made when a socket asks for it first. Any thread.
class PublicPage final : public api::Held {
  public:
    PublicPage(const PublicQuery& query, std::vector<Shown> rows, std::int64_t total,
               std::optional<json::Value> facets = {});

    const std::vector<Shown> rows;
    const std::int64_t page, per_page, total;
    const std::optional<json::Value> facets;

    [[nodiscard]] const Body& body() const;
    [[nodiscard]] std::size_t bytes() const { return bytes_; }  // of that text, about
    [[nodiscard]] std::size_t size() const override { return rows.size(); }
    [[nodiscard]] Named name_of(std::size_t index) const override {
        return {rows[index]->trip.id, rows[index]->row_version()};
    }
    [[nodiscard]] json::Value read(std::size_t index, api::Members members) const override {
        return rows[index]->row(members);
    }

  private:
    const std::size_t bytes_;
    mutable std::once_flag made_;
    mutable Body body_;
};

}  // namespace svc::catalog::trips
