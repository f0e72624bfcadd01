// An audience at a server that stands in for Mailchimp's, and a site that is connected to it.
#pragma once

#include <map>
#include <memory>
#include <mutex>

#include <doctest/doctest.h>

#include "pro/mailchimp/sync.hpp"
#include "tests/support/before_start.hpp"
#include "tests/support/each_on.hpp"
#include "tests/support/inner_calls.hpp"
#include "tests/support/test_base.hpp"
#include "tests/support/tiny_server.hpp"

extern "C" const svc_plugin* svc_plugin_entry(void);

namespace svc::tests {

using json::Value;

inline const std::string mailchimp_key = "0123456789abcdef0123456789abcdef-us19", mailchimp_list = "a1b2c3d4e5",
                         former_list = "0f0e0d0c0b";

// Answers as Mailchimp documents it. Any thread.
class Audience {
  public:
    struct Member {
        std::string email, status;
        Value merge_fields = Value::object();
        std::map<std::string, bool> tags;  // active
    };
    struct Asked {
        std::string method, path;
        Value body;
    };

    Audience() : server_([this](TinyServer::Line& line) { talk(line); }) {}

    [[nodiscard]] std::string target() const { return server_.target(); }

    // What it answers instead, by the contact's address ("" for all): status and body.
    void answer(const std::string& email, int status, const std::string& body, const std::string& headers = {}) {
        const std::lock_guard lock(mutex_);
        instead_[email.empty() ? "" : pro::mailchimp::member_hash(email)] = {status, body, headers};
    }
    void answer_once(const std::string& email, int status, const std::string& body) {
        answer(email, status, body);
        const std::lock_guard lock(mutex_);
        once_ = true;
    }
    void answer_as_usual() {
        const std::lock_guard lock(mutex_);
        instead_.clear();
    }
    void hang(bool hangs) { hangs_ = hangs; }
    void put(const std::string& email, const std::string& status) {
        const std::lock_guard lock(mutex_);
        members_[pro::mailchimp::member_hash(email)] = {
            .email = email, .status = status, .merge_fields = {}, .tags = {}};
    }
    // Nothing: no such contact.
    std::optional<Member> member(const std::string& email) {
        const std::lock_guard lock(mutex_);
        const auto found = members_.find(pro::mailchimp::member_hash(email));
        return found == members_.end() ? std::nullopt : std::optional(found->second);
    }
    std::string status(const std::string& email) {
        const auto found = member(email);
        return found ? found->status : "none";
    }
    std::string tags(const std::string& email) {
        std::string text;
        if (const auto found = member(email))
            for (const auto& [tag, is_active] : found->tags)
                if (is_active)
                    text += (text.empty() ? "" : ", ") + tag;
        return text;
    }
    std::size_t members() {
        const std::lock_guard lock(mutex_);
        return members_.size();
    }
    std::vector<Asked> asked() {
        const std::lock_guard lock(mutex_);
        return asked_;
    }
    std::size_t count(const std::string& method) {
        std::size_t count = 0;
        for (const Asked& each : asked())
            count += each.method == method ? 1U : 0U;
        return count;
    }
    void forget_asked() {
        const std::lock_guard lock(mutex_);
        asked_.clear();
    }

  private:
    struct Instead {
        int status;
        std::string body, headers;
    };

    static std::string problem(int status, const std::string& title, const std::string& detail) {
        return Value::object({{"type", "https://mailchimp.com/developer/marketing/docs/errors/"},
                              {"title", title},
                              {"status", status},
                              {"detail", detail},
                              {"instance", "1f3c"}})
            .dump();
    }

