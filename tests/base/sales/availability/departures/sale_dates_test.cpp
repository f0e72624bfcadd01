// Dates on sale: the second view of the rows that departures are.
#include <doctest/doctest.h>

#include "tests/support/shop.hpp"

using namespace svc;
using tests::each_shop;
using tests::Shop;

namespace {

json::Value body(const char* text) { return json::parse(text).value(); }

tests::Answered add(Shop& shop, const char* text) { return shop.send("POST", "/availability", body(text)); }

std::int64_t category_id(Shop& shop, const char* slug) {
    return shop.store->reading<std::int64_t>([&](store::Session& session) {
        return session.number("SELECT id FROM svc_classifications WHERE slug = :slug AND type = 'traveler_type'",
                              {{"slug", slug}});
    });
}

}  // namespace

TEST_CASE("a date on sale and a departure are one row with two faces") {
    each_shop([](Shop& shop) {
        shop.given_trip();
        const auto made = add(shop, R"({"trip_id":1,"departure_date":"2026-06-10","departure_time":"09:00",)"
                                    R"("arrival_time":"18:00","seats_total":12,"original_price":260,)"
                                    R"("discounted_price":195,"from_location":"Luxor","from_latitude":25.7,)"
                                    R"("from_longitude":32.65,"special_notes":"Hats","alert_threshold":2})");
        REQUIRE(made.status == 201);
        CHECK(made.header("Location") == "/svc/v1/availability/1");
        CHECK(made.data()["arrival_date"].text() == "2026-06-13");
        CHECK(made.data()["return_date"].text() == "2026-06-13");
        CHECK(made.data()["discount_percentage"].integer() == 25);
        CHECK(made.data()["from_latitude"].number_text() == "25.7");
        CHECK(made.data()["status"].text() == "available");
        const auto other = shop.get("/trips/1/departures/1").data();
        CHECK(other["source"].text() == "fixed");
        CHECK(other["price_override"].number_text() == "260.00");
        CHECK(other["arrival_time"].text() == "18:00");
        shop.send("PUT", "/trips/1/departures/1", body(R"({"max_capacity":5,"notes":"x"})"));
        CHECK(shop.get("/availability/1").data()["seats_total"].integer() == 5);
        shop.send("PUT", "/availability/1", body(R"({"departure_date":"2026-06-20"})"));
        CHECK(shop.get("/trips/1/departures/1").data()["end_date"].text() == "2026-06-23");
        CHECK(shop.get("/trips/1/available-dates").column("date") == "2026-06-20");
    });
}

TEST_CASE("seats shown are current, and the status follows them or gives the reason why it is off sale") {
    each_shop([](Shop& shop) {
        const auto trip = shop.given_trip();
        add(shop, R"({"trip_id":1,"departure_date":"2026-06-10","seats_total":5})");
        const auto status = [&] { return shop.get("/availability/1").data()["status"].text(); };
        const auto set = [&](const char* text) { return shop.send("PUT", "/availability/1", body(text)); };
        REQUIRE(shop.take(trip, "2026-06-10", 1, 4));
        CHECK(status() == "limited");
        REQUIRE(shop.take(trip, "2026-06-10", 2, 1));
        CHECK(status() == "sold_out");
        CHECK(shop.get("/availability/1").data()["booked_seats"].integer() == 5);
        for (const char* off : {"closed", "unavailable"}) {
            CHECK(set((R"({"status":")" + std::string(off) + R"("})").c_str()).data()["status"].text() == off);
        }
        CHECK(set(R"({"is_blocked":true,"block_reason":"Flood"})").data()["status"].text() == "blocked");
        CHECK(shop.get("/availability/1").data()["block_reason"].text() == "Flood");
        CHECK(set(R"({"status":"available"})").data()["status"].text() == "sold_out");
        const auto small = set(R"({"seats_total":4})");
        CHECK(small.status == 409);
        CHECK(small.field() == "seats_total");
    });
}

