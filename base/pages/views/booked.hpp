// One booking as pages show it.
#pragma once

#include "base/pages/views/views.hpp"

namespace svc::pages {

// `root`: the page's own path, below which its documents lie.
json::Value booked_json(const Views& views, Visit& visit, const json::Value& booking, const std::string& root);
// voucher, itinerary, invoice, calendar.
View document_of(Visit& visit, const json::Value& booking, const std::string& kind, const std::string& host);
// Leads to the gateway; with a sentence in `fault` it did not.
View pay_rest(Visit& visit, const json::Value& booking, const std::string& back, const std::string& site,
              std::string& fault);

}  // namespace svc::pages
