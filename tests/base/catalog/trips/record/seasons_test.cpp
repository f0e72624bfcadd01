// Seasons of a trip: written and read with it, refused by their field, and found by their prices.
#include "tests/base/catalog/trips/catalogue.hpp"

using namespace svc;
using namespace svc::tests;

namespace {

std::string path_of(const Answered& made) { return "/trips/" + made.data()["id"].dump(); }

json::Value with(const char* seasons) { return json::Value::object({{"seasons", json::parse(seasons).value()}}); }

// Published, one day, 100.00.
Answered given(Shop& shop, const char* seasons, const char* title = "Alps") {
    auto sent = body(R"({"status":"publish","duration":1,"regular_price":100})");
    sent.set("title", title);
    sent.set("seasons", json::parse(seasons).value());
    return shop.send("POST", "/trips", sent);
}

// By category: adults 100.00 and children 60.00.
Answered given_by_category(Shop& shop, const char* title = "People") {
    auto sent = body(R"({"status":"publish","duration":1,"pricing_type":"traveler_based"})");
    sent.set("title", title);
    sent.set(
        "price_types",
        json::Value::array({json::Value::object({{"category_id", category(shop, "adult")}, {"regular_price", 100}}),
                            json::Value::object({{"category_id", category(shop, "child")}, {"regular_price", 60}})}));
    return shop.send("POST", "/trips", sent);
}

const char* const summer = R"([{"from":"2026-07-01","to":"2026-08-31","regular_price":150,"note":"dear"}])";

}  // namespace

TEST_CASE("seasons come back as they were written, by their dates; without the body's member they stay") {
    each_shop([](Shop& shop) {
        const auto trip = given(shop, R"([{"from":"2026-12-20","to":"2027-01-06","seats":6},
            {"from":"2026-07-01","to":"2026-08-31","regular_price":150,"sale_price":140.5,"note":"dear"}])");
        REQUIRE(trip.status == 201);
        const std::string expected =
            R"([{"from":"2026-07-01","to":"2026-08-31","regular_price":150.00,"sale_price":140.50,)"
            R"("effective_price":140.50,"price_types":[],"seats":null,"note":"dear"},)"
            R"({"from":"2026-12-20","to":"2027-01-06","regular_price":null,"sale_price":null,)"
            R"("effective_price":null,"price_types":[],"seats":6,"note":""}])";
        CHECK(trip.data()["seasons"].dump() == expected);
        CHECK(shop.get(path_of(trip)).data()["seasons"].dump() == expected);
        CHECK(shop.send("PUT", path_of(trip), body(R"({"summary":"s"})")).data()["seasons"].dump() == expected);
        CHECK(shop.send("PUT", path_of(trip), body(R"({"seasons":null})")).data()["seasons"].dump() == "[]");
        CHECK(shop.get(path_of(trip)).data()["seasons"].dump() == "[]");
    });
}

TEST_CASE("an answer can be sent back as it came") {
    each_shop([](Shop& shop) {
        const auto trip = given(shop, summer);
        const auto before = shop.get(path_of(trip)).data();
        const auto again = shop.send("PUT", path_of(trip), json::Value::object({{"seasons", before["seasons"]}}));
        REQUIRE(again.status == 200);
        CHECK(again.data()["row_version"] == before["row_version"]);
    });
}

TEST_CASE("everyone reads dates and prices of seasons, staff alone the note") {
    each_shop([](Shop& shop) {
        const auto trip = given(shop, summer);
        shop.as({});
        const auto shown = shop.get("/trips/public/alps").data()["seasons"];
        REQUIRE(shown.size() == 1);
        CHECK(shown[0]["from"].text() == "2026-07-01");
        CHECK(shown[0]["regular_price"].number_text() == "150.00");
        CHECK_FALSE(shown[0].find("note"));
        CHECK(shop.get("/trips/public/alps").text.find("dear") == std::string::npos);
        CHECK(shop.send("PUT", path_of(trip), with("[]")).status == 401);
        shop.as({"svc_view_trips"});
        CHECK(shop.send("PUT", path_of(trip), with("[]")).status == 403);
        CHECK(shop.get(path_of(trip)).data()["seasons"][0]["note"].text() == "dear");
    });
}

