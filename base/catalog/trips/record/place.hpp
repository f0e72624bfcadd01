// A point on the map.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "shared/core/faults.hpp"

namespace svc::catalog::trips {

// An angle in ten-millionths of a degree, about a centimetre on the ground.
struct Degrees {
    std::int64_t e7 = 0;

    // A plain decimal between -most and most; further decimals are rounded half away from zero.
    static std::optional<Degrees> parse(std::string_view decimal, int most);
    [[nodiscard]] std::string decimal() const;  // "31.2", no trailing zeros
    friend bool operator==(Degrees, Degrees) = default;
};

struct Place {
    Degrees latitude, longitude;
    friend bool operator==(const Place&, const Place&) = default;
};

// Changes a place by the coordinates of a request (nothing: not sent; empty: removed). Faults name {which}_latitude and
// {which}_longitude, and leave the place unchanged.
using SentAngle = std::optional<std::optional<std::string>>;
void take_place(std::optional<Place>& place, const SentAngle& latitude, const SentAngle& longitude,
                const std::string& which, Faults& faults);

}  // namespace svc::catalog::trips
