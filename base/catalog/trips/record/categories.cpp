// SQL of a trip's categories.
#include "base/catalog/trips/record/categories.hpp"

#include "shared/store/read_rows.hpp"

namespace svc::catalog::trips {

std::vector<std::int64_t> categories_of(store::Session& session, std::int64_t trip_id) {
    return store::numbers(
        session,
        "WITH RECURSIVE up(id) AS (SELECT classification_id FROM svc_trip_classifications WHERE trip_id = :trip"
        " AND type = 'trip_category' UNION SELECT c.parent_id FROM up JOIN svc_classifications c ON c.id = up.id"
        " WHERE c.parent_id IS NOT NULL) SELECT id FROM up ORDER BY id",
        {{"trip", trip_id}});
}

}  // namespace svc::catalog::trips
