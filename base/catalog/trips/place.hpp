// A point on the map.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

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

}  // namespace svc::catalog::trips
