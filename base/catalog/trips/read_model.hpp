// Published trips in memory with their JSON, so that the public catalogue is answered without the database.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "base/catalog/trips/public_query.hpp"
#include "base/catalog/trips/shown_trip.hpp"
#include "base/catalog/trips/wire.hpp"
#include "base/platform/bodies/bodies.hpp"
#include "shared/hooks/hooks.hpp"
#include "shared/store/store.hpp"

namespace svc::catalog::trips {

class Snapshot;
struct TripVersion;

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
    // The trip that had this slug before; null when it is nobody's.
    [[nodiscard]] Shown by_old_slug(std::string_view slug) const;
    [[nodiscard]] PublicPage page(const PublicQuery& query) const;
    [[nodiscard]] std::size_t size() const;
    [[nodiscard]] bodies::Bodies& bodies() const { return bodies_; }

  private:
    [[nodiscard]] std::shared_ptr<const Snapshot> snapshot() const;
    using OldSlugs = std::map<std::string, std::int64_t, std::less<>>;
    void swap_in(std::shared_ptr<const Snapshot> next);
    // Reads them when a slug differs from what `before` has, which is seldom.
    void follow_slugs(const Snapshot& before, std::span<const Draft> changed);
    void load_old_slugs();
    [[nodiscard]] std::vector<TripVersion> differing(const Snapshot& known, std::vector<std::int64_t>& gone) const;
    [[nodiscard]] Draft show(Whole whole, const Tree& tree, ClassNames& names) const;
    [[nodiscard]] std::vector<Draft> show(store::Session& session, std::vector<Trip> trips, ClassNames& names) const;
    [[nodiscard]] std::vector<Draft> read(store::Session& session, std::span<const std::int64_t> ids,
                                          ClassNames& names) const;

    store::Store& store_;
    const hooks::Hooks& hooks_;
    const Showing& showing_;
    TripDates dates_;
    mutable bodies::Bodies bodies_;
    // One writer at a time, so that what is read later from the database also enters memory later.
    std::mutex writing_;
    mutable std::mutex swapping_;
    std::shared_ptr<const Snapshot> current_;
    std::shared_ptr<const OldSlugs> old_slugs_;
};

}  // namespace svc::catalog::trips
