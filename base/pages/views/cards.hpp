// Lists of trips as cards, remembered from the pages that showed them before.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/pages/kept_parts.hpp"
#include "base/pages/views/views.hpp"

namespace svc::pages {

// An answer of the interface with a list of trips.
struct Listed {
    Answered found;                                // its list is left out
    std::vector<std::shared_ptr<KeptPart>> cards;  // the list; of each, `extra` is its entry in an ItemList
    std::vector<json::Value> rows;                 // what card() reads of those that are made anew; null for the others
};

// Asks the interface for trips; `path` is below the namespace.
Listed list_of_trips(const Views& views, Visit& visit, const std::string& path);
// Adds the cards to the model under that name, at most so many.
void add_cards(const Views& views, const Visit& visit, View& view, const std::string& name, Listed listed,
               std::size_t most = SIZE_MAX);
void leave_out(Listed& listed, const json::Value& trip_id);
// JSON-LD of the trips in their order.
std::string item_list(const Listed& listed);

}  // namespace svc::pages
