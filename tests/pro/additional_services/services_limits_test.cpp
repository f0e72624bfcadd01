// Additional services with limits: for each traveler, by departure, until a deadline; and the services of a trip.
#include <doctest/doctest.h>

#include "tests/support/test_base.hpp"

extern "C" const svc_plugin* svc_plugin_entry(void);

using namespace svc;
using namespace svc::tests;
using json::Value;

namespace {

struct Limited : TestBase {
    explicit Limited(Database& database) : TestBase(database, &svc_plugin_entry) {
        given_license("agency");
        REQUIRE(post("/modules/additional_services/toggle", Value::object({{"enabled", true}}), admin()).status == 200);
        trip = given_trip();
        REQUIRE(call("PUT", "/trips/" + std::to_string(trip),
                     R"({"regular_price":300,"discounted_price":null,"sale_price":null,"duration":5})", admin())
                    .status == 200);
        given_departure(trip);
    }
    const Visitor& admin() { return user("administrator"); }
    std::string text(std::int64_t id) const { return std::to_string(id); }
    std::int64_t given(const std::string& members) {
        const auto made = call("POST", "/additional-services", R"({"status":"publish",)" + members + "}", admin());
        CAPTURE(made.text);
        REQUIRE(made.status == 201);
        return made.data()["id"].integer();
    }
    // A booking of that many travelers with units of a service; `days`: of another departure.
    Answered booked(std::int64_t travelers, std::int64_t service, std::int64_t units, int days = 30) {
        const auto session =
            post("/booking/session",
                 Value::object({{"trip_id", trip}, {"travel_date", day(days)}, {"travelers_count", travelers}}));
        REQUIRE(session.status == 201);
        Value body = Value::object({{"session_id", session.data()["session_id"]}});
        if (units > 0)
            body.set("selected_services", Value::object({{text(service), units}}));
        return post("/booking/create", filled_in(std::move(body)));
    }
    Answered by_staff(const char* method, const std::string& path, const std::string& body = {}) {
        return call(method, path, body, admin());
    }
    Answered cancel(std::int64_t booking) {
        return by_staff("PUT", "/bookings/" + text(booking) + "/status", R"({"status":"cancelled"})");
    }
    std::string why(const Answered& refused) { return refused.body.text_or("message"); }

    std::int64_t trip = 0;
};

void each(const std::function<void(Limited&)>& body) {
    each_database([&](Database& database) {
        CAPTURE(database.name());
        Limited base(database);
        body(base);
    });
}

std::int64_t id_of(const Answered& made) {
    CAPTURE(made.text);
    REQUIRE(made.status == 201);
    return made.data()["id"].integer();
}

}  // namespace

