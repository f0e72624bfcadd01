// Limits guides to the departures that they guide, with the bookings, travelers and payments of those (docs/rules.md).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "shared/api/permission.hpp"

namespace svc::api {

// The id of a caller who sees only the departures that they guide: guides may neither view customers nor edit bookings
// and departures. Empty for a caller who sees all departures. Any thread.
inline std::optional<std::int64_t> guided_by(const Caller& caller) {
    constexpr std::array beyond{"svc_view_customers",   "svc_create_bookings",       "svc_edit_bookings",
                                "svc_delete_bookings",  "svc_change_booking_status", "svc_refund_bookings",
                                "svc_manage_departures"};
    const bool sees_all =
        std::any_of(beyond.begin(), beyond.end(), [&](const char* right) { return caller.can(right); });
    return sees_all ? std::nullopt : std::optional(caller.user_id);
}

// Whether the caller may read bookings at all: all of them, or those that they guide.
inline bool may_read_bookings(const Caller& caller) {
    constexpr std::array rights{"svc_view_bookings",   "svc_create_bookings",       "svc_edit_bookings",
                                "svc_delete_bookings", "svc_change_booking_status", "svc_refund_bookings"};
    return std::any_of(rights.begin(), rights.end(), [&](const char* right) { return caller.can(right); });
}

}  // namespace svc::api
