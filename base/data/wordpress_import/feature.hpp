// The feature of migrating a former installation (group G17 of routes, 17.26 to 17.31).
#pragma once

#include "base/data/import_export/feature.hpp"
#include "base/data/wordpress_import/migration_tasks.hpp"
#include "base/feature/feature.hpp"

namespace svc::wordpress_import {

// Built at start; afterwards any thread.
class Feature final : public svc::Feature {
  public:
    struct Needs {
        maintenance::Feature& tools;
        import_export::Feature& transfer;
        catalog::media::Feature& media;
        catalog::classifications::Feature& classifications;
        discounts::Feature& discounts;
    };
    Feature(const Site& site, const Needs& lower)
        : svc::Feature(site),
          tasks_(lower.tools.tasks),
          migration_tasks_(site, lower.tools,
                           {.media = lower.media,
                            .classifications = lower.classifications,
                            .discounts = lower.discounts,
                            .csv = lower.transfer.csv_kinds()}) {}

    void connect() override;
    void add_routes() override;

  private:
    [[nodiscard]] api::Reply upload(const api::Request& request) const;
    [[nodiscard]] api::Reply status(const api::Request& request) const;
    [[nodiscard]] api::Reply progress() const;
    [[nodiscard]] api::Reply begin(const api::Request& request, std::vector<std::string> kinds) const;
    [[nodiscard]] api::Reply cancel() const;
    [[nodiscard]] api::Reply clear() const;
    // By kind, as its last job left it; `of_stage`: only jobs of what is staged now.
    [[nodiscard]] json::Value last_runs(bool of_stage) const;

    maintenance::Tasks& tasks_;
    MigrationTasks migration_tasks_;
};

}  // namespace svc::wordpress_import
