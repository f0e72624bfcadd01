// The kinds that tables of other programs can hold: fields that columns are mapped to, and the rules that staff's own
// input passes, without events.
#pragma once

#include <functional>
#include <memory>

#include "base/catalog/attributes/part.hpp"
#include "base/data/samples/silent_hooks.hpp"
#include "base/feature/feature.hpp"
#include "base/people/customers/feature.hpp"
#include "base/sales/availability/feature.hpp"
#include "base/sales/booking/services.hpp"
#include "base/sales/discounts/feature.hpp"
#include "base/sales/pricing/feature.hpp"

namespace svc::import_export {

struct CsvKind {
    std::string name;    // a data type of routes 17.1
    std::string part;    // of parts.hpp: where its rows are noted
    api::Schema fields;  // the targets of columns
    api::Schema whole;   // all that `create` takes
    std::string key;     // the field that identifies a record
    std::string list;    // the list whose file has these fields: "/customers"
    std::string edits;  // the permission to change such a record: the file has fields that lists leave out for it alone
    // Columns that are no fields are the program's own: their cells are counted as ignored.
    bool leaves_the_rest = false;
    // The columns of its row that an update may change, for undoing it; empty: all.
    std::vector<std::string> undone = {};
    // `body` has passed the schema.
    std::function<std::optional<std::int64_t>(store::Session&, const json::Value& body)> find;
    std::function<Result<std::int64_t>(store::Transaction&, const json::Value& body)> create;
    std::function<Result<void>(store::Transaction&, std::int64_t id, const json::Value& body)> update;
    // The record's fields as they are; null when it is gone.
    std::function<json::Value(store::Session&, std::int64_t id)> show;
    // The check of a row's fields where it is another one than that of `fields`: `update` checks the rest.
    std::optional<api::Schema> row = std::nullopt;
    // Its cells are personal: between the steps of an import they are sealed, and the file of errors has the key alone.
    std::vector<std::string> names_row = {};
    // What undoing an update needs, instead of columns of its row, and the undoing.
    std::function<std::string(store::Session&, std::int64_t id)> before = {};
    std::function<Result<void>(store::Transaction&, std::int64_t id, const std::string& before)> restore = {};
    // The same kind with the fields that it has now; empty: they are always the same.
    std::function<CsvKind()> now = {};

    [[nodiscard]] const api::Schema& of_rows() const { return row ? *row : fields; }
};

// The members of `given` that differ from those of a record.
json::Value changes_of(const json::Value& given, const json::Value& shown);

// The features over a Site whose actions notify nobody; they do not replace the installation's features: none of their
// steps runs. Any thread.
class CsvKinds {
  public:
    struct Needs {
        identity::Feature& identity;
        settings::Feature& settings;
        catalog::media::Feature& media;
        catalog::classifications::Feature& classifications;
        discounts::Feature& discounts;
        pricing::Feature& pricing;
        catalog::trips::Feature& trips;
    };
    CsvKinds(const Site& site, const Needs& lower);

    [[nodiscard]] const std::vector<CsvKind>& all() const { return kinds_; }
    // Null: there is none of that name.
    [[nodiscard]] const CsvKind* named(std::string_view name) const;
    // The same with the fields that it has now, for reading a table.
    [[nodiscard]] std::shared_ptr<const CsvKind> current(std::string_view name) const;
    // The kind whose updates of rows of that part are undone by its own `restore`; null: there is none.
    [[nodiscard]] const CsvKind* restoring(std::string_view part) const;
    // The names of all, as errors list them.
    [[nodiscard]] static const char* names();
    // Seals with the key in use what undoing needs and another key sealed; returns how many.
    [[nodiscard]] Result<std::int64_t> renew_sealed() const;
    // Departures and seats without events.
    [[nodiscard]] availability::Services& availability() { return availability_.services; }

  private:
    [[nodiscard]] CsvKind customers_kind() const;
    [[nodiscard]] CsvKind trips_kind();
    [[nodiscard]] CsvKind departures_kind();
    [[nodiscard]] CsvKind bookings_kind();
    // `form`: the booking form with its conditions.
    [[nodiscard]] CsvKind travelers_kind(const json::Value& form);

    const Site& site_;
    samples::SilentHooks hooks_;
    Features features_;
    const Site quiet_;
    customers::Feature customers_;
    catalog::attributes::ShownIds shown_;
    catalog::trips::Feature trips_;
    availability::Feature availability_;
    booking::Services bookings_;
    std::vector<CsvKind> kinds_;
};

}  // namespace svc::import_export
