// Making a booking: what is refused and why, what is stored, and who hears of it.
#include "tests/base/sales/booking/booking_site.hpp"

using namespace svc;
using namespace svc::tests;

namespace {

Result<booking::CreatedBooking> create(BookingSite& site, const std::string& secret,
                                       const booking::NewBooking& wanted) {
    return site.bookings.creator.create(secret, wanted, {}, {});
}

}  // namespace

TEST_CASE("a booking is what was chosen, priced now, with its reference and a guest's token") {
    each_booking_site([](BookingSite& site) {
        const auto trip = site.given_trip();
        const auto departure = site.given_departure(trip.id, 10);
        const auto made = site.try_booking(trip.id, 2);
        REQUIRE(made);
        const booking::Booking& booking = made->booking;
        CHECK(booking.total.decimal() == "399.98");
        CHECK(booking.amount_due().decimal() == "399.98");
        CHECK(booking.status == "pending");
        CHECK(booking.payment_status == "pending");
        CHECK(booking.end_date == travel_day.plus_days(3));
        CHECK(booking.departure_id == departure);
        CHECK(booking.reference.size() == 12);
        CHECK(made->booking_token.size() == 43);
        CHECK(site.seats_of(departure) == 2);
        CHECK(site.number("SELECT SUM(amount_minor) FROM svc_booking_lines WHERE booking_id = :id",
                          {{"id", booking.id}}) == 39998);
    });
}

TEST_CASE("a total that the customer did not see is refused with the price of now") {
    each_booking_site([](BookingSite& site) {
        const auto trip = site.given_trip();
        const std::string secret = site.open_session(trip.id, 2);
        booking::NewBooking wanted = BookingSite::wanted();
        for (const char* seen : {"399.97", "0", "399"}) {
            wanted.expected_total = seen;
            const auto made = create(site, secret, wanted);
            REQUIRE(code_of(made) == "price_changed");
            REQUIRE(made.error().data().size() == 1);
            CHECK(made.error().data()[0].first == "quote");
            CHECK(made.error().data()[0].second.find("\"final_total\":399.98") != std::string::npos);
        }
        CHECK(site.footprint() == std::vector<std::int64_t>(9, 0));
        wanted.expected_total = "399.980";
        CHECK(create(site, secret, wanted));
    });
}

TEST_CASE("a blocked customer is refused under any spelling of the address, and nothing is left behind") {
    each_booking_site([](BookingSite& site) {
        const auto trip = site.given_trip();
        site.given_booking(trip.id);
        execute(*site.real, {"UPDATE svc_customers SET status = 'blocked'"});
        const auto before = site.footprint();
        const std::string secret = site.open_session(trip.id);
        CHECK(code_of(create(site, secret, BookingSite::wanted("ADA@Example.org"))) == "customer_blocked");
        CHECK(site.footprint() == before);
        CHECK(create(site, secret, BookingSite::wanted("grace@example.org")));
    });
}

TEST_CASE("a customer's record emits events when it is made and when staff's booking fills it in, not otherwise") {
    each_booking_site([](BookingSite& site) {
        const auto trip = site.given_trip();
        const auto told = [&] {
            return std::pair(site.emitted("svc_customer_created"), site.emitted("svc_customer_updated"));
        };
        booking::NewBooking wanted = BookingSite::wanted();
        REQUIRE(create(site, site.open_session(trip.id), wanted));
        CHECK(told() == std::pair<std::int64_t, std::int64_t>(1, 0));
        REQUIRE(create(site, site.open_session(trip.id), wanted));
        CHECK(told() == std::pair<std::int64_t, std::int64_t>(1, 0));
        execute(*site.real, {"UPDATE svc_customers SET phone = ''"});  // as staff may leave it
        REQUIRE(create(site, site.open_session(trip.id), wanted));
        CHECK(told() == std::pair<std::int64_t, std::int64_t>(1, 0));  // a stranger changes nothing in it
        wanted.by_staff = true;
        REQUIRE(create(site, site.open_session(trip.id), wanted));
        CHECK(told() == std::pair<std::int64_t, std::int64_t>(1, 1));
        wanted.contact.phone = "+49 30 7654321";
        REQUIRE(create(site, site.open_session(trip.id), wanted));
        CHECK(told() == std::pair<std::int64_t, std::int64_t>(1, 1));
    });
}

