// The SQL of recurring rules that are written.
#pragma once

#include <vector>

#include "base/sales/availability/record/rule_record.hpp"

namespace svc::availability::rows {

// Departures of a rule from that day on, with its seats and those taken; `of_rule` is left to the caller.
std::vector<ExtraSeats> seats_of_rule(store::Session& session, std::int64_t rule_id, Date first);
std::int64_t insert_rule(store::Transaction& tx, const Rule& rule, const record::Writer& writer);
// False when the row is missing or has another row_version.
bool update_rule(store::Transaction& tx, const Rule& rule, const record::Writer& writer);
// Gives the rule's departures from that day on the guide `after`, where they had `before`, as the rule did.
void hand_over(store::Transaction& tx, const Rule& before, const Rule& after, Date first, const record::Writer& writer);
// Its departures remain, with the trip's prices where they have none. False when it does not exist.
bool remove_rule(store::Transaction& tx, std::int64_t id, std::optional<std::int64_t> user_id, Instant now);

}  // namespace svc::availability::rows
