// Contrast by WCAG 2.2, and shades by mixing with black and white.
#include "shared/core/colour.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>

namespace svc::colour {
namespace {

using Rgb = std::array<double, 3>;

Rgb rgb_of(std::string_view colour) {
    Rgb rgb{};
    for (std::size_t i = 0; i < 3; ++i) {
        int value = 0;
        if (colour.size() >= 3 + 2 * i)
            std::from_chars(colour.data() + 1 + 2 * i, colour.data() + 3 + 2 * i, value, 16);
        rgb[i] = value;
    }
    return rgb;
}

double luminance(const Rgb& rgb) {
    const auto linear = [](double part) {
        part /= 255;
        return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(rgb[0]) + 0.7152 * linear(rgb[1]) + 0.0722 * linear(rgb[2]);
}

std::string text_of(const Rgb& rgb) {
    char text[8];
    std::snprintf(text, sizeof text, "#%02x%02x%02x", static_cast<int>(std::lround(rgb[0])),
                  static_cast<int>(std::lround(rgb[1])), static_cast<int>(std::lround(rgb[2])));
    return text;
}

}  // namespace

double contrast(std::string_view one, std::string_view other) {
    const double a = luminance(rgb_of(one)), b = luminance(rgb_of(other));
    return (std::max(a, b) + 0.05) / (std::min(a, b) + 0.05);
}

std::string readable(std::string_view colour, std::string_view ground, double least) {
    const double target = luminance(rgb_of(ground)) > 0.4 ? 0 : 255;
    const Rgb rgb = rgb_of(colour);
    for (int step = 0; step <= 50; ++step) {
        Rgb mixed = rgb;
        for (double& part : mixed)
            part += (target - part) * step / 50;
        if (const std::string text = text_of(mixed); contrast(text, ground) >= least)
            return text;
    }
    return target == 0 ? "#000000" : "#ffffff";
}

Pair button(std::string_view colour) {
    constexpr std::string_view white = "#ffffff", ink = "#111111";
    if (contrast(colour, white) >= least_of_text)
        return {std::string(colour), std::string(white)};
    if (contrast(colour, ink) >= 7)
        return {std::string(colour), std::string(ink)};
    return {readable(colour, white, least_of_text), std::string(white)};
}

}  // namespace svc::colour
