// Statements on svc_classifications that its records do not have.
#include "base/catalog/classifications/repository.hpp"

#include <map>

#include "shared/core/slug.hpp"
#include "shared/store/typed.hpp"

namespace svc::catalog::classifications::rows {

void lock_tree(store::Transaction& tx, Type type) {
    // SQLite has one writer at a time anyway. The number is this feature's own.
    if (tx.dialect() == store::Dialect::postgresql)
        tx.number("SELECT 1 FROM (SELECT pg_advisory_xact_lock(7381920800 + :type)) AS locked",
                  {{"type", static_cast<std::int64_t>(type)}});
}

std::optional<Place> place_of(store::Session& session, Type type, std::int64_t id) {
    return store::first_struct<Place, std::int64_t, std::optional<std::int64_t>>(
        session, "SELECT level, parent_id FROM svc_classifications WHERE id = :id AND type = :type",
        {{"id", id}, {"type", name_of(type)}});
}

void set_level(store::Transaction& tx, std::int64_t id, std::int64_t level) {
    tx.run("UPDATE svc_classifications SET level = :level, row_version = row_version + 1 WHERE id = :id",
           {{"level", level}, {"id", id}});
}

std::vector<std::int64_t> children(store::Session& session, std::int64_t id) {
    return store::values<std::int64_t>(session, "SELECT id FROM svc_classifications WHERE parent_id = :id ORDER BY id",
                                       {{"id", id}});
}

std::int64_t number_of(store::Session& session, Type type) {
    return session.number("SELECT COUNT(*) FROM svc_classifications WHERE type = :type", {{"type", name_of(type)}});
}

std::int64_t highest_order(store::Session& session, Type type) {
    return session.number("SELECT COALESCE(MAX(sort_order), 0) FROM svc_classifications WHERE type = :type",
                          {{"type", name_of(type)}});
}

std::vector<std::pair<std::int64_t, std::string>> names(store::Session& session, Type type, int most) {
    return store::structs<std::pair<std::int64_t, std::string>, std::int64_t, std::string>(
        session,
        "SELECT id, name FROM svc_classifications WHERE type = :type AND status = 'publish'"
        " ORDER BY name_folded, id LIMIT :most",
        {{"type", name_of(type)}, {"most", most}});
}

bool slug_exists(store::Session& session, Type type, const std::string& slug, std::int64_t own) {
    return session.number("SELECT COUNT(*) FROM svc_classifications WHERE type = :type AND slug = :slug AND id <> :own",
                          {{"type", name_of(type)}, {"slug", slug}, {"own", own}}) > 0;
}

std::string free_slug(store::Session& session, Type type, const std::string& wished, std::int64_t own) {
    if (!slug_exists(session, type, wished, own))
        return wished;
    // A kind has at most some thousand rows, so this ends.
    for (std::int64_t number = 2;; ++number)
        if (auto slug = text::numbered_slug(wished, number); !slug_exists(session, type, slug, own))
            return slug;
}

void move_entries(store::Transaction& tx, std::int64_t item_id, std::int64_t item_type_id, Instant now) {
    tx.run(
        "UPDATE svc_itinerary_entries SET item_type_id = :type, updated_at = :now"
        " WHERE item_id = :item AND item_type_id <> :type",
        {{"type", item_type_id}, {"now", now}, {"item", item_id}});
}

void read_galleries(store::Session& session, const std::vector<record::Any>& records) {
    std::map<std::int64_t, Classification*> by_id;
    std::vector<std::int64_t> ids;
    for (const record::Any& each : records) {
        auto* one = static_cast<Classification*>(each.get());
        by_id[one->id] = one;
        ids.push_back(one->id);
    }
    for (const auto& [id, media_id] : store::tuples_of<std::int64_t, std::int64_t>(
             session,
             SVC_BY_IDS("SELECT classification_id, media_id FROM svc_classification_gallery WHERE", "classification_id",
                        "ORDER BY classification_id, sort_order"),
             ids))
        by_id[id]->gallery.push_back(media_id);
}

void write_gallery(store::Transaction& tx, const Classification& one) {
    tx.run("DELETE FROM svc_classification_gallery WHERE classification_id = :id", {{"id", one.id}});
    for (std::size_t i = 0; i < one.gallery.size(); ++i)
        tx.run(
            "INSERT INTO svc_classification_gallery (classification_id, sort_order, media_id)"
            " VALUES (:id, :order, :media)",
            {{"id", one.id}, {"order", static_cast<std::int64_t>(i)}, {"media", one.gallery[i]}});
}

bool has_picture(store::Session& session, std::int64_t id) {
    return session.number(
               "SELECT COUNT(*) FROM svc_media WHERE id = :id AND is_private = 0 AND mime_type LIKE 'image/%'",
               {{"id", id}}) > 0;
}

}  // namespace svc::catalog::classifications::rows
