// Trips as staff and visitors meet them on the wire.
#include <doctest/doctest.h>

#include "tests/base/catalog/trips/catalogue.hpp"
#include "tests/support/shop.hpp"

using namespace svc;
using tests::each_shop;
using tests::Shop;

namespace {

json::Value body(const char* text) { return json::parse(text).value(); }

}  // namespace

TEST_CASE("a trip needs only title, summary, regular_price and duration, and starts as a draft") {
    each_shop([](Shop& shop) {
        const auto made =
            shop.send("POST", "/trips",
                      body(R"({"title":" Nile cruise ","summary":"Slow.","regular_price":199.99,"duration":4})"));
        REQUIRE(made.status == 201);
        const auto& trip = made.data();
        CHECK(trip["title"].text() == "Nile cruise");
        CHECK(trip["slug"].text() == "nile-cruise");
        CHECK(trip["status"].text() == "draft");
        CHECK(trip["regular_price"].number_text() == "199.99");
        CHECK(trip["duration_nights"].integer() == 3);
        CHECK(trip["currency"].text() == "USD");
        CHECK(made.header("Location") == "/svc/v1/trips/" + std::to_string(trip["id"].integer()));
        CHECK(shop.get("/trips/" + trip["id"].dump()).data() == trip);
    });
}

TEST_CASE("both spellings of a name are read and answered") {
    each_shop([](Shop& shop) {
        const auto made =
            shop.send("POST", "/trips",
                      body(R"({"title":"T","short_description":"S","original_price":"12.5","duration_days":"3"})"));
        REQUIRE(made.status == 201);
        for (const char* name : {"summary", "short_description"})
            CHECK(made.data()[name].text() == "S");
        for (const char* name : {"regular_price", "original_price"})
            CHECK(made.data()[name].number_text() == "12.50");
        for (const char* name : {"duration", "duration_days"})
            CHECK(made.data()[name].integer() == 3);
    });
}

TEST_CASE("what is missing or wrong is named, every field of it") {
    each_shop([](Shop& shop) {
        CHECK(shop.send("POST", "/trips", body("{}")).field() == "title");
        CHECK(shop.send("POST", "/trips", body(R"({"title":"  "})")).field() == "title");
        const auto refused =
            shop.send("POST", "/trips", body(R"({"title":"T","status":"publish","duration":5,"duration_nights":9})"));
        CHECK(refused.status == 400);
        CHECK(refused.field() == "duration_nights");
        CHECK(refused.body["data"]["errors"].size() == 2);
        CHECK(refused.body["data"]["errors"].find("regular_price"));
        for (const char* wrong : {R"({"title":"T","trip_type":"weekly"})", R"({"title":"T","status":"trash"})",
                                  R"({"title":"T","deposit_percentage":101})", R"({"title":"T","deposit_amount":-1})",
                                  R"({"title":"T","available_from":"2026-02-30"})"})
            CHECK(shop.send("POST", "/trips", body(wrong)).status == 400);
        CHECK(shop.get("/trips").body["meta"]["total"].integer() == 0);
    });
}

TEST_CASE("a taken slug gets the next suffix, also while it lies in the trash") {
    each_shop([](Shop& shop) {
        std::string slugs;
        for (int i = 0; i < 4; ++i)
            slugs += shop.given_trip().slug + " ";
        CHECK(slugs == "nile-cruise nile-cruise-2 nile-cruise-3 nile-cruise-4 ");
        shop.send("DELETE", "/trips/1");
        CHECK(shop.given_trip().slug == "nile-cruise-5");
        const auto other = "/trips/" + std::to_string(shop.given_trip({.title = "Other"}).id);
        CHECK(shop.send("PUT", other, body(R"({"slug":"Nile Cruise"})")).data()["slug"].text() == "nile-cruise-6");
        CHECK(shop.send("PUT", "/trips/3", body(R"({"slug":"nile-cruise-3"})")).data()["slug"].text() ==
              "nile-cruise-3");
    });
}

TEST_CASE("only the fields sent change, and an empty deposit is cleared") {
    each_shop([](Shop& shop) {
        const auto id = shop.given_trip().id;
        const std::string path = "/trips/" + std::to_string(id);
        shop.send("PUT", path, body(R"({"deposit_amount":50,"deposit_percentage":12.5,"payment_terms":"Half now."})"));
        const auto after = shop.send("PUT", path, body(R"({"deposit_amount":"","summary":"New"})"));
        REQUIRE(after.status == 200);
        CHECK(after.data()["deposit_amount"].is_null());
        CHECK(after.data()["deposit_percentage"].number_text() == "12.5");
        CHECK(after.data()["payment_terms"].text() == "Half now.");
        CHECK(after.data()["title"].text() == "Nile cruise");
        CHECK(shop.send("PUT", path, body(R"({"deposit_amount":0})")).data()["deposit_amount"].number_text() == "0.00");
    });
}

