// Statuses of trips, by staff and by the clock.
#include "base/catalog/trips/editor/lifecycle.hpp"

#include <algorithm>

#include "base/catalog/trips/public/search_rows.hpp"
#include "base/catalog/trips/record/hooks.hpp"
#include "base/catalog/trips/record/repository.hpp"
#include "base/catalog/trips/record/users.hpp"
#include "base/platform/store/changes.hpp"
#include "shared/core/log.hpp"

namespace svc::catalog::trips {
namespace {

constexpr std::int64_t most_at_once = 500;

// A leap day is the last of February in the other years.
bool same_day(Date each_year, Date today) {
    const bool leap_day = each_year.month() == 2 && each_year.day() == 29 && today.plus_days(1).day() == 1;
    return each_year.month() == today.month() && (each_year.day() == today.day() || leap_day);
}

}  // namespace

json::Value Lifecycle::record_of(store::Session& session, const Trip& trip) const {
    return staff_json(session, trip, showing_, needs_.hooks, Members::all);
}

Result<Trip> Lifecycle::trash(std::int64_t id, std::optional<std::int64_t> user_id, Seen seen) {
    return editor_.writing([&](store::Transaction& tx) { return trash(tx, id, user_id, seen); });
}

Result<Trip> Lifecycle::trash(store::Transaction& tx, std::int64_t id, std::optional<std::int64_t> user_id, Seen seen) {
    auto trip = Editor::find_locked(tx, id, seen);
    if (!trip)
        return trip;
    if (trip->status == TripStatus::trash)
        return Error{errc::conflict, "The trip is in the trash already."_sentence};
    needs_.hooks.emit(tx, trip_deleted, {id, record_of(tx, *trip)});
    if (!rows::trash(tx, *trip, user_id, needs_.clock.now()))
        return Error{errc::conflict};
    store::touch(tx, channel);
    return find_trip(tx, id);
}

Result<Trip> Lifecycle::restore(std::int64_t id, std::optional<std::int64_t> user_id, Seen seen) {
    return editor_.writing([&](store::Transaction& tx) { return restore(tx, id, user_id, seen); });
}

Result<Trip> Lifecycle::restore(store::Transaction& tx, std::int64_t id, std::optional<std::int64_t> user_id,
                                Seen seen) {
    SVC_ASSIGN_OR_RETURN(const auto trip, Editor::find_locked(tx, id, seen));
    if (trip.status != TripStatus::trash)
        return Error{errc::conflict, "The trip is not in the trash."_sentence};
    TripChange back;
    back.status = name_of(trip.status_before_trash.value_or(TripStatus::draft));
    return editor_.update(tx, id, back, user_id);
}

Result<void> Lifecycle::remove(std::int64_t id, const Release& release, Seen seen) {
    try {
        auto removed = needs_.store.write([&](store::Transaction& tx) { return remove(tx, id, release, seen); });
        if (removed)
            shown_.refresh(id);
        return removed;
    } catch (const store::ConstraintViolation&) {  // it was booked after the check
        return needs_.store.reading<Result<void>>(
            [&](store::Session& session) -> Result<void> { return used_by_bookings(session, id); });
    }
}

Result<void> Lifecycle::remove(store::Transaction& tx, std::int64_t id, const Release& release, Seen seen) {
    SVC_ASSIGN_OR_RETURN(const auto trip, Editor::find_locked(tx, id, seen));
    if (trip.status != TripStatus::trash)
        return Error{errc::conflict,
                     "Only a trip in the trash can be deleted permanently. Move it to the trash first."_sentence};
    if (is_booked(tx, id))
        return used_by_bookings(tx, id);
    needs_.hooks.emit(tx, trip_deleted, {id, record_of(tx, trip)});
    if (release)
        SVC_RETURN_IF_ERROR(release(tx, id));
    rows::unindex(tx, id);
    rows::remove(tx, id);
    store::touch(tx, channel);
    return {};
}

Result<void> Lifecycle::act(store::Transaction& tx, std::string_view action, std::int64_t id,
                            std::optional<std::int64_t> user_id, const Release& release) {
    if (action == "delete")
        return remove(tx, id, release, {});
    const auto done = [&]() -> Result<Trip> {
        if (action == "trash")
            return trash(tx, id, user_id, {});
        if (action == "restore")
            return restore(tx, id, user_id, {});
        TripChange change;
        change.status = std::string(action);
        return editor_.update(tx, id, change, user_id);
    }();
    return done ? Result<void>{} : Result<void>{done.error()};
}

std::vector<Lifecycle::Outcome> Lifecycle::bulk(std::string_view action, const std::vector<std::int64_t>& ids,
                                                std::optional<std::int64_t> user_id, const Release& release) {
    // Always in one order, so that two of them never wait for each other.
    std::vector<std::int64_t> sorted = ids;
    std::sort(sorted.begin(), sorted.end());
    using Outcomes = std::vector<Outcome>;
    auto written = needs_.store.transact<Outcomes>([&](store::Transaction& tx) -> Result<Outcomes> {
        Outcomes outcomes;
        for (const std::int64_t id : sorted) {
            Result<void> done;
            try {
                done = tx.attempt([&] { return act(tx, action, id, user_id, release); });
            } catch (const store::ConstraintViolation&) {
                done = used_by_bookings(tx, id);
            }
            outcomes.push_back({id, done ? std::nullopt : std::optional(done.error())});
        }
        return outcomes;
    });
    shown_.refresh(sorted);
    if (written)
        return std::move(*written);
    Outcomes none;
    for (const std::int64_t id : sorted)
        none.push_back({id, written.error()});
    return none;
}

std::int64_t Lifecycle::change_each(const std::vector<std::int64_t>& ids, const TripChange& change,
                                    const TripChange& otherwise) {
    std::int64_t done = 0;
    for (const std::int64_t id : ids) {
        auto changed = editor_.update(id, change, std::nullopt);
        if (!changed) {
            // An incomplete draft is not published; its date is over all the same.
            log::warning("a trip could not change its status by the clock",
                         {{"trip", std::to_string(id)}, {"because", changed.error().message().english()}});
            static_cast<void>(editor_.update(id, otherwise, std::nullopt));
        }
        done += changed ? 1 : 0;
    }
    return done;
}

Result<json::Value> Lifecycle::run_schedule(Instant now) {
    const auto due = [&](rows::Due what) {
        return needs_.store.reading<std::vector<std::int64_t>>(
            [&](store::Session& session) { return rows::due(session, what, now, most_at_once); });
    };
    TripChange publish, archive, not_published;
    publish.status = "publish";
    publish.scheduled_publish_at = Sent<Instant>(std::in_place, std::nullopt);
    not_published.scheduled_publish_at = publish.scheduled_publish_at;
    archive.status = "archived";
    archive.scheduled_unpublish_at = Sent<Instant>(std::in_place, std::nullopt);
    const auto published = change_each(due(rows::Due::publish), publish, not_published);
    const auto archived = change_each(due(rows::Due::archive), archive, archive);
    return json::Value::object({{"published", published}, {"archived", archived}});
}

Result<json::Value> Lifecycle::run_season(Instant now) {
    const Date today = needs_.settings.zone().date_at(now);
    std::vector<std::int64_t> begins, ends;
    needs_.store.read([&](store::Session& session) {
        begins.clear();
        ends.clear();
        for (const rows::Season& season : rows::seasons(session)) {
            const auto is_today = [&](const std::optional<Date>& day) { return day && same_day(*day, today); };
            if (season.published && is_today(season.disable))
                ends.push_back(season.trip_id);
            else if (!season.published && is_today(season.enable))
                begins.push_back(season.trip_id);
        }
    });
    TripChange publish, archive, nothing;
    publish.status = "publish";
    archive.status = "archived";
    archive.by_season = true;
    const auto published = change_each(begins, publish, nothing);
    const auto archived = change_each(ends, archive, nothing);
    return json::Value::object({{"published", published}, {"archived", archived}});
}

}  // namespace svc::catalog::trips
