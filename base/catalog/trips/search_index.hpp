// The words of published trips in memory: which trips have a word, or one that begins so.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/catalog/trips/chunks.hpp"
#include "base/catalog/trips/search_text.hpp"

namespace svc::catalog::trips {

// Immutable. Trips are numbered by small numbers, their slots.
class SearchIndex {
  public:
    // The words of a slot before and after; null for none.
    struct Change {
        std::uint32_t slot;
        const SearchWords* before;
        const SearchWords* after;
    };

    SearchIndex() = default;
    explicit SearchIndex(std::span<const Change> first);  // `before` is null in all
    [[nodiscard]] SearchIndex with(std::span<const Change> changes) const;

    // How well each slot below `slots` fits, 0 for one that lacks a word. The worst found word decides first, then
    // their sum: a word in the title is better than in `more`, that than in the body; in each part the word itself is
    // better than one that begins so.
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
