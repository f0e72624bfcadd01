// Statements on svc_trip_classifications, of attributes alone.
#include "base/catalog/attributes/repository.hpp"

#include "shared/store/by_ids.hpp"

namespace svc::catalog::attributes::rows {
namespace {

json::Value json_of(const std::string& text) {
    auto value = json::parse(text);
    return value ? std::move(*value) : json::Value();
}

Definition definition_at(const store::Row& row, std::size_t first) {
    Definition attribute{.id = row.integer(first), .name = row.text(first + 1)};
    if (auto details = json_of(row.text(first + 2)); details.is_object())
        attribute.details = std::move(details);
    attribute.is_published = row.text(first + 3) == "publish";
    return attribute;
}

}  // namespace

std::optional<Definition> definition(store::Session& session, std::int64_t id) {
    return session.first<Definition>(
        "SELECT id, name, details, status FROM svc_classifications WHERE id = :id AND type = 'attribute'", "ittt",
        {{"id", id}}, [](const store::Row& row) { return definition_at(row, 0); });
}

std::vector<Definition> definitions(store::Session& session) {
    return session.all<Definition>(
        "SELECT id, name, details, status FROM svc_classifications WHERE type = 'attribute' ORDER BY id", "ittt", {},
        [](const store::Row& row) { return definition_at(row, 0); });
}

std::vector<std::int64_t> shown_ids(store::Session& session) {
    return session.all<std::int64_t>(
        "SELECT id FROM svc_classifications WHERE type = 'attribute' AND status = 'publish'"
        " AND show_on_frontend = 1 ORDER BY id",
        "i", {}, [](const store::Row& row) { return row.integer(0); });
}

void each(store::Session& session, std::span<const std::int64_t> trip_ids, const std::function<void(Said)>& take) {
    store::each_of(
        session,
        SVC_BY_IDS("SELECT l.trip_id, l.attribute_value, c.id, c.name, c.details, c.status, l.created_at, l.updated_at"
                   " FROM svc_trip_classifications l JOIN svc_classifications c ON c.id = l.classification_id"
                   " WHERE l.type = 'attribute' AND",
                   "l.trip_id", "ORDER BY l.trip_id, c.sort_order, c.id"),
        "ititttii", trip_ids, [&](const store::Row& row) {
            take({row.integer(0), definition_at(row, 2), json_of(row.text(1)), row.maybe_instant(6),
                  row.maybe_instant(7)});
        });
}

bool has_value(store::Session& session, std::int64_t trip_id, std::int64_t attribute_id) {
    return session.number(
               "SELECT COUNT(*) FROM svc_trip_classifications"
               " WHERE trip_id = :trip AND classification_id = :attribute AND type = 'attribute'",
               {{"trip", trip_id}, {"attribute", attribute_id}}) > 0;
}

bool is_said(store::Session& session, std::int64_t attribute_id) {
    return session.number(
               "SELECT COUNT(*) FROM (SELECT 1 FROM svc_trip_classifications WHERE classification_id = :attribute"
               " LIMIT 1) AS one",
               {{"attribute", attribute_id}}) > 0;
}

std::vector<std::pair<std::int64_t, std::string>> missing(store::Session& session, std::int64_t trip_id) {
    std::vector<std::pair<std::int64_t, std::string>> found;
    session.each(
        "SELECT c.id, c.name, c.details, c.status FROM svc_classifications c"
        " WHERE c.type = 'attribute' AND c.status = 'publish' AND NOT EXISTS (SELECT 1 FROM svc_trip_classifications l"
        " WHERE l.trip_id = :trip AND l.classification_id = c.id) ORDER BY c.sort_order, c.id",
        "ittt", {{"trip", trip_id}}, [&](const store::Row& row) {
            if (const Definition attribute = definition_at(row, 0); attribute.is_required())
                found.emplace_back(attribute.id, attribute.name);
        });
    return found;
}

std::vector<std::int64_t> trips_saying(store::Session& session, std::int64_t attribute_id) {
    return session.all<std::int64_t>(
        "SELECT trip_id FROM svc_trip_classifications WHERE classification_id = :attribute ORDER BY trip_id", "i",
        {{"attribute", attribute_id}}, [](const store::Row& row) { return row.integer(0); });
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
    return session.all<std::pair<json::Value, std::int64_t>>(
        "SELECT l.attribute_value, COUNT(*) FROM svc_trip_classifications l JOIN svc_trips t ON t.id = l.trip_id"
        " WHERE l.classification_id = :attribute AND l.type = 'attribute' AND t.status = 'publish'"
        " GROUP BY l.attribute_value ORDER BY COUNT(*) DESC, l.attribute_value LIMIT :most",
        "ti", {{"attribute", attribute_id}, {"most", most}},
        [](const store::Row& row) { return std::pair(json_of(row.text(0)), row.integer(1)); });
}

}  // namespace svc::catalog::attributes::rows
