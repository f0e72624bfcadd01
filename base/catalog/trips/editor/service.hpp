// Public and staff's reads of trips, and access to the writers.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "base/catalog/trips/editor/editor.hpp"
#include "base/catalog/trips/editor/history.hpp"
#include "base/catalog/trips/editor/lifecycle.hpp"
#include "base/catalog/trips/editor/views.hpp"
#include "base/catalog/trips/public/read_model.hpp"
#include "base/catalog/trips/record/repository.hpp"

namespace svc::catalog::trips {

// Any thread.
class Service {
  public:
    explicit Service(Needs needs);
    // One more, after those that are there. Before the routes are made. [start-up]
    void add_part(std::shared_ptr<const Part> part) { needs_.parts.push_back(std::move(part)); }
    Service(const Service&) = delete;
    Service& operator=(const Service&) = delete;

    // Writes trips.
    [[nodiscard]] Editor& editor() { return editor_; }
    [[nodiscard]] Lifecycle& lifecycle() { return lifecycle_; }
    [[nodiscard]] History& history() { return history_; }
    [[nodiscard]] const History& history() const { return history_; }

    // The memory of published trips. Empty until its load().
    [[nodiscard]] PublicTrips& public_trips() { return shown_; }
    [[nodiscard]] const PublicTrips& public_trips() const { return shown_; }

    // From memory; null unless published now. The caller keeps it alive for as long as needed.
    [[nodiscard]] std::shared_ptr<const Trip> published(std::int64_t id) const;

    // Of any status, the trash included, from the database; trip_not_found.
    [[nodiscard]] Result<Trip> find(std::int64_t id) const;
    [[nodiscard]] static Result<Trip> find(store::Session& session, std::int64_t id);
    // The version of its row now; none where there is no such trip.
    [[nodiscard]] std::optional<std::int64_t> version(std::int64_t id) const;

    // Whether there is a trip of any status.
    [[nodiscard]] static bool any(store::Session& session);

    // With the members of parts. One question a part, however many trips.
    [[nodiscard]] std::vector<Whole> whole(store::Session& session, std::vector<Trip> trips, Members members) const;
    [[nodiscard]] Whole whole(store::Session& session, Trip trip, Members members = Members::all) const;
    [[nodiscard]] Result<Whole> read(std::int64_t id) const;
    [[nodiscard]] const Showing& showing() const { return showing_; }

    struct Listed {
        std::vector<Whole> trips;
        std::int64_t total = 0;
    };
    [[nodiscard]] Listed list(const TripQuery& query) const;
    [[nodiscard]] TripCounts counts() const;
    [[nodiscard]] Zone zone() const { return needs_.settings.zone(); }  // the site's, in which days are meant
    struct ItineraryTerms {
        std::vector<rows::NamedTerm> item_types, items;
    };
    [[nodiscard]] ItineraryTerms itinerary_terms() const;

    // Reads of published trips by everyone.
    [[nodiscard]] Views& views() { return views_; }
    // Stores totals that higher features counted; the caller calls public_trips().reload_changed() after the commit, as
    // other processes do. Not a write of the trip: its row_version stays.
    static void set_sales(store::Transaction& tx, std::int64_t trip_id, const TripSales& sales);
    static void set_rating(store::Transaction& tx, std::int64_t trip_id, const TripRating& rating);  // the same

    [[nodiscard]] hooks::Hooks& hooks() const { return needs_.hooks; }
    [[nodiscard]] bool asks(const hooks::Filter& filter) const { return needs_.hooks.filtered(filter.name); }

  private:
    Needs needs_;
    const Showing showing_;
    PublicTrips shown_;
    Views views_;
    Editor editor_;
    Lifecycle lifecycle_;
    History history_;
};

}  // namespace svc::catalog::trips
