// Traveler categories with ages: dates of birth are asked, and somebody takes a seat.
#include "base/sales/booking/form/ages.hpp"

#include <doctest/doctest.h>

#include "tests/support/each_on.hpp"
#include "tests/support/test_base.hpp"

using namespace svc;
using namespace svc::tests;
using json::Value;

namespace {

// Adults from 18 at 100.00, children to 17 at 60.00, infants to 1 at 0.00; a date of two seats.
struct Family {
    explicit Family(Database& database) : base(database), boss(base.user("owner")) {
        for (const auto& [slug, id] : {std::pair("adult", &adult), {"child", &child}, {"infant", &infant}})
            *id = base.number(
                (std::string("SELECT id FROM svc_classifications WHERE type = 'traveler_type' AND slug = '") + slug +
                 "'")
                    .c_str());
        catalog::trips::TripChange change;
        change.title = "Nile cruise";
        change.duration = 4;
        change.status = "publish";
        change.pricing_type = "traveler_based";
        change.price_types = {{.category_id = adult, .regular_price = "100"},
                              {.category_id = child, .regular_price = "60"},
                              {.category_id = infant, .regular_price = "0"}};
        trip = base.assembly->trips.service.editor().create(change, {}).value().id;
        base.given_departure(trip, 30, 2);
    }
    static Value person(const char* birth) {
        Value one = Value::object(
            {{"first_name", "Ada"}, {"last_name", "Lovelace"}, {"gender", "female"}, {"nationality", "British"}});
        if (*birth != '\0')
            one.set("date_of_birth", birth);
        return one;
    }
    static Value people(std::initializer_list<const char*> births) {
        Value all = Value::array();
        for (const char* birth : births)
            all.push(person(birth));
        return all;
    }
    Answered book(const Value& counts, Value travelers) {
        const auto opened =
            base.post("/booking/session", Value::object({{"trip_id", trip}, {"travel_date", base.day(30)}}));
        return base.post("/booking/create", filled_in(Value::object({{"session_id", opened.data()["session_id"]},
                                                                     {"traveler_counts", counts},
                                                                     {"travelers", std::move(travelers)}})));
    }
    [[nodiscard]] Value counts(std::int64_t adults, std::int64_t infants) const {
        return Value::object({{std::to_string(adult), adults}, {std::to_string(infant), infants}});
    }
    // The first of July, so many years ago.
    [[nodiscard]] std::string born(int years) const {
        return std::to_string(std::stoi(base.day(30).substr(0, 4)) - years - 1) + "-07-01";
    }

    TestBase base;
    Visitor boss;
    std::int64_t adult = 0, child = 0, infant = 0, trip = 0;
};

const auto each_family = each_on<Family>;

}  // namespace

TEST_CASE("adults are not booked as infants: each date of birth is held against the category on the travel date") {
    each_family([](Family& family) {
        const auto four = Value::object({{std::to_string(family.infant), 4}});
        const auto lied = family.book(four, Family::people({"1990-01-01", "1991-01-01", "1992-01-01", "1993-01-01"}));
        CHECK(lied.status == 400);
        CHECK(lied.code() == "group_size");
        CHECK(lied.field() == "travelers.0.date_of_birth");
        CHECK(lied.body["data"]["errors"].size() == 4);
        const auto silent = family.book(four, Family::people({""}));
        CHECK(silent.status == 400);
        CHECK(silent.body["data"]["errors"].find("travelers.0.date_of_birth"));
        CHECK(silent.body["data"]["errors"].find("travelers.3.date_of_birth"));
        CHECK(family.base.number("SELECT COUNT(*) FROM svc_bookings") == 0);

        const std::string baby = family.base.day(-100);
        const auto fits = family.book(family.counts(1, 1), Family::people({"1990-01-01", baby.c_str()}));
        CHECK(fits.status == 201);
        const auto unnamed = family.book(family.counts(1, 1), Family::people({"1990-01-01"}));
        CHECK(unnamed.status == 400);
        CHECK(unnamed.field() == "travelers.1.date_of_birth");
    });
}

TEST_CASE("the age is checked against the category that is sent with the traveler") {
    each_family([](Family& family) {
        Value lead = Family::person("1990-01-01"), other = Family::person("1991-01-01");
        lead.set("category_id", family.adult);
        other.set("category_id", family.infant);
        const auto lied = family.book(family.counts(1, 1), Value::array({lead, other}));
        CHECK(lied.code() == "group_size");
        CHECK(lied.field() == "travelers.1.date_of_birth");
    });
}

