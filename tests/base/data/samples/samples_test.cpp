// The sample catalogue: there once, on sale, removed whole and nothing else with it.
#include "base/data/samples/samples.hpp"

#include <thread>

#include <doctest/doctest.h>

#include "base/data/samples/scenery.hpp"
#include "tests/support/test_base.hpp"

using namespace svc;
using namespace svc::tests;

namespace {

void each_base(const std::function<void(TestBase&)>& body) {
    each_database([&](Database& database) {
        CAPTURE(database.name());
        TestBase base(database);
        body(base);
    });
}

Answered import(TestBase& base, const char* body = "{}") {
    return base.call("POST", "/sample-data/import", body, base.user("owner"));
}

}  // namespace

TEST_CASE("the samples are twelve published trips with pictures, itineraries and eight to twelve dates to come") {
    each_base([](TestBase& base) {
        const auto loaded = import(base);
        CAPTURE(loaded.text);
        REQUIRE(loaded.status == 200);
        CHECK(loaded.data()["trips"].integer() == 12);
        CHECK(loaded.data()["rules"].integer() == 3);
        CHECK(loaded.data()["departures"].integer() == base.number("SELECT COUNT(*) FROM svc_departures"));
        CHECK(loaded.data()["media"].integer() == 12);
        CHECK(loaded.data()["classifications"].integer() == 23);
        CHECK(
            base.number("SELECT COUNT(*) FROM svc_trip_price_types p JOIN svc_classifications c ON c.id = p.category_id"
                        " WHERE c.slug = 'private-group'") == 2);
        CHECK(base.number("SELECT COUNT(*) FROM svc_trips WHERE pricing_type = 'traveler_based'") == 8);
        const auto trips = base.get("/trips/public?per_page=50");
        REQUIRE(trips.data().size() == 12);
        for (const auto& row : trips.data().items()) {
            CAPTURE(row["title"].text());
            const auto trip = base.get("/trips/public/" + row["slug"].text()).data();
            const auto& days = trip["itinerary_days"];
            CHECK(days.size() == static_cast<std::size_t>(std::max<std::int64_t>(1, trip["duration"].integer())));
            for (const auto& day : days.items())
                CHECK(day["entries"].size() > 0);
            const auto dates = base.get("/trips/" + trip["id"].dump() + "/available-dates").data();
            const auto rules = base.number(
                ("SELECT COUNT(*) FROM svc_availability_rules WHERE trip_id = " + trip["id"].dump()).c_str());
            CHECK(dates.size() >= (rules > 0 ? 16 : 8));  // a rule goes on when the planned dates end
            CHECK(dates.size() <= (rules > 0 ? 24 : 12));
            CHECK(base.get("/media/" + trip["featured_image"].dump() + "/thumbnail").status == 200);
        }
    });
}

TEST_CASE("they are loaded once, and anew when that is asked for") {
    each_base([](TestBase& base) {
        CHECK(import(base).status == 200);
        CHECK(import(base).code() == "svc_conflict");
        const auto status = base.get("/sample-data/status", base.user("owner"));
        CHECK(status.data()["is_imported"].boolean());
        CHECK(status.data()["counts"]["trips"].integer() == 12);
        CHECK(import(base, R"({"overwrite":true})").data()["trips"].integer() == 12);
        CHECK(base.get("/trips", base.user("owner")).header("X-Host-Total") == "12");
    });
}

TEST_CASE("an import whose process died is done from the start by the same request, and loads them once") {
    each_base([](TestBase& base) {
        const Visitor staff = base.user("owner").with("Idempotency-Key", "samples");
        const auto loaded = base.call("POST", "/sample-data/import", "{}", staff);
        REQUIRE(loaded.status == 200);
        // As if it had died before it was answered: what it had begun is known, how it ended is not.
        static_cast<void>(base.assembly->store->write([](store::Transaction& tx) -> Result<void> {
            CHECK(
                tx.run("UPDATE svc_idempotency_keys SET answer = NULL, claim = 'died', created_at = 0, running_until ="
                       " (SELECT MIN(expires_at) FROM svc_idempotency_keys), expires_at = (SELECT MIN(expires_at)"
                       " FROM svc_idempotency_keys) WHERE expires_at = (SELECT MAX(expires_at) FROM"
                       " svc_idempotency_keys)",
                       {}) == 1);
            return {};
        }));
        const auto again = base.call("POST", "/sample-data/import", "{}", staff);
        CAPTURE(again.text);
        CHECK(again.status == 200);
        CHECK(again.data() == loaded.data());
        CHECK(base.get("/trips", base.user("owner")).header("X-Host-Total") == "12");
        CHECK(base.call("POST", "/sample-data/import", "{}", staff).text == again.text);
    });
}

