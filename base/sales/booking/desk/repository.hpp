// Rows of the staff's lists: bookings, their counts and sums, travelers.
#pragma once

#include "base/sales/booking/desk/lists.hpp"
#include "shared/store/store.hpp"

namespace svc::booking {

// Sums over bookings made in a period, in one currency.
struct Totals {
    std::int64_t revenue_minor = 0, collected_minor = 0, this_month = 0, upcoming = 0;
};

class ListRepository {
  public:
    static Listed list(store::Session& session, const Filter& filter, const api::Page& page);
    // How many wait for a person, and how many hold money to be sent back; without the trash, of one guide or all.
    struct Waiting {
        std::int64_t attention = 0, refund = 0;
    };
    static Waiting waiting(store::Session& session, std::optional<std::int64_t> guide_id);
    static std::vector<Queued> queues(store::Session& session, const QueueFilter& filter, const api::Page& page,
                                      std::int64_t* total);
    static json::Value count_by_status(store::Session& session, const Filter& filter);
    static Totals totals(store::Session& session, const Filter& filter, std::string_view currency, Instant month_start,
                         Date today);
};

class TravelerListRepository {
  public:
    static std::vector<ListedTraveler> travelers(store::Session& session, const TravelerFilter& filter,
                                                 const api::Page& page, const Sealing* sealing = nullptr);
    static std::int64_t count(store::Session& session, const TravelerFilter& filter);
    static std::optional<ListedTraveler> traveler(store::Session& session, std::int64_t id,
                                                  const Sealing* sealing = nullptr);
    static void remove_traveler(store::Transaction& tx, std::int64_t id);
    static std::map<std::int64_t, Lists::Contact> contacts(store::Session& session,
                                                           const std::vector<std::int64_t>& booking_ids);
    // Trips that have bookings, by title.
    static std::vector<std::pair<std::int64_t, std::string>> booked_trips(store::Session& session, std::int64_t most);
};

}  // namespace svc::booking
