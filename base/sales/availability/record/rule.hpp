// Recurring rules: the dates a trip is offered on without anyone writing them down. Pure values and functions.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/catalog/trips/record/place.hpp"
#include "base/catalog/trips/record/trip.hpp"
#include "base/sales/availability/record/departure.hpp"
#include "shared/core/date.hpp"
#include "shared/core/result.hpp"

namespace svc::availability {

using catalog::trips::PricePair;

enum class RuleType : std::uint8_t { weekly, monthly, interval };
enum class RuleStatus : std::uint8_t { active, inactive, paused };
std::span<const std::string_view> rule_type_names();
std::span<const std::string_view> rule_status_names();
std::string_view name_of(RuleType type);
std::string_view name_of(RuleStatus status);
std::optional<RuleType> rule_type_of(std::string_view name);
std::optional<RuleStatus> rule_status_of(std::string_view name);

// On the wire; week_of_month counts from 1, the last one is Rule::last_week.
inline constexpr std::array<std::string_view, 5> weeks{"first", "second", "third", "fourth", "last"};
// The same as numbers, in the same order.
inline constexpr std::array<std::string_view, 5> week_numbers{"1", "2", "3", "4", "-1"};

// A set of small numbers, as stored.
class Bits {
  public:
    constexpr Bits() = default;
    static constexpr Bits of(std::int64_t stored) { return Bits(static_cast<std::uint32_t>(stored)); }
    constexpr void add(unsigned number) { bits_ |= 1U << number; }
    [[nodiscard]] constexpr bool has(unsigned number) const { return (bits_ >> number & 1U) != 0; }
    [[nodiscard]] constexpr bool empty() const { return bits_ == 0; }
    [[nodiscard]] constexpr std::int64_t stored() const { return bits_; }
    friend bool operator==(Bits, Bits) = default;

  private:
    constexpr explicit Bits(std::uint32_t bits) : bits_(bits) {}
    std::uint32_t bits_ = 0;
};

// Amounts in minor units, as stored; nothing without the first.
inline std::optional<PricePair> price_pair(std::optional<std::int64_t> regular, std::optional<std::int64_t> lowered,
                                           Currency currency) {
    if (!regular)
        return std::nullopt;
    return PricePair{Money{*regular, currency}, lowered ? std::optional(Money{*lowered, currency}) : std::nullopt};
}

struct RuleSlot {
    ClockTime departure_time;
    std::optional<ClockTime> arrival_time = {};
    std::optional<int> seats = {};
    std::optional<PricePair> price = {};
    CategoryPrices by_category = {};
    friend bool operator==(const RuleSlot&, const RuleSlot&) = default;
};

struct RuleWeekday {
    unsigned weekday = 0;
    std::optional<int> seats = {};
    std::optional<PricePair> price = {};
    friend bool operator==(const RuleWeekday&, const RuleWeekday&) = default;
};

// A day with the properties that rules compare; stepping is cheaper than computing each day.
struct Day {
    Date date;
    unsigned month = 1, day = 1, weekday = 0, month_length = 31;
    static Day of(Date date);
    void next();

  private:
    int year_ = 1970;
};

// A departure made from a rule that has more seats than the rule now offers.
struct ExtraSeats {
    std::int64_t departure_id = 0;
    Date date;
    std::optional<ClockTime> time;
    int capacity = 0, booked = 0, of_rule = 0;
    friend bool operator==(const ExtraSeats&, const ExtraSeats&) = default;
};
inline constexpr std::size_t most_extra_seats = 500;

struct Rule {
    static constexpr int last_week = 5;

    std::int64_t id = 0, trip_id = 0;
    std::string name;
    RuleType type = RuleType::weekly;
    RuleStatus status = RuleStatus::active;
    bool custom_days = false;                                     // another name for weekly
    Bits weekdays;                                                // weekly; 0 is Sunday
    std::optional<int> week_of_month, day_of_week, day_of_month;  // monthly; week_of_month 1 to 4 or last_week
    std::optional<int> interval_days;
    std::optional<Date> interval_start;  // from start_date when empty
    std::optional<Date> start_date, end_date;
    Bits months;                         // months.has(0) is January; empty: all
    std::vector<Date> excluded;          // sorted
    std::vector<RuleSlot> slots;         // by time
    std::vector<RuleWeekday> overrides;  // by weekday
    std::optional<bool> traveler_based;  // empty: as the trip
    std::optional<PricePair> price;      // empty: the trip's
    CategoryPrices by_category;
    std::optional<int> seats;  // empty: as the trip
    int alert_threshold = 5;
    std::optional<ClockTime> departure_time, arrival_time;  // of a rule without slots
    std::string from_location, to_location, notes;
    std::optional<catalog::trips::Place> from_place, to_place;
    std::optional<int> cutoff_hours;            // empty: the trip's
    std::optional<std::int64_t> guide_user_id;  // of its departures, unless they have another
    int advance_days = 0;
    int priority = 0;                     // higher wins, then the newer rule
    Currency currency = Currency::usd();  // the trip's
    std::int64_t row_version = 1, generated_count = 0;
    Instant created_at, updated_at;
    std::optional<std::int64_t> created_by = {}, updated_by = {};
    std::vector<ExtraSeats> keeps_more = {};  // after a change that lowered seats; not stored

    // Whether it offers that date to a request of `today`; ignores its status.
    [[nodiscard]] bool produces(const Day& day, Date today) const { return means(day, today) && !excludes(day.date); }
    // As if no date were excluded.
    [[nodiscard]] bool means(const Day& day, Date today) const;
    [[nodiscard]] bool excludes(Date date) const;
    [[nodiscard]] const RuleWeekday* override_on(unsigned weekday) const;
    [[nodiscard]] const RuleSlot* slot_at(const std::optional<ClockTime>& time) const;
    [[nodiscard]] bool active() const { return status == RuleStatus::active; }
    friend bool operator==(const Rule&, const Rule&) = default;
};

// How long a rule with both bounds may be, in days.
inline constexpr int longest_rule = 3660;
// Of its first day.
inline constexpr int earliest_year = 2000, latest_year = 2100;

// Rules between the fields of a rule; reports every invalid field.
Result<void> consistent(const Rule& rule);

// By precedence: the higher priority first, then the newer rule.
void sort_by_precedence(std::vector<Rule>& rules);

}  // namespace svc::availability
