// Mailchimp's interface (Marketing API 3.0): requests, and what an answer means for us. Answers are untrusted.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "pro/mailchimp/configuration.hpp"
#include "shared/core/error_codes.hpp"
#include "shared/plugin/host_fetch.hpp"

namespace svc::pro::mailchimp {

inline constexpr ErrorCode integration_auth_failed{"integration_auth_failed", 400, "The key was not accepted."};

// What came of a request.
enum class Outcome : std::uint8_t {
    done,
    exists,       // it is a contact already
    compliance,   // it may come back by Mailchimp's own form alone
    rejected,     // these data are refused: no repetition helps
    gone,         // no such contact, or no such audience
    key,          // the key is refused
    throttled,    // too many requests
    unavailable,  // no answer, or a failure of theirs
    garbled       // an answer that is none of theirs, or is about something else
};
// Whether nothing was done, so that it is sent again later; all sending rests unless the failure is a contact's own.
[[nodiscard]] constexpr bool pauses(Outcome outcome) {
    return outcome == Outcome::key || outcome == Outcome::throttled || outcome == Outcome::unavailable ||
           outcome == Outcome::garbled;
}

struct Answer {
    Outcome outcome = Outcome::unavailable;
    int status = 0;  // HTTP; 0: no answer
    json::Value body = json::Value::object();
    std::string detail = {};                               // their words, or why there is no answer
    std::optional<std::chrono::seconds> retry_after = {};  // as they ask
};

// Whether the failure may be of this one contact alone: Mailchimp answered, and what it said of it is of no use.
[[nodiscard]] inline bool may_be_its_own(const Answer& answer) {
    return answer.outcome == Outcome::garbled || (answer.outcome == Outcome::unavailable && answer.status > 0);
}

// A text of an answer; empty when it is absent or no text.
std::string text_of(const json::Value& object, std::string_view name);
// A count of an answer; 0 when it is absent or none.
std::int64_t count_of(const json::Value& object, std::string_view name);
// Digest by which a contact is addressed.
std::string member_hash(std::string_view email);

// Requests wait for the server: never inside a transaction. Any thread.
class Client {
  public:
    using Send = std::function<Result<plugin::FetchReply>(const plugin::FetchTwo::Request&)>;
    // Scheme and host to ask in place of `own`, as the operator configured it.
    using Address = std::function<std::string(const std::string& own)>;
    Client(Send send, Address address) : send_(std::move(send)), address_(std::move(address)) {}

    [[nodiscard]] Answer account(const std::string& key) const;
    [[nodiscard]] Answer lists(const std::string& key) const;
    [[nodiscard]] Answer list(const std::string& key, const std::string& list_id) const;
    [[nodiscard]] Answer merge_fields(const std::string& key, const std::string& list_id) const;

    // Makes or changes a contact; one that exists keeps its status unless the body names one.
    [[nodiscard]] Answer upsert(const std::string& key, const std::string& list_id, const std::string& email,
                                const json::Value& body) const;
    [[nodiscard]] Answer change(const std::string& key, const std::string& list_id, const std::string& email,
                                const json::Value& body) const;
    [[nodiscard]] Answer set_tags(const std::string& key, const std::string& list_id, const std::string& email,
                                  const json::Value& tags) const;
    [[nodiscard]] Answer archive(const std::string& key, const std::string& list_id, const std::string& hash) const;
    // For good, with all that is known of it.
    [[nodiscard]] Answer forget(const std::string& key, const std::string& list_id, const std::string& hash) const;

  private:
    [[nodiscard]] Answer ask(const std::string& key, const char* method, const std::string& path,
                             const json::Value& body = {}) const;
    // As ask(); garbled unless the answer is about that contact of that audience.
    [[nodiscard]] Answer ask_about(const std::string& key, const char* method, const std::string& list_id,
                                   const std::string& email, const json::Value& body, const char* query) const;

    const Send send_;
    const Address address_;
};

// The error that staff reads who asked for it; never for done.
Error error_of(const Answer& answer);

}  // namespace svc::pro::mailchimp
