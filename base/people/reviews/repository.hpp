// Statements of reviews besides those of their records.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "base/catalog/trips/editor/service.hpp"
#include "shared/core/date.hpp"
#include "shared/store/store.hpp"

namespace svc::reviews {

// The author of a review of one trip, new or existing.
struct Author {
    std::string key = {};  // "u:7" of an account, "m:ada@example.org" of an author without one
    std::string name = {}, email = {};
    std::optional<std::int64_t> user_id = {}, customer_id = {}, booking_id = {};
};

class Repository {
  public:
    // The approved reviews of a trip, counted. Holds the trip's row until the transaction ends, so that of two changes
    // at once the later one counts both.
    static catalog::trips::TripRating rating_of(store::Transaction& tx, std::int64_t trip_id);
    // How many approved reviews have one star, two, …
    static std::array<std::int64_t, 5> distribution(store::Session& session, std::int64_t trip_id);
    [[nodiscard]] static bool has_trip(store::Session& session, std::int64_t trip_id);

    // The account's own booking of the trip that is over; `today` is the site's.
    static std::optional<std::int64_t> journey_of(store::Session& session, std::int64_t user_id, std::int64_t trip_id,
                                                  Date today);
    // The name and the customer record of an account.
    static Author account(store::Session& session, std::int64_t user_id);
    // The review of the trip that this person wrote, by account, address or booking; the address is compared folded.
    static std::optional<std::int64_t> written_by(store::Session& session, std::int64_t trip_id, const Author& author);
    static void set_moderated(store::Transaction& tx, std::int64_t id, std::optional<std::int64_t> user_id,
                              Instant now);
    static void set_replied(store::Transaction& tx, std::int64_t id, std::optional<std::int64_t> user_id,
                            std::optional<Instant> now);

    struct Overall {
        std::int64_t this_month = 0, approved = 0, stars = 0;
    };
    static Overall overall(store::Session& session, Instant month_began);

    // Completed bookings without a review request, the oldest first.
    static std::vector<std::int64_t> to_ask(store::Session& session, Instant since, Instant until, std::int64_t most);
    // False: it was requested meanwhile.
    static bool claim_request(store::Transaction& tx, std::int64_t booking_id, Instant now);

    // Deletes a person's reviews; returns the trips and the number of rows.
    struct Removed {
        std::vector<std::int64_t> trip_ids = {};
        std::int64_t rows = 0;
    };
    static Removed remove_of(store::Transaction& tx, std::string_view email, std::int64_t user_id);
    static std::vector<std::int64_t> ids_of(store::Session& session, std::string_view email, std::int64_t user_id);
};

}  // namespace svc::reviews
