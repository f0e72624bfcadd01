// The filter, facet and sort keys of published trips, side by side in memory, so that a filter over a hundred
// thousand of them reads a few megabytes in their order instead of jumping from trip to trip.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/catalog/trips/record/shown_trip.hpp"

namespace svc::catalog::trips {

struct FactRow {
    const ShownTrip* shown = nullptr;  // null: no trip that lists show
    std::int64_t id = 0, created_at = 0;
    std::int64_t least = 0, most = 0;  // lowest and highest own price
    std::int32_t duration_days = 0, rating = 0;
    std::uint32_t first_class = 0, classes = 0;  // its piece of the chunk's classes
    Currency currency = Currency::usd();
    TripType type = TripType::multi_day;
    bool between = false;  // whether it has prices besides these two
    bool windows = false;  // a traveler category is not offered on every date
    bool seasons = false;  // whether it has seasons, whose prices are not among these
    bool help = false;     // whether it has a TripFact
    // Its own season, in days of Date.
    std::int32_t first_day = std::numeric_limits<std::int32_t>::min();
    std::int32_t last_day = std::numeric_limits<std::int32_t>::max();
    // Were it open on every day: a day further ahead than this can surely be booked.
    std::int32_t sure_days = std::numeric_limits<std::int32_t>::max();
};

// A set of slots.
class SlotSet {
  public:
    explicit SlotSet(std::size_t slots) : words_((slots + 63) / 64) {}
    void add(std::size_t slot) { words_[slot / 64] |= std::uint64_t{1} << slot % 64; }
    [[nodiscard]] bool has(std::size_t slot) const { return (words_[slot / 64] >> slot % 64 & 1U) != 0; }
    [[nodiscard]] std::size_t size() const {
        std::size_t size = 0;
        for (const std::uint64_t word : words_)
            size += static_cast<std::size_t>(std::popcount(word));
        return size;
    }
    template <class Each>
    void each(Each each) const {
        for (std::size_t at = 0; at < words_.size(); ++at)
            for (std::uint64_t rest = words_[at]; rest != 0; rest &= rest - 1)
                each(at * 64 + static_cast<std::size_t>(std::countr_zero(rest)));
    }

  private:
    std::vector<std::uint64_t> words_;
};

// The rows by slot. One that others may read is not changed any more: fork() it and change the fork.
class FactRows {
  public:
    // Shares every piece with this one until it is changed.
    [[nodiscard]] FactRows fork() const;
    // Stores the trip in its slot; null clears the slot. New slots are added at the end.
    void set(std::size_t slot, const ShownTrip* shown);

    [[nodiscard]] std::size_t slots() const { return slots_; }
    [[nodiscard]] const FactRow& operator[](std::size_t slot) const {
        return chunks_[slot / chunk_size]->rows[slot % chunk_size];
    }
    // Classes have small numbers here.
    [[nodiscard]] std::span<const std::uint32_t> classes_of(std::size_t slot) const {
        const Chunk& chunk = *chunks_[slot / chunk_size];
        const FactRow& row = chunk.rows[slot % chunk_size];
        return {chunk.classes.data() + row.first_class, row.classes};
    }
    [[nodiscard]] std::optional<std::uint32_t> number_of(const ClassKey& key) const;
    [[nodiscard]] const std::map<ClassKey, std::uint32_t>& numbers() const { return *numbers_; }

    template <class Each>
    void each(Each each) const {
        for (std::size_t at = 0; at < chunks_.size(); ++at)
            for (std::size_t i = 0; i < chunk_size; ++i)
                if (const FactRow& row = chunks_[at]->rows[i]; row.shown)
                    each(at * chunk_size + i, row);
    }

  private:
    static constexpr std::size_t chunk_size = 256;
    struct Chunk {
        std::uint64_t edition = 0;
        std::array<FactRow, chunk_size> rows;
        std::vector<std::uint32_t> classes;  // of all rows; entries of replaced rows stay until the next cleanup
    };
    Chunk& own(std::size_t at);
    std::uint32_t numbered(const ClassKey& key);
    void set_classes(Chunk& chunk, FactRow& row, const std::vector<ClassKey>& keys);

    std::vector<std::shared_ptr<Chunk>> chunks_;
    std::shared_ptr<std::map<ClassKey, std::uint32_t>> numbers_ =
        std::make_shared<std::map<ClassKey, std::uint32_t>>();  // only ever grows
    bool own_numbers_ = true;
    std::size_t slots_ = 0;
    std::uint64_t edition_ = 0;
};

}  // namespace svc::catalog::trips
