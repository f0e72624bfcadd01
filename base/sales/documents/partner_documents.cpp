// Reads the blocks of a plugin's document, within bounds, and sets them.
#include "base/sales/documents/partner_documents.hpp"

#include <algorithm>

#include "base/platform/crypto/crypto.hpp"
#include "base/platform/files/content_type.hpp"
#include "shared/core/log.hpp"
#include "shared/core/no_wait.hpp"

namespace svc::documents {
namespace {

using json::Value;

// The bounds that svc_documents.h states.
constexpr std::size_t most_blocks = 2'000, most_rows = 5'000, most_columns = 8, most_pictures = 40;
constexpr std::size_t most_picture_bytes = 512 << 10;
constexpr std::int64_t most_picture_pixels = 4'000'000;
constexpr std::int64_t least_mm = 10, widest_mm = 170;
constexpr std::size_t most_title = 200, most_head_lines = 20;
constexpr double points_of_mm = 72 / 25.4;
constexpr int seconds_until_next_try = 30;

// Width and height as the file states them in its first chunk; 0: it is no PNG.
std::int64_t pixels_of_png(std::string_view bytes) {
    constexpr std::size_t width_at = 16, height_at = 20, end = 24;
    if (bytes.size() < end || files::content_type(std::string(bytes)) != "image/png")
        return 0;
    const auto number = [&](std::size_t at) {
        std::int64_t value = 0;
        for (std::size_t i = 0; i < 4; ++i)
            value = value * 256 + static_cast<unsigned char>(bytes[at + i]);
        return value;
    };
    const std::int64_t width = number(width_at), height = number(height_at);
    return width > most_picture_pixels || height > most_picture_pixels ? most_picture_pixels + 1 : width * height;
}

// What a block is refused with; the sentence is for the plugin's log.
struct Refused {
    std::string sentence;
};

std::string text_in(const Value& object, const char* member) {
    const Value& text = object[member];
    if (!text.is_string())
        throw Refused{std::string("\"") + member + "\" is a text."};
    return text.text();
}

class Reading {
  public:
    pdf::Block block(const Value& value) {
        if (!value.is_object())
            throw Refused{"A block is an object."};
        const std::string type = value.text_or("type");
        if (type == "heading")
            return pdf::Paragraph{.text = text_in(value, "text"), .face = pdf::Face::heading};
        if (type == "paragraph")
            return pdf::Paragraph{.text = text_in(value, "text"),
                                  .face = face_of(value.text_or("style", "body")),
                                  .listed = value.maybe_boolean("listed").value_or(false)};
        if (type == "facts")
            return facts(value["rows"]);
        if (type == "table")
            return table(value);
        if (type == "picture")
            return picture(value);
        if (type == "page_break")
            return pdf::PageBreak{};
        throw Refused{"\"type\" is heading, paragraph, facts, table, picture or page_break."};
    }

    pdf::Facts facts(const Value& rows) {
        pdf::Facts facts;
        for (const Value& row : counted(rows)) {
            if (!row.is_array() || row.size() != 2 || !row[0].is_string() || !row[1].is_string())
                throw Refused{"A row of facts is a label and a value."};
            facts.values.emplace_back(row[0].text(), row[1].text());
        }
        return facts;
    }

  private:
    static pdf::Face face_of(std::string_view style) {
        if (style == "body")
            return pdf::Face::body;
        if (style == "strong")
            return pdf::Face::strong;
        if (style == "small")
            return pdf::Face::small;
        throw Refused{"\"style\" is body, strong or small."};
    }

    const json::Array& counted(const Value& rows) {
        if (!rows.is_array())
            throw Refused{"\"rows\" is a list."};
        rows_ += rows.size();
        if (rows_ > most_rows)
            throw Refused{"A document has at most " + std::to_string(most_rows) + " rows."};
        return rows.items();
    }

    static std::vector<std::string> cells_of(const Value& row) {
        if (!row.is_array() || row.size() > most_columns)
            throw Refused{"A row is a list of at most " + std::to_string(most_columns) + " texts."};
        std::vector<std::string> cells;
        for (const Value& cell : row.items()) {
            if (!cell.is_string())
                throw Refused{"A cell is a text."};
            cells.push_back(cell.text());
        }
        return cells;
    }

