// Parts of a trip: written with it, replaced as a whole, returned to staff and to everyone.
#include <doctest/doctest.h>

#include "tests/base/catalog/trips/catalogue.hpp"

using namespace svc;
using namespace svc::tests;

TEST_CASE("a trip is sorted into classifications by their ids; the first is the primary one") {
    each_shop([](Shop& shop) {
        const auto nile = given_class(shop, "destination", "Nile"), desert = given_class(shop, "destination", "Desert");
        const auto walking = given_class(shop, "activity", "Walking");
        const auto level = given_class(shop, "difficulty", "Steep");
        auto sent = body(R"({"title":"T","regular_price":1,"duration":1,"status":"publish"})");
        sent.set("destinations", json::Value::array({nile, desert}));
        sent.set("activity_types", json::Value::array({json::Value::object({{"id", walking}})}));
        sent.set("difficulty_level", level);
        const auto made = shop.send("POST", "/trips", sent);
        REQUIRE(made.status == 201);
        const auto& places = made.data()["destinations"];
        REQUIRE(places.size() == 2);
        CHECK(places[std::size_t{0}]["name"].text() == "Nile");
        CHECK(places[std::size_t{0}]["is_primary"].boolean());
        CHECK(places[1]["order"].integer() == 1);
        CHECK_FALSE(places[1]["is_primary"].boolean());
        CHECK(made.data()["activity_types"][std::size_t{0}]["is_primary"].boolean());
        CHECK(made.data()["difficulty"]["slug"].text() == "steep");
        CHECK(made.data()["trip_category"].dump() == "[]");
        CHECK(shop.get("/trips").data()[std::size_t{0}]["destinations"].dump() == places.dump());
        CHECK(shop.get("/trips/public/t").data()["destinations"].size() == 2);

        const std::string path = "/trips/" + made.data()["id"].dump();
        CHECK(shop.send("PUT", path, body(R"({"summary":"left alone"})")).data()["destinations"].dump() ==
              places.dump());
        // An answer can be written back, and stays in its order.
        const auto put = [&](const json::Value& list) {
            const auto answer = shop.send("PUT", path, json::Value::object({{"destinations", list}}));
            CAPTURE(answer.text);
            REQUIRE(answer.status == 200);
            std::string told;
            for (const auto& link : answer.data()["destinations"].items())
                told += link["name"].text() + (link["is_primary"].boolean() ? "! " : " ");
            return told;
        };
        CHECK(put(json::Value::array({places[1], places[std::size_t{0}]})) == "Nile! Desert ");
        const auto link = [](std::int64_t id, const char* more) {
            return json::parse("{\"id\":" + std::to_string(id) + more + "}").value();
        };
        CHECK(put(json::Value::array({link(nile, R"(,"order":7)"), link(desert, R"(,"order":3)")})) == "Desert! Nile ");
        CHECK(put(json::Value::array({link(nile, ""), link(desert, R"(,"is_primary":true)")})) == "Nile Desert! ");
        CHECK(put(json::Value::array({link(nile, R"(,"is_primary":false)"), link(desert, "")})) == "Nile Desert ");
        CHECK(put(json::Value::array({link(desert, ""), link(nile, R"(,"order":null)")})) == "Desert! Nile ");
        CHECK(shop.send("PUT", path, body(R"({"destinations":null})")).data()["destinations"].dump() == "[]");
    });
}

TEST_CASE("a link to nothing, to another type, twice or with two primaries is refused by its place in the list") {
    each_shop([](Shop& shop) {
        const std::string path = "/trips/" + std::to_string(shop.given_trip().id);
        const auto id = std::to_string(given_class(shop, "destination", "Nile"));
        const auto other = std::to_string(given_class(shop, "destination", "Desert"));
        const auto refused = [&](const std::string& list, const char* field) {
            CAPTURE(list);
            const auto answered = shop.send("PUT", path, body(R"({"destinations":)" + list + "}"));
            CHECK(answered.status == 400);
            CHECK(answered.field() == field);
        };
        refused("[" + id + ",99999]", "destinations.1");
        refused("[" + id + "," + id + "]", "destinations.1");
        refused("[\"x\"]", "destinations.0");
        refused("[{}]", "destinations.0.id");
        refused("[{\"id\":99999,\"order\":9}," + id + "]", "destinations.0");
        refused("[{\"id\":" + id + ",\"order\":-1}]", "destinations.0.order");
        refused(R"([{"id":)" + id + R"(,"is_primary":true},{"id":)" + other + R"(,"is_primary":true}])",
                "destinations.1");
        const auto wrong = shop.send("PUT", path, body(R"({"activity_types":[)" + id + R"(],"destinations":[99999]})"));
        CHECK(wrong.body["data"]["errors"].size() == 2);
        CHECK(shop.get(path).data()["destinations"].size() == 0);
    });
}

TEST_CASE("everyone sees published classifications and public questions alone") {
    each_shop([](Shop& shop) {
        const auto shown = given_class(shop, "destination", "Nile"),
                   hidden = given_class(shop, "destination", "Secret", "draft");
        const auto trip = shop.given_trip();
        auto sent = body(R"({"faqs":[{"question":"Why?","answer":"<b>So</b><script>x</script>"},
                                     {"question":"Who?","answer":"Staff","is_public":false}]})");
        sent.set("destinations", json::Value::array({hidden, shown}));
        const auto answered = shop.send("PUT", "/trips/" + std::to_string(trip.id), sent);
        REQUIRE(answered.status == 200);
        CHECK(answered.data()["faqs"].size() == 2);
        CHECK(answered.data()["faqs"][std::size_t{0}]["answer"].text() == "<b>So</b>");
        const auto seen = shop.get("/trips/public/nile-cruise").data();
        CHECK(seen["faqs"].size() == 1);
        CHECK(seen["destinations"].size() == 1);
        CHECK(seen["destinations"][std::size_t{0}]["name"].text() == "Nile");
        const auto row = shop.get("/trips/public").data()[std::size_t{0}];
        CHECK(row.find("destinations"));
        for (const char* name : {"faqs", "gallery_images", "custom_fields", "version", "created_by", "revenue_total"}) {
            CAPTURE(name);
            CHECK_FALSE(row.find(name));
        }
    });
}

