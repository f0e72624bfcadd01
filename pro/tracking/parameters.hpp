// What the operator lets events tell a partner besides the usual: parameters of Meta, custom dimensions of Google. Each
// has a name of the operator's and one of the facts below; none of them names or describes a person.
#pragma once

#include "pro/common/site.hpp"
#include "pro/tracking/repository.hpp"

namespace svc::pro::tracking {

// Google takes 25 parameters an event, of which ours leave this many; Meta says no number.
inline constexpr std::size_t most_parameters = 10;

// What a parameter can tell. pro/pages/tracking.js tells the same in browsers.
const std::vector<std::string>& parameter_facts();
// The setting's type: name of the parameter to what it tells.
api::Type parameters_type();
// The fault at `field`.NAME of a name that a partner does not take, or that is one of ours.
Result<void> check_parameters(std::string_view field, const json::Value& parameters);
// As the settings say, without what a check refuses. Any thread.
json::Value parameters_now(const Site& site, const Partner& partner);
// Their values for an event about the booking; facts that it does not have are left out. Pure.
json::Value parameter_values(const json::Value& parameters, const BookedTrip& booking, Instant occurred_at);

}  // namespace svc::pro::tracking
