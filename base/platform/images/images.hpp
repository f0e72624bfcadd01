// Pictures: their size, a small copy, and drawing them as JPEG. The only folder that decodes what strangers send.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "shared/core/result.hpp"

namespace svc::images {

// The most pixels of a picture whose decoder holds all of them: limits the memory of one picture at a time.
inline constexpr std::int64_t most_pixels = 40'000'000;
// A photo that is decoded line by line, at a scale: JPEG in one scan, and lossy WebP.
inline constexpr std::int64_t most_photo_pixels = 120'000'000;
// The widths that copies are made in, none wider than the picture.
inline constexpr std::array copy_widths{320, 640, 960, 1280, 1920};
// The longer side of a small copy.
inline constexpr int thumbnail_side = 480;

struct Picture {
    int width = 0, height = 0;
    std::vector<std::uint8_t> rgb = {};  // three bytes a pixel, row by row

    static Picture blank(int width, int height) {  // black
        Picture picture{width, height};
        picture.rgb.resize(picture.at(0, height));
        return picture;
    }
    // Where the pixel's bytes begin.
    [[nodiscard]] std::size_t at(int x, int y) const {
        return 3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x));
    }
};

struct Seen {
    int width = 0, height = 0;  // of the original
    Picture small;              // the whole picture, upright, no side above thumbnail_side
};

// A picture as it is shown to everyone: upright, without EXIF, with its colour profile.
struct Shown {
    int width = 0, height = 0;   // upright; of `bytes` where they are not empty
    std::string bytes = {};      // of the same type; empty: the file itself is fit to be shown
    std::string thumbnail = {};  // JPEG
};

struct Copy {
    int width = 0, height = 0;
    std::string jpeg = {}, webp = {};
};

// image/jpeg, image/png and image/webp; true for these.
inline bool is_picture(std::string_view mime_type) {
    return mime_type == "image/jpeg" || mime_type == "image/png" || mime_type == "image/webp";
}
// The height of a copy of that width.
inline int copy_height(int width, int height, int copy_width) {
    return static_cast<int>(std::max<std::int64_t>(1, (std::int64_t{copy_width} * height + width / 2) / width));
}
// The picture decoded, of an animated one its first; svc_validation_error without a field when it cannot be, is cut off
// or has too many pixels. All three decode one picture at a time, in bounded memory.
Result<Seen> look_at(std::string_view mime_type, std::string_view bytes);
Result<Shown> shown_of(std::string_view mime_type, std::string_view bytes);
// In copy_widths, the smallest first; without those that are wider than the picture or, of a very tall one, too large.
Result<std::vector<Copy>> copies_of(std::string_view mime_type, std::string_view bytes);
std::string to_jpeg(const Picture& picture, int quality = 82);

}  // namespace svc::images
