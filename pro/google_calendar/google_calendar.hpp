// The words of the module google_calendar: states of the connection, kinds of calendars and events, errors.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "shared/core/error_codes.hpp"

namespace svc::pro::google_calendar {

inline constexpr std::string_view module_slug = "google_calendar";
inline constexpr std::string_view capability = "manage_svc";
inline constexpr std::string_view sync_job = "google_calendar_sync";

inline constexpr ErrorCode not_connected{"google_calendar_not_connected", 409, "Google Calendar is not connected."};

namespace state {
inline constexpr std::string_view off = "off", connected = "connected", reconnect = "reconnect", leaving = "leaving";
}

// own: a calendar that we make, and the right to no other one. existing: a calendar of the account.
namespace calendar_kind {
inline constexpr std::string_view own = "own", existing = "existing";
}

// Why the connection does not work. `revoked`: Google refuses the refresh token. `client`: it refuses client id and
// secret, or they were changed. `calendar_gone`: the calendar was deleted.
namespace problem {
inline constexpr std::string_view revoked = "revoked", client = "client", calendar_gone = "calendar_gone";
}

// What an event shows.
struct Subject {
    std::string kind;  // departure, booking; empty: none
    std::int64_t id = 0;
    friend bool operator==(const Subject&, const Subject&) = default;
};
inline constexpr std::string_view departure_kind = "departure", booking_kind = "booking";

}  // namespace svc::pro::google_calendar
