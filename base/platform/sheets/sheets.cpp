// CSV by hand, XLSX by libxlsxwriter.
#include "base/platform/sheets/sheets.hpp"

#include <cstdio>
#include <fstream>
#include <iterator>
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

void put(std::string& out, const std::vector<std::string>& cells) {
    bool first = true;
    for (const std::string& cell : cells) {
        out += first ? "\"" : ",\"";
        first = false;
        if (looks_like_a_formula(cell))
            out += '\'';
        for (const char each : cell) {
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

void put_row(lxw_worksheet* sheet, lxw_row_t number, const std::vector<std::string>& cells, lxw_format* format) {
    lxw_col_t column = 0;
    for (const std::string& cell : cells)
        worksheet_write_string(sheet, number, column++, shortened(cell).c_str(), format);
}

}  // namespace

std::string csv(const Table& table) {
    std::string out = "\xEF\xBB\xBF";
    put(out, table.head);
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
    put_row(sheet, 0, table.head, bold);
    worksheet_freeze_panes(sheet, 1, 0);
    lxw_row_t number = 0;
    for (const auto& row : table.rows)
        put_row(sheet, ++number, row, nullptr);
    if (workbook_close(book) != LXW_NO_ERROR)
        throw std::runtime_error("the workbook could not be written");
    std::ifstream written(file.path(), std::ios::binary);
    return {std::istreambuf_iterator<char>(written), {}};
}

}  // namespace svc::sheets
