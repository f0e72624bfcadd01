// The SQL of the jobs of departures.
#pragma once

#include <optional>
#include <vector>

#include "base/sales/availability/record/departure.hpp"
#include "shared/store/store.hpp"

namespace svc::availability::rows {

struct Refreshed {
    std::int64_t past = 0, full = 0, upcoming = 0;
};
Refreshed refresh_statuses(store::Transaction& tx, Date today, Instant now);
// A departure whose count of booked seats is not the sum of its ledger.
struct Mismatch {
    std::int64_t departure_id = 0, booked = 0, ledger = 0;
};
std::vector<Mismatch> mismatches(store::Session& session, std::int64_t most);
// Sets the count from the ledger, locking the row; returns the departure. Empty when the ledger exceeds the capacity.
std::optional<Slot> repair(store::Transaction& tx, std::int64_t departure_id, Date today, Instant now);

}  // namespace svc::availability::rows
