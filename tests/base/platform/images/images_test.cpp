// Pictures from cameras: how they stand, what is read beside their pixels, and what is refused.
#include "base/platform/images/images.hpp"

#include <array>
#include <turbojpeg.h>

#include <doctest/doctest.h>

#include "base/platform/images/metadata.hpp"

using namespace svc;
using namespace svc::images;

namespace {

enum Corner : char { red = 'R', green = 'G', blue = 'B', white = 'W' };

// Red and green above, blue and white below.
Picture quarters(int width, int height) {
    Picture picture = Picture::blank(width, height);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const bool right = x >= width / 2, below = y >= height / 2;
            auto* pixel = &picture.rgb[picture.at(x, y)];
            pixel[0] = right == below ? 250 : 5;
            pixel[1] = right ? 250 : 5;
            pixel[2] = below ? 250 : 5;
            if (right && !below)
                pixel[0] = 5;
            if (!right && below)
                pixel[0] = 5;
        }
    return picture;
}

char corner_at(const Picture& picture, int x, int y) {
    const auto* pixel = &picture.rgb[picture.at(x, y)];
    const bool r = pixel[0] > 128, g = pixel[1] > 128, b = pixel[2] > 128;
    if (r && g && b)
        return white;
    if (r)
        return red;
    if (g)
        return green;
    return b ? static_cast<char>(blue) : '?';
}

// Left and right above, left and right below.
std::string corners_of(const Picture& picture) {
    const int right = picture.width * 3 / 4, below = picture.height * 3 / 4;
    return {corner_at(picture, picture.width / 4, picture.height / 4), corner_at(picture, right, picture.height / 4),
            corner_at(picture, picture.width / 4, below), corner_at(picture, right, below)};
}

std::string tiff(int orientation) {
    std::string bytes("MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0", 19);
    bytes += static_cast<char>(orientation);
    return bytes.append(6, '\0') + "GPSLatitude 52.52";
}

std::string segment(char marker, const std::string& content) {
    const std::size_t size = content.size() + 2;
    return std::string{'\xFF', marker, static_cast<char>(size >> 8U), static_cast<char>(size & 0xFFU)} + content;
}

std::string photo(int orientation, int width = 64, int height = 32) {
    std::string jpeg = to_jpeg(quarters(width, height), 95);
    const std::string exif = segment('\xE1', std::string("Exif\0\0", 6) + tiff(orientation));
    const std::string profile = segment('\xE2', std::string("ICC_PROFILE\0\x01\x01", 14) + "the colour profile");
    return jpeg.insert(2, exif + profile);
}

std::string chunk(const std::string& name, const std::string& content) {
    const auto size = static_cast<std::uint32_t>(content.size());
    std::string out = name;
    for (const unsigned shift : {0U, 8U, 16U, 24U})
        out += static_cast<char>(size >> shift & 0xFFU);
    return out + content + (size % 2 != 0 ? std::string(1, '\0') : "");
}
std::string riff(const std::string& chunks) { return chunk("RIFF", "WEBP" + chunks); }
std::string still_webp(int width, int height) {
    return copies_of("image/jpeg", to_jpeg(quarters(width, height), 95))->front().webp;
}

// In one scan, as cameras write them; ours are progressive.
std::string gray_photo(int width, int height) {
    const std::vector<unsigned char> pixels(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), 99);
    unsigned char* made = nullptr;
    unsigned long size = 0;
    void* writer = tjInitCompress();
    tjCompress2(writer, pixels.data(), width, 0, height, TJPF_GRAY, &made, &size, TJSAMP_GRAY, 50, 0);
    std::string bytes(reinterpret_cast<const char*>(made), size);
    tjFree(made);
    tjDestroy(writer);
    return bytes;
}

}  // namespace

TEST_CASE("a picture is rotated by its EXIF orientation, in its small copy and in its public one") {
    const std::array<const char*, 8> upright{"RGBW", "GRWB", "WBGR", "BWRG", "RBGW", "BRWG", "WGBR", "GWRB"};
    for (int orientation = 1; orientation <= 8; ++orientation) {
        CAPTURE(orientation);
        const std::string bytes = photo(orientation);
        const auto seen = look_at("image/jpeg", bytes);
        REQUIRE(seen);
        CHECK(seen->width == (orientation < 5 ? 64 : 32));
        CHECK(seen->height == (orientation < 5 ? 32 : 64));
        CHECK(corners_of(seen->small) == upright.at(static_cast<std::size_t>(orientation - 1)));

        const auto shown = shown_of("image/jpeg", bytes);
        REQUIRE(shown);
        CHECK(shown->width == seen->width);
        CHECK(shown->height == seen->height);
        CHECK(shown->bytes.find("Exif") == std::string::npos);
        CHECK(shown->bytes.find("GPS") == std::string::npos);
        CHECK(metadata_of("image/jpeg", shown->bytes).profile == "the colour profile");
        CHECK(corners_of(look_at("image/jpeg", shown->bytes)->small) == corners_of(seen->small));
        CHECK(corners_of(look_at("image/jpeg", shown->thumbnail)->small) == corners_of(seen->small));
    }
}