TEST_CASE("a write over another one is 409, by row_version or If-Match") {
    each_shop([](Shop& shop) {
        const std::string path = "/trips/" + std::to_string(shop.given_trip().id);
        const auto read = shop.get(path);
        CHECK(read.header("ETag").starts_with("\"1-"));
        CHECK(shop.send("PUT", path, body(R"({"summary":"a","row_version":1})")).status == 200);
        const auto late = shop.send("PUT", path, body(R"({"summary":"b","row_version":1})"));
        CHECK(late.status == 409);
        CHECK(late.code() == "svc_conflict");
        CHECK(shop.send("PUT", path, body(R"({"summary":"b"})"), {{"If-Match", "\"1\""}}).status == 409);
        CHECK(shop.send("PUT", path, body(R"({"summary":"b"})"), {{"If-Match", "nonsense"}}).status == 409);
        CHECK(shop.send("PUT", path, body(R"({"summary":"c"})"), {{"If-Match", "\"2\""}}).status == 200);
        CHECK(shop.get(path).data()["summary"].text() == "c");
        // One tag of several, and the whole tag of an answer.
        auto put = [&, times = 0](const std::string& tags) mutable {
            const auto summary = "d" + std::to_string(++times);
            return shop.send("PUT", path, json::Value::object({{"summary", summary}}), {{"If-Match", tags}});
        };
        CHECK(put("\"1\", \"2\"").status == 409);
        CHECK(put("W/\"3\"").status == 409);
        const auto written = put("\"1\" ,\"3\"");
        CHECK(written.status == 200);
        CHECK(put(written.header("ETag")).status == 200);
        CHECK(put(written.header("ETag")).status == 409);
        CHECK(put("*").status == 200);
    });
}

TEST_CASE("staff who have a trip's present answer get 304, until anything of it changes") {
    each_shop([](Shop& shop) {
        const auto trip = shop.given_trip();
        const std::string path = "/trips/" + std::to_string(trip.id);
        const std::string tag = shop.get(path).header("ETag");
        const auto again = shop.get(path, {{"If-None-Match", "\"x\", " + tag}});
        CHECK(again.status == 304);
        CHECK(again.text.empty());
        CHECK(again.header("ETag") == tag);
        // Counts of a trip do not write it.
        REQUIRE(shop.store->write([&](store::Transaction& tx) -> Result<void> {
            catalog::trips::Service::set_sales(tx, trip.id, {.bookings = 3});
            return {};
        }));
        const auto counted = shop.get(path, {{"If-None-Match", tag}});
        CHECK(counted.status == 200);
        CHECK(counted.data()["bookings_count"].integer() == 3);
        CHECK(shop.send("PUT", path, body(R"({"summary":"x"})"), {{"If-Match", tag}}).status == 200);
    });
}

TEST_CASE("changing the status takes the right to publish, the rest the right to edit") {
    each_shop([](Shop& shop) {
        const std::string path = "/trips/" + std::to_string(shop.given_trip().id);
        shop.as({"svc_edit_trips"});
        CHECK(shop.send("POST", "/trips", body(R"({"title":"T"})")).status == 201);
        CHECK(shop.send("POST", "/trips", body(R"({"title":"T","status":"publish","regular_price":1})")).status == 403);
        CHECK(shop.send("PUT", path, body(R"({"summary":"x"})")).status == 200);
        CHECK(shop.send("PUT", path, body(R"({"status":"draft"})")).code() == "svc_forbidden");
        // A form sends the status as it was.
        CHECK(shop.send("PUT", path, body(R"({"status":"publish","summary":"z"})")).data()["summary"].text() == "z");
        CHECK(shop.send("PUT", "/trips/999", body(R"({"status":"publish"})")).code() == "trip_not_found");
        shop.as({"svc_publish_trips"});
        CHECK(shop.send("PUT", path, body(R"({"status":"draft"})")).status == 200);
        CHECK(shop.send("PUT", path, body(R"({"status":"draft","summary":"y"})")).status == 403);
        shop.as({"svc_view_bookings"});
        CHECK(shop.get("/trips").status == 403);
        shop.as({});
        CHECK(shop.send("PUT", path, body(R"({"summary":"x"})")).status == 401);
        CHECK(shop.get("/trips/stats").status == 401);
        CHECK(shop.get("/trips/public").status == 200);
    });
}

TEST_CASE("DELETE moves to the trash, a second one deletes for good by who may") {
    each_shop([](Shop& shop) {
        const std::string path = "/trips/" + std::to_string(shop.given_trip().id);
        const auto gone = shop.send("DELETE", path);
        CHECK(gone.status == 200);
        CHECK(gone.data()["status"].text() == "trash");
        CHECK(shop.get("/trips").body["meta"]["total"].integer() == 0);
        CHECK(shop.get("/trips?status=trash").body["meta"]["total"].integer() == 1);
        CHECK(shop.send("PUT", path, body(R"({"summary":"x"})")).status == 409);
        shop.as({"svc_edit_trips"});
        CHECK(shop.send("DELETE", path).status == 403);
        CHECK(shop.send("DELETE", path + "/permanent-delete").status == 403);
        shop.as({"svc_edit_trips", "svc_delete_trips"});
        CHECK(shop.send("DELETE", path).data()["deleted"].boolean());
        CHECK(shop.get(path).status == 404);
        CHECK(shop.send("DELETE", path).code() == "trip_not_found");
    });
}

