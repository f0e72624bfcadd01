// A former installation's records on their way here: staged from its export, then taken kind by kind as jobs (routes
// 17.26 to 17.31). No mail is sent and no event fires; records that are here already are skipped.
#pragma once

#include "base/discounts/feature.hpp"
#include "base/enquiries/enquiry.hpp"
#include "base/legacy/kinds.hpp"
#include "base/tools/feature.hpp"
#include "base/transfer/csv_kinds.hpp"

namespace svc::legacy {

// Any thread. Staged data is stored in files beside those of tasks.
class Migrating {
  public:
    struct Lower {
        catalog::classifications::Feature& classifications;
        discounts::Feature& discounts;
        const transfer::CsvKinds& csv;
    };
    Migrating(const Site& site, tools::Feature& tools, const Lower& lower)
        : site_(site), tasks_(tools.tasks), caches_(tools.caches), lower_(lower) {}

    // Reads a WordPress export that was uploaded to `path` and replaces earlier staged data. Returns how many
    // records of each kind it holds.
    Result<json::Value> stage(const std::string& path) const;
    // Adds the rows of a table that the export lacks, as one kind, to the staged data.
    Result<json::Value> stage_table(const std::string& path, const std::string& kind) const;
    // {kind: total} of the staged data.
    [[nodiscard]] json::Value staged_totals() const;
    void clear() const;

    // A step of a task of the type `migrate`. Options: {force, dry_run}. State: {kind, at}.
    Result<bool> step(tools::Task& task) const;

  private:
    enum class Came : std::uint8_t { migrated, skipped };
    Result<Came> take(store::Transaction& tx, std::string_view kind, const json::Value& fields, bool force) const;
    Result<Came> take_class(store::Transaction& tx, std::string_view kind, const json::Value& fields) const;
    Result<Came> take_coupon(store::Transaction& tx, const json::Value& fields) const;
    Result<Came> take_enquiry(store::Transaction& tx, const json::Value& fields) const;
    Result<Came> take_by_rules(store::Transaction& tx, std::string_view kind, json::Value fields, bool force) const;
    [[nodiscard]] std::string file_of(std::string_view kind) const;
    Result<void> keep_totals(const json::Value& totals) const;

    const Site& site_;
    const tools::Tasks& tasks_;
    const caches::Caches& caches_;
    const Lower lower_;
};

}  // namespace svc::legacy
