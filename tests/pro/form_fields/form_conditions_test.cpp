// Form conditions through the whole base with Pro attached: they count while their module is on.
#include <doctest/doctest.h>

#include "tests/support/each_on.hpp"
#include "tests/support/test_base.hpp"

extern "C" const svc_plugin* svc_plugin_entry(void);

using namespace svc;
using namespace svc::tests;
using json::Value;

namespace {

Value parsed(const char* text) { return json::parse(text).value(); }

bool field_of(const Value& form, const char* section, const char* id) {
    for (const Value& field : form[section]["fields"].items())
        if (field["id"].text() == id)
            return true;
    return false;
}

struct FormSite {
    explicit FormSite(Database& database)
        : base(database, &svc_plugin_entry), admin(base.user("administrator")), trip(base.given_trip()) {
        base.given_departure(trip, 30, 10);
    }
    Answered book(const Value& more) {
        const auto session =
            base.post("/booking/session", Value::object({{"trip_id", trip}, {"travel_date", base.day(30)}}));
        Value body = Value::object({{"session_id", session.data().text_or("session_id")},
                                    {"contact_first_name", "Ada"},
                                    {"contact_last_name", "Lovelace"},
                                    {"contact_email", "ada@example.org"}});
        for (const auto& [name, value] : more.members())
            body.set(name, value);
        return base.post("/booking/create", filled_in(body));
    }

    TestBase base;
    Visitor admin;
    std::int64_t trip;
};

const auto each_site = each_on<FormSite>;

}  // namespace

TEST_CASE("a service follows a trip's condition while conditions count, and stores the answer") {
    each_site([](FormSite& site) {
        site.base.given_license("personal");
        const auto turn = [&](bool on) {
            REQUIRE(site.base.post("/modules/dynamic_form_field/toggle", Value::object({{"enabled", on}}), site.admin)
                        .status == 200);
        };
        const std::string form = R"({"traveler_form":{"fields":[{"id":"shoe","type":"number"}],"conditions":[{"id":"c",
            "targets":{"trips":[)" +
                                 std::to_string(site.trip) +
                                 R"(]},"title":"Divers","fields":[{"id":"depth","type":"number","required":true}]}]}})";
        REQUIRE(site.base.call("PUT", "/settings/booking-form", form, site.admin).status == 200);
        const auto asked = "/settings/booking-form?trip_id=" + std::to_string(site.trip);
        const auto travelers = [](const char* fields) {
            return Value::object({{"travelers", Value::array({parsed(fields)})}});
        };
        const char* without = R"({"first_name":"A","last_name":"B"})";
        CHECK_FALSE(field_of(site.base.get(asked, site.admin).data(), "traveler_form", "depth"));
        CHECK(site.book(travelers(without)).status == 201);

        turn(true);
        CHECK(field_of(site.base.get(asked, site.admin).data(), "traveler_form", "depth"));
        CHECK(site.base.get("/booking/trip/" + std::to_string(site.trip))
                  .data()["form"]["traveler_form"]["title"]
                  .text() == "Divers");
        CHECK(site.book(travelers(without)).field() == "travelers.0.depth");
        const auto made = site.book(travelers(R"({"first_name":"A","last_name":"B","depth":"40"})"));
        REQUIRE(made.status == 201);
        const auto path = "/bookings/" + std::to_string(made.data()["booking_id"].integer());
        REQUIRE(
            site.base
                .call("PUT", "/settings/booking-form", R"({"contact_form":{"title":"You","fields":[]}})", site.admin)
                .status == 200);
        const Value kept = site.base.get(path, site.admin).data()["form_snapshot"];
        CHECK(field_of(kept, "traveler_form", "depth"));
        CHECK(kept["traveler_form"]["title"].text() == "Divers");
        CHECK(site.base.number("SELECT COUNT(*) FROM svc_booking_forms") == 2);  // each text once

        // Off, conditions are kept and do not count.
        REQUIRE(site.base.call("PUT", "/settings/booking-form", form, site.admin).status == 200);
        turn(false);
        CHECK(site.book(travelers(without)).status == 201);
        CHECK(site.base.get("/settings/booking-form", site.admin).data()["traveler_form"]["conditions"].size() == 1);
    });
}