TEST_CASE("a trip comes back from the trash by a status; one outside it is not deleted for good") {
    each_shop([](Shop& shop) {
        const std::string path = "/trips/" + std::to_string(shop.given_trip().id);
        CHECK(shop.send("DELETE", path + "/permanent-delete").code() == "svc_conflict");
        shop.send("DELETE", path);
        CHECK(shop.get("/trips/public").body["meta"]["total"].integer() == 0);
        CHECK(shop.send("PUT", path, body(R"({"status":"publish"})")).status == 200);
        CHECK(shop.get("/trips/public").body["meta"]["total"].integer() == 1);
    });
}

TEST_CASE("a trip whose departures bookings have used is not deleted for good, its dates otherwise are") {
    each_shop([](Shop& shop) {
        const auto used = shop.given_trip(), unused = shop.given_trip();
        shop.given_departure(used.id, "2026-06-10");
        shop.given_departure(unused.id, "2026-06-10");
        REQUIRE(shop.take(used, "2026-06-10", 1));
        shop.release(1);
        for (const auto& trip : {used, unused})
            shop.send("DELETE", "/trips/" + std::to_string(trip.id));
        CHECK(shop.send("DELETE", "/trips/" + std::to_string(used.id)).code() == "svc_in_use");
        CHECK(shop.send("DELETE", "/trips/" + std::to_string(unused.id)).status == 200);
        CHECK(shop.get("/trips?status=trash").body["meta"]["total"].integer() == 1);
    });
}

TEST_CASE("every write emits one event, a deletion before it happens") {
    each_shop([](Shop& shop) {
        const std::string path = "/trips/" + std::to_string(shop.given_trip().id);
        shop.send("PUT", path, body(R"({"summary":"x"})"));
        shop.send("PUT", path, body(R"({"title":""})"));
        shop.send("DELETE", path);
        const std::vector<std::string> expected{"svc_trip_created", "svc_trip_created_with_relations",
                                                "svc_trip_updated", "svc_trip_updated_with_relations",
                                                "svc_trip_deleted"};
        CHECK(shop.fired() == expected);
    });
}

TEST_CASE("the staff's list is searched, filtered, ordered and counted") {
    each_shop([](Shop& shop) {
        const auto add = [&](const char* title, const char* price, const char* status, const char* about) {
            shop.given_trip({.title = title, .description = about, .status = status, .regular_price = price});
        };
        add("Über die Alpen", "300", "publish", "Hütten und Gipfel");
        add("Amalfi", "100", "publish", "Lemons, 100% of them");
        add("Bergen", "200", "draft", "Fjord");
        add("Cusco", "150", "review", "ALPACAS");
        CHECK(shop.get("/trips?orderby=title&order=asc").column("title") == "Amalfi Bergen Cusco Über die Alpen");
        CHECK(shop.get("/trips?orderby=price&order=desc").column("id") == "1 3 4 2");
        CHECK(shop.get("/trips").column("id") == "4 3 2 1");
        CHECK(shop.get("/trips?status=publish&order=asc").column("id") == "1 2");
        CHECK(shop.get("/trips?search=%C3%BCBER").column("id") == "1");
        CHECK(shop.get("/trips?search=alpaca").column("id") == "4");
        CHECK(shop.get("/trips?search=100%25").column("id") == "2");
        CHECK(shop.get("/trips?search=_").column("id") == "");
        const auto page = shop.get("/trips?per_page=3&page=2");
        CHECK(page.column("id") == "1");
        CHECK(page.header("X-Host-Total") == "4");
        CHECK(page.header("X-Host-TotalPages") == "2");
        CHECK(shop.get("/trips?per_page=500").body["meta"]["per_page"].integer() == 100);
        CHECK(shop.get("/trips?page=9").body["meta"]["total"].integer() == 4);
        for (const auto& [query, field] :
             {std::pair("page=0", "page"), std::pair("per_page=x", "per_page"), std::pair("orderby=nope", "orderby"),
              std::pair("order=up", "order"), std::pair("status=gone", "status")}) {
            const auto refused = shop.get(std::string("/trips?") + query);
            CHECK(refused.status == 400);
            CHECK(refused.field() == field);
        }
        const auto stats = shop.get("/trips/stats").data();
        CHECK(stats["all"].integer() == 4);
        CHECK(stats["publish"].integer() == 2);
        CHECK(stats["trash"].integer() == 0);
    });
}

