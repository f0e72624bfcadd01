// Addresses of pages.
#pragma once

#include <string>

#include "base/catalog/classifications/classification.hpp"
#include "base/catalog/classifications/hooks.hpp"

namespace svc::catalog::classifications {

// Where the page of one of a kind that has pages is, listeners asked; below `site`, the site's own address.
std::string permalink_of(Type type, std::int64_t id, const std::string& slug, const std::string& site,
                         const hooks::Hooks& hooks);

}  // namespace svc::catalog::classifications
