// The searchable text of a trip, most important part first.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/catalog/trips/record/trip.hpp"

namespace svc::catalog::trips {

// Unfolded. `title` includes the slug; `more` is the summary and the text that the caller adds.
struct SearchText {
    std::string title, more, body;
};
SearchText search_text(const Trip& trip, const std::string& more = {});
// Adds the texts of a member, a text or a list, one per line.
void add_texts(std::string& more, const json::Value& value);

// The distinct folded words of each part, separated by spaces; a word occurs only in its most important part.
struct SearchWords {
    std::string title, more, body;
    friend bool operator==(const SearchWords&, const SearchWords&) = default;
};
SearchWords words_of(const SearchText& text);

// User input as folded words: each matches a word or prefix, and all must match.
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
