// Properties of every classification: creation, version, children; and of values.
#include <doctest/doctest.h>

#include "base/catalog/classifications/kinds.hpp"
#include "tests/support/shop.hpp"

using namespace svc;
using tests::each_shop;
using tests::Shop;

namespace {

using catalog::classifications::Kind;

json::Value body(const std::string& text) { return json::parse(text).value(); }
std::string path_of(std::int64_t trip_id) { return "/trips/" + std::to_string(trip_id); }

// The least that a new record of the kind needs.
json::Value least_of(const Kind& kind, const std::string& name) {
    auto least = json::Value::object({{"name", name}});
    if (kind.type == catalog::classifications::Type::item)
        least.set("type_id", 4);  // Meal
    return least;
}

void each_kind(const std::function<void(Shop&, const Kind&)>& test) {
    each_shop([&](Shop& shop) {
        for (const auto& kind : catalog::classifications::kinds()) {
            CAPTURE(kind.path);
            test(shop, kind);
        }
    });
}

std::int64_t attribute(Shop& shop, const char* name) {
    return shop.send("POST", "/attributes", json::Value::object({{"name", name}})).data()["id"].integer();
}

tests::Answered say(Shop& shop, std::int64_t trip, std::int64_t attribute, const json::Value& value) {
    return shop.send("POST", path_of(trip) + "/attributes",
                     json::Value::object({{"attribute_id", attribute}, {"value", value}}));
}

}  // namespace

TEST_CASE("what lies above a trip's destination, activity or category finds the trip and counts it") {
    each_shop([](Shop& shop) {
        for (const auto& [path, member, filter] : {std::tuple("/destinations", "destinations", "destination"),
                                                   std::tuple("/activities", "activity_types", "activity"),
                                                   std::tuple("/trip-categories", "trip_category", "trip_category")}) {
            CAPTURE(path);
            std::int64_t above = 0;
            for (const char* name : {"Africa", "Egypt", "Luxor"}) {
                auto fields = json::Value::object({{"name", name}, {"status", "publish"}});
                if (above != 0)
                    fields.set("parent_id", above);
                const auto made = shop.send("POST", path, fields);
                REQUIRE(made.status == 201);
                above = made.data()["id"].integer();
            }
            const auto trip = shop.given_trip();
            const auto sorted =
                shop.send("PUT", path_of(trip.id), json::Value::object({{member, json::Value::array({above})}}));
            REQUIRE(sorted.status == 200);
            for (const char* name : {"africa", "egypt", "luxor"}) {
                CHECK(shop.get("/trips/public?" + (filter + ("=" + std::string(name)))).column("id") ==
                      std::to_string(trip.id));
            }
            const auto facets = shop.get("/trips/public?facets=1").body["meta"]["facets"][filter];
            REQUIRE(facets.size() == 3);
            for (const auto& each : facets.items())
                CHECK(each["count"].integer() == 1);
            // A branch that moves takes its trips along.
            const auto egypt = shop.get(std::string(path) + "?search=egypt").data()[0]["id"].dump();
            REQUIRE(shop.send("PUT", path + ("/" + egypt), body(R"({"parent_id":null})")).status == 200);
            CHECK(shop.get("/trips/public?" + (filter + std::string("=africa"))).column("id") == "");
        }
    });
}

TEST_CASE("every kind's list takes the time of creation") {
    each_kind([](Shop& shop, const Kind& kind) {
        REQUIRE(shop.send("POST", kind.path, least_of(kind, "Early")).status == 201);
        const auto names = [&](const std::string& query) {
            return shop.get(kind.path + "?search=early&" + query).column("name");
        };
        CHECK(names("from=2026-05-04&to=2026-05-04") == "Early");
        CHECK(names("date_to=2026-05-03") == "");
        CHECK(shop.get(kind.path + "?search=early&from=2026-05-05").header("X-Host-Total") == "0");
        CHECK(shop.get(kind.path + "?from=2026-05-05&to=2026-05-04").field() == "from");
        CHECK(shop.get(kind.path + "?date_to=2026-02-30").field() == "date_to");
    });
}

TEST_CASE("If-Match counts as row_version does, and who has the present answer gets 304") {
    each_kind([](Shop& shop, const Kind& kind) {
        const auto made = shop.send("POST", kind.path, least_of(kind, "One"));
        const auto path = kind.path + "/" + made.data()["id"].dump();
        const auto tag = shop.get(path).header("ETag");
        CHECK(tag.starts_with("\"1-"));
        CHECK(shop.get(path, {{"If-None-Match", tag}}).status == 304);
        const auto put = [&](const std::string& tags) {
            return shop.send("PUT", path, body(R"({"description":"x"})"), {{"If-Match", tags}});
        };
        const auto written = put(tag);
        CHECK(written.status == 200);
        CHECK(written.header("ETag").starts_with("\"2-"));
        CHECK(put(tag).status == 409);
        CHECK(put("\"1\"").code() == "svc_conflict");
        CHECK(put("\"1\", \"2\"").status == 200);
        CHECK(shop.get(path, {{"If-None-Match", tag}}).status == 200);
    });
}

TEST_CASE("a value returns the times of its first and its last write") {
    each_shop([](Shop& shop) {
        const auto trip = shop.given_trip().id;
        const auto one = attribute(shop, "One"), two = attribute(shop, "Two");
        const auto times = [&](std::int64_t id) {
            const auto read = shop.get(path_of(trip) + "/attributes");
            for (const auto& each : read.data().items())
                if (each["attribute_id"].integer() == id)
                    return each["created_at"].text() + " " + each["updated_at"].text();
            return std::string();
        };
        const std::string first = "2026-05-04T10:00:00Z", second = "2026-05-04T11:00:00Z";
        REQUIRE(say(shop, trip, one, "a").status == 200);
        CHECK(times(one) == first + " " + first);
        shop.clock.advance(std::chrono::hours(1));
        REQUIRE(say(shop, trip, two, "b").status == 200);
        CHECK(times(one) == first + " " + first);
        CHECK(times(two) == second + " " + second);
        REQUIRE(say(shop, trip, one, "c").status == 200);
        CHECK(times(one) == first + " " + second);
    });
}
