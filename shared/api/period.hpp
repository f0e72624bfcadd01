// The `from`, `to` and `updated_since` of a list: days or moments. Pure functions, any thread.
#pragma once

#include <optional>

#include "shared/api/schema.hpp"
#include "shared/core/date.hpp"

namespace svc::api {

struct Period {
    std::optional<Instant> from = {};           // inclusive
    std::optional<Instant> to = {};             // exclusive: a last day counts whole
    std::optional<Instant> updated_since = {};  // of the last change, inclusive
};

// The same by days alone, both counted; of a moment the day that it is in.
struct Days {
    std::optional<Date> from = {}, to = {};
};

// To be added to the query of the route; date_from and date_to are their other names.
Schema period_fields();
// For lists whose items have updated_at: with orderby=updated_at, a client reads only the changes since it last asked.
Schema updated_since_field();
// Reads a validated query, days in `zone`. The error names a field that is neither a day nor a time, and `from` when it
// is after `to`.
Result<Period> period_of(const json::Value& query, const Zone& zone);
Result<Days> days_of(const json::Value& query, const Zone& zone);

}  // namespace svc::api
