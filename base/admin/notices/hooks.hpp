// The hooks of notices, counters and usage reports.
#pragma once

#include "shared/hooks/hooks.hpp"

namespace svc::notices {

inline const hooks::Filter notices_filter{
    "svc_notices",
    "Notices for a user of the admin, before those that the user dismissed are removed. A notice with the same id"
    " replaces one; others are added. `since` is when its cause last came up: a dismissed one comes back with a newer"
    " one.",
    json::Kind::array,
    {"user_id"},
    R"([{"id":"","type":"warning","title":"","message":"","actions":null,"since":null,"dismissible":true}])"};

inline const hooks::Action section_seen{
    "svc_admin_mark_seen",
    "A user of the admin has opened a section, so that its counter of new records begins again.",
    {"user_id", "section"}};

inline void declare_hooks(hooks::Hooks& hooks) {
    hooks.declare(notices_filter);
    hooks.declare(section_seen);
}

}  // namespace svc::notices
