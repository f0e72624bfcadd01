// Decodes with the three reference libraries, each given the size before it decodes.
#include "base/platform/images/images.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <mutex>
#include <png.h>
#include <turbojpeg.h>
#include <webp/decode.h>
#include <webp/encode.h>

#include "base/platform/images/metadata.hpp"

namespace svc::images {
namespace {

struct Size {
    int width, height;
};

struct EndJpeg {
    void operator()(void* handle) const { tjDestroy(handle); }
};
using Jpeg = std::unique_ptr<void, EndJpeg>;

Error unreadable() {
    return Error{errc::validation_error, "The picture is damaged or has an unknown format."_sentence};
}

Error cut_off() {
    return Error{errc::validation_error, "The picture is incomplete. Upload the whole file again."_sentence};
}

Result<void> checked(Size size, std::int64_t most) {
    if (size.width <= 0 || size.height <= 0)
        return unreadable();
    if (std::int64_t{size.width} * size.height > most)
        return Error{errc::validation_error,
                     "The picture has more than {most} million pixels. Upload a smaller one."_sentence.with(
                         "most", most / 1'000'000)};
    return {};
}

// A decoded picture, not yet upright, and the size of the file's.
struct Decoded {
    Size size;
    Picture picture;
};
// The size to decode to, from the file's; neither side is larger than the file's.
using Wanted = std::function<Size(Size)>;

Size small_of(Size size) {
    const int longer = std::max(size.width, size.height);
    if (longer <= thumbnail_side)
        return size;
    const auto scaled = [&](int side) {
        return std::max(1, static_cast<int>((std::int64_t{side} * thumbnail_side + longer / 2) / longer));
    };
    return {scaled(size.width), scaled(size.height)};
}

// Each pixel is the mean of those it replaces.
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

// Decoded at its smallest scale that is at least as large as required.
Result<Decoded> decode_jpeg(std::string_view bytes, const Wanted& want) {
    if (!is_whole_jpeg(bytes))
        return cut_off();
    const Jpeg reader(tjInitDecompress());
    Size size{};
    int sampling = 0, colors = 0;
    if (!reader || tjDecompressHeader3(reader.get(), bytes_of(bytes), bytes.size(), &size.width, &size.height,
                                       &sampling, &colors) != 0)
        return unreadable();
    SVC_RETURN_IF_ERROR(checked(size, has_many_scans(bytes) ? most_pixels : most_photo_pixels));
    if (colors == TJCS_CMYK || colors == TJCS_YCCK)
        return Error{errc::validation_error,
                     "The picture has CMYK colors. Save it as RGB and upload it again."_sentence};
    const Size target = want(size);
    Size decoded = size;
    int count = 0;
    const tjscalingfactor* factors = tjGetScalingFactors(&count);
    for (int at = 0; at < count; ++at) {
        const Size scaled{TJSCALED(size.width, factors[at]), TJSCALED(size.height, factors[at])};
        if (scaled.width >= target.width && scaled.height >= target.height && scaled.width < decoded.width)
            decoded = scaled;
    }
    Picture picture = Picture::blank(decoded.width, decoded.height);
    if (tjDecompress2(reader.get(), bytes_of(bytes), bytes.size(), picture.rgb.data(), decoded.width, 0, decoded.height,
                      TJPF_RGB, TJFLAG_LIMITSCANS) != 0) {
        if (tjGetErrorCode(reader.get()) != TJERR_WARNING)
            return unreadable();
        if (std::string_view(tjGetErrorStr2(reader.get())).find("remature end") != std::string_view::npos)
            return cut_off();
    }
    return Decoded{size, shrunk(picture, target)};
}

Result<Decoded> decode_png(std::string_view bytes, const Wanted& want) {
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    const std::unique_ptr<png_image, decltype(&png_image_free)> ends(&image, png_image_free);
    if (png_image_begin_read_from_memory(&image, bytes.data(), bytes.size()) == 0)
        return unreadable();
    const Size size{static_cast<int>(std::min<png_uint_32>(image.width, INT32_MAX)),
                    static_cast<int>(std::min<png_uint_32>(image.height, INT32_MAX))};
    SVC_RETURN_IF_ERROR(checked(size, most_pixels));
    image.format = PNG_FORMAT_RGB;
    Picture picture = Picture::blank(size.width, size.height);
    const png_color white{255, 255, 255};  // background of transparent areas
    if (png_image_finish_read(&image, &white, picture.rgb.data(), 0, nullptr) == 0)
        return unreadable();
    return Decoded{size, shrunk(picture, want(size))};
}

Result<Decoded> decode_webp(std::string_view bytes, const Wanted& want) {
    constexpr int lossless = 2;
    std::string still;
    if (auto first = first_frame(bytes)) {
        still = std::move(*first);
        bytes = still;
    }
    WebPDecoderConfig config;
    if (!WebPInitDecoderConfig(&config) ||
        WebPGetFeatures(bytes_of(bytes), bytes.size(), &config.input) != VP8_STATUS_OK)
        return unreadable();
    const Size size{config.input.width, config.input.height};
    const bool by_line = config.input.format != lossless && !config.input.has_alpha;
    SVC_RETURN_IF_ERROR(checked(size, by_line ? most_photo_pixels : most_pixels));
    if (config.input.has_animation)
        return unreadable();
    const Size target = want(size);
    Picture picture = Picture::blank(target.width, target.height);
    std::vector<std::uint8_t> rgba(picture.rgb.size() / 3 * 4);
    config.options.use_scaling = 1;
    config.options.scaled_width = target.width;
    config.options.scaled_height = target.height;
    config.output.colorspace = MODE_RGBA;
    config.output.is_external_memory = 1;
    config.output.u.RGBA = {rgba.data(), 4 * target.width, rgba.size()};
    if (const auto status = WebPDecode(bytes_of(bytes), bytes.size(), &config); status != VP8_STATUS_OK)
        return status == VP8_STATUS_NOT_ENOUGH_DATA ? cut_off() : unreadable();
    // On white, as PNG.
    for (std::size_t from = 0, to = 0; from < rgba.size(); from += 4)
        for (std::size_t part = 0; part < 3; ++part, ++to)
            picture.rgb[to] =
                static_cast<std::uint8_t>((rgba[from + part] * rgba[from + 3] + 255 * (255 - rgba[from + 3])) / 255);
    return Decoded{size, std::move(picture)};
}

Result<Decoded> decode(std::string_view mime_type, std::string_view bytes, const Wanted& want) {
    if (mime_type == "image/jpeg")
        return decode_jpeg(bytes, want);
    if (mime_type == "image/png")
        return decode_png(bytes, want);
    return decode_webp(bytes, want);
}

std::mutex& one_at_a_time() {  // bounds the memory
    static std::mutex mutex;
    return mutex;
}

bool is_sideways(int orientation) { return orientation >= 5; }
Size turned(Size size, int orientation) { return is_sideways(orientation) ? Size{size.height, size.width} : size; }

// Rotated according to the orientation of EXIF, 1 to 8.
Picture upright(Picture from, int orientation) {
    if (orientation == 1)
        return from;
    const Size to = turned({from.width, from.height}, orientation);
    const int right = from.width - 1, bottom = from.height - 1;
    Picture picture = Picture::blank(to.width, to.height);
    for (int y = 0; y < to.height; ++y)
        for (int x = 0; x < to.width; ++x) {
            const bool swapped = is_sideways(orientation);
            const bool from_right = orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8;
            const bool from_bottom = orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
            const int column = swapped ? y : x, row = swapped ? x : y;
            const auto source = from.at(from_right ? right - column : column, from_bottom ? bottom - row : row);
            const auto target = picture.at(x, y);
            for (std::size_t part = 0; part < 3; ++part)
                picture.rgb[target + part] = from.rgb[source + part];
        }
    return picture;
}

std::string to_webp(const Picture& picture, float quality) {
    std::uint8_t* buffer = nullptr;
    const std::size_t size =
        WebPEncodeRGB(picture.rgb.data(), picture.width, picture.height, 3 * picture.width, quality, &buffer);
    std::string bytes(reinterpret_cast<const char*>(buffer), size);
    WebPFree(buffer);
    if (size == 0)
        throw std::bad_alloc();  // the picture is ours and of a size that WebP has
    return bytes;
}

std::string to_png(const Picture& picture) {
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.width = static_cast<png_uint_32>(picture.width);
    image.height = static_cast<png_uint_32>(picture.height);
    image.format = PNG_FORMAT_RGB;
    png_alloc_size_t size = 0;
    std::string bytes;
    if (png_image_write_to_memory(&image, nullptr, &size, 0, picture.rgb.data(), 0, nullptr) != 0) {
        bytes.resize(size);
        if (png_image_write_to_memory(&image, bytes.data(), &size, 0, picture.rgb.data(), 0, nullptr) != 0) {
            bytes.resize(size);
            return bytes;
        }
    }
    throw std::bad_alloc();
}

std::string encoded(std::string_view mime_type, const Picture& picture, const std::string& profile) {
    constexpr int fine = 90;
    if (mime_type == "image/png")
        return to_png(picture);
    return with_profile(mime_type, mime_type == "image/jpeg" ? to_jpeg(picture, fine) : to_webp(picture, fine), profile,
                        picture.width, picture.height);
}

// Rotating needs memory for the whole picture: limited to this.
constexpr double most_turned_pixels = 16'000'000;
Size turnable(Size size) {
    const double pixels = static_cast<double>(size.width) * size.height;
    const double scale = std::min(1.0, std::sqrt(most_turned_pixels / pixels));
    const auto scaled = [&](int side) { return std::max(1, static_cast<int>(side * scale)); };
    return {scaled(size.width), scaled(size.height)};
}

// A very tall picture has no copy in widths that would make it too large to be drawn.
constexpr std::int64_t most_copy_pixels = 20'000'000;
constexpr int longest_webp = 16'383;
std::vector<int> widths_of(Size size) {
    std::vector<int> widths;
    for (const int width : copy_widths) {
        const int height = copy_height(size.width, size.height, width);
        if (width <= size.width && height <= longest_webp && std::int64_t{width} * height <= most_copy_pixels)
            widths.push_back(width);
    }
    return widths;
}

}  // namespace

Result<Seen> look_at(std::string_view mime_type, std::string_view bytes) {
    const std::lock_guard lock(one_at_a_time());
    SVC_ASSIGN_OR_RETURN(auto seen, decode(mime_type, bytes, small_of));
    const int orientation = metadata_of(mime_type, bytes).orientation;
    const Size size = turned(seen.size, orientation);
    return Seen{size.width, size.height, upright(std::move(seen.picture), orientation)};
}

Result<Shown> shown_of(std::string_view mime_type, std::string_view bytes) {
    const std::lock_guard lock(one_at_a_time());
    const Metadata facts = metadata_of(mime_type, bytes);
    const bool turns = facts.orientation != 1 && !first_frame(bytes);
    SVC_ASSIGN_OR_RETURN(auto seen, decode(mime_type, bytes, turns ? turnable : small_of));
    if (!turns) {
        Shown shown{seen.size.width, seen.size.height, without_metadata(mime_type, bytes), to_jpeg(seen.picture)};
        if (shown.bytes == bytes)
            shown.bytes.clear();
        return shown;
    }
    const Picture whole = upright(std::move(seen.picture), facts.orientation);
    return Shown{whole.width, whole.height, encoded(mime_type, whole, facts.profile),
                 to_jpeg(shrunk(whole, small_of({whole.width, whole.height})))};
}

Result<std::vector<Copy>> copies_of(std::string_view mime_type, std::string_view bytes) {
    const std::lock_guard lock(one_at_a_time());
    const Metadata facts = metadata_of(mime_type, bytes);
    const int orientation = first_frame(bytes) ? 1 : facts.orientation;
    std::vector<int> widths;
    auto seen = decode(mime_type, bytes, [&](Size size) {
        const Size whole = turned(size, orientation);
        widths = widths_of(whole);
        const int widest = widths.empty() ? 1 : widths.back();
        return turned({widest, copy_height(whole.width, whole.height, widest)}, orientation);
    });
    if (!seen)
        return seen.error();
    const Size whole = turned(seen->size, orientation);
    Picture drawn = upright(std::move(seen->picture), orientation);
    std::vector<Copy> copies(widths.size());
    for (std::size_t i = widths.size(); i-- > 0;) {
        drawn = shrunk(drawn, {widths[i], copy_height(whole.width, whole.height, widths[i])});
        const auto with = [&](std::string_view type, std::string encoded) {
            return with_profile(type, std::move(encoded), facts.profile, drawn.width, drawn.height);
        };
        copies[i] = {drawn.width, drawn.height, with("image/jpeg", to_jpeg(drawn)),
                     with("image/webp", to_webp(drawn, 80))};
    }
    return copies;
}

std::string to_jpeg(const Picture& picture, int quality) {
    const Jpeg writer(tjInitCompress());
    unsigned char* buffer = nullptr;
    unsigned long size = 0;
    const bool done = writer && tjCompress2(writer.get(), picture.rgb.data(), picture.width, 0, picture.height,
                                            TJPF_RGB, &buffer, &size, TJSAMP_420, quality, TJFLAG_PROGRESSIVE) == 0;
    std::string bytes(reinterpret_cast<const char*>(buffer), done ? size : 0);
    tjFree(buffer);
    if (!done)
        throw std::bad_alloc();  // the picture is ours and whole: nothing else can fail
    return bytes;
}

}  // namespace svc::images
