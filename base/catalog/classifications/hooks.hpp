// Filters for the addresses of classifications' pages.
#pragma once

#include "shared/hooks/hooks.hpp"

namespace svc::catalog::classifications {

inline const hooks::Filter destination_permalink{
    "svc_destination_permalink", "Address of a destination's page.", json::Kind::string, {"destination_id", "slug"}};
inline const hooks::Filter activity_permalink{
    "svc_activity_permalink", "Address of an activity's page.", json::Kind::string, {"activity_id", "slug"}};
inline const hooks::Filter category_permalink{
    "svc_category_permalink", "Address of a trip category's page.", json::Kind::string, {"category_id", "slug"}};

inline const hooks::Filter permalink_bases{"svc_permalink_bases",
                                           "First path segments of pages: trip, destination, activity, trip_category.",
                                           json::Kind::object,
                                           {},
                                           R"({"trip": "", "destination": "", "activity": "", "trip_category": ""})"};
inline const hooks::Filter trip_listing_address{
    "svc_get_trip_listing_url", "Address of the trip listing.", json::Kind::string, {}};
inline const hooks::Filter archive_listing_address{
    "svc_build_archive_listing_url",
    "Address of the trip listing of a destination, activity or trip category.",
    json::Kind::string,
    {"taxonomy", "id", "slug"}};

inline void declare_hooks(hooks::Hooks& hooks) {
    for (const auto* filter : {&destination_permalink, &activity_permalink, &category_permalink, &permalink_bases,
                               &trip_listing_address, &archive_listing_address})
        hooks.declare(*filter);
}

}  // namespace svc::catalog::classifications
