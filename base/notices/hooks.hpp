// The filters of notices and usage reports.
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

inline void declare_hooks(hooks::Hooks& hooks) { hooks.declare(notices_filter); }

}  // namespace svc::notices
