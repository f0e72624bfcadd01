// Parts of pages that are remembered by the interface's answers: cards of trips, and answers as a whole.
#pragma once

#include <cstdint>
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
    std::vector<std::shared_ptr<KeptPart>> cards;  // the list; of each, `brief` is {entry, has_picture}
    std::vector<json::Value> rows;  // the data of the cards without a remembered text; null for the others
};

// Asks the interface for trips; `path` is below the namespace.
Listed list_of_trips(const Views& views, Visit& visit, const std::string& path);
// An answer as the part of that name.
struct Known {
    Answered answer;                 // without its body, where its text was shown before
    std::shared_ptr<KeptPart> part;  // null: refused
    // The answer's data; parses it at the first call.
    [[nodiscard]] json::Value data() const;
};
// Calls the interface; parses only an unknown answer and stores its `brief` in the part.
Known known_answer(const Views& views, Visit& visit, const std::string& path, const std::string& name,
                   const std::string& made_with, json::Value (*brief)(const json::Value& data));
// Adds one value to the model under that name, remembered as a whole: made when the template needs it, with `count` 0
// nothing.
templates::Later& add_later(View& view, const std::string& name, const std::shared_ptr<KeptPart>& part,
                            std::size_t count, std::function<json::Value()> make);
// Where a list's pictures are when the page opens: below the window; in view behind a larger picture; first in view.
enum class Sight : std::uint8_t { below, behind, leading };
// Adds the cards to the model under that name, at most so many. Templates ask of each whether it is `in_view`, to load
// its picture at once, and whether it `leads`, to load it before others. `visit` lives until the page is rendered.
void add_cards(const Views& views, Visit& visit, View& view, const std::string& name, Listed listed, Sight sight,
               std::size_t most = SIZE_MAX);
// The same for cards and tiles that are there already.
void place_pictures(json::Value& list, Sight sight);
// How wide the cards' pictures of that layout are, for an <img>; `column`: on a wide screen.
std::string card_sizes(std::string_view layout, std::string_view column);
void leave_out(Listed& listed, const json::Value& trip_id);
// JSON-LD of the trips in their order.
std::string item_list(const Listed& listed);

}  // namespace svc::pages