TEST_CASE("a date that was deleted is there no more; a status takes it back") {
    each_shop([](Shop& shop) {
        shop.given_trip();
        add(shop, R"({"trip_id":1,"departure_date":"2026-06-10","seats_total":5})");
        CHECK(shop.send("DELETE", "/availability/1").data()["deleted"].boolean());
        CHECK(shop.get("/availability/1").status == 404);
        CHECK(shop.get("/trips/1/departures/1").status == 404);
        CHECK(shop.send("PUT", "/availability/1", body(R"({"seats_total":6})")).status == 404);
        CHECK(shop.send("PUT", "/availability/1", body(R"({"seats_total":6,"arrival_date":"2026-06-01"})")).status ==
              404);
        CHECK(shop.send("POST", "/availability/1/duplicate", body(R"({"departure_date":"2026-07-10"})")).status == 404);
        CHECK(shop.send("DELETE", "/availability/1").status == 404);
        CHECK(shop.get("/availability?trip_id=1&status=trash").column("id") == "1");
        CHECK(shop.send("PUT", "/availability/1", body(R"({"status":"available"})")).status == 200);
        CHECK(shop.get("/availability/1").data()["status"].text() == "available");
    });
}

TEST_CASE("sold_out ends the sale of a date with seats left, and like limited never puts one on sale") {
    each_shop([](Shop& shop) {
        const auto trip = shop.given_trip();
        add(shop, R"({"trip_id":1,"departure_date":"2026-06-10","seats_total":5})");
        const auto put = [&](const std::string& text) {
            return shop.send("PUT", "/availability/1", body(text.c_str())).data()["status"].text();
        };
        const auto on_sale = [&] { return shop.get("/trips/1/available-dates").column("date"); };
        for (const char* state : {"blocked", "closed", "unavailable", "cancelled"})
            for (const char* told : {"sold_out", "limited"}) {
                CAPTURE(state);
                CAPTURE(told);
                put(R"({"status":")" + std::string(state) + R"("})");
                CHECK(put(R"({"status":")" + std::string(told) + R"("})") == state);
                CHECK(on_sale().empty());
                put(R"({"status":"available"})");
            }
        put(R"({"status":"closed"})");
        CHECK(put(R"({"status":"limited","is_blocked":false})") == "closed");
        put(R"({"is_blocked":true})");
        CHECK(put(R"({"status":"limited","is_blocked":false})") == "available");
        CHECK(put(R"({"status":"limited"})") == "available");
        CHECK(put(R"({"status":"sold_out"})") == "unavailable");
        CHECK(on_sale().empty());
        CHECK_FALSE(shop.take(trip, "2026-06-10", 1));
        CHECK(put(R"({"status":"available"})") == "available");
        // Told of what has no seats left it is no change: more seats are on sale again.
        REQUIRE(shop.take(trip, "2026-06-10", 1, 5));
        CHECK(put(R"({"status":"sold_out"})") == "sold_out");
        CHECK(put(R"({"status":"sold_out","seats_total":10})") == "available");
        CHECK(add(shop, R"({"trip_id":1,"departure_date":"2026-06-20","seats_total":5,"status":"sold_out"})")
                  .data()["status"]
                  .text() == "unavailable");
        CHECK(on_sale() == "2026-06-10");
    });
}

