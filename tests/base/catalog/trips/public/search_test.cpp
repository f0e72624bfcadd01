// Finding trips: the same words find the same trips in the database and in memory, best first.
#include <set>

#include <doctest/doctest.h>

#include "base/catalog/trips/record/search_text.hpp"
#include "shared/core/words.hpp"
#include "tests/support/random.hpp"
#include "tests/support/shop.hpp"

using namespace svc;
using tests::each_shop;
using tests::Shop;

namespace {

// Results of staff's and of the public search.
std::string both(Shop& shop, const std::string& search) {
    const auto staff = shop.get("/trips?search=" + search);
    const auto shown = shop.get("/trips/public?search=" + search);
    REQUIRE(staff.status == 200);
    REQUIRE(shown.status == 200);
    CHECK(staff.header("X-Host-Total") == shown.header("X-Host-Total"));
    const auto found = staff.column("title");
    CHECK(shown.column("title") == found);
    return found;
}

}  // namespace

TEST_CASE("a search finds words in any order, beginnings of words, and takes no notice of case and accents") {
    each_shop([](Shop& shop) {
        shop.given_trip({.title = "Łódź and the river", .summary = "Two days of Tromsø.", .description = "東京ツアー"});
        shop.given_trip({.title = "Elsewhere"});
        for (const char* search : {"river", "RIV", "river+lodz", "%C5%81%C3%93D%C5%B9", "lodz+tromso+two", "%E6%9D%B1",
                                   "%E6%9D%B1%E4%BA%AC", "the+river,+Lodz!", "lo%CC%81dz"}) {
            CAPTURE(search);
            CHECK(both(shop, search) == "Łódź and the river");
        }
        for (const char* search : {"iver", "river+elsewhere", "%21%21", "lodzz"}) {
            CAPTURE(search);
            CHECK(both(shop, search) == "");
        }
        CHECK(both(shop, "") == "Elsewhere Łódź and the river");
    });
}

TEST_CASE("the best find comes first: title, then summary, then description, a whole word before a beginning") {
    each_shop([](Shop& shop) {
        shop.given_trip({.title = "A", .description = "sunset"});
        shop.given_trip({.title = "B", .description = "sunsets"});
        shop.given_trip({.title = "C", .summary = "sunset"});
        shop.given_trip({.title = "D", .summary = "sunsets", .description = "sunset"});
        shop.given_trip({.title = "Sunset E", .slug = "e"});
        shop.given_trip({.title = "Sunsets F", .slug = "f"});
        CHECK(both(shop, "sunset").substr(0, 24) == "Sunset E Sunsets F C D A");
        CHECK(shop.get("/trips/public?search=sunset&orderby=title&order=asc").column("title") ==
              "A B C D Sunset E Sunsets F");
        CHECK(shop.get("/trips?search=sunset&orderby=title&order=asc").column("title") == "A B C D Sunset E Sunsets F");
        CHECK(shop.get("/trips?search=sunset&per_page=2&page=2").column("title") == "C D");
        CHECK(shop.get("/trips/public?search=sunset&per_page=2&page=2").column("title") == "C D");
    });
}

TEST_CASE("staff search titles and slugs alone by /trips/search, and must give a word") {
    each_shop([](Shop& shop) {
        shop.given_trip({.title = "Harbour walk", .slug = "quays"});
        shop.given_trip({.title = "Elsewhere", .summary = "By the harbour."});
        CHECK(shop.get("/trips/search?search=harb").column("title") == "Harbour walk");
        CHECK(shop.get("/trips/search?keyword=quays").column("title") == "Harbour walk");
        CHECK(shop.get("/trips/search?search=harbour&status=draft").header("X-Host-Total") == "0");
        for (const char* missing : {"", "?search=", "?keyword=%21%21"}) {
            CAPTURE(missing);
            const auto refused = shop.get(std::string("/trips/search") + missing);
            CHECK(refused.status == 400);
            CHECK(refused.field() == "search");
        }
    });
}

