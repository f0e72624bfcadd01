// Days and entries of a trip, by routes of their own and as a member of the trip.
#include <doctest/doctest.h>

#include "base/catalog/itineraries/itinerary.hpp"
#include "tests/support/test_base.hpp"

using namespace svc;
using namespace svc::tests;

namespace {

struct Desk {
    explicit Desk(TestBase& test_base) : base(test_base), staff(base.user("marketing")) {}

    Answered post(const std::string& body) { return base.call("POST", "/itineraries", body, staff); }
    Answered put(std::int64_t id, const std::string& body) {
        return base.call("PUT", "/itineraries/" + std::to_string(id), body, staff);
    }
    std::int64_t classified(const std::string& type, const std::string& name, const std::string& item_type = "NULL") {
        const std::string sql =
            "INSERT INTO svc_classifications (type, name, name_folded, slug, description, search_text, level,"
            " item_type_id, icon, color, sort_order, is_featured, status, seo_title, seo_description, seo_keywords,"
            " details, field_type, show_on_frontend, show_in_filters, row_version, created_at, updated_at) VALUES ('" +
            type + "', '" + name + "', 'x', '" + name + "-x', '', '', 0, " + item_type +
            ", '', '', 0, 0, 'publish', '', '', '', '{}', '', 0, 0, 1, 0, 0)";
        base.run(sql.c_str());
        return base.number("SELECT MAX(id) FROM svc_classifications");
    }
    std::string text(const char* format, std::int64_t a, std::int64_t b = 0) {
        std::string body = format;
        for (const auto& [mark, value] : {std::pair{"$A", a}, std::pair{"$B", b}})
            for (auto at = body.find(mark); at != std::string::npos; at = body.find(mark))
                body.replace(at, 2, std::to_string(value));
        return body;
    }
    // A short form of the list: "1: Arrival; 1 Lunch; ".
    std::string told(std::int64_t trip) {
        std::string all;
        const auto listed = base.get("/itineraries?trip_id=" + std::to_string(trip), staff);
        for (const auto& one : listed.data().items())
            all += std::to_string(one["day"].integer()) + (one["mode"].text() == "day" ? ": " : " ") +
                   one["title"].text() + "; ";
        return all;
    }
    std::int64_t trip() { return base.given_trip(); }

    TestBase& base;
    const Visitor& staff;
};

void each_desk(const std::function<void(Desk&)>& body) {
    each_database([&](Database& database) {
        CAPTURE(database.name());
        TestBase base(database);
        Desk desk(base);
        body(desk);
    });
}

}  // namespace

TEST_CASE("without an item type or item a day is added; with one an entry, whose day is made when it is not there") {
    each_desk([](Desk& desk) {
        const auto trip = desk.trip();
        const auto meal = desk.classified("item_type", "Snack");
        const auto lunch = desk.classified("item", "Lunch", std::to_string(meal));
        const auto day = desk.post(desk.text(R"({"trip_id":$A,"day":2,"description":"<p onclick=x>Slow</p>"})", trip));
        CAPTURE(day.text);
        REQUIRE(day.status == 201);
        CHECK(day.data()["mode"].text() == "day");
        CHECK(day.data()["title"].text() == "Day 2");
        CHECK(day.data()["day_description"].text() == "<p>Slow</p>");
        const auto entry =
            desk.post(desk.text(R"({"trip_id":$A,"day":1,"day_title":"Arrival","item_id":$B})", trip, lunch));
        CAPTURE(entry.text);
        REQUIRE(entry.status == 201);
        CHECK(entry.data()["title"].text() == "Lunch");
        CHECK(entry.data()["item_type_id"].integer() == meal);
        CHECK(entry.data()["item_type_name"].text() == "Snack");
        CHECK(entry.data()["day_title"].text() == "Arrival");
        const std::string at = "/itineraries/" + entry.data()["id"].dump();
        CHECK(entry.header("Location") == "/svc/v1" + at);
        CHECK(desk.told(trip) == "1: Arrival; 1 Lunch; 2: Day 2; ");
        CHECK(desk.base.get(at, desk.staff).data() == entry.data());
        const auto read = desk.base.get("/itineraries/" + day.data()["id"].dump() + "?mode=day", desk.staff);
        CHECK(read.data() == day.data());
        const auto known = desk.base.get("/itineraries/day-entry-by-day-id/" + day.data()["id"].dump(), desk.staff);
        CHECK(known.data()["day_entry_id"] == day.data()["id"]);
        CHECK(desk.base.get("/itineraries/day-entry-by-day-id/999", desk.staff).data()["day_entry_id"].is_null());
    });
}

