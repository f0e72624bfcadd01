// CSV by libcsv, encodings by ICU.
#include "base/platform/csv/csv.hpp"

#include <array>
#include <csv.h>
#include <memory>
#include <optional>

#include <unicode/ucnv.h>

#include "shared/core/text.hpp"

namespace svc::csv {
namespace {

std::string converted(std::string_view bytes, const char* from) {
    UErrorCode status = U_ZERO_ERROR;
    std::string out(bytes.size() * 3 + 16, '\0');
    const auto length = ucnv_convert("UTF-8", from, out.data(), static_cast<int32_t>(out.size()), bytes.data(),
                                     static_cast<int32_t>(bytes.size()), &status);
    if (U_FAILURE(status))
        return text::made_utf8(bytes);
    out.resize(static_cast<std::size_t>(length));
    return out;
}

// What libcsv calls back with while it parses.
struct Reading {
    const std::function<Result<void>(std::size_t, const Row&)>& take;
    const Bounds& bounds;
    Row row = {};
    std::size_t number = 0;
    std::optional<Error> error = {};

    void cell(std::string_view content) {
        if (error)
            return;
        if (row.size() == bounds.columns || content.size() > bounds.cell)
            error = invalid("file", "Row " + std::to_string(number + 1) + " has too many columns or too long a cell.");
        else
            row.emplace_back(content);
    }
    void end_row() {
        ++number;
        if (error)
            return;
        if (number > bounds.rows) {
            error = invalid("file", "The file has too many rows.");
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
void on_row(int /*end*/, void* reading) { static_cast<Reading*>(reading)->end_row(); }

}  // namespace

std::string in_utf8(std::string_view bytes) {
    if (bytes.starts_with("\xEF\xBB\xBF"))
        bytes.remove_prefix(3);
    if (bytes.starts_with("\xFF\xFE"))
        return converted(bytes.substr(2), "UTF-16LE");
    if (bytes.starts_with("\xFE\xFF"))
        return converted(bytes.substr(2), "UTF-16BE");
    return text::is_utf8(bytes) ? std::string(bytes) : converted(bytes, "windows-1252");
}

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
    std::size_t best = 0;
    for (std::size_t i = 1; i < candidates.size(); ++i)
        if (counts[i] > counts[best])
            best = i;
    return candidates[best];
}

Result<void> read(std::string_view text, char separator,
                  const std::function<Result<void>(std::size_t number, const Row& cells)>& take, const Bounds& bounds) {
    csv_parser parser{};
    if (csv_init(&parser, CSV_REPALL_NL) != 0)
        return errc::internal_error;
    const std::unique_ptr<csv_parser, decltype(&csv_free)> at_the_end(&parser, &csv_free);
    csv_set_delim(&parser, static_cast<unsigned char>(separator));
    Reading reading{.take = take, .bounds = bounds};
    constexpr std::size_t piece = 64 << 10;
    while (!text.empty() && !reading.error) {
        const auto part = text.substr(0, piece);
        if (csv_parse(&parser, part.data(), part.size(), on_cell, on_row, &reading) != part.size())
            return invalid("file", "The file is no CSV.");
        text.remove_prefix(part.size());
    }
    if (!reading.error)
        csv_fini(&parser, on_cell, on_row, &reading);
    return reading.error ? Result<void>(*reading.error) : Result<void>();
}

}  // namespace svc::csv
