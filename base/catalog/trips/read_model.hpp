// Published trips in memory with their JSON, so that the public catalogue is answered without the database.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "base/catalog/trips/public_query.hpp"
#include "base/catalog/trips/shown_trip.hpp"
#include "base/catalog/trips/wire.hpp"
#include "shared/hooks/hooks.hpp"
#include "shared/store/store.hpp"

namespace svc::catalog::trips {

class Snapshot;

using OldSlugs = std::map<std::string, std::int64_t, std::less<>>;

// Any thread. Readers take an immutable snapshot and never wait for a writer's work on the database.
class PublicTrips {
  public:
    PublicTrips(store::Store& store, const hooks::Hooks& hooks, const Showing& showing);
    ~PublicTrips();
    PublicTrips(const PublicTrips&) = delete;
    PublicTrips& operator=(const PublicTrips&) = delete;

    // What filters ask of dates; before the first request.
    void ask_dates(TripDates dates) { dates_ = std::move(dates); }

    // All trips anew, filters of hooks included: at the start and when the filters may answer otherwise.
    void load();
    // These trips as the database has them now; called after the commit of a write and before its answer.
    void refresh(std::span<const std::int64_t> ids);
    void refresh(std::int64_t id) { refresh(std::span(&id, 1)); }
    // Trips whose version is another than the one in memory: what other processes changed.
    void reload_changed();

    [[nodiscard]] Shown published(std::int64_t id) const;  // null unless published
    [[nodiscard]] Shown by_slug(std::string_view slug) const;
    [[nodiscard]] Shown by_old_slug(std::string_view slug) const;  // the trip that had it, whatever its slug is now
    [[nodiscard]] PublicPage page(const PublicQuery& query) const;
    [[nodiscard]] std::size_t size() const;

  private:
    [[nodiscard]] std::shared_ptr<const Snapshot> snapshot() const;
    void swap_in(std::shared_ptr<const Snapshot> next);
    // The old slugs of these trips, or of all, as the database has them.
    void read_old_slugs(store::Session& session, std::span<const std::int64_t> ids);
    [[nodiscard]] Draft show(Whole whole, ClassNames& names) const;
    [[nodiscard]] std::vector<Draft> show(store::Session& session, std::vector<Trip> trips, ClassNames& names) const;
    [[nodiscard]] std::vector<Draft> read(store::Session& session, std::span<const std::int64_t> ids,
                                          ClassNames& names) const;

    store::Store& store_;
    const hooks::Hooks& hooks_;
    const Showing& showing_;
    TripDates dates_;
    // One writer at a time, so that what is read later from the database also enters memory later.
    std::mutex writing_;
    mutable std::mutex swapping_;
    std::shared_ptr<const Snapshot> current_;
    std::shared_ptr<const OldSlugs> old_slugs_;
};

}  // namespace svc::catalog::trips
