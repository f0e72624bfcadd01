// A base with the module email_automation on, and what its tests ask of it.
#pragma once

#include <doctest/doctest.h>

#include "tests/support/each_on.hpp"
#include "tests/support/inner_calls.hpp"
#include "tests/support/open_mails.hpp"
#include "tests/support/test_base.hpp"

extern "C" const svc_plugin* svc_plugin_entry(void);

namespace svc::tests {

struct Automated : TestBase {
    explicit Automated(const Database& database) : TestBase(database, &svc_plugin_entry), calls(*assembly) {
        given_license("agency");
        trip = given_trip();
        given_departure(trip, 30);
        other_trip = given_trip("Desert night");
        given_departure(other_trip, 30);
        turn(true);
        run("DELETE FROM svc_email_outbox");
        assembly->jobs.prepare();
    }
    const Visitor& admin() { return user("administrator"); }
    void turn(bool on) {
        REQUIRE(post("/modules/email_automation/toggle", json::Value::object({{"enabled", on}}), admin()).status ==
                200);
    }
    Answered make(const std::string& path, const std::string& body) { return call("POST", path, body, admin()); }
    Answered put(const std::string& path, const std::string& body) { return call("PUT", path, body, admin()); }
    json::Value given(const std::string& path, const std::string& body) {
        const auto made = make(path, body);
        CAPTURE(made.text);
        REQUIRE(made.status == 201);
        return made.data();
    }
    json::Value read(const std::string& target) {
        const auto found = get(target, admin());
        CAPTURE(found.text);
        REQUIRE(found.status == 200);
        return found.data();
    }
    // The id of the template with that key.
    std::int64_t id_of(const std::string& key) {
        const auto found = read("/email-templates?is_override=false&template_key=" + key);
        REQUIRE(found.size() == 1);
        return found[std::size_t{0}]["id"].integer();
    }
    std::string template_path(const std::string& key) { return "/email-templates/" + std::to_string(id_of(key)); }
    json::Value resolved(std::int64_t trip_id, const std::string& key) {
        return read("/email-templates/resolve?trip_id=" + std::to_string(trip_id) + "&template_key=" + key);
    }
    // An active sequence of that JSON.
    std::int64_t sequence(const std::string& fields) {
        auto body = json::parse(fields).value();
        if (!body.find("name"))
            body.set("name", "Test");
        body.set("status", "active");
        return given("/email-sequences", body.dump())["id"].integer();
    }
    void confirm(const GivenBooking& booking) {
        REQUIRE(put("/bookings/" + std::to_string(booking.id) + "/status", R"({"status":"confirmed"})").status == 200);
        settle();
    }
    void settle() { REQUIRE(assembly->hooks.drain()); }
    // A run of the job, and the e-mails that it queued.
    json::Value work() {
        const auto done = assembly->jobs.run_now("email_sequences");
        REQUIRE(done);
        settle();
        return *done;
    }
    // Rows of e-mails of this module, as "subject" or another column.
    std::vector<std::string> mails(const std::string& column, const std::string& where = "1 = 1") {
        settle();
        open_mails(*assembly->store, *assembly->site.keyring);
        return texts("SELECT " + column + " FROM svc_email_outbox WHERE " + where + " ORDER BY id");
    }
    std::vector<std::string> of_module(const std::string& column) {
        return mails(column, "template_key LIKE 'automation%'");
    }
    std::vector<std::string> texts(const std::string& sql) {
        return assembly->store->reading<std::vector<std::string>>([&](store::Session& session) {
            return session.all<std::string>(sql, "t", {}, [](const store::Row& row) { return row.text(0); });
        });
    }

    InnerCalls calls;
    std::int64_t trip = 0, other_trip = 0;
};

inline const auto each_automated = each_on<Automated>;

}  // namespace svc::tests
