// The search index of published trips in memory, by word and prefix.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/catalog/trips/public/chunks.hpp"
#include "base/catalog/trips/record/search_text.hpp"

namespace svc::catalog::trips {

// Immutable. Trips are numbered by small numbers, their slots.
class SearchIndex {
  public:
    // The words of a slot before and after the change; null for none.
    struct Change {
        std::uint32_t slot;
        const SearchWords* before;
        const SearchWords* after;
    };

    SearchIndex() = default;
    explicit SearchIndex(std::span<const Change> first);  // `before` is null in all
    [[nodiscard]] SearchIndex with(std::span<const Change> changes) const;

    // The relevance of each slot below `slots`, 0 when a word is missing. The worst match decides first, then the sum:
    // title, then `more`, then body; in each part a whole word ranks above a prefix.
    [[nodiscard]] std::vector<std::uint16_t> find(const SearchQuery& query, std::size_t slots) const;

    [[nodiscard]] std::size_t words() const { return terms_.size(); }

  private:
    using Posting = std::uint32_t;  // slot and part; ascending
    struct Term {
        std::string word;
        std::shared_ptr<const std::vector<Posting>> postings;
    };
    Chunks<Term, 128> terms_;
};

}  // namespace svc::catalog::trips
