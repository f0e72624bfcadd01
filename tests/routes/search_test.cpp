// Texts that mean something to a database mean nothing here (S12): on lists, in searches, in bodies.
#include <iostream>
#include <random>

#include "tests/routes/walk.hpp"

using namespace svc;
using namespace svc::tests;

namespace {

const std::vector<std::string>& pieces() {
    static const std::vector<std::string> all{"'",
                                              "\"",
                                              "%",
                                              "_",
                                              "\\",
                                              ";--",
                                              "/*",
                                              "*/",
                                              "`",
                                              "' OR '1'='1",
                                              ")",
                                              "(",
                                              "?",
                                              ":x",
                                              "$1",
                                              "\\'",
                                              "x",
                                              "cruise",
                                              "\xc3\xbc",
                                              "\xef\xbc\x87",
                                              " ",
                                              "\t",
                                              "\n",
                                              "||",
                                              "%%",
                                              "\\%",
                                              "{{id}}",
                                              "-1",
                                              "0",
                                              "NULL",
                                              "E'\\''",
                                              "\x01",
                                              "'; DROP TABLE svc_trips;--"};
    return all;
}

std::int64_t found(Walk& walk, const std::string& path, const std::string& search) {
    const auto answered = walk.get(Walk::asked(path) + "per_page=100&search=" + encoded(search), walk.admin());
    CAPTURE(search);
    CAPTURE(answered.text);
    REQUIRE(answered.status == 200);
    return answered.body["meta"]["total"].integer();
}

}  // namespace

TEST_CASE("no text in a search or another parameter of a list is more than a text") {
    each_walk([](Walk& walk) {
        walk.fill();
        const auto before = walk.row_counts();
        std::mt19937 random{20261120};
        int calls = 0;
        for (const auto& route : walk.routes()) {
            if (!route->is_list)
                continue;
            const auto path = walk.existing(*route);
            CAPTURE(path);
            std::vector<std::string> names{"search", "orderby", "order", "status", "page", "per_page"};
            for (const auto& field : route->query.fields())
                names.push_back(field.name);
            for (const auto& name : names)
                for (int round = 0; round < 40; ++round) {
                    std::string text;
                    for (auto left = random() % 4 + 1; left > 0; --left)
                        text += pieces()[random() % pieces().size()];
                    CAPTURE(name);
                    CAPTURE(text);
                    const auto answered = walk.get(Walk::asked(path) + "" + name + "=" + encoded(text), walk.admin());
                    CHECK((answered.status == 200 || answered.status == 400));
                    ++calls;
                }
            for (const char* number :
                 {"-1", "0", "1", "101", "1000000000", "9223372036854775807", "9223372036854775808", "1e3", "+1", "0x1",
                  "", "%20", "%00", "1%00", "%C0%AF", "%", "%4"})
                for (const char* name : {"page", "per_page", "search"}) {
                    CAPTURE(name);
                    CAPTURE(number);
                    const auto answered = walk.get(Walk::asked(path) + "" + name + "=" + number, walk.admin());
                    CHECK((answered.status == 200 || answered.status == 400));
                    ++calls;
                }
        }
        auto after = walk.row_counts();
        if (after.contains("svc_rate_limits"))
            after["svc_rate_limits"] = before.at("svc_rate_limits");
        CHECK(before == after);
        std::cout << "figure: list parameters, calls " << calls << " calls" << std::endl;
        CHECK(calls > 1000);
    });
}

TEST_CASE("the wildcards of a database are plain characters in a search") {
    each_walk([](Walk& walk) {
        const auto percent = walk.given_trip("Rail 50% off");
        const auto plain = walk.given_trip("Rail 50 percent off");
        walk.given_trip("Rail a_b");
        walk.given_trip("Rail axb");
        walk.given_trip("Rail c\\d 'quoted' \"twice\"");
        int days_ahead = 30;
        for (const char* notes : {"50% full", "50 full", "a_b", "axb"}) {
            const auto body = json::Value::object({{"start_date", walk.day(++days_ahead)}, {"notes", notes}});
            REQUIRE(walk.post("/trips/" + std::to_string(percent) + "/departures", body, walk.admin()).status == 201);
        }
        walk.given_departure(plain, 30);
        for (const char* path : {"/trips", "/trips/public"}) {
            CAPTURE(path);
            CHECK(found(walk, path, "rail") == 5);
            // Trips are found by words: signs are none, and nothing but signs finds nothing.
            CHECK(found(walk, path, "50%") == 2);
            CHECK(found(walk, path, "%") == 0);
            CHECK(found(walk, path, "0%o") == 0);
            CHECK(found(walk, path, "a_b") == 1);
            CHECK(found(walk, path, "_") == 0);
            CHECK(found(walk, path, "\\") == 0);
            CHECK(found(walk, path, "c\\d") == 1);
            CHECK(found(walk, path, "'quoted'") == 1);
            CHECK(found(walk, path, "\"twice\"") == 1);
        }
        CHECK(found(walk, "/departures", "50%") == 1);
        CHECK(found(walk, "/departures", "a_b") == 1);
        CHECK(found(walk, "/departures", "%") == 1);
        CHECK(found(walk, "/departures", "'") == 0);

        walk.given_booking(plain, 30, "O'Neil 100%");
        walk.given_booking(plain, 30, "Oxneil 100_");
        CHECK(found(walk, "/bookings", "o'neil") == 1);
        CHECK(found(walk, "/bookings", "100%") == 1);
        CHECK(found(walk, "/bookings", "100_") == 1);
        CHECK(found(walk, "/bookings", "100") == 2);

        for (const char* name : {"Seat 1%", "Seat 1_", "Seat 12", "Seat \\1"}) {
            const auto made = walk.post("/additional-services", json::Value::object({{"name", name}}), walk.admin());
            REQUIRE(made.status == 201);
        }
        CHECK(found(walk, "/additional-services", "1%") == 1);
        CHECK(found(walk, "/additional-services", "1_") == 1);
        CHECK(found(walk, "/additional-services", "\\") == 1);
        CHECK(found(walk, "/additional-services", "seat") == 4);
    });
}

TEST_CASE("a text of quotes, comments and wildcards is stored and read back as it is") {
    each_walk([](Walk& walk) {
        const std::string title = R"('; DROP TABLE svc_trips;-- "%_\ {{id}} :title $1)";
        const auto made = walk.post("/trips", json::Value::object({{"title", title}}), walk.admin());
        REQUIRE(made.status == 201);
        const auto read = walk.get("/trips/" + std::to_string(made.data()["id"].integer()), walk.admin());
        CHECK(read.data().text_or("title") == title);
        CHECK(found(walk, "/trips", title) == 1);
    });
}
