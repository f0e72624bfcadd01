// A sky, a sun or moon, and ridges one behind the other, each paler than the one before it.
#include "base/operations/scenery.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

namespace svc::operations {
namespace {

struct Color {
    double red, green, blue;
};

Color mixed(const Color& a, const Color& b, double share) {
    return {a.red + (b.red - a.red) * share, a.green + (b.green - a.green) * share, a.blue + (b.blue - a.blue) * share};
}

struct Palette {
    std::string_view kind;
    Color zenith, horizon, near, sun;
    double roughness;  // of the ridges
    bool has_water = false, has_stars = false;
};

constexpr Palette palettes[] = {
    {"mountains", {92, 131, 176}, {236, 221, 200}, {38, 56, 66}, {255, 246, 220}, 1.0},
    {"city", {66, 72, 128}, {250, 168, 120}, {52, 34, 58}, {255, 224, 170}, 0.35},
    {"fields", {120, 174, 214}, {250, 236, 196}, {104, 112, 44}, {255, 248, 214}, 0.3},
    {"sea", {84, 148, 190}, {226, 238, 236}, {24, 66, 78}, {255, 252, 236}, 0.25, true},
    {"garden", {158, 196, 206}, {248, 226, 224}, {58, 84, 52}, {255, 240, 236}, 0.45},
    {"forest", {128, 160, 156}, {226, 232, 214}, {22, 52, 40}, {250, 250, 226}, 0.7},
    {"desert", {96, 138, 188}, {252, 208, 156}, {140, 62, 34}, {255, 240, 200}, 0.4},
    {"canyon", {132, 158, 196}, {250, 214, 184}, {150, 74, 58}, {255, 236, 210}, 0.9},
    {"lake", {74, 124, 178}, {232, 240, 244}, {42, 62, 84}, {255, 255, 246}, 0.8, true},
    {"night", {18, 20, 52}, {96, 62, 102}, {12, 12, 28}, {246, 240, 222}, 0.3, false, true},
    {"coast", {92, 160, 200}, {250, 226, 196}, {32, 72, 70}, {255, 248, 222}, 0.6, true},
    {"stars", {8, 12, 36}, {62, 54, 88}, {14, 14, 24}, {240, 240, 255}, 0.7, false, true},
};

// Repeatable, between 0 and 1.
double noise(std::uint32_t a, std::uint32_t b) {
    std::uint32_t mix = a * 0x9e3779b1U ^ b * 0x85ebca6bU;
    mix = (mix ^ (mix >> 15U)) * 0x2c1b3c6dU;
    mix = (mix ^ (mix >> 12U)) * 0x297a2d39U;
    return static_cast<double>(mix ^ (mix >> 15U)) / 4294967296.0;
}

// The height of a ridge at a place, between 0 and 1: noise at several scales.
double ridge_at(double x, std::uint32_t seed, double roughness) {
    double height = 0, weight = 1, scale = 3, all = 0;
    for (std::uint32_t octave = 0; octave < 6; ++octave) {
        const double at = x * scale;
        const double floor = std::floor(at), part = at - floor, eased = part * part * (3 - 2 * part);
        const auto cell = static_cast<std::uint32_t>(floor);
        const double a = noise(seed + octave, cell), b = noise(seed + octave, cell + 1);
        height += weight * (a + (b - a) * eased);
        all += weight;
        weight *= 0.3 + 0.2 * roughness;
        scale *= 2;
    }
    return height / all;
}

constexpr int ridges = 4;

Color color_at(const Palette& look, std::uint32_t seed, double x, double y, double aspect) {
    Color color = mixed(look.zenith, look.horizon, std::pow(std::min(1.0, y / 0.72), 1.4));
    const double sun_x = 0.25 + 0.5 * noise(seed, 1), sun_y = 0.22 + 0.16 * noise(seed, 2);
    const double distance = std::hypot((x - sun_x) * aspect, y - sun_y);
    const double glow = std::exp(-distance * 7);
    color = mixed(color, look.sun, std::clamp(distance < 0.05 ? 1.0 : glow * 0.8, 0.0, 1.0));
    if (look.has_stars &&
        noise(static_cast<std::uint32_t>(x * 960) + seed, static_cast<std::uint32_t>(y * 640)) > 0.9985)
        color = {250, 250, 255};
    const double shore = look.has_water ? 0.74 : 2;
    for (int layer = 0; layer < ridges; ++layer) {
        const double depth = static_cast<double>(layer) / (ridges - 1);
        const double top = 0.42 + 0.13 * layer -
                           (0.3 - 0.04 * layer) * (0.4 + 0.6 * look.roughness) *
                               ridge_at(x + 3 * layer, seed + 17U * static_cast<std::uint32_t>(layer), look.roughness);
        if (y > top && y < shore)
            color =
                mixed(mixed(look.horizon, look.near, 0.25 + 0.75 * depth), look.near, std::min(1.0, (y - top) * 1.2));
    }
    if (y >= shore) {  // what lies above it, once more and darker
        const double ripple = 0.006 * std::sin(y * 420 + 3 * std::sin(x * 30));
        color = mixed(color_at(look, seed, x + ripple, 2 * shore - y - 0.02, aspect), look.near, 0.35);
    }
    return color;
}

}  // namespace

images::Picture scenery(std::string_view kind, int width, int height) {
    const auto* look =
        std::find_if(std::begin(palettes), std::end(palettes), [&](const Palette& one) { return one.kind == kind; });
    if (look == std::end(palettes))
        look = std::begin(palettes);
    std::uint32_t seed = 2166136261U;
    for (const char c : kind)
        seed = (seed ^ static_cast<unsigned char>(c)) * 16777619U;
    auto picture = images::Picture::blank(width, height);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const Color color = color_at(*look, seed, static_cast<double>(x) / width, static_cast<double>(y) / height,
                                         static_cast<double>(width) / height);
            const std::size_t at = picture.at(x, y);
            const std::array parts{color.red, color.green, color.blue};
            for (std::size_t part = 0; part < parts.size(); ++part)
                picture.rgb[at + part] = static_cast<std::uint8_t>(std::clamp(parts[part], 0.0, 255.0));
        }
    return picture;
}

}  // namespace svc::operations
