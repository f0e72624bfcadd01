// Jobs that change bookings, alone and against concurrent requests.
#include <thread>

#include "base/sales/booking/upkeep/jobs.hpp"
#include "tests/base/sales/booking/booking_site.hpp"

using namespace svc;
using namespace svc::tests;

namespace {

using std::chrono::hours;

Instant expire(BookingSite& site) {
    const Instant now = site.clock.now();
    REQUIRE(site.bookings.upkeep.expire_unpaid(now));
    return now;
}

// A trip with a departure of so many seats and the sweep turned on a while ago.
std::pair<std::int64_t, std::int64_t> selling(BookingSite& site, int seats = 20) {
    const auto trip = site.given_trip();
    const auto departure = site.given_departure(trip.id, seats);
    expire(site);
    site.settings.reload();
    site.clock.advance(hours(1));
    return {trip.id, departure};
}

}  // namespace

TEST_CASE("an unpaid booking ends after its hours, once, with its seats and both of its events") {
    each_booking_site([](BookingSite& site) {
        const auto [trip, departure] = selling(site);
        const auto made = site.given_booking(trip, 3);
        site.clock.advance(hours(23));
        expire(site);
        CHECK(site.booking_of(made.id).status == "pending");
        site.clock.advance(hours(2));
        const Instant ended = expire(site);
        expire(site);
        const auto after = site.booking_of(made.id);
        CHECK(after.status == "cancelled");
        CHECK(after.cancelled_at == ended);
        CHECK(site.seats_of(departure) == 0);
        CHECK(site.emitted("svc_booking_expired") == 1);
        CHECK(site.emitted("svc_booking_cancelled") == 1);
        CHECK(site.number("SELECT COUNT(*) FROM svc_bookings WHERE cancelled_via = 'expiry' AND expired_at IS NOT"
                          " NULL") == 1);
        CHECK(site.number("SELECT COUNT(*) FROM svc_booking_status_log WHERE through = 'job'") == 1);
    });
}

TEST_CASE("the sweep never takes what was paid of, awaited, confirmed, unverified, waiting, or made before it began") {
    each_booking_site([](BookingSite& site) {
        const auto trip = site.given_trip();
        site.given_departure(trip.id, 20);
        const auto early = site.given_booking(trip.id);
        site.clock.advance(std::chrono::seconds(1));
        expire(site);
        site.settings.reload();
        site.clock.advance(hours(1));
        std::vector<std::int64_t> spared{early.id};
        const auto deposit = site.given_booking(trip.id);
        REQUIRE(site.pay(deposit.id, "10"));
        spared.push_back(deposit.id);
        const auto awaited = site.given_booking(trip.id);
        REQUIRE(site.pay(awaited.id, "10", "pending"));
        spared.push_back(awaited.id);
        for (const char* status : {"confirmed", "processing", "on-hold"}) {
            const auto made = site.given_booking(trip.id);
            REQUIRE(site.to_status(made.id, status));
            spared.push_back(made.id);
        }
        const auto unverified = site.given_booking(trip.id);
        const std::string unproven =
            "UPDATE svc_bookings SET status = 'pending_verification' WHERE id = " + std::to_string(unverified.id);
        execute(*site.real, {unproven.c_str()});
        spared.push_back(unverified.id);
        site.clock.advance(hours(100));
        expire(site);
        for (const auto id : spared)
            CHECK(site.booking_of(id).status != "cancelled");

        // Off, nothing ends; on again, what was made meanwhile is left alone.
        const auto meanwhile = site.given_booking(trip.id);
        site.set("booking_expiry_hours", 0);
        site.clock.advance(hours(100));
        expire(site);
        site.set("booking_expiry_hours", 24);
        expire(site);
        site.clock.advance(hours(100));
        expire(site);
        CHECK(site.booking_of(meanwhile.id).status == "pending");
    });
}

TEST_CASE(
    "turned off and on again between two turns of the sweep, expiry begins anew; another number of hours does not") {
    each_booking_site([](BookingSite& site) {
        const auto trip = site.given_trip();
        const auto departure = site.given_departure(trip.id, 20);
        expire(site);
        site.settings.reload();
        site.clock.advance(hours(1));
        const auto left = site.given_booking(trip.id);
        site.clock.advance(hours(100));
        site.set("booking_expiry_hours", 0);
        site.set("booking_expiry_hours", 24);
        expire(site);
        CHECK(site.booking_of(left.id).status == "pending");
        CHECK(site.bookings.records.detail(site.booking_of(left.id), true)["expires_at"].is_null());

        site.clock.advance(hours(1));
        const auto later = site.given_booking(trip.id);
        site.set("booking_expiry_hours", 48);
        site.clock.advance(hours(49));
        expire(site);
        CHECK(site.booking_of(later.id).status == "cancelled");
        CHECK(site.booking_of(left.id).status == "pending");
        CHECK(site.seats_of(departure) == 1);
    });
}

