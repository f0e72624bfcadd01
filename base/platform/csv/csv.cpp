// CSV by libcsv, encodings by ICU, a piece of the file at a time.
#include "base/platform/csv/csv.hpp"

#include <algorithm>
#include <array>
#include <csv.h>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>

#include <unicode/ucnv.h>

namespace svc::csv {
namespace {

constexpr std::size_t piece_size = 64 << 10;

// The data for libcsv's callbacks while it parses.
struct Reading {
    const std::function<Result<void>(std::size_t, const Row&)>& take;
    const Bounds& bounds;
    Row row = {};
    std::size_t number = 0;
    int last_end = 0;
    std::optional<Error> error = {};

    void cell(std::string_view content) {
        if (error)
            return;
        if (row.size() == bounds.columns || content.size() > bounds.cell)
            error = invalid(
                "file", "Row {number} has too many columns or too long a cell."_sentence.with("number", number + 1));
        else
            row.emplace_back(content);
    }
    // libcsv reports both characters of the line end that Windows writes: the second ends no row.
    void end_row(int end) {
        const bool is_second = end == '\n' && last_end == '\r' && row.empty();
        last_end = is_second ? 0 : end;
        if (is_second)
            return;
        ++number;
        if (error)
            return;
        if (number > bounds.rows) {
            error = invalid("file", "The file has too many rows. Split it and import its parts."_sentence);
            return;
        }
        bool is_empty = true;
        for (const std::string& each : row)
            is_empty = is_empty && each.empty();
        if (!is_empty)
            if (auto taken = take(number, row); !taken)
                error = taken.error();
        row.clear();
    }
};

void on_cell(void* content, std::size_t size, void* reading) {
    static_cast<Reading*>(reading)->cell({static_cast<const char*>(content), size});
}
void on_row(int end, void* reading) { static_cast<Reading*>(reading)->end_row(end); }

char separator_of(std::string_view text) {
    constexpr std::array<char, 4> candidates{',', ';', '\t', '|'};
    std::array<std::size_t, candidates.size()> counts{};
    bool quoted = false;
    for (const char c : text) {
        quoted = quoted != (c == '"');
        if (!quoted && (c == '\n' || c == '\r'))
            break;
        for (std::size_t i = 0; i < candidates.size(); ++i)
            counts[i] += !quoted && c == candidates[i] ? 1U : 0U;
    }
    return candidates[static_cast<std::size_t>(std::max_element(counts.begin(), counts.end()) - counts.begin())];
}

// The separator that a first line of its own says, as spreadsheet programs understand it: sep=; The line is removed.
std::optional<char> take_separator_line(std::string& piece) {
    std::string_view rest = piece;
    const bool quoted = rest.starts_with('"');
    if (quoted)
        rest.remove_prefix(1);
    if (rest.size() < 5 || !(rest.starts_with("sep=") || rest.starts_with("SEP=")))
        return std::nullopt;
    const char separator = rest[4];
    rest.remove_prefix(5);
    if (quoted && rest.starts_with('"'))
        rest.remove_prefix(1);
    if (!rest.starts_with('\n') && !rest.starts_with('\r'))
        return std::nullopt;
    rest.remove_prefix(rest.starts_with("\r\n") ? 2 : 1);
    piece.erase(0, piece.size() - rest.size());
    return separator;
}

struct CloseConverter {
    void operator()(UConverter* converter) const { ucnv_close(converter); }
};
using Converter = std::unique_ptr<UConverter, CloseConverter>;

// The text of a file, piece by piece.
class Pieces {
  public:
    Pieces(const std::string& path, const Encoding& encoding) : file_(path, std::ios::binary) {
        file_.seekg(static_cast<std::streamoff>(encoding.mark));
        UErrorCode status = U_ZERO_ERROR;
        to_.reset(ucnv_open("UTF-8", &status));
        from_.reset(ucnv_open(encoding.name.c_str(), &status));
        good_ = U_SUCCESS(status) && file_.good();
    }
    [[nodiscard]] bool good() const { return good_; }
    // Empty at the end.
    std::string next() {
        std::string out;
        while (out.empty() && good_ && !is_over_) {
            file_.read(in_.data(), static_cast<std::streamsize>(in_.size()));
            const auto got = static_cast<std::size_t>(file_.gcount());
            is_over_ = got < in_.size();
            convert(std::string_view(in_).substr(0, got), out);
        }
        return out;
    }