TEST_CASE("lists of trips and of revisions take the time of creation, in days of the site") {
    each_shop([](Shop& shop) {
        REQUIRE(shop.settings.write(body(R"({"timezone":"Asia/Tokyo"})"), shop.staff_id));
        shop.clock.set("2026-05-04T14:59:59Z");
        shop.given_trip({.title = "Early nile"});
        shop.clock.set("2026-05-04T15:00:00Z");  // midnight of the fifth in Tokyo
        const auto late = shop.given_trip({.title = "Late nile"}).id;
        const auto titles = [&](const std::string& query) {
            const auto listed = shop.get("/trips?order=asc&" + query);
            CHECK(listed.header("X-Host-Total") == std::to_string(listed.data().size()));
            CHECK(shop.get("/trips?orderby=id&order=asc&search=nile&" + query).text == listed.text);
            CHECK(shop.get("/trips/search?orderby=id&order=asc&search=nile&" + query).text == listed.text);
            return listed.column("title");
        };
        CHECK(titles("from=2026-05-05") == "Late nile");
        CHECK(titles("to=2026-05-04") == "Early nile");
        CHECK(titles("date_from=2026-05-04&date_to=2026-05-05") == "Early nile Late nile");
        CHECK(titles("to=2026-05-04T15:00:00Z") == "Early nile Late nile");
        CHECK(titles("from=2026-05-06") == "");
        shop.send("PUT", "/trips/" + std::to_string(late), body(R"({"summary":"x"})"));
        const std::string revisions = "/trips/" + std::to_string(late) + "/revisions";
        CHECK(shop.get(revisions + "?from=2026-05-05").header("X-Host-Total") == "1");
        CHECK(shop.get(revisions + "?to=2026-05-04").data().size() == 0);
        for (const std::string& path : {std::string("/trips"), revisions}) {
            CHECK(shop.get(path + "?from=2026-05-06&to=2026-05-05").field() == "from");
            CHECK(shop.get(path + "?to=tomorrow").field() == "to");
        }
    });
}

TEST_CASE("a made slug has at most 200 characters, its number included") {
    each_shop([](Shop& shop) {
        const std::string title = std::string(199, 'x') + " " + std::string(50, 'y');
        const auto first = shop.given_trip({.title = title}).slug;
        CHECK(first == std::string(199, 'x'));
        CHECK(shop.given_trip({.title = title}).slug == std::string(198, 'x') + "-2");
        const std::string long_word(255, 'z');
        CHECK(shop.given_trip({.title = long_word}).slug.size() == 200);
        for (int i = 2; i < 12; ++i) {
            const auto slug = shop.given_trip({.title = long_word}).slug;
            const auto number = "-" + std::to_string(i);
            CHECK(slug == std::string(200 - number.size(), 'z') + number);
        }
    });
}

TEST_CASE("null clears a badge") {
    each_shop([](Shop& shop) {
        const std::string path = "/trips/" + std::to_string(shop.given_trip({.featured_priority = "new"}).id);
        CHECK(shop.get(path).data()["featured_priority"].text() == "new");
        CHECK(shop.send("PUT", path, body(R"({"featured_priority":null})")).data()["featured_priority"].text() ==
              "none");
    });
}

TEST_CASE("listeners change what a trip is written from, stage by stage, and what is not fit for it is ignored") {
    each_shop([](Shop& shop) {
        static std::string asked;
        asked.clear();
        const auto listen = [&](const char* name, const char* member, json::Value value) {
            REQUIRE(shop.hooks.filter(name, {.name = "test"}, [=](auto*, const json::Array& args) {
                asked += std::string(name).substr(9) + (args.size() > 1 ? args[1].dump() : std::string()) + ";";
                json::Value told = args[0];
                if (told.find("title") && told["title"].text() == "Plain")
                    return told;
                told.set(member, value);
                return told;
            }));
        };
        listen("svc_trip_create_raw_data", "title", "Raw");
        listen("svc_trip_create_sanitized_data", "summary", "Clean");
        listen("svc_trip_create_relationships", "highlights", json::Value::array({"Views"}));
        listen("svc_trip_update_raw_data", "regular_price", "none of them");
        listen("svc_trip_update_sanitized_data", "highlights", json::Value::array({"Not here"}));
        listen("svc_trip_update_relationships", "summary", "Not here");
        const auto created =
            shop.send("POST", "/trips", body(R"({"title":"T","regular_price":10,"duration":2,"highlights":["Sea"]})"));
        REQUIRE(created.status == 201);
        CHECK(created.data()["title"].text() == "Raw");
        CHECK(created.data()["summary"].text() == "Clean");
        CHECK(created.data()["highlights"].dump().find("Views") != std::string::npos);
        CHECK(asked == "create_raw_data;create_sanitized_data;create_relationships;");
        asked.clear();
        const std::string path = "/trips/" + created.data()["id"].dump();
        const auto updated = shop.send("PUT", path, body(R"({"summary":"Sent","row_version":1})"));
        REQUIRE(updated.status == 200);
        CHECK(updated.data()["summary"].text() == "Sent");
        CHECK(updated.data()["regular_price"].number_text() == "10.00");
        CHECK(updated.data()["highlights"].dump().find("Views") != std::string::npos);
        const std::string id = created.data()["id"].dump();
        CHECK(asked == "update_raw_data" + id + ";update_sanitized_data" + id + ";update_relationships" + id + ";");
        CHECK(shop.send("PUT", path, body(R"({"row_version":1})")).status == 409);
    });
}

