// Nobody keeps a date from others by holding its seats without paying.
#include <doctest/doctest.h>

#include "tests/support/each_on.hpp"
#include "tests/support/test_base.hpp"

using namespace svc;
using namespace svc::tests;

namespace {

struct SharedSeats {
    explicit SharedSeats(const Database& database) : base(database), trip(base.given_trip()) {}

    Answered book(const std::string& address, int seats = 1, int days_ahead = 30, bool wait = false) {
        const auto visitor = Visitor{}.from(address);
        const auto session = base.post(
            "/booking/session",
            json::Value::object({{"trip_id", trip}, {"travel_date", base.day(days_ahead)}, {"travelers_count", seats}}),
            visitor);
        const std::string name = std::to_string(++people);
        return base.post("/booking/create",
                         filled_in(json::Value::object({{"session_id", session.data().text_or("session_id")},
                                                        {"contact_last_name", name},
                                                        {"contact_email", "ada" + name + "@example.org"},
                                                        {"join_waitlist", wait}})),
                         visitor);
    }
    int booked(const std::string& address, int tries, int seats = 1) {
        int made = 0;
        for (int each = 0; each < tries; ++each)
            made += book(address, seats).status == 201 ? 1 : 0;
        return made;
    }

    TestBase base;
    std::int64_t trip;
    int people = 0;
};

const auto each_site = each_on<SharedSeats>;

}  // namespace

TEST_CASE("one address holds half of a date's seats unpaid and no more, another one the rest") {
    each_site([](SharedSeats& site) {
        site.base.given_departure(site.trip, 30, 23);
        CHECK(site.booked("203.0.113.9", 14) == 12);
        const auto refused = site.book("203.0.113.9");
        CHECK(refused.status == 409);
        CHECK(refused.code() == "unpaid_seats_limit");
        CHECK(site.base.number("SELECT booked_count FROM svc_departures") == 12);
        CHECK(site.booked("203.0.113.10", 13) == 11);
    });
}

TEST_CASE("ten seats are never too many: a small date is filled by one address, and is sold out then") {
    each_site([](SharedSeats& site) {
        site.base.given_departure(site.trip, 30, 2);
        CHECK(site.booked("203.0.113.9", 2) == 2);
        CHECK(site.book("203.0.113.9").code() == "sold_out");
        CHECK(site.book("203.0.113.9", 1, 30, true).data()["status"].text() == "waitlist");
        site.base.given_departure(site.trip, 31, 12);
        const auto& staff = site.base.user("administrator");
        CHECK(site.base.call("PUT", "/settings", R"({"unpaid_seats_share":1})", staff).status == 200);
        CHECK(site.book("203.0.113.9", 5, 31).status == 201);
        CHECK(site.book("203.0.113.9", 6, 31).code() == "unpaid_seats_limit");
        CHECK(site.book("203.0.113.9", 4, 31).status == 201);
        CHECK(site.book("203.0.113.9", 1, 31).status == 201);
        CHECK(site.book("203.0.113.9", 1, 31).code() == "unpaid_seats_limit");
    });
}

TEST_CASE("a network of IPv6 is one address, and waiting counts as holding") {
    each_site([](SharedSeats& site) {
        site.base.given_departure(site.trip, 30, 22);
        CHECK(site.book("2001:db8::1", 6).status == 201);
        CHECK(site.book("2001:db8::2", 5).status == 201);
        CHECK(site.book("2001:db8::3").status == 409);
        CHECK(site.book("2001:db8::4", 1, 30, true).code() == "unpaid_seats_limit");
        CHECK(site.base.number("SELECT COUNT(*) FROM svc_waitlist") == 0);
    });
}

TEST_CASE("one unpaid booking does not take all seats of a date for a day either") {
    each_site([](SharedSeats& site) {
        site.base.given_departure(site.trip, 30, 20);
        site.base.given_departure(site.trip, 31, 8);
        CHECK(site.book("203.0.113.9", 20).code() == "unpaid_seats_limit");
        CHECK(site.book("203.0.113.9", 12).code() == "unpaid_seats_limit");
        CHECK(site.book("203.0.113.9", 10).status == 201);
        // A family on a small date is no attack.
        CHECK(site.book("203.0.113.9", 8, 31).status == 201);
    });
}

