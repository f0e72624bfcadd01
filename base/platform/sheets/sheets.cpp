// CSV by hand, XLSX by libxlsxwriter.
#include "base/platform/sheets/sheets.hpp"

#include <charconv>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <stdexcept>
#include <unistd.h>
#include <xlsxwriter.h>

namespace svc::sheets {
namespace {

constexpr std::size_t longest_cell = 32'000;  // XLSX ends at 32,767 characters
constexpr lxw_row_t most_sheet_rows = 1'048'576;
constexpr int first_year = 1900;  // of a date in XLSX

bool looks_like_a_formula(std::string_view cell) {
    const auto first = cell.find_first_not_of('\'');
    return first != std::string_view::npos && std::string_view("=+-@\t\r").find(cell[first]) != std::string_view::npos;
}

void put(std::string& out, const std::vector<Cell>& cells) {
    bool first = true;
    for (const Cell& cell : cells) {
        out += first ? "\"" : ",\"";
        first = false;
        if (cell.kind == Cell::Kind::text && looks_like_a_formula(cell.text))
            out += '\'';
        for (const char each : cell.text) {
            if (each == '"')
                out += '"';
            out += each;
        }
        out += '"';
    }
    out += "\r\n";
}

// At most that many bytes, ending between characters.
std::string shortened(const std::string& cell) {
    if (cell.size() <= longest_cell)
        return cell;
    std::size_t end = longest_cell;
    while (end > 0 && (static_cast<unsigned char>(cell[end]) & 0xC0U) == 0x80U)
        --end;
    return cell.substr(0, end);
}

// A file in the temporary folder, deleted with this object.
class TemporaryFile {
  public:
    TemporaryFile() {
        const int file = mkstemp(path_.data());
        if (file < 0)
            throw std::runtime_error("no temporary file could be made");
        close(file);
    }
    ~TemporaryFile() { unlink(path_.c_str()); }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    [[nodiscard]] const std::string& path() const { return path_; }

  private:
    std::string path_ = "/tmp/svc-sheet-XXXXXX";
};

std::vector<Cell> cells_of(const std::vector<std::string>& head) { return {head.begin(), head.end()}; }

Rows rows_of(const Table& table) {
    return {table.name, table.head, [&table, at = std::size_t{0}](std::vector<Cell>& row) mutable {
                if (at == table.rows.size())
                    return false;
                row = table.rows[at++];
                return true;
            }};
}

template <class Put>
void each_line(const Rows& rows, const Put& put_line) {
    put_line(cells_of(rows.head));
    for (std::vector<Cell> row; rows.next(row); row.clear())
        put_line(row);
}

// Formats of numbers, which show as many decimals as were written, and of days: each made once in a workbook.
class Formats {
  public:
    explicit Formats(lxw_workbook* book) : book_(book) {}
    lxw_format* of_number(const std::string& decimal) {
        const auto point = decimal.find('.');
        const std::size_t decimals = point == std::string::npos ? 0 : decimal.size() - point - 1;
        return of(decimals == 0 ? "0" : "0." + std::string(decimals, '0'));
    }
    lxw_format* of(const std::string& pattern) {
        auto& format = formats_[pattern];
        if (!format) {
            format = workbook_add_format(book_);
            format_set_num_format(format, pattern.c_str());
        }
        return format;
    }

