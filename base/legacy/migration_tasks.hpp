// Migrates a former installation in two stages: an upload stages the records of an export in files, then jobs store
// them kind by kind (routes 17.26 to 17.31). Sends no mail and fires no event; skips records that exist already.
#pragma once

#include "base/legacy/kinds.hpp"
#include "base/legacy/record_migration.hpp"
#include "base/tools/feature.hpp"

namespace svc::legacy {

// Any thread. Staged data is stored in files next to those of tasks.
class MigrationTasks {
  public:
    MigrationTasks(const Site& site, tools::Feature& tools, const RecordMigration::Lower& lower)
        : site_(site), tasks_(tools.tasks), caches_(tools.caches), records_(site, lower) {}

    // Reads a WordPress export that was uploaded to `path` and replaces earlier staged data. Returns how many
    // records of each kind it holds.
    Result<json::Value> stage(const std::string& path) const;
    // Adds the rows of a table that the export lacks, as one kind, to the staged data. `tour_id` and `trip_id` are
    // numbers of the staged export's trips.
    Result<json::Value> stage_table(const std::string& path, const std::string& kind) const;
    // {kind: total} of the staged data.
    [[nodiscard]] json::Value staged_totals() const;
    // {name: count} of the data in the staged export that is not migrated.
    [[nodiscard]] json::Value left_out() const;
    void clear() const;

    // A step of a task of the type `migrate`. Options: {force, dry_run}. State: {kind, at, line, errors_bytes}.
    Result<bool> step(tools::Task& task) const;

  private:
    struct Step;
    void migrate_lines(store::Transaction& tx, Step& step) const;
    Result<void> close(store::Transaction& tx, tools::Task& task, const Step& step) const;
    Result<bool> finish(tools::Task& task) const;
    [[nodiscard]] std::string file_of(std::string_view kind) const;
    [[nodiscard]] std::string left_out_rows() const;
    [[nodiscard]] json::Value read_state(const char* name) const;
    Result<void> write_state(const char* name, const json::Value& value) const;
    [[nodiscard]] References references() const;

    const Site& site_;
    const tools::Tasks& tasks_;
    const caches::Caches& caches_;
    const RecordMigration records_;
};

}  // namespace svc::legacy
