// A sorted list that a changed copy shares all but a few pieces with, so that a copy of a hundred thousand costs
// microseconds.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace svc::catalog::trips {

// A predicate `below(item)` describes a position: true for all items before it and false for the others. A published
// list is immutable: fork() it and change the fork.
template <class T, std::size_t most>
class Chunks {
    struct Chunk {
        std::uint64_t edition;
        std::vector<T> items;  // never empty
    };

  public:
    Chunks() = default;
    explicit Chunks(std::vector<T> sorted) : size_(sorted.size()) {
        constexpr std::size_t usual = most / 2;  // leaves room for insertions
        for (std::size_t from = 0; from < sorted.size(); from += usual) {
            const std::size_t to = std::min(from + usual, sorted.size());
            std::vector<T> items(std::make_move_iterator(sorted.begin() + static_cast<std::ptrdiff_t>(from)),
                                 std::make_move_iterator(sorted.begin() + static_cast<std::ptrdiff_t>(to)));
            chunks_.push_back(std::make_shared<Chunk>(Chunk{edition_, std::move(items)}));
        }
    }

    // Shares every piece with this one until it is changed.
    [[nodiscard]] Chunks fork() const {
        Chunks next = *this;
        ++next.edition_;
        return next;
    }

    [[nodiscard]] std::size_t size() const { return size_; }

    // The first item that is not below; null when all are.
    template <class Below>
    [[nodiscard]] const T* find(Below below) const {
        const auto at = place(below);
        return at.chunk < chunks_.size() ? &chunks_[at.chunk]->items[at.item] : nullptr;
    }

    template <class Below>
    void insert(Below below, T item) {
        ++size_;
        if (chunks_.empty()) {
            chunks_.push_back(std::make_shared<Chunk>(Chunk{edition_, {std::move(item)}}));
            return;
        }
        auto at = place(below);
        if (at.chunk == chunks_.size())
            at = {chunks_.size() - 1, chunks_.back()->items.size()};
        auto& items = own(at.chunk).items;
        items.insert(items.begin() + static_cast<std::ptrdiff_t>(at.item), std::move(item));
        if (items.size() > most)
            split(at.chunk);
    }

    // Takes out the item at the place.
    template <class Below>
    void erase(Below below) {
        const auto at = place(below);
        auto& items = own(at.chunk).items;
        items.erase(items.begin() + static_cast<std::ptrdiff_t>(at.item));
        if (items.empty())
            chunks_.erase(chunks_.begin() + static_cast<std::ptrdiff_t>(at.chunk));
        --size_;
    }

    // The item at the place, to be changed.
    template <class Below>
    T& change(Below below) {
        const auto at = place(below);
        return own(at.chunk).items[at.item];
    }

    // From the place on, until `each` answers false.
    template <class Below, class Each>
    void from(Below below, Each each) const {
        auto [chunk, item] = place(below);
        for (; chunk < chunks_.size(); ++chunk, item = 0)
            for (; item < chunks_[chunk]->items.size(); ++item)
                if (!each(chunks_[chunk]->items[item]))
                    return;
    }

    // All in order or from the end, without the first `skip`, until `each` answers false.
    template <class Each>
    void walk(bool ascending, std::size_t skip, Each each) const {
        for (std::size_t turn = 0; turn < chunks_.size(); ++turn) {
            const auto& items = chunks_[ascending ? turn : chunks_.size() - 1 - turn]->items;
            if (skip >= items.size()) {
                skip -= items.size();
                continue;
            }
            for (std::size_t i = std::exchange(skip, 0); i < items.size(); ++i)
                if (!each(items[ascending ? i : items.size() - 1 - i]))
                    return;
        }
    }

  private:
    struct Place {
        std::size_t chunk, item;
    };
    template <class Below>
    [[nodiscard]] Place place(Below below) const {
        const auto chunk = std::partition_point(chunks_.begin(), chunks_.end(),
                                                [&](const auto& each) { return below(each->items.back()); });
        if (chunk == chunks_.end())
            return {chunks_.size(), 0};
        const auto& items = (*chunk)->items;
        const auto item = std::partition_point(items.begin(), items.end(), below);
        return {static_cast<std::size_t>(chunk - chunks_.begin()), static_cast<std::size_t>(item - items.begin())};
    }

    // Ours alone when it was made since the fork.
    Chunk& own(std::size_t at) {
        if (chunks_[at]->edition != edition_)
            chunks_[at] = std::make_shared<Chunk>(Chunk{edition_, chunks_[at]->items});
        return *chunks_[at];
    }

    void split(std::size_t at) {
        auto& items = chunks_[at]->items;
        const auto middle = items.begin() + static_cast<std::ptrdiff_t>(items.size() / 2);
        auto second = std::make_shared<Chunk>(
            Chunk{edition_, {std::make_move_iterator(middle), std::make_move_iterator(items.end())}});
        items.erase(middle, items.end());
        chunks_.insert(chunks_.begin() + static_cast<std::ptrdiff_t>(at) + 1, std::move(second));
    }

    std::vector<std::shared_ptr<Chunk>> chunks_;
    std::size_t size_ = 0;
    std::uint64_t edition_ = 0;
};

}  // namespace svc::catalog::trips