TEST_CASE("who may book is decided by require_login and allow_guest_checkout") {
    each_booking_site([](BookingSite& site) {
        const auto trip = site.given_trip();
        const auto ada = signed_in(site.given_user("ada"));
        site.set("require_login", true);
        CHECK(code_of(site.try_booking(trip.id)) == "login_required");
        CHECK(site.bookings.creator.create(site.open_session(trip.id), BookingSite::wanted(), ada, {}));
        site.set("require_login", false);
        site.set("allow_guest_checkout", false);
        CHECK(code_of(site.try_booking(trip.id)) == "guest_not_allowed");
        const auto theirs = site.bookings.creator.create(site.open_session(trip.id), BookingSite::wanted(), ada, {});
        REQUIRE(theirs);
        CHECK(theirs->booking_token.empty());
        CHECK(theirs->booking.user_id == ada.user_id);
        site.set("allow_guest_checkout", true);
        CHECK(site.try_booking(trip.id));
    });
}

TEST_CASE("a party outside the trip's size is rejected with the limit") {
    each_booking_site([](BookingSite& site) {
        const auto trip = site.given_trip({.least = 2, .most = 4});
        site.given_departure(trip.id, 10);
        CHECK(code_of(site.try_booking(trip.id, 1)) == "group_size");
        CHECK(code_of(site.try_booking(trip.id, 5)) == "group_size");
        CHECK(site.try_booking(trip.id, 2));
        CHECK(site.try_booking(trip.id, 2));
    });
}

TEST_CASE("after the cut-off staff alone may book") {
    each_booking_site([](BookingSite& site) {
        const auto trip = site.given_trip({.deadline_hours = 48});
        site.clock.set("2027-02-26T23:59:59Z");
        CHECK(site.try_booking(trip.id));
        site.clock.set("2027-02-27T00:00:01Z");
        CHECK(code_of(site.try_booking(trip.id)) == "cutoff_passed");
        booking::NewBooking late = BookingSite::wanted();
        late.by_staff = true;
        CHECK(site.bookings.creator.create(site.open_session(trip.id), late, {}, {}));
    });
}

TEST_CASE("the last seat is sold once, and an unknown trip, date and gateway have errors of their own") {
    each_booking_site([](BookingSite& site) {
        const auto trip = site.given_trip();
        site.given_departure(trip.id, 1);
        booking::NewBooking wanted = BookingSite::wanted();
        wanted.gateway = "barter";
        CHECK(code_of(create(site, site.open_session(trip.id), wanted)) == "invalid_gateway");
        const std::string early = site.open_session(trip.id);
        CHECK(site.try_booking(trip.id));
        CHECK(code_of(create(site, early, BookingSite::wanted())) == "sold_out");
        wanted = BookingSite::wanted();
        wanted.choice.travel_date = travel_day.plus_days(1);
        CHECK(code_of(create(site, early, wanted)) == "date_unavailable");
        wanted.choice.trip_id = 9999;
        CHECK(code_of(create(site, early, wanted)) == "trip_not_found");
    });
}

TEST_CASE("travelers set the number where none was sent, and never lower it") {
    each_booking_site([](BookingSite& site) {
        const auto trip = site.given_trip();
        booking::NewBooking wanted = BookingSite::wanted();
        const auto person = BookingSite::traveler("Ada", "Lovelace");
        wanted.travelers = json::Value::array({person, person});
        wanted.choice.travelers = 1;
        CHECK(code_of(create(site, site.open_session(trip.id), wanted)) == "svc_validation_error");
        wanted.choice.travelers.reset();
        CHECK(create(site, site.open_session(trip.id), wanted).value().booking.travelers_count == 2);
        for (const int chosen : {1, 2}) {
            wanted.travelers = json::Value(json::Array(static_cast<std::size_t>(chosen + 1), person));
            CHECK(code_of(create(site, site.open_session(trip.id, chosen), wanted)) == "svc_validation_error");
        }
        // The price counts the chosen travelers, though only the lead is named.
        wanted.travelers = json::Value::array({person});
        CHECK(create(site, site.open_session(trip.id, 3), wanted).value().booking.travelers_count == 3);
    });
}