TEST_CASE("an entry that is declared a day takes its name as title or as day_title") {
    each_desk([](Desk& desk) {
        const auto trip = desk.trip();
        for (const char* text : {R"({"trip_id":$A,"mode":"day","day":1,"title":"Arrival"})",
                                 R"({"trip_id":$A,"mode":"day","day":2,"day_title":"Karnak"})"}) {
            const auto day = desk.post(desk.text(text, trip));
            CAPTURE(day.text);
            REQUIRE(day.status == 201);
            CHECK(day.data()["mode"].text() == "day");
        }
        CHECK(desk.told(trip) == "1: Arrival; 2: Karnak; ");
    });
}

TEST_CASE("a number a trip has already, an unknown trip, a missing field and a wrong item are refused by their names") {
    each_desk([](Desk& desk) {
        const auto trip = desk.trip();
        const auto meal = desk.classified("item_type", "Snack"), walk = desk.classified("item_type", "Walk");
        const auto lunch = desk.classified("item", "Lunch", std::to_string(meal));
        CHECK(desk.post(desk.text(R"({"trip_id":$A,"day":1})", trip)).status == 201);
        const auto again = desk.post(desk.text(R"({"trip_id":$A,"day":1})", trip));
        CHECK(again.status == 409);
        CHECK(again.code() == "svc_conflict");
        const auto field = [&](const std::string& body) {
            const auto refused = desk.post(body);
            CAPTURE(refused.text);
            CHECK(refused.status == 400);
            return refused.field();
        };
        CHECK(field(R"({"trip_id":999999,"day":1})") == "trip_id");
        CHECK(field(R"({"day":1})") == "trip_id");
        CHECK(field(desk.text(R"({"trip_id":$A})", trip)) == "day");
        CHECK(field(desk.text(R"({"trip_id":$A,"day":0})", trip)) == "day");
        CHECK(field(desk.text(R"({"trip_id":$A,"day":8})", trip)) == "day");  // a published trip of seven days
        CHECK(field(desk.text(R"({"trip_id":$A,"day":1,"item_type_id":$B})", trip, walk)) == "title");
        CHECK(field(desk.text(R"({"trip_id":$A,"day":1,"item_id":$B})", trip, meal)) == "item_id");
        CHECK(field(desk.text(R"({"trip_id":1,"day":1,"title":"x","item_id":$A,"item_type_id":$B})", lunch, walk)) ==
              (trip == 1 ? "item_type_id" : "trip_id"));
        for (const auto& [body, name] :
             std::vector<std::pair<std::string, std::string>>{{R"("time_type":"exact")", "start_time"},
                                                              {R"("time_type":"duration")", "duration_minutes"},
                                                              {R"("end_time":"10:00")", "start_time"},
                                                              {R"("location_latitude":12)", "location_longitude"},
                                                              {R"("charge":true)", "cost"},
                                                              {R"("cost":-1)", "cost"},
                                                              {R"("duration":"soon")", "duration"},
                                                              {R"("time":"morning")", "time"},
                                                              {R"("time":"10:00 -")", "time"},
                                                              {R"("time":"10:00 - 25:00")", "time"},
                                                              {R"("time":10)", "time"},
                                                              {R"("video_url":"javascript:x")", "video_url"},
                                                              {R"("gallery":[{"attachment_id":77}])", "gallery"}}) {
            CAPTURE(body);
            CHECK(field(desk.text(R"({"trip_id":$A,"day":1,"mode":"activity","title":"x",)", trip) + body + "}") ==
                  name);
        }
        CHECK(desk.told(trip) == "1: Day 1; ");
    });
}

