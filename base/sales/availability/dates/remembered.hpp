// A cache of responses with all dates of a trip, least recently used first out, limited in bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include "base/platform/caches/caches.hpp"
#include "base/sales/availability/dates/calendar.hpp"
#include "base/sales/availability/dates/held_dates.hpp"

namespace svc::availability {

// A response and the state it was built from; valid while that state is current.
struct RememberedAnswer {
    std::shared_ptr<const catalog::trips::Trip> trip;
    Dates dates;
    Date first, last;
    bool sold_out_too = true, waitlist = false;
    Instant from, until;  // until the next cut-off passes
    std::shared_ptr<const HeldDates> found;
    std::string zone;
};

// Any thread.
class RememberedAnswers {
  public:
    static constexpr std::size_t usual_bytes = 64 << 20;
    explicit RememberedAnswers(std::size_t most_bytes = usual_bytes) : most_bytes_(most_bytes) {}

    // For those dates; with nothing found when not cached.
    [[nodiscard]] RememberedAnswer find(std::int64_t trip_id, const Dates& dates);
    // Replaces the trip's entry and evicts the least recently used ones. Ignores an entry larger than an eighth of the
    // limit.
    void keep(std::int64_t trip_id, RememberedAnswer answer);
    [[nodiscard]] std::size_t bytes() const;
    // For the list of caches; by the trip's id.
    [[nodiscard]] caches::Usage usage() const;
    void each(const std::function<void(std::string_view trip, std::size_t bytes)>& take) const;
    std::int64_t forget(const std::function<bool(std::string_view trip)>& fits);
    [[nodiscard]] caches::Tally& tally() { return tally_; }

  private:
    struct Kept {
        std::int64_t trip_id = 0;
        RememberedAnswer answer;
    };
    using ByUse = std::list<Kept>;  // most recently used first
    void drop(ByUse::iterator entry);

    const std::size_t most_bytes_;
    caches::Tally tally_;
    mutable std::mutex mutex_;
    ByUse by_use_;
    std::unordered_map<std::int64_t, ByUse::iterator> by_trip_;
    std::size_t bytes_ = 0;
};

}  // namespace svc::availability
