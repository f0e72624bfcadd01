// Statements on attribute values of trips.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/catalog/attributes/value.hpp"
#include "shared/store/store.hpp"

namespace svc::catalog::attributes::rows {

std::optional<Definition> definition(store::Session& session, std::int64_t id);
std::vector<Definition> definitions(store::Session& session);  // all, by their ids
// Attributes that are published and shown on pages or in filters, as cached in memory.
std::vector<std::int64_t> shown_ids(store::Session& session);

struct AttributeValue {
    std::int64_t trip_id = 0;
    Definition attribute;
    json::Value value;
    std::optional<Instant> created_at = {}, updated_at = {};  // empty for values stored before these columns existed
};
// In the attributes' order, trip by trip.
void each(store::Session& session, std::span<const std::int64_t> trip_ids,
          const std::function<void(AttributeValue)>& take);
bool has_value(store::Session& session, std::int64_t trip_id, std::int64_t attribute_id);
bool has_values(store::Session& session, std::int64_t attribute_id);
// Published required attributes without a value on the trip, with their names.
std::vector<std::pair<std::int64_t, std::string>> missing(store::Session& session, std::int64_t trip_id);
// Trips of any status with a value for the attribute.
std::vector<std::int64_t> trips_saying(store::Session& session, std::int64_t attribute_id);
bool has_media(store::Session& session, std::int64_t id);

void put(store::Transaction& tx, std::int64_t trip_id, std::int64_t attribute_id, const Typed& typed, Instant now);
// Copies the values of one trip to another, which has none yet.
void copy(store::Transaction& tx, std::int64_t from_trip_id, std::int64_t to_trip_id, Instant now);
bool remove(store::Transaction& tx, std::int64_t trip_id, std::int64_t attribute_id);
// All but these.
void remove_others(store::Transaction& tx, std::int64_t trip_id, std::span<const std::int64_t> attribute_ids);

// Distinct values of published trips with their counts, the most frequent first.
std::vector<std::pair<json::Value, std::int64_t>> value_counts(store::Session& session, std::int64_t attribute_id,
                                                               int most);

}  // namespace svc::catalog::attributes::rows