TEST_CASE("a cleanup leaves every table as it was, but for events, and what is the operator's own stays") {
    each_base([](TestBase& base) {
        const auto own = base.given_trip("Our own");
        base.given_departure(own, 30);
        base.given_booking(own, 30);
        static_cast<void>(base.user("owner"));
        auto before = base.row_counts();
        const auto loaded = import(base);
        CHECK(loaded.status == 200);
        const auto gone = base.call("DELETE", "/sample-data/cleanup", {}, base.user("owner"));
        CAPTURE(gone.text);
        CHECK(gone.data() == loaded.data());
        CHECK(gone.data()["kept"].integer() == 0);
        auto after = base.row_counts();
        for (const auto& [table, rows] : before)
            if (table.find("event") == std::string::npos && table.find("_change") == std::string::npos &&
                table.find("limit") == std::string::npos && !table.starts_with("svc_trip_search_") &&
                table.find("_grams_") == std::string::npos && !table.ends_with("_tallies")) {
                CAPTURE(table);
                CHECK(after[table] == rows);
            }
        CHECK(base.get("/trips/public").header("X-Host-Total") == "1");
        CHECK_FALSE(base.get("/sample-data/status", base.user("owner")).data()["has_data"].boolean());
        CHECK(base.call("DELETE", "/sample-data/cleanup", {}, base.user("owner")).data()["trips"].integer() == 0);
    });
}

TEST_CASE("twenty sample bookings in every usual state are made by the ordinary rules, and send no e-mail") {
    each_base([](TestBase& base) {
        const auto told = [&] {
            return std::pair(base.number("SELECT COUNT(*) FROM svc_email_outbox"),
                             base.number("SELECT COUNT(*) FROM svc_domain_events WHERE name LIKE '%booking%'"
                                         " OR name LIKE '%payment%' OR name LIKE '%customer%' OR name LIKE '%seats%'"));
        };
        const auto before = told();
        const auto loaded = import(base);
        CHECK(loaded.data()["bookings"].integer() == 20);
        CHECK(told() == before);
        CHECK(base.number("SELECT COUNT(*) FROM svc_bookings WHERE source = 'import'") == 20);
        CHECK(base.number("SELECT COUNT(DISTINCT status) FROM svc_bookings") == 7);
        CHECK(base.number("SELECT COUNT(*) FROM svc_customers") == 19);
        CHECK(base.number("SELECT COUNT(*) FROM svc_payments WHERE status = 'completed'") >= 10);
        CHECK(base.number("SELECT COUNT(*) FROM svc_bookings b WHERE amount_paid_minor <> (SELECT"
                          " COALESCE(SUM(amount_minor), 0) FROM svc_payments p WHERE p.booking_id = b.id)") == 0);
        // Seats are held by those who hold seats, and by nobody else.
        CHECK(base.number("SELECT SUM(booked_count) FROM svc_departures") ==
              base.number("SELECT SUM(travelers_count) FROM svc_bookings WHERE status NOT IN ('cancelled', 'failed')"));
        const auto status = base.get("/sample-data/status", base.user("owner")).data();
        CHECK(status["counts"]["bookings"].integer() == 20);
        CHECK(base.get("/bookings?status=on-hold", base.user("owner")).data().size() == 2);
        REQUIRE(base.assembly->bookings.trip_counts.run());
        CHECK(base.number("SELECT SUM(bookings_count) FROM svc_trips") == 16);

        // Somebody booked by the address of a sample's customer: the customer is theirs now.
        const auto own = base.given_trip("Our own");
        base.given_departure(own, 30);
        const auto real = base.post("/bookings",
                                    json::Value::object({{"trip_id", own},
                                                         {"travel_date", base.day(30)},
                                                         {"travelers_count", 1},
                                                         {"contact_first_name", "Ines"},
                                                         {"contact_email", "ines.duarte@example.com"}}),
                                    base.user("owner"));
        REQUIRE(real.status == 201);
        const auto gone = base.call("DELETE", "/sample-data/cleanup", {}, base.user("owner"));
        CHECK(gone.data()["bookings"].integer() == 20);
        CHECK(gone.data()["kept"].integer() == 0);
        CHECK(base.number("SELECT COUNT(*) FROM svc_bookings") == 1);
        CHECK(base.number("SELECT COUNT(*) FROM svc_customers") == 1);
        CHECK(base.number("SELECT COUNT(*) FROM svc_payments") == 0);
        CHECK(base.number("SELECT COUNT(*) FROM svc_sample_sales") == 0);
    });
}

TEST_CASE("bookings are left out where trips alone are asked for, and trips come along with bookings") {
    each_base([](TestBase& base) {
        const auto trips = import(base, R"({"data_types":["trips"]})");
        CHECK(trips.data()["trips"].integer() == 12);
        CHECK(trips.data()["bookings"].integer() == 0);
        const auto both = import(base, R"({"data_types":["bookings"],"overwrite":true})");
        CHECK(both.data()["trips"].integer() == 12);
        CHECK(both.data()["bookings"].integer() == 20);
        CHECK(import(base).code() == "svc_conflict");
        CHECK(base.number("SELECT COUNT(*) FROM svc_bookings") == 20);
        const auto again = import(base, R"({"overwrite":true})");
        CHECK(again.data()["bookings"].integer() == 20);
        CHECK(base.number("SELECT COUNT(*) FROM svc_bookings") == 20);
    });
}

