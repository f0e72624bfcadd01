// What pages tell tags, as svc_pages.h says: made only for visitors who allow one.
#pragma once

#include "base/website/views/views.hpp"

namespace svc::pages {

// `trip`: as /trips/public or /booking/trip tells of it.
void add_view_facts(const PageRequest& visit, const json::Value& trip, View& view);
// `quote`: of the checkout's session, or null.
void add_begin_facts(const PageRequest& visit, const json::Value& trip, const json::Value& quote, View& view);
// Of a booking that is confirmed or on which something is paid; once per booking.
void add_purchase_facts(const Views& views, const PageRequest& visit, const json::Value& booking, View& view);
// The field tracking_consent of /booking/create; null: nothing was allowed.
json::Value consent_body(const PageRequest& visit);

}  // namespace svc::pages