TEST_CASE("a departure's stock is never oversold, whatever becomes of its bookings") {
    each([](Limited& base) {
        base.given_departure(base.trip, 40);
        const auto bike = base.given(R"("name":"Bike","price":20,"price_per":"booking","stock_per_departure":3)");
        const std::string field = "selected_services." + base.text(bike);

        const auto first = id_of(base.booked(1, bike, 2));
        const auto many = base.booked(1, bike, 2);
        CHECK(many.status == 400);
        CHECK(many.field() == field);
        CHECK(base.why(many).find("Only 1 ") != std::string::npos);
        const auto second = id_of(base.booked(1, bike, 1));
        const auto none = base.booked(1, bike, 1);
        CHECK(none.field() == field);
        CHECK(base.why(none).find("sold out") != std::string::npos);
        CHECK(base.booked(1, bike, 0).status == 201);  // the seats are not sold out
        const auto elsewhere = id_of(base.booked(1, bike, 3, 40));

        // What is read before booking says how many are left on that date.
        const auto page = [&](int days) {
            return base.get("/booking/trip/" + base.text(base.trip) + "?travel_date=" + base.day(days))
                .data()["additional_services"][std::size_t{0}]["stock_left"]
                .number_text();
        };
        CHECK(page(30) == "0");
        CHECK(page(40) == "0");

        // Given up, its units are free again; taken by others, it cannot come back, nor move to where none is left.
        REQUIRE(base.cancel(first).status == 200);
        CHECK(page(30) == "2");
        const auto third = id_of(base.booked(1, bike, 2));
        const auto back = base.by_staff("PUT", "/bookings/" + base.text(first) + "/status", R"({"status":"pending"})");
        CHECK(back.status == 409);
        CHECK(base.why(back).find("Bike") != std::string::npos);
        const auto moved =
            base.by_staff("PUT", "/bookings/" + base.text(elsewhere), R"({"travel_date":")" + base.day(30) + R"("})");
        CHECK(moved.status == 409);
        CHECK(base.get("/bookings/" + base.text(elsewhere), base.admin()).data()["travel_date"].text() == base.day(40));
        REQUIRE(base.cancel(third).status == 200);
        CHECK(base.by_staff("PUT", "/bookings/" + base.text(first) + "/status", R"({"status":"pending"})").status ==
              200);
        // Priced anew, a booking has its own units to take.
        CHECK(base.by_staff("PUT", "/bookings/" + base.text(second), R"({"recalculate":true})").status == 200);
        CHECK(base.by_staff(
                      "PUT", "/bookings/" + base.text(second),
                      R"({"recalculate":true,"additional_services":[{"id":)" + base.text(bike) + R"(,"quantity":2}]})")
                  .field() == field);
        // A smaller stock changes no booking.
        CHECK(base.by_staff("PUT", "/additional-services/" + base.text(bike), R"({"stock_per_departure":1})").status ==
              200);
        CHECK(base.by_staff("PUT", "/bookings/" + base.text(first), R"({"internal_notes":"as it was"})").status == 200);
    });
}

TEST_CASE("a price per person takes a piece for each traveler") {
    each([](Limited& base) {
        const auto bike = base.given(R"("name":"Bike","price":20,"price_per":"person","stock_per_departure":5)");
        id_of(base.booked(3, bike, 1));
        CHECK(base.why(base.booked(3, bike, 1)).find("Only 2 ") != std::string::npos);
        const auto two = id_of(base.booked(2, bike, 1));
        const auto grown = base.by_staff("PUT", "/bookings/" + base.text(two), R"({"travelers_count":3})");
        CHECK(grown.status == 409);
        const auto needs = base.get("/additional-services/departures?from=" + base.day(30), base.admin()).data();
        CAPTURE(needs.dump());
        REQUIRE(needs.size() == 1);
        CHECK(needs[std::size_t{0}]["quantity"].integer() == 5);
        CHECK(needs[std::size_t{0}]["bookings_count"].integer() == 2);
        CHECK(needs[std::size_t{0}]["stock_per_departure"].integer() == 5);
        CHECK(needs[std::size_t{0}]["travel_date"].text() == base.day(30));
    });
}

TEST_CASE("units are limited for a booking and for each of its travelers") {
    each([](Limited& base) {
        const auto bag =
            base.given(R"("name":"Bag","price":5,"price_per":"booking","max_per_traveler":2,"max_quantity":5)");
        const std::string field = "selected_services." + base.text(bag);
        CHECK(base.booked(1, bag, 3).field() == field);
        CHECK(base.booked(1, bag, 2).status == 201);
        CHECK(base.booked(2, bag, 4).status == 201);
        CHECK(base.booked(3, bag, 6).field() == field);  // the booking's own limit
        CHECK(base.booked(3, bag, 5).status == 201);
        const auto meal = base.given(R"("name":"Meal","price":9,"price_per":"person","max_per_traveler":1)");
        CHECK(base.booked(3, meal, 1).status == 201);
        CHECK(base.booked(3, meal, 2).field() == "selected_services." + base.text(meal));
        // A session does not know its party yet.
        CHECK(
            base.post("/booking/session", Value::object({{"trip_id", base.trip},
                                                         {"selected_services", Value::object({{base.text(bag), 4}})}}))
                .status == 201);
    });
}

