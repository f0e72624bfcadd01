// A site with Pro on which visitors begin bookings and do not finish them.
#pragma once

#include <doctest/doctest.h>

#include "base/app/inner_calls.hpp"
#include "tests/support/open_mails.hpp"
#include "tests/support/test_base.hpp"

extern "C" const svc_plugin* svc_plugin_entry(void);

namespace svc::tests {

using json::Value;

struct Unfinished : TestBase {
    explicit Unfinished(Database& database)
        : TestBase(database, &svc_plugin_entry),
          gate(app::make_gate(*assembly)),
          call_base(app::inner_calls({.gate = gate,
                                      .base_path = assembly->options.base_path,
                                      .gatekeeper = assembly->identity.gatekeeper,
                                      .after_write = [] {}})) {
        assembly->plugins.calls.open(call_base);
        assembly->pages.pages.ask([this](const api::InnerRequest& request) { return gate.ask(request); });
        given_license("agency");
        trip = given_trip();
        REQUIRE(call("PUT", "/trips/" + std::to_string(trip), R"({"regular_price":200})", admin()).status == 200);
        departure = given_departure(trip, 30, 6);
        turn(true);
        assembly->jobs.prepare();
    }
    const Visitor& admin() { return user("administrator"); }
    void turn(bool on) {
        REQUIRE(post("/modules/abandoned_booking_recovery/toggle", Value::object({{"enabled", on}}), admin()).status ==
                200);
    }
    void set(const std::string& settings) {
        const auto put = call("PUT", "/abandoned-bookings/settings", settings, admin());
        CAPTURE(put.text);
        REQUIRE(put.status == 200);
    }
    std::string session(int people = 2, std::int64_t of_trip = 0) {
        const auto opened = post("/booking/session", Value::object({{"trip_id", of_trip ? of_trip : trip},
                                                                    {"travel_date", day(30)},
                                                                    {"travelers_count", people}}));
        CAPTURE(opened.text);
        REQUIRE(opened.status == 201);
        return opened.data()["session_id"].text();
    }
    Answered track(const std::string& token, Value more = Value::object()) {
        Value body = Value::object({{"booking_token", token},
                                    {"customer_email", "ada@example.org"},
                                    {"customer_name", "Ada Lovelace"},
                                    {"consent", true}});
        for (auto& [name, value] : more.members())
            body.set(name, value);
        return post("/abandoned-bookings/track", body);
    }
    // A row that is abandoned since so many hours.
    std::int64_t given(int hours, const std::string& email = "ada@example.org", int people = 2,
                       std::int64_t of_trip = 0) {
        const auto tracked = track(session(people, of_trip), Value::object({{"customer_email", email}}));
        CAPTURE(tracked.text);
        REQUIRE(tracked.status == 200);
        REQUIRE(tracked.data()["tracked"].boolean());
        const std::int64_t id = number("SELECT MAX(id) FROM svc_abandoned_bookings");
        pass(hours, id);
        return id;
    }
    // As if that time had passed for the row.
    void pass(int hours, std::int64_t id) {
        const std::string span = std::to_string(std::int64_t{hours} * 3'600'000'000);
        std::string sql = "UPDATE svc_abandoned_bookings SET id = id";
        for (const char* column : {"last_activity_at", "abandoned_at", "created_at", "expires_at", "last_email_at",
                                   "next_email_at", "consent_at"})
            sql += std::string(", ") + column + " = " + column + " - " + span;
        run((sql + " WHERE id = " + std::to_string(id)).c_str());
        run(("UPDATE svc_abandoned_booking_events SET happened_at = happened_at - " + span +
             " WHERE abandoned_id = " + std::to_string(id))
                .c_str());
    }
    Value scan() {
        REQUIRE(assembly->hooks.drain());
        const auto done = assembly->jobs.run_now("abandoned_scan");
        REQUIRE(done);
        REQUIRE(assembly->hooks.drain());
        return *done;
    }
    std::int64_t sent() {
        return number("SELECT COUNT(*) FROM svc_email_outbox WHERE template_key LIKE 'abandoned_booking_%'");
    }
    // Subject and HTML of the newest e-mail of that template.
    std::pair<std::string, std::string> mail(const std::string& key) {
        open_mails(*assembly->store, *assembly->keyring);
        std::pair<std::string, std::string> found;
        assembly->store->read([&](store::Session& reading) {
            reading.each("SELECT subject, body_html FROM svc_email_outbox WHERE template_key = :key ORDER BY id", "tt",
                         {{"key", key}}, [&](const store::Row& row) {
                             found = {row.text(0), row.text(1)};
                         });
        });
        CAPTURE(key);
        REQUIRE(!found.second.empty());
        return found;
    }
    static std::string token_in(const std::string& html, const std::string& page) {
        const auto at = html.find("/" + page + "/");
        REQUIRE(at != std::string::npos);
        const auto begin = at + page.size() + 2;
        return html.substr(begin, html.find_first_of("\"<& \n", begin) - begin);
    }
    Value read(std::int64_t id) {
        const auto answered = get("/abandoned-bookings/" + std::to_string(id), admin());
        CAPTURE(answered.text);
        REQUIRE(answered.status == 200);
        return answered.data();
    }
    std::int64_t rows() { return number("SELECT COUNT(*) FROM svc_abandoned_bookings"); }
    std::string page(std::string_view method, const std::string& target, const std::string& body = {},
                     const std::string& cookie = {}, int status = 200) {
        auto& pages = assembly->pages.pages;
        std::vector<HttpHeader> headers{{"Host", "boots.example"}, {"Origin", "https://boots.example"}};
        if (!cookie.empty())
            headers.emplace_back("Cookie", cookie);
        if (!body.empty() || method == "POST")
            headers.emplace_back("Content-Type", "application/x-www-form-urlencoded");
        const HttpRequest request{
            .method = method, .target = target, .headers = headers, .body = body, .peer = "192.0.2.7"};
        pages.written();
        const HttpAnswer answer = pages.answer(request);
        CAPTURE(target);
        CAPTURE((answer.body ? *answer.body : std::string()));
        REQUIRE(answer.status == status);
        for (const auto& [name, value] : answer.headers)
            if (name == "Location")
                return value;
        return answer.body ? *answer.body : std::string();
    }

    app::Gate gate;
    plugins::Call call_base;
    std::int64_t trip = 0, departure = 0;
};

inline void with_each(const std::function<void(Unfinished&)>& body) {
    each_database([&](Database& database) {
        CAPTURE(database.name());
        Unfinished base(database);
        body(base);
    });
}

}  // namespace svc::tests
