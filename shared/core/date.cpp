// Calendar and clock arithmetic without a zone, and the strict reading of their texts.
#include "shared/core/date.hpp"

#include <array>
#include <cstddef>
#include <stdexcept>

namespace svc {
namespace {

using std::chrono::year_month_day;

constexpr std::int32_t first_day = -719'162;  // 0001-01-01
constexpr std::int32_t last_day = 2'932'896;  // 9999-12-31
constexpr std::int64_t day_micros = 86'400'000'000;

year_month_day calendar(std::int32_t days) { return std::chrono::sys_days{std::chrono::days{days}}; }

std::optional<std::int32_t> days_of(int year, unsigned month, unsigned day) {
    const year_month_day when{std::chrono::year{year}, std::chrono::month{month}, std::chrono::day{day}};
    if (year < 1 || year > 9999 || !when.ok())
        return std::nullopt;
    return static_cast<std::int32_t>(std::chrono::sys_days{when}.time_since_epoch().count());
}

// `count` digits from the front, or nothing.
std::optional<int> digits(std::string_view& text, std::size_t count) {
    if (text.size() < count)
        return std::nullopt;
    int value = 0;
    for (const char c : text.substr(0, count)) {
        if (c < '0' || c > '9')
            return std::nullopt;
        value = value * 10 + (c - '0');
    }
    text.remove_prefix(count);
    return value;
}

bool skip(std::string_view& text, char expected) {
    if (text.empty() || text.front() != expected)
        return false;
    text.remove_prefix(1);
    return true;
}

std::optional<std::int32_t> take_day(std::string_view& text) {
    const auto year = digits(text, 4);
    if (!year || !skip(text, '-'))
        return std::nullopt;
    const auto month = digits(text, 2);
    if (!month || !skip(text, '-'))
        return std::nullopt;
    const auto day = digits(text, 2);
    if (!day)
        return std::nullopt;
    return days_of(*year, static_cast<unsigned>(*month), static_cast<unsigned>(*day));
}

std::optional<int> take_minutes(std::string_view& text) {
    const auto hour = digits(text, 2);
    if (!hour || *hour > 23 || !skip(text, ':'))
        return std::nullopt;
    const auto minute = digits(text, 2);
    if (!minute || *minute > 59)
        return std::nullopt;
    return *hour * 60 + *minute;
}

// Microseconds of ".123456789", truncated.
std::optional<std::int64_t> take_fraction(std::string_view& text) {
    if (!skip(text, '.'))
        return 0;
    std::int64_t micros = 0, unit = 100'000;
    std::size_t count = 0;
    for (; count < text.size() && text[count] >= '0' && text[count] <= '9'; ++count) {
        micros += (text[count] - '0') * unit;
        unit /= 10;
    }
    if (count == 0)
        return std::nullopt;
    text.remove_prefix(count);
    return micros;
}

// The whole rest of the text: Z or +hh:mm, in minutes east.
std::optional<int> take_offset(std::string_view text) {
    if (text == "Z" || text == "z")
        return 0;
    const bool west = skip(text, '-');
    if (!west && !skip(text, '+'))
        return std::nullopt;
    const auto minutes = take_minutes(text);
    if (!minutes || !text.empty())
        return std::nullopt;
    return west ? -*minutes : *minutes;
}

// In so many digits, or more where it has more; never below zero.
void append(std::string& out, std::int64_t value, std::ptrdiff_t width) {
    std::array<char, 20> digits;
    char* first = digits.end();
    for (; value > 0 || digits.end() - first < width; value /= 10)
        *--first = static_cast<char>('0' + value % 10);
    out.append(first, static_cast<std::size_t>(digits.end() - first));
}

void append_day(std::string& out, std::int32_t days) {
    const auto when = calendar(days);
    append(out, int{when.year()}, 4);
    out += '-';
    append(out, unsigned{when.month()}, 2);
    out += '-';
    append(out, unsigned{when.day()}, 2);
}

std::int32_t checked(std::int64_t days) {
    if (days < first_day || days > last_day)
        throw std::out_of_range("a date outside the years 0001 to 9999");
    return static_cast<std::int32_t>(days);
}

}  // namespace

Date Date::from(int year, unsigned month, unsigned day) {
    const auto days = days_of(year, month, day);
    if (!days)
        throw std::invalid_argument("no such day");
    return Date{*days};
}

std::optional<Date> Date::parse(std::string_view text) {
    const auto days = take_day(text);
    if (!days || !text.empty())
        return std::nullopt;
    return Date{*days};
}

std::string Date::text() const {
    std::string out;
    append_day(out, days_);
    return out;
}

int Date::year() const { return int{calendar(days_).year()}; }
unsigned Date::month() const { return unsigned{calendar(days_).month()}; }
unsigned Date::day() const { return unsigned{calendar(days_).day()}; }

unsigned Date::weekday() const {
    return std::chrono::weekday{std::chrono::sys_days{std::chrono::days{days_}}}.c_encoding();
}

Date Date::plus_days(std::int32_t count) const { return Date{checked(std::int64_t{days_} + count)}; }

Date Date::plus_months(int count) const {
    const auto when = calendar(days_);
    const std::int64_t months = std::int64_t{int{when.year()}} * 12 + unsigned{when.month()} - 1 + count;
    if (months < 12 || months >= 10'000 * 12)
        throw std::out_of_range("a date outside the years 0001 to 9999");
    const std::chrono::year year{static_cast<int>(months / 12)};
    const std::chrono::month month{static_cast<unsigned>(months % 12) + 1};
    const auto last = std::chrono::year_month_day_last{year, std::chrono::month_day_last{month}}.day();
    return from(int{year}, unsigned{month}, unsigned{when.day() < last ? when.day() : last});
}

std::optional<ClockTime> ClockTime::parse(std::string_view text) {
    const auto minutes = take_minutes(text);
    if (!minutes || !text.empty())
        return std::nullopt;
    return ClockTime{*minutes};
}

std::string ClockTime::text() const {
    std::string out;
    append(out, minutes_ / 60, 2);
    out += ':';
    append(out, minutes_ % 60, 2);
    return out;
}

std::optional<Instant> Instant::parse(std::string_view text) {
    const auto day = take_day(text);
    if (!day || (!skip(text, 'T') && !skip(text, 't')))
        return std::nullopt;
    const auto minutes = take_minutes(text);
    if (!minutes || !skip(text, ':'))
        return std::nullopt;
    const auto second = digits(text, 2);
    if (!second || *second > 59)
        return std::nullopt;
    const auto fraction = take_fraction(text);
    if (!fraction)
        return std::nullopt;
    const auto offset = take_offset(text);
    if (!offset)
        return std::nullopt;
    const std::int64_t seconds = std::int64_t{*day} * 86'400 + (*minutes - *offset) * 60 + *second;
    const Instant instant{seconds * 1'000'000 + *fraction};
    if (instant.micros_ < first_day * day_micros || instant.micros_ >= (last_day + std::int64_t{1}) * day_micros)
        return std::nullopt;
    return instant;
}

std::string Instant::text() const {
    std::int64_t days = micros_ / day_micros, rest = micros_ % day_micros;
    if (rest < 0) {
        rest += day_micros;
        --days;
    }
    std::string out;
    out.reserve(27);  // with the microseconds
    append_day(out, static_cast<std::int32_t>(days));
    const std::int64_t second = rest / 1'000'000, fraction = rest % 1'000'000;
    out += 'T';
    append(out, second / 3600, 2);
    out += ':';
    append(out, second / 60 % 60, 2);
    out += ':';
    append(out, second % 60, 2);
    if (fraction != 0) {
        out += '.';
        append(out, fraction, 6);
    }
    out += 'Z';
    return out;
}

std::int64_t Instant::seconds() const {
    const std::int64_t whole = micros_ / 1'000'000;
    return micros_ % 1'000'000 < 0 ? whole - 1 : whole;
}

Instant SystemClock::now() const {
    return Instant::from_micros(
        std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::system_clock::now().time_since_epoch())
            .count());
}

}  // namespace svc
