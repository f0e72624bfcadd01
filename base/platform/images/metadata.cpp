// Segments of JPEG (ITU T.81, B), chunks of PNG and RIFF, and the first directory of TIFF, which EXIF is made of.
#include "base/platform/images/metadata.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>

namespace svc::images {
namespace {

constexpr std::string_view exif_mark{"Exif\0\0", 6}, profile_mark{"ICC_PROFILE\0", 12}, jfif_mark{"JFIF\0", 5};
constexpr std::string_view png_mark{"\x89PNG\r\n\x1a\n", 8};
constexpr std::size_t longest_profile = std::size_t{4} << 20, longest_segment = 65'533;
constexpr unsigned exif_flag = 0x08, xmp_flag = 0x04, profile_flag = 0x20, alpha_flag = 0x10;

unsigned byte_at(std::string_view bytes, std::size_t at) { return static_cast<unsigned char>(bytes[at]); }

// An unsigned number of `count` bytes; 0 where they are not all there.
std::uint32_t number_at(std::string_view bytes, std::size_t at, std::size_t count, bool big_endian) {
    std::uint32_t value = 0;
    if (at > bytes.size() || bytes.size() - at < count)
        return 0;
    for (std::size_t i = 0; i < count; ++i)
        value = value << 8U | byte_at(bytes, at + (big_endian ? i : count - 1 - i));
    return value;
}

void put_number(std::string& out, std::uint32_t value, std::size_t count, bool big_endian) {
    for (std::size_t i = 0; i < count; ++i)
        out += static_cast<char>(value >> 8U * (big_endian ? count - 1 - i : i) & 0xFFU);
}

int orientation_of(std::string_view tiff) {
    constexpr std::uint32_t orientation_tag = 0x0112, shorts = 3;
    if (tiff.starts_with(exif_mark))
        tiff.remove_prefix(exif_mark.size());
    const bool big = tiff.starts_with("MM");
    if (!big && !tiff.starts_with("II"))
        return 1;
    const std::size_t directory = number_at(tiff, 4, 4, big);
    const std::uint32_t entries = number_at(tiff, directory, 2, big);
    for (std::uint32_t i = 0; i < entries; ++i) {
        const std::size_t entry = directory + 2 + std::size_t{12} * i;
        if (entry + 12 > tiff.size())
            return 1;
        if (number_at(tiff, entry, 2, big) != orientation_tag || number_at(tiff, entry + 2, 2, big) != shorts)
            continue;
        const std::uint32_t value = number_at(tiff, entry + 8, 2, big);
        return value >= 1 && value <= 8 ? static_cast<int>(value) : 1;
    }
    return 1;
}

struct Segment {
    unsigned marker = 0;
    std::string_view whole;    // with marker and length
    std::string_view content;  // behind the length
    std::string_view scan;     // the coded pixels behind a start of scan
};

// Calls `take` for each segment up to the end of the image; false when the file ends before.
bool each_segment(std::string_view jpeg, const std::function<void(const Segment&)>& take) {
    constexpr unsigned end_of_image = 0xD9, start_of_scan = 0xDA;
    std::size_t at = 2;
    if (!jpeg.starts_with("\xFF\xD8"))
        return false;
    while (at + 2 <= jpeg.size()) {
        if (byte_at(jpeg, at) != 0xFF) {
            ++at;  // between segments nothing should be
            continue;
        }
        const unsigned marker = byte_at(jpeg, at + 1);
        if (marker == end_of_image)
            return true;
        if (marker == 0xFF || marker == 0x00 || marker == 0x01 || (marker >= 0xD0 && marker <= 0xD8)) {
            at += marker == 0xFF ? 1 : 2;
            continue;
        }
        const std::size_t length = number_at(jpeg, at + 2, 2, true);
        if (length < 2 || length > jpeg.size() - at - 2)
            return false;
        Segment segment{marker, jpeg.substr(at, 2 + length), jpeg.substr(at + 4, length - 2), {}};
        at += 2 + length;
        if (marker == start_of_scan) {
            const std::size_t begin = at;
            for (; at + 1 < jpeg.size(); ++at) {
                const unsigned next = byte_at(jpeg, at + 1);
                if (byte_at(jpeg, at) == 0xFF && next != 0x00 && next != 0xFF && (next < 0xD0 || next > 0xD7))
                    break;
            }
            segment.scan = jpeg.substr(begin, at - begin);
        }
        take(segment);
    }
    return false;
}

bool is_start_of_frame(unsigned marker) {
    return marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC;
}

bool is_kept(const Segment& segment) {
    constexpr unsigned app0 = 0xE0, app2 = 0xE2, adobe = 0xEE, app15 = 0xEF, comment = 0xFE;
    if (segment.marker == app0)
        return segment.content.starts_with(jfif_mark);
    if (segment.marker == app2)
        return segment.content.starts_with(profile_mark);
    return segment.marker == adobe || ((segment.marker < app0 || segment.marker > app15) && segment.marker != comment);
}

std::string stripped_jpeg(std::string_view jpeg) {
    std::string out("\xFF\xD8", 2);
    const bool whole = each_segment(jpeg, [&](const Segment& segment) {
        if (is_kept(segment))
            out.append(segment.whole).append(segment.scan);
    });
    return whole ? out + "\xFF\xD9" : std::string(jpeg);
}

Metadata of_jpeg(std::string_view jpeg) {
    Metadata found;
    each_segment(jpeg, [&](const Segment& segment) {
        if (segment.marker == 0xE1 && segment.content.starts_with(exif_mark) && found.orientation == 1)
            found.orientation = orientation_of(segment.content);
        if (segment.marker == 0xE2 && segment.content.starts_with(profile_mark) && segment.content.size() > 14 &&
            found.profile.size() + segment.content.size() <= longest_profile)
            found.profile += segment.content.substr(14);  // behind its number and how many there are
    });
    return found;
}

struct Chunk {
    std::string_view name, whole, content;
};

// Of a RIFF of WebP, or of a part of one; false when it is cut off.
bool each_chunk(std::string_view chunks, const std::function<void(const Chunk&)>& take) {
    while (chunks.size() >= 8) {
        const std::size_t size = number_at(chunks, 4, 4, false), padded = size + size % 2;
        if (size > chunks.size() - 8)
            return false;
        take({chunks.substr(0, 4), chunks.substr(0, std::min(8 + padded, chunks.size())), chunks.substr(8, size)});
        chunks.remove_prefix(std::min(8 + padded, chunks.size()));
    }
    return true;
}

bool is_webp(std::string_view bytes) { return bytes.starts_with("RIFF") && bytes.substr(8).starts_with("WEBP"); }

void put_chunk(std::string& out, std::string_view name, std::string_view content) {
    out += name;
    put_number(out, static_cast<std::uint32_t>(content.size()), 4, false);
    out += content;
    if (content.size() % 2 != 0)
        out += '\0';
}

std::string riff(std::string_view chunks) {
    std::string out("RIFF");
    put_number(out, static_cast<std::uint32_t>(chunks.size() + 4), 4, false);
    return out.append("WEBP").append(chunks);
}

std::string canvas(unsigned flags, int width, int height) {
    std::string out;
    put_number(out, flags, 4, false);
    put_number(out, static_cast<std::uint32_t>(width - 1), 3, false);
    put_number(out, static_cast<std::uint32_t>(height - 1), 3, false);
    return out;
}

std::string stripped_webp(std::string_view webp) {
    std::string chunks;
    const bool whole = is_webp(webp) && each_chunk(webp.substr(12), [&](const Chunk& chunk) {
                           if (chunk.name == "VP8X" && !chunk.content.empty()) {
                               std::string changed(chunk.whole);
                               changed[8] = static_cast<char>(byte_at(changed, 8) & ~(exif_flag | xmp_flag));
                               chunks += changed;
                           } else if (chunk.name == "VP8 " || chunk.name == "VP8L" || chunk.name == "ALPH" ||
                                      chunk.name == "ICCP" || chunk.name == "ANIM" || chunk.name == "ANMF") {
                               put_chunk(chunks, chunk.name, chunk.content);
                           }
                       });
    return whole ? riff(chunks) : std::string(webp);
}

Metadata of_webp(std::string_view webp) {
    Metadata found;
    if (is_webp(webp))
        each_chunk(webp.substr(12), [&](const Chunk& chunk) {
            if (chunk.name == "EXIF")
                found.orientation = orientation_of(chunk.content);
            if (chunk.name == "ICCP" && chunk.content.size() <= longest_profile)
                found.profile = chunk.content;
        });
    return found;
}

bool each_png_chunk(std::string_view png, const std::function<void(const Chunk&)>& take) {
    if (!png.starts_with(png_mark))
        return false;
    png.remove_prefix(png_mark.size());
    while (png.size() >= 12) {
        const std::size_t size = number_at(png, 0, 4, true);
        if (size > png.size() - 12)
            return false;
        take({png.substr(4, 4), png.substr(0, 12 + size), png.substr(8, size)});
        if (png.substr(4, 4) == "IEND")
            return true;
        png.remove_prefix(12 + size);
    }
    return false;
}

std::string stripped_png(std::string_view png) {
    std::string out(png_mark);
    const bool whole = each_png_chunk(png, [&](const Chunk& chunk) {
        const std::string_view name = chunk.name;
        if (name != "eXIf" && name != "tEXt" && name != "zTXt" && name != "iTXt" && name != "tIME")
            out += chunk.whole;
    });
    return whole ? out : std::string(png);
}

Metadata of_png(std::string_view png) {
    Metadata found;
    each_png_chunk(png, [&](const Chunk& chunk) {
        if (chunk.name == "eXIf")
            found.orientation = orientation_of(chunk.content);
    });
    return found;
}

std::string jpeg_with(std::string encoded, std::string_view profile) {
    constexpr std::size_t most = longest_segment - 14;
    const std::size_t parts = (profile.size() + most - 1) / most;
    std::string segments;
    for (std::size_t part = 0; part < parts; ++part) {
        const std::string_view content = profile.substr(part * most, most);
        segments += "\xFF\xE2";
        put_number(segments, static_cast<std::uint32_t>(content.size() + 16), 2, true);
        segments.append(profile_mark).append({static_cast<char>(part + 1), static_cast<char>(parts)}).append(content);
    }
    // After the image's start and its JFIF segment.
    const bool jfif = encoded.size() > 4 && byte_at(encoded, 3) == 0xE0;
    const std::size_t at = jfif ? 4 + number_at(encoded, 4, 2, true) : 2;
    return parts > 255 || at > encoded.size() ? encoded : encoded.insert(at, segments);
}

}  // namespace

Metadata metadata_of(std::string_view mime_type, std::string_view bytes) {
    return mime_type == "image/jpeg" ? of_jpeg(bytes) : mime_type == "image/png" ? of_png(bytes) : of_webp(bytes);
}

std::string without_metadata(std::string_view mime_type, std::string_view bytes) {
    return mime_type == "image/jpeg"  ? stripped_jpeg(bytes)
           : mime_type == "image/png" ? stripped_png(bytes)
                                      : stripped_webp(bytes);
}

bool is_whole_jpeg(std::string_view bytes) {
    return each_segment(bytes, [](const Segment&) {});
}

bool has_many_scans(std::string_view bytes) {
    constexpr unsigned start_of_scan = 0xDA;
    bool many = false;
    unsigned components = 0;
    int scans = 0;
    each_segment(bytes, [&](const Segment& segment) {
        if (is_start_of_frame(segment.marker)) {
            components = segment.content.size() > 5 ? byte_at(segment.content, 5) : 0;
            many = many || (segment.marker != 0xC0 && segment.marker != 0xC1);
        }
        if (segment.marker == start_of_scan) {
            const unsigned here = segment.content.empty() ? 0 : byte_at(segment.content, 0);
            many = many || ++scans > 1 || here != components;
        }
    });
    return many;
}

std::optional<std::string> first_frame(std::string_view webp) {
    std::optional<std::string> frame;
    if (!is_webp(webp))
        return frame;
    each_chunk(webp.substr(12), [&](const Chunk& chunk) {
        constexpr std::size_t head = 16;
        if (frame || chunk.name != "ANMF" || chunk.content.size() <= head)
            return;
        const int width = static_cast<int>(number_at(chunk.content, 6, 3, false)) + 1;
        const int height = static_cast<int>(number_at(chunk.content, 9, 3, false)) + 1;
        std::string alpha, pixels;
        each_chunk(chunk.content.substr(head), [&](const Chunk& part) {
            if (part.name == "ALPH")
                put_chunk(alpha, part.name, part.content);
            if (part.name == "VP8 " || part.name == "VP8L")
                put_chunk(pixels, part.name, part.content);
        });
        std::string chunks;
        if (!alpha.empty())
            put_chunk(chunks, "VP8X", canvas(alpha_flag, width, height));
        frame = riff(chunks + alpha + pixels);
    });
    return frame;
}

std::string with_profile(std::string_view mime_type, std::string encoded, std::string_view profile, int width,
                         int height) {
    if (profile.empty())
        return encoded;
    if (mime_type == "image/jpeg")
        return jpeg_with(std::move(encoded), profile);
    std::string chunks;
    put_chunk(chunks, "VP8X", canvas(profile_flag, width, height));
    put_chunk(chunks, "ICCP", profile);
    return riff(chunks.append(encoded, 12));
}

}  // namespace svc::images