TEST_CASE("what is booked in an installation's first hour, before the sweep's first turn, ends unpaid as well") {
    each_booking_site([](BookingSite& site) {
        const auto trip = site.given_trip();
        const auto departure = site.given_departure(trip.id, 20);
        site.bookings.upkeep.note_expiry(site.clock.now());
        site.settings.reload();
        site.clock.advance(std::chrono::minutes(5));
        const auto made = site.given_booking(trip.id);
        site.clock.advance(hours(1));
        site.bookings.upkeep.note_expiry(site.clock.now());  // the next start
        site.settings.reload();
        site.clock.advance(hours(24));
        expire(site);
        CHECK(site.booking_of(made.id).status == "cancelled");
        CHECK(site.seats_of(departure) == 0);
    });
}

TEST_CASE("what comes to be paid again has its hours from then on") {
    each_booking_site([](BookingSite& site) {
        const auto [trip, departure] = selling(site);
        const auto ended = site.given_booking(trip).id, trashed = site.given_booking(trip).id;
        REQUIRE(site.bookings.removal.trash(trashed, site.staff));
        site.clock.advance(hours(30));
        expire(site);
        CHECK(site.booking_of(ended).status == "cancelled");
        REQUIRE(site.to_status(ended, "pending"));
        REQUIRE(site.bookings.removal.restore(trashed, site.staff));
        for (const auto id : {ended, trashed}) {
            const auto booking = site.booking_of(id);
            CHECK(booking.payable_since == site.clock.now());
            CHECK(site.bookings.records.detail(booking, true)["expires_at"].text() ==
                  site.clock.now().plus(hours(24)).text());
        }
        site.clock.advance(hours(23));
        expire(site);
        for (const auto id : {ended, trashed})
            CHECK(site.booking_of(id).status == "pending");
        site.clock.advance(hours(2));
        expire(site);
        for (const auto id : {ended, trashed})
            CHECK(site.booking_of(id).status == "cancelled");
        // Another status that can be paid begins nothing anew.
        const auto held = site.given_booking(trip).id;
        site.clock.advance(hours(20));
        REQUIRE(site.to_status(held, "on-hold"));
        REQUIRE(site.to_status(held, "pending"));
        CHECK_FALSE(site.booking_of(held).payable_since);
        CHECK(site.seats_of(departure) == 1);
    });
}

TEST_CASE("a turn of the sweep takes 200 bookings, the oldest first") {
    each_booking_site([](BookingSite& site) {
        const auto [trip, departure] = selling(site, 300);
        std::vector<std::int64_t> ids;
        for (int i = 0; i < 203; ++i) {
            ids.push_back(site.given_booking(trip).id);
            site.clock.advance(std::chrono::seconds(1));
        }
        site.clock.advance(hours(30));
        expire(site);
        CHECK(site.seats_of(departure) == 3);
        for (std::size_t i = 200; i < ids.size(); ++i)
            CHECK(site.booking_of(ids[i]).status == "pending");
        expire(site);
        CHECK(site.seats_of(departure) == 0);
    });
}

TEST_CASE("a payment, a cancellation and two sweeps at the same instant end in one truth") {
    each_booking_site([](BookingSite& site) {
        const auto [trip, departure] = selling(site, 400);
        std::vector<std::int64_t> ids;
        for (int i = 0; i < 24; ++i)
            ids.push_back(site.given_booking(trip, 2).id);
        site.clock.advance(hours(30));
        const auto retried = [](const std::function<void()>& work) {
            for (int tries = 0; tries < 20; ++tries) {
                try {
                    work();
                    return;
                } catch (const store::Failure&) {  // busy: the caller's to repeat
                }
            }
        };
        std::thread sweep_a([&] { retried([&] { (void)!site.bookings.upkeep.expire_unpaid(site.clock.now()); }); });
        std::thread sweep_b([&] { retried([&] { (void)!site.bookings.upkeep.expire_unpaid(site.clock.now()); }); });
        std::thread payer([&] {
            for (const auto id : ids)
                retried([&] { (void)!site.pay(id, "399.98"); });
        });
        std::thread canceller([&] {
            for (auto id = ids.rbegin(); id != ids.rend(); ++id)
                retried([&] { (void)!site.to_status(*id, "cancelled"); });
        });
        for (auto* one : {&sweep_a, &sweep_b, &payer, &canceller})
            one->join();
        std::int64_t cancelled = 0, seats = 0;
        for (const auto id : ids) {
            const auto booking = site.booking_of(id);
            CAPTURE(booking.status);
            cancelled += booking.status == "cancelled" ? 1 : 0;
            seats += booking::holds_seats(booking.status) ? booking.travelers_count : 0;
            // Money for a booking that has ended is kept and shown, and brings nothing back.
            if (booking.status == "cancelled" && !booking.amount_paid.is_zero())
                CHECK((booking.payment_status == "paid"));
        }
        CHECK(site.seats_of(departure) == seats);
        CHECK(site.emitted("svc_booking_cancelled") == cancelled);
        CHECK(site.emitted("svc_booking_expired") ==
              site.number("SELECT COUNT(*) FROM svc_bookings WHERE expired_at IS NOT NULL"));
        CHECK(site.number("SELECT COUNT(*) FROM svc_booking_departures WHERE released_at IS NULL") == 24 - cancelled);
    });
}

