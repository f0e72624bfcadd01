// Tables as files that spreadsheet programs open: CSV and XLSX. Any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "shared/core/date.hpp"

namespace svc::sheets {

// A cell is text unless it is said to be something else: user input is shown and never computed.
struct Cell {
    enum class Kind : std::uint8_t { text, number, date, moment };

    Cell(std::string words) : text(std::move(words)) {}
    Cell(const char* words) : text(words) {}
    // A decimal number, such as -12.50, that a spreadsheet program adds up and shows with as many decimals.
    static Cell number(std::string decimal) { return {std::move(decimal), Kind::number}; }
    static Cell number(std::int64_t value) { return number(std::to_string(value)); }
    // A date, and a moment on the clock of a zone: in XLSX a spreadsheet program sorts them and counts with them.
    static Cell date(Date day) { return {day.text(), Kind::date}; }
    static Cell moment(Instant at, const Zone& zone) {
        return {zone.date_at(at).text() + " " + zone.time_at(at).text(), Kind::moment};
    }

    std::string text;  // as CSV has it
    Kind kind = Kind::text;

  private:
    Cell(std::string words, Kind of) : text(std::move(words)), kind(of) {}
};

struct Table {
    std::string name;  // of the sheet
    std::vector<std::string> head;
    std::vector<std::vector<Cell>> rows;
};

// RFC 4180 in UTF-8 with a byte order mark, by which spreadsheet programs know it. Text that they would take for a
// formula, or that is such a text after apostrophes, begins with one more apostrophe; csv::read takes it off.
std::string csv(const Table& table);
// Throws std::runtime_error when there is no room for its temporary file.
std::string xlsx(const Table& table);

// A table whose rows come one by one, as many as there are.
struct Rows {
    std::string name;
    std::vector<std::string> head;
    std::function<bool(std::vector<Cell>& row)> next;  // fills an empty row; false: there is none
};
enum class Format : std::uint8_t { csv, xlsx };
// Writes the table into a file that exists; holds no more than a row of it in memory. XLSX goes on in a further sheet
// where one is full. Throws std::runtime_error when the file cannot be written.
void save(const Rows& rows, Format format, const std::string& path);

}  // namespace svc::sheets
