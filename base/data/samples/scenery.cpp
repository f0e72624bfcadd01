// A sky, a sun or moon, and ridges one behind the other, each paler than the one before it.
#include "base/data/samples/scenery.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <vector>

namespace svc::samples {
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
constexpr double ripple_width = 0.006;  // by how much water shifts what it reflects, of the picture's width

// Draws one picture. The ridges depend on the column alone, so they are computed once for each.
class Painter {
  public:
    Painter(const Palette& look, std::uint32_t seed, int width, int height)
        : look_(look),
          seed_(seed),
          width_(width),
          aspect_(static_cast<double>(width) / height),
          margin_(static_cast<int>(ripple_width * width) + 1),
          sun_x_(0.25 + 0.5 * noise(seed, 1)),
          sun_y_(0.22 + 0.16 * noise(seed, 2)) {
        for (int column = -margin_; column < width + margin_; ++column) {
            std::array<double, ridges> tops{};
            for (std::uint32_t layer = 0; layer < ridges; ++layer)
                tops.at(layer) =
                    0.42 + 0.13 * layer -
                    (0.3 - 0.04 * layer) * (0.4 + 0.6 * look.roughness) *
                        ridge_at(static_cast<double>(column) / width + 3 * layer, seed + 17U * layer, look.roughness);
            tops_.push_back(tops);
        }
    }

    // The values that depend on the height only, from 0 to 1.
    struct Row {
        double y;
        Color sky;
    };
    [[nodiscard]] Row row_at(double y) const {
        return {y, mixed(look_.zenith, look_.horizon, std::pow(std::min(1.0, y / 0.72), 1.4))};
    }
    // The row that water shows at a height.
    [[nodiscard]] Row mirrored(double y) const { return row_at(2 * shore() - y - 0.02); }

    // x is between 0 and 1, or outside by the ripple's width.
    [[nodiscard]] Color color_at(double x, const Row& row, const Row& mirror) const {
        const double y = row.y;
        Color color = row.sky;
        const double distance = std::hypot((x - sun_x_) * aspect_, y - sun_y_);
        const double glow = std::exp(-distance * 7);
        color = mixed(color, look_.sun, std::clamp(distance < 0.05 ? 1.0 : glow * 0.8, 0.0, 1.0));
        if (look_.has_stars &&
            noise(static_cast<std::uint32_t>(x * 960) + seed_, static_cast<std::uint32_t>(y * 640)) > 0.9985)
            color = {250, 250, 255};
        const auto& tops = tops_.at(static_cast<std::size_t>(std::lround(x * width_) + margin_));
        for (std::size_t layer = 0; layer < ridges; ++layer)
            if (const double top = tops.at(layer); y > top && y < shore()) {
                const double depth = static_cast<double>(layer) / (ridges - 1);
                color = mixed(mixed(look_.horizon, look_.near, 0.25 + 0.75 * depth), look_.near,
                              std::min(1.0, (y - top) * 1.2));
            }
        if (y >= shore()) {  // the reflection of the picture above it, darker
            const double ripple = ripple_width * std::sin(y * 420 + 3 * std::sin(x * 30));
            color = mixed(color_at(x + ripple, mirror, mirror), look_.near, 0.35);
        }
        return color;
    }

  private:
    [[nodiscard]] double shore() const { return look_.has_water ? 0.74 : 2; }

    const Palette& look_;
    std::uint32_t seed_;
    int width_;
    double aspect_;
    int margin_;  // columns beyond each edge
    double sun_x_, sun_y_;
    std::vector<std::array<double, ridges>> tops_;
};

}  // namespace

images::Picture scenery(std::string_view kind, int width, int height) {
    const auto* look =
        std::find_if(std::begin(palettes), std::end(palettes), [&](const Palette& one) { return one.kind == kind; });
    if (look == std::end(palettes))
        look = std::begin(palettes);
    std::uint32_t seed = 2166136261U;
    for (const char c : kind)
        seed = (seed ^ static_cast<unsigned char>(c)) * 16777619U;
    const Painter painter(*look, seed, width, height);
    auto picture = images::Picture::blank(width, height);
    for (int y = 0; y < height; ++y) {
        const auto row = painter.row_at(static_cast<double>(y) / height), mirror = painter.mirrored(row.y);
        for (int x = 0; x < width; ++x) {
            const Color color = painter.color_at(static_cast<double>(x) / width, row, mirror);
            const std::size_t at = picture.at(x, y);
            const std::array parts{color.red, color.green, color.blue};
            for (std::size_t part = 0; part < parts.size(); ++part)
                picture.rgb[at + part] = static_cast<std::uint8_t>(std::clamp(parts[part], 0.0, 255.0));
        }
    }
    return picture;
}

}  // namespace svc::samples
