// Shared parts of the pages that list trips.
#pragma once

#include "base/website/views/cards.hpp"

namespace svc::pages {

// Fills the model with the requested trips. `fixed`: the kind of class that the page represents, and
// its slug; empty: none. `path` is the page's own. `sight`: of the first cards.
void list_trips(const Views& views, PageRequest& visit, View& view, std::string_view fixed,
                const std::string& fixed_slug, const std::string& path, Sight sight);
// The fields of the search, as settings show them. `now`: the present choice.
json::Value search_json(const Views& views, const PageRequest& visit, const json::Value& facets, const Pairs& now);
// JSON-LD of names and paths, the first page first.
json::Value breadcrumbs(const Views& views, const std::vector<std::pair<std::string, std::string>>& places);

}  // namespace svc::pages
