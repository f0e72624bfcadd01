// The statements of the queue.
#include "pro/google_calendar/items.hpp"

#include "shared/store/typed.hpp"

namespace svc::pro::google_calendar {
namespace {

// A row that waits for its next try is due at once by a new change.
#define SVC_DUE_AGAIN                                                                                            \
    " ON CONFLICT (kind, subject_id) DO UPDATE SET due_at = :now, revision = svc_google_calendar_items.revision" \
    " + 1, attempts = 0, last_error = '', updated_at = :now"
#define SVC_NEW_ITEM \
    "INSERT INTO svc_google_calendar_items (kind, subject_id, due_at, run_number, is_forced, updated_at)"

#define SVC_ITEM_COLUMNS                                                                                    \
    "SELECT id, kind, subject_id, calendar_id, fingerprint, revision, is_forced, attempts FROM svc_google_" \
    "calendar_items "

struct ItemRow {
    std::int64_t id = 0;
    std::string kind;
    std::int64_t subject_id = 0;
    std::string calendar_id, fingerprint;
    std::int64_t revision = 0;
    bool is_forced = false;
    std::int64_t attempts = 0;

    [[nodiscard]] Item item() const {
        return {.id = id,
                .subject = {.kind = kind, .id = subject_id},
                .calendar_id = calendar_id,
                .fingerprint = fingerprint,
                .revision = revision,
                .is_forced = is_forced,
                .attempts = attempts};
    }
};

std::vector<Item> items_of(store::Session& session, std::string_view sql, const store::Params& params) {
    std::vector<Item> items;
    for (const ItemRow& row : store::structs<ItemRow, std::int64_t, std::string, std::int64_t, std::string, std::string,
                                             std::int64_t, bool, std::int64_t>(session, sql, params))
        items.push_back(row.item());
    return items;
}

}  // namespace

void Items::add(store::Transaction& tx, const Subject& subject, Instant now) {
    tx.run(SVC_NEW_ITEM " VALUES (:kind, :id, :now, 0, 0, :now)" SVC_DUE_AGAIN,
           {{"kind", subject.kind}, {"id", subject.id}, {"now", now}});
}

void Items::add_departures(store::Transaction& tx, std::int64_t trip_id, const std::string& day, Date today,
                           Instant now) {
    tx.run(SVC_NEW_ITEM
           " SELECT 'departure', id, :now, 0, 0, :now FROM svc_departure_v1 WHERE trip_id = :trip_id"
           " AND (start_date = :day OR (:day = '' AND start_date >= :today))" SVC_DUE_AGAIN,
           {{"trip_id", trip_id}, {"day", day}, {"today", today}, {"now", now}});
}

void Items::add_all(store::Transaction& tx, const Wishes& wishes, Date today, Instant due_at, std::int64_t run_number) {
    const store::Params params{{"today", today}, {"now", due_at}, {"run", run_number}, {"forced", run_number > 0}};
    const store::Params known{{"now", due_at}, {"run", run_number}, {"forced", run_number > 0}};
    // Those first that have an event: their subjects may be gone.
    tx.run(
        "UPDATE svc_google_calendar_items SET due_at = :now, revision = revision + 1, attempts = 0, last_error = '',"
        " run_number = CASE WHEN :run > 0 THEN :run ELSE run_number END,"
        " is_forced = CASE WHEN :forced = 1 THEN 1 ELSE is_forced END, updated_at = :now"
        " WHERE calendar_id <> '' OR due_at IS NOT NULL",
        known);
#define SVC_ALL_AGAIN                                                                            \
    SVC_DUE_AGAIN                                                                                \
    ", run_number = CASE WHEN :run > 0 THEN :run ELSE svc_google_calendar_items.run_number END," \
    " is_forced = CASE WHEN :forced = 1 THEN 1 ELSE svc_google_calendar_items.is_forced END"
    if (wishes.departures)
        tx.run(SVC_NEW_ITEM
               " SELECT 'departure', id, :now, :run, :forced, :now FROM svc_departure_v1 WHERE deleted_at IS NULL"
               " AND status IN ('upcoming', 'full') AND end_date >= :today" SVC_ALL_AGAIN,
               params);
    if (wishes.bookings)
        tx.run(SVC_NEW_ITEM
               " SELECT 'booking', id, :now, :run, :forced, :now FROM svc_booking_v2"
               " WHERE status IN ('confirmed', 'completed') AND end_date >= :today" SVC_ALL_AGAIN,
               params);
}

void Items::remove_all(store::Transaction& tx, Instant now) {
    forget_waiting(tx, now);
    tx.run(
        "UPDATE svc_google_calendar_items SET due_at = :now, revision = revision + 1, attempts = 0, last_error = '',"
        " updated_at = :now WHERE calendar_id <> ''",
        {{"now", now}});
}

void Items::forget_waiting(store::Transaction& tx, Instant now) {
    tx.run(
        "UPDATE svc_google_calendar_items SET due_at = NULL, attempts = 0, last_error = '', updated_at = :now"
        " WHERE due_at IS NOT NULL",
        {{"now", now}});
}

void Items::retry_all(store::Transaction& tx, Instant now) {
    tx.run("UPDATE svc_google_calendar_items SET due_at = :now WHERE due_at > :now", {{"now", now}});
}

std::vector<Item> Items::claim(store::Transaction& tx, Instant now, Instant until, std::int64_t most) {
    auto due = items_of(tx,
                        SVC_ITEM_COLUMNS
                        "WHERE due_at <= :now AND (claimed_until IS NULL OR claimed_until <= :now)"
                        " ORDER BY due_at, id LIMIT :most",
                        {{"now", now}, {"most", most}});
    std::erase_if(due, [&](const Item& item) {
        return tx.run(
                   "UPDATE svc_google_calendar_items SET claimed_until = :until WHERE id = :id"
                   " AND (claimed_until IS NULL OR claimed_until <= :now)",
                   {{"id", item.id}, {"until", until}, {"now", now}}) == 0;
    });
    return due;
}

void Items::release(store::Transaction& tx, std::int64_t id) {
    tx.run("UPDATE svc_google_calendar_items SET claimed_until = NULL WHERE id = :id", {{"id", id}});
}

void Items::done(store::Transaction& tx, const Item& item, const std::string& calendar_id,
                 const std::string& fingerprint, Instant now) {
    tx.run(
        "UPDATE svc_google_calendar_items SET claimed_until = NULL, calendar_id = :calendar_id,"
        " fingerprint = :fingerprint, attempts = 0, last_error = '', updated_at = :now,"
        " due_at = CASE WHEN revision = :revision THEN NULL ELSE due_at END,"
        " is_forced = CASE WHEN revision = :revision THEN 0 ELSE is_forced END WHERE id = :id",
        {{"id", item.id},
         {"calendar_id", calendar_id},
         {"fingerprint", fingerprint},
         {"revision", item.revision},
         {"now", now}});
}

void Items::failed(store::Transaction& tx, const Item& item, const std::string& error, Instant due_at, Instant now) {
    tx.run(
        "UPDATE svc_google_calendar_items SET claimed_until = NULL, attempts = attempts + 1, last_error = :error,"
        " due_at = CASE WHEN revision = :revision THEN :due_at ELSE due_at END, updated_at = :now WHERE id = :id",
        {{"id", item.id}, {"error", error}, {"revision", item.revision}, {"due_at", due_at}, {"now", now}});
}

std::optional<Item> Items::find(store::Session& session, const Subject& subject) {
    auto found = items_of(session, SVC_ITEM_COLUMNS "WHERE kind = :kind AND subject_id = :id",
                          {{"kind", subject.kind}, {"id", subject.id}});
    return found.empty() ? std::nullopt : std::optional(std::move(found.front()));
}

bool Items::has_due(store::Session& session, Instant now) {
    return session.number(
               "SELECT COUNT(*) FROM (SELECT 1 AS one FROM svc_google_calendar_items WHERE due_at <= :now"
               " AND (claimed_until IS NULL OR claimed_until <= :now) LIMIT 1) d",
               {{"now", now}}) > 0;
}

bool Items::has_events(store::Session& session) {
    return session.number("SELECT COUNT(*) FROM svc_google_calendar_items WHERE calendar_id <> ''", {}) > 0;
}

Progress Items::progress(store::Session& session, std::int64_t run_number) {
    Progress progress;
    const auto sums = store::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t, std::int64_t, std::int64_t>(
        session,
        "SELECT COALESCE(SUM(CASE WHEN run_number = :run AND due_at IS NULL THEN 1 ELSE 0 END), 0),"
        " COALESCE(SUM(CASE WHEN run_number = :run AND due_at IS NOT NULL AND attempts > 0 THEN 1 ELSE 0 END), 0),"
        " COALESCE(SUM(CASE WHEN run_number = :run AND due_at IS NOT NULL AND attempts = 0 THEN 1 ELSE 0 END), 0),"
        " COALESCE(SUM(CASE WHEN due_at IS NOT NULL THEN 1 ELSE 0 END), 0),"
        " COALESCE(SUM(CASE WHEN due_at IS NOT NULL AND attempts > 0 THEN 1 ELSE 0 END), 0),"
        " COALESCE(SUM(CASE WHEN calendar_id <> '' THEN 1 ELSE 0 END), 0) FROM svc_google_calendar_items",
        {{"run", run_number > 0 ? run_number : -1}});
    std::tie(progress.done, progress.failed, progress.waiting, progress.queued, progress.failing, progress.events) =
        sums.value();
    return progress;
}

std::vector<Failing> Items::failing(store::Session& session, std::int64_t most) {
    std::vector<Failing> all;
    for (auto& [kind, id, error, attempts, due_at] :
         store::tuples<std::string, std::int64_t, std::string, std::int64_t, std::optional<Instant>>(
             session,
             "SELECT kind, subject_id, last_error, attempts, due_at FROM svc_google_calendar_items"
             " WHERE due_at IS NOT NULL AND attempts > 0 ORDER BY id LIMIT :most",
             {{"most", most}}))
        all.push_back({.subject = {.kind = kind, .id = id}, .error = error, .attempts = attempts, .due_at = due_at});
    return all;
}

// An event that may name somebody keeps its row, so that an erasure reaches it.
std::int64_t Items::delete_past(store::Transaction& tx, Date before, bool names_contacts) {
    return tx.run(
        "DELETE FROM svc_google_calendar_items WHERE calendar_id <> '' AND due_at IS NULL AND ((kind = 'departure'"
        " AND EXISTS (SELECT 1 FROM svc_departure_v1 d WHERE d.id = subject_id AND d.end_date < :before))"
        " OR (kind = 'booking' AND CAST(:names AS BIGINT) = 0 AND EXISTS (SELECT 1 FROM svc_booking_v2 b"
        " WHERE b.id = subject_id AND b.end_date < :before)))",
        {{"before", before}, {"names", std::int64_t{names_contacts ? 1 : 0}}});
}

std::int64_t Items::delete_idle(store::Transaction& tx, Instant before) {
    return tx.run(
        "DELETE FROM svc_google_calendar_items WHERE due_at IS NULL AND calendar_id = '' AND updated_at < :before",
        {{"before", before}});
}

}  // namespace svc::pro::google_calendar
