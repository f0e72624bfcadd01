// The automation events: their names, triggers and payloads (spec 6.3).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>

#include "shared/json/value.hpp"

namespace svc::events_catalogue {

// Reads a booking as its own events have it; nothing: there is none.
using FindBooking = std::function<std::optional<json::Value>(std::int64_t booking_id)>;

struct Occurrence {
    std::int64_t subject_id = 0;                  // the booking's, or the account's
    json::Value payload = json::Value::object();  // without key and occurred_at
};

struct EventKind {
    std::string_view key;     // "booking.created"
    std::string_view action;  // the action that it follows
    std::string_view label;
    // Builds the event from the action's arguments; empty when the action is not that event this time. The booking
    // comes from the context, never from a positional number.
    std::optional<Occurrence> (*build)(const json::Array& arguments, const FindBooking& find);
};

// Some keys appear twice, with different actions that never report the same transition.
std::span<const EventKind> event_kinds();

}  // namespace svc::events_catalogue
