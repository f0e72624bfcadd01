// What a search for trips looks in, best part first.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/catalog/trips/trip.hpp"

namespace svc::catalog::trips {

// As written. `title` has the slug too; `more` is the summary and what the caller adds to it.
struct SearchText {
    std::string title, more, body;
};
SearchText search_text(const Trip& trip, const std::string& more = {});
// Adds the texts of a member of open shape, a text or a list of them, each on a line of its own.
void add_texts(std::string& more, const json::Value& value);

// The distinct folded words of each part with blanks between them; a word stands in the best part it occurs in alone.
struct SearchWords {
    std::string title, more, body;
    friend bool operator==(const SearchWords&, const SearchWords&) = default;
};
SearchWords words_of(const SearchText& text);

// What a person typed, as folded words: each is looked for as a word or the beginning of one, and all must be found.
using SearchQuery = std::vector<std::string>;
inline constexpr std::size_t most_query_words = 16;
SearchQuery search_query(std::string_view typed);

// Calls `take(word)` for each word of a part.
template <class Take>
void each_part_word(std::string_view part, Take take) {
    while (!part.empty()) {
        const auto end = part.find(' ');
        take(part.substr(0, end));
        part.remove_prefix(end == std::string_view::npos ? part.size() : end + 1);
    }
}

}  // namespace svc::catalog::trips
