// References that prevent a deletion, beyond foreign keys.
#include <doctest/doctest.h>

#include "base/catalog/trips/record/texts.hpp"
#include "tests/support/form.hpp"

using namespace svc;
using namespace svc::tests;

namespace {

void each_base(const std::function<void(TestBase&)>& body) {
    each_database([&](Database& database) {
        CAPTURE(database.name());
        TestBase base(database);
        body(base);
    });
}

// Refused; the users that the refusal names.
std::string users_of(const Answered& refused) {
    CAPTURE(refused.text);
    CHECK(refused.status == 409);
    CHECK(refused.code() == "svc_in_use");
    CHECK(refused.body["data"]["used_by"]["total"].integer() == 1);
    return refused.body["data"]["used_by"]["items"].dump();
}

}  // namespace

TEST_CASE("a file that an attribute's value, a setting or an icon names is not deleted") {
    each_base([](TestBase& base) {
        const auto& staff = base.user("owner");
        const auto picture = upload(base, Form{}.file("a.png", red_dot), staff);
        REQUIRE(picture.status == 201);
        const auto id = picture.data()["id"];
        const std::string at = "/media/" + id.dump();
        const auto refused = [&] { return users_of(base.call("DELETE", at, {}, staff)); };

        const auto trip = base.given_trip();
        const auto map = base.post("/attributes", json::Value::object({{"name", "Map"}, {"field_type", "file"}}), staff)
                             .data()["id"];
        const auto say = [&](const json::Value& value) {
            return base
                .post("/trips/" + std::to_string(trip) + "/attributes",
                      json::Value::object({{"attribute_id", map}, {"value", value}}), staff)
                .status;
        };
        REQUIRE(say(id) == 200);
        CHECK(refused() == R"([{"type":"trip","id":)" + std::to_string(trip) + R"(,"title":"Nile cruise"}])");
        REQUIRE(say({}) == 200);

        const auto set = [&](const char* key, const json::Value& value) {
            return base.call("PUT", "/settings", json::Value::object({{key, value}}).dump(), staff).status;
        };
        for (const auto& [key, value, none] : {std::tuple("seo_trip_meta_image", id, json::Value(0)),
                                               std::tuple("company_logo", picture.data()["url"], json::Value(""))}) {
            REQUIRE(set(key, value) == 200);
            CHECK(refused() == R"([{"type":"setting","id":null,"title":")" + std::string(key) + R"("}])");
            REQUIRE(set(key, none) == 200);
        }
        // Another file's number begins alike, another server's address ends alike.
        base.run(("UPDATE svc_settings SET value = '" + id.dump() + "0' WHERE key = 'seo_trip_meta_image'").c_str());
        REQUIRE(set("company_logo", "https://elsewhere.example/svc/v1" + at + "/file") == 200);

        const auto root = picture.data()["url"].text();
        const auto path = root.substr(root.find("/svc/"));
        for (const std::string& address : {root, path}) {
            const auto icon = json::Value::object({{"type", "image"}, {"value", address}});
            const auto made =
                base.post("/activities", json::Value::object({{"name", "Sailing"}, {"icon", icon}}), staff);
            REQUIRE(made.status == 201);
            CHECK(refused() == R"([{"type":"activity","id":)" + made.data()["id"].dump() + R"(,"title":"Sailing"}])");
            REQUIRE(base.call("DELETE", "/activities/" + made.data()["id"].dump(), {}, staff).status == 200);
        }
        CHECK(base.call("DELETE", at, {}, staff).status == 200);
    });
}