TEST_CASE("who travels soon is reminded once, by the site's days, also after a day that was missed") {
    each_booking_site([](BookingSite& site) {
        const auto trip = site.given_trip();
        site.given_departure(trip.id, 20);
        site.set("timezone", "Pacific/Auckland");
        const auto confirmed = site.given_booking(trip.id);
        REQUIRE(site.to_status(confirmed.id, "confirmed"));
        const auto deposit = site.given_booking(trip.id);
        REQUIRE(site.pay(deposit.id, "1"));
        site.given_booking(trip.id);  // neither confirmed nor paid of
        const auto remind = [&](const char* at) {
            site.clock.set(Instant::parse(at).value());
            REQUIRE(site.bookings.upkeep.remind(site.clock.now()));
            return site.emitted("svc_booking_reminder_due");
        };
        // It travels on 1 March; three days before there begin at 11:00 UTC of the 25th.
        CHECK(remind("2027-02-25T10:59:00Z") == 0);
        CHECK(remind("2027-02-26T12:00:00Z") == 2);
        CHECK(remind("2027-02-26T12:00:00Z") == 2);
        // Booked after the day of the reminder: none is due. Moved to another day: once more.
        const auto late = site.given_booking(trip.id);
        REQUIRE(site.to_status(late.id, "confirmed"));
        CHECK(remind("2027-02-27T12:00:00Z") == 2);
        site.set("booking_reminder_days", 0);
        CHECK(remind("2027-02-27T13:00:00Z") == 2);
    });
}

TEST_CASE("however many travel soon and need no reminder, those that do are reminded") {
    each_booking_site([](BookingSite& site) {
        const auto trip = site.given_trip();
        site.given_departure(trip.id, 20);
        const auto due = site.given_booking(trip.id);
        REQUIRE(site.to_status(due.id, "confirmed"));
        // 4,500 that were booked today, for a day before; no more of them than their rows.
        site.leaves_what_holds = false;
        site.clock.set(Instant::parse("2027-02-26T12:00:00Z").value());
        std::string columns;
        const char* names = site.store.dialect() == store::Dialect::sqlite
                                ? "SELECT name FROM pragma_table_info('svc_bookings')"
                                : "SELECT column_name FROM information_schema.columns"
                                  " WHERE table_schema = current_schema() AND table_name = 'svc_bookings'";
        site.store.read([&](store::Session& session) {
            session.each(names, "t", {}, [&](const store::Row& row) {
                if (row.text(0) != "id")
                    columns += (columns.empty() ? "" : ", ") + row.text(0);
            });
        });
        std::string values = ", " + columns + ",";
        for (const auto& [column, value] :
             std::vector<std::pair<std::string, std::string>>{{"reference", "'SVC-' || many.n"},
                                                              {"travel_date", "'2027-02-28'"},
                                                              {"created_at", std::to_string(site.clock.now().micros())},
                                                              {"session_id", "NULL"}})
            if (const auto at = values.find(", " + column + ","); at != std::string::npos)
                values.replace(at, column.size() + 3, ", " + value + ",");
        values = values.substr(2, values.size() - 3);
        execute(site.store, {("INSERT INTO svc_bookings (" + columns +
                              ") WITH RECURSIVE many (n) AS (SELECT 1 UNION ALL"
                              " SELECT n + 1 FROM many WHERE n < 4500) SELECT " +
                              values + " FROM svc_bookings, many WHERE svc_bookings.id = " + std::to_string(due.id))
                                 .c_str()});
        REQUIRE(site.number("SELECT COUNT(*) FROM svc_bookings") == 4501);
        const auto done = site.bookings.upkeep.remind(site.clock.now());
        REQUIRE(done);
        CHECK((*done)["reminded"].integer() == 1);
        CHECK((*done)["seen"].integer() == 1);
        CHECK(site.emitted("svc_booking_reminder_due") == 1);
    });
}

