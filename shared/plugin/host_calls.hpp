// Calls routes of the base in this process: svc.calls/1 as a plugin sees it.
#pragma once

#include "shared/plugin/host.hpp"

namespace svc::plugin {

// Waits for the route's handler. Throws Failed inside a transaction or a session's callback, and store::Unavailable
// while the base does not serve yet.
class Calls {
  public:
    using Table = svc_calls_1;
    static constexpr const char* id = SVC_CALLS_1;
    static bool usable(const Table* table) { return SVC_HAS(svc_calls_1, table, call); }
    explicit Calls(const Table* table) : table_(table) {}

    // In whose name: with the rights of everything, with those a user has now, or with none.
    enum class As : std::uint8_t { visitor, user, system };
    struct Request {
        api::Method method = api::Method::get;
        std::string path;                           // below the namespace: "/trips/3"
        json::Value query = json::Value::object();  // texts, numbers, booleans or lists of them
        json::Value body = {};                      // null: none
        As as = As::visitor;
        std::int64_t user_id = 0;   // with As::user
        std::string address = {};   // the visitor's, for limits; empty: this process's own
        std::string language = {};  // as in Accept-Language
        std::vector<std::pair<std::string, std::string>> headers = {};  // such as Idempotency-Key
    };
    struct Reply {
        int status = 0;
        json::Value body = {};  // the envelope, or the error; null: no JSON
        std::string raw = {};   // an answer that is no JSON
        std::vector<std::pair<std::string, std::string>> headers = {};

        [[nodiscard]] bool is_good() const { return status >= 200 && status < 300; }
        [[nodiscard]] const json::Value& data() const { return body["data"]; }
        [[nodiscard]] std::string code() const { return body.text_or("code"); }  // of an error
        [[nodiscard]] std::string header(std::string_view name) const;           // empty: absent
    };
    // An error of the route is a reply. The result is an error when the request cannot be made: it is malformed, or no
    // such user is active.
    [[nodiscard]] Result<Reply> operator()(const Request& request) const;

  private:
    const Table* table_;
};

}  // namespace svc::plugin
