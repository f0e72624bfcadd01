// Reads and prints angles exactly.
#include "base/catalog/trips/record/place.hpp"

#include "shared/core/decimal.hpp"

namespace svc::catalog::trips {
namespace {

constexpr std::size_t places = 7;
constexpr std::int64_t one = 10'000'000;

}  // namespace

std::optional<Degrees> Degrees::parse(std::string_view decimal, int most) {
    const auto parts = Decimal::parse(decimal);
    if (!parts || parts->whole.size() > 3)
        return std::nullopt;
    std::int64_t value = 0;
    for (const char digit : parts->whole)
        value = value * 10 + (digit - '0');
    for (std::size_t i = 0; i < places; ++i)
        value = value * 10 + (i < parts->fraction.size() ? parts->fraction[i] - '0' : 0);
    if (parts->fraction.size() > places && parts->fraction[places] >= '5')
        ++value;
    if (value > most * one)
        return std::nullopt;
    return Degrees{parts->negative ? -value : value};
}

std::string Degrees::decimal() const {
    const std::int64_t size = e7 < 0 ? -e7 : e7;
    std::string text = std::to_string(size % one);
    text.insert(0, places - text.size(), '0');
    text.erase(text.find_last_not_of('0') + 1);
    if (!text.empty())
        text.insert(0, 1, '.');
    return (e7 < 0 ? "-" : "") + std::to_string(size / one) + text;
}

void take_place(std::optional<Place>& place, const SentAngle& latitude, const SentAngle& longitude,
                const std::string& which, Faults& faults) {
    std::optional<Degrees> north, east;
    if (place) {
        north = place->latitude;
        east = place->longitude;
    }
    const auto read = [&](std::optional<Degrees>& angle, const SentAngle& sent, const char* name, int most) {
        if (sent)
            angle = *sent ? Degrees::parse(**sent, most) : std::nullopt;
        if (!sent || !*sent || angle)
            return true;
        faults.at(which + name, "This coordinate is out of range."_sentence);
        return false;
    };
    const bool fine = read(north, latitude, "_latitude", 90), fine_too = read(east, longitude, "_longitude", 180);
    if (!fine || !fine_too)
        return;
    if (north.has_value() != east.has_value())
        return faults.at(which + (north ? "_longitude" : "_latitude"), "Enter both latitude and longitude."_sentence);
    place = north ? std::optional(Place{*north, *east}) : std::nullopt;
}

}  // namespace svc::catalog::trips
