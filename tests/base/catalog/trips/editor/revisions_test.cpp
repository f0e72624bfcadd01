// Revisions: stored before each published change, read, restored; copies; the trash; bulk actions.
#include <doctest/doctest.h>

#include "base/catalog/trips/record/hooks.hpp"
#include "tests/base/catalog/trips/catalogue.hpp"

using namespace svc;
using namespace svc::tests;

namespace {

std::string path_of(std::int64_t id) { return "/trips/" + std::to_string(id); }

}  // namespace

TEST_CASE("a published save keeps what was there and counts the version; a draft's save does neither") {
    each_shop([](Shop& shop) {
        const auto id = shop.send("POST", "/trips", body(R"({"title":"One","regular_price":5,"duration":1})"))
                            .data()["id"]
                            .integer();
        shop.send("PUT", path_of(id), body(R"({"title":"Two"})"));
        CHECK(shop.get(path_of(id)).data()["version"].integer() == 1);
        CHECK(shop.get(path_of(id) + "/revisions").body["meta"]["total"].integer() == 0);
        shop.send("PUT", path_of(id), body(R"({"status":"publish"})"));
        shop.send("PUT", path_of(id), body(R"({"title":"Three"})"));
        const auto list = shop.get(path_of(id) + "/revisions");
        CHECK(list.column("version") == "2 1");
        CHECK(list.column("status") == "inherit inherit");
        CHECK(list.data()[std::size_t{0}]["created_by"].integer() == shop.staff_id);
        CHECK(list.data()[std::size_t{0}]["created_by_name"].is_string());
        const auto newest = list.data()[std::size_t{0}]["id"].dump();
        const auto one = shop.get(path_of(id) + "/revisions/" + newest);
        CHECK(one.data()["data"]["title"].text() == "Two");
        CHECK(one.data()["data"]["schema"].integer() == 1);
        CHECK(shop.get(path_of(id)).data()["version"].integer() == 3);
        shop.send("PUT", path_of(id), body(R"({"status":"draft"})"));
        CHECK(shop.get(path_of(id) + "/revisions").body["meta"]["total"].integer() == 2);
        const auto other = shop.given_trip();
        CHECK(shop.get(path_of(other.id) + "/revisions/" + newest).status == 404);
        CHECK(shop.get("/trips/99999/revisions").code() == "trip_not_found");
    });
}

TEST_CASE("a revision is restored with the trip's linked records; those that are gone are left out and reported") {
    each_shop([](Shop& shop) {
        const auto nile = given_class(shop, "destination", "Nile"), gone = given_class(shop, "destination", "Gone");
        const auto group = given_class(shop, "traveler_type", "Gang");
        const auto level = given_class(shop, "difficulty", "Steep");
        auto sent = body(R"({"title":"One","regular_price":5,"duration":1,"status":"publish","summary":"first",
            "faqs":[{"question":"Q","answer":"A"}],"default_time_slots":[{"departure_time":"08:00"}]})");
        sent.set("destinations", json::Value::array({gone, nile}));
        sent.set("difficulty_level", level);
        sent.set("price_types",
                 json::Value::array({json::Value::object({{"category_id", group}, {"regular_price", 7}})}));
        const auto id = shop.send("POST", "/trips", sent).data()["id"].integer();
        shop.send("PUT", path_of(id), body(R"({"summary":"second","slug":"other","faqs":null,"destinations":null,
            "price_types":null,"default_time_slots":null,"difficulty_level":null,"status":"publish"})"));
        execute(*shop.store, {"DELETE FROM svc_classifications WHERE slug = 'gone'",
                              "DELETE FROM svc_classifications WHERE slug = 'steep'"});
        const auto revision = shop.get(path_of(id) + "/revisions").data()[std::size_t{0}]["id"].integer();
        const auto back = shop.send("PUT", path_of(id) + "/revisions/" + std::to_string(revision));
        REQUIRE(back.status == 200);
        CHECK(back.data()["summary"].text() == "first");
        CHECK(back.data()["slug"].text() == "one");
        CHECK(back.data()["status"].text() == "publish");
        CHECK(back.data()["faqs"].size() == 1);
        CHECK(back.data()["destinations"].size() == 1);
        CHECK(back.data()["price_types"].size() == 1);
        CHECK(back.data()["default_time_slots"].size() == 1);
        CHECK(back.data()["difficulty_level"].is_null());
        CHECK(back.data()["skipped"].dump() == R"(["difficulty_level.)" + std::to_string(level) +
                                                   R"(","destinations.)" + std::to_string(gone) + R"("])");
        const auto list = shop.get(path_of(id) + "/revisions");
        CHECK(list.column("version") == "2 1");
        CHECK(list.column("status") == "restored restored");
        CHECK(list.data()[std::size_t{0}]["restored_from_id"].integer() == revision);
        CHECK(shop.get(path_of(id)).data()["summary"].text() == "first");
        CHECK(shop.get("/trips/public/one").data()["summary"].text() == "first");
        CHECK(shop.send("PUT", path_of(id) + "/revisions/99999").status == 404);
    });
}

