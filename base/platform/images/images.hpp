// Pictures: their size, a small copy, and drawing them as JPEG. The only folder that decodes what strangers send.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "shared/core/result.hpp"

namespace svc::images {

// A picture has at most so many pixels: what decoding takes of memory, one at a time.
inline constexpr std::int64_t most_pixels = 40'000'000;
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
    Picture small;              // the whole picture, no side above thumbnail_side
};

// image/jpeg, image/png and image/webp; true for these.
inline bool is_picture(std::string_view mime_type) {
    return mime_type == "image/jpeg" || mime_type == "image/png" || mime_type == "image/webp";
}
// The picture decoded; svc_validation_error without a field when it cannot be, is animated or has too many pixels.
Result<Seen> look_at(std::string_view mime_type, std::string_view bytes);
std::string to_jpeg(const Picture& picture, int quality = 82);

}  // namespace svc::images
