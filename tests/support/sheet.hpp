// A file of a list as the program saved it, and as a spreadsheet program saves it again.
#pragma once

#include <algorithm>
#include <fstream>

#include <doctest/doctest.h>

#include "base/platform/csv/csv.hpp"
#include "tests/support/test_base.hpp"

namespace svc::tests {

struct Sheet {
    csv::Row head;
    std::vector<csv::Row> rows;
    [[nodiscard]] std::size_t at(const std::string& column) const {
        const auto found = std::find(head.begin(), head.end(), column);
        REQUIRE_MESSAGE(found != head.end(), column);
        return static_cast<std::size_t>(found - head.begin());
    }
    [[nodiscard]] std::string cell(std::size_t row, const std::string& column) const {
        return rows.at(row).at(at(column));
    }
    [[nodiscard]] std::string text() const {
        std::string all = "\xEF\xBB\xBF";
        const auto put = [&](const csv::Row& row) {
            for (std::size_t i = 0; i < row.size(); ++i) {
                std::string quoted = "\"";
                for (const char c : row[i])
                    quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
                all += (i == 0 ? "" : ",") + quoted + "\"";
            }
            all += "\r\n";
        };
        put(head);
        for (const csv::Row& row : rows)
            put(row);
        return all;
    }
};

inline Sheet sheet_in(const std::string& bytes) {
    const TempDir folder;
    std::ofstream(folder.file("t.csv"), std::ios::binary) << bytes;
    Sheet sheet;
    REQUIRE(csv::read(folder.file("t.csv"), [&](std::size_t, const csv::Row& row) -> Result<void> {
        if (sheet.head.empty())
            sheet.head = row;
        else
            sheet.rows.push_back(row);
        return {};
    }));
    return sheet;
}

inline std::string bytes_of(const Answered& answered) {
    CAPTURE(answered.text);
    REQUIRE(answered.status == 200);
    return answered.text;
}

inline Sheet saved(TestBase& base, const std::string& target, const Visitor& visitor) {
    return sheet_in(bytes_of(base.get(target, visitor)));
}

}  // namespace svc::tests
