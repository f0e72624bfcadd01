// Bookings when staff move, cancel and view their departure.
#include "tests/base/sales/booking/booking_site.hpp"

using namespace svc;
using namespace svc::tests;

TEST_CASE("bookings follow their departure to another day and time, and their customers are notified") {
    each_booking_site([](BookingSite& site) {
        const auto trip = site.given_trip();
        const auto departure = site.given_departure(trip.id, 4);
        const auto stays = site.given_booking(trip.id, 2), gone = site.given_booking(trip.id, 1);
        REQUIRE(site.to_status(gone.id, "cancelled"));
        const auto moved = site.availability.departures.update(
            trip.id, departure,
            {.start_date = travel_day.plus_days(7), .time = std::optional(ClockTime::parse("09:00"))}, {});
        REQUIRE(moved);
        CHECK(moved->booked == 2);
        const auto after = site.booking_of(stays.id);
        CHECK(after.travel_date == travel_day.plus_days(7));
        CHECK(after.end_date == travel_day.plus_days(10));
        CHECK(after.departure_time == ClockTime::parse("09:00"));
        CHECK(site.booking_of(gone.id).travel_date == travel_day);
        CHECK(site.emitted("svc_booking_rescheduled") == 1);
    });
}

TEST_CASE("a reopened booking is on its departure's present day, and its customer is notified") {
    each_booking_site([](BookingSite& site) {
        const auto trip = site.given_trip(), other = site.given_trip();
        const auto departure = site.given_departure(trip.id, 4);
        const auto back = site.given_booking(trip.id, 2), restored = site.given_booking(trip.id, 1),
                   late = site.given_booking(trip.id, 1);
        for (const auto id : {back.id, late.id})
            REQUIRE(site.to_status(id, "cancelled"));
        REQUIRE(site.bookings.removal.trash(restored.id, site.staff));
        REQUIRE(site.to_status(back.id, "pending"));  // it is where it was, and nobody need hear of it
        CHECK(site.emitted("svc_booking_rescheduled") == 0);
        REQUIRE(site.to_status(back.id, "cancelled"));
        REQUIRE(site.availability.departures.update(
            trip.id, departure,
            {.start_date = travel_day.plus_days(7), .time = std::optional(ClockTime::parse("09:00"))}, {}));
        REQUIRE(site.to_status(back.id, "confirmed"));
        REQUIRE(site.bookings.removal.restore(restored.id, site.staff));
        for (const auto id : {back.id, restored.id}) {
            const auto after = site.booking_of(id);
            CHECK(after.travel_date == travel_day.plus_days(7));
            CHECK(after.end_date == travel_day.plus_days(10));
            CHECK(after.departure_time == ClockTime::parse("09:00"));
            CHECK(after.departure_id == departure);
        }
        CHECK(site.seats_of(departure) == 3);
        CHECK(site.emitted("svc_booking_rescheduled") == 2);
        // One that went to another trip is none of this booking's any more.
        for (const auto id : {back.id, restored.id})
            REQUIRE(site.to_status(id, "cancelled"));
        REQUIRE(site.availability.departures.update(trip.id, departure, {.trip_id = other.id}, {}));
        CHECK(code_of(site.to_status(late.id, "pending")) == "date_unavailable");
        CHECK(site.booking_of(late.id).status == "cancelled");
        CHECK(site.seats_of(departure) == 0);
    });
}

TEST_CASE("only a change of days or time notifies customers") {
    each_booking_site([](BookingSite& site) {
        const auto trip = site.given_trip();
        const auto departure = site.given_departure(trip.id, 4);
        site.given_booking(trip.id, 2);
        REQUIRE(
            site.availability.departures.update(trip.id, departure, {.capacity = std::optional(9), .notes = "x"}, {}));
        CHECK(site.emitted("svc_booking_rescheduled") == 0);
    });
}

