// Reading and writing svc_media.
#include "base/catalog/media/repository.hpp"

namespace svc::catalog::media::rows {
namespace {

const record::Record<Media>& rows() {
    static const record::Record<Media> media = media_record();
    return media;
}

}  // namespace

std::optional<Media> find(store::Session& session, std::int64_t id) { return rows().find(session, id); }

std::optional<Media> with_content(store::Session& session, const std::string& sha256, bool is_private) {
    static const std::string statement = rows().select("WHERE r.sha256 = :sha256 AND r.is_private = :is_private");
    return rows().first(session, statement, {{"sha256", sha256}, {"is_private", is_private}});
}

bool any_with_content(store::Session& session, const std::string& sha256) {
    return session.number("SELECT COUNT(*) FROM svc_media WHERE sha256 = :sha256", {{"sha256", sha256}}) > 0;
}

std::int64_t insert(store::Transaction& tx, Media media) {
    rows().insert(tx, media, {.now = media.created_at});
    return media.id;
}

std::optional<Media> begin_sizes(store::Transaction& tx) {
    static const std::string statement = rows().select(
        "WHERE r.sizes_made_at IS NULL AND r.width IS NOT NULL AND r.size_tries < 3 ORDER BY r.id LIMIT 1");
    auto media = rows().first(tx, statement, {});
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

void lock_contents(store::Transaction& tx) {
    constexpr std::int64_t key = 7'305'204'119;  // of no other meaning; SQLite has one writer anyway
    if (tx.dialect() == store::Dialect::postgresql)
        tx.number("SELECT 1 FROM (SELECT pg_advisory_xact_lock(:key)) AS locked", {{"key", key}});
}

}  // namespace svc::catalog::media::rows
