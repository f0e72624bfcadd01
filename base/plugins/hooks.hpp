// Filters by which commands of the operator reach plugins.
#pragma once

#include "shared/hooks/hooks.hpp"

namespace svc::plugins {

inline const hooks::Filter sealed_renewal{
    "svc_sealed_renewal",
    "How many values were sealed again with the key in use, by svc key renew: plugins seal those of their own rows and"
    " add their number.",
    json::Kind::number,
    {}};

}  // namespace svc::plugins
