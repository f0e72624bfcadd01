// A compact summary of each trip's dates, so that filters over thousands of trips rarely read more.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/catalog/trips/public/chunks.hpp"
#include "base/sales/availability/record/departure.hpp"
#include "base/sales/availability/record/rule.hpp"

namespace svc::availability {

// One trip's dates in outline. Seats are not in it, so that bookings seldom change it.
struct Outline {
    std::int64_t trip_id = 0;
    bool planned = false, has_rules = false;
    std::uint64_t weeks = 0;  // those in which a departure begins; see weeks_of

    [[nodiscard]] bool is_open_always() const { return !planned && !has_rules; }
    friend bool operator==(const Outline&, const Outline&) = default;
};

// The weeks of a period as bits. Weeks 64 apart share one, so a cleared bit is exact and a set bit is not.
std::uint64_t weeks_of(Date first, Date last);

Outline outline_of(std::int64_t trip_id, const std::vector<Slot>& slots, bool planned, std::span<const Rule> rules);

// By trip; one that is missing is open on every day. Immutable.
using Outlines = catalog::trips::Chunks<Outline, 256>;
std::shared_ptr<const Outlines> outlines(std::vector<Outline> of_trips);
// The same with another outline of a trip, or its first one.
std::shared_ptr<const Outlines> replaced(const Outlines& list, const Outline& outline);

}  // namespace svc::availability