TEST_CASE("highlights are a list of titles; what belongs to each is kept beside them") {
    each_shop([](Shop& shop) {
        const std::string path = "/trips/" + std::to_string(shop.given_trip().id);
        const auto titles = shop.send("PUT", path, body(R"({"highlights":["Sunrise","Tea"]})")).data();
        CHECK(titles["highlights"].dump() == R"(["Sunrise","Tea"])");
        const auto detailed =
            shop.send("PUT", path, body(R"({"highlight_details":[{"title":"Tea","description":"hot","icon":"cup"}]})"))
                .data();
        CHECK(detailed["highlights"].dump() == R"(["Tea"])");
        CHECK(detailed["highlight_details"][std::size_t{0}]["icon"].text() == "cup");
        CHECK(shop.send("PUT", path, body(R"({"highlights":[""]})")).field() == "highlights.0");
    });
}

TEST_CASE("a gallery holds pictures of ours and addresses of others, in order") {
    each_shop([](Shop& shop) {
        const std::string path = "/trips/" + std::to_string(shop.given_trip().id);
        const auto picture = std::to_string(given_picture(shop));
        const auto answered = shop.send("PUT", path, body(R"({"gallery_images":[
            {"id":)" + picture + R"(,"caption":"Dawn","is_featured":true},
            {"kind":"youtube","url":"https://example.org/v","thumbnail_url":"https://example.org/t"}],
            "featured_image":)" + picture + "}"));
        REQUIRE(answered.status == 200);
        const auto& gallery = answered.data()["gallery_images"];
        CHECK(gallery[std::size_t{0}]["url"].text() == "/media/" + picture + "/file");
        CHECK(gallery[std::size_t{0}]["thumbnail_url"].text() == "/media/" + picture + "/thumbnail");
        CHECK(gallery[1]["url"].text() == "https://example.org/v");
        CHECK(gallery[1]["order"].integer() == 1);
        CHECK(answered.data()["featured_image_url"].text() == "/media/" + picture + "/file");
        CHECK(shop.send("PUT", path, body(R"({"gallery_images":[{"id":99999}]})")).field() == "gallery_images.0.id");
        CHECK(shop.send("PUT", path, body(R"({"gallery_images":[{"url":"ftp://x"}]})")).field() ==
              "gallery_images.0.url");
    });
}

TEST_CASE("each of twenty trips in a list has its own classes") {
    each_shop([](Shop& shop) {
        const auto nile = given_class(shop, "destination", "Nile");
        for (int i = 0; i < 20; ++i) {
            const auto trip = shop.given_trip();
            shop.send("PUT", "/trips/" + std::to_string(trip.id),
                      json::Value::object({{"destinations", json::Value::array({nile})}}));
        }
        const auto twenty = shop.get("/trips?per_page=20&order=asc");
        CHECK(twenty.data().size() == 20);
        for (const auto& trip : twenty.data().items())
            CHECK(trip["destinations"].size() == 1);
    });
}

TEST_CASE("a trip is shown with a picture that everyone may see, nothing else") {
    each_shop([](Shop& shop) {
        const std::string path = "/trips/" + std::to_string(shop.given_trip().id);
        const auto picture = given_picture(shop);
        const auto put = [&] { return shop.send("PUT", path, json::Value::object({{"featured_image", picture}})); };
        const auto set = [&](const char* what) {
            REQUIRE(shop.store->write([&](store::Transaction& tx) -> Result<void> {
                tx.run(std::string("UPDATE svc_media SET ") + what, {});
                return {};
            }));
        };
        CHECK(put().status == 200);
        for (const char* wrong : {"is_private = 1", "is_private = 0, mime_type = 'application/pdf'"}) {
            CAPTURE(wrong);
            set(wrong);
            CHECK(put().status == 400);
            CHECK(put().field() == "featured_image");
            const auto place = shop.send("POST", "/destinations",
                                         json::Value::object({{"name", "Nile"}, {"featured_image", picture}}));
            CHECK(place.field() == "featured_image");
        }
    });
}

TEST_CASE("questions and pictures are in the order of their numbers, the others as they were sent") {
    each_shop([](Shop& shop) {
        const std::string path = "/trips/" + std::to_string(shop.given_trip().id);
        const auto answered = shop.send("PUT", path, body(R"({"faqs":[
            {"question":"c","answer":"x","order":9},{"question":"b","answer":"x"},
            {"question":"d","answer":"x","order":9},{"question":"a","answer":"x","order":0}],
            "gallery_images":[{"url":"https://example.org/2","order":2},{"url":"https://example.org/1","order":1}]})"));
        CAPTURE(answered.text);
        REQUIRE(answered.status == 200);
        std::string told;
        for (const auto& faq : answered.data()["faqs"].items())
            told += faq["question"].text() + std::to_string(faq["order"].integer()) + " ";
        CHECK(told == "a0 b1 c2 d3 ");
        CHECK(answered.data()["gallery_images"][0]["url"].text() == "https://example.org/1");
        const auto refused = shop.send(
            "PUT", path,
            body(
                R"({"faqs":[{"question":"c","answer":"<script></script>","order":9},{"question":"b","answer":"x"}]})"));
        CHECK(refused.field() == "faqs.0.answer");
    });
}
