// The SQL of the sample catalogue: the created rows and the classifications.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "shared/store/store.hpp"

namespace svc::samples::rows {

// Throws store::UniqueViolation for a row that is remembered already.
void remember(store::Transaction& tx, const std::string& kind, std::int64_t id, Instant now);
void forget(store::Transaction& tx, const std::string& kind, std::int64_t id);
std::vector<std::int64_t> remembered(store::Session& session, const std::string& kind);
std::optional<Instant> import_date(store::Session& session);
// How far a load that goes on after an interruption is, and with which trip; remember_step throws
// store::UniqueViolation too.
void remember_step(store::Transaction& tx, std::int64_t step, std::int64_t trip_id, Instant now);
std::map<std::int64_t, std::int64_t> steps(store::Session& session);  // step, trip
void forget_steps(store::Transaction& tx);

// Whether that customer was made at that very moment.
bool is_new_customer(store::Session& session, std::int64_t id, Instant now);
// The payments of a booking and their refunds.
void forget_money(store::Transaction& tx, std::int64_t booking_id);
// Skips a user's own rows and those with bookings.
void remove_idle_customer(store::Transaction& tx, std::int64_t id);
// The trip's bookings are counted again by the next turn of that job.
void recount(store::Transaction& tx, std::int64_t trip_id);

// The rows that belong to a trip.
struct Dates {
    std::int64_t departures = 0, rules = 0;
};
Dates dates_of(store::Session& session, std::int64_t trip_id);

// The id of a classification by its type and slug.
std::optional<std::int64_t> classification(store::Session& session, const std::string& type, const std::string& slug);
// The type of one.
std::optional<std::string> type_of(store::Session& session, std::int64_t id);

}  // namespace svc::samples::rows