TEST_CASE("after its deadline only staff add a service") {
    each([](Limited& base) {
        const auto cake = base.given(R"("name":"Cake","price":30,"price_per":"booking","deadline_hours":960)");
        const auto closed = base.booked(1, cake, 1);
        CHECK(closed.status == 400);
        CHECK(closed.field() == "selected_services." + base.text(cake));
        CHECK(base.why(closed).find("no longer") != std::string::npos);
        base.given_departure(base.trip, 45);
        CHECK(base.booked(1, cake, 1, 45).status == 201);
        const auto page = base.get("/booking/trip/" + base.text(base.trip) + "?travel_date=" + base.day(30))
                              .data()["additional_services"][std::size_t{0}];
        CHECK(page["is_closed"].boolean());
        CHECK(page["closes_at"].is_string());

        Value body = Value::object({{"trip_id", base.trip},
                                    {"travel_date", base.day(30)},
                                    {"travelers_count", 1},
                                    {"contact_first_name", "Ada"},
                                    {"contact_email", "ada@example.org"},
                                    {"additional_services", Value::array({cake})}});
        const auto by_staff = base.post("/bookings", body, base.admin());
        CAPTURE(by_staff.text);
        CHECK(by_staff.status == 201);
        CHECK(by_staff.data()["services_total"].number_text() == "30.00");
    });
}

TEST_CASE("limits that cannot be are refused with the field's name") {
    each([](Limited& base) {
        for (const auto& [members, field] :
             {std::pair(R"("max_per_traveler":0)", "max_per_traveler"),
              {R"("stock_per_departure":0)", "stock_per_departure"},
              {R"("deadline_hours":-1)", "deadline_hours"},
              {R"("deadline_hours":8761)", "deadline_hours"},
              {R"("stock_per_departure":4,"is_required":true)", "stock_per_departure"},
              {R"("stock_per_departure":4,"is_included":true)", "stock_per_departure"}}) {
            CAPTURE(members);
            const auto refused =
                base.by_staff("POST", "/additional-services", std::string(R"({"name":"x","price":1,)") + members + "}");
            CHECK(refused.status == 400);
            CHECK(refused.field() == field);
        }
        const auto id =
            base.given(R"("name":"Kayak","price":12,"max_per_traveler":1,"stock_per_departure":8,"deadline_hours":24)");
        const auto read = base.get("/additional-services/" + base.text(id), base.admin()).data();
        CHECK(read["max_per_traveler"].integer() == 1);
        CHECK(read["stock_per_departure"].integer() == 8);
        CHECK(read["deadline_hours"].integer() == 24);
        const auto none =
            base.by_staff("PUT", "/additional-services/" + base.text(id),
                          R"({"max_per_traveler":null,"stock_per_departure":null,"deadline_hours":null})");
        CHECK(none.data()["stock_per_departure"].is_null());
        CHECK(none.data()["deadline_hours"].is_null());
    });
}

