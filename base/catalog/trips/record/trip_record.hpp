// Trips as the database stores them, without their parts in other tables.
#pragma once

#include "base/catalog/trips/record/trip.hpp"
#include "shared/record/rows.hpp"

// The price that a row of trips is shown with (price_of), in minor units: where it is priced by categories, that of the
// default one, else of the cheapest that costs something.
#define SVC_EFFECTIVE_PRICE(table)                                                                     \
    "CASE WHEN " table ".discounted_price_minor > 0 THEN " table ".discounted_price_minor WHEN " table \
    ".sale_price_minor > 0 THEN " table ".sale_price_minor ELSE " table ".regular_price_minor END"
#define SVC_SHOWN_PRICE(trip) \
    "CASE WHEN " trip ".pricing_type = 'traveler_based' THEN COALESCE((SELECT one.price FROM (SELECT "      \
    SVC_EFFECTIVE_PRICE("offer") " AS price, offer.is_default FROM svc_trip_price_types AS offer"           \
    " WHERE offer.trip_id = " trip ".id) AS one WHERE one.price > 0 ORDER BY one.is_default DESC, one.price" \
    " LIMIT 1), 0) ELSE " SVC_EFFECTIVE_PRICE(trip) " END"

namespace svc::catalog::trips {

const record::Rows<Trip>& trip_record();

}  // namespace svc::catalog::trips