TEST_CASE("an entry keeps what is not sent, moves to another day, and a day keeps its entries when it is renumbered") {
    each_desk([](Desk& desk) {
        const auto trip = desk.trip();
        const auto made = desk.post(desk.text(
            R"({"trip_id":$A,"day":1,"mode":"activity","title":"Climb","time_type":"exact","start_time":"22:00","end_time":"01:30",
                "cost":12.5,"duration":"1 h 30 min","location_latitude":46.5,"location_longitude":-7.1234567,
                "included_items":["Rope"],"gallery":[{"type":"youtube","url":"https://video.example/1"}]})",
            trip));
        CAPTURE(made.text);
        REQUIRE(made.status == 201);
        const auto id = made.data()["id"].integer();
        CHECK(made.data()["time"].text() == "22:00 - 01:30");
        CHECK(made.data()["included_items"].dump() == R"(["Rope"])");
        CHECK(made.data()["gallery"][0]["url"].text() == "https://video.example/1");
        CHECK(made.data()["duration_minutes"].integer() == 90);
        CHECK(made.data()["location_longitude"].number_text() == "-7.1234567");
        const auto changed = desk.put(id, R"({"notes":"Bring a lamp","cost":null})");
        CHECK(changed.data()["notes"].text() == "Bring a lamp");
        CHECK(changed.data()["cost"].is_null());
        CHECK(changed.data()["gallery"] == made.data()["gallery"]);
        CHECK(changed.data()["included_items"] == made.data()["included_items"]);
        CHECK(changed.data()["start_time"].text() == "22:00");
        CHECK(desk.put(id, R"({"day":3})").data()["day"].integer() == 3);
        CHECK(desk.told(trip) == "1: Day 1; 3: Day 3; 3 Climb; ");
        const auto third = desk.put(id, "{}").data()["day_id"].integer();
        CHECK(desk.put(third, R"({"mode":"day","day":2,"title":"Summit"})").status == 200);
        CHECK(desk.told(trip) == "1: Day 1; 2: Summit; 2 Climb; ");
        CHECK(desk.put(third, R"({"mode":"day","day":1})").status == 409);
        CHECK(desk.base.call("DELETE", "/itineraries/" + std::to_string(third) + "?mode=day", {}, desk.staff).status ==
              200);
        CHECK(desk.told(trip) == "1: Day 1; ");
        CHECK(desk.post(desk.text(R"({"trip_id":$A,"mode":"day","day":4,"title":"Farewell"})", trip)).status == 201);
        CHECK(desk.told(trip) == "1: Day 1; 4: Farewell; ");
        CHECK(desk.put(id, "{}").status == 404);
    });
}

TEST_CASE("the times of an entry may be written in one text, as they are returned") {
    each_desk([](Desk& desk) {
        const auto trip = desk.trip();
        const auto made = desk.post(desk.text(
            R"({"trip_id":$A,"day":1,"mode":"activity","title":"Climb","time":"10:00 - 12:30","time_type":"exact"})",
            trip));
        CAPTURE(made.text);
        REQUIRE(made.status == 201);
        CHECK(made.data()["start_time"].text() == "10:00");
        CHECK(made.data()["end_time"].text() == "12:30");
        CHECK(made.data()["time"].text() == "10:00 - 12:30");
        const auto id = made.data()["id"].integer();
        CHECK(desk.put(id, R"({"time":"09:15"})").data()["time"].text() == "09:15");
        CHECK(desk.put(id, R"({"time":"nothing","start_time":"08:00"})").data()["time"].text() == "08:00");
        const auto cleared = desk.put(id, R"({"time":null,"time_type":"flexible"})");
        CHECK(cleared.data()["start_time"].is_null());
        const auto bulk =
            desk.base.call("PUT", "/trips/" + std::to_string(trip),
                           R"({"itinerary_days":[{"day_number":1,"entries":[{"title":"Walk","time":"07:00-08:00"}]}]})",
                           desk.base.user("owner"));
        CHECK(bulk.data()["itinerary_days"][0]["entries"][0]["end_time"].text() == "08:00");
        CHECK(desk.base
                  .call("PUT", "/trips/" + std::to_string(trip),
                        R"({"itinerary_days":[{"day_number":1,"entries":[{"title":"Walk","time":"early"}]}]})",
                        desk.base.user("owner"))
                  .field() == "itinerary_days.0.entries.0.time");
    });
}