TEST_CASE("a trip's services are read by everybody while it is published, and chosen by staff") {
    each([](Limited& base) {
        const std::string path = "/trips/" + base.text(base.trip) + "/services";
        const auto everywhere = base.given(R"("name":"Transfer","price":25,"price_per":"person","sort_order":1)");
        const auto other = base.given_trip("Red Sea");
        const auto special = base.given(
            R"("name":"Insurance","price":4.5,"price_type":"percentage","sort_order":2,"applicable_to":"specific_trips","trip_ids":[)" +
            base.text(other) + "]");
        const auto hidden = base.given(R"("name":"Later","price":1,"sort_order":3)");
        REQUIRE(base.by_staff("PUT", "/additional-services/" + base.text(hidden), R"({"status":"draft"})").status ==
                200);
        const auto names = [&] {
            std::vector<std::string> found;
            const auto read = base.get(path);
            for (const Value& one : read.data().items())
                found.push_back(one["name"].text());
            return found;
        };
        using Names = std::vector<std::string>;
        CHECK(names() == Names{"Transfer"});
        const auto offered = base.by_staff("PUT", path, R"({"service_ids":[)" + base.text(special) + "]}");
        CAPTURE(offered.text);
        REQUIRE(offered.status == 200);
        CHECK(offered.data().size() == 3);
        CHECK(names() == Names{"Transfer", "Insurance"});
        const auto shown = base.get(path).data();
        CHECK(shown[std::size_t{0}]["unit_label"].text() == "per person");
        CHECK(shown[std::size_t{0}]["id"].integer() == everywhere);
        CHECK(shown[std::size_t{1}]["unit_label"].text() == "of the price");
        CHECK(shown[std::size_t{1}]["price"].number_text() == "4.5");
        CHECK(shown[std::size_t{0}].find("total_revenue") == nullptr);
        CHECK(shown[std::size_t{0}].find("stock_per_departure") == nullptr);
        // It is sold there at once, and stays with the other trip.
        CHECK(base.get("/booking/trip/" + base.text(base.trip)).data()["additional_services"].size() == 2);
        const auto linked = base.get("/additional-services/" + base.text(special), base.admin()).data();
        CHECK(linked["trip_ids"].size() == 2);

        for (const auto& body :
             {std::string(R"({"service_ids":[999999]})"), std::string(R"({"service_ids":"all"})"), std::string("{}")}) {
            CAPTURE(body);
            const auto refused = base.by_staff("PUT", path, body);
            CHECK(refused.status == 400);
            CHECK(refused.field().starts_with("service_ids"));
        }
        CHECK(names() == Names{"Transfer", "Insurance"});
        CHECK(base.by_staff("PUT", path, R"({"service_ids":[]})").status == 200);
        CHECK(names() == Names{"Transfer"});
        // The last trip may go, too: the service stays as it is until it is offered again.
        CHECK(base.by_staff("PUT", "/trips/" + base.text(other) + "/services", R"({"service_ids":[]})").status == 200);
        CHECK(base.by_staff("PUT", "/additional-services/" + base.text(special), R"({"price":5})").status == 200);
        CHECK(base.by_staff("PUT", path, R"({"service_ids":[)" + base.text(special) + "]}").status == 200);
        CHECK(names().size() == 2);

        CHECK(base.call("PUT", path, R"({"service_ids":[]})").status == 401);
        CHECK(base.call("PUT", path, R"({"service_ids":[]})", base.user("svc_customer")).status == 403);
        CHECK(base.by_staff("PUT", "/trips/999999/services", R"({"service_ids":[]})").code() == "trip_not_found");
        CHECK(base.get("/trips/999999/services").code() == "trip_not_found");
        REQUIRE(base.by_staff("PUT", "/trips/" + base.text(base.trip), R"({"status":"draft"})").status == 200);
        CHECK(base.get(path).status == 404);
        CHECK(base.get(path, base.admin()).status == 200);
    });
}

TEST_CASE("what was sold is counted by service, without bookings that were given up") {
    each([](Limited& base) {
        const auto lunch = base.given(R"("name":"Lunch","price":10,"price_per":"person")");
        const auto never = base.given(R"("name":"Never","price":10)");
        id_of(base.booked(2, lunch, 1));
        const auto gone = id_of(base.booked(4, lunch, 1));
        id_of(base.booked(1, lunch, 0));
        REQUIRE(base.cancel(gone).status == 200);
        const auto report = base.get("/additional-services/report", base.admin()).data();
        CAPTURE(report.dump());
        CHECK(report["bookings_count"].integer() == 2);
        REQUIRE(report["services"].size() == 2);
        const Value& first = report["services"][std::size_t{0}];
        CHECK(first["service_id"].integer() == lunch);
        CHECK(first["bookings_count"].integer() == 1);
        CHECK(first["share_of_bookings"].number_text() == "50");
        CHECK(first["quantity"].integer() == 2);
        CHECK(first["revenue"].number_text() == "20.00");
        CHECK(report["services"][std::size_t{1}]["service_id"].integer() == never);
        CHECK(report["services"][std::size_t{1}]["revenue"].number_text() == "0.00");
        const auto before = base.get("/additional-services/report?to=2020-01-01", base.admin()).data();
        CHECK(before["bookings_count"].integer() == 0);
        CHECK(base.get("/additional-services/report?from=2027-01-01&to=2026-01-01", base.admin()).field() == "from");
        CHECK(base.get("/additional-services/report", base.user("svc_customer")).status == 403);
    });
}
