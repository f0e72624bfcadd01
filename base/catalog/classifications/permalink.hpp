// Addresses of pages.
#pragma once

#include <string>

#include "base/catalog/classifications/classification.hpp"
#include "base/catalog/classifications/hooks.hpp"

namespace svc::catalog::classifications {

// The site's own address, and the first part below it of each kind's pages.
struct Bases {
    std::string site, destination = "destination", activity = "activity", category = "trip-category";
};
// Where the page of one of a kind that has pages is, listeners asked.
std::string permalink_of(Type type, std::int64_t id, const std::string& slug, const Bases& bases,
                         const hooks::Hooks& hooks);

}  // namespace svc::catalog::classifications