TEST_CASE("listeners prepare each trip that staff are answered, but not whose it is") {
    each_shop([](Shop& shop) {
        REQUIRE(shop.hooks.filter("svc_trip_prepare_item_for_response", {.name = "test"}, [](auto*, const auto& args) {
            json::Value item = args[0];
            item.set("summary", args[2].text_or("method") + " " + args[2].text_or("path")).set("id", 77);
            return item;
        }));
        const auto trip = shop.given_trip();
        const std::string path = "/trips/" + std::to_string(trip.id);
        CHECK(shop.get(path).data()["summary"].text() == "GET /trips/{id}");
        CHECK(shop.get(path).data()["id"].integer() == trip.id);
        CHECK(shop.get("/trips").column("summary") == "GET /trips");
        CHECK(shop.send("PUT", path, body(R"({"duration":5})")).data()["summary"].text() == "PUT /trips/{id}");
        CHECK(shop.get("/trips/public").column("summary") == "");
    });
}

TEST_CASE("staff's lists and searches have titles in the order of the public list") {
    each_shop([](Shop& shop) {
        for (const char* title : {"Zebra tour", "apple tour", "Äpple tour", "Éclair tour", "eagle tour", "Øresund tour",
                                  "St. Moritz tour", "Straße tour", "(Zen) tour"})
            shop.given_trip({.title = title});
        for (const char* way : {"asc", "desc"}) {
            CAPTURE(way);
            const auto titles = [&](const std::string& list) {
                return shop.get(list + "orderby=title&order=" + way).column("title");
            };
            const auto known = titles("/trips/public?");
            if (way == std::string("asc")) {
                CHECK(known.starts_with("apple tour Äpple tour eagle tour Éclair tour "));
            }
            CHECK(titles("/trips?") == known);
            CHECK(titles("/trips/search?search=tour&") == known);
        }
    });
}

TEST_CASE("listeners change what the public listing is asked for, how long a page is, its trips and its meta") {
    each_shop([](Shop& shop) {
        static bool is_listing, bad;
        is_listing = true;
        bad = false;
        const auto listen = [&](const char* name, const hooks::FilterCall& call) {
            REQUIRE(shop.hooks.filter(name, {.name = "test"}, call));
        };
        listen("svc_is_trip_listing", [](auto*, const auto&) { return json::Value(is_listing); });
        listen("svc_trip_listing_filters", [](auto*, const auto& args) {
            json::Value told = args[0];
            return bad ? told.set("min_price", "cheap") : told.set("min_price", 150).set("page", 2);
        });
        listen("svc_trip_listing_max_per_page", [](auto*, const auto&) { return json::Value(bad ? 0 : 1); });
        listen("svc_trip_listing", [](auto*, const auto& args) {
            json::Value rows = args[0];
            for (auto& row : rows.items())
                row.set("title", row["title"].text() + "!");
            return rows;
        });
        listen("svc_trip_listing_context", [](auto*, const auto& args) {
            return json::Value::object({{"asked", args[1]["min_price"]}});
        });
        listen("svc_listing_nonce",
               [](auto*, const auto& args) { return json::Value(bad ? "" : "n-" + args[1]["min_price"].dump()); });
        for (const char* price : {"100", "200", "300"})
            shop.given_trip({.title = std::string("At ") + price, .regular_price = price});
        const auto list = [&] { return shop.get("/trips/public?orderby=price&order=asc&facets=1"); };
        const auto told = list();
        CHECK(told.column("title") == "At 300!");
        CHECK(told.body["meta"]["total"].integer() == 2);
        CHECK(told.body["meta"]["per_page"].integer() == 1);
        CHECK(told.body["meta"]["page"].integer() == 2);
        CHECK(told.body["meta"]["asked"].dump() == "150");
        CHECK(told.body["meta"]["nonce"].text() == "n-150");
        CHECK(told.header("Cache-Control").find("public") == std::string::npos);
        CHECK(told.body["meta"]["facets"]["price"][0]["min"].number_text() == "200.00");
        bad = true;
        CHECK(list().column("title") == "At 100! At 200! At 300!");
        CHECK(list().body["meta"].find("nonce") == nullptr);
        is_listing = false;
        CHECK(list().column("title") == "At 100 At 200 At 300");
        CHECK(list().body["meta"].find("asked") == nullptr);
        bad = false;
        CHECK(list().body["meta"].find("nonce") == nullptr);
    });
}