TEST_CASE(
    "a name known already is kept; staff fill blanks of the customer's record, a stranger changes nothing in it") {
    each_booking_site([](BookingSite& site) {
        const auto trip = site.given_trip();
        booking::NewBooking by_phone = BookingSite::wanted();  // staff need not ask everything
        by_phone.by_staff = true;
        by_phone.contact.phone.clear();
        REQUIRE(create(site, site.open_session(trip.id), by_phone));
        booking::NewBooking wanted = BookingSite::wanted("ADA@example.org");
        wanted.contact.first_name = "Eve";
        wanted.contact.phone = "555";
        CHECK(create(site, site.open_session(trip.id), wanted).value().booking.first_name == "Eve");
        CHECK(site.number("SELECT COUNT(*) FROM svc_customers WHERE first_name = 'Ada' AND phone = ''") == 1);
        wanted.by_staff = true;
        REQUIRE(create(site, site.open_session(trip.id), wanted));
        CHECK(site.number("SELECT COUNT(*) FROM svc_customers WHERE first_name = 'Ada' AND phone = '555'") == 1);
        CHECK(site.number("SELECT COUNT(*) FROM svc_customers") == 1);
    });
}

TEST_CASE("a booking that costs nothing is paid at once and confirmed as an online payment would") {
    each_booking_site([](BookingSite& site) {
        REQUIRE(site.hooks.filter("svc_booking_trip_price", {.name = "test"},
                                  [](store::Transaction*, const json::Array&) { return json::Value(0); }));
        const auto trip = site.given_trip();
        const auto made = site.given_booking(trip.id);
        CHECK(made.payment_status == "paid");
        CHECK(made.amount_due().is_zero());
        CHECK(site.booking_of(made.id).status == "confirmed");
        CHECK(site.emitted("svc_booking_confirmed") == 1);
        site.set("auto_confirm_mode", "none");
        CHECK(site.booking_of(site.given_booking(trip.id).id).status == "pending");
    });
}

TEST_CASE("under mode all an offline booking is confirmed when it is made") {
    each_booking_site([](BookingSite& site) {
        const auto trip = site.given_trip();
        site.set("auto_confirm_mode", "all");
        const auto made = site.try_booking(trip.id);
        REQUIRE(made);
        CHECK(made->booking.status == "confirmed");
        CHECK(made->booking.payment_status == "pending");
        CHECK(site.emitted("svc_booking_created") == 1);
        CHECK(site.emitted("svc_booking_confirmed") == 1);
        CHECK(site.seats_of(made->booking.departure_id.value()) == 1);
    });
}

TEST_CASE("services that listeners add are lines and sums of their own") {
    each_booking_site([](BookingSite& site) {
        const auto listening = site.hooks.filter(
            "svc_booking_additional_services", {.name = "test"}, [](store::Transaction*, const json::Array&) {
                return json::Value::array({json::Value::object(
                    {{"name", "Transfer"}, {"quantity", 2}, {"calculated_price", json::Number{"30.50"}}})});
            });
        REQUIRE(listening);
        const auto made = site.given_booking(site.given_trip().id);
        CHECK(made.services.decimal() == "30.50");
        CHECK(made.subtotal.decimal() == "199.99");
        CHECK(made.total.decimal() == "230.49");
        CHECK(site.number("SELECT amount_minor FROM svc_booking_lines WHERE kind = 'service' AND label = 'Transfer'") ==
              3050);
    });
}

TEST_CASE("listeners are called once for a booking, after it is committed") {
    each_booking_site([](BookingSite& site) {
        std::vector<std::string> heard;
        for (const char* action : {"svc_booking_created", "svc_booking_confirmed", "svc_booking_cancelled"})
            REQUIRE(site.hooks.on(action, {.name = "test"}, [&, action](const json::Array& arguments) {
                // Read outside of any transaction: what is told is there.
                const auto booking = site.booking_of(arguments[0].integer());
                heard.push_back(std::string(action) + " " + booking.status);
            }));
        const auto trip = site.given_trip();
        site.hooks.start();
        const auto made = site.given_booking(trip.id);
        CHECK(site.hooks.drain());
        CHECK(site.to_status(made.id, "confirmed"));
        CHECK(site.to_status(made.id, "confirmed"));
        CHECK(site.hooks.drain());
        CHECK(site.to_status(made.id, "cancelled"));
        CHECK(site.to_status(made.id, "cancelled"));
        CHECK(site.hooks.drain());
        CHECK(code_of(site.bookings.creator.create("nothing", BookingSite::wanted(), {}, {})) == "session_expired");
        CHECK(site.hooks.drain());
        site.hooks.stop();
        CHECK(heard == std::vector<std::string>{"svc_booking_created pending", "svc_booking_confirmed confirmed",
                                                "svc_booking_cancelled cancelled"});
    });
}

