// Counts of a trip, and its dates as staff see them, by the whole base.
#include <doctest/doctest.h>

#include "base/sales/booking/record/hooks.hpp"
#include "base/sales/booking/upkeep/trip_counts.hpp"
#include "tests/support/test_base.hpp"

using namespace svc;
using namespace svc::tests;
using json::Value;

namespace {

struct Desk {
    explicit Desk(TestBase& test_base) : base(test_base), staff(base.user("administrator")), trip(base.given_trip()) {}

    Answered read() { return base.get("/trips/" + std::to_string(trip), staff); }
    std::int64_t count(const char* name) { return read().data()[name].integer(); }
    // Runs the job, a minute later.
    void counted() {
        REQUIRE(base.assembly->hooks.drain());
        REQUIRE(base.assembly->bookings.trip_counts.run());
    }
    json::Value shown() { return base.get("/trips/public/nile-cruise").data(); }

    TestBase& base;
    const Visitor& staff;
    std::int64_t trip;
};

void each_desk(const std::function<void(Desk&)>& body) {
    each_database([&](Database& database) {
        CAPTURE(database.name());
        TestBase base(database);
        Desk desk(base);
        body(desk);
    });
}

}  // namespace

TEST_CASE("visitors' views of a trip are counted, staff's are not, and no read writes") {
    each_desk([](Desk& desk) {
        auto& views = desk.base.assembly->trips.service.views();
        const auto version = desk.count("row_version");
        for (int i = 0; i < 3; ++i)
            REQUIRE(desk.base.get("/trips/public/nile-cruise").status == 200);
        const auto tag = desk.base.get("/trips/public/nile-cruise").header("ETag");
        CHECK(desk.base.get("/trips/public/nile-cruise", Visitor{}.with("If-None-Match", tag)).status == 304);
        desk.base.get("/trips/public/nile-cruise", desk.staff);
        desk.base.get("/trips/public/no-such-trip");
        CHECK(desk.count("views_count") == 0);
        CHECK(desk.base.number("SELECT COUNT(*) FROM svc_trip_views") == 0);
        views.write_down();
        CHECK(desk.count("views_count") == 5);
        CHECK(desk.read().data()["last_viewed_at"].is_string());
        desk.base.get("/trips/public/nile-cruise");
        views.write_down();
        views.write_down();
        CHECK(desk.count("views_count") == 6);
        CHECK(desk.base.number("SELECT SUM(views) FROM svc_trip_views") == 6);
        desk.base.assembly->trips.service.public_trips().reload_changed();
        CHECK(desk.shown()["views_count"].integer() == 6);
        // No write of the trip: whoever is changing it is not in anybody's way.
        CHECK(desk.count("row_version") == version);
        CHECK(desk.base
                  .call("PUT", "/trips/" + std::to_string(desk.trip),
                        R"({"summary":"s","row_version":)" + std::to_string(version) + "}", desk.staff)
                  .status == 200);
    });
}

TEST_CASE("a trip returns the number of its bookings and their payments") {
    each_desk([](Desk& desk) {
        desk.base.given_departure(desk.trip);
        const auto first = desk.base.given_booking(desk.trip), second = desk.base.given_booking(desk.trip);
        CHECK(desk.count("bookings_count") == 0);
        desk.counted();
        CHECK(desk.count("bookings_count") == 2);
        CHECK(desk.shown()["bookings_count"].integer() == 2);
        CHECK(desk.read().data()["revenue_total"].number_text() == "0.00");
        CHECK(desk.read().data()["last_booked_at"].is_string());
        const std::string path = "/bookings/" + std::to_string(first.id);
        REQUIRE(desk.base
                    .call("POST", path + "/payments", R"({"amount":12.5,"gateway":"pay_later","status":"completed"})",
                          desk.staff)
                    .status == 201);
        desk.counted();
        CHECK(desk.read().data()["revenue_total"].number_text() == "12.50");
        const auto set = [&](std::int64_t id, const char* status) {
            REQUIRE(desk.base
                        .call("PUT", "/bookings/" + std::to_string(id) + "/status",
                              std::string(R"({"status":")") + status + "\"}", desk.staff)
                        .status == 200);
            desk.counted();
        };
        set(first.id, "confirmed");
        CHECK(desk.count("bookings_count") == 2);
        set(second.id, "cancelled");
        CHECK(desk.count("bookings_count") == 1);
        CHECK(desk.read().data()["revenue_total"].number_text() == "12.50");
        set(first.id, "cancelled");
        CHECK(desk.count("bookings_count") == 0);
        CHECK(desk.read().data()["revenue_total"].number_text() == "0.00");
        CHECK(desk.read().data()["last_booked_at"].is_null());
        // Nothing is due any more, and a copy starts at nothing.
        CHECK((*desk.base.assembly->bookings.trip_counts.run())["trips"].integer() == 0);
        CHECK(desk.base.number("SELECT COUNT(*) FROM svc_trip_counts_due") == 0);
        // There are no reviews yet.
        CHECK(desk.count("reviews_count") == 0);
    });
}