TEST_CASE(
    "a refused trip names the fields of every kind at fault: by shape, by rule, by what it refers to, by its parts") {
    each_shop([](Shop& shop) {
        const auto names = [](const tests::Answered& refused) {
            std::string all;
            for (const auto& [name, sentences] : refused.body["data"]["errors"].members())
                all += (all.empty() ? "" : " ") + name;
            return std::to_string(refused.status) + ": " + all;
        };
        const char* wrong = R"({"title":"","regular_price":"cheap","discounted_price":5,"age_min":9,"age_max":3,)"
                            R"("difficulty_level":4711,"video_url":"nowhere","destinations":[4711],"duration":2})";
        const auto fresh = shop.send("POST", "/trips", body(wrong));
        CHECK(names(fresh) == "400: title regular_price difficulty_level video_url age_max destinations.0");
        CHECK(fresh.field() == "title");
        CHECK(shop.get("/trips").body["meta"]["total"].integer() == 0);
        const auto trip = shop.given_trip();
        const std::string path = "/trips/" + std::to_string(trip.id);
        CHECK(names(shop.send("PUT", path, body(wrong))) ==
              "400: regular_price difficulty_level title video_url age_max destinations.0");
        // Rules alone, in one answer too.
        CHECK(names(shop.send("PUT", path, body(R"({"video_url":"nowhere","destinations":[4711]})"))) ==
              "400: video_url destinations.0");
        // Far too many days, whatever kind of trip was meant.
        CHECK(names(shop.send("PUT", path, body(R"({"trip_type":"short","duration":366})"))) ==
              "400: trip_type duration");
        CHECK(names(shop.send("POST", "/trips", body(R"({"title":"T","trip_type":"short","duration":366})"))) ==
              "400: trip_type duration");
        // A rule skips a field that it compares with an invalid one.
        CHECK(names(shop.send("PUT", path, body(R"({"min_travelers":"some","max_travelers":0})"))) ==
              "400: min_travelers max_travelers");
        CHECK(names(shop.send("PUT", path, body(R"({"duration":"long","duration_nights":9,"slug":"!"})"))) ==
              "400: duration slug");
        const auto after = shop.get(path).data();
        CHECK(after["row_version"].integer() == trip.row_version);
        CHECK(after["title"].text() == "Nile cruise");
        CHECK(shop.fired() == std::vector<std::string>{"svc_trip_created", "svc_trip_created_with_relations"});
    });
}

TEST_CASE("listeners resolve the parts of a shown price in their order, for everyone and for cards") {
    each_shop([](Shop& shop) {
        static std::string order;
        order.clear();
        const auto listen = [&](const std::string& name, const hooks::FilterCall& call) {
            REQUIRE(shop.hooks.filter("svc_resolve_" + name, {.name = "test"}, [=](auto* tx, const auto& args) {
                order += name + args[1].dump() + ' ';
                return call(tx, args);
            }));
        };
        const auto group = tests::category(shop, "adult"), other = tests::category(shop, "child");
        catalog::trips::TripChange change;
        change.price_types = {{.category_id = group, .regular_price = "100"},
                              {.category_id = other, .regular_price = "60", .sale_price = "50"}};
        change.pricing_type = "traveler_based";
        const auto trip = shop.given_trip(change);
        const std::string id = std::to_string(trip.id), slug = "/trips/public/" + trip.slug;
        CHECK(shop.get(slug).data()["display_price"].number_text() == "100.00");
        listen("pricing_type", [](auto*, const auto& args) { return args[0]; });
        listen("price_types", [](auto*, const auto& args) {
            json::Value left = json::Value::array();
            left.push(args[0][1]);
            return left;
        });
        listen("effective_price", [](auto*, const auto&) { return json::Value(45); });
        listen("discount_info", [](auto*, const auto& args) {
            json::Value told = args[0];
            return told.set("discount_percent", told["effective_price"].number_text() == "45.00" ? 33 : 1);
        });
        listen("display_pricing", [](auto*, const auto& args) {
            json::Value told = args[0];
            return told.set("price_prefix", "From");
        });
        listen("card_pricing", [](auto*, const auto& args) {
            json::Value told = args[0];
            return told.set("display_price", 44).set("price_unit_label", "a head");
        });
        order.clear();
        shop.trips.public_trips().load();
        CHECK(order == "pricing_type" + id + " price_types" + id + " effective_price" + id + " discount_info" + id +
                           " display_pricing" + id + " card_pricing" + id + " ");
        const auto page = shop.get(slug).data();
        CHECK(page["price_types"].size() == 1);
        CHECK(page["display_price"].number_text() == "45.00");
        CHECK(page["display_regular_price"].number_text() == "60.00");
        CHECK(page["discount_percent"].integer() == 33);
        CHECK(page["price_prefix"].text() == "From");
        CHECK(page["price_unit_label"].text() == "per person");
        const auto row = shop.get("/trips/public").data()[0];
        CHECK(row["display_price"].number_text() == "44.00");
        CHECK(row["price_unit_label"].text() == "a head");
        CHECK(row["title"].text() == page["title"].text());
        // Staff write back what they read: what is stored stays as it is.
        const auto staff = shop.get("/trips/" + id).data();
        CHECK(staff["price_types"].size() == 2);
        CHECK(staff["display_price"].number_text() == "45.00");
        CHECK(shop.get("/trips").data()[0]["display_price"].number_text() == "44.00");
    });
}

