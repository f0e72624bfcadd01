// The feature of moving data: exports, imports, and undoing an import, as jobs (group G17 of routes).
#pragma once

#include "base/data/import_export/csv_importing.hpp"
#include "base/data/import_export/importing.hpp"
#include "base/data/import_export/list_files.hpp"
#include "base/feature/feature.hpp"
#include "base/maintenance/feature.hpp"

namespace svc::import_export {

// Built at start; afterwards any thread.
class Feature final : public svc::Feature {
  public:
    Feature(const Site& site, maintenance::Feature& tools, const CsvKinds::Needs& lower)
        : svc::Feature(site),
          tasks_(tools.tasks),
          csv_kinds_(site, lower),
          exporting_(site, tasks_),
          importing_(site, tasks_, tools.caches, csv_kinds_),
          csv_(site, tasks_, tools.caches, csv_kinds_),
          list_files_(site, csv_kinds_) {}

    void declare() override;
    void connect() override;
    void add_routes() override;
    Result<std::int64_t> renew_sealed() override { return csv_kinds_.renew_sealed(); }
    // Adds the files of all lists that are there by now.
    void add_list_files() { list_files_.add_routes(); }
    [[nodiscard]] const CsvKinds& csv_kinds() const { return csv_kinds_; }
    [[nodiscard]] CsvKinds& csv_kinds() { return csv_kinds_; }

  private:
    [[nodiscard]] api::Reply start_export(const api::Request& request) const;
    [[nodiscard]] api::Reply start_import(const api::Request& request) const;
    [[nodiscard]] api::Reply show_preview(const api::Request& request) const;
    [[nodiscard]] api::Reply show_mapping(const api::Request& request) const;
    [[nodiscard]] api::Reply start_undo(const api::Request& request) const;
    [[nodiscard]] api::Reply started(const api::Request& request, maintenance::Task task) const;
    Result<bool> import_step(maintenance::Task& task);

    maintenance::Tasks& tasks_;
    CsvKinds csv_kinds_;
    Exporting exporting_;
    Importing importing_;
    CsvImporting csv_;
    ListFiles list_files_;
};

}  // namespace svc::import_export
