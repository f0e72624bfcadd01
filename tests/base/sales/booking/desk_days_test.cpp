// Days and times at the desk, what an unchanged booking costs, and what is left of bookings that ended.
#include <doctest/doctest.h>

#include "tests/support/before_start.hpp"
#include "tests/support/each_on.hpp"
#include "tests/support/test_base.hpp"

using namespace svc;
using namespace svc::tests;
using json::Value;

namespace {

struct Days {
    explicit Days(Database& database) : base(database), boss(base.user("owner")), trip(base.given_trip()) {}
    Answered at_desk(int day, Value more = Value::object()) {
        Value body = Value::object({{"trip_id", trip},
                                    {"travel_date", base.day(day)},
                                    {"contact_first_name", "Ada"},
                                    {"contact_email", "ada@example.org"}});
        for (auto& [name, value] : more.members())
            body.set(name, value);
        return base.post("/bookings", body, boss);
    }
    Answered as_guest(int day, Value more = Value::object()) {
        const auto opened = base.post("/booking/session", Value::object({{"trip_id", trip}}));
        more.set("session_id", opened.data()["session_id"]);
        more.set("travel_date", base.day(day));
        return base.post("/booking/create", filled_in(std::move(more)));
    }
    Answered put(std::int64_t id, const std::string& path, const Value& body) {
        return base.call("PUT", "/bookings/" + std::to_string(id) + path, body.dump(), boss);
    }
    std::int64_t events(const char* name) {
        return base.number((std::string("SELECT COUNT(*) FROM svc_domain_events WHERE name = '") + name + "'").c_str());
    }
    std::string told(const char* name) {
        std::string arguments;
        base.assembly->store->read([&](store::Session& session) {
            session.each("SELECT arguments FROM svc_domain_events WHERE name = :name ORDER BY id DESC LIMIT 1", "t",
                         {{"name", name}}, [&](const store::Row& row) { arguments = row.text(0); });
        });
        return arguments;
    }
    std::int64_t departure(int day, const char* time, int seats = 10) {
        availability::DepartureChange change;
        change.start_date = Date::parse(base.day(day));
        change.capacity = seats;
        if (time)
            change.time.emplace(ClockTime::parse(time));
        return base.assembly->availability.services.departures
            .create(trip, change, {.user_id = std::nullopt, .any_date = true})
            .value()
            .id;
    }

    TestBase base;
    Visitor boss;
    std::int64_t trip;
};

const auto each_days = each_on<Days>;

}  // namespace

TEST_CASE("staff book a day that is over and join a tour under way, and the booking is marked; guests cannot") {
    each_days([](Days& days) {
        const auto departure = days.departure(-1, nullptr, 2);
        const auto walk_in = days.at_desk(-1);
        REQUIRE(walk_in.status == 201);
        CHECK(walk_in.data()["entered_afterwards"].boolean());
        CHECK(walk_in.data()["availability_id"].integer() == departure);
        CHECK(days.at_desk(-1, Value::object({{"travelers_count", 2}})).code() == "sold_out");
        CHECK(days.as_guest(-1).code() == "date_unavailable");
        // A signed-in customer without a session is no staff.
        const auto own = days.base.post(
            "/booking/create", filled_in(Value::object({{"trip_id", days.trip}, {"travel_date", days.base.day(-1)}})),
            days.base.user("svc_customer"));
        CHECK(own.code() == "date_unavailable");
        days.departure(30, nullptr);
        const auto ahead = days.at_desk(30);
        REQUIRE(ahead.status == 201);
        CHECK_FALSE(ahead.data()["entered_afterwards"].boolean());
        const auto id = ahead.data()["id"].integer();
        CHECK_FALSE(days.base.get("/bookings/" + std::to_string(id), days.boss).data()["entered_afterwards"].boolean());
        CHECK(days.base.get("/bookings/" + walk_in.data()["id"].number_text(), days.boss)
                  .data()["entered_afterwards"]
                  .boolean());
    });
}

