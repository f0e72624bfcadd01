// What the event of a departure or a booking says, and by which id Google knows it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pro/google_calendar/configuration.hpp"

namespace svc::pro::google_calendar {

// What is to become of an event.
struct Plan {
    bool is_put = false;   // it is to be there as `event` says; otherwise it is not to be there
    bool is_over = false;  // its time is over: it is not made any more, and one that is there may still change
    json::Value event = {};
    std::string title, day;  // for people: what it is, and when
};

// Names of guides by the ids of their users.
using Guides = std::vector<std::pair<std::int64_t, std::string>>;

struct Basis {
    Wishes wishes;
    Zone zone;
    Date today;
    Guides guides = {};
    std::string admin_address = {};  // of the site's admin, without a slash at its end; empty: events have no links
};

// By views of the base alone. A subject that does not exist any more is removed.
Plan plan_of(store::Session& session, const Basis& basis, const Subject& subject);

// The id of the event in any calendar: the same after a reconnect, so that nothing appears twice. `uid` is that of the
// installation. Google takes the digits 0-9 and the letters a-v, five or more.
std::string event_id(const std::string& uid, const Subject& subject);

// Equal for events that are sent alike.
std::string fingerprint_of(const json::Value& event);

}  // namespace svc::pro::google_calendar