TEST_CASE("everybody finds a trip by what it is sorted into, under its newest name and what lies above it") {
    each_shop([](Shop& shop) {
        const auto made = [&](const char* path, const std::string& fields) {
            const auto answer = shop.send("POST", path, json::parse(fields).value());
            REQUIRE(answer.status == 201);
            return answer.data()["id"].integer();
        };
        const auto walks = made("/trip-categories", R"({"name":"On foot","status":"publish"})");
        const auto towns = made("/trip-categories",
                                R"({"name":"Towns","status":"publish","parent_id":)" + std::to_string(walks) + "}");
        const auto nepal = made("/destinations", R"({"name":"Nepal","status":"publish"})");
        const auto trip = shop.given_trip({.title = "Kathmandu"});
        shop.given_trip({.title = "Elsewhere"});
        CHECK(shop.send("PUT", "/trips/" + std::to_string(trip.id),
                        json::Value::object({{"destinations", json::Value::array({nepal})},
                                             {"trip_category", json::Value::array({towns})}}))
                  .status == 200);
        const auto shown = [&](const std::string& query) { return shop.get("/trips/public?" + query).column("title"); };
        CHECK(shown("search=nepal+kath") == "Kathmandu");
        CHECK(shown("search=foot") == "Kathmandu");
        CHECK(shown("trip_category=towns") == "Kathmandu");
        CHECK(shown("trip_category=on-foot") == "Kathmandu");
        const auto facets = shop.get("/trips/public?facets=1").body["meta"]["facets"];
        CHECK(facets["trip_category"].size() == 2);
        const auto put = [&](const std::string& path, const char* fields) {
            CHECK(shop.send("PUT", path, json::parse(fields).value()).status == 200);
        };
        put("/destinations/" + std::to_string(nepal), R"({"name":"Himalaya"})");
        put("/trip-categories/" + std::to_string(walks), R"({"name":"Strolls"})");
        CHECK(shown("search=himalaya+strolls") == "Kathmandu");
        CHECK(shown("search=nepal") == "");
        put("/trip-categories/" + std::to_string(towns), R"({"parent_id":null})");
        CHECK(shown("trip_category=on-foot") == "");
        CHECK(shown("trip_category=towns") == "Kathmandu");
    });
}

TEST_CASE("a trip's former texts are not found any more") {
    each_shop([](Shop& shop) {
        const auto trip = shop.given_trip({.title = "Before", .description = "meadow"});
        const auto path = "/trips/" + std::to_string(trip.id);
        CHECK(both(shop, "meadow") == "Before");
        shop.send("PUT", path, json::parse(R"({"title":"After","description":"hill","slug":"after"})").value());
        CHECK(both(shop, "meadow") == "");
        CHECK(both(shop, "before") == "");
        CHECK(both(shop, "after+hill") == "After");
        shop.send("DELETE", path);
        CHECK(both(shop, "hill") == "");
        CHECK(shop.get("/trips?search=hill&status=trash").column("title") == "After");
        shop.send("DELETE", path);
        CHECK(shop.get("/trips?search=hill&status=trash").column("title") == "");
    });
}

TEST_CASE("signs of the databases' query languages are no signs of ours") {
    each_shop([](Shop& shop) {
        shop.given_trip({.title = "Or and near not"});
        for (const char* search : {"%22or%22", "or*", "or+AND+NOT", "near(", "title:or", "-or", "or%27", "or%5C",
                                   "or%26near", "%7Btitle%7D+or", "or%7C%21near", "%3A%2A+or", "or%00"}) {
            CAPTURE(search);
            const auto staff = shop.get(std::string("/trips?search=") + search);
            CHECK((staff.status == 200 || staff.status == 400));
            CHECK(shop.get(std::string("/trips/public?search=") + search).status == staff.status);
        }
        CHECK(both(shop, "or*") == "Or and near not");
        CHECK(both(shop, "%22or%22") == "Or and near not");
        std::string long_search = "or";
        for (int i = 0; i < 60; ++i)
            long_search += "+or";
        CHECK(both(shop, long_search) == "Or and near not");
        CHECK(shop.get("/trips/public?search=" + std::string(201, 'x')).field() == "search");
    });
}

TEST_CASE("each word of a trip is indexed once, in its best part, however short and many they are") {
    test::Random random;
    CAPTURE(random.seed);
    const std::vector<std::string> letters{"a", "b", "Ä", "é", "7", "東", "京", " ", "-", "ß", "नेपाल"};
    for (int round = 0; round < 300; ++round) {
        const auto text = [&] {
            std::string made;
            for (std::int64_t i = random.between(0, 400); i > 0; --i)
                made +=
                    letters[static_cast<std::size_t>(random.between(0, 10))] + (random.between(0, 2) == 0 ? " " : "");
            return made;
        };
        const catalog::trips::SearchText given{text(), text(), text()};
        std::set<std::string> known;
        const auto expected = [&](const std::string& part) {
            std::string joined;
            for (const auto& word : text::search_words(part, 100'000))
                if (known.insert(word).second)
                    joined += (joined.empty() ? "" : " ") + word;
            return joined;
        };
        const catalog::trips::SearchWords wanted{expected(given.title), expected(given.more), expected(given.body)};
        REQUIRE(catalog::trips::words_of(given) == wanted);
    }
}
