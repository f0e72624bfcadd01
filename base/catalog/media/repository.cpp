// Reading and writing svc_media.
#include "base/catalog/media/repository.hpp"

#include "shared/core/words.hpp"
#include "shared/json/value.hpp"
#include "shared/store/like.hpp"

namespace svc::catalog::media::rows {
namespace {

#define SVC_MEDIA_COLUMNS                                                                                         \
    "id, sha256, is_private, original_name, mime_type, byte_size, width, height, alt_text, caption, uploaded_by," \
    " created_at, updated_at, upright, has_public_copy, sizes, (SELECT COUNT(*) FROM svc_trip_downloads d WHERE " \
    "d.media_id = svc_media.id"                                                                                   \
    " AND (d.visibility <> 'public' OR d.is_active = 0))"
constexpr store::Columns columns = "itittiiittiiiiiti";

Media media_of(const store::Row& row) {
    const auto side = [&](std::size_t column) -> std::optional<int> {
        const auto value = row.maybe_integer(column);
        return value ? std::optional(static_cast<int>(*value)) : std::nullopt;
    };
    return {.id = row.integer(0),
            .sha256 = row.text(1),
            .is_private = row.flag(2),
            .original_name = row.text(3),
            .mime_type = row.text(4),
            .byte_size = row.integer(5),
            .width = side(6),
            .height = side(7),
            .alt_text = row.text(8),
            .caption = row.text(9),
            .uploaded_by = row.maybe_integer(10),
            .created_at = row.instant(11),
            .updated_at = row.instant(12),
            .upright = row.flag(13),
            .has_public_copy = row.flag(14),
            .sizes = row.text(15),
            .is_withheld = row.integer(16) > 0};
}

std::string search_of(const Media& media) {
    return text::search_key(media.original_name + " " + media.alt_text + " " + media.caption);
}

store::Params conditions_of(const MediaQuery& query) {
    return {{"pattern", store::like_contains(text::search_key(query.search))},
            {"any", query.search.empty()},
            {"from", query.from.value_or(Instant::from_micros(INT64_MIN))},
            {"to", query.to.value_or(Instant::from_micros(INT64_MAX))}};
}

// What an earlier version wrote is searched as it is until it is folded.
#define SVC_MEDIA_FOUND                                                                                     \
    " FROM svc_media WHERE created_at >= :from AND created_at < :to AND (:any = 1 OR CASE WHEN search = ''" \
    " THEN lower(original_name || ' ' || alt_text || ' ' || caption) ELSE search END LIKE :pattern ESCAPE '\\')"

struct Order {
    std::string_view name;
    bool ascending;
    std::string_view statement;
};
#define SVC_MEDIA_LIST(order) \
    "SELECT " SVC_MEDIA_COLUMNS SVC_MEDIA_FOUND " ORDER BY " order " LIMIT :limit OFFSET :offset"
constexpr Order orders[] = {
    {"id", false, SVC_MEDIA_LIST("id DESC")},
    {"id", true, SVC_MEDIA_LIST("id")},
    {"name", false, SVC_MEDIA_LIST("lower(original_name) DESC, id DESC")},
    {"name", true, SVC_MEDIA_LIST("lower(original_name), id")},
    {"created_at", false, SVC_MEDIA_LIST("created_at DESC, id DESC")},
    {"created_at", true, SVC_MEDIA_LIST("created_at, id")},
};

}  // namespace

std::optional<Media> find(store::Session& session, std::int64_t id) {
    return session.first<Media>("SELECT " SVC_MEDIA_COLUMNS " FROM svc_media WHERE id = :id", columns, {{"id", id}},
                                media_of);
}

std::vector<Media> find(store::Session& session, std::span<const std::int64_t> ids) {
    std::vector<Media> found;
    for (const std::int64_t id : ids)
        if (auto one = find(session, id))
            found.push_back(std::move(*one));
    return found;
}

std::optional<Media> with_content(store::Session& session, const std::string& sha256, bool is_private) {
    return session.first<Media>("SELECT " SVC_MEDIA_COLUMNS
                                " FROM svc_media WHERE sha256 = :sha256 AND is_private = :is_private",
                                columns, {{"sha256", sha256}, {"is_private", is_private}}, media_of);
}

bool any_with_content(store::Session& session, const std::string& sha256) {
    return session.number("SELECT COUNT(*) FROM svc_media WHERE sha256 = :sha256", {{"sha256", sha256}}) > 0;
}

std::vector<Media> list(store::Session& session, const MediaQuery& query) {
    const Order* order = orders;
    for (const Order& one : orders)
        if (one.name == query.order_by && one.ascending == query.ascending)
            order = &one;
    store::Params params = conditions_of(query);
    params.insert(params.end(), {{"limit", query.limit}, {"offset", query.offset}});
    return session.all<Media>(order->statement, columns, params, media_of);
}

std::int64_t count(store::Session& session, const MediaQuery& query) {
    return session.number("SELECT COUNT(*)" SVC_MEDIA_FOUND, conditions_of(query));
}

std::int64_t insert(store::Transaction& tx, const Media& media) {
    return tx.insert(
        "INSERT INTO svc_media (sha256, is_private, original_name, mime_type, byte_size, width, height, alt_text,"
        " caption, search, upright, has_public_copy, uploaded_by, created_at, updated_at) VALUES (:sha256, "
        ":is_private, :original_name, "
        ":mime_type,"
        " :byte_size, :width, :height, :alt_text, :caption, :search, :upright, :has_public_copy, :uploaded_by, "
        ":created_at, :updated_at) RETURNING "
        "id",
        {{"sha256", media.sha256},
         {"is_private", media.is_private},
         {"original_name", media.original_name},
         {"mime_type", media.mime_type},
         {"byte_size", media.byte_size},
         {"width", media.width},
         {"height", media.height},
         {"alt_text", media.alt_text},
         {"caption", media.caption},
         {"search", search_of(media)},
         {"upright", media.upright},
         {"has_public_copy", media.has_public_copy},
         {"uploaded_by", media.uploaded_by},
         {"created_at", media.created_at},
         {"updated_at", media.updated_at}});
}

bool update_texts(store::Transaction& tx, const Media& media) {
    return tx.run(
               "UPDATE svc_media SET alt_text = :alt_text, caption = :caption, search = :search,"
               " updated_at = :updated_at WHERE id = :id",
               {{"id", media.id},
                {"alt_text", media.alt_text},
                {"caption", media.caption},
                {"search", search_of(media)},
                {"updated_at", media.updated_at}}) > 0;
}

std::optional<Media> begin_sizes(store::Transaction& tx) {
    auto media = tx.first<Media>("SELECT " SVC_MEDIA_COLUMNS
                                 " FROM svc_media WHERE sizes_made_at IS NULL AND width IS NOT NULL AND size_tries < 3"
                                 " ORDER BY id LIMIT 1",
                                 columns, {}, media_of);
    if (media)
        tx.run("UPDATE svc_media SET size_tries = size_tries + 1 WHERE id = :id", {{"id", media->id}});
    return media;
}

bool update_sizes(store::Transaction& tx, const Media& media, Instant now) {
    return tx.run(
               "UPDATE svc_media SET width = :width, height = :height, upright = :upright,"
               " has_public_copy = :has_public_copy, sizes = :sizes, sizes_made_at = :now WHERE id = :id",
               {{"id", media.id},
                {"width", media.width},
                {"height", media.height},
                {"upright", media.upright},
                {"has_public_copy", media.has_public_copy},
                {"sizes", media.sizes},
                {"now", now}}) > 0;
}

bool remove(store::Transaction& tx, std::int64_t id) {
    return tx.run("DELETE FROM svc_media WHERE id = :id", {{"id", id}}) > 0;
}

void lock_contents(store::Transaction& tx) {
    constexpr std::int64_t key = 7'305'204'119;  // of no other meaning; SQLite has one writer anyway
    if (tx.dialect() == store::Dialect::postgresql)
        tx.number("SELECT 1 FROM (SELECT pg_advisory_xact_lock(:key)) AS locked", {{"key", key}});
}

}  // namespace svc::catalog::media::rows
