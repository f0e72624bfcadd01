// The listeners, the copy of everything, and the nightly check.
#include "pro/google_calendar/sync.hpp"

#include "pro/google_calendar/kept.hpp"
#include "shared/store/typed.hpp"

namespace svc::pro::google_calendar {
namespace {

using json::Value;

constexpr std::int64_t idle_days = 30;
constexpr std::int32_t past_days = 365;
constexpr std::size_t most_shown = 100;

}  // namespace

void Sync::wake() const {
    if (site_.jobs)
        site_.jobs->wake(sync_job);
}

void Sync::departure_changed(std::int64_t departure_id) const {
    if (!syncs_by_itself(site_))
        return;
    must_be_kept(site_.store.write([&](store::Transaction& tx) -> Result<void> {
        if (connected_now(tx).state != state::off)
            Items::add(tx, {.kind = std::string(departure_kind), .id = departure_id}, site_.clock.now());
        return {};
    }),
                 "a change for Google Calendar");
    wake();
}

void Sync::booking_changed(std::int64_t booking_id, const std::string& old_date) const {
    if (!syncs_by_itself(site_))
        return;
    const Wishes wishes = wishes_of(site_);
    const auto now = site_.clock.now();
    const auto today = site_.today(now);
    must_be_kept(site_.store.write([&](store::Transaction& tx) -> Result<void> {
        if (connected_now(tx).state == state::off)
            return {};
        const Subject subject{.kind = std::string(booking_kind), .id = booking_id};
        if (wishes.bookings || Items::find(tx, subject))
            Items::add(tx, subject, now);
        const auto place = store::tuple<std::int64_t, std::string>(
            tx, "SELECT COALESCE(trip_id, 0), travel_date FROM svc_booking_v2 WHERE id = :id", {{"id", booking_id}});
        if (!wishes.departures || !place)
            return {};
        // Its seats count on that day, and no longer on the earlier one.
        const auto& [trip_id, day] = *place;
        Items::add_departures(tx, trip_id, day, today, now);
        if (!old_date.empty() && old_date != day)
            Items::add_departures(tx, trip_id, old_date, today, now);
        return {};
    }),
                 "a change for Google Calendar");
    wake();
}

void Sync::trip_changed(std::int64_t trip_id) const {
    if (!syncs_by_itself(site_))
        return;
    const auto now = site_.clock.now();
    must_be_kept(site_.store.write([&](store::Transaction& tx) -> Result<void> {
        if (connected_now(tx).state != state::off)
            Items::add_departures(tx, trip_id, {}, site_.today(now), now);
        return {};
    }),
                 "a change for Google Calendar");
    wake();
}

void Sync::all_changed() const {
    if (!syncs_by_itself(site_))
        return;
    const auto now = site_.clock.now();
    const Wishes wishes = wishes_of(site_);
    must_be_kept(site_.store.write([&](store::Transaction& tx) -> Result<void> {
        if (const auto known = connected_now(tx); known.is_connected() || known.state == state::reconnect)
            Items::add_all(tx, wishes, site_.today(now), now.plus(settings_spread));
        return {};
    }),
                 "a change for Google Calendar");
    wake();
}

Result<void> Sync::begin_all() const {
    const Wishes wishes = wishes_of(site_);
    const auto now = site_.clock.now();
    SVC_RETURN_IF_ERROR(site_.store.write([&](store::Transaction& tx) -> Result<void> {
        // The row stays locked until the commit: two at once get two numbers.
        if (tx.run("UPDATE svc_google_calendar_connection SET run_number = run_number + 1, run_started_at = :now,"
                   " run_finished_at = NULL WHERE id = 1 AND state = 'connected'",
                   {{"now", now}}) == 0)
            return not_connected;
        const auto number = connected_now(tx).run_number;
        Items::add_all(tx, wishes, site_.today(now), now, number);
        const Progress progress = Items::progress(tx, number);
        tx.run(
            "UPDATE svc_google_calendar_connection SET run_total = :total,"
            " run_finished_at = CASE WHEN :total = 0 THEN run_started_at ELSE NULL END WHERE id = 1",
            {{"total", progress.waiting}});
        return {};
    }));
    wake();
    return {};
}

Basis Sync::basis() const {
    const auto now = site_.clock.now();
    Basis basis{.wishes = wishes_of(site_), .zone = site_.zone(), .today = site_.today(now)};
    if (const auto guides = calls_({.path = "/departures/guides", .as = plugin::Calls::As::system});
        guides && guides->is_good())
        for (const Value& guide : guides->data().items())
            basis.guides.emplace_back(guide["id"].integer(), guide.text_or("name"));
    if (const auto address = connection_.site_address())
        basis.admin_address = *address + "/admin";
    return basis;
}

Forecast Sync::forecast() const {
    const Basis seen = basis();
    return site_.store.reading<Forecast>([&](store::Session& session) {
        Forecast forecast;
        const std::string calendar_id = connected_now(session).calendar_id;
        const auto count = [&](const Subject& subject, const Plan& plan, std::int64_t& of, const char* change) {
            ++of;
            if (forecast.changes.size() < most_shown)
                forecast.changes.push_back(
                    {.subject = subject, .title = plan.title, .day = plan.day, .change = change});
        };
        for (const auto& [kind, id] : store::tuples<std::string, std::int64_t>(
                 session,
                 "SELECT kind, subject_id FROM svc_google_calendar_items WHERE calendar_id <> ''"
                 " UNION SELECT 'departure', id FROM svc_departure_v1 WHERE deleted_at IS NULL AND end_date >= :today"
                 " AND status IN ('upcoming', 'full') AND :departures = 1"
                 " UNION SELECT 'booking', id FROM svc_booking_v2 WHERE end_date >= :today"
                 " AND status IN ('confirmed', 'completed') AND :bookings = 1 ORDER BY 1 DESC, 2",
                 {{"today", seen.today},
                  {"departures", seen.wishes.departures ? 1 : 0},
                  {"bookings", seen.wishes.bookings ? 1 : 0}})) {
            const Subject subject{.kind = kind, .id = id};
            const Plan plan = plan_of(session, seen, subject);
            const auto item = Items::find(session, subject);
            const bool has_event = item && !item->calendar_id.empty();
            if (!plan.is_put) {
                if (has_event)
                    count(subject, plan, forecast.removed, "remove");
            } else if (!has_event) {
                if (!plan.is_over)
                    count(subject, plan, forecast.created, "create");
            } else if (item->calendar_id != calendar_id && !plan.is_over) {
                count(subject, plan, forecast.created, "create");
            } else if (item->fingerprint != fingerprint_of(plan.event)) {
                count(subject, plan, forecast.updated, "update");
            } else {
                ++forecast.unchanged;
            }
        }
        return forecast;
    });
}

Result<Value> Sync::check() const {
    const auto now = site_.clock.now();
    std::int64_t deleted = 0;
    SVC_RETURN_IF_ERROR(site_.store.write([&](store::Transaction& tx) -> Result<void> {
        // Names that were switched off are still there until events are sent anew, which may be never.
        const bool may_name = wishes_of(site_).names_contacts || !syncs_by_itself(site_);
        deleted = Items::delete_idle(tx, now.minus(std::chrono::hours(24 * idle_days))) +
                  Items::delete_past(tx, site_.today(now).plus_days(-past_days), may_name);
        tx.run("DELETE FROM svc_google_calendar_states WHERE expires_at <= :now", {{"now", now}});
        if (connected_now(tx).is_connected() && syncs_by_itself(site_))
            Items::add_all(tx, wishes_of(site_), site_.today(now), now);
        return {};
    }));
    wake();
    return Value::object({{"deleted", deleted}});
}

}  // namespace svc::pro::google_calendar
