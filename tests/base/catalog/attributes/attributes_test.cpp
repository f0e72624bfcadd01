// Attributes of trips: typed, checked, and shown to their audience.
#include <doctest/doctest.h>

#include "base/catalog/attributes/pattern.hpp"
#include "base/catalog/attributes/value.hpp"
#include "tests/support/shop.hpp"

using namespace svc;
using tests::Answered;
using tests::each_shop;
using tests::Shop;

namespace {

namespace attributes = catalog::attributes;

json::Value body(const std::string& text) { return json::parse(text).value(); }

std::int64_t made(Shop& shop, const std::string& text) {
    const auto answered = shop.send("POST", "/attributes", body(text));
    CAPTURE(answered.text);
    REQUIRE(answered.status == 201);
    return answered.data()["id"].integer();
}

std::string trip_path(std::int64_t id) { return "/trips/" + std::to_string(id); }

Answered say(Shop& shop, std::int64_t trip, std::int64_t attribute, const json::Value& value) {
    return shop.send("POST", trip_path(trip) + "/attributes",
                     json::Value::object({{"attribute_id", attribute}, {"value", value}}));
}

// The one value that a trip has, as stored.
json::Value said(const Answered& answered, std::int64_t attribute) {
    for (const auto& each : answered.data().items())
        if (each["attribute_id"].integer() == attribute)
            return each["value"];
    return {};
}

std::int64_t number(Shop& shop, const char* sql) {
    return shop.store->reading<std::int64_t>([&](store::Session& session) { return session.number(sql, {}); });
}

}  // namespace

