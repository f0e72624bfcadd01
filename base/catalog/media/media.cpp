// What is taken, and names that are safe in a header and on a disk.
#include "base/catalog/media/media.hpp"

#include <algorithm>
#include <array>

#include "shared/core/text.hpp"

namespace svc::catalog::media {
namespace {

struct Kind {
    std::string_view mime_type, extension;
    bool in_place = false;
};

constexpr Kind kinds[] = {
    {"image/jpeg", "jpg", true},
    {"image/png", "png", true},
    {"image/webp", "webp", true},
    {"application/pdf", "pdf", true},
    {"application/msword", "doc"},
    {"application/vnd.ms-excel", "xls"},
    {"application/vnd.ms-powerpoint", "ppt"},
    {"application/vnd.openxmlformats-officedocument.wordprocessingml.document", "docx"},
    {"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "xlsx"},
    {"application/vnd.openxmlformats-officedocument.presentationml.presentation", "pptx"},
    {"application/vnd.oasis.opendocument.text", "odt"},
    {"application/vnd.oasis.opendocument.spreadsheet", "ods"},
    {"application/vnd.oasis.opendocument.presentation", "odp"},
    {"text/rtf", "rtf"},
    {"text/plain", "txt"},
    {"text/csv", "csv"},
    {"application/zip", "zip"},
    {"application/gpx+xml", "gpx"},
    {"application/vnd.google-earth.kml+xml", "kml"},
    {"application/vnd.google-earth.kmz", "kmz"},
};

const Kind* kind_of(std::string_view mime_type) {
    const auto* found =
        std::find_if(std::begin(kinds), std::end(kinds), [&](const Kind& kind) { return kind.mime_type == mime_type; });
    return found == std::end(kinds) ? nullptr : found;
}

}  // namespace

bool is_taken(std::string_view mime_type) { return kind_of(mime_type) != nullptr; }

std::string_view extension_of(std::string_view mime_type) {
    const Kind* kind = kind_of(mime_type);
    return kind ? kind->extension : std::string_view{};
}

bool shows_inline(std::string_view mime_type) {
    const Kind* kind = kind_of(mime_type);
    return kind && kind->in_place;
}

std::string clean_name(std::string_view given) {
    if (const auto folder = given.find_last_of("/\\:"); folder != std::string_view::npos)
        given.remove_prefix(folder + 1);
    std::string name = text::clean(text::made_utf8(given));
    name = text::first(name, 200);
    while (!name.empty() && (name.front() == '.' || name.front() == ' '))
        name.erase(0, 1);
    return name.empty() ? "file" : name;
}

std::string disposition(bool in_place, std::string_view name) {
    static constexpr char digits[] = "0123456789ABCDEF";
    std::string plain, full;
    bool differs = false;
    for (const char c : name) {
        const auto byte = static_cast<unsigned char>(c);
        const bool letter = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        if (letter || c == '-' || c == '.' || c == '_')
            full += c;
        else
            full.append({'%', digits[byte >> 4U], digits[byte & 15U]});
        const bool safe = byte >= 0x20 && byte < 0x7f && c != '"' && c != '\\' && c != '%';
        differs = differs || !safe;
        if (safe)
            plain += c;
        else if ((byte & 0xc0U) != 0x80U)
            plain += '_';
    }
    std::string header = std::string(in_place ? "inline" : "attachment") + "; filename=\"" + plain + '"';
    if (differs)
        header += "; filename*=UTF-8''" + full;
    return header;
}

}  // namespace svc::catalog::media
