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
#include <unicode/ucsdet.h>

#include "shared/core/text.hpp"

namespace svc::csv {
namespace {

constexpr std::size_t piece_size = 64 << 10;
constexpr int sure = 30;  // of a hundred, as ICU counts; Cyrillic text has 37, a few western names 32
constexpr const char* western = "windows-1252";

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
            error = invalid("file", "Row " + std::to_string(number + 1) + " has too many columns or too long a cell.");
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
            error = invalid("file", "The file has too many rows. Split it and import its parts.");
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

// How many bytes at the end of a piece begin a character that the next piece ends.
std::size_t unfinished(std::string_view piece) {
    for (std::size_t back = 1; back <= std::min<std::size_t>(3, piece.size()); ++back) {
        const auto byte = static_cast<unsigned char>(piece[piece.size() - back]);
        if (byte >= 0xC0)
            return (byte >= 0xF0 ? 4U : byte >= 0xE0 ? 3U : 2U) > back ? back : 0;
        if (byte < 0x80)
            return 0;
    }
    return 0;
}

bool is_utf8_file(std::ifstream& file) {
    std::string rest;
    std::string piece(piece_size, '\0');
    while (file.read(piece.data(), static_cast<std::streamsize>(piece.size())), file.gcount() > 0) {
        rest.append(piece.data(), static_cast<std::size_t>(file.gcount()));
        const std::size_t rest_size = unfinished(rest);
        if (!text::is_utf8(std::string_view(rest).substr(0, rest.size() - rest_size)))
            return false;
        rest.erase(0, rest.size() - rest_size);
    }
    return rest.empty();
}

std::string guessed(std::string_view head) {
    UErrorCode status = U_ZERO_ERROR;
    const std::unique_ptr<UCharsetDetector, decltype(&ucsdet_close)> detector(ucsdet_open(&status), &ucsdet_close);
    ucsdet_setText(detector.get(), head.data(), static_cast<int32_t>(head.size()), &status);
    const UCharsetMatch* match = ucsdet_detect(detector.get(), &status);
    const char* name = match && U_SUCCESS(status) ? ucsdet_getName(match, &status) : nullptr;
    const int32_t confidence = match && U_SUCCESS(status) ? ucsdet_getConfidence(match, &status) : 0;
    // ICU reports ISO-8859-1 for files of spreadsheet programs, which are Windows-1252.
    return name && confidence >= sure && std::string_view(name) != "ISO-8859-1" ? name : western;
}

struct Encoding {
    std::string name;  // empty: UTF-8
    std::size_t mark = 0;
};

Encoding encoding_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::string head(piece_size, '\0');
    file.read(head.data(), static_cast<std::streamsize>(head.size()));
    head.resize(static_cast<std::size_t>(file.gcount()));
    if (head.starts_with("\xEF\xBB\xBF"))
        return {"", 3};
    if (head.starts_with("\xFF\xFE"))
        return {"UTF-16LE", 2};
    if (head.starts_with("\xFE\xFF"))
        return {"UTF-16BE", 2};
    file.clear();
    file.seekg(0);
    return {is_utf8_file(file) ? "" : guessed(head), 0};
}

bool is_number(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
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
        from_.reset(ucnv_open(encoding.name.empty() ? "UTF-8" : encoding.name.c_str(), &status));
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
        return invalid("file", "The file cannot be read.");
    if (size > static_cast<std::uintmax_t>(bounds.bytes))
        return invalid("file", "The file is larger than " + std::to_string(bounds.bytes >> 20) +
                                   " MiB. Split it and import its parts.");
    return {};
}

Result<void> read(const std::string& path,
                  const std::function<Result<void>(std::size_t number, const Row& cells)>& take, const Bounds& bounds) {
    SVC_RETURN_IF_ERROR(check_size(path, bounds));
    Pieces pieces(path, encoding_of(path));
    std::string piece = pieces.next();
    csv_parser parser{};
    if (!pieces.good() || csv_init(&parser, CSV_REPALL_NL) != 0)
        return errc::internal_error;
    const std::unique_ptr<csv_parser, decltype(&csv_free)> at_the_end(&parser, &csv_free);
    csv_set_delim(&parser, static_cast<unsigned char>(separator_of(piece)));
    Reading reading{.take = take, .bounds = bounds};
    for (; !piece.empty() && !reading.error; piece = pieces.next()) {
        // An unclosed quote makes one cell of the rest: libcsv holds no more of it than its bound and a piece.
        for (std::string_view rest = piece; !rest.empty() && !reading.error;) {
            const auto part = rest.substr(0, piece_size);
            if (csv_parse(&parser, part.data(), part.size(), on_cell, on_row, &reading) != part.size())
                return invalid("file", "The file is no CSV.");
            rest.remove_prefix(part.size());
            if (parser.entry_pos > bounds.cell + piece_size && !reading.error)
                reading.error = invalid("file", "Row " + std::to_string(reading.number + 1) +
                                                    " has too long a cell. Is a quotation mark not closed?");
        }
    }
    if (!reading.error)
        csv_fini(&parser, on_cell, on_row, &reading);
    return reading.error ? Result<void>(*reading.error) : Result<void>();
}

std::string with_point(const std::string& text) {
    const auto comma = text.find(',');
    const std::string_view cents = comma == std::string::npos ? "" : std::string_view(text).substr(comma + 1);
    if (!is_number(cents) || cents.size() > 2)
        return text;
    std::string whole;
    for (std::string_view rest = std::string_view(text).substr(0, comma);;) {
        const auto point = rest.find('.');
        const auto group = rest.substr(0, point);
        const bool is_first = whole.empty();
        if (!is_number(group) || (!is_first && group.size() != 3) ||
            (is_first && point != std::string_view::npos && group.size() > 3))
            return text;
        whole += group;
        if (point == std::string_view::npos)
            return whole + "." + std::string(cents);
        rest.remove_prefix(point + 1);
    }
}

std::string with_year_first(const std::string& text) {
    const auto first = text.find('.'), second = first == std::string::npos ? first : text.find('.', first + 1);
    if (second == std::string::npos)
        return text;
    const std::string day = text.substr(0, first), month = text.substr(first + 1, second - first - 1),
                      year = text.substr(second + 1);
    if (!is_number(day) || !is_number(month) || !is_number(year) || day.size() > 2 || month.size() > 2 ||
        year.size() != 4)
        return text;
    const auto two_digits = [](const std::string& number) { return number.size() == 1 ? "0" + number : number; };
    return year + "-" + two_digits(month) + "-" + two_digits(day);
}

std::string cell(std::string_view text) {
    std::string quoted = "\"";
    if (!text.empty() && std::string_view("=+-@\t\r").find(text.front()) != std::string_view::npos)
        quoted += '\'';
    for (const char c : text) {
        if (c == '"')
            quoted += '"';
        quoted += c;
    }
    return quoted + '"';
}

}  // namespace svc::csv
