// Whether a caller's account has a proven address. Until then it owns nothing: no booking, no application password.
#pragma once

#include "shared/api/permission.hpp"

namespace svc::identity {

inline bool is_proven(const api::Caller& caller) { return caller.is_user() && !caller.email.empty(); }

}  // namespace svc::identity