TEST_CASE("the list is of one trip, by month, status and words, in pages of fifty") {
    each_shop([](Shop& shop) {
        const auto trip = shop.given_trip();
        shop.given_trip({.title = "Other"});
        add(shop, R"({"trip_id":1,"departure_date":"2026-06-10","seats_total":2,"from_location":"Köln"})");
        add(shop, R"({"trip_id":1,"departure_date":"2026-06-30","seats_total":10,"status":"closed"})");
        add(shop, R"({"trip_id":1,"departure_date":"2026-07-01","seats_total":10,"to_location":"Aswan"})");
        add(shop, R"({"trip_id":2,"departure_date":"2026-07-01","seats_total":10})");
        add(shop, R"({"trip_id":1,"departure_date":"2026-08-01","seats_total":10})");
        shop.send("DELETE", "/availability/5");
        REQUIRE(shop.take(trip, "2026-06-10", 1, 2));
        const auto ids = [&](const std::string& query) {
            return shop.get("/availability?trip_id=1" + query).column("id");
        };
        CHECK(ids("") == "1 2 3");
        CHECK(ids("&month=2026-06") == "1 2");
        CHECK(ids("&month=all&status=all") == "1 2 3");
        CHECK(ids("&status=sold_out") == "1");
        CHECK(ids("&status=closed") == "2");
        CHECK(ids("&status=available") == "3");
        CHECK(ids("&status=trash") == "5");
        CHECK(ids("&search=K%C3%96LN") == "1");
        CHECK(ids("&search=aswan") == "3");
        CHECK(ids("&search=2026-07") == "2 3");  // the second arrives then
        CHECK(ids("&orderby=seats_available&order=desc") == "3 2 1");
        CHECK(shop.get("/availability?trip_id=1").body["meta"]["per_page"].integer() == 50);
        CHECK(shop.get("/availability?trip_id=1&per_page=2&page=2").column("id") == "3");
        for (const auto& [query, field] :
             {std::pair("", "trip_id"), std::pair("?trip_id=9", "trip_id"),
              std::pair("?trip_id=1&month=2026-13", "month"), std::pair("?trip_id=1&month=soon", "month"),
              std::pair("?trip_id=1&status=full", "status")}) {
            CAPTURE(query);
            CHECK(shop.get(std::string("/availability") + query).field() == field);
        }
    });
}

TEST_CASE("a duplicate moves arrival and return along and takes no booking with it") {
    each_shop([](Shop& shop) {
        const auto trip = shop.given_trip();
        add(shop,
            R"({"trip_id":1,"departure_date":"2026-06-10","arrival_date":"2026-06-12","return_date":"2026-06-11",)"
            R"("seats_total":9,"original_price":5,"notes":"n"})");
        REQUIRE(shop.take(trip, "2026-06-10", 1, 2));
        const auto copy = shop.send("POST", "/availability/1/duplicate", body(R"({"departure_date":"2026-07-10"})"));
        REQUIRE(copy.status == 201);
        CHECK(copy.data()["arrival_date"].text() == "2026-07-12");
        CHECK(copy.data()["return_date"].text() == "2026-07-11");
        CHECK(copy.data()["booked_seats"].integer() == 0);
        CHECK(copy.data()["original_price"].number_text() == "5.00");
        CHECK(shop.send("POST", "/availability/1/duplicate", body(R"({"departure_date":"2026-07-10"})")).status == 409);
        CHECK(shop.send("POST", "/availability/1/duplicate",
                        body(R"({"departure_date":"2026-07-10","departure_time":"09:00","seats_total":3})"))
                  .data()["seats_total"]
                  .integer() == 3);
        CHECK(shop.send("POST", "/availability/1/duplicate", body("{}")).field() == "departure_date");
        CHECK(shop.send("POST", "/availability/77/duplicate", body(R"({"departure_date":"2026-07-10"})")).status ==
              404);
    });
}

TEST_CASE("what is wrong with a date on sale is named as the seller knows it") {
    each_shop([](Shop& shop) {
        shop.given_trip();
        const std::pair<const char*, const char*> wrong[] = {
            {R"("departure_date":"2026-02-30","seats_total":5)", "departure_date"},
            {R"("seats_total":5)", "departure_date"},
            {R"("departure_date":"2026-06-10")", "seats_total"},
            {R"("departure_date":"2026-06-10","seats_total":0)", "seats_total"},
            {R"("departure_date":"2026-06-10","seats_total":1099511627776)", "seats_total"},
            {R"("departure_date":"2026-06-10","arrival_date":"2026-06-09","seats_total":5)", "arrival_date"},
            {R"("departure_date":"2026-06-10","seats_total":5,"original_price":5,"discounted_price":6)",
             "discounted_price"},
            {R"("departure_date":"2026-06-10","seats_total":5,"price_types":[{"category_id":77,"original_price":1}])",
             "price_types"},
            {R"("departure_date":"2026-06-10","seats_total":5,"status":"open")", "status"}};
        for (const auto& [fields, field] : wrong) {
            CAPTURE(fields);
            const auto refused = add(shop, (R"({"trip_id":1,)" + std::string(fields) + "}").c_str());
            CHECK(refused.status == 400);
            CHECK(refused.field() == field);
        }
        CHECK(add(shop, R"({"trip_id":9,"departure_date":"2026-06-10","seats_total":5})").field() == "trip_id");
        CHECK(shop.get("/availability?trip_id=1").data().size() == 0);
    });
}

