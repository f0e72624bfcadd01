// The whole base in this process, without a socket: a call passes gate, validator, handler and store.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/app/assembly.hpp"
#include "tests/support/databases.hpp"

namespace svc::tests {

// The caller: the header fields that prove it.
struct Visitor {
    std::vector<HttpHeader> headers = {};
    std::int64_t user_id = 0;
    std::string address = {};  // empty: a new one at each call

    [[nodiscard]] Visitor from(std::string ip) const;
    [[nodiscard]] Visitor with(std::string name, std::string value) const;
};

// The response.
struct Answered {
    int status = 0;
    std::vector<HttpHeader> headers = {};
    std::string text = {};
    json::Value body = {};  // null when the text is no JSON

    [[nodiscard]] const json::Value& data() const { return body["data"]; }
    [[nodiscard]] std::string code() const { return body.text_or("code"); }
    [[nodiscard]] std::string field() const { return body["data"].text_or("field"); }
    [[nodiscard]] std::string header(std::string_view name) const;  // empty when absent
};

struct GivenBooking {
    std::int64_t id = 0;
    std::string reference = {}, token = {};
};

// The body of /booking/create with all that the standard form requires; what `body` holds already stays.
json::Value filled_in(json::Value body);

// One thread. Jobs do not run; the clock is the system's.
class TestBase {
  public:
    // A fresh database with this release's schema. `plugin` null: the base edition alone.
    explicit TestBase(const Database& database, svc_plugin_entry_fn* plugin = nullptr);
    ~TestBase();
    TestBase(const TestBase&) = delete;
    TestBase& operator=(const TestBase&) = delete;

    // `target` is relative to the namespace and may hold a query. A body longer than the route takes is refused as
    // the transport would. Every call comes from an address of its own, unless the visitor has one, so that no limit
    // by address is reached.
    Answered call(std::string_view method, const std::string& target, const std::string& body = {},
                  const Visitor& visitor = {});
    Answered get(const std::string& target, const Visitor& visitor = {}) { return call("GET", target, {}, visitor); }
    Answered post(const std::string& target, const json::Value& body, const Visitor& visitor = {}) {
        return call("POST", target, body.dump(), visitor);
    }

    // The same by a caller in this process: values in, values out. `takes_held` as in api::InnerRequest; what is held
    // is in the answer as if it had been read.
    Answered call_by_value(std::string_view method, const std::string& target, const json::Value& body = {},
                           const Visitor& visitor = {}, bool takes_held = true);

    // A user of that role with an application password; the same user at each call.
    const Visitor& user(const std::string& role);
    // The role's user by a credential of its own; the one made so before is revoked.
    Visitor fresh(const std::string& role);
    // A customer who holds these capabilities besides. One user, whose rights are those of the latest call.
    const Visitor& holding(const std::vector<std::string>& capabilities);
    // A cookie session of the role's user; without the nonce the cookie proves nothing.
    Visitor cookie(const std::string& role, bool with_nonce);
    // A credential of the role's user that was revoked.
    Visitor revoked(const std::string& role);

    // A licence of that plan, as the licence server's answer would leave it: personal, growth, agency. With Pro alone.
    void given_license(const std::string& tier, const std::string& status = "active");
    // Published; answers the id.
    std::int64_t given_trip(const std::string& title = "Nile cruise");
    std::int64_t given_departure(std::int64_t trip_id, int days_ahead = 30, int seats = 20);
    // The answer to a booking with these fields by a visitor who opens a checkout first.
    Answered book(std::int64_t trip_id, int days_ahead, json::Value fields = json::Value::object(),
                  const Visitor& visitor = {});
    // A guest's, on that departure's date.
    GivenBooking given_booking(std::int64_t trip_id, int days_ahead = 30, const std::string& last_name = "Lovelace");

    [[nodiscard]] const std::vector<std::unique_ptr<api::RouteSpec>>& routes() const { return assembly->routes.all(); }
    void run(const char* sql) { execute(*assembly->store, {sql}); }
    std::int64_t number(const char* sql);
    // Rows of every table, by its name: what a refused call must leave as it was.
    std::map<std::string, std::int64_t> row_counts();
    [[nodiscard]] std::string day(int days_ahead) const;  // YYYY-MM-DD

    inline static const std::string password = "correct horse battery";  // every user's

    bool leaves_what_holds = true;  // at the end; not of a test that breaks it by hand
    std::unique_ptr<app::Assembly> assembly;

  private:
    std::int64_t make_user(const std::string& login, const std::string& role);
    Visitor by_password(const std::string& login, std::int64_t user_id, const std::string& password) const;

    TempDir folder_;
    std::unique_ptr<app::Gate> gate_;
    std::map<std::string, Visitor> users_;
    std::unique_ptr<Visitor> holder_;
    std::pair<std::int64_t, std::int64_t> fresh_;  // user and credential
    std::uint32_t calls_ = 0;
};

}  // namespace svc::tests
