// A base with Pro, one trip with a departure, and the module of form fields on.
#pragma once

#include <doctest/doctest.h>

#include "tests/support/each_on.hpp"
#include "tests/support/form.hpp"
#include "tests/support/test_base.hpp"

extern "C" const svc_plugin* svc_plugin_entry(void);

namespace svc::tests {

struct FieldSite {
    explicit FieldSite(Database& database)
        : base(database, &svc_plugin_entry), admin(base.user("administrator")), trip(base.given_trip()) {
        base.given_departure(trip, 30, 200);
        base.given_license("personal");
        turn(true);
    }
    void turn(bool on) {
        REQUIRE(base.post("/modules/dynamic_form_field/toggle", json::Value::object({{"enabled", on}}), admin).status ==
                200);
    }
    Answered put(const std::string& form) { return base.call("PUT", "/settings/booking-form", form, admin); }
    void ask(const std::string& form) {
        const auto answered = put(form);
        CAPTURE(answered.text);
        REQUIRE(answered.status == 200);
    }
    std::string session() {
        return base
            .post("/booking/session",
                  json::Value::object({{"trip_id", trip}, {"travel_date", base.day(30)}, {"travelers", 2}}))
            .data()
            .text_or("session_id");
    }
    Answered book(const json::Value& more, std::string session_id = {}) {
        if (session_id.empty())
            session_id = session();
        json::Value body = json::Value::object({{"session_id", session_id},
                                                {"contact_first_name", "Ada"},
                                                {"contact_last_name", "Lovelace"},
                                                {"contact_email", "ada@example.org"},
                                                {"contact_phone", "+44 20 7946 0000"},
                                                {"contact_country", "GB"}});
        for (const auto& [name, value] : more.members())
            body.set(name, value);
        return base.post("/booking/create", body);
    }
    Answered book(const char* more) { return book(json::parse(more).value()); }
    json::Value detail(const Answered& made) {
        CAPTURE(made.text);
        REQUIRE(made.status == 201);
        return base.get("/bookings/" + std::to_string(made.data()["booking_id"].integer()), admin).data();
    }
    Answered send(const std::string& path, const std::string& field, const std::string& name, const std::string& bytes,
                  const Visitor& visitor = {}) {
        return base.call("POST", path, Form{}.field("field", field).file(name, bytes).whole(),
                         visitor.with("Content-Type", "multipart/form-data; boundary=edge"));
    }

    TestBase base;
    Visitor admin;
    std::int64_t trip;
};

inline const auto each_field_site = each_on<FieldSite>;

// Travelers are asked nothing but their names.
inline std::string form_with(const std::string& contact, const std::string& travelers = "") {
    return R"({"contact_form":{"fields":[)" + contact + R"(]},"emergency_contact_form":{"enabled":false},)" +
           R"("traveler_form":{"fields":[)" + travelers + "]}}";
}

}  // namespace svc::tests
