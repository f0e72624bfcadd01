// The settings that prices go by.
#pragma once

#include "base/pricing/terms.hpp"
#include "base/settings/settings.hpp"

namespace svc::pricing {

void declare_settings(settings::Settings& settings);

// What they say now. `module_on` tells whether a module is.
Terms terms_of(const settings::Settings& settings, const std::function<bool(std::string_view)>& module_on,
               const TermsFor& what, Instant now);

}  // namespace svc::pricing
