// Who keeps what from being deleted, beyond what rows of their own refer to.
#include <doctest/doctest.h>

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

const std::string red_dot =
    crypto::from_base64(
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DQAAAEgQGALFXOsAAAAABJRU5ErkJggg==")
        .value();

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
        REQUIRE(set("seo_trip_meta_image", json::parse(id.dump() + "0").value()) == 200);
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
