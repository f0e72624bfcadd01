// What of a migration is stored already, found by names; for the sources of this folder alone.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/catalog/classifications/feature.hpp"
#include "base/data/wordpress_import/record_migration.hpp"
#include "shared/store/store.hpp"

namespace svc::wordpress_import::stored {

// 0: there is none.
std::int64_t class_of(store::Session& session, catalog::classifications::Type type, const std::string& slug);
std::int64_t trip_of(store::Session& session, const std::string& slug);
std::optional<catalog::classifications::Type> class_type(std::string_view kind);

Error no_trip();

// Shortens long texts and leaves out other values that break a rule: a former installation had other rules. Adds a
// remark for each value that is left out.
json::Value fit_to_schema(const api::Schema& schema, const json::Value& fields, RecordMigration::Remarks& remarks);

}  // namespace svc::wordpress_import::stored
