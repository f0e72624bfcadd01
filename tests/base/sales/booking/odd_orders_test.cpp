// Every pair of statuses, every statement failing in its turn, and events in orders that nobody planned.
#include <iostream>
#include <thread>

#include "tests/base/sales/booking/booking_site.hpp"
#include "tests/support/invariants.hpp"

using namespace svc;
using namespace svc::tests;

namespace {

struct Walk {
    explicit Walk(BookingSite& given) : site(given), trip(given.given_trip()) {
        departure = site.given_departure(trip.id, 50);
        full = site.given_trip();
        site.given_departure(full.id, 1);
        site.given_booking(full.id);
    }
    // A booking that came into that status as bookings do.
    std::int64_t in(std::string_view status) {
        if (status == "waitlist") {
            auto wish = BookingSite::wanted();
            wish.join_waitlist = true;
            return site.bookings.creator.create(site.open_session(full.id), wish, {}, {}).value().booking.id;
        }
        if (status == "pending_verification") {
            site.set("require_guest_email_verification", true);
            const auto id = site.given_booking(trip.id).id;
            site.set("require_guest_email_verification", false);
            return id;
        }
        const auto id = site.given_booking(trip.id).id;
        if (status == "trash")
            REQUIRE(site.bookings.removal.trash(id, site.staff));
        else
            REQUIRE(site.to_status(id, status));
        return id;
    }

    BookingSite& site;
    catalog::trips::Trip trip, full;
    std::int64_t departure = 0;
};

}  // namespace

TEST_CASE("every pair of statuses is changed or rejected by the table, and the books agree after each") {
    each_booking_site([](BookingSite& site) {
        Walk walk(site);
        int changed = 0, refused = 0;
        for (const std::string_view from : booking::status::all)
            for (const std::string_view to : booking::status::all) {
                CAPTURE(from);
                CAPTURE(to);
                const auto id = walk.in(from);
                const auto told = site.emitted("svc_booking_status_changed");
                const auto logged = site.number("SELECT COUNT(*) FROM svc_booking_status_log");
                const auto result = site.to_status(id, to);
                const bool allowed = from != to && booking::may_change(from, to, booking::Cause::staff);
                const bool seats_gone = from == "waitlist" && booking::holds_seats(to);
                if (from == to) {
                    CHECK(result);
                } else if (seats_gone && allowed) {
                    CHECK(code_of(result) == "sold_out");
                } else {
                    CHECK(static_cast<bool>(result) == allowed);
                }
                const bool done = result && from != to;
                changed += done ? 1 : 0;
                refused += result ? 0 : 1;
                CHECK(site.booking_of(id).status == (done ? to : from));
                CHECK(site.emitted("svc_booking_status_changed") == told + (done ? 1 : 0));
                CHECK(site.number("SELECT COUNT(*) FROM svc_booking_status_log") == logged + (done ? 1 : 0));
                // Out of the way of the next pairs.
                if (site.booking_of(id).status != "trash")
                    REQUIRE(site.bookings.removal.trash(id, site.staff));
            }
        CHECK(changed + refused == 11 * 11 - 11);
        CHECK(broken_invariants(*site.real).empty());
    });
}

TEST_CASE("whichever statement of a change by staff fails, nothing of it stays and the next try does it") {
    each_booking_site([](BookingSite& site) {
        const auto trip = site.given_trip(), other = site.given_trip();
        site.given_departure(trip.id, 40);
        site.given_departure(other.id, 40);
        using Change = std::function<bool(std::int64_t id)>;
        booking::Edit moved{.choice = {.trip_id = other.id, .travelers = 3}, .recalculate = true};
        booking::Edit paid{.payment_status = "paid"};
        const std::vector<std::pair<const char*, Change>> changes{
            {"moved", [&](std::int64_t id) { return static_cast<bool>(site.bookings.desk.edit(id, moved)); }},
            {"paid", [&](std::int64_t id) { return static_cast<bool>(site.bookings.desk.edit(id, paid)); }},
            {"confirmed", [&](std::int64_t id) { return static_cast<bool>(site.to_status(id, "confirmed")); }},
            {"trash", [&](std::int64_t id) { return static_cast<bool>(site.bookings.removal.trash(id, site.staff)); }},
            {"cancelled", [&](std::int64_t id) {
                 return static_cast<bool>(site.bookings.guests.cancel_own(id, "", {.kind = "customer"}));
             }}};
        int statements = 0;
        for (const auto& [name, change] : changes) {
            CAPTURE(name);
            const auto id = site.given_booking(trip.id, 2).id;
            for (int k = 1;; ++k) {
                CAPTURE(k);
                const auto before = site.booking_of(id);
                const auto footprint = site.footprint();
                site.store.reset();
                site.store.fail_statement(k);
                bool done = false;
                try {
                    done = change(id);
                } catch (const store::Unavailable&) {
                    done = false;
                }
                const bool ran_out = site.store.statements() < k;
                site.store.reset();
                if (done) {
                    CHECK(ran_out);
                    break;
                }
                ++statements;
                CHECK(site.booking_of(id).row_version == before.row_version);
                CHECK(site.footprint() == footprint);
                CHECK(broken_invariants(*site.real).empty());
                REQUIRE(k < 200);
            }
            CHECK(broken_invariants(*site.real).empty());
        }
        std::cout << "figure: statements of changes by staff, each failed once " << statements << '\n';
        CHECK(statements > 30);
    });
}

TEST_CASE("money that comes for a booking that has ended is kept and shown, and brings nothing back") {
    each_booking_site([](BookingSite& site) {
        const auto trip = site.given_trip();
        const auto departure = site.given_departure(trip.id, 20);
        site.set("auto_confirm_mode", "all");
        for (const char* ended : {"cancelled", "failed", "refunded"}) {
            CAPTURE(ended);
            site.set("auto_confirm_mode", "online");
            const auto made = site.given_booking(trip.id, 2);
            site.set("auto_confirm_mode", "all");
            REQUIRE(site.to_status(made.id, ended));
            const auto confirmed = site.emitted("svc_booking_confirmed");
            REQUIRE(site.pay(made.id, "399.98"));
            const auto after = site.booking_of(made.id);
            CHECK(after.status == ended);
            CHECK(after.needs_attention);
            CHECK(after.payment_status == "paid");
            CHECK(site.seats_of(departure) == 0);
            CHECK(site.emitted("svc_booking_confirmed") == confirmed);
        }
        CHECK(broken_invariants(*site.real).empty());
    });
}

TEST_CASE("a confirmation and a cancellation at the same instant leave one status and its seats") {
    each_booking_site([](BookingSite& site) {
        const auto trip = site.given_trip();
        const auto departure = site.given_departure(trip.id, 100);
        std::int64_t seats = 0;
        for (int round = 0; round < 15; ++round) {
            const auto id = site.given_booking(trip.id, 2).id;
            const auto retried = [&](const char* status) {
                for (int tries = 0; tries < 20; ++tries) {
                    try {
                        static_cast<void>(site.to_status(id, status));
                        return;
                    } catch (const store::Failure&) {  // busy: the caller's to repeat
                    }
                }
            };
            std::thread confirming([&] { retried("confirmed"); });
            std::thread cancelling([&] { retried("cancelled"); });
            confirming.join();
            cancelling.join();
            const auto after = site.booking_of(id);
            CHECK((after.status == "confirmed" || after.status == "cancelled"));
            seats += booking::holds_seats(after.status) ? 2 : 0;
        }
        CHECK(site.seats_of(departure) == seats);
        CHECK(broken_invariants(*site.real).empty());
    });
}