TEST_CASE("a file that a text of a trip, of its days or of a class shows is not deleted while it does") {
    each_base([](TestBase& base) {
        const auto& staff = base.user("owner");
        const auto picture = upload(base, Form{}.file("a.png", red_dot), staff);
        REQUIRE(picture.status == 201);
        const auto id = picture.data()["id"].dump();
        const std::string at = "/media/" + id;
        const std::string url = picture.data()["url"].text();
        const auto refused = [&] { return users_of(base.call("DELETE", at, {}, staff)); };
        const auto trip = std::to_string(base.given_trip());
        const std::string path = "/trips/" + trip;
        const auto link =
            base.post("/attributes", json::Value::object({{"name", "Page"}, {"field_type", "url"}}), staff);
        const auto value = R"({"attribute_id":)" + link.data()["id"].dump() + R"(,"value":"$"})";
        REQUIRE(base.call("POST", "/itineraries", R"({"trip_id":)" + trip + R"(,"day":1})", staff).status == 201);
        const auto day =
            "/itineraries/" + base.get("/itineraries?trip_id=" + trip, staff).data()[0]["id"].dump() + "?mode=day";
        const auto made = base.call("POST", "/itineraries",
                                    R"({"trip_id":)" + trip + R"(,"day":1,"mode":"activity","title":"Lunch"})", staff);
        const auto entry = "/itineraries/" + made.data()["id"].dump();

        struct Place {
            const char* method;
            std::string path, body;
            bool by_path = true;  // an address without the host is taken there
        };
        const std::string shown = R"(<p>See <img src=\"$\" alt=\"\"></p>)";
        const std::vector<Place> places{
            {"PUT", path, R"({"description":")" + shown + R"("})"},
            {"PUT", path, R"({"trip_details":"<a href=\"$\">plan</a>"})"},
            {"PUT", path, R"({"what_makes_special":")" + shown + R"("})"},
            {"PUT", path, R"({"trip_story":")" + shown + R"("})"},
            {"PUT", path, R"({"video_url":"$"})", false},
            {"PUT", path,
             R"({"frontend_tabs":[{"id":"x","label":"X","enabled":true,"order":0,"content_type":"custom","custom_content":")" +
                 shown + R"("}]})"},
            {"PUT", path, R"({"custom_fields":{"map":"$"}})"},
            {"PUT", path, R"({"faqs":[{"question":"Which?","answer":")" + shown + R"("}]})"},
            {"PUT", path, R"({"highlight_details":[{"title":"Sun","icon":"$"}]})"},
            {"PUT", path, R"({"gallery_images":[{"url":"$"}]})", false},
            {"POST", path + "/attributes", value, false},
            {"PUT", day, R"({"day_description":")" + shown + R"("})"},
            {"PUT", entry, R"({"description":")" + shown + R"("})"}};
        bool elsewhere = false;
        for (const Place& place : places) {
            CAPTURE(place.path);
            CAPTURE(place.body);
            const auto write = [&](const std::string& address) {
                std::string body = place.body;
                body.replace(body.find('$'), 1, address);
                const auto answered = base.call(place.method, place.path, body, staff);
                CAPTURE(answered.text);
                CHECK(answered.status == 200);
            };
            const std::string local = url.substr(url.find("/svc/"));
            for (const std::string& address : place.by_path ? std::vector{url, local} : std::vector{url}) {
                write(address);
                CHECK(refused() == R"([{"type":"trip","id":)" + trip + R"(,"title":"Nile cruise"}])");
                // Another file's number begins alike, another server's address ends alike.
                elsewhere = !elsewhere;
                write(elsewhere ? "https://elsewhere.example" + local : url.substr(0, url.rfind('/')) + "0/file");
            }
        }
        const auto copy = base.call("POST", path + "/duplicate", {}, staff).data()["id"].dump();
        for (const char* kind : {"/destinations", "/trip-categories", "/item-types", "/traveler-categories"}) {
            CAPTURE(kind);
            const auto text = "<img src=\"" + url + "\">";
            const auto kept =
                base.post(kind, json::Value::object({{"name", "Delta"}, {"description", text}}), staff).data()["id"];
            CHECK(refused().find(R"(,"title":"Delta")") != std::string::npos);
            REQUIRE(base.call("DELETE", kind + ("/" + kept.dump()), {}, staff).status == 200);
        }
        REQUIRE(base.call(
                        "PUT", "/trips/" + copy,
                        R"({"trip_story":")" +
                            [&] {
                                std::string text = shown;
                                return text.replace(text.find('$'), 1, url);
                            }() +
                            R"("})",
                        staff)
                    .status == 200);
        CHECK(refused().find("(Copy)") != std::string::npos);
        // A trip that is gone shows nothing.
        REQUIRE(base.call("DELETE", "/trips/" + copy, {}, staff).status == 200);
        CHECK(refused().find("(Copy)") != std::string::npos);
        REQUIRE(base.call("DELETE", "/trips/" + copy + "/permanent-delete", {}, staff).status == 200);
        CHECK(base.call("DELETE", at, {}, staff).status == 200);
    });
}

