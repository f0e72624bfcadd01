// A write that was meant for another version than there is: refused, whatever it is and by whichever route.
#include <doctest/doctest.h>

#include "base/catalog/classifications/kinds.hpp"
#include "tests/base/catalog/trips/catalogue.hpp"

using namespace svc;
using namespace svc::tests;

namespace {

std::string path_of(std::int64_t id) { return "/trips/" + std::to_string(id); }

// Refused with the old tag, done with the present one.
void check_condition(Shop& shop, const std::string& method, const std::string& path, const std::string& record,
                     const json::Value& sent = {}) {
    CAPTURE(method);
    CAPTURE(path);
    const auto tag = shop.get(record).header("ETag");
    REQUIRE_FALSE(tag.empty());
    const auto late = shop.send(method, path, sent, {{"If-Match", "\"0-x\""}});
    CHECK(late.status == 409);
    CHECK(late.code() == "svc_conflict");
    CHECK(shop.get(record).header("ETag") == tag);
    const auto done = shop.send(method, path, sent, {{"If-Match", tag}});
    CAPTURE(done.text);
    CHECK(done.status == 200);
}

}  // namespace

TEST_CASE("If-Match of an old version stops a trip's deletion, restoring and update") {
    each_shop([](Shop& shop) {
        const auto trip = path_of(shop.given_trip().id);
        const auto pace = shop.send("POST", "/attributes", body(R"({"name":"Pace"})")).data()["id"];
        REQUIRE(shop.send("PUT", trip, body(R"({"summary":"new"})")).status == 200);
        const auto revision = shop.get(trip + "/revisions").data()[std::size_t{0}]["id"].dump();
        check_condition(shop, "PUT", trip + "/revisions/" + revision, trip);
        check_condition(shop, "POST", trip + "/attributes", trip,
                        json::Value::object({{"attribute_id", pace}, {"value", "easy"}}));
        check_condition(shop, "DELETE", trip + "/attributes/" + pace.dump(), trip);
        check_condition(shop, "DELETE", trip, trip);
        check_condition(shop, "POST", trip + "/restore", trip);
        check_condition(shop, "DELETE", trip, trip);
        check_condition(shop, "DELETE", trip + "/permanent-delete", trip);
        CHECK(shop.get(trip).status == 404);
        const auto second = path_of(shop.given_trip().id);
        REQUIRE(shop.send("DELETE", second).status == 200);
        check_condition(shop, "DELETE", second, second);
        CHECK(shop.get(second).status == 404);
    });
}

TEST_CASE("If-Match of an old version stops the deletion of a class of every kind") {
    each_shop([](Shop& shop) {
        for (const auto& kind : catalog::classifications::kinds()) {
            auto least = json::Value::object({{"name", "One"}});
            if (kind.type == catalog::classifications::Type::item)
                least.set("type_id", 4);  // Meal
            const auto made = shop.send("POST", kind.path, least);
            REQUIRE(made.status == 201);
            const auto path = kind.path + "/" + made.data()["id"].dump();
            check_condition(shop, "DELETE", path, path);
            CHECK(shop.get(path).status == 404);
        }
    });
}
