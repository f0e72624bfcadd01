// Checkout sessions from outside: how long they live, whose they are, what they turn into.
#include "tests/base/sales/booking/booking_site.hpp"

using namespace svc;
using namespace svc::tests;
using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

TEST_CASE("a session returns an end thirty minutes after each call, whether the renewal was stored or not") {
    each_booking_site([](BookingSite& site) {
        const auto trip = site.given_trip();
        const auto opened = site.bookings.sessions.open({.trip_id = trip.id}, {});
        REQUIRE(opened);
        const auto left = [&](const Result<booking::OpenSession>& open) {
            return open->session.expires_at.seconds() - site.clock.now().seconds();
        };
        CHECK(left(opened) == 30 * 60);
        for (const int passed : {20, 20, 50, 29 * 60, 30 * 60 - 1}) {
            site.clock.advance(seconds(passed));
            const auto again = site.bookings.sessions.resume(opened->secret, {});
            REQUIRE(again);
            CHECK(left(again) == 30 * 60);
        }
        CHECK(left(site.bookings.sessions.choose(opened->secret, {.travelers = 2}, {})) == 30 * 60);
    });
}

TEST_CASE("a session lives thirty minutes after its last use") {
    each_booking_site([](BookingSite& site) {
        const std::string secret = site.open_session(site.given_trip().id);
        for (int use = 0; use < 5; ++use) {
            site.clock.advance(minutes(30) - seconds(1));
            CHECK(site.bookings.sessions.resume(secret, {}));
        }
        site.clock.advance(minutes(31));
        CHECK(code_of(site.bookings.sessions.resume(secret, {})) == "session_expired");
        CHECK(code_of(site.bookings.creator.create(secret, BookingSite::wanted(), {}, {})) == "session_expired");
    });
}

TEST_CASE("a session in use ends after twenty-four hours all the same") {
    each_booking_site([](BookingSite& site) {
        const std::string secret = site.open_session(site.given_trip().id);
        for (int use = 0; use < 71; ++use) {
            site.clock.advance(minutes(20));
            CHECK(site.bookings.sessions.resume(secret, {}));
        }
        site.clock.advance(minutes(20));
        CHECK(code_of(site.bookings.sessions.resume(secret, {})) == "session_expired");
    });
}

TEST_CASE("an unknown, an empty and a closed session are all expired") {
    each_booking_site([](BookingSite& site) {
        const std::string secret = site.open_session(site.given_trip().id);
        CHECK(code_of(site.bookings.sessions.resume((secret[0] == 'x' ? "y" : "x") + secret.substr(1), {})) ==
              "session_expired");
        CHECK(code_of(site.bookings.sessions.resume("", {})) == "session_expired");
        CHECK(site.bookings.sessions.close(secret, {}));
        CHECK(code_of(site.bookings.sessions.resume(secret, {})) == "session_expired");
        CHECK(code_of(site.bookings.creator.create(secret, BookingSite::wanted(), {}, {})) == "session_expired");
    });
}

TEST_CASE("a signed-in customer's session is of no use to anybody else") {
    each_booking_site([](BookingSite& site) {
        const auto ada = signed_in(site.given_user("ada"));
        const auto eve = signed_in(site.given_user("eve"));
        const std::string secret = site.open_session(site.given_trip().id, 1, ada);
        CHECK(site.bookings.sessions.resume(secret, ada));
        CHECK(code_of(site.bookings.sessions.resume(secret, eve)) == "session_expired");
        CHECK(code_of(site.bookings.sessions.resume(secret, {})) == "session_expired");
        CHECK(code_of(site.bookings.creator.create(secret, BookingSite::wanted(), eve, {})) == "session_expired");
        CHECK(site.bookings.creator.create(secret, BookingSite::wanted(), ada, {}).value().booking.user_id ==
              ada.user_id);
    });
}

TEST_CASE("a session that is changed by a signed-in customer becomes theirs") {
    each_booking_site([](BookingSite& site) {
        const auto ada = signed_in(site.given_user("ada"));
        const std::string secret = site.open_session(site.given_trip().id);
        CHECK(site.bookings.sessions.choose(secret, {.travelers = 2}, ada));
        CHECK(code_of(site.bookings.sessions.resume(secret, {})) == "session_expired");
        CHECK(site.bookings.sessions.resume(secret, ada));
    });
}

TEST_CASE("another trip clears what was chosen for the first, another date its time") {
    each_booking_site([](BookingSite& site) {
        const auto nile = site.given_trip();
        const auto alps = site.given_trip({.title = "Alps"});
        const std::string secret = site.open_session(nile.id, 3);
        const auto same = site.bookings.sessions.choose(secret, {.trip_id = nile.id}, {}).value();
        CHECK(same.session.travel_date == travel_day);
        CHECK(same.session.travelers == 3);
        const auto other = site.bookings.sessions.choose(secret, {.trip_id = alps.id}, {}).value();
        CHECK(other.session.trip_id == alps.id);
        CHECK_FALSE(other.session.travel_date);
        CHECK(other.session.travelers == 1);
        CHECK_FALSE(other.quote);
        const auto party = site.bookings.sessions.choose(secret, {.trip_id = nile.id, .travelers = 4}, {}).value();
        CHECK(party.session.travelers == 4);
        CHECK(site.emitted("svc_trip_added_to_session") == 3);
    });
}

TEST_CASE("what summaries and sessions show may be priced for another party, and the booking is not") {
    each_booking_site([](BookingSite& site) {
        const auto counts = [&](const char* filter, std::int64_t people) {
            REQUIRE(
                site.hooks.filter(filter, {.name = "test"}, [people](store::Transaction*, const json::Array& given) {
                    json::Value params = given.front();
                    params.set("travelers_count", people);
                    return params;
                }));
        };
        counts("svc_summary_calculation_params", 3);
        counts("svc_session_calculation_params", 2);
        const std::string secret = site.open_session(site.given_trip().id);
        CHECK(site.bookings.sessions.summary(secret, {}, {}).value().travelers == 3);
        CHECK(site.bookings.sessions.resume(secret, {}).value().quote.value().travelers == 2);
        CHECK(site.bookings.creator.create(secret, BookingSite::wanted(), {}, {}).value().booking.travelers_count == 1);
    });
}

TEST_CASE("a session makes one booking, and sending it again answers that one") {
    each_booking_site([](BookingSite& site) {
        const auto trip = site.given_trip();
        const auto departure = site.given_departure(trip.id, 10);
        const std::string secret = site.open_session(trip.id, 2);
        const auto first = site.bookings.creator.create(secret, BookingSite::wanted(), {}, {});
        const auto second = site.bookings.creator.create(secret, BookingSite::wanted("eve@example.org"), {}, {});
        REQUIRE(first);
        REQUIRE(second);
        CHECK_FALSE(first->repeated);
        CHECK(second->repeated);
        CHECK(second->booking.reference == first->booking.reference);
        CHECK(site.seats_of(departure) == 2);
        CHECK(site.emitted("svc_booking_created") == 1);
        CHECK(code_of(site.bookings.sessions.choose(secret, {.travelers = 1}, {})) == "svc_conflict");
    });
}