TEST_CASE("in bulk each entry is handled by itself, new ones without an id") {
    each_desk([](Desk& desk) {
        const auto trip = desk.trip();
        const auto day = desk.post(desk.text(R"({"trip_id":$A,"day":1})", trip)).data()["id"].integer();
        const auto one =
            desk.post(desk.text(R"({"trip_id":$A,"day_id":$B,"mode":"activity","title":"One"})", trip, day))
                .data()["id"]
                .integer();
        const std::string path = "/itineraries/day/" + std::to_string(day) + "/activities/bulk";
        const auto done =
            desk.base.call("PUT", path,
                           desk.text(R"({"trip_id":$A,"activities":[{"title":"Two"},{"id":$B,"title":"First"},
                                                       {"id":987654,"title":"Gone"},{"title":"Bad","charge":true}]})",
                                     trip, one),
                           desk.staff);
        CAPTURE(done.text);
        REQUIRE(done.status == 200);
        CHECK(done.data()["created"].integer() == 1);
        CHECK(done.data()["updated"].integer() == 1);
        CHECK(done.data()["failed"].integer() == 2);
        CHECK(done.data()["results"][1]["op"].text() == "update");
        CHECK_FALSE(done.data()["results"][3]["ok"].boolean());
        CHECK(desk.told(trip) == "1: Day 1; 1 First; 1 Two; ");
        CHECK(desk.base.call("PUT", path, R"({"trip_id":987,"activities":[{"title":"x"}]})", desk.staff).field() ==
              "trip_id");
        const auto gone =
            desk.base.call("DELETE", "/itineraries", desk.text(R"({"ids":[$A,999],"day_ids":[]})", one), desk.staff);
        CHECK(gone.data()["deleted"].integer() == 1);
        CHECK(gone.data()["failed"].integer() == 1);
        CHECK(desk.base.call("DELETE", "/itineraries", "{}", desk.staff).status == 400);
        CHECK(desk.base.call("DELETE", "/itineraries", desk.text(R"({"day_ids":[$A]})", day), desk.staff).status ==
              200);
        CHECK(desk.told(trip).empty());
    });
}

TEST_CASE("in bulk an invalid entry fails by its index, the others are saved, and the day returns its trip") {
    each_desk([](Desk& desk) {
        const auto trip = desk.trip();
        const auto day = desk.post(desk.text(R"({"trip_id":$A,"day":1})", trip)).data()["id"].integer();
        const std::string path = "/itineraries/day/" + std::to_string(day) + "/activities/bulk";
        const auto done = desk.base.call("PUT", path,
                                         R"({"activities":[{"title":"One"},{"title":"Two","start_time":"25:00"},7,
                                             {"title":"Three","duration":"soon"},{"title":"Four"}]})",
                                         desk.staff);
        CAPTURE(done.text);
        REQUIRE(done.status == 200);
        CHECK(done.data()["trip_id"].integer() == trip);
        CHECK(done.data()["created"].integer() == 2);
        CHECK(done.data()["failed"].integer() == 3);
        std::string failed;
        for (const auto& each : done.data()["results"].items())
            if (!each["ok"].boolean()) {
                failed += each["index"].dump() + " ";
                CHECK_FALSE(each["error"].text().empty());
            }
        CHECK(failed == "1 2 3 ");
        CHECK(desk.told(trip) == "1: Day 1; 1 One; 1 Four; ");
    });
}

TEST_CASE("where a day was made to be, it is read, changed and deleted, and no entry is instead") {
    each_desk([](Desk& desk) {
        const auto other = desk.trip(), trip = desk.trip();
        const auto day = desk.post(desk.text(R"({"trip_id":$A,"day":1})", trip));
        const std::string at = day.header("Location").substr(std::string("/svc/v1").size());
        REQUIRE(at.ends_with("?mode=day"));
        for (int i = 0; i < 9; ++i)  // one of them has the day's number
            desk.post(desk.text(R"({"trip_id":$A,"day":1,"mode":"activity","title":"Entry"})", other));
        const auto before = desk.told(other);
        const auto put = [&](const std::string& body) { return desk.base.call("PUT", at, body, desk.staff); };
        const auto changed = put(R"({"title":"Arrival"})");
        CAPTURE(changed.text);
        REQUIRE(changed.status == 200);
        CHECK(changed.data()["mode"].text() == "day");
        CHECK(desk.told(trip) == "1: Arrival; ");
        CHECK(put(desk.base.get(at, desk.staff).data().dump()).status == 200);
        CHECK(put(R"({"mode":"activity","title":"x"})").field() == "mode");
        CHECK(desk.told(other) == before);
        CHECK(desk.base.call("DELETE", at, {}, desk.staff).status == 200);
        CHECK(desk.told(trip).empty());
    });
}

