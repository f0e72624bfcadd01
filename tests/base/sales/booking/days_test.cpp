// The days that lists are narrowed by are those of the operator's zone.
#include <doctest/doctest.h>

#include "tests/support/test_base.hpp"

using namespace svc;
using namespace svc::tests;

TEST_CASE("from and to are whole days of the site's zone in the lists of bookings and payments") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        TestBase base(database);
        const auto& admin = base.user("administrator");
        REQUIRE(base.call("PUT", "/settings", R"({"timezone":"Pacific/Auckland"})", admin).status == 200);
        const auto trip = base.given_trip();
        base.given_departure(trip);
        const auto booking = base.given_booking(trip);
        const auto payment = json::Value::object({{"booking_id", booking.id}, {"amount", 1}, {"gateway", "cash"}});
        REQUIRE(base.post("/payments", payment, admin).status == 201);
        // 2026-06-10 00:30 there, thirteen hours and a half earlier by UTC.
        const auto micros = std::to_string(Instant::parse("2026-06-09T12:30:00Z").value().micros());
        base.run(("UPDATE svc_bookings SET created_at = " + micros).c_str());
        base.run("UPDATE svc_payments SET payment_date = '2026-06-10'");
        for (const std::string list : {"/bookings", "/payments"}) {
            CAPTURE(list);
            const auto found = [&](const std::string& query) {
                const auto answered = base.get(list + "?" + query, admin);
                CHECK(answered.status == 200);
                return answered.body["meta"]["total"].integer();
            };
            CHECK(found("from=2026-06-10&to=2026-06-10") == 1);
            CHECK(found("from=2026-06-10") == 1);
            CHECK(found("to=2026-06-10") == 1);
            CHECK(found("to=2026-06-09") == 0);
            CHECK(found("from=2026-06-09&to=2026-06-09") == 0);
            CHECK(found("from=2026-06-11") == 0);
            CHECK(found("from=2026-06-09T12:30:00Z&to=2026-06-09T12:30:00Z") == 1);
            // A payment has no hour: of a moment its day counts.
            CHECK(found("from=2026-06-09T12:30:01Z") == (list == "/payments" ? 1 : 0));
            CHECK(found("from=2026-06-10T12:00:00Z") == 0);
        }
    });
}
