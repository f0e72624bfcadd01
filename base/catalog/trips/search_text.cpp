// Which of a trip's texts are searched, and their words.
#include "base/catalog/trips/search_text.hpp"

#include <unordered_set>

#include "shared/core/words.hpp"

namespace svc::catalog::trips {
namespace {

constexpr std::size_t most_words = 4'000;  // of a trip

}  // namespace

SearchText search_text(const Trip& trip) {
    return {.title = trip.title, .more = trip.summary + '\n' + trip.slug, .body = trip.description};
}

SearchWords words_of(const SearchText& text) {
    std::unordered_set<std::string> known;
    SearchWords words;
    const auto add = [&](const std::string& from, std::string& to) {
        text::each_word(from, [&](std::string_view word) {
            if (known.emplace(word).second) {
                if (!to.empty())
                    to += ' ';
                to += word;
            }
            return known.size() < most_words;
        });
    };
    add(text.title, words.title);
    add(text.more, words.more);
    add(text.body, words.body);
    return words;
}

SearchQuery search_query(std::string_view typed) { return text::search_words(typed, most_query_words); }

}  // namespace svc::catalog::trips
