// The public catalogue: from memory, never behind its own process, at most a reload behind the others.
#include <algorithm>
#include <random>

#include <doctest/doctest.h>

#include "tests/base/catalog/trips/catalogue.hpp"
#include "tests/support/shop.hpp"

using namespace svc;
using tests::each_shop;
using tests::Shop;

namespace {

json::Value body(const char* text) { return json::parse(text).value(); }

std::string path_of(std::int64_t id) { return "/trips/" + std::to_string(id); }

}  // namespace

TEST_CASE("only published trips are listed, newest first, and a write shows at once") {
    each_shop([](Shop& shop) {
        shop.given_trip({.title = "First"});
        shop.clock.advance(std::chrono::seconds(1));
        const auto second = shop.given_trip({.title = "Second"});
        shop.given_trip({.title = "Draft", .status = "draft"});
        shop.given_trip({.title = "Private", .status = "private"});
        const auto list = shop.get("/trips/public");
        CHECK(list.column("title") == "Second First");
        CHECK(list.header("X-Host-Total") == "2");
        CHECK(list.text.rfind(R"({"success":true,"data":[{"id":)", 0) == 0);
        CHECK(list.body["meta"].dump() == R"({"page":1,"per_page":20,"total":2,"total_pages":1})");
        shop.send("PUT", path_of(second.id), body(R"({"title":"Second, renamed"})"));
        CHECK(shop.get("/trips/public").column("title") == "Second, renamed First");
        shop.send("PUT", path_of(second.id), body(R"({"status":"suspended"})"));
        CHECK(shop.get("/trips/public").column("title") == "First");
        CHECK(shop.get("/trips/public/second").status == 404);
    });
}

TEST_CASE("a published trip is read by its slug; an archived one too, but it is in no list") {
    each_shop([](Shop& shop) {
        const auto trip = shop.given_trip({.title = "Ägypten"});
        CHECK(shop.get("/trips/public/%C3%A4gypten").data()["id"].integer() == trip.id);
        shop.send("PUT", path_of(trip.id), body(R"({"status":"archived"})"));
        CHECK(shop.get("/trips/public/%C3%A4gypten").data()["status"].text() == "archived");
        CHECK(shop.get("/trips/public").body["meta"]["total"].integer() == 0);
        CHECK_FALSE(shop.trips.published(trip.id));
        shop.send("PUT", path_of(trip.id), body(R"({"status":"publish","slug":"egypt"})"));
        const auto old = shop.get("/trips/public/%C3%A4gypten");
        CHECK(old.status == 301);
        CHECK(old.header("Location") == "egypt");
        shop.send("PUT", path_of(trip.id), body(R"({"slug":"ägypten-2"})"));
        CHECK(shop.get("/trips/public/egypt").header("Location") == "%C3%A4gypten-2");
        CHECK(shop.get("/trips/public/nobody").code() == "trip_not_found");
        shop.send("PUT", path_of(trip.id), body(R"({"slug":"egypt"})"));
        CHECK(shop.get("/trips/public/egypt").status == 200);
    });
}

TEST_CASE("what only staff see is in no public answer") {
    each_shop([](Shop& shop) {
        shop.given_trip();
        for (const char* name : {"row_version", "created_by", "updated_by", "deleted_at"}) {
            CHECK_FALSE(shop.get("/trips/public").data()[0].find(name));
            CHECK_FALSE(shop.get("/trips/public/nile-cruise").data().find(name));
        }
    });
}