TEST_CASE("the newest twenty revisions are kept, or as many as the filter returns") {
    each_shop([](Shop& shop) {
        const auto id = shop.given_trip().id;
        int saved = 0;
        const auto save = [&](int times) {
            for (int i = 0; i < times; ++i)
                shop.send("PUT", path_of(id), json::Value::object({{"summary", "s" + std::to_string(++saved)}}));
            return shop.get(path_of(id) + "/revisions").body["meta"]["total"].integer();
        };
        CHECK(save(22) == 20);
        std::int64_t limit = 3;
        REQUIRE(shop.hooks.filter("svc_trip_revision_limit", {.name = "test"},
                                  [&](store::Transaction*, const json::Array&) { return json::Value(limit); }));
        CHECK(save(1) == 3);
        CHECK(shop.get(path_of(id) + "/revisions").column("version") == "23 22 21");
        limit = 0;
        CHECK(save(4) == 7);
    });
}

TEST_CASE("a duplicate is a draft with all content of its own, the next free slug and no history") {
    each_shop([](Shop& shop) {
        const auto nile = given_class(shop, "destination", "Nile");
        auto sent = body(R"({"title":"One","regular_price":5,"duration":1,"status":"publish",
            "scheduled_unpublish_at":"2030-01-01T00:00:00Z","custom_fields":{"a":1},
            "faqs":[{"question":"Q","answer":"A"}],"highlights":["H"]})");
        sent.set("destinations", json::Value::array({nile}));
        const auto id = shop.send("POST", "/trips", sent).data()["id"].integer();
        shop.send("PUT", path_of(id), body(R"({"summary":"s"})"));
        const auto made = shop.send("POST", path_of(id) + "/duplicate");
        REQUIRE(made.status == 201);
        const auto& copy = made.data()["trip"];
        CHECK(made.data()["id"].integer() == copy["id"].integer());
        CHECK(made.header("Location") == "/svc/v1" + path_of(copy["id"].integer()));
        CHECK(copy["title"].text() == "One (Copy)");
        CHECK(copy["slug"].text() == "one-copy");
        CHECK(copy["status"].text() == "draft");
        CHECK(copy["version"].integer() == 1);
        CHECK(copy["summary"].text() == "s");
        CHECK(copy["scheduled_unpublish_at"].is_null());
        CHECK(copy["custom_fields"].dump() == R"({"a":1})");
        CHECK(copy["faqs"].size() == 1);
        CHECK(copy["highlights"].size() == 1);
        CHECK(copy["destinations"].size() == 1);
        CHECK(shop.get(path_of(copy["id"].integer()) + "/revisions").body["meta"]["total"].integer() == 0);
        CHECK(shop.send("POST", path_of(id) + "/duplicate").data()["trip"]["slug"].text() == "one-copy-2");
        CHECK(shop.send("POST", "/trips/99999/duplicate").code() == "trip_not_found");
    });
}

