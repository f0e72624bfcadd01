// Stored data of travelers: answers to the form and a category, from every source.
#include <doctest/doctest.h>

#include "tests/support/each_on.hpp"
#include "tests/support/test_base.hpp"

using namespace svc;
using namespace svc::tests;
using json::Value;

namespace {

Value parsed(const char* text) { return json::parse(text).value(); }

struct Asked {
    explicit Asked(Database& database) : base(database), admin(base.user("administrator")), trip(base.given_trip()) {
        base.given_departure(trip, 30, 20);
    }
    void ask(const char* form) { REQUIRE(base.call("PUT", "/settings/booking-form", form, admin).status == 200); }
    Answered book(const Value& more) {
        Value body = Value::object({{"trip_id", trip},
                                    {"travel_date", base.day(30)},
                                    {"contact_first_name", "Ada"},
                                    {"contact_last_name", "Lovelace"},
                                    {"contact_email", "ada@example.org"}});
        for (const auto& [name, value] : more.members())
            body.set(name, value);
        const auto session =
            base.post("/booking/session", Value::object({{"trip_id", trip}, {"travel_date", base.day(30)}}));
        body.set("session_id", session.data()["session_id"]);
        return base.post("/booking/create", filled_in(std::move(body)));
    }
    Value detail(const Answered& made) {
        return base.get("/bookings/" + std::to_string(made.data()["booking_id"].integer()), admin).data();
    }
    Answered travel(std::int64_t id, const Value& travelers) {
        return base.call("PUT", "/bookings/" + std::to_string(id) + "/travellers",
                         Value::object({{"travelers", travelers}}).dump(), admin);
    }

    TestBase base;
    Visitor admin;
    std::int64_t trip;
};

const auto each_asked = each_on<Asked>;

const char* form_with_numbers = R"({"contact_form":{"fields":[{"id":"agreed","type":"checkbox"}]},
    "emergency_contact_form":{"enabled":false},
    "traveler_form":{"fields":[{"id":"shoe","type":"number"},{"id":"vegan","type":"checkbox"}]}})";

}  // namespace

TEST_CASE("numbers and checkboxes are answered as such or as texts, anything else as a text") {
    each_asked([](Asked& asked) {
        asked.ask(form_with_numbers);
        const auto made = asked.book(parsed(R"({"contact_agreed":true,"travelers":[
            {"first_name":"Ada","last_name":"Lovelace","shoe":41.5,"vegan":true},
            {"first_name":"Bo","last_name":"Lee","shoe":"42","vegan":0}]})"));
        CAPTURE(made.text);
        REQUIRE(made.status == 201);
        const Value detail = asked.detail(made);
        CHECK(detail["contact_data"]["agreed"].text() == "true");
        CHECK(detail["travelers"][0]["fields"]["shoe"].text() == "41.5");
        CHECK(detail["travelers"][0]["fields"]["vegan"].text() == "true");
        CHECK(detail["travelers"][1]["fields"]["shoe"].text() == "42");
        CHECK(detail["travelers"][1]["fields"]["vegan"].text() == "0");
        CHECK(asked.book(parsed(R"({"travelers":[{"first_name":7,"last_name":"Lee"}]})")).field() ==
              "travelers.0.first_name");
        CHECK(asked.book(parsed(R"({"travelers":[{"first_name":"A","last_name":"B","shoe":[1]}]})")).field() ==
              "travelers.0.shoe");
        CHECK(asked.book(parsed(R"({"travelers":[{"first_name":"A","last_name":"B","shoe":"big"}]})")).field() ==
              "travelers.0.shoe");
        CHECK(asked.book(parsed(R"({"contact_agreed":"maybe"})")).field() == "contact_agreed");
    });
}

TEST_CASE("what the form does not ask is not kept of a visitor's booking") {
    each_asked([](Asked& asked) {
        const auto made = asked.book(parsed(R"({"contact_foo":"x","contact_data":{"zz":"x","first_name":"Eve",
            "nationality":"British"},"emergency_zip":"1","emergency_name":"Byron","emergency_phone":"+44 1",
            "travelers":[{"first_name":"Ada","last_name":"Lovelace","date_of_birth":"1990-12-10","gender":"female",
            "nationality":"British","foo":"x","is_lead":false,"booking_id":7,"id":{}}]})"));
        CAPTURE(made.text);
        REQUIRE(made.status == 201);
        const Value detail = asked.detail(made);
        CHECK(detail["contact_data"] == parsed(R"({"nationality":"British"})"));
        CHECK(detail["emergency_contact"] == parsed(R"({"name":"Byron","phone":"+44 1"})"));
        CHECK(detail["travelers"][0]["fields"].size() == 5);
        CHECK(detail["travelers"][0]["is_lead"].boolean());
    });
}

