// Itineraries: the days of a trip with their entries, and the rules between their fields.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/catalog/trips/record/place.hpp"
#include "base/catalog/trips/record/trip.hpp"
#include "shared/core/date.hpp"
#include "shared/core/money.hpp"
#include "shared/core/result.hpp"

namespace svc::catalog::itineraries {

inline constexpr std::int64_t most_days = 365;
inline constexpr std::size_t most_entries = 100;  // of a day

struct Day {
    std::int64_t id = 0, trip_id = 0;
    std::int64_t number = 1;
    std::string title = {}, description = {};
    std::optional<std::int64_t> image_id = {};
    Instant created_at = {}, updated_at = {};
    friend bool operator==(const Day&, const Day&) = default;
};

enum class TimeType : std::uint8_t { exact, duration, flexible };
inline constexpr std::string_view time_types[] = {"exact", "duration", "flexible"};
inline std::string_view name_of(TimeType type) { return time_types[static_cast<std::size_t>(type)]; }
std::optional<TimeType> time_type(std::string_view name);

// A picture of /media by its id, or a file elsewhere by its address.
struct Shown {
    std::optional<std::int64_t> media_id;
    std::string type;  // image, video, youtube
    std::string url;
    friend bool operator==(const Shown&, const Shown&) = default;
};

struct Entry {
    std::int64_t id = 0, day_id = 0;
    std::optional<std::int64_t> item_type_id = {}, item_id = {};
    std::string title = {}, description = {};
    TimeType time_type = TimeType::flexible;
    std::optional<ClockTime> start_time = {}, end_time = {};
    std::optional<std::int64_t> duration_minutes = {};
    std::string location = {};
    std::optional<trips::Place> place = {};
    Currency currency = Currency::usd();  // the trip's, when read
    std::optional<Money> cost = {};       // in the trip's currency
    bool cost_per_person = true, charge = false;
    std::string notes = {};
    std::vector<std::string> included_items = {}, excluded_items = {};
    std::vector<Shown> gallery = {};
    std::string video_url = {};
    bool is_published = true;
    std::int64_t order = 0;
    Instant created_at = {}, updated_at = {};
    // Of the classifications, when read.
    std::string item_type_name = {}, item_name = {}, item_type_icon = {};
    friend bool operator==(const Entry&, const Entry&) = default;
};

// A day with its entries in order.
struct DayPlan {
    Day day;
    std::vector<Entry> entries;
};

// A field of a write: the outer optional is empty when it was not sent, the inner one when it was null.
template <class T>
using Sent = std::optional<std::optional<T>>;

struct DayChange {
    Sent<std::int64_t> image_id = {};
    std::optional<std::string> title = {}, description = {};
    std::optional<std::int64_t> number = {};
};

// Amounts and angles are decimals as on the wire.
struct EntryChange {
    Sent<std::int64_t> item_type_id = {}, item_id = {};
    std::optional<std::string> title = {}, description = {}, time_type = {}, location = {}, notes = {}, video_url = {},
                               status = {};
    Sent<ClockTime> start_time = {}, end_time = {};
    Sent<std::int64_t> duration_minutes = {};
    Sent<std::string> latitude = {}, longitude = {}, cost = {};
    std::optional<bool> cost_per_person = {}, charge = {};
    std::optional<std::vector<std::string>> included_items = {}, excluded_items = {};
    std::optional<std::vector<Shown>> gallery = {};
    std::optional<std::int64_t> order = {};
};

// The entry after the change; references are not checked yet. The error has every invalid field, prefixed by `before`.
Result<Entry> changed(Entry entry, const EntryChange& change, Currency currency, const std::string& before = {});

// "1 h 30 min", and the reverse for user input: minutes, "90 min", "1.5 h", "2 hours", "1:30".
std::string duration_label(std::int64_t minutes);
std::optional<std::int64_t> duration_of(std::string_view text);

}  // namespace svc::catalog::itineraries
