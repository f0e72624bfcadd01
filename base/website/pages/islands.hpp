// The scripts that improve pages in the browser: base/web/website, one bundle each.
#pragma once

#include <string>
#include <string_view>

#include "shared/json/value.hpp"

namespace svc::pages {

// Paths of the scripts that the page of this template loads, that of every page first; empty in a build without
// bundles. Any thread.
json::Value scripts_of(std::string_view page);
// Path of one of them by its name in base/web/website; empty in a build without bundles.
std::string script_of_site(std::string_view name);

}  // namespace svc::pages