TEST_CASE("a day with several departure times asks for one of them rather than taking the first") {
    each_days([](Days& days) {
        days.departure(30, "09:00");
        const auto later = days.departure(30, "14:00");
        for (const auto& answered : {days.as_guest(30), days.at_desk(30)}) {
            CHECK(answered.status == 400);
            CHECK(answered.field() == "departure_time");
        }
        CHECK(days.base.number("SELECT COUNT(*) FROM svc_bookings") == 0);
        CHECK(days.as_guest(30, Value::object({{"departure_time", "14:00"}})).data()["departure_time"].text() ==
              "14:00");
        CHECK(days.at_desk(30, Value::object({{"departure_time", "09:00"}})).status == 201);
        const auto named = days.base.post("/bookings",
                                          Value::object({{"availability_id", later},
                                                         {"trip_id", days.trip},
                                                         {"travel_date", days.base.day(30)},
                                                         {"contact_first_name", "Ada"},
                                                         {"contact_email", "ada@example.org"}}),
                                          days.boss);
        CHECK(named.data()["departure_time"].text() == "14:00");
        days.departure(31, "09:00");
        CHECK(days.as_guest(31).data()["departure_time"].text() == "09:00");
    });
}

TEST_CASE("a booking that is sent back as it was read is not changed: ids, version and events stay") {
    each_days([](Days& days) {
        days.departure(30, nullptr);
        const auto made = days.as_guest(30, Value::object({{"special_requests", "A window"}}));
        REQUIRE(made.status == 201);
        const auto id = made.data()["booking_id"].integer();
        const std::string path = "/bookings/" + std::to_string(id);
        const auto before = days.base.get(path, days.boss).data();
        const auto told = days.events("svc_booking_updated");
        const auto sent = days.put(id, "", before);
        REQUIRE(sent.status == 200);
        const auto after = days.base.get(path, days.boss).data();
        CHECK(after["row_version"] == before["row_version"]);
        CHECK(after["updated_at"] == before["updated_at"]);
        CHECK(after["travelers"] == before["travelers"]);
        CHECK(after["lines"] == before["lines"]);
        CHECK(days.events("svc_booking_updated") == told);
        // One who is changed keeps the row too.
        Value travelers = before["travelers"];
        Value fields = travelers.items()[0]["fields"];
        travelers.items()[0].set("fields", fields.set("first_name", "Augusta"));
        REQUIRE(days.put(id, "", Value::object({{"travelers", travelers}})).status == 200);
        const auto changed = days.base.get(path, days.boss).data();
        CHECK(changed["travelers"][0]["id"] == before["travelers"][0]["id"]);
        CHECK(changed["travelers"][0]["fields"]["first_name"].text() == "Augusta");
        CHECK(changed["row_version"].integer() > before["row_version"].integer());
        CHECK(days.events("svc_booking_updated") == told + 1);
    });
}

TEST_CASE("the list of travelers leaves out those of cancelled bookings unless it is asked for them") {
    each_days([](Days& days) {
        days.departure(30, nullptr);
        const auto id = days.as_guest(30).data()["booking_id"].integer();
        const auto listed = [&](const std::string& query) {
            return days.base.get("/travelers" + query, days.boss).body["meta"]["total"].integer();
        };
        CHECK(listed("") == 1);
        REQUIRE(days.put(id, "/status", Value::object({{"status", "cancelled"}})).status == 200);
        CHECK(listed("") == 0);
        CHECK(listed("?trip_id=" + std::to_string(days.trip)) == 0);
        CHECK(listed("?status=cancelled") == 1);
        CHECK(listed("?status=all") == 1);
        CHECK(listed("?booking_id=" + std::to_string(id)) == 1);
    });
}

TEST_CASE("what was paid stays in total_collected when its booking goes to the trash") {
    each_days([](Days& days) {
        days.departure(30, nullptr);
        const auto id = days.as_guest(30).data()["booking_id"].integer();
        REQUIRE(
            days.base
                .post("/payments",
                      Value::object({{"booking_id", id}, {"amount", 40}, {"gateway", "cash"}, {"status", "completed"}}),
                      days.boss)
                .status == 201);
        REQUIRE(days.base.call("DELETE", "/bookings/" + std::to_string(id), {}, days.boss).status == 200);
        const auto stats = days.base.get("/bookings/stats", days.boss).data();
        CHECK(stats["total_collected"].number_text() == "40.00");
        CHECK(stats["total_revenue"].number_text() == "0.00");
    });
}

