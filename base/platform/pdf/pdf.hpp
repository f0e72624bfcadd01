// Documents on A4 pages, by Pango's layout and Cairo's output: the only folder that uses them.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/platform/images/images.hpp"
#include "shared/core/date.hpp"

namespace svc::pdf {

// A document ends after so many pages, with a note: limits the cost of one rendering.
inline constexpr int most_pages = 100;
// More blocks than this fill more pages than the limit, however short they are: callers may stop there.
inline constexpr std::size_t most_blocks = 6'000;
// Code points of a table's cell; longer texts end in an ellipsis. Paragraphs and values continue on the next page.
inline constexpr std::size_t most_cell = 1'000;
// Combining marks in a row that are set on one letter; no script needs more, and shaping them takes ever longer.
inline constexpr std::size_t most_marks = 8;

enum class Face : std::uint8_t { title, number, heading, strong, body, small };

// Any script; a line break starts a new line. Right-to-left paragraphs are right-aligned.
struct Paragraph {
    std::string text;
    Face face = Face::body;
    bool listed = false;  // behind a bullet
};

// Named values, one per line: the name in the left column, the value in the right one, in any script. Skips empty
// values.
struct Facts {
    std::vector<std::pair<std::string, std::string>> values;
};

struct Row {
    std::vector<std::string> cells;
    bool strong = false;
};

struct Table {
    std::vector<double> widths;  // shares of the line
    std::vector<std::string> head = {};
    std::vector<Row> rows = {};
    std::size_t at_end_from = 1;  // columns from here on hold amounts and are right-aligned
    double indent = 0;            // share of the line that stays free before the first column
};

// At the left margin, that wide in points, and less where a page is not as high.
struct Picture {
    images::Picture picture;
    double width = 0;
};

// What follows begins a new page.
struct PageBreak {};

// The document's kind and recipient: below the seller's block on the first page.
struct Head {
    std::string kind, number;  // "Invoice", and what people call it by, in large letters
    std::string addressee_label = {};
    std::vector<std::string> addressee = {};  // the first line strong
    Facts facts = {};
    std::string code = {};  // as a QR code; empty: none. At most some 200 bytes
};

using Block = std::variant<Paragraph, Facts, Table, Picture, PageBreak>;

struct Color {
    double red = 0, green = 0, blue = 0;
};

struct Document {
    std::string title, author, footer;
    std::string families;  // of fonts, in order of preference: "Noto Sans, DejaVu Sans"
    Color accent;
    Instant made_at;  // the file's creation time; equal documents are equal bytes
    std::optional<images::Picture> logo = {};
    std::vector<std::string> letterhead = {};  // the seller, below the logo at the right, the first line strong
    std::optional<Head> head = {};
    std::vector<Block> blocks = {};
    std::chrono::milliseconds most_time{5'000};  // of a processor, for the rendering
};

struct Rendered {
    std::string bytes;
    int pages = 0;
    int missing_glyphs = 0;  // characters for which no installed font has a picture
    bool in_time = true;     // false: it takes more than Document::most_time, and there are no bytes
};

// Any thread; callers limit concurrent renderings. Rendering runs on a thread of low priority. Throws
// std::runtime_error when Cairo fails.
Rendered rendered(const Document& document);

}  // namespace svc::pdf