TEST_CASE("memory may show a seat that another process sold, and only the database sells or refuses one") {
    each_booking_site([](BookingSite& site) {
        const auto trip = site.given_trip();
        const auto departure = site.given_departure(trip.id, 1);
        const std::string session = site.open_session(trip.id);
        // As another process leaves it, before this one has heard of it.
        tests::execute(*site.real, {"UPDATE svc_departures SET booked_count = 1, revision = revision + 1"});
        CHECK(site.bookings.sessions.summary(session, {}, {}));
        CHECK(code_of(create(site, session, BookingSite::wanted())) == "sold_out");
        CHECK(site.number("SELECT COUNT(*) FROM svc_bookings") == 0);
        tests::execute(*site.real, {"UPDATE svc_departures SET booked_count = 0, revision = revision + 1"});
        site.availability.calendar.load();
        CHECK(create(site, session, BookingSite::wanted()));
        // Sold out in memory, and a seat came back elsewhere.
        const std::string late = site.open_session(trip.id);
        CHECK(code_of(site.bookings.sessions.summary(late, {}, {})) == "sold_out");
        tests::execute(*site.real, {"UPDATE svc_departures SET capacity = 2, revision = revision + 1"});
        CHECK(site.bookings.sessions.summary(late, {}, {}));
        CHECK(create(site, late, BookingSite::wanted()));
        CHECK(site.seats_of(departure) == 2);
    });
}

TEST_CASE("a party that a listener counts otherwise is priced, seated and booked as it was counted") {
    each_booking_site([](BookingSite& site) {
        const auto trip = site.given_trip();
        const auto departure = site.given_departure(trip.id, 5);
        std::int64_t counted = 3;
        REQUIRE(site.hooks.filter("svc_before_calculation_params", {.name = "test"},
                                  [&](store::Transaction*, const json::Array& given) {
                                      json::Value params = given.front();
                                      params.set("travelers_count", counted);
                                      return params;
                                  }));
        const auto check = [&](std::int64_t chosen) {
            const auto seats_before = site.seats_of(departure);
            const auto secret = site.open_session(trip.id, chosen);
            const auto quote = site.bookings.sessions.summary(secret, {}, {});
            REQUIRE(quote);
            CHECK(quote->travelers == counted);
            const auto made = site.bookings.creator.create(secret, BookingSite::wanted(), {}, {});
            REQUIRE(made);
            CHECK(made->booking.total == quote->total);
            CHECK(made->booking.travelers_count == counted);
            CHECK(made->booking.traveler_counts["0"].integer() == counted);
            CHECK(site.seats_of(departure) == seats_before + counted);
            REQUIRE(site.to_status(made->booking.id, "cancelled"));
            CHECK(site.seats_of(departure) == seats_before);
        };
        check(2);
        counted = 1;
        check(2);
        counted = 6;  // more than there are: neither shown nor sold
        const auto secret = site.open_session(trip.id, 2);
        CHECK(code_of(site.bookings.sessions.summary(secret, {}, {})) == "sold_out");
        CHECK(code_of(create(site, secret, BookingSite::wanted())) == "sold_out");
        CHECK(site.seats_of(departure) == 0);
        counted = 1;
        booking::NewBooking two = BookingSite::wanted();
        two.travelers =
            json::Value::array({BookingSite::traveler("Ada", "Lovelace"), BookingSite::traveler("Charles", "Babbage")});
        CHECK(code_of(create(site, site.open_session(trip.id, 2), two)) == "svc_validation_error");
    });
}

TEST_CASE("visitors book up to the horizon whatever they were shown, and staff beyond it") {
    each_booking_site([](BookingSite& site) {
        site.set("availability_horizon_months", 2);
        const auto trip = site.given_trip();
        const Date last = Date::parse("2027-03-10").value();  // two months from the site's day
        const auto on = [&](Date day) {
            return site.bookings.sessions.open({.trip_id = trip.id, .travel_date = day, .travelers = 1}, {})
                .value()
                .secret;
        };
        CHECK(create(site, on(last), BookingSite::wanted()));
        const Date beyond = last.plus_days(1);
        CHECK(site.bookings.sessions.summary(on(last), {}, {}));
        CHECK(code_of(site.bookings.sessions.summary(on(beyond), {}, {})) == "date_unavailable");
        CHECK(code_of(create(site, on(beyond), BookingSite::wanted())) == "date_unavailable");
        booking::NewBooking by_staff = BookingSite::wanted();
        by_staff.by_staff = true;
        CHECK(create(site, on(beyond), by_staff));
    });
}