TEST_CASE("listeners say which statuses do not count, trip by trip") {
    each_desk([](Desk& desk) {
        TestBase& base = desk.base;
        base.leaves_what_holds = false;  // statuses without what belongs to them
        base.given_departure(desk.trip);
        const auto first = base.given_booking(desk.trip), second = base.given_booking(desk.trip);
        base.run(("UPDATE svc_bookings SET status = 'confirmed' WHERE id = " + std::to_string(first.id)).c_str());
        base.run(("UPDATE svc_bookings SET status = 'cancelled' WHERE id = " + std::to_string(second.id)).c_str());
        std::vector<std::int64_t> asked;
        json::Value excluded = json::Value::array({"confirmed"});
        // Listeners come before the start, and this base has started: a count of the same trips with one of its own.
        app::Assembly& all = *base.assembly;
        REQUIRE(all.hooks.drain());
        events::Events hooks(*all.store, all.clock, all.metrics);
        hooks.declare(booking::uncounted_statuses);
        REQUIRE(hooks.filter("svc_trip_bookings_count_exclude_statuses", {.name = "test"},
                             [&](store::Transaction*, const json::Array& given) {
                                 CHECK(given.at(0).dump().find("cancelled") != std::string::npos);
                                 asked.push_back(given.at(1).integer());
                                 return excluded;
                             }));
        booking::TripCounts counts(*all.store, hooks, all.trips.service);
        REQUIRE(counts.run());
        CHECK(asked == std::vector{desk.trip});
        CHECK(desk.count("bookings_count") == 1);  // the cancelled one alone
        excluded = json::Value::array();
        base.run("INSERT INTO svc_trip_counts_due (trip_id, marks) SELECT id, 1 FROM svc_trips");
        REQUIRE(counts.run());
        CHECK(desk.count("bookings_count") == 2);
    });
}

TEST_CASE("who waits for seats has not booked yet") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        TestBase base(database);
        Desk desk(base);
        base.given_departure(desk.trip);
        base.given_booking(desk.trip);
        desk.counted();
        CHECK(desk.count("bookings_count") == 1);
        base.leaves_what_holds = false;  // it waits in no list
        base.run("UPDATE svc_bookings SET status = 'waitlist'");
        base.run("INSERT INTO svc_trip_counts_due (trip_id, marks) SELECT id, 1 FROM svc_trips");
        desk.counted();
        CHECK(desk.count("bookings_count") == 0);
    });
}

TEST_CASE("a trip's answer has its departures from today on for staff; lists, visitors and revisions have none") {
    each_desk([](Desk& desk) {
        CHECK(desk.read().data()["availability_dates"].size() == 0);
        const auto later = desk.base.given_departure(desk.trip, 40), sooner = desk.base.given_departure(desk.trip, 30);
        const auto told = desk.read().data()["availability_dates"];
        REQUIRE(told.size() == 2);
        CHECK(told[0]["id"].integer() == sooner);
        CHECK(told[1]["id"].integer() == later);
        CHECK(told[0]["departure_date"].text() == desk.base.day(30));
        desk.base.given_booking(desk.trip, 30);
        CHECK(desk.read().data()["availability_dates"][0]["booked_seats"].integer() > 0);
        const std::string path = "/trips/" + std::to_string(desk.trip);
        // A list takes none away, and null says nothing of them.
        for (const char* none : {"[]", "null"}) {
            const auto put = desk.base.call(
                "PUT", path, std::string(R"({"summary":"s","availability_dates":)") + none + "}", desk.staff);
            CHECK(put.data()["availability_dates"].size() == 2);
        }
        CHECK(desk.base.call("DELETE", path + "/departures/" + std::to_string(later), {}, desk.staff).status == 200);
        CHECK(desk.read().data()["availability_dates"].size() == 1);
        CHECK(desk.shown().find("availability_dates") == nullptr);
        CHECK(desk.base.get("/trips", desk.staff).data()[0].find("availability_dates") == nullptr);
        const auto revision = desk.base.get(path + "/revisions", desk.staff).data()[0]["id"].dump();
        const auto kept = desk.base.get(path + "/revisions/" + revision, desk.staff).data()["data"];
        CHECK(kept.is_object());
        CHECK(kept.find("availability_dates") == nullptr);
    });
}

