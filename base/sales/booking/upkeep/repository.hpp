// Rows of the work that the clock and the operator do on bookings.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "base/sales/booking/record/booking.hpp"
#include "base/sales/booking/record/sealing.hpp"
#include "shared/store/store.hpp"

namespace svc::booking {

// Ids, the oldest first. Candidates come in pages: those behind the last one seen.
class UpkeepRepository {
  public:
    struct Candidate {
        std::int64_t id = 0;
        Date travel_date;
        Instant created_at;
    };
    // Unpaid ones whose deadline is over; of those without one that is stored, all that became payable before `before`.
    static std::vector<std::int64_t> unpaid(store::Session& session, Instant since, Instant before, Instant now,
                                            std::int64_t most, std::int64_t offset = 0);
    // Unpaid ones by that gateway whose deadline lies between these moments; without one those made after `recent`.
    struct Owing {
        std::string_view gateway;
        Instant now, until, recent;
    };
    static std::vector<Candidate> owing(store::Session& session, const Owing& which,
                                        const std::optional<Candidate>& behind, std::int64_t most);
    static std::optional<std::int64_t> reminded_deadline(store::Session& session, std::int64_t id);
    static void note_reminder(store::Transaction& tx, std::int64_t id, std::int64_t days);
    static std::vector<Candidate> due_for_reminder(store::Session& session, Date today, Date last,
                                                   const std::optional<Candidate>& behind, std::int64_t most);
    static std::vector<std::int64_t> find_ended(store::Session& session, Date since, Date today, std::int64_t most);
    // False when another process was first.
    static bool claim_reminder(store::Transaction& tx, std::int64_t id, Instant now);

    // Merges counts that were added as bookings were written into fewer rows.
    static void add_up_counts(store::Transaction& tx);
    // Puts bookings made before that moment into the index that searches use, at most so many; returns how many.
    static std::int64_t index_search(store::Transaction& tx, Instant before, std::int64_t most);
    // Travelers with seats on departures with ids from `least` to `most`.
    static std::vector<Passenger> passengers(store::Session& session, std::int64_t least, std::int64_t most);

    // Encrypt answers stored before encryption existed, at most so many; return the number of rows read.
    static std::int64_t seal_travelers(store::Transaction& tx, const Sealing& sealing, std::int64_t most);
    static std::int64_t seal_bookings(store::Transaction& tx, const Sealing& sealing, std::int64_t most);
    // Seal with the key in use what another key sealed, of at most so many rows after `last`, which moves on; return
    // how many.
    static std::int64_t renew_travelers(store::Transaction& tx, const crypto::Keyring& keyring, std::int64_t most,
                                        std::int64_t& last);
    static std::int64_t renew_bookings(store::Transaction& tx, const crypto::Keyring& keyring, std::int64_t most,
                                       std::int64_t& last);
};

}  // namespace svc::booking
