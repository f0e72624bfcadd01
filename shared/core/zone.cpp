// Time zones by the system's tzdata. The only file that sees the outside library for them.
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
        return Error{errc::validation_error, "This is not a time zone's name."}.because(unknown.what());
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
    const std::chrono::seconds wall{std::int64_t{date.days()} * 86'400 + std::int64_t{time.minutes()} * 60};
    std::chrono::seconds offset{0};
    // The offset before a change is right for all three: the plain case, the first of two, and the gap, where
    // counting on with it lands the gap's length later on the clock after the change.
    if (data_->zone)
        offset = data_->zone->get_info(date::local_seconds{wall}).first.offset;
    return Instant::from_micros((wall - offset).count() * 1'000'000);
}

}  // namespace svc