TEST_CASE("dates that come with a trip are put on sale with it, or nothing is written") {
    each_desk([](Desk& desk) {
        TestBase& base = desk.base;
        const auto date = [&](int ahead, const char* more = "{}") {
            Value one = Value::object({{"departure_date", base.day(ahead)}, {"seats_total", 12}});
            const Value others = json::parse(more).value();
            for (const auto& [name, value] : others.members())
                one.set(name, value);
            return one;
        };
        const auto make = [&](Value dates) {
            return base.post("/trips",
                             Value::object({{"title", "Alps"},
                                            {"regular_price", 100},
                                            {"duration", 3},
                                            {"status", "publish"},
                                            {"availability_dates", std::move(dates)}}),
                             desk.staff);
        };
        const auto before = base.row_counts();
        const auto refused = [&](Value dates) {
            const auto answered = make(std::move(dates));
            CHECK(answered.status == 400);
            CHECK(base.row_counts() == before);
            return answered.field();
        };
        CHECK(refused(Value::array({date(30), date(30)})) == "availability_dates.1.departure_date");
        CHECK(refused(Value::array({date(-1)})) == "availability_dates.0.departure_date");
        CHECK(refused(Value::array({date(30), Value::object({{"seats_total", 5}})})) ==
              "availability_dates.1.departure_date");
        CHECK(refused(Value::array({date(30, R"({"status":"cancelled"})")})) == "availability_dates.0.status");
        CHECK(refused(Value::array({date(30, R"({"original_price":90,"discounted_price":95})")})) ==
              "availability_dates.0.discounted_price");
        CHECK(refused(Value::array({date(30, R"({"id":1})")})) == "availability_dates.0.id");

        const auto made = make(Value::array({date(40), date(30, R"({"departure_time":"09:00","original_price":90})"),
                                             date(30, R"({"departure_time":"14:00"})")}));
        CAPTURE(made.text);
        REQUIRE(made.status == 201);
        const auto id = made.data()["id"].dump();
        REQUIRE(made.data()["availability_dates"].size() == 3);
        CHECK(made.data()["availability_dates"][0]["original_price"].number_text() == "90.00");
        CHECK(made.data()["availability_dates"][0]["seats_total"].integer() == 12);
        CHECK(base.get("/trips/" + id + "/available-dates").data().size() == 3);  // in memory too

        // Sent back as it was read it changes nothing; seats that were sold meanwhile do not matter.
        const std::string path = "/trips/" + id;
        Value whole = base.get(path, desk.staff).data();
        base.given_booking(made.data()["id"].integer(), 40);
        const auto rows = [&] { return base.get("/availability?trip_id=" + id, desk.staff).data().dump(); };
        const auto known = rows();
        whole.erase("row_version");
        auto put = base.call("PUT", path, whole.dump(), desk.staff);
        CAPTURE(put.text);
        CHECK(put.status == 200);
        CHECK(put.data()["row_version"] == made.data()["row_version"]);
        CHECK(rows() == known);

        // Existing dates change by their own route; new ones may be added.
        Value dates = whole["availability_dates"];
        dates.items()[0].set("seats_total", 3);
        const auto with = [&](const Value& list) {
            return base.call("PUT", path, Value::object({{"availability_dates", list}}).dump(), desk.staff);
        };
        CHECK(with(dates).field() == "availability_dates.0");
        CHECK(with(Value::array({Value::object({{"id", 999999}})})).field() == "availability_dates.0.id");
        CHECK(rows() == known);
        put = with(Value::array({date(50)}));
        CHECK(put.status == 200);
        CHECK(put.data()["availability_dates"].size() == 4);
        CHECK(with(Value::array({date(50)})).field() == "availability_dates.0.departure_date");
    });
}