TEST_CASE("prices by traveler category are the date's own, all replaced at once") {
    each_shop([](Shop& shop) {
        shop.given_trip();
        const auto category = shop.store->reading<std::int64_t>([](store::Session& session) {
            return session.number("SELECT MIN(id) FROM svc_classifications WHERE type = 'traveler_type'", {});
        });
        const auto id = std::to_string(category);
        const std::string prices = R"([{"category_id":)" + id + R"(,"original_price":90,"discounted_price":80}])";
        const auto made = add(
            shop,
            (R"({"trip_id":1,"departure_date":"2026-06-10","seats_total":5,"price_types":)" + prices + "}").c_str());
        REQUIRE(made.status == 201);
        CHECK(made.data()["price_types"][0]["effective_price"].number_text() == "80.00");
        CHECK(shop.get("/trips/1/departures/1").data()["price_by_traveler_type"].dump() == "{\"" + id + "\":80.00}");
        shop.send("PUT", "/availability/1", body(R"({"seats_total":6})"));
        CHECK(shop.get("/availability/1").data()["price_types"].size() == 1);
        shop.send("PUT", "/availability/1", body(R"({"price_types":[]})"));
        CHECK(shop.get("/availability/1").data()["price_types"].size() == 0);
    });
}

TEST_CASE("a date of a trip priced by category shows what its own category costs there, and by whom it is paid") {
    each_shop([](Shop& shop) {
        const auto made = shop.send("POST", "/traveler-categories",
                                    body(R"({"name":"Couple","status":"publish",)"
                                         R"("pricing_mode":"per_group","max_pax":2})"));
        REQUIRE(made.status == 201);
        const auto couple = made.data()["id"].integer(), adult = category_id(shop, "adult"),
                   child = category_id(shop, "child");
        catalog::trips::TripChange change;
        change.pricing_type = "traveler_based";
        change.price_types = {{.category_id = adult,
                               .regular_price = "100",
                               .discounted_price = "80",
                               .valid_to = Date::parse("2026-06-30")},
                              {.category_id = child, .regular_price = "50"},
                              {.category_id = couple, .regular_price = "150"}};
        shop.given_trip(change);
        const auto given = [&](const char* date, const std::string& more) {
            const auto text =
                R"({"trip_id":1,"seats_total":5,"departure_date":")" + std::string(date) + "\"" + more + "}";
            REQUIRE(add(shop, text.c_str()).status == 201);
        };
        const auto price = [](std::int64_t id, const char* rest) {
            return R"({"category_id":)" + std::to_string(id) + R"(,"original_price":)" + rest + "}";
        };
        given("2026-06-10", R"(,"price_types":[)" + price(adult, "120") + "," + price(child, "60") + "]");
        given("2026-06-11", R"(,"original_price":77)");
        given("2026-06-12", "");
        given("2026-07-01", R"(,"price_types":[)" + price(couple, R"(40,"discounted_price":30)") + "]");

        const auto dates = shop.get("/trips/1/available-dates");
        CHECK(dates.column("price") == "120.00 80.00 80.00 30.00");
        CHECK(dates.column("original_price") == "120.00 100.00 100.00 40.00");
        CHECK(dates.column("price_override") == "null null null null");
        const auto template_of = shop.get("/trips/1/availability-template").data();
        CHECK(template_of["dates"][0]["formatted_price"].text().find("120") != std::string::npos);
        const auto priced = [&](const char* date) {
            return shop.get("/trips/1/date-pricing?date=" + std::string(date)).data();
        };
        const auto dearer = priced("2026-06-10");
        CHECK(dearer["price"].number_text() == "120.00");
        CHECK(dearer["discount_percent"].is_null());
        CHECK(dearer["travelers_html"].text().find("120") != std::string::npos);
        CHECK(priced("2026-06-12")["discount_percent"].integer() == 20);
        CHECK(priced("2026-06-12")["price_unit"].text() == "per_person");
        // Adults are not offered any more: the cheapest of the others is shown, with its unit.
        const auto late = priced("2026-07-01");
        CHECK(late["price"].number_text() == "30.00");
        CHECK(late["price_unit"].text() == "per_group");
        CHECK(late["price_unit_label"].text() == "per group (1-2 pax)");
        CHECK(late["price_types"].size() == 2);
    });
}