TEST_CASE("the public list is searched, filtered, ordered and paged") {
    each_shop([](Shop& shop) {
        const auto add = [&](const char* title, const char* price, int days) {
            shop.clock.advance(std::chrono::seconds(1));
            shop.given_trip({.title = title, .duration = days, .regular_price = price});
        };
        add("Bergen", "200", 1);
        add("ÄTNA", "50", 3);
        add("Cusco", "75.50", 9);
        const auto titles = [&](const std::string& query) {
            return shop.get("/trips/public?" + query).column("title");
        };
        CHECK(titles("orderby=price&order=asc") == "ÄTNA Cusco Bergen");
        CHECK(titles("orderby=duration") == "Cusco ÄTNA Bergen");
        CHECK(titles("orderby=title&order=asc") == "ÄTNA Bergen Cusco");  // as people look them up
        CHECK(titles("search=%C3%A4tna") == "ÄTNA");
        CHECK(titles("trip_type=single_day") == "Bergen");
        CHECK(titles("min_price=75.5&max_price=200") == "Cusco Bergen");
        CHECK(titles("min_price=75.51&max_price=199.99") == "");
        CHECK(titles("per_page=2&page=2") == "Bergen");
        CHECK(titles("per_page=2&page=9") == "");
        CHECK(shop.get("/trips/public?per_page=2&page=9").body["meta"]["total"].integer() == 3);
        CHECK(shop.get("/trips/public?orderby=updated_at").field() == "orderby");
        // By id: those that there are, in that order, each once.
        std::vector<std::string> ids;
        const auto by_title = shop.get("/trips/public?orderby=title&order=asc");
        for (const json::Value& trip : by_title.data().items())
            ids.push_back(trip["id"].number_text());
        CHECK(titles("include=" + ids[2] + ",999999," + ids[0] + "," + ids[2]) == "Cusco ÄTNA");
        CHECK(titles("include=" + ids[2] + "," + ids[0] + "&per_page=1&page=2") == "ÄTNA");
        CHECK(titles("include=999999") == "");
        CHECK(shop.get("/trips/public?include=x").field() == "include.0");
        CHECK(shop.get("/trips/public?per_page=0").field() == "per_page");
    });
}

TEST_CASE("who has the present answer gets 304, until it changes") {
    each_shop([](Shop& shop) {
        const auto trip = shop.given_trip();
        for (const char* path : {"/trips/public", "/trips/public/nile-cruise"}) {
            CAPTURE(path);
            const auto first = shop.get(path);
            const auto tag = first.header("ETag");
            CHECK(tag.size() == 34);
            CHECK(first.header("Cache-Control") == "public, no-cache");
            for (const std::string& given : {tag, "W/" + tag, "\"other\", " + tag, std::string("*")}) {
                const auto again = shop.get(path, {{"If-None-Match", given}});
                CHECK(again.status == 304);
                CHECK(again.text.empty());
                CHECK(again.header("ETag") == tag);
            }
            for (const std::string& given : {std::string("\"other\""), tag.substr(1), std::string("\"")})
                CHECK(shop.get(path, {{"If-None-Match", given}}).status == 200);
            shop.send("PUT", path_of(trip.id), body(R"({"summary":"changed"})"));
            CHECK(shop.get(path, {{"If-None-Match", tag}}).status == 200);
            shop.send("PUT", path_of(trip.id), body(R"({"summary":null})"));
        }
    });
}

