// Tables as files that spreadsheet programs open: CSV and XLSX. Pure functions, any thread.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace svc::sheets {

// A cell is text unless it is said to be a number: user input is shown and never computed.
struct Cell {
    Cell(std::string words) : text(std::move(words)) {}
    Cell(const char* words) : text(words) {}
    // A decimal number, such as -12.50, that a spreadsheet program adds up and shows with as many decimals.
    static Cell number(std::string decimal) {
        Cell cell(std::move(decimal));
        cell.is_number = true;
        return cell;
    }
    static Cell number(std::int64_t value) { return number(std::to_string(value)); }

    std::string text;
    bool is_number = false;
};

struct Table {
    std::string name;  // of the sheet
    std::vector<std::string> head;
    std::vector<std::vector<Cell>> rows;
};

// RFC 4180 in UTF-8 with a byte order mark, by which spreadsheet programs know it. Text that they would take for a
// formula begins with an apostrophe.
std::string csv(const Table& table);
// Throws std::runtime_error when there is no room for its temporary file.
std::string xlsx(const Table& table);

}  // namespace svc::sheets