TEST_CASE("a traveler's category is one of the trip's, no more often than it was booked, and kept as such") {
    each_asked([](Asked& asked) {
        const auto category = [&](const char* name) {
            const auto made = asked.base.post("/traveler-categories",
                                              Value::object({{"name", name}, {"status", "publish"}}), asked.admin);
            REQUIRE(made.status == 201);
            return made.data()["id"].integer();
        };
        const auto adult = category("Adult"), child = category("Child");
        const auto price = [](std::int64_t id, int amount) {
            return Value::object({{"category_id", id}, {"original_price", amount}});
        };
        REQUIRE(asked.base
                    .call("PUT", "/trips/" + std::to_string(asked.trip),
                          Value::object({{"pricing_type", "traveler_based"},
                                         {"price_types", Value::array({price(adult, 100), price(child, 60)})}})
                              .dump(),
                          asked.admin)
                    .status == 200);
        const auto person = [](const Value& of) {
            Value one = parsed(R"({"first_name":"Ada","last_name":"Lovelace","date_of_birth":"1990-12-10",
                "gender":"female","nationality":"British"})");
            one.set("category_id", of);
            return one;
        };
        const auto party = [&](const Value& first, const Value& second) {
            return Value::object(
                {{"travelers", Value::array({person(first), person(second)})},
                 {"traveler_counts", Value::object({{std::to_string(adult), 1}, {std::to_string(child), 1}})}});
        };
        CHECK(asked.book(party(adult, adult)).field() == "travelers.1.category_id");
        CHECK(asked.book(party(child + 99, adult)).field() == "travelers.0.category_id");
        CHECK(asked.book(party("x", adult)).field() == "travelers.0.category_id");
        const auto made = asked.book(party(adult, std::to_string(child)));
        CAPTURE(made.text);
        REQUIRE(made.status == 201);
        const Value detail = asked.detail(made);
        CHECK(detail["travelers"][0]["category_id"].integer() == adult);
        CHECK(detail["travelers"][1]["category_id"].integer() == child);
        CHECK(detail["travelers"][1]["fields"].find("category_id") == nullptr);
        CHECK(asked.travel(detail["id"].integer(), Value::array({person(child), person(child)})).field() ==
              "travelers.1.category_id");
    });
}

TEST_CASE("travelers are written back as they were read, and a smaller party keeps its first ones") {
    each_asked([](Asked& asked) {
        const auto made = asked.book(parsed(R"({"travelers_count":4})"));
        REQUIRE(made.status == 201);
        const auto id = made.data()["booking_id"].integer();
        Value four = Value::array();
        for (const char* name : {"Ada", "Bo", "Cy", "Di"})
            four.push(Value::object({{"first_name", name}, {"last_name", "Lovelace"}, {"passport_number", "X1"}}));
        const auto told = asked.travel(id, four);
        REQUIRE(told.status == 200);
        const auto again = asked.travel(id, told.data());
        CAPTURE(again.text);
        REQUIRE(again.status == 200);
        REQUIRE(again.data().size() == 4);
        for (std::size_t i = 0; i < 4; ++i)
            CHECK(again.data()[i]["fields"] == told.data()[i]["fields"]);
        const std::string path = "/bookings/" + std::to_string(id);
        REQUIRE(asked.base.call("PUT", path, Value::object({{"travelers", again.data()}}).dump(), asked.admin).status ==
                200);
        const auto fewer = asked.base.call("PUT", path, R"({"traveler_count":2})", asked.admin);
        REQUIRE(fewer.status == 200);
        REQUIRE(fewer.data()["travelers"].size() == 2);
        CHECK(fewer.data()["travelers"][0]["is_lead"].boolean());
        CHECK(fewer.data()["travelers"][1]["fields"]["first_name"].text() == "Bo");

        const auto file = asked.base.get(path + "/travellers?format=csv", asked.admin);
        CHECK(file.header("Content-Type").starts_with("text/csv"));
        CHECK(file.text.find("Bo") != std::string::npos);
        CHECK(asked.base.get(path + "/travellers?format=pdf", asked.admin).field() == "format");
    });
}