TEST_CASE(
    "one mailbox waits once for a date and one network three times, so that nobody keeps others off the waitlist") {
    each_site([](SharedSeats& site) {
        for (const int days : {30, 31}) {
            site.base.given_departure(site.trip, days, 1);
            REQUIRE(site.book("203.0.113.1", 1, days).status == 201);
        }
        const auto waits = [&](const std::string& network, const std::string& mailbox, int days = 30) {
            const auto visitor = Visitor{}.from(network);
            const auto session = site.base.post(
                "/booking/session", json::Value::object({{"trip_id", site.trip}, {"travel_date", site.base.day(days)}}),
                visitor);
            const auto made =
                site.base.post("/booking/create",
                               filled_in(json::Value::object({{"session_id", session.data().text_or("session_id")},
                                                              {"contact_email", mailbox},
                                                              {"join_waitlist", true}})),
                               visitor);
            return made.status == 201 ? made.data()["status"].text() : made.code();
        };
        CHECK(waits("203.0.113.9", "ada@example.org") == "waitlist");
        // Again and again, from wherever and however it is written.
        CHECK(waits("203.0.113.9", "ada@example.org") == "unpaid_seats_limit");
        CHECK(waits("198.51.100.7", "Ada@Example.org") == "unpaid_seats_limit");
        CHECK(waits("198.51.100.7", "ada+again@example.org") == "unpaid_seats_limit");
        CHECK(waits("203.0.113.9", "bea@example.org") == "waitlist");
        CHECK(waits("203.0.113.9", "cleo@example.org") == "waitlist");
        for (int more = 0; more < 7; ++more)
            CHECK(waits("203.0.113.9", "more" + std::to_string(more) + "@example.org") == "unpaid_seats_limit");
        CHECK(site.base.number("SELECT COUNT(*) FROM svc_waitlist WHERE ended_at IS NULL") == 3);
        CHECK(waits("198.51.100.7", "dora@example.org") == "waitlist");
        CHECK(waits("203.0.113.9", "ada@example.org", 31) == "waitlist");
        // Who has left may come back.
        const auto first = site.base.number("SELECT MIN(booking_id) FROM svc_waitlist");
        REQUIRE(site.base
                    .call("PUT", "/bookings/" + std::to_string(first) + "/status", R"({"status":"cancelled"})",
                          site.base.user("administrator"))
                    .status == 200);
        CHECK(waits("203.0.113.9", "ada@example.org") == "waitlist");
    });
}

TEST_CASE("what is paid, confirmed or cancelled counts no more") {
    each_site([](SharedSeats& site) {
        site.base.given_departure(site.trip, 30, 24);
        const auto& staff = site.base.user("administrator");
        std::vector<std::int64_t> ids;
        for (int each = 0; each < 4; ++each)
            ids.push_back(site.book("203.0.113.9", 3).data()["booking_id"].integer());
        CHECK(site.book("203.0.113.9").status == 409);
        const auto status = [&](std::size_t which, const char* to) {
            return site.base
                .call("PUT", "/bookings/" + std::to_string(ids[which]) + "/status",
                      json::Value::object({{"status", to}}).dump(), staff)
                .status;
        };
        CHECK(status(0, "confirmed") == 200);
        CHECK(site.booked("203.0.113.9", 2, 3) == 1);
        CHECK(status(1, "cancelled") == 200);
        CHECK(site.booked("203.0.113.9", 2, 3) == 1);
        const auto payment =
            json::Value::object({{"booking_id", ids[2]}, {"amount", 1}, {"gateway", "cash"}, {"status", "completed"}});
        CHECK(site.base.post("/payments", payment, staff).status == 201);
        CHECK(site.booked("203.0.113.9", 2, 3) == 1);
    });
}

TEST_CASE("the share is the operator's to set, and a proxy's own address is nobody's") {
    each_site([](SharedSeats& site) {
        site.base.given_departure(site.trip, 30, 120);
        const auto& staff = site.base.user("administrator");
        CHECK(site.base.call("PUT", "/settings", R"({"unpaid_seats_share":10})", staff).status == 200);
        CHECK(site.booked("203.0.113.9", 5, 4) == 3);
        CHECK(site.booked("127.0.0.1", 5, 4) == 5);
        CHECK(site.base.call("PUT", "/settings", R"({"unpaid_seats_share":100})", staff).status == 200);
        CHECK(site.booked("203.0.113.9", 5, 4) == 5);
    });
}