TEST_CASE("a day and an entry have their trip's version, and If-Match of an old one stops writes") {
    each_desk([](Desk& desk) {
        const auto trip = desk.trip();
        const auto day = desk.post(desk.text(R"({"trip_id":$A,"day":1})", trip));
        const auto entry = desk.post(desk.text(R"({"trip_id":$A,"day":1,"mode":"activity","title":"One"})", trip));
        const std::string of_day = "/itineraries/" + day.data()["id"].dump() + "?mode=day";
        const std::string of_entry = "/itineraries/" + entry.data()["id"].dump();
        const std::string bulk = "/itineraries/day/" + day.data()["id"].dump() + "/activities/bulk";
        const auto tag = [&] {
            const auto at = desk.base.get(of_day, desk.staff).header("ETag");
            return at.substr(0, at.find('-'));
        };
        CHECK(entry.header("ETag").starts_with(tag() + "-"));
        CHECK(day.header("ETag") != entry.header("ETag"));
        const auto known = desk.base.get(of_entry, desk.staff).header("ETag");
        CHECK(desk.base.get(of_entry, Visitor(desk.staff).with("If-None-Match", known)).status == 304);
        for (const auto& [method, path, body] :
             {std::tuple("PUT", of_day, R"({"title":"A"})"), std::tuple("PUT", of_entry, R"({"title":"B"})"),
              std::tuple("PUT", bulk, R"({"activities":[{"title":"C"}]})"), std::tuple("DELETE", of_entry, ""),
              std::tuple("DELETE", of_day, "")}) {
            CAPTURE(method);
            CAPTURE(path);
            const auto send = [&](const std::string& tags) {
                return desk.base.call(method, path, body, Visitor(desk.staff).with("If-Match", tags));
            };
            const auto now = tag() + "\"";
            const auto late = send("\"1\"");
            CHECK(late.status == 409);
            CHECK(late.code() == "svc_conflict");
            CHECK(tag() + "\"" == now);
            const auto done = send(now);
            CAPTURE(done.text);
            CHECK(done.status == 200);
            if (std::string(method) == "PUT" && path != bulk) {
                CHECK(done.header("ETag").starts_with(tag() + "-"));
            }
        }
        // Many at once: of one trip by its version, of several while all have it.
        const auto made = [&](std::int64_t of, int number) {
            return desk.post(desk.text(R"({"trip_id":$A,"day":$B})", of, number)).data()["id"].integer();
        };
        const auto other = desk.trip();
        const auto some = desk.text(R"({"day_ids":[$A,$B]})", made(trip, 3), made(trip, 4));
        const auto mixed = desk.text(R"({"day_ids":[$A,$B]})", made(trip, 5), made(other, 1));
        const auto now = "\"" +
                         std::to_string(desk.base.number(
                             ("SELECT row_version FROM svc_trips WHERE id = " + std::to_string(trip)).c_str())) +
                         "\"";
        const auto send = [&](const std::string& body, const std::string& tags) {
            return desk.base.call("DELETE", "/itineraries", body, Visitor(desk.staff).with("If-Match", tags));
        };
        for (const auto& [body, tags] : {std::pair(some, std::string("\"1\"")), std::pair(mixed, now)}) {
            CHECK(send(body, tags).code() == "svc_conflict");
            CHECK(desk.told(trip) == "3: Day 3; 4: Day 4; 5: Day 5; ");
            CHECK(desk.told(other) == "1: Day 1; ");
        }
        CHECK(send(some, "\"1\", " + now).data()["deleted"].integer() == 2);
        CHECK(send(mixed, "*").data()["deleted"].integer() == 2);
        const auto downloads = "/trips/" + std::to_string(trip) + "/downloads";
        const auto& boss = desk.base.user("administrator");
        CHECK(desk.base.call("POST", downloads, R"({"items":[]})", Visitor(boss).with("If-Match", "\"1\"")).status ==
              409);
        CHECK(desk.base.call("POST", downloads, R"({"items":[]})", boss).status == 200);
    });
}

TEST_CASE("an itinerary of items in the trash is written back and duplicated as it is") {
    each_desk([](Desk& desk) {
        const auto trip = desk.trip();
        const auto meal = desk.classified("item_type", "Snack");
        const auto lunch = desk.classified("item", "Lunch", std::to_string(meal));
        const auto made = desk.post(desk.text(R"({"trip_id":$A,"day":1,"item_id":$B})", trip, lunch));
        REQUIRE(made.status == 201);
        desk.base.run("UPDATE svc_classifications SET status = 'trash' WHERE slug IN ('Lunch-x', 'Snack-x')");
        const auto items = [&](const json::Value& of) {
            const auto& entry = of["itinerary_days"][0]["entries"][0];
            return entry["item_id"].dump() + " " + entry["item_type_id"].dump();
        };
        const auto expected = std::to_string(lunch) + " " + std::to_string(meal);
        const std::string path = "/trips/" + std::to_string(trip);
        const auto& owner = desk.base.user("owner");
        const auto read = desk.base.get(path, owner).data();
        const auto back = desk.base.call("PUT", path, read.dump(), owner);
        CAPTURE(back.text);
        REQUIRE(back.status == 200);
        CHECK(items(back.data()) == expected);
        CHECK(desk.put(made.data()["id"].integer(), made.data().dump()).status == 200);
        const auto copied = desk.base.call("POST", path + "/duplicate", {}, owner);
        CAPTURE(copied.text);
        REQUIRE(copied.status == 201);
        CHECK(items(copied.data()["trip"]) == expected);
        // A trip without them cannot get them.
        CHECK(desk.post(desk.text(R"({"trip_id":$A,"day":2,"item_id":$B})", desk.trip(), lunch)).field() == "item_id");
    });
}