TEST_CASE("a deletion's event carries the whole record as it was, without what is sealed") {
    each_days([](Days& days) {
        days.departure(30, nullptr);
        Value ada = filled_in(Value::object())["travelers"].items()[0];
        ada.set("medical_conditions", "asthma");
        const auto made = days.as_guest(30, Value::object({{"travelers", Value::array({ada})}}));
        const auto id = made.data()["booking_id"].integer();
        const auto check = [&](const char* status) {
            const auto arguments = json::parse(days.told("svc_booking_deleted")).value();
            CHECK(arguments[0].integer() == id);
            const Value& record = arguments[1];
            CHECK(record["reference"].text() == made.data()["reference"].text());
            CHECK(record["status"].text() == status);
            CHECK(record["travelers"][0]["fields"]["first_name"].text() == "Ada");
            CHECK(record["lines"].size() == 1);
            CHECK(days.told("svc_booking_deleted").find("asthma") == std::string::npos);
        };
        REQUIRE(days.base.call("DELETE", "/bookings/" + std::to_string(id), {}, days.boss).status == 200);
        check("pending");
        REQUIRE(days.base.call("DELETE", "/bookings/" + std::to_string(id), {}, days.boss).status == 200);
        check("trash");
        const auto lonely = days.base.given_trip("Red Sea");
        REQUIRE(days.base.call("DELETE", "/trips/" + std::to_string(lonely), {}, days.boss).status == 200);
        const auto trip = json::parse(days.told("svc_trip_deleted")).value();
        CHECK(trip[1]["title"].text() == "Red Sea");
        CHECK(trip[1]["status"].text() == "publish");
    });
}

