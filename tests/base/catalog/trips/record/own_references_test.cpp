// References that a trip has stay valid, in the trash too: written back, copied, restored.
#include <doctest/doctest.h>

#include "tests/base/catalog/trips/catalogue.hpp"

using namespace svc;
using namespace svc::tests;

namespace {

std::string path_of(std::int64_t id) { return "/trips/" + std::to_string(id); }

struct Classed {
    std::int64_t trip = 0, category = 0, attribute = 0;
};

// A published trip with one of everything; then all of that lies in the trash, or is a draft where it is an attribute.
Classed trip_of_trash(Shop& shop) {
    const auto nile = given_class(shop, "destination", "Nile"), sail = given_class(shop, "activity", "Sailing");
    const auto slow = given_class(shop, "trip_category", "Slow"), level = given_class(shop, "difficulty", "Steep");
    const auto gang = given_class(shop, "traveler_type", "Gang");
    const auto pace = shop.send("POST", "/attributes", body(R"({"name":"Pace"})")).data()["id"].integer();
    auto sent = body(R"({"title":"One","duration":1,"status":"publish","pricing_type":"traveler_based"})");
    sent.set("destinations", json::Value::array({nile}));
    sent.set("activity_types", json::Value::array({sail}));
    sent.set("trip_category", json::Value::array({slow}));
    sent.set("difficulty_level", level);
    sent.set("price_types", json::Value::array({json::Value::object({{"category_id", gang}, {"regular_price", 7}})}));
    sent.set("attributes", json::Value::object({{std::to_string(pace), "easy"}}));
    const auto made = shop.send("POST", "/trips", sent);
    CAPTURE(made.text);
    REQUIRE(made.status == 201);
    execute(*shop.store, {"UPDATE svc_classifications SET status = 'trash' WHERE slug IN ('nile', 'sailing', 'slow',"
                          " 'steep', 'gang')"});
    REQUIRE(shop.send("PUT", "/attributes/" + std::to_string(pace), body(R"({"status":"draft"})")).status == 200);
    return {made.data()["id"].integer(), gang, pace};
}

// Its references in one line.
std::string refers_to(const json::Value& trip) {
    std::string all;
    for (const char* name : {"destinations", "activity_types", "trip_category", "price_types"})
        all += std::to_string(trip[name].size());
    return all + (trip["difficulty_level"].is_null() ? "-" : "+") + trip["attributes"].dump();
}

}  // namespace

TEST_CASE("what staff read of a trip can be written back while what it is linked to lies in the trash") {
    each_shop([](Shop& shop) {
        const auto known = trip_of_trash(shop);
        auto read = shop.get(path_of(known.trip)).data();
        const auto expected = refers_to(read);
        CHECK(expected.starts_with("1111+"));
        read.erase("row_version");
        const auto back = shop.send("PUT", path_of(known.trip), read);
        CAPTURE(back.text);
        REQUIRE(back.status == 200);
        CHECK(refers_to(back.data()) == expected);
        CHECK(back.data()["row_version"] == shop.get(path_of(known.trip)).data()["row_version"]);
        CHECK(back.data()["updated_at"] == read["updated_at"]);
        // A trip that is not linked to it yet cannot be.
        const auto other = path_of(shop.given_trip({.title = "Other"}).id);
        for (const char* name :
             {"destinations", "activity_types", "trip_category", "price_types", "difficulty_level"}) {
            CAPTURE(name);
            const auto refused = shop.send("PUT", other, json::Value::object({{name, read[name]}}));
            CHECK(refused.status == 400);
            CHECK(refused.field().starts_with(name));
        }
    });
}

TEST_CASE("a duplicate has all that its trip has, what lies in the trash and drafts of attributes too") {
    each_shop([](Shop& shop) {
        const auto known = trip_of_trash(shop);
        const auto expected = refers_to(shop.get(path_of(known.trip)).data());
        const auto copied = shop.send("POST", path_of(known.trip) + "/duplicate");
        CAPTURE(copied.text);
        REQUIRE(copied.status == 201);
        CHECK(refers_to(copied.data()["trip"]) == expected);
        // A stored value that would now be rejected.
        REQUIRE(shop.send("PUT", "/attributes/" + std::to_string(known.attribute),
                          body(R"({"status":"publish","validation_rules":{"max_length":2}})"))
                    .status == 200);
        CHECK(refers_to(shop.send("POST", path_of(known.trip) + "/duplicate").data()["trip"]) == expected);
    });
}

TEST_CASE("a revision comes back to a published trip whose only price is of a category in the trash") {
    each_shop([](Shop& shop) {
        const auto known = trip_of_trash(shop);
        REQUIRE(shop.send("PUT", path_of(known.trip), body(R"({"summary":"new"})")).status == 200);
        const auto revision = shop.get(path_of(known.trip) + "/revisions").data()[std::size_t{0}]["id"].dump();
        const auto back = shop.send("PUT", path_of(known.trip) + "/revisions/" + revision);
        CAPTURE(back.text);
        REQUIRE(back.status == 200);
        CHECK(back.data()["summary"].text().empty());
        CHECK(back.data()["price_types"].size() == 1);
        CHECK(back.data()["skipped"].size() == 0);
    });
}
