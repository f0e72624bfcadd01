// Tokens are made of the feed, its revision and a signature: nothing secret is stored.
#include "base/sales/availability/feeds/feeds.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <map>

#include "base/platform/ical/ical.hpp"
#include "base/sales/availability/feeds/repository.hpp"

namespace svc::availability {
namespace {

constexpr std::int64_t most_events = 2000;
constexpr std::int32_t days_back = 30;
constexpr std::chrono::minutes read_again{15};
constexpr std::string_view ending = ".ics";

std::optional<std::int64_t> whole(std::string_view digits) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc{} || end != digits.data() + digits.size() || value < 0)
        return std::nullopt;
    return value;
}

// The site may move to another address: the id and the moment it was made name the departure for ever.
std::string uid_of(const Departure& departure) {
    return "departure-" + std::to_string(departure.id) + "-" + std::to_string(departure.created_at.micros()) + "@svc";
}

// The name of a calendar whose operator has no name yet.
std::string host_of_address(std::string_view address) {
    if (const auto scheme = address.find("://"); scheme != std::string_view::npos)
        address.remove_prefix(scheme + 3);
    return std::string(address.substr(0, address.find('/')));
}

// When a departure with a time ends: on arrival, else after the trip's hours, else with its last day.
Instant end_of(const Departure& departure, const Zone& zone, std::optional<int> hours) {
    if (departure.arrival_time)
        return zone.instant_of(departure.arrives_on(), *departure.arrival_time);
    if (hours && departure.end_date == departure.start_date)
        return zone.instant_of(departure.start_date, *departure.time).plus(std::chrono::hours(*hours));
    return zone.instant_of(departure.end_date.plus_days(1), ClockTime::from_minutes(0));
}

ical::Event event_of(const Departure& departure, const Zone& zone, const std::string& trip_address,
                     std::optional<int> hours) {
    ical::Event event;
    event.uid = uid_of(departure);
    event.summary =
        departure.trip_title + " (" + std::to_string(departure.booked) + "/" + std::to_string(departure.capacity) + ")";
    event.description = "Seats left: " + std::to_string(departure.available());
    if (departure.waiting > 0)
        event.description += "\nSeats waited for: " + std::to_string(departure.waiting);
    if (!departure.special_notes.empty())
        event.description += "\n" + departure.special_notes;
    event.location = departure.from_location.empty() ? departure.trip_start : departure.from_location;
    event.url = trip_address + departure.trip_slug;
    event.first = departure.start_date;
    event.last = departure.end_date;
    if (departure.time) {
        event.starts = zone.instant_of(departure.start_date, *departure.time);
        event.ends = end_of(departure, zone, hours);
        if (*event.ends < *event.starts)
            event.ends = event.starts;
    }
    event.cancelled = departure.status == Status::cancelled || departure.trip_in_trash;
    // Both only grow; the trip's version reflects a new title.
    event.sequence = departure.revision + departure.trip_version;
    event.changed = std::max(departure.updated_at, departure.trip_changed_at);
    return event;
}

}  // namespace

std::string Feeds::token_of(const crypto::Keyring& keyring, std::int64_t trip_id, std::int64_t revision) {
    const std::string what = std::to_string(trip_id) + "." + std::to_string(revision);
    return what + "." + crypto::hex(keyring.mac("calendar_feed", what));
}

Result<void> Feeds::check_trip(std::optional<std::int64_t> trip_id) const {
    if (trip_id)
        SVC_RETURN_IF_ERROR(parts_.trips.find(*trip_id));
    return {};
}

Result<std::optional<std::string>> Feeds::address_of(std::optional<std::int64_t> trip_id) const {
    SVC_RETURN_IF_ERROR(check_trip(trip_id));
    const auto revision = parts_.store.reading<std::int64_t>(
        [&](store::Session& session) { return rows::feed_revision(session, trip_id.value_or(0)); });
    if (revision == 0)
        return std::optional<std::string>();
    return std::optional(parts_.address + token_of(parts_.keyring, trip_id.value_or(0), revision) +
                         std::string(ending));
}

Result<std::string> Feeds::open(std::optional<std::int64_t> trip_id, std::optional<std::int64_t> user_id) {
    SVC_RETURN_IF_ERROR(check_trip(trip_id));
    return parts_.store.transact<std::string>([&](store::Transaction& tx) -> Result<std::string> {
        const auto revision = rows::renew_feed(tx, trip_id.value_or(0), true, user_id, parts_.clock.now());
        return parts_.address + token_of(parts_.keyring, trip_id.value_or(0), revision) + std::string(ending);
    });
}

Result<void> Feeds::close(std::optional<std::int64_t> trip_id, std::optional<std::int64_t> user_id) {
    SVC_RETURN_IF_ERROR(check_trip(trip_id));
    return parts_.store.write([&](store::Transaction& tx) -> Result<void> {
        rows::renew_feed(tx, trip_id.value_or(0), false, user_id, parts_.clock.now());
        return {};
    });
}

Result<std::string> Feeds::read(std::string_view token) const {
    const Error unknown{errc::not_found, "This calendar feed does not exist."_sentence};
    if (token.ends_with(ending))
        token.remove_suffix(ending.size());
    const auto dot = token.find('.'), second = token.find('.', dot == token.npos ? dot : dot + 1);
    if (second == token.npos)
        return unknown;
    const auto trip_id = whole(token.substr(0, dot)), revision = whole(token.substr(dot + 1, second - dot - 1));
    if (!trip_id || !revision || !parts_.keyring.any([&](const crypto::Keyring& one) {
            return crypto::equal(token, token_of(one, *trip_id, *revision));
        }))
        return unknown;
    const Zone zone = parts_.settings.zone();
    const Date today = zone.date_at(parts_.clock.now());
    ical::Calendar calendar;
    std::vector<Departure> departures;
    const std::string trips = parts_.trips.showing().trip_address();
    bool live = false;
    parts_.store.read([&](store::Session& session) {
        departures.clear();
        live = rows::feed_revision(session, *trip_id) == *revision;
        if (!live)
            return;
        DepartureQuery query{.from = today.plus_days(-days_back), .limit = most_events, .today = today};
        if (*trip_id != 0)
            query.trip_id = *trip_id;
        departures = rows::list(session, query);
    });
    if (!live)
        return unknown;
    std::map<std::int64_t, std::optional<int>> hours;  // by trip
    for (const Departure& departure : departures) {
        if (departure.trip_unpublished && departure.booked == 0)
            continue;
        const auto known = hours.find(departure.trip_id);
        const auto trip = known == hours.end() ? parts_.trips.find(departure.trip_id)
                                               : Result<catalog::trips::Trip>(errc::trip_not_found);
        if (known == hours.end())
            hours[departure.trip_id] = trip ? trip->duration_hours : std::nullopt;
        calendar.events.push_back(event_of(departure, zone, trips, hours[departure.trip_id]));
    }
    calendar.name = parts_.settings.text("company_name");
    if (calendar.name.empty())
        calendar.name = host_of_address(trips);
    if (*trip_id != 0)
        if (const auto trip = parts_.trips.find(*trip_id))
            calendar.name = trip->title;
    calendar.read_again = read_again;
    return ical::text_of(calendar);
}

}  // namespace svc::availability