TEST_CASE("a confirmed booking is completed the day after its last, and not what ended before the sweep began") {
    each_booking_site([](BookingSite& site) {
        const auto trip = site.given_trip();  // four days from 1 March
        site.given_departure(trip.id, 20);
        const auto made = site.given_booking(trip.id);
        REQUIRE(site.to_status(made.id, "confirmed"));
        const auto pending = site.given_booking(trip.id);
        const auto complete = [&](const char* at) {
            site.clock.set(Instant::parse(at).value());
            REQUIRE(site.bookings.upkeep.complete_ended(site.clock.now()));
            site.settings.reload();
            return site.booking_of(made.id).status;
        };
        CHECK(complete("2027-03-03T12:00:00Z") == "confirmed");
        CHECK(complete("2027-03-04T23:00:00Z") == "confirmed");
        CHECK(complete("2027-03-05T00:01:00Z") == "completed");
        CHECK(complete("2027-03-05T00:02:00Z") == "completed");
        CHECK(site.booking_of(pending.id).status == "pending");
        CHECK(site.emitted("svc_booking_completed") == 1);
    });
}

TEST_CASE("who is at a provider's page is not put off, for an hour; and does not keep those behind from ending") {
    each_booking_site([](BookingSite& site) {
        const auto [trip, departure] = selling(site);
        const auto paying = site.given_booking(trip), other = site.given_booking(trip);
        site.clock.advance(hours(25));
        const auto open = [&](std::int64_t booking) {
            const std::string statement =
                "INSERT INTO svc_payment_intents (booking_id, gateway, call_key, purpose, amount_minor, currency, "
                "status,"
                " ask_at, expires_at, created_at, updated_at) VALUES (" +
                std::to_string(booking) + ", 'card', 'key" + std::to_string(booking) +
                "', 'checkout', 100, 'USD', 'requires_action', 0, 0, 0, " + std::to_string(site.clock.now().micros()) +
                ")";
            execute(*site.real, {statement.c_str()});
        };
        open(paying.id);
        expire(site);
        CHECK(site.booking_of(paying.id).status == "pending");
        CHECK(site.booking_of(other.id).status == "cancelled");
        site.clock.advance(std::chrono::minutes(61));
        expire(site);
        CHECK(site.booking_of(paying.id).status == "cancelled");
        // Ended, no page may pay it; the provider is asked all the same.
        CHECK(site.number("SELECT COUNT(*) FROM svc_payment_intents WHERE status = 'cancelled'"
                          " AND reconciliation = 'open'") == 1);
    });
}

TEST_CASE("a booking that is called off by anybody has no open intent left") {
    each_booking_site([](BookingSite& site) {
        const auto trip = site.given_trip();
        site.given_departure(trip.id, 20);
        for (const char* to : {"cancelled", "failed", "refunded", "confirmed"}) {
            CAPTURE(to);
            const auto made = site.given_booking(trip.id);
            const std::string id = std::to_string(made.id);
            const std::string statement =
                "INSERT INTO svc_payment_intents (booking_id, gateway, call_key, purpose, amount_minor, currency, "
                "status,"
                " ask_at, expires_at, created_at, updated_at) VALUES (" +
                id + ", 'card', 'key" + id + "', 'checkout', 100, 'USD', 'created', 0, 0, 0, 0)";
            execute(*site.real, {statement.c_str()});
            REQUIRE(site.to_status(made.id, to));
            CHECK(site.number("SELECT COUNT(*) FROM svc_payment_intents WHERE status = 'created' AND booking_id = :id",
                              {{"id", made.id}}) == (std::string(to) == "confirmed" ? 1 : 0));
        }
    });
}

TEST_CASE("who pays later is reminded on the gateway's days before the deadline, once each, and never ended by that") {
    each_booking_site([](BookingSite& site) {
        site.set("booking_expiry_hours", 0);
        REQUIRE(site.payments.gateways.configure("pay_later", json::Value::object({{"payment_deadline_days", 7}})));
        const auto trip = site.given_trip();
        site.given_departure(trip.id, 20);
        const auto made = site.given_booking(trip.id);
        const auto days = [](int n) { return hours(24 * n); };
        const auto watch = [&] { REQUIRE(site.bookings.upkeep.watch_deadlines(site.clock.now())); };
        const auto told = [&] { return site.emitted("svc_booking_payment_due"); };
        watch();
        CHECK(told() == 0);  // just booked
        site.clock.advance(days(1));
        watch();
        watch();
        CHECK(told() == 1);  // seven days, missed by one
        site.clock.advance(days(3));
        watch();
        CHECK(told() == 2);  // three days
        site.clock.advance(days(3));
        watch();
        CHECK(told() == 3);  // the last day
        site.clock.advance(days(30));
        watch();
        CHECK(site.booking_of(made.id).status == "pending");
        CHECK(told() == 3);

        const auto paid = site.given_booking(trip.id);
        REQUIRE(site.pay(paid.id, "1.00"));
        site.clock.advance(days(1));
        watch();
        CHECK(told() == 3);  // what is paid of has no deadline any more
    });
}
