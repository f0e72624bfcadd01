// Which of a trip's texts are searched, and their words.
#include "base/catalog/trips/record/search_text.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "shared/core/words.hpp"

namespace svc::catalog::trips {
namespace {

constexpr std::size_t most_kept_words = 4'000;  // of a trip

// The words met so far: offsets into one text, found by open addressing, as this runs for each word of each trip.
class Met {
  public:
    explicit Met(std::size_t bytes) : places_(std::bit_ceil(std::min(bytes / 3, most_kept_words) * 2 + 64)) {
        text_.reserve(bytes);
    }
    [[nodiscard]] std::size_t size() const { return size_; }
    // False for a word met before.
    bool add(std::string_view word) {
        for (std::size_t at = std::hash<std::string_view>{}(word);; ++at) {
            Place& place = places_[at & (places_.size() - 1)];
            if (place.size == 0) {
                place = {static_cast<std::uint32_t>(text_.size()), static_cast<std::uint32_t>(word.size())};
                text_ += word;
                ++size_;
                return true;
            }
            if (std::string_view(text_).substr(place.from, place.size) == word)
                return false;
        }
    }
    [[nodiscard]] bool full() const { return size_ >= most_kept_words || size_ * 2 > places_.size(); }

  private:
    struct Place {
        std::uint32_t from = 0, size = 0;
    };
    std::vector<Place> places_;
    std::string text_;
    std::size_t size_ = 0;
};

}  // namespace

SearchText search_text(const Trip& trip, const std::string& more) {
    return {
        .title = trip.title + '\n' + trip.slug,
        .more = trip.summary + '\n' + more,
        .body = trip.description + '\n' + trip.trip_details + '\n' + trip.what_makes_special + '\n' + trip.trip_story};
}

void add_texts(std::string& more, const json::Value& value) {
    if (value.is_string())
        (more += value.text()) += '\n';
    if (value.is_array())
        for (const json::Value& one : value.items())
            add_texts(more, one);
}

SearchWords words_of(const SearchText& text) {
    // Folding may turn one letter into several: reserves room for the words, whatever the sizes.
    Met met(text.title.size() + text.more.size() + text.body.size());
    SearchWords words;
    const auto add = [&](const std::string& from, std::string& to) {
        text::each_word(from, [&](std::string_view word) {
            if (met.add(word)) {
                if (!to.empty())
                    to += ' ';
                to += word;
            }
            return !met.full();
        });
    };
    add(text.title, words.title);
    add(text.more, words.more);
    add(text.body, words.body);
    return words;
}

SearchQuery search_query(std::string_view typed) { return text::search_words(typed, most_query_words); }

}  // namespace svc::catalog::trips
