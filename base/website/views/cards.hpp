// Parts of pages that are remembered by the data that memory holds: cards of trips, a trip, its dates.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/website/pages/card_sizes.hpp"
#include "base/website/pages/part_cache.hpp"
#include "base/website/views/views.hpp"

namespace svc::pages {

// An answer of the interface with a list of trips.
struct Listed {
    struct Card {
        std::int64_t trip_id = 0;
        std::shared_ptr<CachedPart> part;  // `brief` is {entry, has_picture}
        json::Value row = {};              // its data, if it was read; null: `index` says where it is
        std::size_t index = 0;             // in found.held
    };
    Answered found;
    std::vector<Card> cards;
};

// Asks the interface for trips; `path` is below the namespace.
Listed list_of_trips(const Views& views, PageRequest& visit, const std::string& path);
// An answer as a part of a page. Copies share the data.
struct Known {
    std::shared_ptr<CachedPart> part;               // null: refused
    std::shared_ptr<const api::Held> held = {};     // where the data is, unless it was read
    std::shared_ptr<const json::Value> value = {};  // the data, if it was read
    api::Members members = {};                      // of it that the page shows
    [[nodiscard]] std::shared_ptr<const json::Value> data() const;
};
// How a page takes an answer: the name of its part, what else decides how it looks, the members that are read, and what
// of them the page needs although the part was shown before.
struct Taking {
    std::string name, made_with;
    api::Members members = {};
    json::Value (*brief)(const json::Value& data);
};
// Calls the interface; reads only what was not shown before.
Known known_answer(const Views& views, PageRequest& visit, const std::string& path, const Taking& taking);
// Adds one value to the model under that name, remembered as a whole: made when the template needs it, with `count` 0
// nothing.
templates::Later& add_later(View& view, const std::string& name, const std::shared_ptr<CachedPart>& part,
                            std::size_t count, std::function<json::Value()> make);
// Where a list's pictures are when the page opens: below the window; in view behind a larger picture; first in view.
enum class Sight : std::uint8_t { below, behind, leading };
// Adds the cards to the model under that name, at most so many. Templates ask of each whether it is `in_view`, to load
// its picture at once, and whether it `leads`, to load it before others. `visit` lives until the page is rendered.
void add_cards(const Views& views, PageRequest& visit, View& view, const std::string& name, Listed listed, Sight sight,
               std::size_t most = SIZE_MAX);
// The same for cards and tiles that are there already.
void place_pictures(json::Value& list, Sight sight);
void leave_out(Listed& listed, const json::Value& trip_id);
// JSON-LD of the trips in their order.
std::string item_list(const Listed& listed);

}  // namespace svc::pages
