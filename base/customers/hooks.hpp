// What customer records tell.
#pragma once

#include "shared/hooks/hooks.hpp"

namespace svc::customers {

inline const hooks::Action customer_created{
    "svc_customer_created",
    "3.0.0",
    "An address has its first record, by its first booking. Not fired for bookings that find one.",
    {"customer_id"}};
inline const hooks::Action customer_updated{
    "svc_customer_updated",
    "3.0.0",
    "A record changed: a booking filled in what was blank, or it became a user's own.",
    {"customer_id"}};

inline void declare_hooks(hooks::Hooks& hooks) {
    hooks.declare(customer_created);
    hooks.declare(customer_updated);
}

}  // namespace svc::customers