TEST_CASE("the itinerary is a member of its trip: days change places, known ones stay the same rows") {
    each_desk([](Desk& desk) {
        const auto trip = desk.trip();
        const std::string at = "/trips/" + std::to_string(trip);
        const auto written = desk.base.call(
            "PUT", at,
            R"({"itinerary_days":[{"day_number":1,"title":"Boat","entries":[{"title":"Swim"},{"title":"Plan","status":"draft"}]},
                                  {"day_number":2,"title":"Road","entries":[{"title":"Drive"}]}]})",
            desk.base.user("owner"));
        CAPTURE(written.text);
        REQUIRE(written.status == 200);
        const auto days = written.data()["itinerary_days"];
        REQUIRE(days.size() == 2);
        CHECK(days[0]["entries"][0]["title"].text() == "Swim");
        auto turned = json::Value::array({days[1], days[0]});
        turned.items()[0].set("day_number", 1);
        turned.items()[1].set("day_number", 2);
        const auto again = desk.base.call("PUT", at, json::Value::object({{"itinerary_days", turned}}).dump(),
                                          desk.base.user("owner"));
        CAPTURE(again.text);
        REQUIRE(again.status == 200);
        CHECK(again.data()["itinerary_days"][0]["id"] == days[1]["id"]);
        CHECK(again.data()["itinerary_days"][1]["entries"][0]["id"] == days[0]["entries"][0]["id"]);
        CHECK(desk.told(trip) == "1: Road; 1 Drive; 2: Boat; 2 Swim; 2 Plan; ");
        // Everyone sees what is published, at once.
        const auto shown = desk.base.get("/trips/public/nile-cruise").data()["itinerary_days"];
        CHECK(shown[1]["entries"].size() == 1);
        const auto version = again.data()["row_version"].integer();
        desk.put(days[0]["entries"][0]["id"].integer(), R"({"title":"Dive"})");
        CHECK(desk.base.get("/trips/public/nile-cruise").data()["itinerary_days"][1]["entries"][0]["title"].text() ==
              "Dive");
        CHECK(desk.base.get(at, desk.staff).data()["row_version"].integer() == version + 1);
        const auto beyond =
            desk.base.call("PUT", at, R"({"itinerary_days":[{"day_number":9}]})", desk.base.user("owner"));
        CHECK(beyond.status == 400);
        CHECK(beyond.field() == "itinerary_days.0.day_number");
        const auto twice = desk.base.call("PUT", at, R"({"itinerary_days":[{"day_number":1},{"day_number":1}]})",
                                          desk.base.user("owner"));
        CHECK(twice.field() == "itinerary_days.1.day_number");
        CHECK(desk.told(trip).find("2 Plan") != std::string::npos);
    });
}

