// One table from another program: which field each of its columns is, and its cells in the notation of this program.
#pragma once

#include "base/data/import_export/csv_kinds.hpp"
#include "base/platform/csv/cells.hpp"
#include "base/platform/csv/csv.hpp"
#include "base/settings/values/site_settings.hpp"

namespace svc::import_export {

// For one file and one thread.
class CsvTable {
  public:
    // `options`: those of an import, of which `encoding` and `date_form` count.
    CsvTable(const CsvKind& kind, const settings::SiteSettings& settings, const json::Value& options);

    [[nodiscard]] const csv::Origin& origin() const { return origin_; }
    // The first row: names of columns. The mapping has the field of each, or null for one that is left out;
    // svc_validation_error of the field `mapping` for an unknown field or one that two columns are.
    Result<void> take_head(const csv::Row& cells, const json::Value& mapping);
    [[nodiscard]] const std::vector<std::string>& columns() const { return columns_; }
    static std::vector<std::string> names_of(const csv::Row& cells);

    // {"line", "fields": {name: text}, "faults": {name: sentence}} of another row. Empty cells are no fields.
    [[nodiscard]] json::Value line(std::size_t number, const csv::Row& cells) const;
    // The column of each field, by which errors name it.
    [[nodiscard]] json::Value columns_by_field() const;
    // Cells that are not empty, by columns that such a table leaves to the program.
    [[nodiscard]] const json::Value& ignored() const { return ignored_; }
    void count_ignored(const csv::Row& cells);

  private:
    [[nodiscard]] std::string in_our_notation(const api::Field& field, const std::string& cell) const;

    const CsvKind& kind_;
    csv::Origin origin_;
    csv::Amounts amounts_;
    csv::DayForm days_;
    Zone zone_;
    std::vector<std::string> columns_;
    std::vector<const api::Field*> fields_;  // of each column; null: left out
    json::Value ignored_ = json::Value::object();
};

}  // namespace svc::import_export