TEST_CASE("a departure that is cancelled flags its bookings and who waits, and cancels none by itself") {
    each_booking_site([](BookingSite& site) {
        const auto trip = site.given_trip();
        const auto departure = site.given_departure(trip.id, 2);
        const auto seated = site.given_booking(trip.id, 2);
        booking::NewBooking wanted = BookingSite::wanted();
        wanted.join_waitlist = true;
        const auto waiting = site.bookings.creator.create(site.open_session(trip.id), wanted, {}, {});
        REQUIRE(waiting);
        const auto done = site.availability.departures.update(trip.id, departure, {.status = "cancelled"}, {}, {});
        REQUIRE(done);
        CHECK(done->affected == std::vector<std::int64_t>{seated.id, waiting->booking.id});
        CHECK(done->cancelled == 0);
        CHECK(site.booking_of(seated.id).needs_attention);
        CHECK(site.booking_of(seated.id).status == "pending");
        CHECK(site.booking_of(waiting->booking.id).status == "waitlist");
        CHECK(site.seats_of(departure) == 2);
        CHECK(code_of(site.availability.departures.remove(trip.id, departure, {})) == "svc_in_use");
    });
}

TEST_CASE("with cancel_bookings all of them are cancelled with the reason, and nobody is promoted") {
    each_booking_site([](BookingSite& site) {
        const auto trip = site.given_trip();
        const auto departure = site.given_departure(trip.id, 2);
        const auto seated = site.given_booking(trip.id, 2);
        booking::NewBooking wanted = BookingSite::wanted();
        wanted.join_waitlist = true;
        const auto waiting = site.bookings.creator.create(site.open_session(trip.id), wanted, {}, {}).value().booking;
        const auto done = site.availability.departures.update(trip.id, departure, {.status = "cancelled"}, {},
                                                              {true, "The river is too low."});
        REQUIRE(done);
        CHECK(done->cancelled == 2);
        for (const auto id : {seated.id, waiting.id}) {
            const auto booking = site.booking_of(id);
            CHECK(booking.status == "cancelled");
            CHECK(booking.cancellation_reason == "The river is too low.");
            CHECK_FALSE(booking.needs_attention);
        }
        CHECK(site.seats_of(departure) == 0);
        CHECK(site.emitted("svc_booking_cancelled") == 2);
        CHECK(site.emitted("svc_waitlist_booking_promoted") == 0);
        CHECK(site.availability.departures.remove(trip.id, departure, {}));
    });
}

TEST_CASE("a departure lists its travelers and payments") {
    each_booking_site([](BookingSite& site) {
        const auto trip = site.given_trip();
        const auto departure = site.given_departure(trip.id, 9);
        booking::NewBooking wanted = BookingSite::wanted();
        wanted.travelers =
            json::Value::array({BookingSite::traveler("Ada", "Lovelace"), BookingSite::traveler("Grace", "Hopper")});
        const auto named = site.bookings.creator.create(site.open_session(trip.id, 2), wanted, {}, {}).value().booking;
        wanted.by_staff = true;
        wanted.travelers = json::Value::array();
        const auto unnamed =
            site.bookings.creator.create(site.open_session(trip.id, 3), wanted, {}, {}).value().booking;
        const auto parties = site.store.reading<std::vector<availability::Party>>(
            [&](store::Session& session) { return site.availability.departures.parties_of(session, departure); });
        REQUIRE(parties.size() == 1);
        CHECK(parties[0].people == 5);
        CHECK(parties[0].paid.is_zero());
        REQUIRE(parties[0].travelers.size() == 3);
        CHECK(
            parties[0].travelers[0].dump() ==
            R"({"id":1,"booking_id":)" + std::to_string(named.id) + R"(,"booking_reference":")" + named.reference +
                R"(","is_lead":true,"first_name":"Ada","last_name":"Lovelace","email":"ada@example.org","phone":"+44 20 7946 0001"})");
        CHECK(parties[0].travelers[1]["email"].text() == "");
        CHECK(parties[0].travelers[2]["id"].is_null());
        CHECK(parties[0].travelers[2]["booking_id"].integer() == unnamed.id);
    });
}
