// What may be changed about signing in.
#pragma once

#include "shared/hooks/hooks.hpp"

namespace svc::identity {

inline const hooks::Filter user_allowed_to_login{"svc_user_allowed_to_login",
                                                 "3.0.0",
                                                 "Whether this user may sign in, once the password has matched.",
                                                 json::Kind::boolean,
                                                 {"user_id"}};
inline const hooks::Filter login_redirect_url{
    "svc_login_redirect_url", "3.0.0", "Where a client goes after signing in.", json::Kind::string, {"user_id"}};

inline void declare_hooks(hooks::Hooks& hooks) {
    hooks.declare(user_allowed_to_login);
    hooks.declare(login_redirect_url);
}

}  // namespace svc::identity
