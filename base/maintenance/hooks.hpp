// Actions of the operator's tools.
#pragma once

#include "shared/hooks/hooks.hpp"

namespace svc::maintenance {

inline const hooks::Action clear_cache{
    "svc_clear_cache",
    "Staff cleared caches. `group` is empty for all of them; `id` is the key or its beginning, or null.",
    {"group", "id"}};

inline void declare_hooks(hooks::Hooks& hooks) { hooks.declare(clear_cache); }

}  // namespace svc::maintenance
