// The actions of customer records.
#pragma once

#include "shared/hooks/hooks.hpp"

namespace svc::customers {

inline const hooks::Action customer_created{
    "svc_customer_created",
    "A customer record was created: by the first booking of an address, by registration or by staff.",
    {"customer_id"}};
inline const hooks::Action customer_updated{"svc_customer_updated",
                                            "A customer record changed: by staff, its account holder, a merge or an "
                                            "erasure, or a booking filled in missing data,"
                                            " or a user was linked.",
                                            {"customer_id"}};

inline void declare_hooks(hooks::Hooks& hooks) {
    hooks.declare(customer_created);
    hooks.declare(customer_updated);
}

}  // namespace svc::customers