TEST_CASE("a duration reads as it is written") {
    using namespace catalog::itineraries;
    for (const std::int64_t minutes : {1, 5, 59, 60, 61, 90, 600, 14'400})
        CHECK(duration_of(duration_label(minutes)) == minutes);
    CHECK(duration_of("1:30") == 90);
    CHECK(duration_of("1.5 hours") == 90);
    CHECK(duration_of("45") == 45);
    CHECK(duration_of("2 hours 15 minutes") == 135);
    for (const char* wrong : {"", "soon", "0", "1:75x", "-5", "h", "99999999999", "1 day", "241 h"})
        CHECK_FALSE(duration_of(wrong));
}

TEST_CASE("an item and an item type that an entry has are counted and not deleted, and the refusal names the trip") {
    each_desk([](Desk& desk) {
        const auto trip = desk.trip();
        const auto meal = desk.classified("item_type", "Snack");
        const auto lunch = desk.classified("item", "Lunch", std::to_string(meal));
        const auto bare = desk.classified("item_type", "Drink");
        const auto path = "/items/" + std::to_string(lunch);
        CHECK(desk.base.get(path, desk.staff).data()["usage_count"].integer() == 0);
        REQUIRE(desk.post(desk.text(R"({"trip_id":$A,"day":1,"item_id":$B})", trip, lunch)).status == 201);
        REQUIRE(desk.post(desk.text(R"({"trip_id":$A,"day":1,"title":"Tea","item_type_id":$B})", trip, bare)).status ==
                201);
        CHECK(desk.base.get(path, desk.staff).data()["usage_count"].integer() == 1);
        for (const auto& used : {path, "/item-types/" + std::to_string(bare)}) {
            CAPTURE(used);
            const auto refused = desk.base.call("DELETE", used, {}, desk.staff);
            CAPTURE(refused.text);
            CHECK(refused.status == 409);
            CHECK(refused.code() == "svc_in_use");
            CHECK(refused.body["data"]["used_by"]["items"][std::size_t{0}]["id"].integer() == trip);
        }
    });
}

TEST_CASE("a published trip keeps what its itinerary was before each write, and gets it back") {
    each_desk([](Desk& desk) {
        const auto trip = desk.trip();
        const std::string path = "/trips/" + std::to_string(trip), revisions = path + "/revisions";
        const auto seen = desk.base.get(path, desk.staff).data()["row_version"].integer();
        const auto day = desk.post(desk.text(R"({"trip_id":$A,"day":1,"title":"Arrival"})", trip)).data()["day_id"];
        const auto entry =
            desk.post(desk.text(R"({"trip_id":$A,"day":1,"title":"Lunch","item_type_id":$B})", trip,
                                desk.base.number("SELECT id FROM svc_classifications WHERE slug = 'meal'")));
        REQUIRE(entry.status == 201);
        CHECK(desk.base.get(revisions, desk.staff).body["meta"]["total"].integer() == 2);
        CHECK(desk.base.get(path, desk.staff).data()["version"].integer() == 3);
        CHECK(desk.base.get(path, desk.staff).data()["row_version"].integer() == seen + 2);
        CHECK(desk.base.call("PUT", path, R"({"summary":"s","row_version":)" + std::to_string(seen) + "}", desk.staff)
                  .status == 409);
        // Refused, it leaves no trace.
        CHECK(desk.put(entry.data()["id"].integer(), R"({"start_time":"25:00"})").status == 400);
        CHECK(desk.put(entry.data()["id"].integer(), R"({"day_id":999999})").status == 400);
        CHECK(desk.base.get(revisions, desk.staff).body["meta"]["total"].integer() == 2);
        CHECK(desk.base.call("DELETE", "/itineraries", R"({"day_ids":[)" + day.dump() + "]}", desk.staff)
                  .data()["deleted"]
                  .integer() == 1);
        CHECK(desk.told(trip) == "");
        const auto newest = desk.base.get(revisions, desk.staff).data()[0]["id"].dump();
        REQUIRE(desk.base.call("PUT", revisions + "/" + newest, "{}", desk.staff).status == 200);
        CHECK(desk.told(trip) == "1: Arrival; 1 Lunch; ");
        // A draft's are not kept.
        desk.base.call("PUT", path, R"({"status":"draft"})", desk.base.user("administrator"));
        const auto kept = desk.base.get(revisions, desk.staff).body["meta"]["total"].integer();
        desk.post(desk.text(R"({"trip_id":$A,"day":2,"title":"Rest"})", trip));
        CHECK(desk.base.get(revisions, desk.staff).body["meta"]["total"].integer() == kept);
    });
}

TEST_CASE("an item that gets another type takes its entries along, on the trip's page too") {
    each_desk([](Desk& desk) {
        const auto trip = desk.trip();
        const auto meal = desk.classified("item_type", "Snack"), walk = desk.classified("item_type", "Walk");
        const auto item = desk.classified("item", "Picnic", std::to_string(meal));
        const auto entry = desk.post(desk.text(R"({"trip_id":$A,"day":1,"item_id":$B})", trip, item));
        REQUIRE(entry.status == 201);
        const auto id = entry.data()["id"].integer();
        const auto shown = [&] {
            return desk.base.get("/trips/public/nile-cruise").data()["itinerary_days"][0]["entries"][0];
        };
        CHECK(shown()["item_type_name"].text() == "Snack");
        const auto moved = desk.base.call("PUT", "/items/" + std::to_string(item),
                                          desk.text(R"({"type_id":$A,"name":"Long walk"})", walk), desk.staff);
        REQUIRE(moved.status == 200);
        CHECK(shown()["item_type_id"].integer() == walk);
        CHECK(shown()["item_type_name"].text() == "Walk");
        CHECK(shown()["item_name"].text() == "Long walk");
        const auto read = desk.base.get("/itineraries/" + std::to_string(id), desk.staff).data();
        CHECK(read["item_type_id"].integer() == walk);
        CHECK(desk.put(id, R"({"notes":"Bring water"})").status == 200);
        // One that an older release left behind follows with its next change.
        desk.base.run(("UPDATE svc_itinerary_entries SET item_type_id = " + std::to_string(meal)).c_str());
        const auto changed = desk.put(id, R"({"notes":"Bring more"})");
        CHECK(changed.status == 200);
        CHECK(changed.data()["item_type_id"].integer() == walk);
    });
}

TEST_CASE("days and entries emit events when they are added, changed and deleted, whichever route writes them") {
    each_desk([](Desk& desk) {
        const auto trip = desk.trip();
        std::int64_t seen = 0;
        std::string records;
        const auto fired = [&] {
            std::string fresh;
            records.clear();
            desk.base.assembly->store->read([&](store::Session& session) {
                fresh.clear();
                // A deletion has the record besides: its ids are compared here, the record below.
                session.each(
                    "SELECT name || arguments FROM svc_domain_events WHERE name LIKE 'svc_itinerary_%' AND id > :seen"
                    " ORDER BY id",
                    "t", {{"seen", seen}}, [&](const store::Row& row) {
                        std::string event = row.text(0).substr(14);
                        if (const auto record = event.find(",{"); record != std::string::npos) {
                            records += event.substr(record + 1);
                            event = event.substr(0, record) + "]";
                        }
                        fresh += event + ";";
                    });
            });
            seen = desk.base.number("SELECT MAX(id) FROM svc_domain_events");
            return fresh;
        };
        const auto told = [&](const char* what, std::int64_t id) {
            return std::string(what) + "[" + std::to_string(id) + "," + std::to_string(trip) + "];";
        };
        fired();
        const auto entry =
            desk.post(desk.text(R"({"trip_id":$A,"day":1,"mode":"activity","title":"Climb"})", trip)).data();
        const auto id = entry["id"].integer(), day = entry["day_id"].integer();
        CHECK(fired() == told("day_created", day) + told("activity_created", id));
        desk.put(id, R"({"notes":"Bring a lamp"})");
        CHECK(fired() == told("activity_updated", id));
        desk.put(id, R"({"notes":"Bring a lamp"})");
        CHECK(fired() == "");
        desk.put(id, R"({"duration":"soon"})");
        CHECK(fired() == "");
        desk.put(day, R"({"mode":"day","title":"Arrival"})");
        CHECK(fired() == told("day_updated", day));
        const std::string path = "/itineraries/day/" + std::to_string(day) + "/activities/bulk";
        desk.base.call("PUT", path, desk.text(R"({"trip_id":$A,"activities":[{"title":"Two"},{"id":987654}]})", trip),
                       desk.staff);
        const auto second = desk.base.number("SELECT MAX(id) FROM svc_itinerary_entries");
        CHECK(fired() == told("activity_created", second));

        // As a member of the trip: what keeps its id is the same one.
        const std::string days = R"({"itinerary_days":[{"id":)" + std::to_string(day) +
                                 R"(,"day_number":1,"title":"Arrival","entries":[{"id":)" + std::to_string(id) +
                                 R"(,"title":"Climb","notes":"None"}]},{"day_number":2}]})";
        const auto put = desk.base.call("PUT", "/trips/" + std::to_string(trip), days, desk.staff);
        CAPTURE(put.text);
        REQUIRE(put.status == 200);
        const auto last = desk.base.number("SELECT MAX(id) FROM svc_itinerary_days");
        CHECK(fired() == told("day_created", last) + told("activity_updated", id) + told("activity_deleted", second));
        desk.base.call("DELETE", "/itineraries", desk.text(R"({"day_ids":[$A,$B]})", day, last), desk.staff);
        CHECK(fired() == told("activity_deleted", id) + told("day_deleted", day) + told("day_deleted", last));
        CHECK(records.find(R"("title":"Climb")") != std::string::npos);
        CHECK(records.find(R"("day_title":"Arrival")") != std::string::npos);
    });
}
