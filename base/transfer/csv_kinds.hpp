// The kinds that tables of other programs can hold: fields that columns are mapped to, and the rules that staff's own
// input passes, without events.
#pragma once

#include <functional>

#include "base/availability/feature.hpp"
#include "base/catalog/attributes/part.hpp"
#include "base/customers/feature.hpp"
#include "base/operations/silent_hooks.hpp"
#include "base/site/feature.hpp"

namespace svc::transfer {

struct CsvKind {
    std::string name;    // a data type of routes 17.1
    std::string part;    // of parts.hpp: where its rows are noted
    api::Schema fields;  // the targets of columns
    api::Schema whole;   // all that `create` takes
    std::string key;     // the field that identifies a record
    // `body` has passed the schema.
    std::function<std::optional<std::int64_t>(store::Session&, const json::Value& body)> find;
    std::function<Result<std::int64_t>(store::Transaction&, const json::Value& body)> create;
    std::function<Result<void>(store::Transaction&, std::int64_t id, const json::Value& body)> update;
};

// The features over a Site whose actions notify nobody; they do not replace the installation's features: none of their
// steps runs. Any thread.
class CsvKinds {
  public:
    struct Lower {
        identity::Feature& identity;
        settings::Feature& settings;
        catalog::media::Feature& media;
        catalog::classifications::Feature& classifications;
    };
    CsvKinds(const Site& site, const Lower& lower);

    [[nodiscard]] const std::vector<CsvKind>& all() const { return kinds_; }
    [[nodiscard]] const CsvKind* named(std::string_view name) const;
    // Departures and seats without events.
    [[nodiscard]] availability::Services& availability() { return availability_.services; }

  private:
    [[nodiscard]] CsvKind customers_kind() const;
    [[nodiscard]] CsvKind trips_kind();
    [[nodiscard]] CsvKind departures_kind();

    const Site& site_;
    operations::SilentHooks hooks_;
    Features features_;
    const Site quiet_;
    customers::Feature customers_;
    catalog::attributes::ShownIds shown_;
    catalog::trips::Feature trips_;
    availability::Feature availability_;
    std::vector<CsvKind> kinds_;
};

}  // namespace svc::transfer
