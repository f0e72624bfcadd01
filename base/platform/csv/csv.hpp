// Reads CSV files of other programs: encoding and separator are found out, rows come one by one.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "shared/core/result.hpp"

namespace svc::csv {

// The text in UTF-8, without a byte order mark: from UTF-8, UTF-16 with a mark, else Windows-1252, which spreadsheet
// programs write in the west.
std::string in_utf8(std::string_view bytes);

// The separator of the first row: comma, semicolon, tab or bar, whichever occurs most outside of quotes.
char separator_of(std::string_view text);

// What a file may ask of us (promise S11).
struct Bounds {
    std::size_t columns = 500, cell = 64 << 10, rows = 1'000'000;
};

// Calls `take` for each row with its number, the first being 1; rows without any cell are left out. It ends the reading
// with an error. svc_validation_error of the field `file` for what breaks a bound. Streams; pure.
using Row = std::vector<std::string>;
Result<void> read(std::string_view text, char separator,
                  const std::function<Result<void>(std::size_t number, const Row& cells)>& take,
                  const Bounds& bounds = {});

}  // namespace svc::csv