TEST_CASE("copies are upright, no wider than the picture, and have its colour profile, as JPEG and WebP") {
    const auto copies = copies_of("image/jpeg", photo(6, 700, 1000));
    REQUIRE(copies);
    REQUIRE(copies->size() == 3);
    for (std::size_t i = 0; i < copies->size(); ++i) {
        const Copy& copy = (*copies)[i];
        CHECK(copy.width == copy_widths.at(i));
        CHECK(copy.height == copy_height(1000, 700, copy.width));
        for (const auto& [type, bytes] : {std::pair("image/jpeg", copy.jpeg), std::pair("image/webp", copy.webp)}) {
            CAPTURE(type);
            const auto seen = look_at(type, bytes);
            REQUIRE(seen);
            CHECK(seen->width == copy.width);
            CHECK(corners_of(seen->small) == "BRWG");
            CHECK(metadata_of(type, bytes).profile == "the colour profile");
            CHECK(metadata_of(type, bytes).orientation == 1);
        }
    }
}

TEST_CASE("a WebP is rotated too, and its EXIF is never published") {
    const std::string plain = still_webp(320, 160).substr(12);
    const std::string flags("\x08\0\0\0", 4), wide("\x3F\x01\0\x9F\0\0", 6);
    const std::string given = riff(chunk("VP8X", flags + wide) + plain + chunk("EXIF", tiff(6)));
    const auto seen = look_at("image/webp", given);
    REQUIRE(seen);
    CHECK(seen->width == 160);
    CHECK(corners_of(seen->small) == "BRWG");
    const auto shown = shown_of("image/webp", given);
    REQUIRE(shown);
    CHECK(shown->bytes.find("GPS") == std::string::npos);
    CHECK(corners_of(look_at("image/webp", shown->bytes)->small) == "BRWG");
    const std::string straight = riff(chunk("VP8X", flags + wide) + plain + chunk("EXIF", tiff(1)));
    CHECK(without_metadata("image/webp", straight).find("EXIF") == std::string::npos);
    CHECK(look_at("image/webp", without_metadata("image/webp", straight))->width == 320);
}

TEST_CASE("an animated WebP is accepted by its first picture") {
    const std::string frame = still_webp(320, 160).substr(12);
    const std::string head = std::string(6, '\0') + std::string("\x3F\x01\0\x9F\0\0", 6) + std::string(4, '\0');
    const std::string given =
        riff(chunk("VP8X", std::string("\x02\0\0\0", 4) + std::string("\x3F\x01\0\x9F\0\0", 6)) +
             chunk("ANIM", std::string(6, '\0')) + chunk("ANMF", head + frame) + chunk("ANMF", head + frame));
    const auto shown = shown_of("image/webp", given);
    REQUIRE(shown);
    CHECK(shown->width == 320);
    CHECK(shown->height == 160);
    CHECK(corners_of(look_at("image/jpeg", shown->thumbnail)->small) == "RGBW");
    CHECK(copies_of("image/webp", given)->size() == 1);
}

TEST_CASE("a truncated JPEG is rejected with a sentence that says so, wherever it ends") {
    for (const std::string& whole : {photo(1, 400, 300), gray_photo(400, 300)})
        for (const std::size_t part : {2U, 3U, 5U, 9U}) {
            const std::string cut = whole.substr(0, whole.size() * part / 10);
            CAPTURE(part);
            const auto seen = look_at("image/jpeg", cut);
            REQUIRE_FALSE(seen);
            CHECK(seen.error().message().english().find("incomplete") != std::string::npos);
            CHECK_FALSE(shown_of("image/jpeg", cut));
        }
}

TEST_CASE("a photo of 108 million pixels is accepted; one that a decoder would hold whole is not") {
    const std::string large = gray_photo(12'000, 9'000);
    const auto shown = shown_of("image/jpeg", large);
    REQUIRE(shown);
    CHECK(shown->width == 12'000);
    CHECK(copies_of("image/jpeg", large)->size() == copy_widths.size());
    CHECK_FALSE(has_many_scans(large));

    // The same sides told by a progressive file.
    std::string progressive = to_jpeg(quarters(64, 64));
    CHECK(has_many_scans(progressive));
    const auto frame = progressive.find("\xFF\xC2");
    REQUIRE(frame != std::string::npos);
    progressive.replace(frame + 5, 4, std::string("\x23\x28\x2E\xE0", 4));
    const auto refused = look_at("image/jpeg", progressive);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().message().english().find("40 million pixels") != std::string::npos);
}

TEST_CASE("what is broken in a picture's metadata is no fault of the picture, and reads no byte beyond it") {
    for (std::size_t size = 0; size < 200; ++size)
        for (const char* type : {"image/jpeg", "image/png", "image/webp"}) {
            const std::string cut = photo(6).substr(0, size);
            (void)metadata_of(type, cut);
            CHECK(without_metadata(type, cut) == cut);
        }
    std::string odd = photo(6);
    odd.replace(odd.find("MM") + 4, 4, "\xFF\xFF\xFF\xFF");
    CHECK(metadata_of("image/jpeg", odd).orientation == 1);
    CHECK(look_at("image/jpeg", odd));
}