TEST_CASE("what staff change of the answers is of its kind, and what a booking holds already stays") {
    each_asked([](Asked& asked) {
        const auto made = asked.book(Value::object());
        REQUIRE(made.status == 201);
        const auto id = made.data()["booking_id"].integer();
        const std::string path = "/bookings/" + std::to_string(id);
        const auto edit = [&](const Value& body) { return asked.base.call("PUT", path, body.dump(), asked.admin); };
        const Value before = asked.detail(made);
        for (const auto& [name, answer] : {std::pair("gender", "robot"), std::pair("date_of_birth", "1990-02-30"),
                                           std::pair("dietary_requirements", "stones"), std::pair("email", "ada"),
                                           std::pair("passport_expiry", "soon")}) {
            CAPTURE(name);
            const Value people = Value::array({Value::object({{"first_name", "Bo"}, {name, answer}})});
            const std::string field = std::string("travelers.0.") + name;
            CHECK(asked.travel(id, people).field() == field);
            CHECK(edit(Value::object({{"travelers", people}})).field() == field);
            CHECK(asked.base
                      .call("POST", "/bookings",
                            Value::object({{"trip_id", asked.trip},
                                           {"travel_date", asked.base.day(30)},
                                           {"contact_first_name", "Ada"},
                                           {"contact_email", "ada@example.org"},
                                           {"travelers", people}})
                                .dump(),
                            asked.admin)
                      .field() == field);
        }
        CHECK(edit(parsed(R"({"emergency_contact":{"phone":"soon"}})")).field() == "emergency_contact.phone");
        CHECK(edit(parsed(R"({"emergency_contact":{"relationship":"dog"}})")).field() ==
              "emergency_contact.relationship");
        CHECK(edit(parsed(R"({"contact_phone":"soon"})")).field() == "contact_phone");
        CHECK(edit(parsed(R"({"contact":{"phone":"soon"}})")).field() == "contact.phone");
        CHECK(asked.detail(made)["row_version"] == before["row_version"]);
        CHECK(asked.detail(made)["travelers"] == before["travelers"]);
        CHECK(
            asked.travel(id, parsed(R"([{"first_name":"Bo","email":"bo@example.org","passport_expiry":"2031-01-31"}])"))
                .status == 200);
        CHECK(edit(parsed(R"({"contact_phone":"+44 20 7946 0009"})")).status == 200);

        // Another form asks otherwise: what was answered to the one before is no new answer.
        asked.ask(R"({"traveler_form":{"fields":[{"id":"shoe","type":"text"}]},
                      "emergency_contact_form":{"fields":[{"id":"doctor","type":"text"}]}})");
        const Value big = Value::array({Value::object({{"first_name", "Bo"}, {"shoe", "big"}})});
        REQUIRE(asked.travel(id, big).status == 200);
        REQUIRE(edit(parsed(R"({"emergency_contact":{"doctor":"Who"}})")).status == 200);
        asked.ask(R"({"traveler_form":{"fields":[{"id":"shoe","type":"number"}]},
                      "emergency_contact_form":{"fields":[{"id":"doctor","type":"tel"}]}})");
        CHECK(asked.travel(id, big).status == 200);
        CHECK(edit(asked.detail(made)).status == 200);
        CHECK(asked.travel(id, parsed(R"([{"first_name":"Bo","shoe":"small"}])")).field() == "travelers.0.shoe");
        CHECK(edit(parsed(R"({"emergency_contact":{"doctor":"Else"}})")).field() == "emergency_contact.doctor");
    });
}

TEST_CASE("answers are kept as texts are: composed, without blanks around them and control characters") {
    each_asked([](Asked& asked) {
        const auto person = [](const char* first, const char* last) {
            Value one = parsed(R"({"date_of_birth":" 1990-01-01 ","gender":"female","nationality":"British",
                                   "medical_conditions":" asthma\r\n\tand hay fever\u0007 "})");
            one.set("first_name", first).set("last_name", last);
            return Value::object({{"travelers", Value::array({one})}});
        };
        for (const char* blank : {" ", "\t\n", "\u00a0", "\x07"}) {
            CAPTURE(blank);
            CHECK(asked.book(person(blank, "Lovelace")).field() == "travelers.0.first_name");
        }
        const auto made = asked.book(person(" Jose\u0301\x07", "Love\nlace "));
        CAPTURE(made.text);
        REQUIRE(made.status == 201);
        const auto told = [&] { return asked.detail(made)["travelers"][0]["fields"]; };
        CHECK(told()["first_name"].text() == "Jos\u00e9");
        CHECK(told()["last_name"].text().find('\n') == std::string::npos);
        CHECK(told()["date_of_birth"].text() == "1990-01-01");
        CHECK(told()["medical_conditions"].text() == "asthma\n\tand hay fever");
        const auto id = made.data()["booking_id"].integer();
        REQUIRE(asked.travel(id, parsed(R"([{"first_name":" Bo ","passport_number":" X1\u0007 "}])")).status == 200);
        CHECK(told()["first_name"].text() == "Bo");
        CHECK(told()["passport_number"].text() == "X1");
    });
}
