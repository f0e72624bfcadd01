// A site with Pro and the module trip_consent on, on which staff asks travelers to sign.
#pragma once

#include <doctest/doctest.h>

#include "pro/crypto/hmac.hpp"
#include "tests/support/each_on.hpp"
#include "tests/support/inner_calls.hpp"
#include "tests/support/open_mails.hpp"
#include "tests/support/test_base.hpp"

extern "C" const svc_plugin* svc_plugin_entry(void);

namespace svc::tests {

using json::Value;

// A PNG picture of 40 to 20 pixels, and one that says 5,000 to 5,000.
inline const std::string drawn =
    "data:image/png;base64,"
    "iVBORw0KGgoAAAANSUhEUgAAACgAAAAUCAAAAADaLSBnAAAAJ0lEQVR42mNg+A8GBCli1aGQ1DGWgVjzGIi1l4FY9zGMBs9o8KBTAJ+1q3GjpzGE"
    "AAAAAElFTkSuQmCC";
inline const std::string huge_drawn =
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAE4gAABOICAAAAAB489gXAAAACUlEQVR4nGMAAAABAAFe/335AAAAAElFTkSuQmCC";

struct Signer : TestBase {
    explicit Signer(const Database& database) : TestBase(database, &svc_plugin_entry), calls(*assembly) {
        given_license("agency");
        trip = given_trip();
        departure = given_departure(trip, 5, 50);
        turn(true);
        run("DELETE FROM svc_email_outbox");
        assembly->jobs.prepare();
    }
    const Visitor& admin() { return user("administrator"); }
    void turn(bool on) {
        REQUIRE(post("/modules/trip_consent/toggle", Value::object({{"enabled", on}}), admin()).status == 200);
    }
    Answered make(const std::string& path, const std::string& body) { return call("POST", path, body, admin()); }
    Answered put(const std::string& path, const std::string& body) { return call("PUT", path, body, admin()); }
    Value given(const std::string& path, const std::string& body) {
        const auto made = make(path, body);
        CAPTURE(path);
        CAPTURE(made.text);
        REQUIRE(made.status == 201);
        return made.data();
    }
    Value read(const std::string& target) {
        const auto found = get(target, admin());
        CAPTURE(target);
        CAPTURE(found.text);
        REQUIRE(found.status == 200);
        return found.data();
    }
    void set(const std::string& settings) {
        const auto done = put("/settings", settings);
        CAPTURE(done.text);
        REQUIRE(done.status == 200);
    }
    // A published form with these members besides.
    std::int64_t form(const std::string& members = "{}") {
        Value body = json::parse(R"({"name":"Waiver","status":"publish","content_blocks":[{"type":"terms","title":
            "Risk","content":"I take part at my own risk."}],"fields":[{"id":"agrees","type":"checkbox","label":
            "I can swim","required":true},{"id":"shoe","type":"number","label":"Shoe size"}]})")
                         .value();
        const auto more = json::parse(members);
        REQUIRE(more);
        for (const auto& [name, value] : more->members())
            body.set(name, value);
        return given("/consent/forms", body.dump())["id"].integer();
    }
    // A confirmed booking of the departure; `travelers` as JSON, the lead first.
    GivenBooking booking(const std::string& travelers = "[]", int count = 1, bool confirmed = true) {
        const auto people = json::parse(travelers);
        REQUIRE(people);
        Value body = Value::object({{"trip_id", trip},
                                    {"travel_date", day(5)},
                                    {"travelers_count", count},
                                    {"contact_first_name", "Ada"},
                                    {"contact_last_name", "Lovelace"},
                                    {"contact_email", "ada@example.org"},
                                    {"contact_phone", "+44 20 7946 0001"},
                                    {"contact_country", "GB"},
                                    {"status", "pending"}});
        if (people->size() > 0)
            body.set("travelers", *people);
        const auto made = post("/bookings", body, admin());
        CAPTURE(made.text);
        REQUIRE(made.status == 201);
        const GivenBooking booked{made.data()["id"].integer(), made.data()["reference"].text(), {}};
        if (confirmed)
            change(booked, "confirmed");
        return booked;
    }
    void change(const GivenBooking& booked, const std::string& status) {
        const auto done = put("/bookings/" + std::to_string(booked.id) + "/status", R"({"status":")" + status + "\"}");
        CAPTURE(done.text);
        REQUIRE(done.status == 200);
        settle();
    }
    void settle() { REQUIRE(assembly->hooks.drain()); }
    Value job(const char* name) {
        settle();
        const auto done = assembly->jobs.run_now(name);
        REQUIRE(done);
        settle();
        return *done;
    }
    std::int64_t sent() { return job("consent_send")["sent"].integer(); }
    std::vector<std::string> texts(const std::string& sql) {
        return assembly->store->reading<std::vector<std::string>>([&](store::Session& session) {
            return session.all<std::string>(sql, "t", {}, [](const store::Row& row) { return row.text(0); });
        });
    }
    // The arguments of each time that the action fired.
    std::vector<std::string> fired(const std::string& action) {
        return texts("SELECT arguments FROM svc_domain_events WHERE name = '" + action + "' ORDER BY id");
    }
    // Rows of the e-mails of that template: "to_email" or another column, oldest first.
    std::vector<std::string> mails(const std::string& key, const std::string& column = "to_email") {
        settle();
        open_mails(*assembly->store, *assembly->site.keyring);
        return texts("SELECT " + column + " FROM svc_email_outbox WHERE template_key = '" + key + "' ORDER BY id");
    }
    // The token in the newest e-mail of that template.
    std::string token(const std::string& key = "trip_consent_request") {
        const auto bodies = mails(key, "body_html");
        REQUIRE(!bodies.empty());
        const std::string mark = "https://example.org/consent/";
        const auto at = bodies.back().find(mark);
        REQUIRE(at != std::string::npos);
        const auto begin = at + mark.size();
        return bodies.back().substr(begin, bodies.back().find_first_of("\"<& \n", begin) - begin);
    }
    // Asks by hand; the token of the last one's link.
    std::string asked(std::int64_t form_id, const GivenBooking& booked, const std::string& indexes = "[1]") {
        given("/consent/requests", R"({"form_id":)" + std::to_string(form_id) + R"(,"booking_id":)" +
                                       std::to_string(booked.id) + R"(,"traveler_indexes":)" + indexes + "}");
        return token();
    }
    static Value signature_of(const std::string& token, const std::string& members = "{}") {
        Value body = Value::object({{"token", token},
                                    {"form_data", Value::object({{"agrees", true}, {"shoe", "38"}})},
                                    {"signer_name", "Ada Lovelace"},
                                    {"signature_data", drawn},
                                    {"agree", true}});
        const auto more = json::parse(members, {.text = 20'000'000});
        REQUIRE(more);
        for (const auto& [name, value] : more->members())
            body.set(name, value);
        return body;
    }
    Answered sign(const std::string& token, const std::string& members = "{}") {
        return post("/consent/submit", signature_of(token, members),
                    Visitor{}.with("User-Agent", "Mozilla/5.0 (a test)").from("192.0.2.44"));
    }
    std::int64_t signed_id(const std::string& token, const std::string& members = "{}") {
        const auto done = sign(token, members);
        CAPTURE(done.text);
        REQUIRE(done.status == 201);
        return done.data()["id"].integer();
    }
    Value request(std::int64_t id) {
        for (const Value& each : read("/consent/requests?per_page=100").items())
            if (each["id"].integer() == id)
                return each;
        FAIL("no such request");
        return {};
    }
    std::int64_t last_request() { return number("SELECT MAX(id) FROM svc_consent_requests"); }
    static std::string path(const std::string& before, std::int64_t id, const std::string& behind = {}) {
        return before + std::to_string(id) + behind;
    }
    // The trip of every booking begins in so many days.
    void move_trips(int days) {
        run(("UPDATE svc_bookings SET travel_date = '" + day(days) + "', end_date = '" + day(days + 1) + "'").c_str());
    }
    // As if every e-mail had been sent so many days earlier.
    void pass(int days) {
        const std::string span = std::to_string(std::int64_t{days} * 86'400'000'000);
        run(("UPDATE svc_consent_requests SET sent_at = sent_at - " + span +
             ", last_reminder_at = last_reminder_at - " + span)
                .c_str());
    }

    InnerCalls calls;
    std::int64_t trip = 0, departure = 0;
};

inline const auto each_signer = each_on<Signer>;

}  // namespace svc::tests
