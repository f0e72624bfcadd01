// Migrates a former installation in two stages: an upload stages the records of an export in files, then jobs store
// them kind by kind (routes 17.26 to 17.31). Sends no mail and fires no event; skips records that exist already.
#pragma once

#include <map>
#include <mutex>

#include "base/data/wordpress_import/kinds.hpp"
#include "base/data/wordpress_import/record_migration.hpp"
#include "base/data/wordpress_import/staging.hpp"
#include "base/maintenance/feature.hpp"

namespace svc::wordpress_import {

// Any thread. Staged data is stored in files next to those of tasks.
class MigrationTasks {
  public:
    MigrationTasks(const Site& site, maintenance::Feature& tools, const RecordMigration::Needs& lower)
        : staging(site, tools.tasks), site_(site), tasks_(tools.tasks), caches_(tools.caches), records_(site, lower) {}

    // A step of a task of the type `migrate`. Options: {force, dry_run}. State: {kind, at, line, errors_bytes,
    // unpaid: [references of bookings whose payments failed]}.
    Result<bool> step(maintenance::Task& task) const;

    const Staging staging;

  private:
    struct Step;
    // Stores the staged records of the step's lines. A dry run does the same, with the records that they refer to, in a
    // transaction that is rolled back.
    void migrate_lines(store::Transaction& tx, Step& step) const;
    void bring_referred(store::Transaction& tx, const Step& step, const json::Value& fields) const;
    void bring(store::Transaction& tx, const Step& step, const std::string& kind, const std::string& key) const;
    Result<Outcome> migrate_record(store::Transaction& tx, const Step& step, std::size_t line,
                                   const json::Value& fields, RecordMigration::Remarks& remarks) const;
    Result<void> begin(maintenance::Task& task) const;
    void look_for_pictures(Step& step) const;
    void find_places(Step& step, const maintenance::Task& task) const;
    Result<void> close(store::Transaction& tx, maintenance::Task& task, const Step& step) const;
    Result<bool> finish(maintenance::Task& task) const;
    [[nodiscard]] std::string left_out_rows() const;

    const Site& site_;
    const maintenance::Tasks& tasks_;
    const caches::Caches& caches_;
    const RecordMigration records_;
    // Of the dry run that is under way: where the staged records are that others refer to.
    mutable std::mutex mutex_;
    mutable std::int64_t places_of_ = 0;
    mutable std::map<std::string, Staging::Places> places_;
};

}  // namespace svc::wordpress_import
