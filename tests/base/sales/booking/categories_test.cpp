// Bookings of a trip that is priced by traveler category.
#include "tests/base/sales/booking/booking_site.hpp"

using namespace svc;
using namespace svc::tests;

namespace {

std::int64_t category(BookingSite& site, const char* slug) {
    return site.number("SELECT id FROM svc_classifications WHERE slug = :slug AND type = 'traveler_type'",
                       {{"slug", slug}});
}

// Everybody of a party, with ages that fit their categories.
booking::NewBooking party(std::int64_t adults, std::int64_t children, std::int64_t infants = 0) {
    booking::NewBooking wanted = BookingSite::wanted();
    wanted.travelers = json::Value::array();
    const auto add = [&](std::int64_t people, const char* birth) {
        for (; people > 0; --people) {
            json::Value one = BookingSite::traveler("Ada", "Lovelace");
            one.set("date_of_birth", birth);
            wanted.travelers.push(std::move(one));
        }
    };
    add(adults, "1990-12-10");
    add(children, "2018-06-01");
    add(infants, "2026-06-01");
    return wanted;
}

}  // namespace

TEST_CASE("a session keeps how many of each category travel, and the booking is priced and seated by them") {
    each_booking_site([](BookingSite& site) {
        const auto adult = category(site, "adult"), child = category(site, "child");
        catalog::trips::TripChange change;
        change.title = "Nile cruise";
        change.duration = 4;
        change.status = "publish";
        change.pricing_type = "traveler_based";
        change.price_types = {{.category_id = adult, .regular_price = "100"},
                              {.category_id = child, .regular_price = "60"}};
        const auto trip = site.trips.editor().create(change, {}).value();
        const auto departure = site.given_departure(trip.id, 10);

        const std::string secret = site.open_session(trip.id);
        CHECK(code_of(site.bookings.creator.create(secret, BookingSite::wanted(), {}, {})) == "svc_validation_error");
        booking::Choice choice;
        choice.travelers = 5;
        choice.traveler_counts = {{adult, 2}, {child, 3}};
        const auto chosen = site.bookings.sessions.choose(secret, choice, {});
        REQUIRE(chosen);
        CHECK(chosen->quote->total.decimal() == "380.00");
        CHECK(site.bookings.sessions.resume(secret, {})->session.traveler_counts == choice.traveler_counts);
        const auto made = site.bookings.creator.create(secret, party(2, 3), {}, {});
        REQUIRE(made);
        CHECK(made->booking.total.decimal() == "380.00");
        CHECK(made->booking.travelers_count == 5);
        CHECK(made->booking.traveler_counts.size() == 2);
        CHECK(site.seats_of(departure) == 5);
        CHECK(site.number("SELECT COUNT(*) FROM svc_booking_lines") == 2);
        // Another number without categories forgets them.
        const std::string other = site.open_session(trip.id);
        choice.travelers = 2;
        choice.traveler_counts = {};
        CHECK(site.bookings.sessions.choose(other, choice, {})->session.traveler_counts.empty());
    });
}

