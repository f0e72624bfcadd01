// Time zones by the system's tzdata. The only file that sees the outside library for them.
#include <algorithm>
#include <stdexcept>

#include <date/tz.h>

#include "shared/core/date.hpp"

namespace svc {

// Why: libstdc++ 12 has no time-zone database, and setenv("TZ") is one zone for all threads.
struct Zone::Data {
    std::string name;
    const date::time_zone* zone = nullptr;  // null: UTC, which needs no tzdata
};

namespace {

std::chrono::seconds offset_at(const date::time_zone* zone, Instant instant) {
    if (!zone)
        return std::chrono::seconds{0};
    return zone->get_info(date::sys_seconds{std::chrono::seconds{instant.seconds()}}).offset;
}

// Seconds since the epoch, as a wall clock there would count them.
std::int64_t wall_seconds(const date::time_zone* zone, Instant instant) {
    return instant.seconds() + offset_at(zone, instant).count();
}

// The offset before a change is right in all three cases: a single time, the first of two, and the gap, where it gives
// the time the gap's length later, after the change. Callers usually need consecutive days, so each thread caches how
// long the last result is valid, less more than any clock change.
std::int64_t offset_on_wall(const date::time_zone* zone, std::int64_t wall) {
    struct Known {
        const date::time_zone* zone = nullptr;
        std::int64_t from = 0, to = 0, offset = 0;
    };
    constexpr std::int64_t margin = 2 * 86'400, far = std::int64_t{1} << 40;
    thread_local Known known;
    if (known.zone != zone || wall < known.from || wall >= known.to) {
        const auto info = zone->get_info(date::local_seconds{std::chrono::seconds{wall}}).first;
        known = {zone, std::max<std::int64_t>(info.begin.time_since_epoch().count(), -far) + margin,
                 std::min<std::int64_t>(info.end.time_since_epoch().count(), far) - margin, info.offset.count()};
    }
    return known.offset;
}

std::int64_t floored(std::int64_t value, std::int64_t unit) {
    const std::int64_t quotient = value / unit;
    return value % unit < 0 ? quotient - 1 : quotient;
}

}  // namespace

Zone::Zone(std::shared_ptr<const Data> data) : data_(std::move(data)) {}

Result<Zone> Zone::named(std::string_view iana) {
    const date::time_zone* found = nullptr;
    try {
        found = date::locate_zone(std::string(iana));
    } catch (const std::runtime_error& unknown) {
        return Error{errc::validation_error, "Enter the name of a time zone."_sentence}.because(unknown.what());
    }
    return Zone{std::make_shared<const Data>(Data{std::string(iana), found})};
}

Zone Zone::utc() {
    static const auto data = std::make_shared<const Data>(Data{"UTC", nullptr});
    return Zone{data};
}

const std::string& Zone::name() const { return data_->name; }

Date Zone::date_at(Instant instant) const {
    return Date::from_days(static_cast<std::int32_t>(floored(wall_seconds(data_->zone, instant), 86'400)));
}

ClockTime Zone::time_at(Instant instant) const {
    const std::int64_t wall = wall_seconds(data_->zone, instant);
    return ClockTime::from_minutes(static_cast<int>((wall - floored(wall, 86'400) * 86'400) / 60));
}

Instant Zone::instant_of(Date date, ClockTime time) const {
    const std::int64_t wall = std::int64_t{date.days()} * 86'400 + std::int64_t{time.minutes()} * 60;
    return Instant::from_micros((wall - (data_->zone ? offset_on_wall(data_->zone, wall) : 0)) * 1'000'000);
}

}  // namespace svc