TEST_CASE("texts and titles of before are read by a job, which is no write of the trip") {
    each_base([](TestBase& base) {
        const auto& staff = base.user("owner");
        const auto picture = upload(base, Form{}.file("a.png", red_dot), staff);
        const std::string at = "/media/" + picture.data()["id"].dump();
        const auto first = base.given_trip("Zebra"), second = base.given_trip("Äpple");
        const std::string path = "/trips/" + std::to_string(first);
        const auto text = "<img src=\"" + picture.data()["url"].text() + "\">";
        REQUIRE(base.call("PUT", path, json::Value::object({{"description", text}}).dump(), staff).status == 200);
        const auto before = base.get(path, staff).data();
        base.run("DELETE FROM svc_trip_mentions");
        base.run("UPDATE svc_trips SET title_folded = 'z' || id");
        base.run("INSERT INTO svc_trip_texts_due (trip_id) SELECT id FROM svc_trips");
        const auto titles = [&] { return base.get("/trips?orderby=title&order=asc", staff).data()[0]["id"].integer(); };
        CHECK(titles() == first);
        const auto read = [&] { return catalog::trips::run_texts(*base.assembly->store).value().dump(); };
        CHECK(read() == R"({"trips":2})");
        CHECK(read() == R"({"trips":0})");
        CHECK(titles() == second);
        CHECK(base.get(path, staff).data() == before);
        CHECK(users_of(base.call("DELETE", at, {}, staff)).find("Zebra") != std::string::npos);
    });
}

TEST_CASE(
    "a traveler category that bookings have is not deleted, nor a trip that is booked, and both name the booking") {
    each_base([](TestBase& base) {
        const auto& staff = base.user("owner");
        const auto gang =
            base.post("/traveler-categories", json::Value::object({{"name", "Gang"}, {"status", "publish"}}), staff)
                .data()["id"];
        const auto trip = base.given_trip();
        base.given_departure(trip);
        const auto booking = base.given_booking(trip);
        const std::string category = "/traveler-categories/" + gang.dump();
        base.run((R"(UPDATE svc_bookings SET traveler_counts = '{"1":1,")" + gang.dump() + R"(":2}')").c_str());
        const auto named =
            R"([{"type":"booking","id":)" + std::to_string(booking.id) + R"(,"title":")" + booking.reference + R"("}])";
        CHECK(users_of(base.call("DELETE", category, {}, staff)) == named);
        base.run((R"(UPDATE svc_bookings SET traveler_counts = '{"1":1,"1)" + gang.dump() + R"(":2}')").c_str());
        CHECK(base.call("DELETE", category, {}, staff).status == 200);

        const std::string path = "/trips/" + std::to_string(trip);
        REQUIRE(base.call("DELETE", path, {}, staff).status == 200);
        CHECK(users_of(base.call("DELETE", path + "/permanent-delete", {}, staff)) == named);
        CHECK(users_of(base.call("DELETE", path, {}, staff)) == named);
    });
}

TEST_CASE("an address of a file is found anywhere in a text, with the text before it") {
    const auto found = [](std::string_view text) {
        std::string all;
        for (const auto& [root, id] : catalog::trips::mentions_in(text))
            all += root + " " + std::to_string(id) + "; ";
        return all;
    };
    CHECK(found("/svc/v1/media/7/file") == "/svc/v1 7; ");
    CHECK(found(R"(<img src="https://a.example/svc/v1/media/7/file"> (/svc/v1/media/7/thumbnail) '/media/12/x')") ==
          " 12; /svc/v1 7; https://a.example/svc/v1 7; ");
    CHECK(found(R"({"html":"<img src=\"https://a.example:81/svc/v1/media/7/file\">"})") ==
          "https://a.example:81/svc/v1 7; ");
    CHECK(found("https://b.example/?of=https://a.example/svc/v1/media/7/file") ==
          "https://b.example/?of=https://a.example/svc/v1 7; ");
    for (const char* none : {"", "/media/", "/media/7", "/media/x/file", "/media/-7/file", "/media/0/file",
                             "/media/99999999999999999999/file", "media/7/file", "/mediae/7/file"}) {
        CAPTURE(none);
        CHECK(found(none).empty());
    }
    CHECK(found(std::string(2000, 'a') + "/svc/v1/media/7/file").size() < 600);
}
