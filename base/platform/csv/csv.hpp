// Reads CSV files of other programs: encoding and separator are found out, rows come one by one.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

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
// without any cell. `take` ends the reading by an error. The text is passed in UTF-8: from UTF-8, UTF-16 with a byte
// order mark, another encoding that ICU is sure of, else Windows-1252, which western spreadsheet programs write;
// invalid bytes become U+FFFD. The separator is the one of comma, semicolon, tab or bar that the first row has most of
// outside of quotes.
// svc_validation_error of the field `file` for a file that exceeds a limit. Needs some hundred kilobytes of memory for
// any file. Any thread.
using Row = std::vector<std::string>;
Result<void> read(const std::string& path,
                  const std::function<Result<void>(std::size_t number, const Row& cells)>& take,
                  const Bounds& bounds = {});

// An amount and a day as spreadsheet programs of many countries write them, in the notation of this program: 1.299,50
// as 1299.50 and 31.12.2026 as 2026-12-31. Any other text stays as it is, also where a comma may separate thousands.
std::string with_point(const std::string& text);
std::string with_year_first(const std::string& text);

// What a file begins with whose text is UTF-8: without it a spreadsheet program takes umlauts for other characters.
inline constexpr const char* utf8_mark = "\xEF\xBB\xBF";

// A cell of a file that spreadsheet programs open: quoted, and with an apostrophe before what they would take for a
// formula.
std::string cell(std::string_view text);

}  // namespace svc::csv