TEST_CASE("what is no answer of a price's listeners is ignored") {
    each_shop([](Shop& shop) {
        const auto trip = shop.given_trip({.regular_price = "100", .sale_price = "80"});
        const auto listen = [&](const char* name, json::Value answer) {
            REQUIRE(shop.hooks.filter(name, {.name = "test"}, [=](auto*, const auto&) { return answer; }));
        };
        listen("svc_resolve_pricing_type", "by_weight");
        listen("svc_resolve_effective_price", "cheap");
        listen("svc_resolve_discount_info", json::Value::object({{"discount_percent", 900}}));
        listen("svc_resolve_card_pricing", "cheap");
        shop.trips.public_trips().load();
        const auto row = shop.get("/trips/public").data()[0];
        CHECK(row["pricing_type"].text() == "regular");
        CHECK(row["display_price"].number_text() == "80.00");
        CHECK(row["discount_percent"].integer() == 20);
    });
}

TEST_CASE("who may not publish plans no status either, by moment or by season, and may send back what is planned") {
    each_shop([](Shop& shop) {
        const std::string path = "/trips/" + std::to_string(shop.given_trip().id);
        const std::string draft = "/trips/" + std::to_string(shop.given_trip({.status = "draft"}).id);
        const char* planned = R"({"scheduled_unpublish_at":"2026-06-01T00:00:00Z"})";
        REQUIRE(shop.send("PUT", path, body(planned)).status == 200);
        shop.as({"svc_create_trips", "svc_edit_trips"});
        for (const char* plan :
             {R"({"scheduled_publish_at":"2026-05-04T09:00:00Z"})",
              R"({"scheduled_unpublish_at":"2026-05-04T09:00:00Z"})", R"({"scheduled_unpublish_at":null})",
              R"({"seasonal_auto_enable":true})", R"({"seasonal_disable_date":"2026-05-04"})"}) {
            CAPTURE(plan);
            CHECK(shop.send("PUT", path, body(plan)).code() == "svc_forbidden");
        }
        for (const char* plan : {R"({"title":"T","scheduled_publish_at":"2026-05-04T09:00:00Z"})",
                                 R"({"title":"T","scheduled_unpublish_at":"2026-05-04T09:00:00Z"})"}) {
            CAPTURE(plan);
            CHECK(shop.send("POST", "/trips", body(plan)).code() == "svc_forbidden");
        }
        CHECK(shop.send("PUT", path, body(planned)).status == 200);
        CHECK(shop.send("PUT", path, body(R"({"seasonal_auto_enable":false,"scheduled_publish_at":null})")).status ==
              200);
        CHECK(shop.send("PUT", draft, body(R"({"seasonal_auto_enable":true})")).status == 200);
        CHECK(shop.send("POST", "/trips", body(R"({"title":"T","scheduled_publish_at":null})")).status == 201);
        shop.as({"svc_edit_trips", "svc_publish_trips"});
        CHECK(shop.send("PUT", path, body(R"({"scheduled_unpublish_at":null})")).status == 200);
    });
}

TEST_CASE("staff's order by price goes by the price a trip is shown with, also where categories have it") {
    each_shop([](Shop& shop) {
        const auto adult = tests::category(shop, "adult"), infant = tests::category(shop, "infant");
        const auto priced = [&](const char* title, const char* of_adult, const char* of_infant) {
            shop.given_trip({.title = title,
                             .pricing_type = "traveler_based",
                             .regular_price = "0",
                             .price_types = std::vector<catalog::trips::PriceTypeChange>{
                                 {.category_id = infant, .regular_price = of_infant, .is_default = true},
                                 {.category_id = adult, .regular_price = of_adult, .sale_price = "90"}}});
        };
        shop.given_trip({.title = "Walk b", .regular_price = "80", .discounted_price = "50"});
        priced("Walk a", "100", "20");  // the default one's 20
        priced("Walk c", "100", "0");   // nobody pays 0: the adult's 90
        for (const char* search : {"", "&search=walk"}) {
            CHECK(shop.get("/trips?orderby=price&order=asc" + std::string(search)).column("title") ==
                  "Walk a Walk b Walk c");
            CHECK(shop.get("/trips?orderby=price&order=desc" + std::string(search)).column("title") ==
                  "Walk c Walk b Walk a");
        }
    });
}