TEST_CASE("sellers need the trips' rights, and the right to cancel departures for ending one") {
    each_shop([](Shop& shop) {
        shop.given_trip();
        add(shop, R"({"trip_id":1,"departure_date":"2026-06-10","seats_total":5})");
        shop.as({"svc_view_trips"});
        CHECK(shop.get("/availability/1").status == 200);
        CHECK(shop.send("DELETE", "/availability/1").status == 403);
        shop.as({"svc_edit_trips"});
        CHECK(shop.send("PUT", "/availability/1", body(R"({"status":"cancelled"})")).status == 403);
        CHECK(shop.send("DELETE", "/availability/1").status == 200);
        CHECK(shop.send("DELETE", "/availability/1").status == 404);
        shop.as({});
        CHECK(shop.get("/availability/1").status == 401);
    });
}

TEST_CASE("a date's own pricing counts: by category on a trip of one price, one price on a trip of categories") {
    each_shop([](Shop& shop) {
        const auto adult = category_id(shop, "adult"), child = category_id(shop, "child");
        catalog::trips::TripChange alike, by_people;
        alike.price_types = {{.category_id = adult, .regular_price = "100"},
                             {.category_id = child, .regular_price = "50"}};
        by_people.price_types = alike.price_types;
        by_people.pricing_type = "traveler_based";
        by_people.regular_price = "140";
        shop.given_trip(alike);
        shop.given_trip(by_people);
        const auto given = [&](int trip, const char* date, const std::string& more) {
            const auto text = R"({"trip_id":)" + std::to_string(trip) + R"(,"seats_total":5,"departure_date":")" +
                              date + "\"" + more + "}";
            const auto made = add(shop, text.c_str());
            CAPTURE(made.text);
            REQUIRE(made.status == 201);
            return made.data()["pricing_type"];
        };
        const std::string own =
            R"("price_types":[{"category_id":)" + std::to_string(child) + R"(,"original_price":40}])";
        CHECK(given(1, "2026-06-10", R"(,"pricing_type":"traveler_based",)" + own).text() == "traveler_based");
        CHECK(given(1, "2026-06-11", "," + own).is_null());
        CHECK(given(2, "2026-06-10", R"(,"pricing_type":"regular","original_price":70)").text() == "regular");
        given(2, "2026-06-11", R"(,"pricing_type":"regular")");
        given(2, "2026-06-12", R"(,"original_price":70)");

        const auto of = [&](int trip) { return shop.get("/trips/" + std::to_string(trip) + "/available-dates"); };
        CHECK(of(1).column("pricing_type") == "traveler_based regular");
        CHECK(of(1).column("price") == "100.00 200.00");
        CHECK(of(2).column("pricing_type") == "regular regular traveler_based");
        CHECK(of(2).column("price") == "70.00 140.00 100.00");
        CHECK(of(2).column("price_override") == "70.00 null null");
        const auto priced = [&](const char* path) { return shop.get(path).data(); };
        const auto people = priced("/trips/1/date-pricing?date=2026-06-10");
        CHECK(people["pricing_type"].text() == "traveler_based");
        CHECK(people["price_types"].size() == 2);
        CHECK(people["price_types"][1]["price"].number_text() == "40.00");
        const auto all = priced("/trips/2/date-pricing?date=2026-06-10");
        CHECK(all["pricing_type"].text() == "regular");
        CHECK(all["price"].number_text() == "70.00");
        CHECK(all["price_types"].size() == 0);

        // Filters find them by what is paid.
        const auto at = [&](const std::string& price) {
            return shop.get("/trips/public?min_price=" + price + "&max_price=" + price).body["meta"]["total"].integer();
        };
        CHECK(at("40") == 1);
        CHECK(at("70") == 1);
        CHECK(at("140") == 1);
        CHECK(at("100") == 2);
        CHECK(at("200") == 1);

        // Where there is no price of that kind nobody may say so; where it went since, the trip's way counts.
        const auto free = shop.given_trip();
        CHECK(add(shop, (R"({"trip_id":)" + std::to_string(free.id) +
                         R"(,"seats_total":5,"departure_date":"2026-06-10","pricing_type":"traveler_based"})")
                            .c_str())
                  .field() == "pricing_type");
        shop.send("PUT", "/trips/1", body(R"({"price_types":[]})"));
        CHECK(of(1).column("pricing_type") == "regular regular");
        CHECK(of(1).column("price") == "200.00 200.00");
        shop.send("PUT", "/trips/2", body(R"({"regular_price":0})"));
        CHECK(of(2).column("pricing_type") == "regular traveler_based traveler_based");
        CHECK(add(shop, R"({"trip_id":2,"seats_total":5,"departure_date":"2026-06-20","pricing_type":"regular"})")
                  .field() == "pricing_type");
    });
}

