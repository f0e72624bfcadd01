// Check-in: staff note who has arrived, unless a listener of svc_check_in_allowed refuses it.
#include <doctest/doctest.h>

#include "tests/support/before_start.hpp"
#include "tests/support/each_on.hpp"
#include "tests/support/test_base.hpp"

using namespace svc;
using namespace svc::tests;
using json::Value;

namespace {

struct MeetingPoint {
    explicit MeetingPoint(Database& database) : base(database), guide(base.user("guide")) {
        departure = base.given_departure(trip, 30, 10);
        other_departure = base.given_departure(trip, 40, 10);
        mine = base.given_booking(trip, 30, "Lovelace");
        foreign = base.given_booking(trip, 40, "Hopper");
        const auto given =
            base.call("PUT", "/trips/" + std::to_string(trip) + "/departures/" + std::to_string(departure),
                      "{\"guide_user_id\":" + std::to_string(guide.user_id) + "}", base.user("administrator"));
        REQUIRE(given.status == 200);
    }
    std::int64_t traveler_of(const GivenBooking& booking) {
        const auto listed = base.get("/bookings/" + std::to_string(booking.id) + "/travellers", base.user("owner"));
        REQUIRE(listed.data().size() >= 1);
        return listed.data()[std::size_t{0}]["id"].integer();
    }
    Answered set(const GivenBooking& booking, bool is_in, const Visitor& visitor) {
        return base.call("PUT", "/travelers/" + std::to_string(traveler_of(booking)) + "/check-in",
                         Value::object({{"checked_in", is_in}}).dump(), visitor);
    }
    std::size_t arrived(std::int64_t of, const Visitor& visitor) {
        const auto listed = base.get("/departures/" + std::to_string(of) + "/check-ins", visitor);
        REQUIRE(listed.status == 200);
        return listed.data().size();
    }
    std::function<Value(store::Transaction*, const json::Array&)> listener;  // of svc_check_in_allowed
    const BeforeStart listening{[this](app::Assembly& parts) {
        REQUIRE(parts.hooks.filter("svc_check_in_allowed", {.name = "test"},
                                   [this](store::Transaction* tx, const json::Array& given) {
                                       return listener ? listener(tx, given) : given.at(0);
                                   }));
    }};
    TestBase base;
    const Visitor& guide;
    const std::int64_t trip = base.given_trip();
    std::int64_t departure = 0, other_departure = 0;
    GivenBooking mine, foreign;
};

const auto each_meeting_point = each_on<MeetingPoint>;

}  // namespace

TEST_CASE("a guide checks in who travels on their departure, once, and takes it back") {
    each_meeting_point([](MeetingPoint& here) {
        CHECK(here.arrived(here.departure, here.guide) == 0);
        const auto in = here.set(here.mine, true, here.guide);
        REQUIRE(in.status == 200);
        CHECK(in.data()["checked_in"].boolean());
        CHECK(in.data()["booking_id"].integer() == here.mine.id);
        CHECK(in.data()["checked_in_by"].integer() == here.guide.user_id);
        CHECK(here.arrived(here.departure, here.guide) == 1);
        const auto again = here.set(here.mine, true, here.base.user("front_desk"));
        REQUIRE(again.status == 200);  // as it was: the first time stays
        CHECK(again.data()["checked_in_at"].text() == in.data()["checked_in_at"].text());
        CHECK(again.data()["checked_in_by"].integer() == here.guide.user_id);
        const auto out = here.set(here.mine, false, here.guide);
        REQUIRE(out.status == 200);
        CHECK(out.data()["checked_in_at"].is_null());
        CHECK(here.arrived(here.departure, here.guide) == 0);
    });
}

