// Published trips in memory with their JSON, so that the public catalogue is answered without the database.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/catalog/trips/wire.hpp"
#include "shared/hooks/hooks.hpp"
#include "shared/store/store.hpp"

namespace svc::catalog::trips {

// A body as it goes out. The tag depends on the content alone, so that all nodes give the same.
struct Body {
    std::shared_ptr<const std::string> text;
    std::string etag;  // quoted
};

// A trip that everyone may read: published, or archived and then reached by its address alone. Immutable.
struct ShownTrip {
    Trip trip;
    Money price;         // as displayed
    std::string search;  // title and descriptions, folded
    Body body;           // the whole envelope
    std::string row;     // the trip's JSON in lists
};
using Shown = std::shared_ptr<const ShownTrip>;

struct PublicQuery {
    std::int64_t page = 1, per_page = 20;
    std::string order_by = "created_at";  // title, price, duration
    bool ascending = false;
    std::string search = {};
    std::string trip_type = {};
    std::optional<std::string> min_price, max_price;  // decimals, compared with the displayed price
    [[nodiscard]] bool filters() const { return !search.empty() || !trip_type.empty() || min_price || max_price; }
};

struct PublicPage {
    Body body;
    std::int64_t total = 0;
};

class Snapshot;

// Any thread. Readers take an immutable snapshot and never wait for a writer's work on the database.
class PublicTrips {
  public:
    PublicTrips(store::Store& store, const hooks::Hooks& hooks, const Showing& showing);
    ~PublicTrips();
    PublicTrips(const PublicTrips&) = delete;
    PublicTrips& operator=(const PublicTrips&) = delete;

    // All trips anew, filters of hooks included: at the start and when the filters may answer otherwise.
    void load();
    // One trip as the database has it now; called after the commit of a write and before its answer.
    void refresh(std::int64_t id);
    // Service whose version is another than the one in memory: what other processes changed.
    void reload_changed();

    [[nodiscard]] Shown published(std::int64_t id) const;  // null unless published
    [[nodiscard]] Shown by_slug(std::string_view slug) const;
    [[nodiscard]] PublicPage page(const PublicQuery& query) const;
    [[nodiscard]] std::size_t size() const;

  private:
    [[nodiscard]] std::shared_ptr<const Snapshot> snapshot() const;
    void swap_in(std::shared_ptr<const Snapshot> next);
    [[nodiscard]] std::vector<Shown> show(store::Session& session, std::vector<Trip> trips) const;

    store::Store& store_;
    const hooks::Hooks& hooks_;
    const Showing& showing_;
    // One writer at a time, so that what is read later from the database also enters memory later.
    std::mutex writing_;
    mutable std::mutex swapping_;
    std::shared_ptr<const Snapshot> current_;
};

}  // namespace svc::catalog::trips