TEST_CASE("customers cancel a booking that is being paid or whose address is unproven; a channel cancels once") {
    each_days([](Days& days) {
        days.departure(30, nullptr);
        for (const char* status : {"processing", "pending_verification", "pending", "on-hold", "confirmed"}) {
            CAPTURE(status);
            for (const bool by_channel : {false, true}) {
                const auto made = days.as_guest(30);
                const auto id = made.data()["booking_id"].integer();
                days.base.run(
                    ("UPDATE svc_bookings SET status = '" + std::string(status) + "' WHERE id = " + std::to_string(id))
                        .c_str());
                const auto told = days.events("svc_booking_cancelled");
                if (by_channel) {
                    for (int turn = 0; turn < 2; ++turn) {
                        const auto cancelled = days.base.assembly->bookings.guests.cancel_for_channel(
                            id, "octo", "cancelled by the guest");
                        REQUIRE(cancelled);
                        CHECK(cancelled->status == "cancelled");
                    }
                } else {
                    CHECK(days.base
                              .call("POST", "/customers/my-bookings/" + std::to_string(id) + "/cancel", "{}",
                                    Visitor{}.with("X-Svc-Booking-Token", made.data().text_or("booking_token")))
                              .status == 200);
                }
                CHECK(days.events("svc_booking_cancelled") == told + 1);
            }
        }
        CHECK(days.base.number("SELECT COUNT(*) FROM svc_bookings WHERE cancelled_via = 'channel'") == 5);
        CHECK(days.base.number("SELECT SUM(booked_count) FROM svc_departures") == 0);
        CHECK_FALSE(days.base.assembly->bookings.guests.cancel_for_channel(999'999, "octo", ""));
    });
}

TEST_CASE("a plugin that asks whether a payment confirms a booking gets the word of the booking and the filter") {
    std::string answers = "as is";
    const BeforeStart listening([&](app::Assembly& parts) {
        REQUIRE(parts.hooks.filter("svc_confirm_booking_on_payment", {.name = "test"},
                                   [&](auto*, const json::Array& given) {
                                       return answers == "as is" ? given.front() : Value(answers == "yes");
                                   }));
    });
    each_days([&](Days& days) {
        days.departure(30, nullptr);
        auto& payments = days.base.assembly->payments.service;
        answers = "as is";
        const auto id = days.as_guest(30).data()["booking_id"].integer();
        CHECK(payments.would_confirm(id, true).value());
        CHECK_FALSE(payments.would_confirm(id, false).value());
        answers = "yes";
        CHECK(payments.would_confirm(id, false).value());
        answers = "no";
        CHECK_FALSE(payments.would_confirm(id, true).value());
        answers = "yes";
        CHECK_FALSE(payments.would_confirm(999'999, true));
        REQUIRE(days.put(id, "/status", Value::object({{"status", "cancelled"}})).status == 200);
        CHECK_FALSE(payments.would_confirm(id, true).value());
    });
}

TEST_CASE("a booking that is completed, reopened and completed again is announced each time") {
    each_days([](Days& days) {
        days.departure(30, nullptr);
        const auto id = days.as_guest(30).data()["booking_id"].integer();
        for (const char* status : {"confirmed", "completed", "pending", "confirmed", "completed"})
            REQUIRE(days.put(id, "/status", Value::object({{"status", status}})).status == 200);
        CHECK(days.events("svc_booking_completed") == 2);
        CHECK(days.events("svc_booking_confirmed") == 2);
        REQUIRE(days.put(id, "/status", Value::object({{"status", "completed"}})).status == 200);
        CHECK(days.events("svc_booking_completed") == 2);
    });
}

TEST_CASE("what a listener adds to the booking form stays, when it is read and when it is stored") {
    Value answer;
    bool on_save = false;
    const BeforeStart listening([&](app::Assembly& parts) {
        for (const char* name : {"svc_booking_form_config", "svc_save_booking_form_config"})
            REQUIRE(parts.hooks.filter(name, {.name = "test"},
                                       [&, saves = std::string(name).find("save") != std::string::npos](
                                           auto*, const json::Array& given) -> Value {
                                           if (saves != on_save || answer.is_null())
                                               return given.front();
                                           if (!answer.is_object())
                                               return answer;
                                           Value form = given.front();
                                           Value contact = form["contact_form"];
                                           Value fields = contact["fields"];
                                           fields.push(Value::object({{"id", "signature"},
                                                                      {"type", "signature"},
                                                                      {"label", "Sign"},
                                                                      {"width", "quarter"},
                                                                      {"pen", "blue"}}));
                                           contact.set("fields", std::move(fields));
                                           contact.set("note", "Please sign.");
                                           form.set("contact_form", std::move(contact));
                                           return form.set("insurance_form", Value::object({{"enabled", true}}));
                                       }));
    });
    each_days([&](Days& days) {
        const auto check = [&] {
            const auto form = days.base.get("/settings/booking-form", days.boss).data();
            const Value& fields = form["contact_form"]["fields"];
            const auto found = std::find_if(fields.items().begin(), fields.items().end(),
                                            [](const Value& each) { return each["id"].text() == "signature"; });
            REQUIRE(found != fields.items().end());
            CHECK((*found)["type"].text() == "signature");
            CHECK((*found)["width"].text() == "quarter");
            CHECK((*found)["pen"].text() == "blue");
            CHECK((*found)["enabled"].boolean());
            CHECK(form["contact_form"]["note"].text() == "Please sign.");
            CHECK(form["insurance_form"]["enabled"].boolean());
        };
        answer = Value::object();
        on_save = false;
        check();
        on_save = true;
        const auto stored = days.base.call("PUT", "/settings/booking-form",
                                           R"({"contact_form":{"title":"Who books","fields":[]}})", days.boss);
        CHECK(stored.status == 200);
        check();
        // A shape that pages cannot show is not taken, and locked fields stay.
        on_save = false;
        answer = Value("nonsense");
        const auto form = days.base.get("/settings/booking-form", days.boss).data();
        CHECK(form["traveler_form"]["fields"].is_array());
        CHECK(days.base.get("/booking/trip/" + std::to_string(days.trip)).status == 200);
        answer = {};
    });
}

TEST_CASE("staff read the form of a trip that is not published yet, as its customers will be asked") {
    each_days([](Days& days) {
        catalog::trips::TripChange draft;
        draft.title = "Not yet";
        const auto id = days.base.assembly->trips.service.editor().create(draft, {}).value().id;
        const std::string path = "/settings/booking-form?trip_id=" + std::to_string(id);
        const auto form = days.base.get(path, days.boss);
        CHECK(form.status == 200);
        CHECK_FALSE(form.data()["contact_form"].find("conditions"));
        CHECK(days.base.get("/settings/booking-form?trip_id=999999", days.boss).code() == "trip_not_found");
    });
}
