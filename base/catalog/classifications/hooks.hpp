// What may be changed about the addresses of classifications' pages.
#pragma once

#include "shared/hooks/hooks.hpp"

namespace svc::catalog::classifications {

inline const hooks::Filter destination_permalink{"svc_destination_permalink",
                                                 "3.0.0",
                                                 "Where the page of a destination is.",
                                                 json::Kind::string,
                                                 {"destination_id", "slug"}};
inline const hooks::Filter activity_permalink{"svc_activity_permalink",
                                              "3.0.0",
                                              "Where the page of an activity is.",
                                              json::Kind::string,
                                              {"activity_id", "slug"}};
inline const hooks::Filter category_permalink{"svc_category_permalink",
                                              "3.0.0",
                                              "Where the page of a trip category is.",
                                              json::Kind::string,
                                              {"category_id", "slug"}};

inline void declare_hooks(hooks::Hooks& hooks) {
    for (const auto* filter : {&destination_permalink, &activity_permalink, &category_permalink})
        hooks.declare(*filter);
}

}  // namespace svc::catalog::classifications