TEST_CASE("a booking has at least one traveler who takes a seat, wherever it is priced or made") {
    each_family([](Family& family) {
        REQUIRE(family.base
                    .call("PUT", "/settings",
                          Value::object({{"seat_hold_categories_excluded", Value::array({family.infant})}}).dump(),
                          family.boss)
                    .status == 200);
        const std::string baby = family.base.day(-100);
        const auto infants = Value::object({{std::to_string(family.infant), 2}});
        const auto nobody = family.book(infants, Family::people({baby.c_str(), baby.c_str()}));
        CHECK(nobody.status == 400);
        CHECK(nobody.field() == "traveler_counts");
        const auto desk = family.base.post("/bookings",
                                           Value::object({{"trip_id", family.trip},
                                                          {"travel_date", family.base.day(30)},
                                                          {"contact_first_name", "Ada"},
                                                          {"contact_email", "ada@example.org"},
                                                          {"traveler_counts", infants}}),
                                           family.boss);
        CHECK(desk.status == 400);
        CHECK(desk.field() == "traveler_counts");
        const auto opened = family.base.post(
            "/booking/session", Value::object({{"trip_id", family.trip}, {"travel_date", family.base.day(30)}}));
        const auto quote = family.base.post(
            "/booking/summary",
            Value::object({{"session_id", opened.data()["session_id"]}, {"traveler_counts", infants}}));
        CHECK(quote.status == 400);
        CHECK(quote.field() == "traveler_counts");
        CHECK(family.book(family.counts(1, 1), Family::people({"1990-01-01", baby.c_str()})).status == 201);
    });
}

TEST_CASE("staff may leave a date of birth out, and one that they send must fit; edits have the same checks") {
    each_family([](Family& family) {
        const auto made = [&](const Value& travelers) {
            return family.base.post("/bookings",
                                    Value::object({{"trip_id", family.trip},
                                                   {"travel_date", family.base.day(30)},
                                                   {"contact_first_name", "Ada"},
                                                   {"contact_email", "ada@example.org"},
                                                   {"traveler_counts", family.counts(1, 1)},
                                                   {"travelers", travelers}}),
                                    family.boss);
        };
        const auto lied = made(Family::people({"1990-01-01", "1991-01-01"}));
        CHECK(lied.status == 400);
        CHECK(lied.field().starts_with("travelers."));
        const auto booked = made(Family::people({"1990-01-01"}));
        REQUIRE(booked.status == 201);
        const std::string path = "/bookings/" + booked.data()["id"].number_text();
        const auto edit = [&](const Value& travelers) {
            return family.base.call("PUT", path, Value::object({{"travelers", travelers}}).dump(), family.boss);
        };
        Value grown = Family::person("1991-01-01");
        grown.set("category_id", family.infant);
        const auto refused = edit(Value::array({Family::person("1990-01-01"), grown}));
        CHECK(refused.code() == "group_size");
        CHECK(refused.field() == "travelers.1.date_of_birth");
        grown.set("date_of_birth", family.base.day(-100));
        CHECK(edit(Value::array({Family::person("1990-01-01"), grown})).status == 200);
    });
}

TEST_CASE("a form without a date of birth asks one where the trip has categories with ages") {
    const std::vector<booking::form::CategoryAges> ages{{.id = 7, .label = "Infant", .least = 0, .most = 1}};
    const Value bare = Value::object(
        {{"traveler_form",
          Value::object({{"enabled", true},
                         {"fields", Value::array({Value::object({{"id", "first_name"}, {"enabled", true}})})}})}});
    const Value asking = booking::form::asking_births(bare, ages);
    const Value& fields = asking["traveler_form"]["fields"];
    REQUIRE(fields.size() == 2);
    CHECK(fields[1]["id"].text() == "date_of_birth");
    CHECK(fields[1]["enabled"].boolean());
    CHECK(fields[1]["categories"][0].integer() == 7);
    CHECK(booking::form::asking_births(bare, {{.id = 7, .label = "Adult"}}) == bare);
    // Nor is one hidden by other answers: its traveler could not go on.
    for (const bool required : {true, false}) {
        Value hiding = bare;
        Value travelers = hiding["traveler_form"];
        Value all = travelers["fields"];
        all.push(Value::object({{"id", "date_of_birth"},
                                {"type", "date"},
                                {"enabled", true},
                                {"required", required},
                                {"show_if", Value::object({{"field", "first_name"}, {"operator", "is_filled"}})}}));
        travelers.set("fields", std::move(all));
        hiding.set("traveler_form", std::move(travelers));
        const Value shown = booking::form::asking_births(hiding, ages);
        const Value& asked = shown["traveler_form"]["fields"][1];
        CHECK(asked.find("show_if") == nullptr);
        CHECK_FALSE(asked["required"].boolean());
        CHECK(asked["categories"][0].integer() == 7);
    }
}
