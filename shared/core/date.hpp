// Calendar dates, clock times and instants, and the site's time zone that ties them (docs/rules.md, Time).
#pragma once

#include <chrono>
#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "shared/core/result.hpp"

namespace svc {

// A day of the proleptic Gregorian calendar, years 0001 to 9999, without a zone.
class Date {
  public:
    constexpr Date() = default;  // 1970-01-01
    static constexpr Date from_days(std::int32_t since_epoch) { return Date{since_epoch}; }
    static Date from(int year, unsigned month, unsigned day);  // throws std::invalid_argument for no such day
    // Exactly YYYY-MM-DD and a day that exists.
    static std::optional<Date> parse(std::string_view text);

    [[nodiscard]] std::string text() const;  // YYYY-MM-DD
    [[nodiscard]] std::int32_t days() const { return days_; }
    [[nodiscard]] int year() const;
    [[nodiscard]] unsigned month() const;
    [[nodiscard]] unsigned day() const;
    [[nodiscard]] unsigned weekday() const;  // 0 Sunday .. 6 Saturday
    // Leaving the years 0001 to 9999 throws std::out_of_range: limit client input before adding to it.
    [[nodiscard]] Date plus_days(std::int32_t count) const;
    [[nodiscard]] Date plus_months(int count) const;  // the day is clipped to the month's length

    friend auto operator<=>(Date, Date) = default;

  private:
    constexpr explicit Date(std::int32_t days) : days_(days) {}
    std::int32_t days_ = 0;
};

// A wall clock time, to the minute.
class ClockTime {
  public:
    constexpr ClockTime() = default;
    static constexpr ClockTime from_minutes(int since_midnight) { return ClockTime{since_midnight}; }
    static std::optional<ClockTime> parse(std::string_view text);  // exactly HH:MM, 00:00 to 23:59
    [[nodiscard]] std::string text() const;
    [[nodiscard]] int minutes() const { return minutes_; }
    friend auto operator<=>(ClockTime, ClockTime) = default;

  private:
    constexpr explicit ClockTime(int minutes) : minutes_(minutes) {}
    int minutes_ = 0;
};

// A moment in UTC, to the microsecond. Stored as an integer, on the wire RFC 3339 with Z.
class Instant {
  public:
    constexpr Instant() = default;
    static constexpr Instant from_micros(std::int64_t since_epoch) { return Instant{since_epoch}; }
    static std::optional<Instant> parse(std::string_view rfc3339);  // any offset; leap second 60 is refused
    [[nodiscard]] std::string text() const;  // 2026-11-20T13:39:00Z, or with .ffffff when not on a full second
    [[nodiscard]] std::int64_t micros() const { return micros_; }
    [[nodiscard]] std::int64_t seconds() const;  // floor
    [[nodiscard]] Instant plus(std::chrono::microseconds span) const { return Instant{micros_ + span.count()}; }
    [[nodiscard]] Instant minus(std::chrono::microseconds span) const { return Instant{micros_ - span.count()}; }
    friend auto operator<=>(Instant, Instant) = default;

  private:
    constexpr explicit Instant(std::int64_t micros) : micros_(micros) {}
    std::int64_t micros_ = 0;
};

// An IANA time zone by the system's tzdata. Cheap to copy; safe from any thread. After 2037, where the compiled tables
// end, a zone stays at its standard time.
class Zone {
  public:
    static Result<Zone> named(std::string_view iana);  // unknown: svc_validation_error
    static Zone utc();
    [[nodiscard]] const std::string& name() const;
    [[nodiscard]] Date date_at(Instant instant) const;
    [[nodiscard]] ClockTime time_at(Instant instant) const;
    // A wall time that does not exist moves forward by the gap; one that occurs twice means the first.
    [[nodiscard]] Instant instant_of(Date date, ClockTime time) const;

  private:
    struct Data;
    explicit Zone(std::shared_ptr<const Data> data);
    std::shared_ptr<const Data> data_;
};

// The source of time, so that tests can set it. Any thread.
class Clock {
  public:
    virtual ~Clock() = default;
    [[nodiscard]] virtual Instant now() const = 0;
};

class SystemClock final : public Clock {
  public:
    [[nodiscard]] Instant now() const override;
};

}  // namespace svc
