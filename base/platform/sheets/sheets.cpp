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

bool looks_like_a_formula(const std::string& cell) {
    return !cell.empty() && std::string_view("=+-@\t\r").find(cell.front()) != std::string_view::npos;
}

void put(std::string& out, const std::vector<Cell>& cells) {
    bool first = true;
    for (const Cell& cell : cells) {
        out += first ? "\"" : ",\"";
        first = false;
        if (!cell.is_number && looks_like_a_formula(cell.text))
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

// Formats that show a number with as many decimals as it was written with, each made once in a workbook.
class NumberFormats {
  public:
    explicit NumberFormats(lxw_workbook* book) : book_(book) {}
    lxw_format* format_of(const std::string& decimal) {
        const auto point = decimal.find('.');
        const std::size_t decimals = point == std::string::npos ? 0 : decimal.size() - point - 1;
        auto& format = formats_[decimals];
        if (!format) {
            format = workbook_add_format(book_);
            format_set_num_format(format, decimals == 0 ? "0" : ("0." + std::string(decimals, '0')).c_str());
        }
        return format;
    }

  private:
    lxw_workbook* book_;
    std::map<std::size_t, lxw_format*> formats_;
};

void put_row(lxw_worksheet* sheet, lxw_row_t row, const std::vector<Cell>& cells, NumberFormats& formats) {
    lxw_col_t column = 0;
    for (const Cell& cell : cells) {
        double number = 0;
        const char* const end = cell.text.data() + cell.text.size();
        if (cell.is_number && std::from_chars(cell.text.data(), end, number).ptr == end && !cell.text.empty())
            worksheet_write_number(sheet, row, column++, number, formats.format_of(cell.text));
        else
            worksheet_write_string(sheet, row, column++, shortened(cell.text).c_str(), nullptr);
    }
}

}  // namespace

std::string csv(const Table& table) {
    std::string out = "\xEF\xBB\xBF";
    put(out, cells_of(table.head));
    for (const auto& row : table.rows)
        put(out, row);
    return out;
}

std::string xlsx(const Table& table) {
    const TemporaryFile file;
    lxw_workbook* book = workbook_new(file.path().c_str());
    if (!book)
        throw std::runtime_error("no workbook could be made");
    lxw_worksheet* sheet = workbook_add_worksheet(book, table.name.c_str());
    lxw_format* bold = workbook_add_format(book);
    format_set_bold(bold);
    lxw_col_t column = 0;
    for (const std::string& label : table.head)
        worksheet_write_string(sheet, 0, column++, shortened(label).c_str(), bold);
    worksheet_freeze_panes(sheet, 1, 0);
    NumberFormats formats(book);
    lxw_row_t number = 0;
    for (const auto& row : table.rows)
        put_row(sheet, ++number, row, formats);
    if (workbook_close(book) != LXW_NO_ERROR)
        throw std::runtime_error("the workbook could not be written");
    std::ifstream written(file.path(), std::ios::binary);
    return {std::istreambuf_iterator<char>(written), {}};
}

}  // namespace svc::sheets
