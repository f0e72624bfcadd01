// Uploaded files by id: their records and addresses.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shared/record/record.hpp"

namespace svc::catalog::media {

inline constexpr std::size_t most_bytes = std::size_t{20} << 20;

struct Media {
    std::int64_t id = 0;
    std::string sha256 = {};  // names the bytes
    bool is_private = false;
    std::string original_name = {}, mime_type = {};
    std::int64_t byte_size = 0;
    std::optional<int> width = {}, height = {};  // of pictures, which have a small copy too; upright, see `upright`
    std::string alt_text = {}, caption = {};
    std::optional<std::int64_t> uploaded_by = {};
    std::int64_t row_version = 1;  // of its texts; copies that are made of it leave it
    Instant created_at = {}, updated_at = {};
    bool upright = false;          // false: its copies were made by a version that ignored the picture's orientation
    bool has_public_copy = false;  // everyone gets another file than was uploaded: upright, without EXIF
    std::string sizes = {};        // the widths of its copies, "320,640"; empty: none yet, or too small
    bool is_withheld = false;      // a download that is not for everyone is made of it, and nothing shows it

    [[nodiscard]] bool is_picture() const { return width.has_value(); }
    [[nodiscard]] bool needs_link() const { return is_private || is_withheld; }
};

class Service;
// As staff read it. `service` adds the addresses; without it only the stored columns.
record::Record<Media> media_record(const Service* service = nullptr);

// Kinds that are taken, by their content: pictures, PDF, office documents, archives, tracks.
bool is_taken(std::string_view mime_type);
std::vector<std::string> accepted_types();
// The file's type from libmagic's guess: it reports tracks as plain XML. `name` and the root element must agree.
std::string type_of(std::string_view seen, std::string_view name, std::string_view bytes);
// The last part of a name for a file of that kind: "jpg"; empty for a kind that is not taken.
std::string_view extension_of(std::string_view mime_type);
// Whether a browser may show it in place; the others are offered as a download.
bool shows_inline(std::string_view mime_type);

// The format to use instead of one that not every browser shows, such as HEIC; empty for other types.
SentenceId advice_for(std::string_view mime_type);
// The width and whether it is WebP, of "640.webp" or "640.jpg"; nothing for other texts.
struct SizeName {
    int width = 0;
    bool is_webp = false;
};
std::optional<SizeName> size_named(std::string_view text);
// The widths in Media::sizes.
std::vector<int> widths_in(std::string_view sizes);

// A name as people gave it, without folders, control characters and signs that turn the direction of writing, at most
// 200 characters: a longer one loses some before its ending. "file" when none is left.
std::string clean_name(std::string_view given);

// Content-Disposition by RFC 6266: the name in ASCII, and in full where that loses something.
std::string disposition(bool in_place, std::string_view name);

}  // namespace svc::catalog::media
