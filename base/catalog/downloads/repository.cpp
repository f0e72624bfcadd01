// Statements on svc_trip_downloads, read with their files.
#include "base/catalog/downloads/repository.hpp"

#include "shared/store/by_ids.hpp"

namespace svc::catalog::downloads {

std::string_view name_of(Visibility visibility) {
    switch (visibility) {
        case Visibility::public_:
            return "public";
        case Visibility::logged_in:
            return "logged_in";
        case Visibility::booked_only:
            break;
    }
    return "booked_only";
}

std::optional<Visibility> visibility_of(std::string_view name) {
    for (const Visibility one : {Visibility::public_, Visibility::logged_in, Visibility::booked_only})
        if (name_of(one) == name)
            return one;
    return name == "paid_only" ? std::optional(Visibility::booked_only) : std::nullopt;
}

std::string_view name_of(Action action) { return action == Action::preview ? "preview" : "download"; }

namespace rows {
namespace {

#define SVC_DOWNLOADS                                                                                        \
    "SELECT d.id, d.trip_id, d.media_id, d.title, d.description, d.category, d.visibility, d.is_active,"     \
    " d.download_count, d.sort_order, d.created_at, d.updated_at, m.original_name, m.mime_type, m.byte_size" \
    " FROM svc_trip_downloads d JOIN svc_media m ON m.id = d.media_id WHERE"
constexpr store::Columns columns = "iiittttiiiiitti";

Download download_of(const store::Row& row) {
    return {.id = row.integer(0),
            .trip_id = row.integer(1),
            .media_id = row.integer(2),
            .title = row.text(3),
            .description = row.text(4),
            .category = row.text(5),
            .visibility = visibility_of(row.text(6)).value_or(Visibility::booked_only),
            .is_active = row.flag(7),
            .download_count = row.integer(8),
            .sort_order = row.integer(9),
            .created_at = row.instant(10),
            .updated_at = row.instant(11),
            .file_name = row.text(12),
            .mime_type = row.text(13),
            .file_size = row.integer(14)};
}

store::Params values_of(const Download& download) {
    return {{"id", download.id},
            {"trip_id", download.trip_id},
            {"media_id", download.media_id},
            {"title", download.title},
            {"description", download.description},
            {"category", download.category},
            {"visibility", name_of(download.visibility)},
            {"is_active", download.is_active},
            {"sort_order", download.sort_order},
            {"created_at", download.created_at},
            {"updated_at", download.updated_at}};
}

}  // namespace

std::optional<Download> find(store::Session& session, std::int64_t id) {
    return session.first<Download>(SVC_DOWNLOADS " d.id = :id", columns, {{"id", id}}, download_of);
}

void read(store::Session& session, std::span<const std::int64_t> trip_ids, const Take& take) {
    std::vector<Download> found;
    const auto give = [&] {
        if (found.empty())
            return;
        const std::int64_t trip_id = found.front().trip_id;
        take(trip_id, std::move(found));
        found.clear();
    };
    store::each_of(session, SVC_BY_IDS(SVC_DOWNLOADS, "d.trip_id", "ORDER BY d.trip_id, d.sort_order, d.id"), columns,
                   trip_ids, [&](const store::Row& row) {
                       Download one = download_of(row);
                       if (!found.empty() && found.front().trip_id != one.trip_id)
                           give();
                       found.push_back(std::move(one));
                   });
    give();
}

std::int64_t insert(store::Transaction& tx, const Download& download) {
    return tx.insert(
        "INSERT INTO svc_trip_downloads (trip_id, media_id, title, description, category, visibility, is_active,"
        " download_count, sort_order, created_at, updated_at) VALUES (:trip_id, :media_id, :title, :description,"
        " :category, :visibility, :is_active, 0, :sort_order, :created_at, :updated_at) RETURNING id",
        values_of(download));
}

bool update(store::Transaction& tx, const Download& download) {
    return tx.run(
               "UPDATE svc_trip_downloads SET media_id = :media_id, title = :title, description = :description,"
               " category = :category, visibility = :visibility, is_active = :is_active, sort_order = :sort_order,"
               " updated_at = :updated_at WHERE id = :id",
               values_of(download)) > 0;
}

void remove(store::Transaction& tx, std::int64_t id) {
    tx.run("DELETE FROM svc_trip_downloads WHERE id = :id", {{"id", id}});
}

void count_one(store::Transaction& tx, std::int64_t id) {
    tx.run("UPDATE svc_trip_downloads SET download_count = download_count + 1 WHERE id = :id", {{"id", id}});
}

std::string file_name(store::Session& session, std::int64_t media_id) {
    return session
        .first<std::string>("SELECT original_name FROM svc_media WHERE id = :id", "t", {{"id", media_id}},
                            [](const store::Row& row) { return row.text(0); })
        .value_or("");
}

}  // namespace rows
}  // namespace svc::catalog::downloads
