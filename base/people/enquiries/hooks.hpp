// Actions of enquiries.
#pragma once

#include "shared/hooks/hooks.hpp"

namespace svc::enquiries {

inline const hooks::Action enquiry_created{
    "svc_enquiry_created", "A visitor sent an enquiry. enquiry.trip has id, title and slug, or is null.", {"enquiry"}};
inline const hooks::Action enquiry_responded{"svc_enquiry_responded",
                                             "Staff responded to an enquiry. Not fired when its status is set by hand.",
                                             {"enquiry", "response"}};

inline void declare_hooks(hooks::Hooks& hooks) {
    hooks.declare(enquiry_created);
    hooks.declare(enquiry_responded);
}

}  // namespace svc::enquiries
