// The SQL of it.
#include "base/data/samples/giving_way.hpp"

namespace svc::samples {

void free_slug_of_class(store::Transaction& tx, const std::string& type, const std::string& slug) {
    tx.run(
        "UPDATE svc_classifications SET slug = slug || '-sample-' || CAST(id AS TEXT) WHERE type = :type AND slug = "
        ":slug"
        " AND id IN (SELECT row_id FROM svc_sample_rows WHERE kind = 'classification')",
        {{"type", type}, {"slug", slug}});
}

void free_slug_of_trip(store::Transaction& tx, const std::string& slug, const std::string& title) {
    tx.run(
        "UPDATE svc_trips SET slug = slug || '-sample-' || CAST(id AS TEXT) WHERE slug = :slug AND title <> :title AND "
        "id"
        " IN (SELECT row_id FROM svc_sample_rows WHERE kind = 'trip')",
        {{"slug", slug}, {"title", title}});
}

}  // namespace svc::samples
