// Draws the outlines.
#include "base/sales/availability/dates/outline.hpp"

#include <algorithm>

namespace svc::availability {
namespace {

constexpr std::int64_t bits = 64;

// Whole weeks since the first of all days, those before it included.
std::int64_t week_of(Date date) {
    const std::int64_t days = date.days();
    return days >= 0 ? days / 7 : (days - 6) / 7;
}

std::uint64_t bit_of(std::int64_t week) {
    return std::uint64_t{1} << static_cast<unsigned>((week % bits + bits) % bits);
}

}  // namespace

std::uint64_t weeks_of(Date first, Date last) {
    const std::int64_t from = week_of(first), to = week_of(last);
    if (to - from >= bits - 1)
        return ~std::uint64_t{0};
    std::uint64_t all = 0;
    for (std::int64_t week = from; week <= to; ++week)
        all |= bit_of(week);
    return all;
}

Outline outline_of(std::int64_t trip_id, const std::vector<Slot>& slots, bool planned, std::span<const Rule> rules) {
    Outline outline{.trip_id = trip_id, .planned = planned, .has_rules = !rules.empty()};
    for (const Slot& slot : slots)
        if (!slot.is_deleted())
            outline.weeks |= weeks_of(slot.start_date, slot.start_date);
    return outline;
}

std::shared_ptr<const Outlines> outlines(std::vector<Outline> of_trips) {
    std::sort(of_trips.begin(), of_trips.end(),
              [](const Outline& a, const Outline& b) { return a.trip_id < b.trip_id; });
    return std::make_shared<const Outlines>(std::move(of_trips));
}

std::shared_ptr<const Outlines> replaced(const Outlines& list, const Outline& outline) {
    auto next = std::make_shared<Outlines>(list.fork());
    const auto below = [&](const Outline& each) { return each.trip_id < outline.trip_id; };
    const Outline* known = next->find(below);
    if (known && known->trip_id == outline.trip_id)
        next->change(below) = outline;
    else
        next->insert(below, outline);
    return next;
}

}  // namespace svc::availability