    void talk(TinyServer::Line& line) {
        const std::string text = line.whole();
        const auto first = text.find(' '), second = text.find(' ', first + 1), end = text.find("\r\n\r\n");
        if (second == std::string::npos || end == std::string::npos)
            return;
        if (hangs_) {
            line.rest(60'000);
            return;
        }
        const auto body = json::parse(text.substr(end + 4));
        const Asked asked{.method = text.substr(0, first),
                          .path = text.substr(first + 1, second - first - 1),
                          .body = body ? *body : Value()};
        const bool is_known = text.find("Basic c3ZjOjAxMjM0NTY3ODlhYmNkZWYwMTIzNDU2Nzg5YWJjZGVmLXVzMTk=") !=
                              std::string::npos;  // svc:mailchimp_key
        const auto [status, answer, headers] = reply(asked, is_known);
        line.say("HTTP/1.1 " + std::to_string(status) + " x\r\nContent-Length: " + std::to_string(answer.size()) +
                 "\r\nConnection: close\r\n" + headers + "\r\n" + answer);
    }

    Instead reply(const Asked& asked, bool is_known) {
        const std::lock_guard lock(mutex_);
        asked_.push_back(asked);
        const std::string path = asked.path.substr(0, asked.path.find('?'));
        for (const auto& [hash, instead] : instead_)
            if (hash.empty() || path.find(hash) != std::string::npos) {
                Instead answer = instead;
                if (once_)
                    instead_.clear();
                once_ = false;
                return answer;
            }
        if (!is_known)
            return {401, problem(401, "API Key Invalid", "Your API key may be invalid."), ""};
        if (path == "/3.0/")
            return {200, R"({"account_id":"8d3a","account_name":"Nile Tours"})", ""};
        if (path == "/3.0/lists")
            return {200,
                    R"({"lists":[{"id":"a1b2c3d4e5","name":"Travelers","stats":{"member_count":7}},)"
                    R"({"id":"f6","name":"Partners","stats":{"member_count":0}}]})",
                    ""};
        // The audience that was chosen before has the same contacts.
        const std::string list =
            "/3.0/lists/" + (path.starts_with("/3.0/lists/" + former_list) ? former_list : mailchimp_list);
        if (!path.starts_with(list))
            return {404, problem(404, "Resource Not Found", "The requested resource could not be found."), ""};
        if (path == list)
            return {200, R"({"id":")" + list.substr(list.rfind('/') + 1) + R"(","name":"Travelers"})", ""};
        if (path == list + "/merge-fields")
            return {200, R"({"merge_fields":[{"tag":"FNAME","name":"First Name","type":"text","required":false}]})",
                    ""};
        return of_member(asked, path.substr((list + "/members/").size()), list.substr(list.rfind('/') + 1));
    }

    Instead of_member(const Asked& asked, const std::string& rest, const std::string& list_id) {
        const std::string hash = rest.substr(0, rest.find('/'));
        const auto found = members_.find(hash);
        const bool is_new = found == members_.end();
        if (is_new && asked.method != "PUT")
            return {404, problem(404, "Resource Not Found", "The requested resource could not be found."), ""};
        if (asked.method == "DELETE") {
            found->second.status = "archived";
            return {204, "", ""};
        }
        if (rest.ends_with("/actions/delete-permanent")) {
            members_.erase(found);
            return {204, "", ""};
        }
        if (rest.ends_with("/tags")) {
            for (const Value& tag : asked.body["tags"].items())
                found->second.tags[tag["name"].text()] = tag["status"].text() == "active";
            return {204, "", ""};
        }
        Member& member = members_[hash];
        if (is_new) {
            member.email = asked.body.text_or("email_address");
            member.status = asked.body.text_or("status_if_new");
        }
        if (const auto wanted = asked.body.maybe_text("status")) {
            if (member.status == "unsubscribed" && *wanted == "subscribed")
                return {400,
                        problem(400, "Member In Compliance State",
                                member.email + " is already a list member in compliance state."),
                        ""};
            member.status = *wanted;
        }
        if (asked.body["merge_fields"].is_object())
            member.merge_fields = asked.body["merge_fields"];
        return {200,
                Value::object(
                    {{"id", hash}, {"email_address", member.email}, {"status", member.status}, {"list_id", list_id}})
                    .dump(),
                ""};
    }

    std::mutex mutex_;
    std::map<std::string, Member> members_;
    std::map<std::string, Instead> instead_;
    std::vector<Asked> asked_;
    bool once_ = false;
    std::atomic<bool> hangs_ = false;
    TinyServer server_;
};

struct Connected {
    explicit Connected(const Database& database)
        : options([this](BaseOptions& all) {
              all.allowed_private_hosts.push_back(audience.target());
              all.gateway_api_bases.push_back("mailchimp=http://" + audience.target());
          }),
          base(database, &svc_plugin_entry),
          calls(*base.assembly) {
        base.given_license("personal");
        trip = base.given_trip();
        base.given_departure(trip, 30, 200);
        turn(true);
        set(R"({"api_key":")" + mailchimp_key + R"(","list_id":")" + mailchimp_list +
            R"(",)"
            R"("field_mapping":{"FNAME":"first_name","LNAME":"last_name"}})");
        base.assembly->jobs.prepare();
        audience.forget_asked();
    }
    const Visitor& admin() { return base.user("administrator"); }
    void turn(bool on) {
        REQUIRE(base.post("/modules/mailchimp/toggle", Value::object({{"enabled", on}}), admin()).status == 200);
    }
    Answered put(const std::string& path, const std::string& body) { return base.call("PUT", path, body, admin()); }
    void set(const std::string& settings) {
        const auto done = put("/mailchimp/settings", settings);
        CAPTURE(done.text);
        REQUIRE(done.status == 200);
    }
    Value read(const std::string& target) {
        const auto found = base.get(target, admin());
        CAPTURE(found.text);
        REQUIRE(found.status == 200);
        return found.data();
    }
    // A booking by a guest of that address, who ticked the newsletter or did not.
    std::int64_t book(const std::string& email, bool ticks) {
        const auto made = base.book(trip, 30,
                                    Value::object({{"contact_email", email},
                                                   {"contact_first_name", "Ada"},
                                                   {"contact_last_name", "Lovelace"},
                                                   {"subscribe_newsletter", ticks}}));
        CAPTURE(made.text);
        REQUIRE(made.status == 201);
        settle();
        return made.data()["booking_id"].integer();
    }
    void set_status(std::int64_t booking, const std::string& status) {
        const auto done = put("/bookings/" + std::to_string(booking) + "/status", R"({"status":")" + status + "\"}");
        CAPTURE(done.text);
        REQUIRE(done.status == 200);
        settle();
    }
    // A customer that staff enters.
    std::int64_t customer(const std::string& email, bool agrees) {
        const auto made = base.post(
            "/customers",
            Value::object(
                {{"email", email}, {"first_name", "Ada"}, {"last_name", "Lovelace"}, {"newsletter_optin", agrees}}),
            admin());
        CAPTURE(made.text);
        REQUIRE(made.status == 201);
        settle();
        return made.data()["id"].integer();
    }
    void agree(std::int64_t id, bool agrees) {
        const auto done = put("/customers/" + std::to_string(id),
                              agrees ? R"({"newsletter_optin":true})" : R"({"newsletter_optin":false})");
        CAPTURE(done.text);
        REQUIRE(done.status == 200);
        settle();
    }
    bool agrees(std::int64_t id) { return read("/customers/" + std::to_string(id))["newsletter_optin"].boolean(); }
    std::int64_t id_of(const std::string& email) {
        return base.number(("SELECT id FROM svc_customers WHERE email = '" + email + "'").c_str());
    }
    void settle() { REQUIRE(base.assembly->hooks.drain()); }
    Value work() {
        settle();
        const auto done = base.assembly->jobs.run_now("mailchimp_sync");
        REQUIRE(done);
        settle();
        return *done;
    }
    // As if the pause were over.
    void rested() {
        base.run("UPDATE svc_mailchimp_state SET resume_at = NULL");
        base.run("UPDATE svc_mailchimp_queue SET next_attempt_at = 0, claimed_until = NULL");
        base.run("UPDATE svc_mailchimp_removals SET next_attempt_at = 0");
    }
    Value status() { return read("/mailchimp/status"); }
    // The reasons of the log, the latest first.
    std::vector<std::string> log(const std::string& member = "reason") {
        std::vector<std::string> all;
        for (const Value& entry : read("/mailchimp/log?per_page=100").items())
            all.push_back(entry[member].text());
        return all;
    }
    std::string receiver() {
        const std::string url = read("/mailchimp/settings")["webhook_url"].text();
        return url.substr(url.find("/mailchimp/"));
    }
    Answered report(const std::string& type, const std::string& email, const std::string& list = mailchimp_list) {
        return base.call("POST", receiver(),
                         "type=" + type + "&fired_at=2026-11-30+09%3A00%3A00&data%5Blist_id%5D=" + list +
                             "&data%5Bemail%5D=" + email + "&data%5Bold_email%5D=" + email + "&data%5Breason%5D=manual",
                         Visitor{}.with("Content-Type", "application/x-www-form-urlencoded"));
    }

    Audience audience;
    WithOptions options;
    TestBase base;
    InnerCalls calls;
    std::int64_t trip = 0;
};

inline const auto each_connected = each_on<Connected>;

}  // namespace svc::tests