TEST_CASE("a date returns the time at which its seats were last compared with the bookings") {
    each_shop([](Shop& shop) {
        shop.given_trip();
        add(shop, R"({"trip_id":1,"departure_date":"2026-06-10","seats_total":5})");
        const auto synced = [&](const char* path) { return shop.get(path).data()["last_synced_at"]; };
        CHECK(synced("/availability/1").is_null());
        const auto audited = [&](const char* at, const char* status) {
            REQUIRE(shop.store->write([&](store::Transaction& tx) -> Result<void> {
                tx.run("DELETE FROM svc_jobs WHERE name = 'seat_audit'", {});
                tx.run(
                    "INSERT INTO svc_jobs (name, interval_s, next_run_at, last_finished_at, last_status)"
                    " VALUES ('seat_audit', 86400, 0, :at, :status)",
                    {{"at", Instant::parse(at).value()}, {"status", status}});
                return {};
            }));
        };
        audited("2026-05-05T03:40:00Z", "failed");
        CHECK(synced("/availability/1").is_null());
        audited("2026-05-05T03:40:00Z", "ok");
        CHECK(synced("/availability/1").text() == "2026-05-05T03:40:00Z");
        shop.clock.advance(std::chrono::hours(48));
        add(shop, R"({"trip_id":1,"departure_date":"2026-06-11","seats_total":5})");
        CHECK(shop.get("/availability?trip_id=1").column("last_synced_at") ==
              "2026-05-05T03:40:00Z 2026-05-06T10:00:00Z");
    });
}

TEST_CASE("the date cards take a party as JSON, and what is none is refused by its name") {
    each_shop([](Shop& shop) {
        shop.given_trip();
        add(shop, R"({"trip_id":1,"departure_date":"2026-06-10","seats_total":2})");
        add(shop, R"({"trip_id":1,"departure_date":"2026-06-11","seats_total":5})");
        const auto cards = [&](const std::string& party) {
            return shop.get("/trips/1/availability-template?num_travelers=1&travelers=" + party);
        };
        for (const char* three : {"3", "[2,1]", "%7B%221%22:2,%222%22:1%7D"}) {
            CAPTURE(three);
            CHECK(cards(three).data()["total"].integer() == 1);
        }
        CHECK(cards("2").data()["total"].integer() == 2);
        for (const char* wrong : {"x", "[2", "0", "-1", "1.5", "[]", "%7B%22a%22:1%7D", "%7B%221%22:%22a%22%7D", "true",
                                  "%223%22", "100001", "[100000,100000]"}) {
            CAPTURE(wrong);
            const auto refused = cards(wrong);
            CHECK(refused.status == 400);
            CHECK(refused.field() == "travelers");
        }
    });
}
