// A base with the module google_calendar on, whose requests to Google are answered by the test in place of a network.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <mutex>
#include <vector>

#include <doctest/doctest.h>

#include "base/platform/store/transaction.hpp"
#include "shared/plugin/codec.hpp"
#include "shared/plugin/crossing.hpp"
#include "tests/support/each_on.hpp"
#include "tests/support/inner_calls.hpp"
#include "tests/support/test_base.hpp"

extern "C" const svc_plugin* svc_plugin_entry(void);

namespace svc::tests {

// A request to Google as it was asked.
struct Asked {
    std::string method, url, authorization, body;
    [[nodiscard]] bool is_event() const { return url.find("/events") != std::string::npos; }
    [[nodiscard]] json::Value event() const { return json::parse(body).value(); }
};
struct GoogleReply {
    int status = 200;
    std::string body = "{}";
    std::vector<std::pair<std::string, std::string>> headers = {};
};

// Hands Pro a base whose svc.fetch/2 is the test's. One at a time.
class InPlaceOfGoogle {
  public:
    static inline std::function<GoogleReply(const Asked&)> answer;
    static inline std::vector<Asked> asked;
    static inline std::atomic<bool> was_in_transaction = false;

    static const svc_plugin* entry() {
        static svc_plugin table;
        table = *svc_plugin_entry();
        table.attach = &attach;
        return &table;
    }

  private:
    static inline const svc_host* real = nullptr;
    static svc_status fetch(void*, svc_text request, svc_answer* reply) noexcept {
        if (store::is_inside())
            was_in_transaction = true;
        const auto value = plugin::read_json(request);
        Asked one{.method = value.text_or("method"),
                  .url = value.text_or("url"),
                  .authorization = {},
                  .body = value.text_or("body")};
        for (const auto& header : value["headers"].items())
            if (header[std::size_t{0}].text() == "Authorization")
                one.authorization = header[std::size_t{1}].text();
        asked.push_back(one);
        const GoogleReply said = answer(one);
        json::Value headers = json::Value::array();
        for (const auto& [name, text] : said.headers)
            headers.push(json::Value::array({name, text}));
        return plugin::answer_value(
            reply,
            json::Value::object(
                {{"status", said.status}, {"headers", std::move(headers)}, {"body", said.body}, {"duration_ms", 1}}));
    }
    static const void* service(void* self, const char* id) {
        static const svc_fetch_2 table{sizeof(svc_fetch_2), nullptr, &fetch};
        return std::string_view(id) == SVC_FETCH_2 ? static_cast<const void*>(&table) : real->service(self, id);
    }
    static svc_status attach(const svc_host* host, void** self, svc_answer* why_not) {
        static svc_host between;
        real = host;
        between = *host;
        between.service = &service;
        return svc_plugin_entry()->attach(&between, self, why_not);
    }
};

struct Connected : TestBase {
    explicit Connected(const Database& database) : TestBase(database, &InPlaceOfGoogle::entry), calls(*assembly) {
        InPlaceOfGoogle::asked.clear();
        InPlaceOfGoogle::was_in_transaction = false;
        InPlaceOfGoogle::answer = [this](const Asked& one) { return google(one); };
        given_license("agency");
        trip = given_trip();
        turn(true);
        REQUIRE(call("PUT", "/settings", R"({"admin_email":"office@example.org"})", admin()).status == 200);
        set(R"({"client_id":"client-1","client_secret":"secret-of-client"})");
        assembly->jobs.prepare();
    }
    ~Connected() { CHECK_FALSE(InPlaceOfGoogle::was_in_transaction); }

    // Google as it is when all is well; `before` may answer first.
    std::function<std::optional<GoogleReply>(const Asked&)> before;
    GoogleReply google(const Asked& one) {
        if (before)
            if (auto other = before(one))
                return *other;
        if (one.url.ends_with("/token"))
            return {.body = R"({"access_token":"access-)" + std::to_string(++tokens) +
                            R"(","refresh_token":"refresh-1","expires_in":3600,"scope":)"
                            R"("https://www.googleapis.com/auth/calendar.app.created"})"};
        if (one.is_event() && one.method != "DELETE") {
            auto event = one.event();
            if (one.method == "PUT")
                event.set("id", one.url.substr(one.url.rfind('/') + 1));
            events[event["id"].text()] = event;
            return {.body = event.dump()};
        }
        if (one.is_event()) {
            events.erase(one.url.substr(one.url.rfind('/') + 1));
            return {.status = 204, .body = ""};
        }
        return {.body = R"({"id":"ours@group.calendar.google.com"})"};
    }

    const Visitor& admin() { return user("administrator"); }
    void turn(bool on) {
        REQUIRE(post("/modules/google_calendar/toggle", json::Value::object({{"enabled", on}}), admin()).status == 200);
    }
    void set(const std::string& settings) {
        const auto put = call("PUT", "/google-calendar/settings", settings, admin());
        CAPTURE(put.text);
        REQUIRE(put.status == 200);
        // As if the second had passed in which other processes follow.
        run("UPDATE svc_google_calendar_items SET due_at = 1 WHERE due_at IS NOT NULL AND attempts = 0");
    }
    json::Value settings() {
        const auto found = get("/google-calendar/settings", admin());
        CAPTURE(found.text);
        REQUIRE(found.status == 200);
        return found.data();
    }
    static std::string member(const std::string& url, const std::string& name) {
        const auto at = url.find(name + "=") + name.size() + 1;
        return url.substr(at, url.find('&', at) - at);
    }
    // The visit to the consent page and back; the status of the answer to the browser.
    int connect() {
        const auto begun = post("/google-calendar/connect", json::Value::object(), admin());
        CAPTURE(begun.text);
        REQUIRE(begun.status == 200);
        auth_url = begun.data()["auth_url"].text();
        const std::string cookie = begun.header("Set-Cookie");
        return call("GET", "/google-calendar/callback?code=4%2Fcode&state=" + member(auth_url, "state"), {},
                    Visitor{}.with("Cookie", cookie.substr(0, cookie.find(';'))))
            .status;
    }
    // What happened reaches the listeners, then the job runs.
    json::Value work() {
        REQUIRE(assembly->hooks.drain());
        const auto done = assembly->jobs.run_now("google_calendar_sync");
        REQUIRE(done);
        REQUIRE(assembly->hooks.drain());
        return *done;
    }
    void pass_waits() {
        run("UPDATE svc_google_calendar_items SET due_at = 1 WHERE due_at IS NOT NULL");
        run("UPDATE svc_google_calendar_connection SET rests_until = NULL");
    }
    json::Value event_of(std::int64_t departure) {
        const std::string end = "d" + std::to_string(departure);
        for (const auto& [id, event] : events)
            if (id.ends_with(end))
                return event;
        return {};
    }
    std::int64_t mails() {
        return number("SELECT COUNT(*) FROM svc_email_outbox WHERE template_key = 'admin_google_calendar_reconnect'");
    }
    static std::size_t asked_of(const std::string& method, const std::string& part) {
        std::size_t count = 0;
        for (const Asked& one : InPlaceOfGoogle::asked)
            count += one.method == method && one.url.find(part) != std::string::npos;
        return count;
    }

    InnerCalls calls;
    std::int64_t trip = 0;
    int tokens = 0;
    std::string auth_url;
    std::map<std::string, json::Value> events;  // by id
};

}  // namespace svc::tests
