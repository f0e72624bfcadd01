// Reads CSV files of other programs: rows come one by one, whatever their encoding and separator.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/platform/csv/encoding.hpp"
#include "shared/core/result.hpp"

namespace svc::csv {

// Limits for files from outside (promise S11).
struct Bounds {
    std::size_t columns = 500, cell = 64 << 10, rows = 1'000'000;
    std::int64_t bytes = std::int64_t{1} << 30;
};

// svc_validation_error of the field `file` for a file that is larger than the bounds allow, or cannot be read.
Result<void> check_size(const std::string& path, const Bounds& bounds = {});

// Calls `take` for each row of a file with the number that a spreadsheet program shows, the first being 1; skips rows
// without any cell. `take` ends the reading by an error. The text is passed in UTF-8, from the encoding that
// encoding.hpp finds; invalid bytes become U+FFFD. The separator is the one that a first line `sep=;` names, which is
// no row, else that of comma, semicolon, tab or bar that the first row has most of outside of quotes.
// svc_validation_error of the field `file` for a file that exceeds a limit. Needs some hundred kilobytes of memory for
// any file. Any thread.
using Row = std::vector<std::string>;
Result<void> read(const std::string& path,
                  const std::function<Result<void>(std::size_t number, const Row& cells)>& take,
                  const Bounds& bounds = {}, const Origin& origin = {});

// What a file begins with whose text is UTF-8: without it a spreadsheet program takes umlauts for other characters.
inline constexpr const char* utf8_mark = "\xEF\xBB\xBF";

// A cell of a file that spreadsheet programs open: quoted, and with an apostrophe before what they would take for a
// formula, or before another apostrophe of such a text; plain() of cells.hpp takes it off.
std::string cell(std::string_view text);

}  // namespace svc::csv
