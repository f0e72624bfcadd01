// Accepted types, and names that are safe in a header and on disk.
#include "base/catalog/media/media.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "shared/core/text.hpp"
#include "shared/core/uri.hpp"

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

// The local name of the root element; empty for anything but XML in UTF-8, and for XML with a document type, whose
// entities no track needs.
std::string_view root_of(std::string_view xml) {
    const auto skip_to = [&xml](std::string_view end) {
        const auto at = xml.find(end);
        xml = at == std::string_view::npos ? std::string_view{} : xml.substr(at + end.size());
    };
    if (xml.starts_with("\xEF\xBB\xBF"))
        xml.remove_prefix(3);
    while (!xml.empty()) {
        const auto begin = xml.find_first_not_of(" \t\r\n");
        if (begin == std::string_view::npos || xml[begin] != '<')
            return {};
        xml.remove_prefix(begin);
        if (xml.starts_with("<?")) {
            skip_to("?>");
        } else if (xml.starts_with("<!--")) {
            xml.remove_prefix(4);
            skip_to("-->");
        } else {
            const auto name = xml.substr(1, xml.find_first_of(" \t\r\n/>") - 1);
            const auto prefix = name.find(':');
            return prefix == std::string_view::npos ? name : name.substr(prefix + 1);
        }
    }
    return {};
}

}  // namespace

std::string type_of(std::string_view seen, std::string_view name, std::string_view bytes) {
    if (seen.starts_with("text/") || seen == "application/xml") {
        const auto dot = name.find_last_of('.');
        const std::string ending = dot == std::string_view::npos ? "" : text::folded(name.substr(dot + 1));
        const std::string_view root = root_of(bytes);
        if (ending == "gpx" && root == "gpx")
            return "application/gpx+xml";
        if (ending == "kml" && root == "kml")
            return "application/vnd.google-earth.kml+xml";
    }
    return std::string(seen);
}

bool is_taken(std::string_view mime_type) { return kind_of(mime_type) != nullptr; }

std::vector<std::string> accepted_types() {
    std::vector<std::string> types;
    for (const Kind& kind : kinds)
        types.emplace_back(kind.mime_type);
    return types;
}

std::string_view extension_of(std::string_view mime_type) {
    const Kind* kind = kind_of(mime_type);
    return kind ? kind->extension : std::string_view{};
}

SentenceId advice_for(std::string_view mime_type) {
    for (const std::string_view one :
         {"image/heic", "image/heif", "image/heic-sequence", "image/heif-sequence", "image/avif"})
        if (mime_type == one)
            return "HEIC and AVIF pictures cannot be displayed everywhere. Upload JPEG, PNG or WebP: most phones"
                   " save JPEG when the camera is set to \"Most compatible\"."_sentence;
    return mime_type.starts_with("image/") ? "Upload a JPEG, PNG or WebP picture."_sentence : SentenceId{};
}

std::optional<SizeName> size_named(std::string_view text) {
    const auto dot = text.find('.');
    if (dot == std::string_view::npos || dot == 0 || dot > 5 || text.front() == '0')
        return std::nullopt;
    SizeName name;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + dot, name.width);
    name.is_webp = text.substr(dot) == ".webp";
    if (failure != std::errc{} || end != text.data() + dot || (!name.is_webp && text.substr(dot) != ".jpg"))
        return std::nullopt;
    return name;
}

bool shows_inline(std::string_view mime_type) {
    const Kind* kind = kind_of(mime_type);
    return kind && kind->in_place;
}

// At most so many letters, of which the last are the name's ending: programs go by it.
static std::string with_ending(std::string_view name, std::size_t most) {
    constexpr std::size_t longest_ending = 20;
    const auto dot = name.rfind('.');
    const auto ending = dot == std::string_view::npos ? std::string_view{} : name.substr(dot);
    const auto letters = text::length(ending);
    if (text::length(name) <= most || letters > longest_ending)
        return std::string(text::first(name, most));
    return std::string(text::first(name, most - letters)).append(ending);
}

std::string clean_name(std::string_view given) {
    if (const auto folder = given.find_last_of("/\\:"); folder != std::string_view::npos)
        given.remove_prefix(folder + 1);
    std::string name = text::clean(text::made_utf8(given));
    name = with_ending(name, 200);
    while (!name.empty() && (name.front() == '.' || name.front() == ' '))
        name.erase(0, 1);
    return name.empty() ? "file" : name;
}

std::string disposition(bool in_place, std::string_view name) {
    std::string plain;
    bool differs = false;
    for (const char c : name) {
        const auto byte = static_cast<unsigned char>(c);
        const bool safe = byte >= 0x20 && byte < 0x7f && c != '"' && c != '\\' && c != '%';
        differs = differs || !safe;
        if (safe)
            plain += c;
        else if ((byte & 0xc0U) != 0x80U)
            plain += '_';
    }
    std::string header = std::string(in_place ? "inline" : "attachment") + "; filename=\"" + plain + '"';
    if (differs)
        header += "; filename*=UTF-8''" + text::uri_component(name);
    return header;
}

}  // namespace svc::catalog::media
