// Addresses of the site's pages about the catalogue.
#pragma once

#include <functional>
#include <string>

#include "base/catalog/classifications/classification.hpp"
#include "base/catalog/classifications/hooks.hpp"
#include "base/settings/values/settings.hpp"

namespace svc::catalog::classifications {

void declare_settings(settings::Settings& settings);
// Rejects two kinds of pages with the same beginning; `get` returns the settings as they will be.
Result<void> check_bases(const std::function<json::Value(std::string_view key)>& get);

// First parts of the paths of pages.
struct Bases {
    std::string trip = "trip", destination = "destination", activity = "activity", trip_category = "trip-category";
};
// From the settings, after the filters.
Bases bases_of(const settings::Settings& settings, const hooks::Hooks& hooks);

// The address of a classification's page and of its trips, after the filters; relative to `site`, the site's address.
Places places_of(Type type, std::int64_t id, const std::string& slug, const std::string& site, const Bases& bases,
                 const hooks::Hooks& hooks);

}  // namespace svc::catalog::classifications