TEST_CASE("a trip comes out of the trash to the status it had") {
    each_shop([](Shop& shop) {
        const auto id = shop.given_trip({.status = "private"}).id;
        CHECK(shop.send("POST", path_of(id) + "/restore").code() == "svc_conflict");
        shop.send("DELETE", path_of(id));
        CHECK(shop.get(path_of(id)).data()["status_before_trash"].text() == "private");
        CHECK(shop.send("POST", path_of(id) + "/restore").data()["status"].text() == "private");
        CHECK(shop.get(path_of(id)).data()["status_before_trash"].is_null());
    });
}

TEST_CASE("one action on many trips: each by itself, missing ones are reported") {
    each_shop([](Shop& shop) {
        const auto a = shop.given_trip().id, b = shop.given_trip({.status = "draft"}).id;
        const auto ids = "[" + std::to_string(b) + "," + std::to_string(a) + ",99999]";
        const auto act = [&](const char* action) {
            return shop.send("POST", "/trips/bulk",
                             body(R"({"action":")" + std::string(action) + R"(","ids":)" + ids + "}"));
        };
        const auto drafts = act("draft");
        CHECK(drafts.status == 200);
        CHECK(drafts.data()["affected"].integer() == 2);
        CHECK(drafts.data()["failed"].integer() == 1);
        CHECK(drafts.data()["results"][2]["ok"].boolean() == false);
        CHECK(drafts.data()["results"][2]["error"].is_string());
        CHECK(shop.get("/trips/public").body["meta"]["total"].integer() == 0);
        CHECK(act("publish").data()["affected"].integer() == 2);
        CHECK(shop.get("/trips/public").body["meta"]["total"].integer() == 2);
        CHECK(act("delete").data()["affected"].integer() == 0);
        CHECK(act("trash").data()["affected"].integer() == 2);
        CHECK(act("restore").data()["affected"].integer() == 2);
        shop.given_departure(a, "2026-06-10");
        CHECK(act("trash").data()["affected"].integer() == 2);
        CHECK(act("delete").data()["affected"].integer() == 2);
        CHECK(shop.get(path_of(a)).status == 404);
        CHECK(act("explode").field() == "action");
        CHECK(shop.send("POST", "/trips/bulk", body(R"({"action":"trash","ids":[]})")).field() == "ids");
        CHECK(shop.send("POST", "/trips/bulk", body(R"({"action":"trash","ids":[1,1]})")).field() == "ids");
        shop.as({"svc_edit_trips"});
        CHECK(act("publish").code() == "svc_forbidden");
        CHECK(act("delete").code() == "svc_forbidden");
        CHECK(act("trash").status == 200);
    });
}

TEST_CASE("an old slug leads to the trip until another trip takes it") {
    each_shop([](Shop& shop) {
        const auto id = shop.given_trip({.title = "First"}).id;
        shop.send("PUT", path_of(id), body(R"({"slug":"second"})"));
        shop.send("PUT", path_of(id), body(R"({"slug":"dritte-straße"})"));
        const auto moved = shop.get("/trips/public/first");
        CHECK(moved.status == 301);
        CHECK(moved.header("Location") == "dritte-stra%C3%9Fe");
        CHECK(shop.get("/trips/public/second").status == 301);
        shop.given_trip({.title = "First"});
        CHECK(shop.get("/trips/public/first").status == 200);
        shop.send("PUT", path_of(id), body(R"({"slug":"second"})"));
        CHECK(shop.get("/trips/public/second").status == 200);
        shop.send("PUT", path_of(id), body(R"({"status":"draft"})"));
        CHECK(shop.get("/trips/public/dritte-stra%C3%9Fe").status == 404);
    });
}
