// Which field the heading of a table's column means: its own name, another of its names, or the usual headings of
// English, German, Spanish and French tables. Pure functions, any thread.
#pragma once

#include <string>

#include "shared/api/schema.hpp"

namespace svc::import_export {

// Null when it means none of these fields. Case, accents, blanks, hyphens and points make no difference.
const api::Field* field_like(const api::Schema& fields, const std::string& heading);

}  // namespace svc::import_export
