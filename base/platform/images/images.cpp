// Decoding with the three reference libraries, each told the size before it decodes.
#include "base/platform/images/images.hpp"

#include <algorithm>
#include <memory>
#include <mutex>
#include <png.h>
#include <turbojpeg.h>
#include <webp/decode.h>

namespace svc::images {
namespace {

struct Size {
    int width, height;
};

struct EndJpeg {
    void operator()(void* handle) const { tjDestroy(handle); }
};
using Jpeg = std::unique_ptr<void, EndJpeg>;

Error unreadable() { return Error{errc::validation_error, "The picture cannot be read."}; }

Result<void> checked(Size size) {
    if (size.width <= 0 || size.height <= 0)
        return unreadable();
    if (std::int64_t{size.width} * size.height > most_pixels)
        return Error{errc::validation_error,
                     "The picture has more than " + std::to_string(most_pixels / 1'000'000) + " million pixels."};
    return {};
}

Size small_of(Size size) {
    const int longer = std::max(size.width, size.height);
    if (longer <= thumbnail_side)
        return size;
    const auto scaled = [&](int side) {
        return std::max(1, static_cast<int>((std::int64_t{side} * thumbnail_side + longer / 2) / longer));
    };
    return {scaled(size.width), scaled(size.height)};
}

// Each pixel is the mean of those it stands for.
Picture shrunk(const Picture& from, Size to) {
    if (from.width == to.width && from.height == to.height)
        return from;
    Picture small = Picture::blank(to.width, to.height);
    for (int y = 0; y < to.height; ++y) {
        const int top = static_cast<int>(std::int64_t{y} * from.height / to.height);
        const int bottom = std::max(top + 1, static_cast<int>(std::int64_t{y + 1} * from.height / to.height));
        for (int x = 0; x < to.width; ++x) {
            const int left = static_cast<int>(std::int64_t{x} * from.width / to.width);
            const int right = std::max(left + 1, static_cast<int>(std::int64_t{x + 1} * from.width / to.width));
            std::uint32_t sum[3] = {};
            for (int row = top; row < bottom; ++row)
                for (int column = left; column < right; ++column)
                    for (std::size_t part = 0; part < 3; ++part)
                        sum[part] += from.rgb[from.at(column, row) + part];
            const auto count = static_cast<std::uint32_t>((bottom - top) * (right - left));
            for (std::size_t part = 0; part < 3; ++part)
                small.rgb[small.at(x, y) + part] = static_cast<std::uint8_t>((sum[part] + count / 2) / count);
        }
    }
    return small;
}

const unsigned char* bytes_of(std::string_view text) { return reinterpret_cast<const unsigned char*>(text.data()); }

// Decoded at the least of its scales that is no smaller than what is wanted.
Result<Seen> look_at_jpeg(std::string_view bytes) {
    const Jpeg reader(tjInitDecompress());
    Size size{};
    int sampling = 0, colors = 0;
    if (!reader || tjDecompressHeader3(reader.get(), bytes_of(bytes), bytes.size(), &size.width, &size.height,
                                       &sampling, &colors) != 0)
        return unreadable();
    if (auto fits = checked(size); !fits)
        return fits.error();
    if (colors == TJCS_CMYK || colors == TJCS_YCCK)
        return Error{errc::validation_error, "The picture has colors for print. Please save it as RGB."};
    const Size wanted = small_of(size);
    Size decoded = size;
    int count = 0;
    const tjscalingfactor* factors = tjGetScalingFactors(&count);
    for (int at = 0; at < count; ++at) {
        const Size scaled{TJSCALED(size.width, factors[at]), TJSCALED(size.height, factors[at])};
        if (scaled.width >= wanted.width && scaled.height >= wanted.height && scaled.width < decoded.width)
            decoded = scaled;
    }
    Picture picture = Picture::blank(decoded.width, decoded.height);
    if (tjDecompress2(reader.get(), bytes_of(bytes), bytes.size(), picture.rgb.data(), decoded.width, 0, decoded.height,
                      TJPF_RGB, TJFLAG_LIMITSCANS) != 0 &&
        tjGetErrorCode(reader.get()) != TJERR_WARNING)
        return unreadable();
    return Seen{size.width, size.height, shrunk(picture, wanted)};
}

Result<Seen> look_at_png(std::string_view bytes) {
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    const std::unique_ptr<png_image, decltype(&png_image_free)> ends(&image, png_image_free);
    if (png_image_begin_read_from_memory(&image, bytes.data(), bytes.size()) == 0)
        return unreadable();
    const Size size{static_cast<int>(std::min<png_uint_32>(image.width, INT32_MAX)),
                    static_cast<int>(std::min<png_uint_32>(image.height, INT32_MAX))};
    if (auto fits = checked(size); !fits)
        return fits.error();
    image.format = PNG_FORMAT_RGB;
    Picture picture = Picture::blank(size.width, size.height);
    const png_color white{255, 255, 255};  // behind what is transparent
    if (png_image_finish_read(&image, &white, picture.rgb.data(), 0, nullptr) == 0)
        return unreadable();
    return Seen{size.width, size.height, shrunk(picture, small_of(size))};
}

Result<Seen> look_at_webp(std::string_view bytes) {
    WebPDecoderConfig config;
    if (!WebPInitDecoderConfig(&config) ||
        WebPGetFeatures(bytes_of(bytes), bytes.size(), &config.input) != VP8_STATUS_OK)
        return unreadable();
    const Size size{config.input.width, config.input.height};
    if (auto fits = checked(size); !fits)
        return fits.error();
    if (config.input.has_animation)
        return Error{errc::validation_error, "Animated pictures are not taken."};
    const Size wanted = small_of(size);
    Picture picture = Picture::blank(wanted.width, wanted.height);
    std::vector<std::uint8_t> rgba(picture.rgb.size() / 3 * 4);
    config.options.use_scaling = 1;
    config.options.scaled_width = wanted.width;
    config.options.scaled_height = wanted.height;
    config.output.colorspace = MODE_RGBA;
    config.output.is_external_memory = 1;
    config.output.u.RGBA = {rgba.data(), 4 * wanted.width, rgba.size()};
    if (WebPDecode(bytes_of(bytes), bytes.size(), &config) != VP8_STATUS_OK)
        return unreadable();
    // On white, as PNG.
    for (std::size_t from = 0, to = 0; from < rgba.size(); from += 4)
        for (std::size_t part = 0; part < 3; ++part, ++to)
            picture.rgb[to] =
                static_cast<std::uint8_t>((rgba[from + part] * rgba[from + 3] + 255 * (255 - rgba[from + 3])) / 255);
    return Seen{size.width, size.height, std::move(picture)};
}

}  // namespace

Result<Seen> look_at(std::string_view mime_type, std::string_view bytes) {
    static std::mutex one_at_a_time;  // bounds the memory
    const std::lock_guard lock(one_at_a_time);
    if (mime_type == "image/jpeg")
        return look_at_jpeg(bytes);
    if (mime_type == "image/png")
        return look_at_png(bytes);
    return look_at_webp(bytes);
}

std::string to_jpeg(const Picture& picture, int quality) {
    const Jpeg writer(tjInitCompress());
    unsigned char* made = nullptr;
    unsigned long size = 0;
    const bool done = writer && tjCompress2(writer.get(), picture.rgb.data(), picture.width, 0, picture.height,
                                            TJPF_RGB, &made, &size, TJSAMP_420, quality, TJFLAG_PROGRESSIVE) == 0;
    std::string bytes(reinterpret_cast<const char*>(made), done ? size : 0);
    tjFree(made);
    if (!done)
        throw std::bad_alloc();  // the picture is ours and whole: nothing else can fail
    return bytes;
}

}  // namespace svc::images
