// Exports: JSON lines of the chosen kinds in a zip archive with a manifest, made in steps (routes 17.1, 17.5).
#pragma once

#include <map>
#include <memory>

#include "base/data/import_export/parts.hpp"
#include "base/maintenance/tasks.hpp"

namespace svc::import_export {

// A part with its table as the database has it. Null table: this database lacks it.
record::RawTable table_of(store::Session& session, const Part& part);

// The type of task `export`. Its state is {part, after, rows: {part: n}, bytes, limits: {part: highest id}}.
class Exporting {
  public:
    Exporting(const Site& site, const maintenance::Tasks& tasks) : site_(site), tasks_(tasks) {}
    [[nodiscard]] maintenance::Tasks::Kind kind();

  private:
    Result<bool> step(maintenance::Task& task) const;
    Result<bool> begin(maintenance::Task& task, const std::vector<const Part*>& parts) const;
    Result<bool> write_page(maintenance::Task& task, const TableMap& map, const Part& part) const;
    Result<bool> finish(maintenance::Task& task, const std::vector<const Part*>& parts) const;
    Result<bool> save(maintenance::Task& task, bool more) const;
    [[nodiscard]] std::string folder_of(const maintenance::Task& task) const {
        return tasks_.path_of(task.key + ".work");
    }

    const Site& site_;
    const maintenance::Tasks& tasks_;
};

}  // namespace svc::import_export
