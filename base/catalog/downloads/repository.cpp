// Statements on svc_trip_downloads that its record does not have.
#include "base/catalog/downloads/repository.hpp"

#include "shared/store/typed.hpp"

namespace svc::catalog::downloads::rows {

void read(store::Session& session, std::span<const std::int64_t> trip_ids, const Take& take) {
    static const auto of_trips = download_record().select_of("r.trip_id", "ORDER BY r.trip_id, r.sort_order, r.id");
    std::vector<Download> found;
    const auto give = [&] {
        if (found.empty())
            return;
        const std::int64_t trip_id = found.front().trip_id;
        take(trip_id, std::move(found));
        found.clear();
    };
    for (Download& one : download_record().all_of(session, of_trips, trip_ids)) {
        if (!found.empty() && found.front().trip_id != one.trip_id)
            give();
        found.push_back(std::move(one));
    }
    give();
}

void count_one(store::Transaction& tx, std::int64_t id) {
    tx.run("UPDATE svc_trip_downloads SET download_count = download_count + 1 WHERE id = :id", {{"id", id}});
}

std::string file_name(store::Session& session, std::int64_t media_id) {
    return store::value<std::string>(session, "SELECT original_name FROM svc_media WHERE id = :id", {{"id", media_id}})
        .value_or("");
}

}  // namespace svc::catalog::downloads::rows