  private:
    lxw_workbook* book_;
    std::map<std::string, lxw_format*> formats_;
};

// The day and clock time of a cell that has one XLSX can hold.
bool read_datetime(const Cell& cell, lxw_datetime& into) {
    if (cell.kind == Cell::Kind::date)
        return std::sscanf(cell.text.c_str(), "%4d-%2d-%2d", &into.year, &into.month, &into.day) == 3 &&
               into.year >= first_year;
    return cell.kind == Cell::Kind::moment &&
           std::sscanf(cell.text.c_str(), "%4d-%2d-%2d %2d:%2d", &into.year, &into.month, &into.day, &into.hour,
                       &into.min) == 5 &&
           into.year >= first_year;
}

void put_row(lxw_worksheet* sheet, lxw_row_t row, const std::vector<Cell>& cells, Formats& formats) {
    lxw_col_t column = 0;
    for (const Cell& cell : cells) {
        double number = 0;
        lxw_datetime at{};
        const char* const end = cell.text.data() + cell.text.size();
        if (cell.text.empty())
            ++column;
        else if (cell.kind == Cell::Kind::number && std::from_chars(cell.text.data(), end, number).ptr == end)
            worksheet_write_number(sheet, row, column++, number, formats.of_number(cell.text));
        else if (read_datetime(cell, at))
            worksheet_write_datetime(
                sheet, row, column++, &at,
                formats.of(cell.kind == Cell::Kind::date ? "yyyy\\-mm\\-dd" : "yyyy\\-mm\\-dd hh:mm"));
        else
            worksheet_write_string(sheet, row, column++, shortened(cell.text).c_str(), nullptr);
    }
}

lxw_worksheet* begin_sheet(lxw_workbook* book, const Rows& rows, int number, lxw_format* bold) {
    const std::string name = number == 1 ? rows.name : rows.name + " " + std::to_string(number);
    lxw_worksheet* sheet = workbook_add_worksheet(book, name.c_str());
    if (!sheet)
        throw std::runtime_error("no sheet could be made");
    lxw_col_t column = 0;
    for (const std::string& label : rows.head)
        worksheet_write_string(sheet, 0, column++, shortened(label).c_str(), bold);
    worksheet_freeze_panes(sheet, 1, 0);
    return sheet;
}

void save_xlsx(const Rows& rows, const std::string& path) {
    lxw_workbook_options options{};
    options.constant_memory = LXW_TRUE;
    std::unique_ptr<lxw_workbook, decltype(&workbook_close)> owned(workbook_new_opt(path.c_str(), &options),
                                                                   &workbook_close);
    if (!owned)
        throw std::runtime_error("no workbook could be made");
    lxw_workbook* book = owned.get();
    lxw_format* bold = workbook_add_format(book);
    format_set_bold(bold);
    Formats formats(book);
    int sheets = 1;
    lxw_worksheet* sheet = begin_sheet(book, rows, sheets, bold);
    lxw_row_t number = 0;
    for (std::vector<Cell> row; rows.next(row); row.clear()) {
        if (++number == most_sheet_rows) {
            sheet = begin_sheet(book, rows, ++sheets, bold);
            number = 1;
        }
        put_row(sheet, number, row, formats);
    }
    if (workbook_close(owned.release()) != LXW_NO_ERROR)
        throw std::runtime_error("the workbook could not be written");
}

void save_csv(const Rows& rows, const std::string& path) {
    constexpr std::size_t piece = 64 << 10;
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    std::string out = "\xEF\xBB\xBF";
    each_line(rows, [&](const std::vector<Cell>& cells) {
        put(out, cells);
        if (out.size() >= piece) {
            file << out;
            out.clear();
        }
    });
    file << out;
    if (!file.flush())
        throw std::runtime_error("the table could not be written");
}

}  // namespace

std::string csv(const Table& table) {
    std::string out = "\xEF\xBB\xBF";
    each_line(rows_of(table), [&](const std::vector<Cell>& cells) { put(out, cells); });
    return out;
}

std::string xlsx(const Table& table) {
    const TemporaryFile file;
    save_xlsx(rows_of(table), file.path());
    std::ifstream written(file.path(), std::ios::binary);
    return {std::istreambuf_iterator<char>(written), {}};
}

void save(const Rows& rows, Format format, const std::string& path) {
    if (format == Format::xlsx)
        save_xlsx(rows, path);
    else
        save_csv(rows, path);
}

}  // namespace svc::sheets
