// Published trips in memory with their JSON, so that the public catalogue is answered without the database.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "base/catalog/trips/public/public_query.hpp"
#include "base/catalog/trips/record/shown_trip.hpp"
#include "base/catalog/trips/record/wire.hpp"
#include "base/platform/compression/bodies.hpp"
#include "shared/hooks/hooks.hpp"
#include "shared/store/store.hpp"

namespace svc::catalog::trips {

class Snapshot;

// The cached lists of a snapshot; keeps the snapshot alive.
struct Listings {
    std::shared_ptr<const Snapshot> at;
    [[nodiscard]] caches::Usage usage() const;
    void each(const std::function<void(std::string_view key, std::size_t bytes)>& take) const;
    std::int64_t forget(const std::function<bool(std::string_view key)>& fits) const;
    [[nodiscard]] caches::Tally& tally() const;
};

// Any thread. Readers use an immutable snapshot and never wait for database writes.
class PublicTrips {
  public:
    PublicTrips(store::Store& store, const hooks::Hooks& hooks, const Showing& showing);
    ~PublicTrips();
    PublicTrips(const PublicTrips&) = delete;
    PublicTrips& operator=(const PublicTrips&) = delete;

    // Sets the source of dates for filters; before the first request.
    void set_dates(TripDates dates) { dates_ = std::move(dates); }
    // Reports how many seconds each change took from reading the trips to answering with them; set before the first
    // request.
    void on_rebuild(std::function<void(double seconds)> rebuilt) { rebuilt_ = std::move(rebuilt); }

    // Reloads all trips and applies filters of hooks: at the start and when the filters may return other values.
    void load();
    // The same where their pages have moved since.
    void follow_address();
    // These trips as the database has them now; called after the commit of a write and before its answer.
    void refresh(std::span<const std::int64_t> ids);
    void refresh(std::int64_t id) { refresh(std::span(&id, 1)); }
    // Loads the trips that other processes changed: those of the change table whose version differs from the one in
    // memory.
    void reload_changed();
    // Takes over the trips whose dates begin at another price than is shown; see TripDates::from_price.
    void follow_prices();

    [[nodiscard]] Shown published(std::int64_t id) const;  // null unless published
    [[nodiscard]] Shown by_slug(std::string_view slug) const;
    // The trip that had this slug before; null when there is none.
    [[nodiscard]] Shown by_old_slug(std::string_view slug) const;
    [[nodiscard]] std::shared_ptr<const PublicPage> page(const PublicQuery& query) const;
    [[nodiscard]] std::size_t size() const;
    [[nodiscard]] compression::Bodies& bodies() const { return bodies_; }
    // The lists remembered now, for the list of caches.
    [[nodiscard]] Listings listings() const;
    void each_id(const std::function<void(std::int64_t id)>& take) const;  // of the trips in memory

  private:
    [[nodiscard]] std::shared_ptr<const Snapshot> snapshot() const;
    using OldSlugs = std::map<std::string, std::int64_t, std::less<>>;
    void swap_in(std::shared_ptr<const Snapshot> next);
    // Reads them when a slug differs from the one in `before`, which is rare.
    void follow_slugs(const Snapshot& before, std::span<const Draft> changed);
    void load_old_slugs();
    // With writing_ held: the next snapshot, with these trips as the database has them.
    template <class Read>
    void take_over(std::span<const std::int64_t> ids, Read read);
    // With writing_ held: the same, reading them on all processors.
    void take_over_many(std::span<const std::int64_t> ids);
    // Shows the prices at which their dates begin; outside of sessions.
    void price_by_dates(std::span<const Draft> trips) const;
    [[nodiscard]] Draft show(Whole whole, const Tree& tree, ClassNames& names) const;
    [[nodiscard]] std::vector<Draft> show(store::Session& session, std::vector<Trip> trips, ClassNames& names) const;
    [[nodiscard]] std::vector<Draft> read(store::Session& session, std::span<const std::int64_t> ids,
                                          ClassNames& names) const;

    store::Store& store_;
    const hooks::Hooks& hooks_;
    const Showing& showing_;
    TripDates dates_;
    mutable compression::Bodies bodies_;
    // One writer at a time, so that newer reads of the database also reach memory later.
    std::mutex writing_;
    std::mutex looking_;          // one check for foreign changes at a time
    std::int64_t looked_at_ = 0;  // the moment of the last one, of the table of trips
    std::string loaded_address_;  // that of the last load()
    std::function<void(double seconds)> rebuilt_;
    mutable std::mutex swapping_;
    std::shared_ptr<const Snapshot> current_;
    std::shared_ptr<const OldSlugs> old_slugs_;
};

}  // namespace svc::catalog::trips