TEST_CASE("a single day's length is one day, whatever is sent; of several days a length beyond a year is refused") {
    each_shop([](Shop& shop) {
        for (const char* length : {"400", "-3", "0", "9"}) {
            CAPTURE(length);
            const auto made = shop.send("POST", "/trips",
                                        body((R"({"title":"T","trip_type":"single_day","duration":)" +
                                              std::string(length) + R"(,"duration_nights":)" + length + "}")
                                                 .c_str()));
            CAPTURE(made.text);
            REQUIRE(made.status == 201);
            CHECK(made.data()["duration"].integer() == 1);
            CHECK(made.data()["duration_nights"].integer() == 0);
        }
        for (const char* wrong :
             {R"({"title":"T","trip_type":"multi_day","duration":366})",
              R"({"title":"T","trip_type":"multi_day","duration":-1})", R"({"title":"T","duration":-1})"}) {
            CAPTURE(wrong);
            CHECK(shop.send("POST", "/trips", body(wrong)).field() == "duration");
        }
        CHECK(shop.send("POST", "/trips", body(R"({"title":"T","duration":3,"duration_nights":-1})")).field() ==
              "duration_nights");
    });
}

TEST_CASE("a title that shows nothing is none, and two tabs with one id or one review twice are refused") {
    each_shop([](Shop& shop) {
        CHECK(shop.send("POST", "/trips", body("{\"title\":\"\u200b \u200d\"}")).field() == "title");
        CHECK(shop.send("POST", "/destinations", body("{\"name\":\"\u200b\"}")).field() == "name");
        CHECK(shop.send("POST", "/trips", body("{\"title\":\"a\u200bb\"}")).status == 201);
        const auto refused = shop.send(
            "POST", "/trips", body(R"({"title":"T","frontend_tabs":[{"id":"a","label":"A","content_type":"faqs"},
                {"id":"b","label":"B","content_type":"faqs"},{"id":"a","label":"C","content_type":"pricing"}]})"));
        CHECK(refused.status == 400);
        CHECK(refused.field() == "frontend_tabs.2.id");
        for (const auto& [list, field] :
             {std::pair("[3,1,3]", "testimonial_review_ids.2"), std::pair("[3,0]", "testimonial_review_ids.1"),
              std::pair("[\"x\"]", "testimonial_review_ids.0"), std::pair("3", "testimonial_review_ids")}) {
            CAPTURE(list);
            CHECK(shop.send("POST", "/trips",
                            body((R"({"title":"T","testimonial_review_ids":)" + std::string(list) + "}").c_str()))
                      .field() == field);
        }
        auto many = json::Value::array();
        for (int id = 1; id <= 101; ++id)
            many.push(id);
        const auto too_many = json::Value::object({{"title", "T"}, {"testimonial_review_ids", many}});
        CHECK(shop.send("POST", "/trips", too_many).field() == "testimonial_review_ids");
    });
}

TEST_CASE("prices are saved in the site's currency, until dates or bookings count by the trip's") {
    each_shop([](Shop& shop) {
        const auto site = [&](const char* currency) {
            REQUIRE(shop.settings.write(json::Value::object({{"currency", currency}}), shop.staff_id));
        };
        const auto sent = body(R"({"title":"T","duration":1,"regular_price":100.50,"sale_price":90,
            "deposit_amount":10,"default_time_slots":[{"departure_time":"08:00","price":80}]})");
        const auto path = "/trips/" + shop.send("POST", "/trips", sent).data()["id"].dump();
        const auto adult = tests::category(shop, "adult");
        REQUIRE(
            shop.send("PUT", path,
                      json::Value::object({{"price_types", json::Value::array({json::Value::object(
                                                               {{"category_id", adult}, {"regular_price", 70}})})}}))
                .status == 200);
        site("EUR");
        CHECK(shop.send("PUT", path, body(R"({"summary":"s"})")).data()["currency"].text() == "USD");
        const auto euros = shop.send("PUT", path, body(R"({"sale_price":95})")).data();
        CHECK(euros["currency"].text() == "EUR");
        CHECK(euros["regular_price"].number_text() == "100.50");
        CHECK(euros["sale_price"].number_text() == "95.00");
        site("JPY");
        CHECK(shop.send("PUT", path, body(R"({"sale_price":95})")).field() == "regular_price");
        const auto yen = shop.send("PUT", path, body(R"({"regular_price":101})")).data();
        CHECK(yen["currency"].text() == "JPY");
        CHECK(yen["regular_price"].number_text() == "101");
        CHECK(yen["sale_price"].number_text() == "95");
        CHECK(yen["deposit_amount"].number_text() == "10");
        CHECK(yen["price_types"][0]["regular_price"].number_text() == "70");
        CHECK(yen["default_time_slots"][0]["price"].number_text() == "80");
        CHECK(shop.get(path).data() == yen);
        shop.given_departure(yen["id"].integer(), "2026-06-10");
        site("USD");
        CHECK(shop.send("PUT", path, body(R"({"regular_price":102})")).data()["currency"].text() == "JPY");
    });
}