TEST_CASE("seasons of one trip that share a day are a conflict at the later one's from") {
    each_shop([](Shop& shop) {
        const auto refused = given(shop, R"([{"from":"2026-07-01","to":"2026-08-31","regular_price":150},
            {"from":"2026-09-01","to":"2026-09-30","regular_price":120},
            {"from":"2026-06-01","to":"2026-07-01","regular_price":130}])");
        CHECK(refused.status == 409);
        CHECK(refused.code() == "svc_conflict");
        CHECK(refused.field() == "seasons.2.from");
        const auto trip = given(shop, summer);
        const auto whole = shop.send("PUT", path_of(trip), with(R"([
            {"from":"2026-07-01","to":"2026-08-31"},{"from":"2026-08-01","to":"2026-08-01"}])"));
        CHECK(whole.status == 409);
        CHECK(whole.field() == "seasons.1.from");
        CHECK(shop.get(path_of(trip)).data()["seasons"].size() == 1);
        CHECK(shop.send("PUT", path_of(trip), with(R"([{"from":"2026-07-01","to":"2026-07-31"},
            {"from":"2026-08-01","to":"2026-08-31"}])"))
                  .status == 200);
    });
}

TEST_CASE("a wrong season is refused by the name of its field") {
    each_shop([](Shop& shop) {
        const auto trip = given_by_category(shop);
        REQUIRE(trip.status == 201);
        const auto adult = std::to_string(category(shop, "adult"));
        const auto refused = [&](const std::string& members) {
            const auto answer =
                shop.send("PUT", path_of(trip),
                          with((R"([{"from":"2026-01-01","to":"2026-01-02"},{"from":"2026-07-01","to":"2026-08-31",)" +
                                members + "}]")
                                   .c_str()));
            CHECK(answer.status == 400);
            CHECK(answer.code() == "svc_validation_error");
            return answer.field();
        };
        CHECK(refused(R"("regular_price":-1)") == "seasons.1.regular_price");
        CHECK(refused(R"("regular_price":1.234)") == "seasons.1.regular_price");
        CHECK(refused(R"("regular_price":"cheap")") == "seasons.1.regular_price");
        CHECK(refused(R"("regular_price":100,"sale_price":100)") == "seasons.1.sale_price");
        CHECK(refused(R"("sale_price":100)") == "seasons.1.regular_price");
        CHECK(refused(R"("seats":0)") == "seasons.1.seats");
        CHECK(refused(R"("note":")" + std::string(501, 'n') + '"') == "seasons.1.note");
        CHECK(refused(R"("price_types":[{"category_id":99999,"regular_price":1}])") ==
              "seasons.1.price_types.0.category_id");
        CHECK(refused(R"("price_types":[{"category_id":)" + adult + "}]") == "seasons.1.price_types.0.regular_price");
        CHECK(refused(R"("price_types":[{"category_id":)" + adult + R"(,"regular_price":-5}])") ==
              "seasons.1.price_types.0.regular_price");
        CHECK(refused(R"("price_types":[{"category_id":)" + adult + R"(,"regular_price":5,"sale_price":6}])") ==
              "seasons.1.price_types.0.sale_price");
        CHECK(refused(R"("price_types":[{"category_id":)" + adult + R"(,"regular_price":5},{"category_id":)" + adult +
                      R"(,"regular_price":6}])") == "seasons.1.price_types.1.category_id");
        const auto sent = [&](const char* seasons) {
            const auto answer = shop.send("PUT", path_of(trip), with(seasons));
            CHECK(answer.status == 400);
            return answer.field();
        };
        CHECK(sent(R"([{"from":"2026-07-02","to":"2026-07-01"}])") == "seasons.0.from");
        CHECK(sent(R"([{"to":"2026-07-01"}])") == "seasons.0.from");
        CHECK(sent(R"([{"from":"2026-07-01"}])") == "seasons.0.to");
        CHECK(sent(R"([{"from":"2026-02-30","to":"2026-07-01"}])") == "seasons.0.from");
    });
}

TEST_CASE("a category that the trip has no price for any more takes its prices in seasons with it") {
    each_shop([](Shop& shop) {
        const auto trip = given_by_category(shop);
        const auto adult = category(shop, "adult"), child = category(shop, "child");
        const auto price = [](std::int64_t id, int amount) {
            return json::Value::object({{"category_id", id}, {"regular_price", amount}});
        };
        const auto season =
            json::Value::object({{"from", "2026-07-01"},
                                 {"to", "2026-08-31"},
                                 {"price_types", json::Value::array({price(child, 70), price(adult, 150)})}});
        const auto written =
            shop.send("PUT", path_of(trip), json::Value::object({{"seasons", json::Value::array({season})}}));
        REQUIRE(written.status == 200);
        CHECK(written.data()["seasons"][0]["price_types"].size() == 2);
        const auto fewer = shop.send("PUT", path_of(trip),
                                     json::Value::object({{"price_types", json::Value::array({price(adult, 90)})}}));
        REQUIRE(fewer.status == 200);
        const auto left = shop.get(path_of(trip)).data()["seasons"][0]["price_types"];
        REQUIRE(left.size() == 1);
        CHECK(left[0]["category_id"].integer() == adult);
        CHECK(left[0]["regular_price"].number_text() == "150.00");
    });
}

TEST_CASE("revisions and duplicates have the seasons") {
    each_shop([](Shop& shop) {
        const auto trip = given(shop, summer);
        shop.send("PUT", path_of(trip), body(R"({"seasons":null})"));
        const auto revision = shop.get(path_of(trip) + "/revisions").data()[std::size_t{0}]["id"].dump();
        const auto back = shop.send("PUT", path_of(trip) + "/revisions/" + revision);
        REQUIRE(back.status == 200);
        CHECK(back.data()["seasons"].size() == 1);
        CHECK(back.data()["seasons"][0]["note"].text() == "dear");
        const auto copy = shop.send("POST", path_of(trip) + "/duplicate").data()["trip"];
        CHECK(copy["seasons"].dump() == back.data()["seasons"].dump());
    });
}

TEST_CASE("a revision without its category comes back with the season and without that category's price") {
    each_shop([](Shop& shop) {
        const auto group = given_class(shop, "traveler_type", "Gang");
        auto sent = body(R"({"title":"One","regular_price":5,"duration":1,"status":"publish"})");
        const auto price = json::Value::object({{"category_id", group}, {"regular_price", 7}});
        sent.set("price_types", json::Value::array({price}));
        sent.set("seasons", json::Value::array({json::Value::object({{"from", "2026-07-01"},
                                                                     {"to", "2026-07-02"},
                                                                     {"regular_price", 9},
                                                                     {"price_types", json::Value::array({price})}})}));
        const auto trip = shop.send("POST", "/trips", sent);
        REQUIRE(trip.status == 201);
        REQUIRE(shop.send("PUT", path_of(trip), body(R"({"price_types":null,"seasons":null})")).status == 200);
        execute(*shop.store, {"DELETE FROM svc_classifications WHERE slug = 'gang'"});
        const auto revision = shop.get(path_of(trip) + "/revisions").data()[std::size_t{0}]["id"].dump();
        const auto back = shop.send("PUT", path_of(trip) + "/revisions/" + revision);
        REQUIRE(back.status == 200);
        REQUIRE(back.data()["seasons"].size() == 1);
        CHECK(back.data()["seasons"][0]["price_types"].size() == 0);
        CHECK(back.data()["seasons"][0]["regular_price"].number_text() == "9.00");
    });
}

TEST_CASE("prices of seasons move with the trip to the site's currency") {
    each_shop([](Shop& shop) {
        const auto trip = given(shop, summer);
        REQUIRE(shop.settings.write(json::Value::object({{"currency", "EUR"}}), shop.staff_id));
        REQUIRE(shop.send("PUT", path_of(trip), body(R"({"sale_price":95})")).data()["currency"].text() == "EUR");
        CHECK(shop.get(path_of(trip)).data()["seasons"][0]["regular_price"].number_text() == "150.00");
        REQUIRE(
            shop.send("PUT", path_of(trip), with(R"([{"from":"2026-07-01","to":"2026-07-02","regular_price":1.5}])"))
                .status == 200);
        REQUIRE(shop.settings.write(json::Value::object({{"currency", "JPY"}}), shop.staff_id));
        CHECK(shop.send("PUT", path_of(trip), body(R"({"regular_price":101,"sale_price":95})")).field() ==
              "seasons.0.regular_price");
    });
}

TEST_CASE(
    "a price filter finds a season's price as long as the season has days left, and the trip's where it has none") {
    each_shop([](Shop& shop) {
        given(shop, R"([{"from":"2026-07-01","to":"2026-08-31","regular_price":150,"sale_price":140}])");
        const auto people = given_by_category(shop);
        REQUIRE(shop.send("PUT", path_of(people),
                          with((R"([{"from":"2026-07-01","to":"2026-07-31","price_types":[{"category_id":)" +
                                std::to_string(category(shop, "adult")) + R"(,"regular_price":170}]}])")
                                   .c_str()))
                    .status == 200);
        auto always = body(R"({"status":"publish","title":"Always","duration":1,"regular_price":500,
            "available_from":"2026-06-01","available_to":"2026-06-30"})");
        always.set("seasons", json::parse(R"([{"from":"2026-05-01","to":"2026-06-30","regular_price":190}])").value());
        REQUIRE(shop.send("POST", "/trips", always).status == 201);
        const auto at = [&](const std::string& price) {
            return shop.get("/trips/public?orderby=title&order=asc&min_price=" + price + "&max_price=" + price)
                .column("title");
        };
        CHECK(at("140") == "Alps");
        CHECK(at("150") == "");  // nobody pays it
        CHECK(at("100") == "Alps People");
        CHECK(at("170") == "People");
        CHECK(at("60") == "People");
        CHECK(at("190") == "Always");
        CHECK(at("500") == "");  // the season has all its days
        const auto prices = [&] { return shop.get("/trips/public?facets=1").body["meta"]["facets"]["price"][0]; };
        CHECK(prices()["max"].number_text() == "500.00");
        CHECK(prices()["min"].number_text() == "60.00");
        shop.clock.advance(std::chrono::hours(24 * 150));  // October
        CHECK(at("140") == "");
        CHECK(at("170") == "");
        CHECK(at("100") == "Alps People");
    });
}

