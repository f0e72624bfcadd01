// The tables of docs/ that are made from this build's declarations.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "base/app/assembly.hpp"

namespace svc::app {

// The names of all that is declared so far.
using Names = std::set<std::string, std::less<>>;
Names names_of(Assembly& parts);

// A page of hooks, errors, settings, routes, jobs, mails or transitions as Markdown, or the OpenAPI document
// ("openapi") as JSON. Names missing in `base`, which names_of() returned before the plugin was attached, are marked
// [Pro]. Throws std::runtime_error for another kind.
std::string catalogue_of(Assembly& parts, const Names& base, std::string_view kind);

}  // namespace svc::app
