// The meeting point: pickup before starting point, the departure's before the trip's.
#include "base/sales/booking/record/meeting.hpp"

#include "base/catalog/trips/editor/service.hpp"
#include "base/sales/availability/record/departure_rows.hpp"
#include "shared/api/named.hpp"

namespace svc::booking {
namespace {

constexpr const char* map_site = "https://www.openstreetmap.org/";

// UTF-8 for an address's query.
std::string in_query(std::string_view text) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    std::string out;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
        if (is_plain)
            out += c;
        else
            ((out += '%') += digits[byte >> 4U]) += digits[byte & 15U];
    }
    return out;
}

std::string map_of(const std::string& place, const std::optional<catalog::trips::Place>& at) {
    if (at) {
        const std::string latitude = at->latitude.decimal(), longitude = at->longitude.decimal();
        return map_site + ("?mlat=" + latitude) + "&mlon=" + longitude + "#map=16/" + latitude + "/" + longitude;
    }
    return place.empty() ? place : map_site + ("search?query=" + in_query(place));
}

const std::string& first_of(const std::string& one, const std::string& other) { return one.empty() ? other : one; }

}  // namespace

Meeting meeting_of(store::Session& session, const Booking& booking) {
    const auto departure =
        booking.departure_id ? availability::rows::find(session, *booking.departure_id) : std::nullopt;
    const auto trip = catalog::trips::Service::find(session, booking.trip_id);
    std::string place;
    std::optional<catalog::trips::Place> at;
    if (departure) {
        place = first_of(departure->pickup_location, departure->from_location);
        // The coordinates are those of the start; a pickup lies elsewhere.
        if (departure->pickup_location.empty())
            at = departure->from_place;
    }
    if (place.empty() && trip) {
        place = first_of(trip->pickup_location, trip->starting_location);
        if (!at && trip->pickup_location.empty())
            at = trip->start;
    }
    return {.place = place, .map_url = map_of(place, at)};
}

json::Value to_json(const Meeting& meeting) {
    return json::Value::object({{"place", meeting.place}, {"map_url", meeting.map_url}});
}

api::Type meeting_answer() {
    using namespace api;
    using api::text;
    return object("Meeting", {{.name = "place", .type = text(1000), .help = "Where the trip begins; empty: not known."},
                              {.name = "map_url", .type = text(4000), .help = "A map of it; empty: not known."}});
}

}  // namespace svc::booking