TEST_CASE("the range of prices has those of seasons until they are over") {
    each_shop([](Shop& shop) {
        given(shop, R"([{"from":"2026-07-01","to":"2026-08-31","regular_price":150},
            {"from":"2026-11-01","to":"2026-11-30","regular_price":80}])");
        const auto prices = [&] {
            const auto range = shop.get("/trips/public?facets=1").body["meta"]["facets"]["price"][0];
            return range["min"].number_text() + " " + range["max"].number_text();
        };
        CHECK(prices() == "80.00 150.00");
        shop.clock.advance(std::chrono::hours(24 * 150));
        CHECK(prices() == "80.00 100.00");
    });
}

TEST_CASE("a departure without prices is found by its season's price, one with prices by its own") {
    each_shop([](Shop& shop) {
        const auto trip = given(shop, summer);
        const auto id = trip.data()["id"].integer();
        const auto at = [&](const std::string& price) {
            return shop.get("/trips/public?min_price=" + price + "&max_price=" + price).column("title");
        };
        shop.given_departure(id, "2026-07-10");
        shop.given_departure(id, "2026-07-12", 10, {.regular_price = "66"});
        CHECK(at("150") == "Alps");
        CHECK(at("66") == "Alps");
        CHECK(at("100") == "");
    });
}
