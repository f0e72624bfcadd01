// Messages to endpoints: the envelope of an event, the fields that an endpoint chose, and their text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "shared/core/date.hpp"
#include "shared/json/value.hpp"

namespace svc::pro::webhooks {

inline constexpr std::string_view api_version = "v1";
inline constexpr std::size_t most_bytes = 20'000;  // of a message

// id, type, timestamp, api_version, occurred_at, data. `timestamp` and `occurred_at` are the same moment.
json::Value envelope(std::string_view uid, std::string_view event_key, Instant at, json::Value data);
bool is_of_envelope(std::string_view name);

// The data of an automation event: its payload without key, time and whatever has the name of a secret.
json::Value data_of(const json::Value& payload);

// The envelope with the chosen paths of its data alone, and with the additional members. Data that would make the
// message too long is cut to the ids of its records, with "truncated": true.
std::string message_of(const json::Value& envelope, const std::vector<std::string>& selected_fields,
                       const json::Value& additional);

// [{"path": "data.booking.id", "sample": 12}, …] of all values that are no objects.
json::Value paths_of(const json::Value& envelope);

}  // namespace svc::pro::webhooks
