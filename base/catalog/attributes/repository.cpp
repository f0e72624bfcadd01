// Reads the definitions of attributes; reads and writes their values on trips.
#include "base/catalog/attributes/repository.hpp"

#include "shared/record/rows.hpp"
#include "shared/store/typed.hpp"

namespace svc::catalog::attributes::rows {
namespace {

json::Value json_of(const std::string& text) {
    auto value = json::parse(text);
    return value ? std::move(*value) : json::Value();
}

const record::Rows<Definition>& definition_record() {
    using namespace record;
    static const record::Rows<Definition> definition{
        {.table = "svc_classifications", .where = "r.type = 'attribute'"},
        {id(&Definition::id), column("name", &Definition::name, api::text(255)),
         column("details", &Definition::details, api::map(api::anything())),
         derived("is_published", &Definition::is_published, "CASE r.status WHEN 'publish' THEN 1 ELSE 0 END",
                 api::boolean())}};
    return definition;
}

}  // namespace

std::optional<Definition> definition(store::Session& session, std::int64_t id) {
    return definition_record().find(session, id);
}

std::vector<Definition> definitions(store::Session& session) {
    static const std::string statement = definition_record().select("WHERE r.type = 'attribute' ORDER BY r.id");
    return definition_record().all(session, statement);
}

std::vector<std::int64_t> shown_ids(store::Session& session) {
    return store::values<std::int64_t>(session,
                                       "SELECT id FROM svc_classifications WHERE type = 'attribute'"
                                       " AND status = 'publish' AND show_on_frontend = 1 ORDER BY id");
}

void each(store::Session& session, std::span<const std::int64_t> trip_ids,
          const std::function<void(AttributeValue)>& take) {
    using Moment = std::optional<Instant>;
    for (auto& [trip_id, value, id, name, details, is_published, created_at, updated_at] :
         store::tuples_of<std::int64_t, std::string, std::int64_t, std::string, std::string, bool, Moment, Moment>(
             session,
             SVC_BY_IDS("SELECT l.trip_id, l.attribute_value, c.id, c.name, c.details,"
                        " CASE c.status WHEN 'publish' THEN 1 ELSE 0 END, l.created_at, l.updated_at"
                        " FROM svc_trip_classifications l JOIN svc_classifications c ON c.id = l.classification_id"
                        " WHERE l.type = 'attribute' AND",
                        "l.trip_id", "ORDER BY l.trip_id, c.sort_order, c.id"),
             trip_ids)) {
        Definition attribute{.id = id, .name = std::move(name), .is_published = is_published};
        if (auto own = json_of(details); own.is_object())
            attribute.details = std::move(own);
        take({trip_id, std::move(attribute), json_of(value), created_at, updated_at});
    }
}

bool has_value(store::Session& session, std::int64_t trip_id, std::int64_t attribute_id) {
    return session.number(
               "SELECT COUNT(*) FROM svc_trip_classifications"
               " WHERE trip_id = :trip AND classification_id = :attribute AND type = 'attribute'",
               {{"trip", trip_id}, {"attribute", attribute_id}}) > 0;
}

bool has_values(store::Session& session, std::int64_t attribute_id) {
    return session.number(
               "SELECT COUNT(*) FROM (SELECT 1 FROM svc_trip_classifications WHERE classification_id = :attribute"
               " LIMIT 1) AS one",
               {{"attribute", attribute_id}}) > 0;
}

std::vector<std::pair<std::int64_t, std::string>> missing(store::Session& session, std::int64_t trip_id) {
    static const std::string statement = definition_record().select(
        "WHERE r.type = 'attribute' AND r.status = 'publish' AND NOT EXISTS (SELECT 1 FROM svc_trip_classifications l"
        " WHERE l.trip_id = :trip AND l.classification_id = r.id) ORDER BY r.sort_order, r.id");
    std::vector<std::pair<std::int64_t, std::string>> found;
    for (const Definition& attribute : definition_record().all(session, statement, {{"trip", trip_id}}))
        if (attribute.is_required())
            found.emplace_back(attribute.id, attribute.name);
    return found;
}

std::vector<std::int64_t> trips_saying(store::Session& session, std::int64_t attribute_id) {
    return store::values<std::int64_t>(
        session, "SELECT trip_id FROM svc_trip_classifications WHERE classification_id = :attribute ORDER BY trip_id",
        {{"attribute", attribute_id}});
}

bool has_media(store::Session& session, std::int64_t id) {
    return session.number("SELECT COUNT(*) FROM svc_media WHERE id = :id", {{"id", id}}) > 0;
}

void put(store::Transaction& tx, std::int64_t trip_id, std::int64_t attribute_id, const Typed& typed, Instant now) {
    tx.run(
        "INSERT INTO svc_trip_classifications (trip_id, classification_id, type, relationship_type, attribute_value,"
        " attribute_number, attribute_date, sort_order, is_featured, is_active, created_at, updated_at)"
        " VALUES (:trip, :attribute, 'attribute', 'secondary', :value, :number, :date, 0, 0, 1, :now, :now)"
        " ON CONFLICT (trip_id, classification_id) DO UPDATE SET attribute_value = excluded.attribute_value,"
        " attribute_number = excluded.attribute_number, attribute_date = excluded.attribute_date,"
        " updated_at = excluded.updated_at"
        " WHERE svc_trip_classifications.attribute_value <> excluded.attribute_value",
        {{"trip", trip_id},
         {"attribute", attribute_id},
         {"value", typed.value.dump()},
         {"number", typed.number},
         {"date", typed.date},
         {"now", now}});
}

void copy(store::Transaction& tx, std::int64_t from_trip_id, std::int64_t to_trip_id, Instant now) {
    tx.run(
        "INSERT INTO svc_trip_classifications (trip_id, classification_id, type, relationship_type, attribute_value,"
        " attribute_number, attribute_date, sort_order, is_featured, is_active, created_at, updated_at)"
        " SELECT CAST(:to_trip AS BIGINT), classification_id, type, relationship_type, attribute_value,"
        " attribute_number, attribute_date, sort_order, is_featured, is_active, CAST(:now AS BIGINT),"
        " CAST(:now AS BIGINT) FROM svc_trip_classifications WHERE trip_id = :from_trip AND type = 'attribute'",
        {{"from_trip", from_trip_id}, {"to_trip", to_trip_id}, {"now", now}});
}

bool remove(store::Transaction& tx, std::int64_t trip_id, std::int64_t attribute_id) {
    return tx.run(
               "DELETE FROM svc_trip_classifications"
               " WHERE trip_id = :trip AND classification_id = :attribute AND type = 'attribute'",
               {{"trip", trip_id}, {"attribute", attribute_id}}) > 0;
}

void remove_others(store::Transaction& tx, std::int64_t trip_id, std::span<const std::int64_t> attribute_ids) {
    constexpr store::ByIds others{
        "DELETE FROM svc_trip_classifications WHERE trip_id = :trip AND type = 'attribute'"
        " AND classification_id NOT IN (SELECT value FROM json_each(:ids))",
        "DELETE FROM svc_trip_classifications WHERE trip_id = :trip AND type = 'attribute'"
        " AND classification_id <> ALL(CAST(:ids AS BIGINT[]))"};
    tx.run(tx.dialect() == store::Dialect::sqlite ? others.sqlite : others.postgresql,
           {{"trip", trip_id}, {"ids", store::ids_text(tx.dialect(), attribute_ids)}});
}

std::vector<std::pair<json::Value, std::int64_t>> value_counts(store::Session& session, std::int64_t attribute_id,
                                                               int most) {
    std::vector<std::pair<json::Value, std::int64_t>> counted;
    for (const auto& [value, count] : store::tuples<std::string, std::int64_t>(
             session,
             "SELECT l.attribute_value, COUNT(*) FROM svc_trip_classifications l JOIN svc_trips t ON t.id = l.trip_id"
             " WHERE l.classification_id = :attribute AND l.type = 'attribute' AND t.status = 'publish'"
             " GROUP BY l.attribute_value ORDER BY COUNT(*) DESC, l.attribute_value LIMIT :most",
             {{"attribute", attribute_id}, {"most", most}}))
        counted.emplace_back(json_of(value), count);
    return counted;
}

}  // namespace svc::catalog::attributes::rows