TEST_CASE("a value fits its field type, and everything else is rejected by the attribute's id") {
    each_shop([](Shop& shop) {
        const auto trip = shop.given_trip().id;
        struct Row {
            const char *attribute, *fine, *stored;
            std::vector<const char*> wrong;
        };
        const char* options = R"(,"field_options":[{"label":"Low","value":"low"},{"label":"High","value":"high"}]})";
        const std::string select = std::string(R"({"name":"Pace","field_type":"select")") + options;
        const std::string radio = std::string(R"({"name":"Pace","field_type":"radio")") + options;
        const std::string checkbox = std::string(R"({"name":"Pace","field_type":"checkbox")") + options;
        const std::vector<Row> rows{
            {R"({"name":"Text"})", R"("  a\tb ")", R"("a b")", {"5", "true", "[\"a\"]", "{}"}},
            {R"({"name":"Lines","field_type":"textarea"})", R"("a\nb")", R"("a\nb")", {"5"}},
            {R"({"name":"Height","field_type":"number","validation_rules":{"min":-10,"max":"8848.86"}})",
             "8848.86",
             "8848.86",
             {"8848.861", "-10.000001", "\"high\"", "1e3", "true", "0.0000001"}},
            {R"({"name":"Mail","field_type":"email"})", R"("a@example.org")", R"("a@example.org")", {"\"a@\"", "5"}},
            {R"({"name":"Site","field_type":"url"})",
             R"("https://example.org/x")",
             R"("https://example.org/x")",
             {"\"javascript:alert(1)\"", "\"ftp://example.org\"", "\"https://\"", "\"https://a b\""}},
            {select.c_str(), R"("low")", R"("low")", {"\"Low\"", "\"none\"", "[\"low\"]"}},
            {radio.c_str(), R"("high")", R"("high")", {"\"none\"", "true"}},
            {checkbox.c_str(), R"(["high","low","high"])", R"(["high","low"])", {"{}", "\"none\""}},
            {R"({"name":"Day","field_type":"date"})",
             R"("2026-05-04")",
             R"("2026-05-04")",
             {"\"2026-02-30\"", "20260504"}},
            {R"({"name":"Time","field_type":"time"})", R"("09:30")", R"("09:30")", {"\"25:00\"", "\"9\""}},
            {R"({"name":"Color","field_type":"color"})", R"("#aB12c3")", R"("#aB12c3")", {"\"red\"", "\"#12345g\""}},
            {R"({"name":"Code","validation_rules":{"pattern":"[A-Z]{2}[0-9]+","min_length":3,"max_length":5}})",
             R"("AB12")",
             R"("AB12")",
             {"\"xAB12\"", "\"AB\"", "\"AB1234\""}}};
        for (const auto& row : rows) {
            CAPTURE(row.attribute);
            const auto id = made(shop, row.attribute);
            const auto fine = say(shop, trip, id, body(row.fine));
            CAPTURE(fine.text);
            REQUIRE(fine.status == 200);
            CHECK(said(fine, id).dump() == row.stored);
            for (const char* wrong : row.wrong) {
                CAPTURE(wrong);
                const auto refused = say(shop, trip, id, body(wrong));
                CHECK(refused.status == 400);
                CHECK(refused.field() == "attributes." + std::to_string(id));
            }
            CHECK(said(shop.get(trip_path(trip) + "/attributes"), id).dump() == row.stored);
        }
        const auto file = made(shop, R"({"name":"File","field_type":"file"})");
        CHECK(say(shop, trip, file, 999).status == 400);
        CHECK(number(shop, "SELECT COUNT(*) FROM svc_trip_classifications WHERE attribute_number = 8848860000") == 1);
        CHECK(number(shop, "SELECT COUNT(*) FROM svc_trip_classifications WHERE attribute_date = '2026-05-04'") == 1);
    });
}

TEST_CASE("each choice of a list that is no option is named by its place, beside what else is wrong") {
    each_shop([](Shop& shop) {
        const auto trip = shop.given_trip().id;
        const std::string options = R"("field_options":[{"label":"Low","value":"low"}]})";
        const auto choices = std::to_string(made(shop, R"({"name":"C","field_type":"checkbox",)" + options));
        const auto color = std::to_string(made(shop, R"({"name":"D","field_type":"color"})"));
        const auto refused =
            shop.send("PUT", trip_path(trip),
                      body(R"({"attributes":{")" + choices + R"(":["none","low",5],")" + color + R"(":"red"}})"));
        CHECK(refused.status == 400);
        const json::Value& errors = refused.data()["errors"];
        CHECK(errors.size() == 3);
        for (const std::string& field : {choices + ".0", choices + ".2", color}) {
            CAPTURE(field);
            CHECK(errors.find("attributes." + field) != nullptr);
        }
    });
}

TEST_CASE("a pattern never takes long, and one that cannot be used is refused when it is written") {
    const std::string evil = "(a+)+$";
    CHECK_FALSE(attributes::fault_of_pattern(evil));
    CHECK_FALSE(attributes::matches(evil, std::string(100'000, 'a') + "!"));
    CHECK(attributes::matches("ü+", "üü"));
    for (const char* wrong : {"(", "[a", "(?=a)", "\\1", "((a{1000}){1000}){1000}", "*"}) {
        CAPTURE(wrong);
        CHECK(attributes::fault_of_pattern(wrong));
    }
    each_shop([](Shop& shop) {
        const auto refused =
            shop.send("POST", "/attributes", body(R"({"name":"Code","validation_rules":{"pattern":"("}})"));
        CHECK(refused.status == 400);
        CHECK(refused.field() == "validation_rules.pattern");
    });
}

TEST_CASE("a default value fits its own attribute") {
    each_shop([](Shop& shop) {
        const auto refused =
            shop.send("POST", "/attributes", body(R"({"name":"N","field_type":"number","default_value":"many"})"));
        CHECK(refused.field() == "default_value");
        made(shop, R"({"name":"N","field_type":"number","default_value":"12.5"})");
    });
}

TEST_CASE("the field type is fixed once trips have values") {
    each_shop([](Shop& shop) {
        const auto id = made(shop, R"({"name":"Height"})");
        const auto path = "/attributes/" + std::to_string(id);
        CHECK(shop.send("PUT", path, body(R"({"field_type":"textarea"})")).status == 200);
        REQUIRE(say(shop, shop.given_trip().id, id, "high").status == 200);
        const auto refused = shop.send("PUT", path, body(R"({"field_type":"number"})"));
        CHECK(refused.status == 409);
        CHECK(refused.field() == "field_type");
        CHECK(shop.send("PUT", path, body(R"({"name":"How high"})")).status == 200);
    });
}

TEST_CASE("a trip's values are accepted as they were returned, even after the attribute's rules changed") {
    each_shop([](Shop& shop) {
        const auto trip = shop.given_trip().id;
        const auto pace = made(
            shop,
            R"({"name":"Pace","field_type":"select","field_options":[{"label":"e","value":"e"},{"label":"h","value":"h"}]})");
        const auto extras = made(
            shop,
            R"({"name":"Extras","field_type":"checkbox","field_options":[{"label":"a","value":"a"},{"label":"b","value":"b"}]})");
        const auto height = made(shop, R"({"name":"Height","field_type":"number"})");
        REQUIRE(say(shop, trip, pace, "e").status == 200);
        REQUIRE(say(shop, trip, extras, body(R"(["a","b"])")).status == 200);
        REQUIRE(say(shop, trip, height, body("12.5")).status == 200);
        const auto put = [&](std::int64_t id, const char* fields) {
            REQUIRE(shop.send("PUT", "/attributes/" + std::to_string(id), body(fields)).status == 200);
        };
        put(pace, R"({"field_options":[{"label":"h","value":"h"}]})");
        put(extras, R"({"field_options":[{"label":"b","value":"b"}]})");
        put(height, R"({"validation_rules":{"max":5}})");
        auto told = shop.get(trip_path(trip)).data()["attributes"];
        const auto back = shop.send("PUT", trip_path(trip), json::Value::object({{"attributes", told}}));
        CAPTURE(back.text);
        CHECK(back.status == 200);
        CHECK(back.data()["attributes"] == told);
        told.set(std::to_string(extras), body(R"(["a"])"));
        CHECK(shop.send("PUT", trip_path(trip), json::Value::object({{"attributes", told}})).field() ==
              "attributes." + std::to_string(extras) + ".0");
        told.erase(std::to_string(extras));
        CHECK(shop.send("PUT", trip_path(trip), json::Value::object({{"attributes", told}})).data()["attributes"] ==
              told);
    });
}

TEST_CASE("an empty value takes one away, unless the attribute is required") {
    each_shop([](Shop& shop) {
        const auto trip = shop.given_trip().id;
        const auto free = made(shop, R"({"name":"Free"})");
        const auto must = made(shop, R"({"name":"Must","required":true})");
        for (const auto id : {free, must})
            REQUIRE(say(shop, trip, id, "x").status == 200);
        for (const char* nothing : {"null", "\"\"", "\"  \"", "[]"}) {
            CAPTURE(nothing);
            REQUIRE(say(shop, trip, free, "x").status == 200);
            CHECK(said(say(shop, trip, free, body(nothing)), free).is_null());
            CHECK(say(shop, trip, must, body(nothing)).status == 400);
        }
        const auto values = trip_path(trip) + "/attributes";
        CHECK(shop.send("DELETE", values + "/" + std::to_string(must)).status == 409);
        CHECK(shop.send("DELETE", values + "/" + std::to_string(free)).status == 404);
        REQUIRE(say(shop, trip, free, "x").status == 200);
        CHECK(shop.send("DELETE", values + "/" + std::to_string(free)).status == 200);
        CHECK(shop.get(values).data().size() == 1);
    });
}

TEST_CASE("a trip appears only with every required attribute, and one that was there before may be saved") {
    each_shop([](Shop& shop) {
        const auto seen = shop.given_trip({.title = "Seen"}).id;
        const auto must = made(shop, R"({"name":"Altitude","required":true})");
        made(shop, R"({"name":"Free"})");
        made(shop, R"({"name":"Draft","required":true,"status":"draft"})");
        const std::string field = "attributes." + std::to_string(must);
        const auto put = [&](std::int64_t trip, const char* fields) {
            return shop.send("PUT", trip_path(trip), body(fields));
        };
        CHECK(put(seen, R"({"summary":"s"})").status == 200);
        for (const char* left : {"archived", "publish"})
            CHECK(put(seen, (std::string(R"({"status":")") + left + "\"}").c_str()).status == 200);
        shop.send("DELETE", trip_path(seen));
        CHECK(shop.send("POST", trip_path(seen) + "/restore").data()["status"].text() == "publish");

        const char* complete = R"({"title":"New","regular_price":5,"duration":1,"status":"publish"})";
        const auto refused = shop.send("POST", "/trips", body(complete));
        CHECK(refused.status == 400);
        CHECK(refused.code() == "svc_validation_error");
        CHECK(refused.field() == field);
        CHECK(refused.text.find("Altitude") != std::string::npos);
        const auto draft = shop.send("POST", trip_path(seen) + "/duplicate").data()["id"].integer();
        CHECK(put(draft, R"({"title":"Copy"})").status == 200);
        CHECK(put(draft, R"({"status":"publish"})").field() == field);
        CHECK(shop.send("POST", "/trips/bulk",
                        json::Value::object({{"action", "publish"}, {"ids", json::Value::array({draft})}}))
                  .data()["failed"]
                  .integer() == 1);
        const auto both = json::Value::object(
            {{"status", "publish"}, {"attributes", json::Value::object({{std::to_string(must), "high"}})}});
        CHECK(shop.send("PUT", trip_path(draft), both).status == 200);
    });
}

TEST_CASE("staff find trips by what their attributes say, until they say it no longer") {
    each_shop([](Shop& shop) {
        const auto trip = shop.given_trip({.title = "Ridge"}).id;
        shop.given_trip({.title = "Elsewhere"});
        const auto words = made(shop, R"({"name":"Rope"})");
        const auto options = made(shop, R"({"name":"Gear","field_type":"checkbox","field_options":[
            {"label":"Ice axe","value":"axe"},{"label":"Crampons","value":"crampons"}]})");
        const auto found = [&](const std::string& search) {
            const auto staff = shop.get("/trips?search=" + search).column("title");
            CHECK(shop.get("/trips/public?search=" + search).column("title") == staff);
            return staff;
        };
        REQUIRE(say(shop, trip, words, "Zwölf Meter").status == 200);
        REQUIRE(say(shop, trip, options, json::Value::array({"axe", "crampons"})).status == 200);
        CHECK(found("ridge+zwolf+cramp") == "Ridge");
        CHECK(found("metres") == "");
        CHECK(shop.get("/trips/search?search=zwolf").header("X-Host-Total") == "0");
        REQUIRE(say(shop, trip, words, "Twenty").status == 200);
        CHECK(found("zwolf") == "");
        CHECK(found("twenty") == "Ridge");
        // Other writes of the trip forget nothing of it.
        shop.send("PUT", trip_path(trip), body(R"({"summary":"s"})"));
        CHECK(found("twenty") == "Ridge");
        CHECK(shop.send("DELETE", "/attributes/" + std::to_string(words)).status == 200);
        CHECK(found("twenty") == "");
        CHECK(found("axe") == "Ridge");
    });
}

TEST_CASE("nobody finds a trip by an attribute that is not searchable, until it is") {
    each_shop([](Shop& shop) {
        const auto trip = shop.given_trip({.title = "Ridge"}).id;
        const auto rope = made(shop, R"({"name":"Rope","searchable":false})");
        REQUIRE(say(shop, trip, rope, "Zwölf Meter").status == 200);
        const auto found = [&] {
            return shop.get("/trips?search=zwolf").column("title") + "|" +
                   shop.get("/trips/public?search=zwolf").column("title");
        };
        const auto searchable = [&](const char* is) {
            return shop
                .send("PUT", "/attributes/" + std::to_string(rope), body(R"({"searchable":)" + std::string(is) + "}"))
                .status;
        };
        CHECK(found() == "|");
        REQUIRE(searchable("true") == 200);
        CHECK(found() == "Ridge|Ridge");
        REQUIRE(searchable("false") == 200);
        CHECK(found() == "|");
    });
}

TEST_CASE("the smallest number an attribute takes does not lie above the largest") {
    each_shop([](Shop& shop) {
        const auto field = [&](const char* least, const char* most) {
            return shop
                .send("POST", "/attributes",
                      body(R"({"name":"Height","field_type":"number","validation_rules":{"min":)" + std::string(least) +
                           R"(,"max":)" + most + "}}"))
                .field();
        };
        for (const auto& [least, most] : {std::pair("2", "1"), std::pair("10", "9.5"), std::pair("-1", "-2"),
                                          std::pair("0.01", "-0.01"), std::pair("1.51", "1.5")}) {
            CAPTURE(least);
            CHECK(field(least, most) == "validation_rules.max");
        }
        for (const auto& [least, most] :
             {std::pair("1", "1.0"), std::pair("9.5", "10"), std::pair("-2", "-1"), std::pair("-1", "0.5")}) {
            CAPTURE(least);
            CHECK(field(least, most).empty());
        }
    });
}

TEST_CASE("only attributes that are there and published take values") {
    each_shop([](Shop& shop) {
        const auto trip = shop.given_trip().id;
        const auto id = made(shop, R"({"name":"Height"})");
        CHECK(say(shop, trip, 999, "x").field() == "attributes.999");
        CHECK(say(shop, trip, 4, "x").field() == "attributes.4");  // an item type
        CHECK(shop.send("POST", trip_path(trip) + "/attributes", body("{}")).field() == "attributes");
        CHECK(shop.send("POST", trip_path(trip) + "/attributes", body(R"({"attributes":{"x":1}})")).status == 400);
        // Leaving the value out is no way to clear it.
        REQUIRE(say(shop, trip, id, "x").status == 200);
        const auto half =
            shop.send("POST", trip_path(trip) + "/attributes", json::Value::object({{"attribute_id", id}}));
        CHECK(half.status == 400);
        CHECK(half.field() == "value");
        CHECK(said(shop.get(trip_path(trip) + "/attributes"), id).text() == "x");
        REQUIRE(say(shop, trip, id, json::Value()).status == 200);
        shop.send("PUT", "/attributes/" + std::to_string(id), body(R"({"status":"draft"})"));
        CHECK(say(shop, trip, id, "x").status == 400);
        CHECK(say(shop, 999, id, "x").code() == "trip_not_found");
    });
}

TEST_CASE("several values are set together or not at all") {
    each_shop([](Shop& shop) {
        const auto trip = shop.given_trip().id;
        const auto one = made(shop, R"({"name":"One"})"), two = made(shop, R"({"name":"Two","field_type":"number"})");
        const auto both = [&](const json::Value& second) {
            return shop.send("POST", trip_path(trip) + "/attributes",
                             json::Value::object(
                                 {{"attributes",
                                   json::Value::object({{std::to_string(one), "a"}, {std::to_string(two), second}})}}));
        };
        CHECK(both("many").status == 400);
        CHECK(shop.get(trip_path(trip) + "/attributes").data().size() == 0);
        CHECK(both(5).data().size() == 2);
    });
}

TEST_CASE("a trip has its values as a member, which a write replaces") {
    each_shop([](Shop& shop) {
        const auto trip = shop.given_trip().id;
        const auto one = made(shop, R"({"name":"One"})"), two = made(shop, R"({"name":"Two","field_type":"number"})");
        const auto member = [&](std::int64_t id) {
            return shop.get(trip_path(trip)).data()["attributes"][std::to_string(id)];
        };
        REQUIRE(say(shop, trip, one, "a").status == 200);
        CHECK(member(one).text() == "a");
        const auto put = [&](const json::Value& values) {
            return shop.send("PUT", trip_path(trip), json::Value::object({{"attributes", values}}));
        };
        REQUIRE(put(json::Value::object({{std::to_string(two), "7.5"}})).status == 200);
        CHECK(member(one).is_null());
        CHECK(member(two).number_text() == "7.5");
        CHECK(put(json::Value::object({{std::to_string(two), "x"}})).field() == "attributes." + std::to_string(two));
        REQUIRE(shop.send("PUT", trip_path(trip), body(R"({"summary":"other"})")).status == 200);
        CHECK(member(two).number_text() == "7.5");
        REQUIRE(put(json::Value()).status == 200);
        CHECK(member(two).is_null());
    });
}

TEST_CASE("visitors see what is meant for them, of published trips alone") {
    each_shop([](Shop& shop) {
        const auto trip = shop.given_trip().id, draft = shop.given_trip({.status = "draft"}).id;
        const auto open = made(shop, R"({"name":"Open"})");
        const auto hidden = made(shop, R"({"name":"Hidden","show_on_frontend":false})");
        for (const auto id : {open, hidden})
            for (const auto each : {trip, draft})
                REQUIRE(say(shop, each, id, "x").status == 200);
        const auto in_public = [&] { return shop.get("/trips/public/nile-cruise").data()["attributes"].dump(); };
        CHECK(in_public() == R"({")" + std::to_string(open) + R"(":"x"})");
        CHECK(shop.get(trip_path(draft) + "/attributes").data().size() == 2);
        shop.as({});
        CHECK(shop.get(trip_path(trip) + "/attributes").column("name") == "Open");
        CHECK(shop.get(trip_path(draft) + "/attributes").code() == "trip_not_found");
        CHECK(shop.get(trip_path(999) + "/attributes").code() == "trip_not_found");
        CHECK(shop.send("POST", trip_path(trip) + "/attributes").status == 401);
        shop.as({"manage_options"});
        shop.send("PUT", "/attributes/" + std::to_string(open), body(R"({"status":"trash"})"));
        CHECK(in_public() == "{}");
        shop.send("PUT", "/attributes/" + std::to_string(hidden), body(R"({"show_on_frontend":true})"));
        CHECK(in_public() == R"({")" + std::to_string(hidden) + R"(":"x"})");
        shop.send("DELETE", "/attributes/" + std::to_string(hidden));
        CHECK(in_public() == "{}");
        CHECK(number(shop, "SELECT COUNT(*) FROM svc_trip_classifications") == 2);
    });
}

TEST_CASE("the public lists of attributes are in memory, in order, and change with every write") {
    each_shop([](Shop& shop) {
        const auto first = made(shop, R"({"name":"First"})");
        const auto second = made(shop, R"({"name":"Second","show_in_filters":true})");
        made(shop, R"({"name":"Draft","status":"draft","show_in_filters":true})");
        shop.as({});
        const auto read = shop.get("/attributes/frontend");
        CHECK(read.column("name") == "First Second");
        CHECK(read.data()[0]["created_by"].is_null());
        CHECK(shop.get("/attributes/frontend", {{"If-None-Match", read.header("ETag")}}).status == 304);
        CHECK(shop.get("/attributes/filterable").column("name") == "Second");
        shop.as({"manage_options"});
        const auto orders = json::Value::object(
            {{"orders", json::Value::array({json::Value::object({{"id", first}, {"display_order", 9}}),
                                            json::Value::object({{"id", second}, {"display_order", 1}}),
                                            json::Value::object({{"id", 4}, {"display_order", 1}})})}});
        CHECK(shop.send("POST", "/attributes/orders", orders).data()["updated"].integer() == 2);
        CHECK(shop.get("/attributes/frontend").column("name") == "Second First");
        CHECK(shop.get("/attributes/frontend", {{"If-None-Match", read.header("ETag")}}).status == 200);
        shop.send("PUT", "/attributes/" + std::to_string(second), body(R"({"name":"Renamed"})"));
        CHECK(shop.get("/attributes/filterable").column("name") == "Renamed");
    });
}

TEST_CASE("the values that published trips have are counted, each option by itself") {
    each_shop([](Shop& shop) {
        const auto id = made(shop, R"({"name":"Meals","field_type":"checkbox",
            "field_options":[{"label":"B","value":"breakfast"},{"label":"D","value":"dinner"}]})");
        REQUIRE(say(shop, shop.given_trip().id, id, body(R"(["dinner","breakfast"])")).status == 200);
        REQUIRE(say(shop, shop.given_trip().id, id, body(R"(["dinner"])")).status == 200);
        REQUIRE(say(shop, shop.given_trip({.status = "draft"}).id, id, body(R"(["breakfast"])")).status == 200);
        shop.as({});
        const auto path = "/attributes/values/" + std::to_string(id);
        CHECK(shop.get(path).column("value") == "dinner breakfast");
        CHECK(shop.get(path).column("count") == "2 1");
        CHECK(shop.get("/attributes/values/999").status == 404);
        CHECK(shop.get("/attributes/values/4").status == 404);
        const auto change = [&](const char* text) {
            shop.as({"manage_options"});
            REQUIRE(shop.send("PUT", "/attributes/" + std::to_string(id), body(text)).status == 200);
        };
        change(R"({"show_on_frontend":false})");  // neither on pages nor in filters: staff's alone
        CHECK(shop.get(path).status == 200);
        shop.as({});
        CHECK(shop.get(path).status == 404);
        change(R"({"show_in_filters":true})");
        shop.as({});
        CHECK(shop.get(path).column("count") == "2 1");
        change(R"({"status":"draft"})");
        CHECK(shop.get(path).status == 404);
    });
}

TEST_CASE("staff look attributes up by letters and by slug, and lists are cut by their fields") {
    each_shop([](Shop& shop) {
        const auto id = made(shop, R"({"name":"Sea level","field_type":"number","show_in_filters":true})");
        made(shop, R"({"name":"Language","show_on_frontend":false})");
        CHECK(shop.get("/attributes/search?q=SEA").column("name") == "Sea level");
        CHECK(shop.get("/attributes/search?q=s").field() == "q");
        CHECK(shop.get("/attributes/search").field() == "q");
        const auto taken = shop.get("/attributes/check-slug?slug=Sea%20Level").data();
        CHECK(taken["exists"].boolean());
        CHECK(taken["suggested_slug"].text() == "sea-level-2");
        const auto own = shop.get("/attributes/check-slug?slug=sea-level&exclude_id=" + std::to_string(id)).data();
        CHECK_FALSE(own["exists"].boolean());
        CHECK(shop.get("/attributes?field_type=number").column("name") == "Sea level");
        CHECK(shop.get("/attributes?show_on_frontend=false").column("name") == "Language");
        CHECK(shop.get("/attributes?show_in_filters=1").column("name") == "Sea level");
        CHECK(shop.get("/attributes").column("display_order") == "1 2");
    });
}

TEST_CASE(
    "attributes emit events when they are added, changed, trashed, deleted and ordered, and trips return their "
    "values") {
    each_shop([](Shop& shop) {
        const auto trip = shop.given_trip().id;
        std::size_t told = 0;
        const auto fired = [&] {
            std::vector<std::string> all = shop.store->reading<std::vector<std::string>>([](store::Session& session) {
                return session.all<std::string>(
                    "SELECT name || arguments FROM svc_domain_events WHERE name LIKE 'svc_%attribute%' ORDER BY id",
                    "t", {}, [](const store::Row& row) { return row.text(0); });
            });
            std::string fresh;
            for (; told < all.size(); ++told)
                fresh += all[told] + ";";
            return fresh;
        };
        const auto id = made(shop, R"({"name":"Pace"})"), other = made(shop, R"({"name":"Height"})");
        const std::string one = std::to_string(id), two = std::to_string(other), of = std::to_string(trip);
        CHECK(fired() == "svc_attribute_created[" + one + "];svc_attribute_created[" + two + "];");
        shop.send("PUT", "/attributes/" + one, body(R"({"description":"How fast"})"));
        CHECK(fired() == "svc_attribute_updated[" + one + "];");
        shop.send("PUT", "/attributes/" + one, body(R"({"name":""})"));
        CHECK(fired() == "");
        shop.send("POST", "/attributes/orders",
                  body(R"({"orders":[{"id":)" + one + R"(,"display_order":5},{"id":999999,"display_order":1}]})"));
        CHECK(fired() == "svc_attribute_orders_updated[[" + one + "]];");

        say(shop, trip, id, "slow");
        CHECK(fired() == "svc_trip_attribute_set[" + of + "," + one + R"(,"slow"];)");
        say(shop, trip, id, "slow");
        CHECK(fired() == "");
        shop.send("PUT", trip_path(trip), body(R"({"attributes":{")" + one + R"(":"fast",")" + two + R"(":"high"}})"));
        CHECK(fired() == "svc_trip_attribute_set[" + of + "," + one + R"(,"fast"];)" + "svc_trip_attribute_set[" + of +
                             "," + two + R"(,"high"];svc_trip_attribute_bulk_updated[)" + of + ",[" + one + "," + two +
                             R"(],{")" + one + R"(":"fast",")" + two + R"(":"high"}];)");
        shop.send("DELETE", trip_path(trip) + "/attributes/" + one);
        CHECK(fired() == "svc_trip_attribute_removed[" + of + "," + one + R"(,"fast"];)");

        shop.send("POST", "/attributes/bulk", body(R"({"action":"trash","ids":[)" + one + "]}"));
        const std::string trashed = fired();
        CHECK(trashed.starts_with("svc_attribute_deleted[" + one + ",{"));
        CHECK(trashed.find(R"("name":"Pace")") != std::string::npos);
        shop.send("POST", "/attributes/bulk", body(R"({"action":"restore","ids":[)" + one + "]}"));
        CHECK(fired() == "svc_attribute_updated[" + one + "];");
        CHECK(shop.send("DELETE", "/attributes/" + two).status == 200);
        const std::string removed = fired();
        CHECK(removed.starts_with("svc_attribute_force_deleted[" + two + ",{"));
        CHECK(removed.find(R"("name":"Height")") != std::string::npos);
        // Other kinds have no actions of their own.
        shop.send("POST", "/destinations", body(R"({"name":"Norway"})"));
        CHECK(fired() == "");
    });
}

TEST_CASE("visitors cut the public list by what trips say about filterable attributes, as each is filtered") {
    each_shop([](Shop& shop) {
        const auto pace = made(shop, R"({"name":"Pace","show_in_filters":true,"filter_type":"dropdown",
            "field_type":"select","field_options":[{"label":"E","value":"easy"},{"label":"H","value":"hard"}]})");
        const auto gear = made(shop, R"({"name":"Gear","show_in_filters":true,"field_type":"checkbox",
            "show_on_frontend":false,
            "field_options":[{"label":"A","value":"axe"},{"label":"R","value":"rope"}]})");
        const auto height = made(shop, R"({"name":"Height","show_in_filters":true,"filter_type":"range",
            "field_type":"number"})");
        const auto since = made(shop, R"({"name":"Since","show_in_filters":true,"filter_type":"range",
            "field_type":"date"})");
        const auto text = made(shop, R"({"name":"Hut","show_in_filters":true,"filter_type":"partial"})");
        const auto hidden = made(shop, R"({"name":"Inner"})");
        const auto given = [&](const char* title, const json::Value& values) {
            const auto trip = shop.given_trip({.title = title}).id;
            REQUIRE(shop.send("POST", trip_path(trip) + "/attributes", json::Value::object({{"attributes", values}}))
                        .status == 200);
        };
        const auto key = [](std::int64_t id) { return std::to_string(id); };
        given("Low", json::Value::object({{key(pace), "easy"},
                                          {key(gear), json::Value::array({"rope"})},
                                          {key(height), 900},
                                          {key(since), "2026-01-31"},
                                          {key(text), "Zwickauer Hütte"},
                                          {key(hidden), "x"}}));
        given("High", json::Value::object({{key(pace), "hard"},
                                           {key(gear), json::Value::array({"axe", "rope"})},
                                           {key(height), body("8848.86")},
                                           {key(since), "2026-02-01"}}));
        shop.given_trip({.title = "Silent"});
        const auto found = [&](const std::string& query) {
            const auto listed = shop.get("/trips/public?orderby=title&order=desc&" + query);
            CAPTURE(query);
            CAPTURE(listed.text);
            CHECK(listed.status == 200);
            return listed.column("title");
        };
        const auto of = [&](std::int64_t id, const std::string& rest) { return "attributes[" + key(id) + "]" + rest; };
        CHECK(found(of(pace, "=easy")) == "Low");
        CHECK(found(of(pace, "=easy") + "&" + of(pace, "=hard")) == "Low High");
        CHECK(found(of(pace, "=eas")) == "");
        CHECK(found(of(pace, "=")) == "Silent Low High");
        CHECK(found(of(gear, "=axe")) == "High");
        CHECK(found(of(gear, "=rope") + "&" + of(pace, "=easy")) == "Low");
        CHECK(found(of(height, "[min]=900")) == "Low High");
        CHECK(found(of(height, "[min]=900.000001")) == "High");
        CHECK(found(of(height, "[max]=8848.86") + "&" + of(height, "[min]=1000")) == "High");
        CHECK(found(of(height, "=900.0")) == "Low");
        CHECK(found(of(since, "[max]=2026-01-31")) == "Low");
        CHECK(found(of(since, "[min]=2026-02-01") + "&" + of(since, "[max]=")) == "High");
        CHECK(found(of(text, "=hÜtte")) == "Low");
        CHECK(found("attributes%5B" + key(pace) + "%5D=hard") == "High");
        const auto field = [&](const std::string& query) {
            const auto refused = shop.get("/trips/public?" + query);
            CAPTURE(query);
            CHECK(refused.status == 400);
            return refused.field();
        };
        CHECK(field(of(hidden, "=x")) == "attributes." + key(hidden));
        CHECK(field("attributes[x]=1") == "attributes.x");
        CHECK(field(of(pace, "[min]=1")) == "attributes." + key(pace));
        CHECK(field(of(height, "[min]=high")) == "attributes." + key(height) + ".min");
        CHECK(field(of(since, "[max]=2026-02-30")) == "attributes." + key(since) + ".max");
        CHECK(field("attributes=easy") == "attributes");

        const auto facets = shop.get("/trips/public?facets=1").body["meta"]["facets"]["attributes"];
        CHECK(facets.dump() == R"([{"id":)" + key(pace) +
                                   R"(,"values":[{"value":"easy","count":1},{"value":"hard","count":1}]},{"id":)" +
                                   key(gear) +
                                   R"(,"values":[{"value":"axe","count":1},{"value":"rope","count":2}]},{"id":)" +
                                   key(height) + R"(,"min":"900","max":"8848.86","values":[]},{"id":)" + key(since) +
                                   R"(,"min":"2026-01-31","max":"2026-02-01","values":[]}])");
        // An attribute that left the filters filters nothing.
        REQUIRE(shop.send("PUT", "/attributes/" + key(pace), body(R"({"show_in_filters":false})")).status == 200);
        CHECK(field(of(pace, "=easy")) == "attributes." + key(pace));
        REQUIRE(shop.send("PUT", "/attributes/" + key(hidden), body(R"({"show_in_filters":true})")).status == 200);
        CHECK(found(of(hidden, "=x")) == "Low");
    });
}