TEST_CASE("a guide neither sees nor checks in travelers of others; an auditor looks only") {
    each_meeting_point([](MeetingPoint& here) {
        CHECK(here.set(here.foreign, true, here.guide).status == 404);
        REQUIRE(here.set(here.foreign, true, here.base.user("owner")).status == 200);
        CHECK(here.arrived(here.other_departure, here.guide) == 0);
        CHECK(here.arrived(here.other_departure, here.base.user("auditor")) == 1);
        CHECK(here.set(here.mine, true, here.base.user("auditor")).status == 403);
        CHECK(here.set(here.mine, true, here.base.user("accountant")).status == 403);
        CHECK(here.set(here.mine, true, {}).status == 401);
        CHECK(here.base.number("SELECT COUNT(*) FROM svc_booking_travelers WHERE checked_in_at IS NOT NULL") == 1);
    });
}

TEST_CASE("nobody of a cancelled booking is checked in, and bad bodies are refused with their field") {
    each_meeting_point([](MeetingPoint& here) {
        const auto id = std::to_string(here.mine.id);
        const auto traveler = std::to_string(here.traveler_of(here.mine));
        REQUIRE(
            here.base.call("PUT", "/bookings/" + id + "/status", R"({"status":"cancelled"})", here.base.user("owner"))
                .status == 200);
        const auto refused = here.set(here.mine, true, here.base.user("owner"));
        CHECK(refused.status == 409);
        CHECK(refused.code() == "svc_conflict");
        for (const char* body : {"{}", R"({"checked_in": "perhaps"})", R"({"checked_in": null})"}) {
            const auto bad =
                here.base.call("PUT", "/travelers/" + traveler + "/check-in", body, here.base.user("owner"));
            CHECK(bad.status == 400);
            CHECK(bad.field() == "checked_in");
        }
        CHECK(here.base.call("PUT", "/travelers/999999/check-in", R"({"checked_in": true})", here.base.user("owner"))
                  .status == 404);
    });
}

TEST_CASE("a listener of svc_check_in_allowed refuses a check-in with its reason, and is told whose it is") {
    each_meeting_point([](MeetingPoint& here) {
        bool allows = false;
        int asked = 0;
        here.listener = [&](store::Transaction* tx, const json::Array& given) {
            ++asked;
            CHECK(tx);
            CHECK(given.at(0)["allowed"].boolean());
            CHECK(given.at(1).integer() == here.mine.id);
            CHECK(given.at(2).dump() == "[1]");
            return allows ? given.at(0)
                          : Value::object({{"allowed", false}, {"reason", "The consent form is not signed."}});
        };
        const auto refused = here.set(here.mine, true, here.guide);
        CHECK(refused.status == 409);
        CHECK(refused.code() == "svc_conflict");
        CHECK(refused.body.text_or("message") == "The consent form is not signed.");
        CHECK(here.arrived(here.departure, here.guide) == 0);
        CHECK(here.set(here.mine, false, here.guide).status == 200);  // taking back asks nobody
        CHECK(asked == 1);
        allows = true;
        CHECK(here.set(here.mine, true, here.guide).status == 200);
        CHECK(asked == 2);
        REQUIRE(here.set(here.mine, false, here.guide).status == 200);
        here.listener = [](store::Transaction*, const json::Array&) {
            return Value::object({{"allowed", false}, {"reason", 7}});
        };
        CHECK(here.set(here.mine, true, here.guide).status == 409);
    });
}

TEST_CASE("a change of a booking's travelers keeps who is checked in") {
    each_meeting_point([](MeetingPoint& here) {
        REQUIRE(here.set(here.mine, true, here.guide).status == 200);
        const auto listed =
            here.base.get("/bookings/" + std::to_string(here.mine.id) + "/travellers", here.base.user("owner"));
        Value first = listed.data()[std::size_t{0}];
        const auto detail = here.base.get("/bookings/" + std::to_string(here.mine.id), here.base.user("owner"));
        const auto changed = here.base.call(
            "PUT", "/bookings/" + std::to_string(here.mine.id) + "/travellers",
            Value::object({{"travelers", Value::array({Value::object(
                                             {{"id", first["id"]}, {"first_name", "Ada"}, {"last_name", "King"}})})},
                           {"row_version", detail.data()["row_version"]}})
                .dump(),
            here.base.user("owner"));
        CAPTURE(changed.text);
        REQUIRE(changed.status == 200);
        CHECK(here.arrived(here.departure, here.guide) == 1);
    });
}
