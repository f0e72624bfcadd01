// A site with the two modules on, whose partners answer as the test says, and whose clock it moves.
#pragma once

#include <deque>
#include <mutex>

#include <doctest/doctest.h>

#include "pro/app/pro.hpp"
#include "pro/common/site.hpp"
#include "shared/plugin/codec.hpp"
#include "tests/support/each_on.hpp"
#include "tests/support/inner_calls.hpp"
#include "tests/support/test_base.hpp"

extern "C" const svc_plugin* svc_plugin_entry(void);

namespace svc::tests {

using json::Value;

// The system's time, and what the test adds.
struct ShiftedClock final : Clock {
    std::atomic<std::int64_t> shift{0};  // microseconds
    [[nodiscard]] Instant now() const override { return SystemClock().now().plus(std::chrono::microseconds(shift)); }
};

// A request as the partner got it.
struct Asked {
    std::string method, url, body, authorization;
    [[nodiscard]] Value json() const { return json::parse(body).value(); }
};

// What Pro sees as svc.fetch/2.
struct Partners {
    std::mutex mutex;
    std::vector<Asked> asked;
    std::function<Result<plugin::FetchReply>(const Asked&)> answer;
    ShiftedClock clock;
    const pro::Site* site = nullptr;  // as Pro's own features see the base
    static Partners& one() {
        static Partners partners;
        return partners;
    }
    static svc_status fetch(void*, svc_text request, svc_answer* answer) noexcept {
        return plugin::barrier(answer, [&] {
            const Value given = plugin::read_json(request);
            Asked got{.method = given.text_or("method"),
                      .url = given.text_or("url"),
                      .body = given.text_or("body"),
                      .authorization = {}};
            for (const Value& header : given["headers"].items())
                if (header[std::size_t{0}].text() == "Authorization")
                    got.authorization = header[std::size_t{1}].text();
            {
                const std::lock_guard lock(one().mutex);
                one().asked.push_back(got);
            }
            const auto reply = one().answer(got);
            if (!reply)
                return plugin::answer_error(answer, reply.error());
            Value headers = Value::array();
            for (const auto& [name, value] : reply->headers)
                headers.push(Value::array({name, value}));
            return plugin::answer_value(answer, Value::object({{"status", reply->status},
                                                               {"headers", std::move(headers)},
                                                               {"body", reply->body},
                                                               {"duration_ms", 1}}));
        });
    }
};

inline void attach_by_shifted_clock(plugin::Host& host) {
    Partners::one().site = &host.make<pro::Site>(host, Partners::one().clock);
    pro::attach(host, Partners::one().clock);
}

inline const void* with_own_fetch(void* self, const char* id) {
    static const svc_fetch_2 own{sizeof(svc_fetch_2), nullptr, &Partners::fetch};
    const auto* real = static_cast<const svc_host*>(self);
    return std::string_view(id) == SVC_FETCH_2 ? &own : real->service(real->self, id);
}

inline const svc_plugin* pro_with_partners() {
    static svc_plugin table;
    table = *svc_plugin_entry();
    table.attach = [](const svc_host* host, void** self, svc_answer* why_not) {
        static svc_host shown;
        shown = *host;
        shown.self = const_cast<svc_host*>(host);
        shown.service = &with_own_fetch;
        return plugin::attach_entry<&attach_by_shifted_clock>(&shown, self, why_not);
    };
    return &table;
}

inline Result<plugin::FetchReply> replied(int status, std::string body = {},
                                          std::vector<std::pair<std::string, std::string>> headers = {}) {
    return plugin::FetchReply{.status = status, .headers = std::move(headers), .body = std::move(body)};
}
inline Result<plugin::FetchReply> took(const Asked& asked) {
    return asked.url.find("facebook") != std::string::npos  ? replied(200, R"({"events_received":1,"messages":[]})")
           : asked.url.find("/debug/") != std::string::npos ? replied(200, R"({"validationMessages":[]})")
                                                            : replied(204);
}

struct Reported : TestBase {
    explicit Reported(const Database& database) : Reported(database, true) {}
    Reported(const Database& database, bool is_on)
        : TestBase(
              (Partners::one().asked.clear(), Partners::one().answer = took, Partners::one().clock.shift = 0, database),
              &pro_with_partners),
          calls(*assembly) {
        given_license("agency");
        trip = given_trip();
        REQUIRE(call("PUT", "/trips/" + std::to_string(trip), R"({"regular_price":199.99})", admin()).status == 200);
        given_departure(trip, 30);
        assembly->jobs.prepare();
        if (!is_on)
            return;
        turn(true);
        put("/facebook-pixel/settings",
            R"({"pixel_id":"123456789012345","access_token":"EAAB-secret-token","server_side":true})");
        put("/google-analytics/settings",
            R"({"measurement_id":"G-ABC1234567","api_secret":"mp-secret-0001","server_side":true})");
    }
    const Visitor& admin() { return user("administrator"); }
    void turn(bool on) {
        for (const char* slug : {"facebook_pixel", "google_analytics"})
            REQUIRE(
                post("/modules/" + std::string(slug) + "/toggle", Value::object({{"enabled", on}}), admin()).status ==
                200);
    }
    Value put(const std::string& path, const std::string& body) {
        const auto done = call("PUT", path, body, admin());
        CAPTURE(done.text);
        REQUIRE(done.status == 200);
        return done.data();
    }
    // A visitor's booking, with what its maker allowed.
    GivenBooking booked(bool analytics = true, bool marketing = true) {
        const auto made = given_booking(trip);
        run(("DELETE FROM svc_booking_consents WHERE booking_id = " + std::to_string(made.id)).c_str());
        if (analytics || marketing)
            run(("INSERT INTO svc_booking_consents (booking_id, analytics, marketing, ga_client_id, fbp, fbc,"
                 " client_address, user_agent, decided_at) VALUES (" +
                 std::to_string(made.id) + (analytics ? ", 1" : ", 0") + (marketing ? ", 1" : ", 0") +
                 (analytics ? ", '1234.5678'" : ", ''") +
                 (marketing ? ", 'fb.1.1.77', 'fb.1.1.click', '192.0.2.55', 'Mozilla/5.0 Test'" : ", '', '', '', ''") +
                 ", 1)")
                    .c_str());
        return made;
    }
    // Answers the payment's id.
    std::int64_t pay(const GivenBooking& booking, const char* amount = "10") {
        const auto paid = post("/payments",
                               Value::object({{"booking_id", booking.id},
                                              {"amount", json::Number{amount}},
                                              {"gateway", "cash"},
                                              {"status", "completed"}}),
                               admin());
        CAPTURE(paid.text);
        REQUIRE(paid.status == 201);
        settle();
        return paid.data()["id"].integer();
    }
    void refund(std::int64_t payment, const char* amount) {
        const auto done = post("/payments/" + std::to_string(payment) + "/refunds",
                               Value::object({{"amount", json::Number{amount}}, {"reason", "ill"}}), admin());
        CAPTURE(done.text);
        REQUIRE((done.status == 200 || done.status == 201));
        settle();
    }
    void confirm(const GivenBooking& booking) {
        REQUIRE(call("PUT", "/bookings/" + std::to_string(booking.id) + "/status", R"({"status":"confirmed"})", admin())
                    .status == 200);
        settle();
    }
    void settle() { REQUIRE(assembly->hooks.drain()); }
    void work() {
        for (const char* job : {"facebook_pixel_events", "google_analytics_events"})
            REQUIRE(assembly->jobs.run_now(job));
    }
    static void pass(std::chrono::microseconds time) { Partners::one().clock.shift += time.count(); }
    static std::vector<Asked> asked(const std::string& part) {
        std::vector<Asked> found;
        for (const Asked& each : Partners::one().asked)
            if (each.url.find(part) != std::string::npos)
                found.push_back(each);
        return found;
    }
    // The log, oldest first.
    Value log(const std::string& path) {
        const auto listed = get(path + "?orderby=id&order=asc", admin());
        CAPTURE(listed.text);
        REQUIRE(listed.status == 200);
        return listed.data();
    }
    Value pixel_log() { return log("/facebook-pixel/event-logs"); }
    Value google_log() { return log("/google-analytics/logs"); }

    InnerCalls calls;
    std::int64_t trip = 0;
};

inline std::vector<std::string> each_of(const Value& rows, const char* name) {
    std::vector<std::string> all;
    for (const Value& row : rows.items())
        all.push_back(row[name].is_string() ? row[name].text() : row[name].dump());
    return all;
}

}  // namespace svc::tests
