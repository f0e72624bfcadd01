// Exports: JSON lines of the chosen kinds in a zip archive with a manifest, made in steps (routes 17.1, 17.5).
#pragma once

#include <map>
#include <memory>

#include "base/tools/tasks.hpp"
#include "base/transfer/parts.hpp"

namespace svc::transfer {

// A part with its table as the database has it. Null table: this database lacks it.
record::RawTable table_of(store::Session& session, const Part& part);

// The type of task `export`. Its state is {part, after, rows: {part: n}, bytes, limits: {part: highest id}}.
class Exporting {
  public:
    Exporting(const Site& site, const tools::Tasks& tasks) : site_(site), tasks_(tasks) {}
    [[nodiscard]] tools::Tasks::Kind kind();

  private:
    Result<bool> step(tools::Task& task) const;
    Result<bool> begin(tools::Task& task, const std::vector<const Part*>& parts) const;
    Result<bool> write_page(tools::Task& task, const TableMap& map, const Part& part) const;
    Result<bool> finish(tools::Task& task, const std::vector<const Part*>& parts) const;
    Result<bool> save(tools::Task& task, bool more) const;
    [[nodiscard]] std::string folder_of(const tools::Task& task) const { return tasks_.path_of(task.key + ".work"); }

    const Site& site_;
    const tools::Tasks& tasks_;
};

}  // namespace svc::transfer