TEST_CASE("a large answer is compressed for who takes it, each coding with its own tag") {
    each_shop([](Shop& shop) {
        const auto trip = shop.given_trip({.description = std::string(5'000, 'x')});
        for (const char* path : {"/trips/public", "/trips/public/nile-cruise"}) {
            CAPTURE(path);
            const auto plain = shop.get(path);
            const auto packed = shop.get(path, {{"Accept-Encoding", "gzip, br;q=0.9"}});
            CHECK(packed.header("Content-Encoding") == "gzip");
            CHECK(packed.header("Vary") == "Accept-Encoding");
            CHECK(plain.header("Vary") == "Accept-Encoding");
            CHECK(packed.header("ETag") != plain.header("ETag"));
            CHECK(packed.text.size() < plain.text.size() / 4);
            CHECK(shop.get(path, {{"Accept-Encoding", "br"}}).header("Content-Encoding") == "br");
            CHECK(shop.get(path, {{"Accept-Encoding", "gzip"}, {"If-None-Match", packed.header("ETag")}}).status ==
                  304);
            shop.send("PUT", path_of(trip.id), body(R"({"summary":"changed"})"));
            const auto changed =
                shop.get(path, {{"Accept-Encoding", "gzip"}, {"If-None-Match", packed.header("ETag")}});
            CHECK(changed.status == 200);
            CHECK(changed.text != packed.text);
            shop.send("PUT", path_of(trip.id), body(R"({"summary":null})"));
        }
    });
}

TEST_CASE("a list links its other pages") {
    each_shop([](Shop& shop) {
        for (int i = 0; i < 5; ++i)
            shop.given_trip();
        const auto links = [&](const std::string& target) { return shop.get(target).header("Link"); };
        CHECK(links("/trips/public?per_page=2&orderby=title&page=2") ==
              "</svc/v1/trips/public?per_page=2&orderby=title&page=1>; rel=\"first\", "
              "</svc/v1/trips/public?per_page=2&orderby=title&page=1>; rel=\"prev\", "
              "</svc/v1/trips/public?per_page=2&orderby=title&page=3>; rel=\"next\", "
              "</svc/v1/trips/public?per_page=2&orderby=title&page=3>; rel=\"last\"");
        CHECK(links("/trips") == "</svc/v1/trips?page=1>; rel=\"first\", </svc/v1/trips?page=1>; rel=\"last\"");
        CHECK(links("/trips/public?per_page=2&page=9").find("page=3>; rel=\"prev\"") != std::string::npos);
        CHECK(links("/trips/public?search=%3E%22<x>").find("search=%3E%22%3Cx%3E&page=1>") != std::string::npos);
        CHECK(links("/trips/public?x=" + std::string(1'000, 'x')).empty());
        CHECK(links("/trips/public/nile-cruise").empty());
    });
}

TEST_CASE("the public list is filtered by length, rating and price, and returns its facets") {
    each_shop([](Shop& shop) {
        const auto add = [&](const char* title, const char* price, int days) {
            shop.clock.advance(std::chrono::seconds(1));
            shop.given_trip({.title = title, .duration = days, .regular_price = price});
        };
        add("Short", "50", 2);
        add("Middle", "75.50", 5);
        add("Long", "200", 9);
        const auto titles = [&](const std::string& query) {
            return shop.get("/trips/public?orderby=price&order=asc&" + query).column("title");
        };
        CHECK(titles("min_duration=3") == "Middle Long");
        CHECK(titles("max_duration=5") == "Short Middle");
        CHECK(titles("min_duration=5&max_duration=5") == "Middle");
        CHECK(titles("min_rating=1") == "");
        CHECK(titles("min_rating=0") == "Short Middle Long");
        CHECK(titles("destination=nowhere") == "");
        CHECK(titles("search=long&max_price=100") == "");
        CHECK(shop.get("/trips/public?min_rating=5.01").field() == "min_rating");
        CHECK(shop.get("/trips/public?from=2026-06-02&to=2026-06-01").field() == "from");
        CHECK_FALSE(shop.get("/trips/public").body["meta"].find("facets"));
        const auto facets = shop.get("/trips/public?facets=1&min_duration=3").body["meta"]["facets"];
        CHECK(facets["trip_type"].dump() == R"([{"trip_type":"multi_day","count":2}])");
        CHECK(facets["price"].dump() == R"([{"currency":"USD","min":75.50,"max":200.00}])");
        CHECK(facets["destination"].dump() == "[]");
        CHECK(facets["rating"].dump() == "[]");
    });
}

TEST_CASE("dates and prices of single departures are filtered by too") {
    each_shop([](Shop& shop) {
        const auto planned = shop.given_trip({.title = "Planned"});
        const auto full = shop.given_trip({.title = "Full"});
        shop.given_trip({.title = "Open"});
        shop.given_departure(planned.id, "2026-07-10", 10, {.regular_price = "90"});
        shop.given_departure(full.id, "2026-07-10", 1);
        REQUIRE(shop.take(full, "2026-07-10", 1));
        const auto titles = [&](const std::string& query) {
            return shop.get("/trips/public?orderby=title&order=asc&" + query).column("title");
        };
        CHECK(titles("from=2026-07-01&to=2026-07-31") == "Open Planned");
        CHECK(titles("from=2026-07-11&to=2026-07-31") == "Open");
        CHECK(titles("to=2026-07-10") == "Open Planned");
        CHECK(titles("from=2020-01-01&to=2020-12-31") == "");
        CHECK(titles("min_price=80&max_price=95") == "Planned");
        CHECK(titles("min_price=200&max_price=200") == "Full Open");
    });
}

TEST_CASE("a price filter finds every price that can be booked: of times, rules, departures and categories") {
    each_shop([](Shop& shop) {
        const auto category = [&](const char* name) {
            return shop
                .send("POST", "/traveler-categories", json::Value::object({{"name", name}, {"status", "publish"}}))
                .data()["id"]
                .dump();
        };
        const std::string adult = category("Adult");
        const auto add = [&](const char* title, const std::string& more) {
            shop.clock.advance(std::chrono::seconds(1));
            const auto made = shop.send("POST", "/trips",
                                        body((R"({"status":"publish","duration":1,"regular_price":500,"title":")" +
                                              std::string(title) + '"' + more + '}')
                                                 .c_str()));
            REQUIRE(made.status == 201);
            return made.data()["id"].integer();
        };
        add("Times", R"(,"has_default_time_slots":true,"default_time_slots":[{"departure_time":"08:00","price":11}])");
        const auto ruled = add("Ruled", ""), by_weekday = add("Weekdays", ""), dated = add("Dated", "");
        const auto of_people = add("People", R"(,"pricing_type":"traveler_based","price_types":[{"category_id":)" +
                                                 adult + R"(,"regular_price":600}])");
        const auto rule = shop.send(
            "POST", "/recurring-availability",
            body((R"({"rule_type":"weekly","days_of_week":[3],"start_date":"2026-05-01","end_date":"2026-07-01",)"
                  R"("original_price":22,"time_slots":[{"departure_time":"09:00","price":33}],)"
                  R"("day_overrides":{"3":{"original_price":44}},"trip_id":)" +
                  std::to_string(ruled) + '}')
                     .c_str()));
        REQUIRE(rule.status == 201);
        REQUIRE(shop.send("POST", "/recurring-availability",
                          body((R"({"rule_type":"weekly","days_of_week":[3,5],"start_date":"2026-05-01",)"
                                R"("end_date":"2026-07-01","original_price":23,"day_overrides":{"3":{"original_price":)"
                                R"(45}},"trip_id":)" +
                                std::to_string(by_weekday) + '}')
                                   .c_str()))
                    .status == 201);
        shop.given_departure(dated, "2026-07-10", 10, {.regular_price = "66", .sale_price = "55"});
        const auto own = shop.send(
            "POST", "/availability",
            body((R"({"departure_date":"2026-07-11","seats_total":5,"price_types":[{"category_id":)" + adult +
                  R"(,"original_price":88,"discounted_price":77}],"trip_id":)" + std::to_string(of_people) + '}')
                     .c_str()));
        REQUIRE(own.status == 201);
        const auto at = [&](const std::string& price) {
            return shop.get("/trips/public?min_price=" + price + "&max_price=" + price).column("title");
        };
        CHECK(at("11") == "Times");
        CHECK(at("22") == "");  // each of its times says otherwise
        CHECK(at("33") == "Ruled");
        CHECK(at("44") == "");
        CHECK(at("23") == "Weekdays");
        CHECK(at("45") == "Weekdays");
        CHECK(at("55") == "Dated");
        CHECK(at("66") == "");
        CHECK(at("77") == "People");
        CHECK(at("88") == "");
        // A trip without a date cannot be booked, though it is published.
        CHECK(at("500") == "Times");
        CHECK(at("600") == "");
        shop.given_departure(dated, "2026-07-11");
        CHECK(at("500") == "Dated Times");
        CHECK(at("55") == "Dated");
        CHECK(shop.get("/trips/public?min_price=22&max_price=77&trip_type=single_day&facets=1")
                  .body["meta"]["facets"]["trip_type"]
                  .dump() == R"([{"trip_type":"single_day","count":4}])");
        SUBCASE("until their last day is over") {
            shop.clock.advance(std::chrono::hours(24 * 90));
            CHECK(at("33") == "");
            CHECK(at("55") == "");
            CHECK(at("11") == "Times");
            CHECK(at("500") == "Dated Weekdays Ruled Times");
        }
        SUBCASE("until they are taken off sale") {
            shop.send("PUT", "/recurring-availability/" + rule.data()["id"].dump(), body(R"({"status":"inactive"})"));
            shop.send("PUT", "/availability/" + own.data()["id"].dump(), body(R"({"status":"closed"})"));
            CHECK(at("33") == "");
            CHECK(at("77") == "");
            CHECK(at("600") == "People");
            CHECK(at("55") == "Dated");
        }
    });
}

TEST_CASE("a category's price counts where the trip has the category, on dates it is offered on and that leave it") {
    each_shop([](Shop& shop) {
        const auto category = [&](const char* name) {
            return shop
                .send("POST", "/traveler-categories", json::Value::object({{"name", name}, {"status", "publish"}}))
                .data()["id"]
                .dump();
        };
        const auto adult = category("Grown-up"), child = category("Small"), senior = category("Old");
        const auto trip = shop.send(
            "POST", "/trips",
            body((R"({"title":"People","status":"publish","duration":1,"pricing_type":"traveler_based","price_types":[)"
                  R"({"category_id":)" +
                  adult + R"(,"regular_price":100},{"category_id":)" + child +
                  R"(,"regular_price":50,"valid_to":"2026-06-30"}]})")
                     .c_str()));
        REQUIRE(trip.status == 201);
        const auto at = [&](const std::string& price) {
            return shop.get("/trips/public?min_price=" + price + "&max_price=" + price).body["meta"]["total"].integer();
        };
        CHECK(at("100") == 1);
        CHECK(at("50") == 1);
        const auto departure = [&](const char* date, const std::string& prices) {
            const auto made = shop.send("POST", "/availability",
                                        body((R"({"trip_id":1,"seats_total":5,"departure_date":")" + std::string(date) +
                                              R"(","price_types":[)" + prices + "]}")
                                                 .c_str()));
            REQUIRE(made.status == 201);
            return made.data()["id"].dump();
        };
        const auto price = [](const std::string& id, const char* amount) {
            return R"({"category_id":)" + id + R"(,"original_price":)" + amount + "}";
        };
        const auto june = departure("2026-06-10", price(adult, "80") + "," + price(senior, "60"));
        CHECK(at("80") == 1);
        CHECK(at("100") == 0);  // every date has another price for adults
        CHECK(at("60") == 0);   // the trip takes no seniors
        CHECK(at("50") == 1);
        departure("2026-07-10", price(child, "45"));
        CHECK(at("100") == 1);
        CHECK(at("45") == 0);  // children are not offered in July
        CHECK(at("50") == 1);
        REQUIRE(shop.send("PUT", "/availability/" + june, body(R"({"status":"closed"})")).status == 200);
        CHECK(at("80") == 0);
        CHECK(at("50") == 0);
        CHECK(at("100") == 1);
    });
}

TEST_CASE("what another process changed is there after a reload, and nothing else was read anew") {
    tests::each_database([](tests::Database& database) {
        CAPTURE(database.name());
        Shop here(database), there(database);
        const auto kept = there.given_trip({.title = "Kept"}), changed = there.given_trip({.title = "Changed"}),
                   gone = there.given_trip({.title = "Gone"});
        here.trips.public_trips().reload_changed();
        CHECK(here.get("/trips/public?orderby=title&order=asc").column("title") == "Changed Gone Kept");
        const auto before = here.trips.public_trips().published(kept.id);
        there.send("PUT", path_of(changed.id), body(R"({"title":"Changed there"})"));
        there.send("DELETE", path_of(gone.id));
        there.given_trip({.title = "New"});
        CHECK(here.get("/trips/public").body["meta"]["total"].integer() == 3);
        here.trips.public_trips().reload_changed();
        CHECK(here.get("/trips/public?orderby=title&order=asc").column("title") == "Changed there Kept New");
        CHECK(here.trips.public_trips().published(kept.id) == before);
    });
}

TEST_CASE("a plugin may change the price and the words a trip is shown with") {
    each_shop([](Shop& shop) {
        REQUIRE(
            shop.hooks.filter("svc_trip_display_price", {.name = "test"}, [](store::Transaction*, const auto& given) {
                return given[1].integer() == 1 ? json::Value(json::Number{"99.999"}) : json::Value(json::Number{"-5"});
            }));
        REQUIRE(shop.hooks.filter("svc_price_unit_label", {.name = "test"},
                                  [](store::Transaction*, const auto& given) { return given[1].text() + "!"; }));
        shop.given_trip();
        shop.given_trip();
        const auto rows = shop.get("/trips/public?orderby=price&order=asc").data();
        CHECK(rows[0]["display_price"].number_text() == "0.00");
        CHECK(rows[1]["display_price"].number_text() == "100.00");
        CHECK(rows[1]["regular_price"].number_text() == "200.00");
        CHECK(rows[1]["price_unit_label"].text() == "per_person!");
    });
}

TEST_CASE("a plugin may change a trip with all that hangs on it, as it is answered and filtered by") {
    each_shop([](Shop& shop) {
        REQUIRE(shop.hooks.filter("svc_trip_loaded_with_relations", {.name = "test"},
                                  [](store::Transaction*, const auto& given) {
                                      json::Value trip = given[0];
                                      trip.set("weather", "of trip " + given[1].dump());
                                      trip.set("avg_rating", json::Number{"4.50"});
                                      trip.set("slug", "elsewhere");
                                      trip.erase("summary");
                                      return trip;
                                  }));
        const auto trip = shop.given_trip({.title = "Nile", .summary = "Three days."});
        const std::string weather = "of trip " + std::to_string(trip.id);
        const auto one = shop.get("/trips/public/nile").data();
        CHECK(one["weather"].text() == weather);
        CHECK(one["slug"].text() == "nile");
        CHECK_FALSE(one.find("summary"));
        CHECK(one["faqs"].is_array());
        const auto row = shop.get("/trips/public?min_rating=4.5").data()[0];
        CHECK(row["weather"].text() == weather);
        CHECK_FALSE(row.find("faqs"));
        CHECK(shop.get("/trips/public?min_rating=4.51").data().size() == 0);
        CHECK(shop.get(path_of(trip.id)).data()["weather"].text() == weather);
        CHECK(shop.send("PUT", path_of(trip.id), body(R"({"title":"Nile"})")).data()["weather"].text() == weather);
    });
}

TEST_CASE("ten thousand trips are loaded and listed whole") {
    const auto database = tests::Database::sqlite();
    Shop shop(*database);
    REQUIRE(shop.store->write([&](store::Transaction& tx) -> Result<void> {
        for (int i = 0; i < 10'000; ++i)
            if (auto made = shop.trips.editor().create(tx,
                                                       {.title = "Trip " + std::to_string(i),
                                                        .summary = "A trip among many.",
                                                        .status = "publish",
                                                        .duration = 3,
                                                        .regular_price = std::to_string(100 + i % 900)},
                                                       std::nullopt);
                !made)
                return made.error();
        return {};
    }));
    const auto began = std::chrono::steady_clock::now();
    shop.trips.public_trips().load();
    const auto took = std::chrono::steady_clock::now() - began;
    MESSAGE("10,000 trips loaded in " << std::chrono::duration_cast<std::chrono::milliseconds>(took).count() << " ms");
    CHECK(shop.trips.public_trips().size() == 10'000);
    CHECK(shop.get("/trips/public").header("X-Host-Total") == "10000");
    CHECK(shop.get("/trips/public?page=500").data().size() == 20);
    CHECK(shop.get("/trips/public?search=Trip+9999").data().size() == 1);
}

TEST_CASE("a filter by days finds exactly the trips whose dates between them can be booked, whatever their dates are") {
    each_shop([](Shop& shop) {
        REQUIRE(shop.settings.write(json::Value::object({{"show_sold_out", false}}), shop.staff_id));
        std::mt19937 random(7);
        const auto below = [&](int most) { return static_cast<int>(random() % static_cast<unsigned>(most)); };
        const auto today = Date::parse("2026-05-04").value();
        const auto some_day = [&] { return today.plus_days(below(600) - 3); };
        std::vector<std::int64_t> ids;
        for (int i = 0; i < 60; ++i) {
            catalog::trips::TripChange change{.title = "T" + std::to_string(100 + i), .duration = 1 + below(3)};
            change.booking_deadline_hours = below(3) * 60;
            if (below(4) == 0)
                change.available_from = some_day();
            if (below(4) == 0)
                change.available_to = some_day().plus_days(300);
            const auto made = shop.trips.editor().create(
                [&] {
                    change.regular_price = "100";
                    change.status = "publish";
                    return change;
                }(),
                shop.staff_id);
            if (!made)  // its season ends before it begins
                continue;
            ids.push_back(made->id);
            const int kind = below(5);
            for (int n = below(5); kind >= 1 && kind <= 3 && n >= 0; --n) {
                availability::DepartureChange date{.sale_state = below(4) == 0 ? "blocked" : "open"};
                date.start_date = some_day();
                date.capacity = 1 + below(3);
                if (below(2) == 0)
                    date.time = ClockTime::from_minutes(60 * below(24));
                const auto departure = shop.availability.departures.create(made->id, date, {shop.staff_id, true});
                if (departure && below(3) == 0)
                    static_cast<void>(shop.take(*made, date.start_date->text().c_str(), made->id * 100 + n, 1,
                                                departure->time ? departure->time->text().c_str() : ""));
            }
            if (kind >= 3)
                shop.send("POST", "/recurring-availability",
                          json::Value::object({{"trip_id", made->id},
                                               {"rule_type", "weekly"},
                                               {"days_of_week", json::Value::array({below(7)})},
                                               {"start_date", some_day()},
                                               {"status", below(4) == 0 ? "inactive" : "active"}}));
            if (kind == 0 && below(2) == 0)  // a date that a booking has made of an open day
                static_cast<void>(shop.take(*made, some_day().plus_days(5).text().c_str(), made->id * 100));
        }
        REQUIRE(ids.size() > 40);
        const auto found = [&](Date from, Date to) {
            return shop
                .get("/trips/public?per_page=100&orderby=title&order=asc&from=" + from.text() + "&to=" + to.text())
                .column("id");
        };
        const auto expected = [&](Date from, Date to) {
            std::string all;
            for (const std::int64_t id : ids)
                if (from <= to && to >= today &&
                    shop.get("/trips/" + std::to_string(id) +
                             "/available-dates?from_date=" + std::max(from, today).text() + "&to_date=" + to.text())
                            .data()
                            .size() > 0)
                    all += (all.empty() ? "" : " ") + std::to_string(id);
            return all;
        };
        for (int i = 0; i < 60; ++i) {
            const Date from = some_day(), to = from.plus_days(i % 3 == 0 ? 0 : i % 3 == 1 ? below(8) : below(700));
            CAPTURE(from.text());
            CAPTURE(to.text());
            CHECK(found(from, to) == expected(from, to));
        }
        // A change is found at once, and after a load.
        const Date day = today.plus_days(900);
        const auto fresh = shop.given_departure(ids.front(), day.text().c_str(), 2);
        shop.availability.calendar.load();
        CHECK(found(day, day) == expected(day, day));
        shop.send("PUT", "/trips/" + std::to_string(ids.front()) + "/departures/" + std::to_string(fresh.id),
                  json::Value::object({{"start_date", day.plus_days(1)}}));
        CHECK(found(day.plus_days(1), day.plus_days(1)) == expected(day.plus_days(1), day.plus_days(1)));
    });
}

TEST_CASE("the trips of a renamed class are answered and found as if they were read anew") {
    each_shop([](Shop& shop) {
        const auto made = [&](const char* path, json::Value fields) {
            const auto answer = shop.send("POST", path, fields.set("status", "publish"));
            REQUIRE(answer.status == 201);
            return answer.data()["id"].integer();
        };
        const auto world = made("/destinations", json::Value::object({{"name", "Old World"}}));
        const auto isle = made("/destinations", json::Value::object({{"name", "Elder Isle"}, {"parent_id", world}}));
        const auto coast = made("/destinations", json::Value::object({{"name", "Isle Coast"}}));
        const auto walk = made("/activities", json::Value::object({{"name", "Zürich walks"}}));
        const char* texts[] = {"A quiet week.",    "Elder trees, and a summer house.",
                               "Kayaks in Zurich", "<p>summer\\nelder</p>",
                               "Sömmer ünd Élder", ""};
        for (int i = 0; i < 90; ++i) {
            json::Value fields = json::Value::object({{"title", "Trip " + std::to_string(i) + (i % 7 ? "" : " elder")},
                                                      {"summary", texts[i % 6]},
                                                      {"description", texts[(i / 6) % 6]},
                                                      {"regular_price", 10 + i},
                                                      {"duration", 2},
                                                      {"status", i % 11 ? "publish" : "archived"}});
            json::Value places = json::Value::array({isle});
            if (i % 3 == 0)
                places.push(coast);
            fields.set("destinations", places).set("activity_types", json::Value::array({walk}));
            REQUIRE(shop.send("POST", "/trips", fields).status == 201);
        }
        shop.trips.public_trips().reload_changed();
        const auto everything = [&] {
            std::string all;
            const auto add = [&](const std::string& target) {
                const auto answer = shop.get(target);
                all += target + ' ' + answer.header("ETag") + ' ' + answer.text + '\n';
            };
            for (const char* order : {"title", "price", "created_at"})
                add("/trips/public?per_page=100&facets=1&orderby=" + std::string(order));
            for (const char* word : {"elder", "isle", "coast", "old", "world", "new", "summer", "zurich", "walks",
                                     "trip", "house", "new+world", "warm+isle", "elder+summer", "so"})
                add("/trips/public?per_page=100&search=" + std::string(word));
            for (const char* place : {"elder-isle", "warm-isle", "old-world", "summer-isle"})
                add("/trips/public?per_page=100&destination=" + std::string(place));
            for (const char* slug : {"trip-1", "trip-2", "trip-3", "trip-22", "trip-7-elder"})
                add("/trips/public/" + std::string(slug));
            return all;
        };
        const auto version = shop.get("/trips/1").data()["row_version"].integer();
        const std::pair<std::int64_t, const char*> changes[] = {
            {isle, R"({"name":"Warm Isle"})"},  {isle, R"({"name":"Summer \"Isle\"","slug":"summer-isle"})"},
            {world, R"({"name":"New World"})"}, {isle, R"({"name":"Isle of the Elder"})"},
            {coast, R"({"name":"Coast"})"},     {isle, R"({"description":"As it was."})"},
            {coast, R"({"status":"draft"})"},   {isle, R"({"name":"{\"id\":1}","country_code":"NO"})"},
        };
        for (const auto& [id, change] : changes) {
            CAPTURE(change);
            const auto put = shop.send("PUT", "/destinations/" + std::to_string(id), body(change));
            CAPTURE(put.text);
            REQUIRE(put.status == 200);
            const std::string shown = everything();
            shop.trips.public_trips().load();
            REQUIRE(shown == everything());
        }
        // A draft of staff is no new version.
        CHECK(shop.get("/trips/1").data()["row_version"].integer() == version);
        CHECK(shop.get("/trips/1").data()["destinations"][0]["name"].text() == "{\"id\":1}");
    });
}

TEST_CASE("who travels free does not make a trip cheap: neither for a filter nor for a facet") {
    each_shop([](Shop& shop) {
        const auto adult = tests::category(shop, "adult"), infant = tests::category(shop, "infant");
        shop.given_trip(
            {.title = "Family",
             .pricing_type = "traveler_based",
             .price_types = std::vector<catalog::trips::PriceTypeChange>{
                 {.category_id = adult, .regular_price = "100"}, {.category_id = infant, .regular_price = "0"}}});
        const auto facets = shop.get("/trips/public?facets=1").body["meta"]["facets"]["price"];
        CHECK(facets[0]["min"].number_text() == "100.00");
        CHECK(shop.get("/trips/public?max_price=50").column("title") == "");
        CHECK(shop.get("/trips/public?max_price=100").column("title") == "Family");
    });
}

TEST_CASE("the days of the public list go by their other names too") {
    each_shop([](Shop& shop) {
        const auto trip = shop.given_trip({.title = "June"});
        shop.given_departure(trip.id, "2026-06-10");
        CHECK(shop.get("/trips/public?date_from=2026-06-01&date_to=2026-06-30").column("title") == "June");
        CHECK(shop.get("/trips/public?date_from=2026-06-11&date_to=2026-06-30").column("title") == "");
        CHECK(shop.get("/trips/public?from=2026-06-01T00:00:00Z&to=2026-06-30T12:00:00Z").column("title") == "June");
        CHECK(shop.get("/trips/public?from=2026-06-11T00:00:00Z").column("title") == "");
        CHECK(shop.get("/trips/public?from=june").field() == "from");
        CHECK(shop.get("/trips/public?date_to=2026-02-30").field() == "date_to");
        CHECK(shop.get("/trips/public?date_from=2026-06-30&date_to=2026-06-01").field() == "date_from");
    });
}
