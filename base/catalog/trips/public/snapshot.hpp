// The published trips at one moment, in the orders they are listed in.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <mutex>
#include <span>
#include <vector>

#include "base/catalog/trips/public/chunks.hpp"
#include "base/catalog/trips/public/fact_rows.hpp"
#include "base/catalog/trips/public/public_filter.hpp"
#include "base/catalog/trips/public/public_query.hpp"
#include "base/catalog/trips/public/search_index.hpp"
#include "base/catalog/trips/record/renamed.hpp"
#include "base/catalog/trips/record/shown_trip.hpp"
#include "base/platform/caches/caches.hpp"

namespace svc::catalog::trips {

using Listing = std::shared_ptr<const PublicPage>;

// A cache of lists, limited in bytes: cleared when full. Any thread.
class RememberedPages {
  public:
    explicit RememberedPages(std::size_t most_bytes) : most_bytes_(most_bytes) {}
    [[nodiscard]] Listing find(const std::string& key) const;  // null: not there
    void put(std::string key, Listing page);
    // For the list of caches.
    void each(const std::function<void(std::string_view key, std::size_t bytes)>& take) const;
    std::int64_t forget(const std::function<bool(std::string_view key)>& fits);

  private:
    static std::size_t size_of(std::string_view key, const Listing& page);
    const std::size_t most_bytes_;
    mutable std::mutex mutex_;
    std::map<std::string, Listing, std::less<>> pages_;
    std::size_t bytes_ = 0;
};

// Immutable except for its cache of responses. Any thread. The next snapshot shares everything that did not change.
class Snapshot {
  public:
    Snapshot() = default;
    Snapshot(std::vector<Draft> trips, std::shared_ptr<const ClassNames> names,
             std::shared_ptr<caches::Tally> tally = std::make_shared<caches::Tally>());
    // A copy with trips replaced or added (by id), without those in `removed`.
    [[nodiscard]] std::shared_ptr<const Snapshot> with(std::span<const Draft> changed,
                                                       std::span<const std::int64_t> removed,
                                                       std::shared_ptr<const ClassNames> names) const;

    [[nodiscard]] Shown find(std::int64_t id) const;
    [[nodiscard]] Shown by_slug(std::string_view slug) const;
    [[nodiscard]] Listing page(const PublicQuery& query, const TripDates& dates) const;
    [[nodiscard]] std::size_t size() const { return by_id_.size(); }
    // The lists it remembers, for the list of caches; the count of look-ups goes over to the next snapshot.
    [[nodiscard]] caches::Usage usage() const;
    void each(const std::function<void(std::string_view key, std::size_t bytes)>& take) const;
    std::int64_t forget(const std::function<bool(std::string_view key)>& fits) const;
    [[nodiscard]] const std::shared_ptr<caches::Tally>& tally() const { return tally_; }
    void each(const std::function<void(const Shown&)>& take) const;
    [[nodiscard]] const std::shared_ptr<const ClassNames>& names() const { return names_; }
    // The classifications at the last check, shared by all snapshots derived from one another. For one caller at a
    // time.
    [[nodiscard]] ClassRows& classes() const { return *classes_; }

  private:
    // Owned by by_id_; copied often, so without a reference count.
    struct Place {
        const ShownTrip* shown;
        std::uint32_t slot;
        Place(const Shown& of) : shown(of.get()), slot(of->slot) {}  // NOLINT(google-explicit-constructor)
        const ShownTrip& operator*() const { return *shown; }
    };
    using Trips = Chunks<Shown, 256>;
    using Order = Chunks<Place, 256>;
    enum Key : std::uint8_t { created, title, price, duration, rating };
    static constexpr std::size_t keys = 5;
    [[nodiscard]] static bool before(Key key, const ShownTrip& a, const ShownTrip& b);  // the id last
    [[nodiscard]] static Key key_of(const std::string& order_by);

    void replace_one(const Shown& old, const Draft& fresh);
    void take_out(const Shown& old);
    void put_in(const Shown& fresh);
    [[nodiscard]] Listing unfiltered(const PublicQuery& query) const;
    [[nodiscard]] Listing filtered(const PublicQuery& query, const TripDates& dates) const;
    // The rows of the query's page.
    [[nodiscard]] std::vector<Shown> in_order(const PublicQuery& query, const SlotSet& fitting) const;
    [[nodiscard]] std::vector<Shown> ranked(const PublicQuery& query, const SlotSet& fitting,
                                            const std::vector<std::uint16_t>& scores) const;

    Trips by_id_, by_slug_;
    std::array<Order, keys> orders_;  // published ones alone
    SearchIndex index_;               // the same
    FactRows rows_;                   // the same
    std::vector<std::uint32_t> free_slots_;
    std::size_t slots_ = 0;
    std::shared_ptr<const ClassNames> names_ = std::make_shared<const ClassNames>();
    std::shared_ptr<ClassRows> classes_ = std::make_shared<ClassRows>();

    std::shared_ptr<caches::Tally> tally_ = std::make_shared<caches::Tally>();
    mutable RememberedPages pages_{std::size_t{8} << 20}, filtered_pages_{std::size_t{8} << 20};
};

}  // namespace svc::catalog::trips
