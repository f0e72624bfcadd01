// Tables as files that spreadsheet programs open: CSV and XLSX. Pure functions, any thread.
#pragma once

#include <string>
#include <vector>

namespace svc::sheets {

// Every cell is text: user input is shown and never computed.
struct Table {
    std::string name;  // of the sheet
    std::vector<std::string> head;
    std::vector<std::vector<std::string>> rows;
};

// RFC 4180 in UTF-8 with a byte order mark, by which spreadsheet programs know it. A cell that they would take for a
// formula begins with an apostrophe.
std::string csv(const Table& table);
// Throws std::runtime_error when there is no room for its temporary file.
std::string xlsx(const Table& table);

}  // namespace svc::sheets
