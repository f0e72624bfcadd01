// Reads of trips.
#include "base/catalog/trips/editor/service.hpp"

#include "base/catalog/trips/public/search_rows.hpp"
#include "base/platform/store/changes.hpp"

namespace svc::catalog::trips {

Service::Service(Needs needs)
    : needs_(std::move(needs)),
      showing_{needs_.parts, [this](std::string_view filter) { return needs_.hooks.filtered(filter); },
               needs_.trip_address},
      shown_(needs_.store, needs_.hooks, showing_),
      views_(needs_.store, needs_.clock, [this](Instant now) { return needs_.settings.zone().date_at(now); }),
      editor_(needs_, showing_, shown_),
      lifecycle_(needs_, showing_, shown_, editor_),
      history_(needs_, editor_) {}

void Service::set_sales(store::Transaction& tx, std::int64_t trip_id, const TripSales& sales) {
    if (rows::set_sales(tx, trip_id, sales))
        store::touch(tx, channel);
}

void Service::set_rating(store::Transaction& tx, std::int64_t trip_id, const TripRating& rating) {
    if (rows::set_rating(tx, trip_id, rating))
        store::touch(tx, channel);
}

std::shared_ptr<const Trip> Service::published(std::int64_t id) const {
    const Shown shown = shown_.published(id);
    return shown ? std::shared_ptr<const Trip>(shown, &shown->trip) : nullptr;
}

Result<Trip> Service::find(std::int64_t id) const {
    return needs_.store.reading<Result<Trip>>([&](store::Session& session) { return find(session, id); });
}

Result<Trip> Service::find(store::Session& session, std::int64_t id) { return find_trip(session, id); }

std::optional<std::int64_t> Service::version(std::int64_t id) const {
    const auto trip = find(id);
    return trip ? std::optional(trip->row_version) : std::nullopt;
}

bool Service::any(store::Session& session) { return rows::any(session); }

std::vector<Whole> Service::whole(store::Session& session, std::vector<Trip> trips, Members members) const {
    return with_members(session, std::move(trips), needs_.parts, members);
}

Whole Service::whole(store::Session& session, Trip trip, Members members) const {
    std::vector<Trip> one;
    one.push_back(std::move(trip));
    return std::move(whole(session, std::move(one), members).front());
}

Result<Whole> Service::read(std::int64_t id) const {
    return needs_.store.reading<Result<Whole>>([&](store::Session& session) -> Result<Whole> {
        SVC_ASSIGN_OR_RETURN(auto trip, find(session, id));
        return whole(session, std::move(trip));
    });
}

Service::Listed Service::list(const TripQuery& query) const {
    return needs_.store.reading<Listed>([&](store::Session& session) {
        if (query.search.empty())
            return Listed{whole(session, rows::list(session, query), Members::of_rows), rows::count(session, query)};
        const auto found = rows::search(session, search_query(query.search), query);
        return Listed{whole(session, rows::find_all(session, found.ids), Members::of_rows), found.total};
    });
}

Service::ItineraryTerms Service::itinerary_terms() const {
    return needs_.store.reading<ItineraryTerms>([](store::Session& session) {
        return ItineraryTerms{rows::things(session, "item_type"), rows::things(session, "item")};
    });
}

TripCounts Service::counts() const {
    return needs_.store.reading<TripCounts>([](store::Session& session) { return rows::counts(session); });
}

}  // namespace svc::catalog::trips