TEST_CASE("a category that the setting names takes no seat, when a booking is made, moved and waits") {
    each_booking_site([](BookingSite& site) {
        const auto adult = category(site, "adult"), infant = category(site, "infant");
        catalog::trips::TripChange change;
        change.title = "Nile cruise";
        change.duration = 4;
        change.status = "publish";
        change.pricing_type = "traveler_based";
        change.price_types = {{.category_id = adult, .regular_price = "100"},
                              {.category_id = infant, .regular_price = "10"}};
        const auto trip = site.trips.editor().create(change, {}).value();
        const auto departure = site.given_departure(trip.id, 3);
        const auto booked = [&](std::int64_t adults, std::int64_t infants) {
            const std::string secret = site.open_session(trip.id);
            booking::Choice choice;
            choice.travelers = adults + infants;
            choice.traveler_counts = {{adult, adults}, {infant, infants}};
            static_cast<void>(site.bookings.sessions.choose(secret, choice, {}));
            return site.bookings.creator.create(secret, party(adults, 0, infants), {}, {});
        };
        site.set("seat_hold_categories_excluded", json::Value::array({infant}));
        // Nobody is booked without somebody who sits.
        CHECK(code_of(booked(0, 1)) == "group_size");
        const auto family = booked(2, 2);
        REQUIRE(family);
        CHECK(family->booking.travelers_count == 4);
        CHECK(family->booking.total.decimal() == "220.00");
        CHECK(site.seats_of(departure) == 2);
        // One seat is left, and two adults are one too many.
        CHECK(code_of(booked(2, 0)) == "sold_out");
        CHECK(booked(1, 3));
        CHECK(site.seats_of(departure) == 3);

        REQUIRE(site.to_status(family->booking.id, "cancelled"));
        CHECK(site.seats_of(departure) == 1);
        REQUIRE(site.to_status(family->booking.id, "pending"));
        CHECK(site.seats_of(departure) == 3);
        // Bookings that hold seats keep them when the setting changes.
        site.set("seat_hold_categories_excluded", json::Value::array());
        CHECK(site.seats_of(departure) == 3);
    });
}

TEST_CASE("a booking is charged by its date's pricing, by category or one price for all") {
    each_booking_site([](BookingSite& site) {
        const auto adult = category(site, "adult"), child = category(site, "child");
        const auto trip_of = [&](const char* pricing_type) {
            catalog::trips::TripChange change;
            change.title = "Nile cruise";
            change.duration = 4;
            change.status = "publish";
            change.pricing_type = pricing_type;
            change.regular_price = "90";
            change.price_types = {{.category_id = adult, .regular_price = "100"},
                                  {.category_id = child, .regular_price = "60"}};
            return site.trips.editor().create(change, {}).value();
        };
        const auto departure_of = [&](const catalog::trips::Trip& trip, const char* pricing_type) {
            const auto made = site.given_departure(trip.id, 10);
            availability::DepartureChange change;
            change.pricing_type = pricing_type;
            REQUIRE(site.availability.departures.update(trip.id, made, change, {}));
            return made;
        };
        booking::Choice choice;
        choice.travelers = 5;
        choice.traveler_counts = {{adult, 2}, {child, 3}};
        SUBCASE("by category on a trip of one price") {
            const auto trip = trip_of("regular");
            const auto departure = departure_of(trip, "traveler_based");
            const std::string secret = site.open_session(trip.id);
            CHECK(site.bookings.sessions.resume(secret, {})->traveler_based == true);
            // How many of each is asked for, as on any date by category.
            CHECK(code_of(site.bookings.creator.create(secret, BookingSite::wanted(), {}, {})) ==
                  "svc_validation_error");
            CHECK(site.bookings.sessions.choose(secret, choice, {})->quote->total.decimal() == "380.00");
            const auto made = site.bookings.creator.create(secret, party(2, 3), {}, {});
            REQUIRE(made);
            CHECK(made->booking.total.decimal() == "380.00");
            CHECK(made->booking.traveler_counts.size() == 2);
            CHECK(site.seats_of(departure) == 5);
        }
        SUBCASE("for all alike on a trip by category") {
            const auto trip = trip_of("traveler_based");
            const auto departure = departure_of(trip, "regular");
            const std::string secret = site.open_session(trip.id);
            CHECK(site.bookings.sessions.resume(secret, {})->traveler_based == false);
            CHECK(site.bookings.sessions.choose(secret, choice, {})->quote->total.decimal() == "450.00");
            const auto made = site.bookings.creator.create(secret, party(2, 3), {}, {});
            REQUIRE(made);
            CHECK(made->booking.total.decimal() == "450.00");
            CHECK(site.number("SELECT COUNT(*) FROM svc_booking_lines") == 1);
            CHECK(site.seats_of(departure) == 5);
        }
    });
}