  private:
    void convert(std::string_view given, std::string& out) {
        const char* source = given.data();
        UErrorCode status = U_BUFFER_OVERFLOW_ERROR;
        for (bool reset = first_; status == U_BUFFER_OVERFLOW_ERROR; reset = false) {
            status = U_ZERO_ERROR;
            std::array<char, piece_size> target{};
            char* end = target.data();
            ucnv_convertEx(to_.get(), from_.get(), &end, target.data() + target.size(), &source,
                           given.data() + given.size(), pivot_.data(), &pivot_from_, &pivot_to_,
                           pivot_.data() + pivot_.size(), reset ? 1 : 0, is_over_ ? 1 : 0, &status);
            out.append(target.data(), static_cast<std::size_t>(end - target.data()));
        }
        first_ = false;
        good_ = U_SUCCESS(status);
    }

    std::ifstream file_;
    Converter to_, from_;
    std::string in_ = std::string(piece_size, '\0');
    std::array<UChar, 4096> pivot_{};
    UChar *pivot_from_ = pivot_.data(), *pivot_to_ = pivot_.data();
    bool good_ = false, first_ = true, is_over_ = false;
};

}  // namespace

Result<void> check_size(const std::string& path, const Bounds& bounds) {
    std::error_code failed;
    const auto size = std::filesystem::file_size(path, failed);
    if (failed)
        return invalid("file", "The file cannot be read."_sentence);
    if (size > static_cast<std::uintmax_t>(bounds.bytes))
        return invalid("file", "The file is larger than {most} MiB. Split it and import its parts."_sentence.with(
                                   "most", bounds.bytes >> 20));
    return {};
}

Result<void> read(const std::string& path,
                  const std::function<Result<void>(std::size_t number, const Row& cells)>& take, const Bounds& bounds,
                  const Origin& origin) {
    SVC_RETURN_IF_ERROR(check_size(path, bounds));
    Pieces pieces(path, encoding_of(path, origin));
    std::string piece = pieces.next();
    csv_parser parser{};
    if (!pieces.good() || csv_init(&parser, CSV_REPALL_NL) != 0)
        return errc::internal_error;
    const std::unique_ptr<csv_parser, decltype(&csv_free)> at_the_end(&parser, &csv_free);
    Reading reading{.take = take, .bounds = bounds};
    const auto separator = take_separator_line(piece);
    if (separator)
        reading.number = 1;
    csv_set_delim(&parser, static_cast<unsigned char>(separator ? *separator : separator_of(piece)));
    if (separator && piece.empty())
        piece = pieces.next();
    for (; !piece.empty() && !reading.error; piece = pieces.next()) {
        // An unclosed quote makes one cell of the rest: libcsv holds no more of it than its bound and a piece.
        for (std::string_view rest = piece; !rest.empty() && !reading.error;) {
            const auto part = rest.substr(0, piece_size);
            if (csv_parse(&parser, part.data(), part.size(), on_cell, on_row, &reading) != part.size())
                return invalid("file", "The file is no CSV."_sentence);
            rest.remove_prefix(part.size());
            if (parser.entry_pos > bounds.cell + piece_size && !reading.error)
                reading.error =
                    invalid("file", "Row {number} has too long a cell. Is a quotation mark not closed?"_sentence.with(
                                        "number", reading.number + 1));
        }
    }
    if (!reading.error)
        csv_fini(&parser, on_cell, on_row, &reading);
    return reading.error ? Result<void>(*reading.error) : Result<void>();
}

std::string cell(std::string_view text) {
    std::string quoted = "\"";
    if (const auto first = text.find_first_not_of('\'');
        first != std::string_view::npos && std::string_view("=+-@\t\r").find(text[first]) != std::string_view::npos)
        quoted += '\'';
    for (const char c : text) {
        if (c == '"')
            quoted += '"';
        quoted += c;
    }
    return quoted + '"';
}

}  // namespace svc::csv