TEST_CASE("a sample that somebody booked is kept, off the shelf") {
    each_base([](TestBase& base) {
        CHECK(import(base).status == 200);
        const auto trip = base.number("SELECT MIN(id) FROM svc_trips WHERE pricing_type = 'regular'");
        const auto date = base.get("/trips/" + std::to_string(trip) + "/available-dates").data()[0]["date"].text();
        const auto session =
            base.post("/booking/session",
                      json::Value::object({{"trip_id", trip}, {"travel_date", date}, {"travelers_count", 2}}));
        const auto made = base.post(
            "/booking/create", filled_in(json::Value::object({{"session_id", session.data().text_or("session_id")}})));
        CAPTURE(made.text);
        REQUIRE(made.status == 201);
        const auto gone = base.call("DELETE", "/sample-data/cleanup", {}, base.user("owner"));
        CHECK(gone.data()["trips"].integer() == 11);
        CHECK(gone.data()["kept"].integer() >= 1);
        CHECK(base.get("/trips/public").header("X-Host-Total") == "0");
        CHECK(base.number("SELECT COUNT(*) FROM svc_bookings") == 1);
    });
}

TEST_CASE("a new installation gets them only while it has no trip") {
    each_base([](TestBase& base) {
        auto& samples = base.assembly->samples.samples;
        base.given_trip();
        CHECK(samples.import_into_empty().value().trips == 0);
        base.run("DELETE FROM svc_trips");
        const auto counts = samples.import_into_empty().value();
        CHECK(counts.trips == 12);
        // With bookings and payments, so that the first day's screens and the reports show something; nobody is written
        // to.
        CHECK(counts.bookings > 10);
        CHECK(base.number("SELECT COUNT(*) FROM svc_bookings") == counts.bookings);
        CHECK(base.number("SELECT COUNT(*) FROM svc_payments") > 5);
        CHECK(base.number("SELECT COUNT(*) FROM svc_domain_events WHERE name = 'svc_booking_created'") == 0);
        CHECK(samples.import_into_empty().value().trips == 0);
        CHECK(base.number("SELECT COUNT(*) FROM svc_bookings") == counts.bookings);
    });
}

TEST_CASE("a load that was stopped resumes, and no trip is made twice") {
    struct UntilFive final : Progress {
        void at(std::string_view, std::int64_t done, std::int64_t total) override { told.emplace_back(done, total); }
        [[nodiscard]] bool is_stopped() const override { return told.back().first == 5; }
        std::vector<std::pair<std::int64_t, std::int64_t>> told;
    };
    each_base([](TestBase& base) {
        auto& samples = base.assembly->samples.samples;
        UntilFive first;
        CHECK_THROWS_WITH((void)samples.import_into_empty(first),
                          "5 of 12 sample trips are loaded; run svc samples to load the rest.");
        CHECK(first.told.size() == 6);
        CHECK(base.number("SELECT COUNT(*) FROM svc_trips") == 5);
        // A kill between a trip and its rule left the rule out, and the operator took one trip away.
        base.run("DELETE FROM svc_availability_rules");
        const std::int64_t gone = base.number("SELECT MIN(id) FROM svc_trips");
        REQUIRE(base.call("DELETE", "/trips/" + std::to_string(gone), {}, base.user("owner")).status == 200);

        // Two at once: each trip is made by one of them.
        std::int64_t made[2] = {};
        std::vector<std::thread> loaders;
        for (auto& count : made)
            loaders.emplace_back([&] { count = samples.import_into_empty().value().trips; });
        for (auto& loader : loaders)
            loader.join();
        // Whoever comes second leaves the rest to the first.
        CHECK(made[0] + made[1] <= 7);
        samples.import_into_empty().value();
        CHECK(base.number("SELECT COUNT(*) FROM svc_trips") == 12);
        CHECK(base.number("SELECT COUNT(DISTINCT title) FROM svc_trips") == 12);
        CHECK(base.number("SELECT COUNT(*) FROM svc_availability_rules") == 3);
        CHECK(samples.import_into_empty().value().trips == 0);
        CHECK(base.number("SELECT COUNT(*) FROM svc_sample_rows WHERE kind = 'trip'") == 12);
        // Each booking is made once, whoever makes it.
        CHECK(base.number("SELECT COUNT(*) FROM svc_bookings") > 10);
        CHECK(base.number("SELECT COUNT(*) FROM svc_sample_sales WHERE kind = 'booking'") ==
              base.number("SELECT COUNT(*) FROM svc_bookings"));
        CHECK(base.number("SELECT COUNT(*) FROM svc_bookings") <= 20);
    });
}

TEST_CASE("the same words draw the same picture, and other words another one") {
    const auto sea = samples::scenery("sea", 96, 64);
    CHECK(samples::scenery("sea", 96, 64).rgb == sea.rgb);
    CHECK(samples::scenery("desert", 96, 64).rgb != sea.rgb);
}
