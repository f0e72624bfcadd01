// SQL of a trip's categories.
#include "base/catalog/trips/categories.hpp"

namespace svc::catalog::trips {

std::vector<std::int64_t> categories_of(store::Session& session, std::int64_t trip_id) {
    return session.all<std::int64_t>(
        "WITH RECURSIVE up(id) AS (SELECT classification_id FROM svc_trip_classifications WHERE trip_id = :trip"
        " AND type = 'trip_category' UNION SELECT c.parent_id FROM up JOIN svc_classifications c ON c.id = up.id"
        " WHERE c.parent_id IS NOT NULL) SELECT id FROM up ORDER BY id",
        "i", {{"trip", trip_id}}, [](const store::Row& row) { return row.integer(0); });
}

}  // namespace svc::catalog::trips
