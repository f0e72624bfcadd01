// Imports exports: ids stay where they are free and are mapped where they are not, one transaction for up to 500
// rows, no mail and no event (route 17.2). The outcome of each row is stored, so that a run can be undone.
#pragma once

#include <map>
#include <unordered_map>

#include "base/data/import_export/csv_kinds.hpp"
#include "base/data/import_export/exporting.hpp"
#include "base/data/import_export/file_pieces.hpp"
#include "base/data/import_export/pace.hpp"
#include "base/maintenance/tasks.hpp"
#include "base/platform/caches/caches.hpp"

namespace svc::import_export {

// The treatment of a record that exists already, by its natural key.
enum class Mode : std::uint8_t { skip, update, create };
inline constexpr std::string_view mode_names[] = {"skip", "update", "create"};
enum class Outcome : std::uint8_t { created, updated, skipped };
inline constexpr std::string_view outcome_names[] = {"created", "updated", "skipped"};

// The new id of an old one; an id below 1 is not stored (of a dry run).
struct NewId {
    std::int64_t id = 0;
    Outcome outcome = Outcome::created;
};

// The type of task `import`, for archives and for undoing them. Options: {mode, dry_run}, or {undo: key}. State:
// {files: [part], file, at, line, errors_bytes}.
class Importing {
  public:
    Importing(const Site& site, const maintenance::Tasks& tasks, const caches::Caches& caches, const CsvKinds& kinds)
        : site_(site), tasks_(tasks), caches_(caches), kinds_(kinds) {}

    // The first step of a file that was uploaded to `path`: unpacks it and reads its manifest.
    Result<bool> begin(maintenance::Task& task, const std::string& path);
    Result<bool> step(maintenance::Task& task);
    Result<bool> undo_step(maintenance::Task& task);
    void ended(const maintenance::Task& task);
    [[nodiscard]] std::string folder_of(const maintenance::Task& task) const {
        return tasks_.path_of(task.key + ".work");
    }

  private:
    struct Batch;
    struct Counts {
        std::int64_t created = 0, updated = 0, skipped = 0, failed = 0;
    };
    Result<void> split_json(const TableMap& map, const std::string& path, const std::string& folder) const;
    Result<void> check_manifest(const std::string& folder) const;
    void load_new_ids(const TableMap& map, const maintenance::Task& task);
    [[nodiscard]] const NewId* find(const std::string& table, std::int64_t old_id) const;

    // Imports one row; its error is reported with its line. `with_savepoints`: a row that the database rejects leaves
    // the others.
    Result<Outcome> import_row(store::Transaction& tx, Batch& batch, const std::string& line) const;
    Result<Outcome> import_setting(store::Transaction& tx, const Batch& batch, const json::Value& row) const;
    Result<void> map_references(store::Session& session, const Batch& batch, json::Value& row, Outcome& parent) const;
    Result<Outcome> store_row(store::Transaction& tx, Batch& batch, json::Value row) const;
    void store_outcome(store::Transaction& tx, Batch& batch, const std::string& old_id, NewId new_id,
                       const json::Value& before) const;
    void follow_seats(store::Transaction& tx, const Part& part, const json::Value& row, std::int64_t sign) const;
    // `close` runs last in the transaction: it stores the position of the next step.
    Result<void> run(const maintenance::Task& task, Batch& batch, const Lines& lines, bool with_savepoints,
                     const std::function<Result<void>(store::Transaction&)>& close);
    void finish(maintenance::Task& task, store::Transaction& tx) const;
    void refresh() const;
    Result<void> undo_row(store::Transaction& tx, const TableMap& map, const Part& part, const std::string& outcome,
                          std::int64_t id, const std::string& old_id, const std::optional<std::string>& before) const;

    const Site& site_;
    const maintenance::Tasks& tasks_;
    const caches::Caches& caches_;
    const CsvKinds& kinds_;
    // The new ids of old ones, of the present task.
    std::int64_t loaded_task_ = 0;
    std::map<std::string, std::unordered_map<std::int64_t, NewId>> new_ids_;
    std::size_t rows_a_step_ = most_rows_a_step;  // fewer where others wait
};

}  // namespace svc::import_export
