// Makes the site, sets it back, looks at it.
#include "tests/schedules/world.hpp"

#include <algorithm>
#include <stdexcept>

#include "shared/core/log.hpp"
#include "tests/support/invariants.hpp"

namespace svc::tests {
namespace {

// More sessions than actors, each of which may be inside a transaction and look at something beside it.
std::unique_ptr<store::Store> opened(const Database& database, int sessions) {
    store::StoreOptions options = database.options();
    options.sessions = sessions;
    options.lease_time = std::chrono::seconds(60);
    return store::open(options);
}

}  // namespace

World::World(const Database& database) {
    log::least(log::Level::error);
    {
        const auto first = database.open_migrated();
        // Sessions that share a counter by chance of their processes' numbers would wait for each other by that chance:
        // an actor's number stands for its process's.
        if (database.dialect() == store::Dialect::postgresql)
            execute(*first, {"CREATE FUNCTION public.pg_backend_pid() RETURNS INTEGER LANGUAGE SQL STABLE AS 'SELECT"
                             " COALESCE(CAST(NULLIF(current_setting(''svc_test.actor'', true), '''') AS INTEGER),"
                             " pg_catalog.pg_backend_pid())'",
                             "DO 'BEGIN EXECUTE format(''ALTER DATABASE %I SET search_path = public, pg_catalog'',"
                             " current_database()); END'"});
    }
    site = std::make_unique<PayingSite>(opened(database, 16));
    site->leaves_what_holds = false;  // broken() is asked, and some actors are careless
    beside_ = opened(database, 1);
    site->clock.set(start);
    site->set("booking_expiry_hours", 24);
    site->bookings.upkeep.note_expiry(site->clock.now());
    trip = site->given_trip({.price = "80"});
    for (const int weeks : {0, 1}) {
        availability::DepartureChange wanted;
        days.push_back(travel_day.plus_days(7 * weeks));
        wanted.start_date = days.back();
        wanted.capacity = 5;
        departures.push_back(site->availability.departures.create(trip.id, wanted, {}).value().id);
    }
    trip = *site->trips.published(trip.id);
    // A vacuum in between would hold locks that no seed knows of.
    if (database.dialect() == store::Dialect::postgresql)
        for (const std::string& table : tables())
            execute(*beside_, {("ALTER TABLE " + table + " SET (autovacuum_enabled = false)").c_str()});
    for (const std::string& table : tables())
        if (beside_->reading<std::int64_t>(
                [&](store::Session& session) { return session.number("SELECT COUNT(*) FROM " + table, {}); }) == 0)
            wiped_.push_back(table);
    wiped_.push_back("svc_domain_events");
    // The form that bookings answer is kept once, and remembered by its number.
    std::erase(wiped_, "svc_booking_forms");
    static_cast<void>(site->given_booking(trip.id));
}

std::vector<std::string> World::tables() {
    return rows(beside_->dialect() == store::Dialect::sqlite
                    ? "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'svc%' AND name NOT LIKE"
                      " '%search%' AND name NOT LIKE '%grams%'"
                    : "SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename NOT LIKE '%search%'");
}

std::vector<std::string> World::rows(std::string_view sql) {
    return beside_->reading<std::vector<std::string>>([&](store::Session& session) {
        return session.all<std::string>(
            sql, "t", {}, [](const store::Row& row) { return row.is_null(0) ? std::string("null") : row.text(0); });
    });
}

void World::begin(int seats) {
    site->clock.set(start);
    for (;;) {
        std::string referred_to;
        try {
            const auto done = beside_->write([&](store::Transaction& tx) -> Result<void> {
                for (const std::string& table : wiped_) {
                    referred_to = table;
                    tx.run("DELETE FROM " + table, {});
                }
                // Triggers count what is deleted.
                for (const char* counts : {"svc_booking_count_changes", "svc_booking_tallies", "svc_row_tallies"})
                    tx.run(std::string("DELETE FROM ") + counts, {});
                tx.run(
                    "UPDATE svc_departures SET capacity = :seats, booked_count = 0, waiting_seats = 0,"
                    " status = 'upcoming', capacity_override = 0, overbooked_by_force = 0, alert_state = 0,"
                    " sale_state = 'open', revision = revision + 10, updated_at = :now",
                    {{"seats", seats}, {"now", site->clock.now()}});
                return {};
            });
            if (!done)
                throw std::logic_error("the world cannot be set back");
            break;
        } catch (const store::ConstraintViolation&) {
            // It goes after those that refer to it, from now on.
            wiped_.erase(std::find(wiped_.begin(), wiped_.end(), referred_to));
            wiped_.push_back(referred_to);
        }
    }
    // The process's memory.
    site->availability.calendar.refresh(trip.id);
    site->payments.gateways.forget_configs();
    site->discounts.forget();
}

std::vector<std::string> World::broken(bool whole) {
    std::vector<std::string> found = rows(
        "SELECT 'departure ' || d.start_date || ' has sold ' || CAST(x.seats AS TEXT) || ' seats, counts ' ||"
        " CAST(d.booked_count AS TEXT) || ' of ' || CAST(d.capacity AS TEXT) FROM svc_departures d JOIN ("
        " SELECT l.departure_id, SUM(b.travelers_count) AS seats FROM svc_bookings b"
        " JOIN svc_booking_departures l ON l.booking_id = b.id AND l.released_at IS NULL WHERE b.status IN"
        " ('pending', 'pending_verification', 'confirmed', 'processing', 'completed', 'on-hold')"
        " GROUP BY l.departure_id) x ON x.departure_id = d.id"
        " WHERE x.seats <> d.booked_count OR (x.seats > d.capacity AND d.capacity_override = 0)");
    if (whole)
        for (std::string& one : broken_invariants(*beside_))
            found.push_back(std::move(one));
    return found;
}

std::vector<std::string> World::not_kept(const Promised& promised) {
    std::vector<std::string> found;
    const auto number = [&](std::string_view sql, const store::Params& params) {
        return beside_->reading<std::int64_t>([&](store::Session& session) { return session.number(sql, params); });
    };
    for (const auto& sold : promised.sold)
        if (number("SELECT COUNT(*) FROM svc_bookings WHERE id = :id AND reference = :reference",
                   {{"id", sold.id}, {"reference", sold.reference}}) != 1)
            found.push_back("a booking that was acknowledged is gone");
    for (const auto& paid : promised.paid)
        if (number("SELECT COUNT(*) FROM svc_payments WHERE booking_id = :booking AND transaction_id = :transaction AND"
                   " amount_minor = :minor AND status IN ('completed', 'refunded')",
                   {{"booking", paid.booking}, {"transaction", paid.transaction}, {"minor", paid.minor}}) != 1)
            found.push_back("a payment that was acknowledged is gone");
    const std::int64_t made = number("SELECT COUNT(*) FROM svc_bookings", {});
    const auto sold = static_cast<std::int64_t>(promised.sold.size());
    if (made < sold || made > sold + promised.unanswered)
        found.push_back("there are " + std::to_string(made) + " bookings, " + std::to_string(sold) +
                        " were acknowledged and " + std::to_string(promised.unanswered) + " not answered");
    if (number("SELECT COUNT(*) FROM (SELECT 1 FROM svc_payment_intents i JOIN svc_payments p ON p.intent_id = i.id"
               " GROUP BY i.id HAVING COUNT(*) > 1) twice",
               {}) > 0)
        found.push_back("a charge was taken twice");
    return found;
}

std::string World::state() {
    std::string all;
    for (const char* sql :
         {"SELECT status || ' ' || payment_status || ' ' || CAST(total_minor AS TEXT) || ' ' ||"
          " CAST(amount_paid_minor AS TEXT) || ' ' || CAST(travelers_count AS TEXT) || ' ' || travel_date || ' ' ||"
          " CAST(row_version AS TEXT) || ' ' || CAST(needs_attention AS TEXT) || ' ' || COALESCE((SELECT"
          " CAST(l.seats AS TEXT) || ' on ' || d.start_date FROM svc_booking_departures l JOIN svc_departures d ON"
          " d.id = l.departure_id WHERE l.booking_id = b.id AND l.released_at IS NULL), 'none') || ' ' ||"
          " CAST((SELECT COUNT(*) FROM svc_booking_status_log g WHERE g.booking_id = b.id) AS TEXT)"
          " FROM svc_bookings b ORDER BY b.id",
          "SELECT start_date || ' ' || CAST(capacity AS TEXT) || ' ' || CAST(booked_count AS TEXT) || ' ' ||"
          " CAST(waiting_seats AS TEXT) || ' ' || status FROM svc_departures ORDER BY id",
          "SELECT CAST((SELECT COUNT(*) FROM svc_bookings b WHERE b.id <= p.booking_id) AS TEXT) || ' ' || gateway ||"
          " ' ' || CAST(amount_minor AS TEXT) || ' ' || CAST(refunded_minor AS TEXT) || ' ' || status || ' ' ||"
          " payment_type || ' ' || reconciliation FROM svc_payments p ORDER BY p.id",
          "SELECT CAST((SELECT COUNT(*) FROM svc_payments p WHERE p.id <= r.payment_id) AS TEXT) || ' ' ||"
          " CAST(amount_minor AS TEXT) || ' ' || status FROM svc_refunds r ORDER BY r.id",
          "SELECT CAST((SELECT COUNT(*) FROM svc_bookings b WHERE b.id <= i.booking_id) AS TEXT) || ' ' ||"
          " CAST(amount_minor AS TEXT) || ' ' || status || ' ' || reconciliation FROM svc_payment_intents i ORDER BY"
          " i.id",
          "SELECT CAST((SELECT COUNT(*) FROM svc_bookings b WHERE b.id <= w.booking_id) AS TEXT) || ' ' ||"
          " CAST(seats AS TEXT) || CASE WHEN ended_at IS NULL THEN ' waits' ELSE ' ended' END FROM svc_waitlist w"
          " ORDER BY w.id",
          "SELECT name FROM svc_domain_events ORDER BY id", "SELECT status FROM svc_booking_sessions ORDER BY id"}) {
        for (const std::string& row : rows(sql))
            all += row + "\n";
        all += "--\n";
    }
    return all;
}

std::vector<Baton::Waiting> World::waiting() {
    return beside_->reading<std::vector<Baton::Waiting>>([](store::Session& session) {
        return session.all<Baton::Waiting>(
            "SELECT CAST(pid AS BIGINT), array_to_string(pg_blocking_pids(pid), ' '), CAST(EXISTS (SELECT 1 FROM"
            " pg_locks l WHERE l.pid = a.pid AND NOT l.granted AND l.locktype = 'tuple') AS INTEGER)"
            " FROM pg_stat_activity a WHERE datname = current_database() AND state = 'active' AND pid <> "
            "pg_backend_pid()"
            " AND cardinality(pg_blocking_pids(pid)) > 0",
            "iti", {}, [](const store::Row& row) {
                Baton::Waiting one{.process = row.integer(0), .queued = row.flag(2)};
                std::istringstream behind(row.text(1));
                for (std::int64_t process = 0; behind >> process;)
                    one.behind.push_back(process);
                return one;
            });
    });
}

void World::give_up_waiting(std::int64_t process) {
    beside_->read([&](store::Session& session) {
        session.each("SELECT CAST(pg_cancel_backend(CAST(:process AS INTEGER)) AS TEXT)", "t", {{"process", process}},
                     [](const store::Row&) {});
    });
}

}  // namespace svc::tests
