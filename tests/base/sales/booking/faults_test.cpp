// Each statement of a booking fails in its turn: there is a whole booking or none, and the next try makes it.
#include <iostream>

#include "tests/base/sales/booking/booking_site.hpp"

using namespace svc;
using namespace svc::tests;

namespace {

// The attempt, told how it ended: made, or the database was not available.
bool attempt(BookingSite& site, const std::string& secret) {
    try {
        return static_cast<bool>(site.bookings.creator.create(secret, BookingSite::wanted(), {}, {}));
    } catch (const store::Unavailable&) {
        return false;
    }
}

bool seats_are_their_ledger(BookingSite& site) {
    return site.number(
               "SELECT COUNT(*) FROM svc_departures d WHERE d.booked_count <> COALESCE((SELECT SUM(l.seats) FROM"
               " svc_booking_departures l WHERE l.departure_id = d.id AND l.released_at IS NULL), 0)") == 0;
}

}  // namespace

TEST_CASE("whichever statement of a booking fails, there is no half of it and the next try succeeds") {
    each_booking_site([](BookingSite& site) {
        const auto trip = site.given_trip();
        site.given_departure(trip.id, 200);
        int tried = 0;
        for (int k = 1;; ++k) {
            CAPTURE(k);
            const std::string secret = site.open_session(trip.id, 2);
            const auto before = site.footprint();
            site.store.reset();
            site.store.fail_statement(k);
            const bool made = attempt(site, secret);
            const int ran = site.store.statements();
            site.store.reset();
            if (made) {
                CHECK(ran < k);
                break;
            }
            ++tried;
            CHECK(site.footprint() == before);
            CHECK(seats_are_their_ledger(site));
            CHECK(site.bookings.sessions.resume(secret, {}));
            REQUIRE(attempt(site, secret));
            auto after = before;
            for (const std::size_t grown : {0U, 1U, 2U, 3U, 6U, 7U, 8U})
                ++after[grown];
            after[4] += 2;
            if (tried == 1)
                ++after[5];  // the customer's first booking
            CHECK(site.footprint() == after);
        }
        std::cout << "figure: statements of a booking, each failed once " << tried << '\n';
        CHECK(tried > 10);
        CHECK(seats_are_their_ledger(site));
    });
}

TEST_CASE("a commit that fails leaves nothing, one whose answer is lost is found again by the session") {
    each_booking_site([](BookingSite& site) {
        const auto trip = site.given_trip();
        const auto departure = site.given_departure(trip.id, 10);
        const std::string secret = site.open_session(trip.id, 2);
        const auto before = site.footprint();
        site.store.reset();
        site.store.fail_commit(1);
        CHECK_FALSE(attempt(site, secret));
        CHECK(site.footprint() == before);
        site.store.reset();
        site.store.lose_answer(1);
        CHECK_FALSE(attempt(site, secret));
        site.store.reset();
        const auto again = site.bookings.creator.create(secret, BookingSite::wanted(), {}, {});
        REQUIRE(again);
        CHECK(again->repeated);
        CHECK(site.seats_of(departure) == 2);
        CHECK(site.emitted("svc_booking_created") == 1);
    });
}

TEST_CASE("whichever statement of a cancellation fails, seats and status go together") {
    each_booking_site([](BookingSite& site) {
        const auto trip = site.given_trip();
        const auto departure = site.given_departure(trip.id, 10);
        const auto made = site.given_booking(trip.id, 2);
        for (int k = 1;; ++k) {
            CAPTURE(k);
            site.store.reset();
            site.store.fail_statement(k);
            bool done = false;
            try {
                done = static_cast<bool>(site.to_status(made.id, "cancelled"));
            } catch (const store::Unavailable&) {
                done = false;
            }
            site.store.reset();
            if (done) {
                CHECK(k > 5);
                break;
            }
            CHECK(site.booking_of(made.id).status == "pending");
            CHECK(site.seats_of(departure) == 2);
            CHECK(site.emitted("svc_booking_cancelled") == 0);
        }
        CHECK(site.seats_of(departure) == 0);
        CHECK(site.emitted("svc_booking_cancelled") == 1);
    });
}