    pdf::Table table(const Value& value) {
        pdf::Table table{.widths = {}, .at_end_from = most_columns};
        if (value.find("head"))
            table.head = cells_of(value["head"]);
        std::size_t columns = table.head.size();
        for (const Value& row : counted(value["rows"])) {
            table.rows.push_back({.cells = cells_of(row)});
            columns = std::max(columns, table.rows.back().cells.size());
        }
        if (const Value* widths = value.find("widths")) {
            if (!widths->is_array() || widths->size() != columns)
                throw Refused{"\"widths\" has a number for each column."};
            std::int64_t all = 0;
            for (std::size_t i = 0; i < columns; ++i) {
                const auto percent = (*widths)[i].is_number() ? (*widths)[i].integer() : 0;
                all += percent;
                if (percent < 1 || all > 100)
                    throw Refused{"A width is a percentage of the line; they are at most 100 together."};
                table.widths.push_back(static_cast<double>(percent) / 100);
            }
        } else {
            table.widths.assign(columns, columns == 0 ? 1.0 : 1.0 / static_cast<double>(columns));
        }
        return table;
    }

    pdf::Picture picture(const Value& value) {
        const auto width = value.maybe_integer("width_mm").value_or(0);
        if (width < least_mm || width > widest_mm)
            throw Refused{"\"width_mm\" is 10 to 170."};
        if (++pictures_ > most_pictures)
            throw Refused{"A document has at most " + std::to_string(most_pictures) + " pictures."};
        const auto bytes = crypto::from_base64(text_in(value, "png_base64"));
        if (!bytes)
            throw Refused{"\"png_base64\" is not base64."};
        if (bytes->size() > most_picture_bytes)
            throw Refused{"A picture has at most 512 KiB."};
        const std::int64_t pixels = pixels_of_png(*bytes);
        if (pixels == 0)
            throw Refused{"The picture is no PNG."};
        if (pixels > most_picture_pixels)
            throw Refused{"A picture has at most 4 megapixels."};
        auto seen = images::look_at("image/png", *bytes);
        if (!seen)
            throw Refused{"The picture cannot be read."};
        return {.picture = std::move(seen->small), .width = static_cast<double>(width) * points_of_mm};
    }

    std::size_t rows_ = 0, pictures_ = 0;
};

std::vector<std::string> lines_of(const Value& lines) {
    std::vector<std::string> all;
    if (lines.is_array())
        for (const Value& line : lines.items())
            if (line.is_string() && all.size() < most_head_lines)
                all.push_back(on_paper(line.text()));
    return all;
}

pdf::Head head_of(const Value& value, Reading& reading) {
    pdf::Head head{.kind = on_paper(value.text_or("kind")),
                   .number = on_paper(value.text_or("number")),
                   .addressee_label = on_paper(value.text_or("addressee_label")),
                   .addressee = lines_of(value["addressee"])};
    if (value.find("facts"))
        head.facts = reading.facts(value["facts"]);
    return head;
}

Result<void> read(const Value& given, pdf::Document& document) {
    std::string field = "head";
    try {
        Reading reading;
        if (const Value* head = given.find("head"))
            document.head = head_of(*head, reading);
        field = "blocks";
        const Value& blocks = given["blocks"];
        if (!blocks.is_array() || blocks.size() > most_blocks)
            throw Refused{"A document has a list of at most " + std::to_string(most_blocks) + " blocks."};
        for (std::size_t i = 0; i < blocks.size(); ++i) {
            field = "blocks." + std::to_string(i);
            document.blocks.push_back(reading.block(blocks[i]));
        }
        return {};
    } catch (const Refused& refused) {
        return invalid(field, Sentence::verbatim(refused.sentence));
    }
}

}  // namespace

Result<pdf::Rendered> PartnerDocuments::pdf(const json::Value& given) const {
    NoWait::refuse();
    const std::string title = given.is_object() ? on_paper(given.text_or("title"), most_title) : std::string();
    if (title.empty())
        return invalid("title", "A document has a title."_sentence);
    const std::string language = given.text_or("language");
    const Words words{.locale = language.empty() ? settings_.text("site_language") : language,
                      .look = settings::look_of(settings_)};
    const auto micros = given.maybe_integer("made_at");
    auto document = frames_.around({.kind = "other",
                                    .title = title,
                                    .foot = on_paper(given.text_or("mark"), most_title),
                                    .made_at = micros ? Instant::from_micros(*micros) : clock_.now()},
                                   seller_.seller(), words);
    SVC_RETURN_IF_ERROR(read(given, document));
    auto rendered = pdf::rendered(document);
    if (!rendered.in_time) {
        log::warning("document_not_in_time",
                     {{"kind", "other"}, {"blocks", static_cast<std::int64_t>(document.blocks.size())}});
        return Error{errc::unavailable}.after(seconds_until_next_try);
    }
    return rendered;
}

}  // namespace svc::documents
