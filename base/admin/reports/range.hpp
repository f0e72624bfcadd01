// The days that a report covers, and the periods within them. Pure functions, any thread.
#pragma once

#include <string>
#include <vector>

#include "shared/core/date.hpp"

namespace svc::reports {

enum class GroupBy : std::uint8_t { day, week, month };
inline constexpr std::string_view group_names[] = {"day", "week", "month"};
enum class Basis : std::uint8_t { booking, travel };  // by the day of the booking, or of the travel
inline constexpr std::string_view basis_names[] = {"booking", "travel"};
enum class Compare : std::uint8_t { none, previous, year };
inline constexpr std::string_view compare_names[] = {"none", "previous", "year"};

// Days, both counted.
struct Span {
    Date from, to;
    [[nodiscard]] int days() const { return to.days() - from.days() + 1; }
};

// A stretch of a span in which the zone is at one distance from UTC, so that a statement finds the local day of a
// moment by adding it. A result outside of `days` becomes the nearest of them: a day on which clocks change is a
// stretch of its own.
struct Stretch {
    Span days;
    Instant from, until;      // `until` is exclusive
    std::int64_t offset = 0;  // microseconds east of UTC

    [[nodiscard]] Date day_of(std::int64_t number) const;  // days since 1970, as a statement found it
};
std::vector<Stretch> stretches_of(Span span, const Zone& zone);

// The span that this one is compared with: as many days right before it, or the same days a year before.
Span compared(Span span, Compare with);

// The first day of the part that a day falls into; of the span's first part it may lie before the span.
Date part_of(Date day, GroupBy by);
// The first days of all parts of the span, in order.
std::vector<Date> parts_of(Span span, GroupBy by);

}  // namespace svc::reports
