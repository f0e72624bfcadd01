// Imports tables of other programs: columns are mapped to fields, each row passes the rules of staff's input,
// by batches of up to 500 rows a transaction (route 17.2 with a CSV file).
#pragma once

#include "base/data/import_export/csv_kinds.hpp"
#include "base/data/import_export/file_pieces.hpp"
#include "base/data/import_export/importing.hpp"
#include "base/maintenance/tasks.hpp"

namespace svc::import_export {

// Options of the task: {csv: kind, mapping: {column: field}, mode, dry_run}. State: {rows: true, at, errors_bytes}.
class CsvImporting {
  public:
    CsvImporting(const Site& site, const maintenance::Tasks& tasks, const caches::Caches& caches, const CsvKinds& kinds)
        : site_(site), tasks_(tasks), caches_(caches), kinds_(kinds) {}

    // Reads the uploaded file once: its rows become lines of fields, cells that fit no field are left out.
    Result<bool> begin(maintenance::Task& task, const std::string& path) const;
    Result<bool> step(maintenance::Task& task);

    // The columns of a file and the fields that they would be mapped to: by the mapping that was used last for that
    // kind, else by their names.
    [[nodiscard]] json::Value mapping_for(const CsvKind& kind, const std::vector<std::string>& columns) const;
    // What an import of the file would read: its encoding, its columns and their mapping, its first rows as they are
    // and as they would be stored, with the faults that need no database.
    [[nodiscard]] Result<json::Value> preview(const CsvKind& kind, const std::string& path,
                                              const json::Value& options) const;
    void save_mapping(store::Transaction& tx, const std::string& kind, const json::Value& mapping) const;

  private:
    struct Counts {
        std::int64_t created = 0, updated = 0, skipped = 0, failed = 0;
    };
    // A line of the rows' file, read and checked before the transaction that stores it.
    struct Row {
        std::int64_t line = 0;
        json::Value given;           // its fields as the table has them
        Result<json::Value> fields;  // a table need not have every field of a record that is here already
        json::Value faults = {};     // of its cells
    };
    Result<Outcome> import_row(store::Transaction& tx, const maintenance::Task& task, const CsvKind& kind,
                               const Row& row) const;
    [[nodiscard]] std::vector<Row> rows_in(const maintenance::Task& task, const CsvKind& kind,
                                           const std::vector<std::string>& lines) const;
    // A line of the rows' file, and what it says.
    [[nodiscard]] std::string stored_line(const maintenance::Task& task, const CsvKind& kind,
                                          const json::Value& line) const;
    [[nodiscard]] Result<json::Value> read_line(const maintenance::Task& task, const CsvKind& kind,
                                                const std::string& text) const;
    [[nodiscard]] std::string rows_file(const maintenance::Task& task) const {
        return tasks_.path_of(task.key + ".work") + "/rows.jsonl";
    }

    const Site& site_;
    const maintenance::Tasks& tasks_;
    const caches::Caches& caches_;
    const CsvKinds& kinds_;
    std::size_t rows_a_step_ = most_rows_a_step;  // fewer where others wait
};

}  // namespace svc::import_export
