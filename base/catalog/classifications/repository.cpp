// Statements on svc_classifications.
#include "base/catalog/classifications/repository.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <stdexcept>

#include "shared/core/slug.hpp"
#include "shared/core/words.hpp"
#include "shared/store/by_ids.hpp"
#include "shared/store/like.hpp"

namespace svc::catalog::classifications::rows {
namespace {

// What a classification is used by, of those shown: trips through links, their difficulty or their prices.
#define SVC_CLASS_TRIPS(from, on) \
    "(SELECT COUNT(*) FROM " from " JOIN svc_trips t ON t.id = " on " WHERE t.status = 'publish' AND "
#define SVC_CLASS_USES \
    "CASE c.type"                                                                                              \
    " WHEN 'item' THEN (SELECT COUNT(*) FROM svc_itinerary_entries e WHERE e.item_id = c.id)" \
    " WHEN 'difficulty' THEN (SELECT COUNT(*) FROM svc_trips t WHERE t.difficulty_level_id = c.id"             \
    " AND t.status = 'publish')"                                                                                      \
    " WHEN 'item_type' THEN (SELECT COUNT(*) FROM svc_classifications i WHERE i.item_type_id = c.id"           \
    " AND i.status <> 'trash')"                                                                                \
    " WHEN 'traveler_type' THEN " SVC_CLASS_TRIPS("svc_trip_price_types p", "p.trip_id") "p.category_id = c.id)" \
    " ELSE " SVC_CLASS_TRIPS("svc_trip_classifications l", "l.trip_id") "l.classification_id = c.id"           \
    " AND l.is_active = 1) END"

#define SVC_CLASS_SELECT                                                                                      \
    "SELECT c.id, c.type, c.name, c.slug, c.description, c.parent_id, c.level, c.item_type_id, c.icon,"       \
    " c.color, c.sort_order, c.is_featured, c.status, c.seo_title, c.seo_description, c.seo_keywords,"        \
    " c.details, c.row_version, c.created_at, c.updated_at, c.created_by, c.updated_by, " SVC_CLASS_USES      \
    " AS uses, above.name, above.icon, maker.display_name, maker.login, changer.display_name, changer.login," \
    " c.featured_image_id"                                                                                    \
    " FROM svc_classifications c"                                                                             \
    " LEFT JOIN svc_classifications above ON above.id = COALESCE(c.parent_id, c.item_type_id)"                \
    " LEFT JOIN svc_users maker ON maker.id = c.created_by"                                                   \
    " LEFT JOIN svc_users changer ON changer.id = c.updated_by"
constexpr store::Columns record_types =
    "itttt"
    "iiittiittttti"
    "iiiiitttttti";

json::Value json_of(const std::string& text) {
    if (text.empty())
        return {};
    auto value = json::parse(text);
    return value ? std::move(*value) : json::Value();
}

std::optional<std::string> user_name(const store::Row& row, std::size_t column) {
    if (row.is_null(column + 1))
        return std::nullopt;
    return row.text(column).empty() ? row.text(column + 1) : row.text(column);
}

Record read(const store::Row& row) {
    Record record;
    record.id = row.integer(0);
    record.type = type_of(row.text(1)).value();
    record.name = row.text(2);
    record.slug = row.text(3);
    record.description = row.text(4);
    record.parent_id = row.maybe_integer(5);
    record.level = row.integer(6);
    record.item_type_id = row.maybe_integer(7);
    record.icon = json_of(row.text(8));
    record.color = row.text(9);
    record.sort_order = row.integer(10);
    record.is_featured = row.flag(11);
    record.status = status_of(row.text(12)).value();
    record.seo_title = row.text(13);
    record.seo_description = row.text(14);
    record.seo_keywords = row.text(15);
    if (auto details = json_of(row.text(16)); details.is_object())
        record.details = std::move(details);
    record.row_version = row.integer(17);
    record.created_at = row.instant(18);
    record.updated_at = row.instant(19);
    record.created_by = row.maybe_integer(20);
    record.updated_by = row.maybe_integer(21);
    record.uses = row.integer(22);
    record.parent_name = row.maybe_text(23).value_or("");
    record.parent_icon = json_of(row.maybe_text(24).value_or(""));
    record.created_by_name = user_name(row, 25);
    record.updated_by_name = user_name(row, 27);
    record.featured_image_id = row.maybe_integer(29);
    return record;
}

#define SVC_CLASS_STATUS " WHERE c.type = :type AND ((:any_status = 1 AND c.status <> 'trash') OR c.status = :status)"
#define SVC_CLASS_FILTER                                               \
    SVC_CLASS_STATUS                                                   \
    " AND (:searching = 0 OR c.search_text LIKE :pattern ESCAPE '\\')" \
    " AND (:parent < 0 OR COALESCE(c.parent_id, 0) = :parent)"         \
    " AND (:item_type < 0 OR c.item_type_id = :item_type)"             \
    " AND (:any_field_type = 1 OR c.field_type = :field_type)"         \
    " AND (:frontend < 0 OR c.show_on_frontend = :frontend)"           \
    " AND (:filters < 0 OR c.show_in_filters = :filters)"              \
    " AND c.created_at >= :from AND c.created_at < :to"

struct Order {
    std::string_view key;
    std::string_view ascending, descending;              // pages of the filter
    std::string_view below_ascending, below_descending;  // all below the top
};
#define SVC_CLASS_LIST(order) SVC_CLASS_SELECT SVC_CLASS_FILTER " ORDER BY " order " LIMIT :limit OFFSET :offset"
#define SVC_CLASS_BELOW(order) SVC_CLASS_SELECT SVC_CLASS_STATUS " AND c.level > 0 ORDER BY " order
#define SVC_CLASS_ORDER(key, by)                                                                               \
    Order {                                                                                                    \
        key, SVC_CLASS_LIST(by ", c.id"), SVC_CLASS_LIST(by " DESC, c.id DESC"), SVC_CLASS_BELOW(by ", c.id"), \
            SVC_CLASS_BELOW(by " DESC, c.id DESC")                                                             \
    }
constexpr std::array orders{
    Order{"id", SVC_CLASS_LIST("c.id"), SVC_CLASS_LIST("c.id DESC"), SVC_CLASS_BELOW("c.id"),
          SVC_CLASS_BELOW("c.id DESC")},
    SVC_CLASS_ORDER("name", "c.name_folded"),
    SVC_CLASS_ORDER("slug", "c.slug"),
    SVC_CLASS_ORDER("status", "c.status"),
    SVC_CLASS_ORDER("sorting", "c.sort_order"),
    SVC_CLASS_ORDER("display_order", "c.sort_order"),
    SVC_CLASS_ORDER("field_type", "c.field_type"),
    SVC_CLASS_ORDER("trip_count", "uses"),
    SVC_CLASS_ORDER("created_at", "c.created_at"),
    SVC_CLASS_ORDER("updated_at", "c.updated_at"),
};

const Order& order_of(const Query& query) {
    const auto* order =
        std::find_if(orders.begin(), orders.end(), [&](const Order& each) { return each.key == query.order_by; });
    if (order == orders.end())
        throw std::logic_error("classifications have no such order: " + query.order_by);
    return *order;
}

std::int64_t asked(const std::optional<bool>& flag) { return flag ? (*flag ? 1 : 0) : -1; }

store::Params filter_of(const Query& query) {
    const bool any = query.status.empty() || query.status == "all";
    return {{"type", name_of(query.type)},
            {"any_status", any},
            {"status", any ? std::string() : query.status},
            {"searching", !query.search.empty()},
            {"pattern", store::like_contains(text::search_key(query.search))},
            {"parent", query.parent_id.value_or(-1)},
            {"item_type", query.item_type_id.value_or(-1)},
            {"any_field_type", query.field_type.empty()},
            {"field_type", query.field_type},
            {"frontend", asked(query.show_on_frontend)},
            {"filters", asked(query.show_in_filters)},
            {"from", query.made.from.value_or(Instant::from_micros(INT64_MIN))},
            {"to", query.made.to.value_or(Instant::from_micros(INT64_MAX))}};
}

std::string search_text_of(const Classification& row) {
    return text::search_key(row.name + '\n' + row.slug + '\n' + row.description);
}

store::Params values_of(const Classification& row) {
    const bool attribute = row.type == Type::attribute;
    const auto flag = [&](const char* name, bool otherwise) {
        return attribute && row.details.maybe_boolean(name).value_or(otherwise);
    };
    return {{"name", row.name},
            {"name_folded", text::folded(row.name)},
            {"slug", row.slug},
            {"description", row.description},
            {"search_text", search_text_of(row)},
            {"parent", row.parent_id},
            {"level", row.level},
            {"item_type", row.item_type_id},
            {"icon", row.icon.is_null() ? std::string() : row.icon.dump()},
            {"color", row.color},
            {"sort_order", row.sort_order},
            {"is_featured", row.is_featured},
            {"image", row.featured_image_id},
            {"status", name_of(row.status)},
            {"seo_title", row.seo_title},
            {"seo_description", row.seo_description},
            {"seo_keywords", row.seo_keywords},
            {"details", row.details.dump()},
            {"field_type", attribute ? row.details.text_or("field_type", "text_field") : std::string()},
            {"frontend", flag("show_on_frontend", true)},
            {"filters", flag("show_in_filters", false)},
            {"updated_at", row.updated_at},
            {"updated_by", row.updated_by}};
}

void write_gallery(store::Transaction& tx, std::int64_t id, const std::vector<std::int64_t>& gallery) {
    tx.run("DELETE FROM svc_classification_gallery WHERE classification_id = :id", {{"id", id}});
    for (std::size_t i = 0; i < gallery.size(); ++i)
        tx.run(
            "INSERT INTO svc_classification_gallery (classification_id, sort_order, media_id)"
            " VALUES (:id, :order, :media)",
            {{"id", id}, {"order", static_cast<std::int64_t>(i)}, {"media", gallery[i]}});
}

}  // namespace

void read_galleries(store::Session& session, std::vector<Record>& records) {
    std::vector<std::int64_t> ids;
    std::map<std::int64_t, Record*> by_id;
    for (Record& record : records) {
        ids.push_back(record.id);
        by_id[record.id] = &record;
    }
    store::each_of(session,
                   SVC_BY_IDS("SELECT classification_id, media_id FROM svc_classification_gallery WHERE",
                              "classification_id", "ORDER BY classification_id, sort_order"),
                   "ii", ids,
                   [&](const store::Row& row) { by_id.at(row.integer(0))->gallery.push_back(row.integer(1)); });
}

bool has_picture(store::Session& session, std::int64_t id) {
    return session.number(
               "SELECT COUNT(*) FROM svc_media WHERE id = :id AND is_private = 0 AND mime_type LIKE 'image/%'",
               {{"id", id}}) > 0;
}

std::optional<Record> find(store::Session& session, Type type, std::int64_t id) {
    return session.first<Record>(SVC_CLASS_SELECT " WHERE c.id = :id AND c.type = :type", record_types,
                                 {{"id", id}, {"type", name_of(type)}}, read);
}

void lock(store::Transaction& tx, std::int64_t id) {
    if (tx.dialect() == store::Dialect::postgresql)
        tx.number("SELECT id FROM svc_classifications WHERE id = :id FOR UPDATE", {{"id", id}});
}

void lock_tree(store::Transaction& tx, Type type) {
    // SQLite has one writer at a time anyway. The number is this feature's own.
    if (tx.dialect() == store::Dialect::postgresql)
        tx.each("SELECT CAST(pg_advisory_xact_lock(7381920800 + :type) AS TEXT)", "t",
                {{"type", static_cast<std::int64_t>(type)}}, [](const store::Row&) {});
}

std::vector<Record> list(store::Session& session, const Query& query) {
    auto params = filter_of(query);
    params.emplace_back("limit", query.limit);
    params.emplace_back("offset", query.offset);
    const Order& order = order_of(query);
    return session.all<Record>(query.ascending ? order.ascending : order.descending, record_types, params, read);
}

std::int64_t count(store::Session& session, const Query& query) {
    return session.number("SELECT COUNT(*) FROM svc_classifications c" SVC_CLASS_FILTER, filter_of(query));
}

std::vector<Record> below(store::Session& session, const Query& query) {
    const Order& order = order_of(query);
    return session.all<Record>(query.ascending ? order.below_ascending : order.below_descending, record_types,
                               filter_of(query), read);
}

Counts counts(store::Session& session, Type type) {
    Counts counts;
    session.each("SELECT status, COUNT(*) FROM svc_classifications WHERE type = :type GROUP BY status", "ti",
                 {{"type", name_of(type)}}, [&](const store::Row& row) {
                     const auto status = status_of(row.text(0)).value();
                     (status == Status::publish ? counts.publish
                      : status == Status::draft ? counts.draft
                                                : counts.trash) = row.integer(1);
                 });
    counts.all = counts.publish + counts.draft;
    return counts;
}

std::int64_t number_of(store::Session& session, Type type) {
    return session.number("SELECT COUNT(*) FROM svc_classifications WHERE type = :type", {{"type", name_of(type)}});
}

std::int64_t highest_order(store::Session& session, Type type) {
    return session.number("SELECT COALESCE(MAX(sort_order), 0) FROM svc_classifications WHERE type = :type",
                          {{"type", name_of(type)}});
}

std::vector<std::pair<std::int64_t, std::string>> names(store::Session& session, Type type, int most) {
    return session.all<std::pair<std::int64_t, std::string>>(
        "SELECT id, name FROM svc_classifications WHERE type = :type AND status = 'publish'"
        " ORDER BY name_folded, id LIMIT :most",
        "it", {{"type", name_of(type)}, {"most", most}},
        [](const store::Row& row) { return std::pair(row.integer(0), row.text(1)); });
}

bool slug_taken(store::Session& session, Type type, const std::string& slug, std::int64_t own) {
    return session.number("SELECT COUNT(*) FROM svc_classifications WHERE type = :type AND slug = :slug AND id <> :own",
                          {{"type", name_of(type)}, {"slug", slug}, {"own", own}}) > 0;
}

std::string free_slug(store::Session& session, Type type, const std::string& wished, std::int64_t own) {
    if (!slug_taken(session, type, wished, own))
        return wished;
    // A kind has at most some thousand rows, so this ends.
    for (std::int64_t number = 2;; ++number)
        if (auto slug = text::numbered_slug(wished, number); !slug_taken(session, type, slug, own))
            return slug;
}

std::int64_t insert(store::Transaction& tx, const Classification& row) {
    auto params = values_of(row);
    params.emplace_back("type", name_of(row.type));
    params.emplace_back("created_at", row.created_at);
    params.emplace_back("created_by", row.created_by);
    const auto id = tx.insert(
        "INSERT INTO svc_classifications (type, name, name_folded, slug, description, search_text, parent_id, level,"
        " item_type_id, icon, color, sort_order, is_featured, status, seo_title, seo_description, seo_keywords,"
        " details, field_type, show_on_frontend, show_in_filters, row_version, created_at, updated_at, created_by,"
        " updated_by, featured_image_id)"
        " VALUES (:type, :name, :name_folded, :slug, :description, :search_text, :parent, :level, :item_type, :icon,"
        " :color, :sort_order, :is_featured, :status, :seo_title, :seo_description, :seo_keywords, :details,"
        " :field_type, :frontend, :filters, 1, :created_at, :updated_at, :created_by, :updated_by, :image) RETURNING "
        "id",
        params);
    write_gallery(tx, id, row.gallery);
    return id;
}

bool update(store::Transaction& tx, const Classification& row) {
    auto params = values_of(row);
    params.emplace_back("id", row.id);
    params.emplace_back("row_version", row.row_version);
    if (tx.run("UPDATE svc_classifications SET name = :name, name_folded = :name_folded, slug = :slug,"
               " description = :description, search_text = :search_text, parent_id = :parent, level = :level,"
               " item_type_id = :item_type, icon = :icon, color = :color, sort_order = :sort_order,"
               " is_featured = :is_featured, status = :status, seo_title = :seo_title,"
               " seo_description = :seo_description, seo_keywords = :seo_keywords, details = :details,"
               " field_type = :field_type, show_on_frontend = :frontend, show_in_filters = :filters,"
               " featured_image_id = :image, row_version = row_version + 1, updated_at = :updated_at,"
               " updated_by = :updated_by WHERE id = :id AND row_version = :row_version",
               params) != 1)
        return false;
    write_gallery(tx, row.id, row.gallery);
    return true;
}

void set_level(store::Transaction& tx, std::int64_t id, std::int64_t level) {
    tx.run("UPDATE svc_classifications SET level = :level, row_version = row_version + 1 WHERE id = :id",
           {{"level", level}, {"id", id}});
}

bool set_order(store::Transaction& tx, Type type, std::int64_t id, std::int64_t sort_order, Instant now) {
    return tx.run(
               "UPDATE svc_classifications SET sort_order = :order, row_version = row_version + 1, updated_at = :now"
               " WHERE id = :id AND type = :type",
               {{"order", sort_order}, {"now", now}, {"id", id}, {"type", name_of(type)}}) == 1;
}

void move_entries(store::Transaction& tx, std::int64_t item_id, std::int64_t item_type_id, Instant now) {
    tx.run(
        "UPDATE svc_itinerary_entries SET item_type_id = :type, updated_at = :now"
        " WHERE item_id = :item AND item_type_id <> :type",
        {{"type", item_type_id}, {"now", now}, {"item", item_id}});
}

void remove(store::Transaction& tx, std::int64_t id) {
    tx.run("DELETE FROM svc_classifications WHERE id = :id", {{"id", id}});
}

std::vector<std::int64_t> children(store::Session& session, std::int64_t id) {
    return session.all<std::int64_t>("SELECT id FROM svc_classifications WHERE parent_id = :id ORDER BY id", "i",
                                     {{"id", id}}, [](const store::Row& row) { return row.integer(0); });
}

}  // namespace svc::catalog::classifications::rows
