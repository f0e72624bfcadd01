// The routes that both modules have: their events and the log of what this server reported.
#pragma once

#include "pro/common/site.hpp"
#include "pro/tracking/catalogue.hpp"

namespace svc::pro::tracking {

// A route of the module for those who manage the site.
api::RouteSpec route(const Partner& partner, api::Method method, std::string path, std::string summary);

// Of the actions that try the partner: {"valid", "cause", "reason"}.
api::Type tested_type();

// Why something is not valid, or what of a valid one nobody could check.
namespace cause {
inline constexpr std::string_view none = "", form = "form", refused = "refused", no_secret = "no_secret",
                                  no_id = "no_id", unproven = "unproven";
}
// `reason`: a sentence, of `refused` in the partner's words.
json::Value tested(bool valid, std::string_view cause, std::string_view reason);
// A route that asks the partner, on the threads for that.
api::RouteSpec test_route(const Partner& partner, std::string path, std::string summary, api::Schema body);
// The partner gave no usable answer: 502, or 429 when it was asked too often from here.
Error unanswered(const Partner& partner, const Error& problem);
Error unanswered(const Partner& partner, std::string_view problem);

// `events`: GET, the events with their switches. `logs`: GET and DELETE.
void add_event_routes(const Site& site, const Partner& partner, const std::string& events, const std::string& logs);

}  // namespace svc::pro::tracking
