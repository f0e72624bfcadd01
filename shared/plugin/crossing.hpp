// Shared by both sides of the interface: borrowed text, answers, and the barrier that turns exceptions into statuses.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "shared/core/result.hpp"
#include "shared/json/value.hpp"
#include "shared/plugin/svc_plugin.h"
#include "shared/store/store.hpp"

namespace svc::plugin {

inline svc_text borrow(std::string_view text) { return {text.data(), text.size()}; }
inline std::string_view view(svc_text text) {
    return text.data ? std::string_view(text.data, text.size) : std::string_view();
}

// The other side failed unexpectedly. what() is only logged.
struct Failed : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// JSON text of the other side; Failed when it is invalid. The limits are wider than a client's.
json::Value read_json(svc_text text);

// The error code of that name. A code unknown to this release is created with the other side's status, for the life of
// the process, at most 256 of them; beyond that it is svc_internal_error. Any thread.
const ErrorCode& code_named(std::string_view name, std::int64_t status, std::string_view sentence);

// The caller's side of an svc_answer: collects the callee's result. One per call.
class Answer {
  public:
    Answer();
    Answer(const Answer&) = delete;
    Answer& operator=(const Answer&) = delete;

    svc_answer* table() { return &table_; }

    // The result of the call: the JSON value, the error, or, for SVC_FAILED and unknown statuses, the exception of the
    // failure's code (store::Unavailable and its kin, else Failed).
    Result<json::Value> value(svc_status status);
    Result<void> done(svc_status status);
    // The complaint in words, for a log line; empty when there was none.
    [[nodiscard]] std::string complaint() const;

  private:
    Error error() const;
    [[noreturn]] void raise() const;
    static void take_json(void* self, svc_text body) noexcept;
    static void take_error(void* self, svc_text code, svc_text message, svc_text field) noexcept;
    static void take_details(void* self, svc_text object) noexcept;

    svc_answer table_;
    std::string body_, code_, message_, field_, details_;
    bool lost_ = false;  // out of memory while copying: the call counts as failed
};

// The callee's side. Each answers the status to return.
svc_status answer_value(const svc_answer* answer, const json::Value& value);
svc_status answer_error(const svc_answer* answer, const Error& error);
svc_status answer_failure(const svc_answer* answer, std::string_view code, std::string_view message) noexcept;
// The exception under way, which must be one, as a failure.
svc_status answer_exception(const svc_answer* answer) noexcept;

inline svc_status answer_result(const svc_answer* answer, const Result<void>& result) {
    return result ? SVC_OK : answer_error(answer, result.error());
}
inline svc_status answer_result(const svc_answer* answer, const Result<json::Value>& result) {
    return result ? answer_value(answer, *result) : answer_error(answer, result.error());
}

// Runs an entry of one side so that nothing thrown reaches the other. `answer` may be null.
template <class Body>
svc_status barrier(const svc_answer* answer, Body&& body) noexcept {
    try {
        return std::forward<Body>(body)();
    } catch (...) {
        return answer_exception(answer);
    }
}

}  // namespace svc::plugin
