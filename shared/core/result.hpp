// The result of a call that can fail for an expected reason: the value, or the error for the client.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "shared/core/error_codes.hpp"
#include "shared/core/sentence.hpp"

namespace svc {

// A field at fault: its path on the wire ("travelers.1.date_of_birth") and one sentence.
struct FieldError {
    std::string field;
    Sentence sentence;
};

// An expected failure. `code` and its data go to the client; `cause` is only logged.
class Error {
  public:
    Error(const ErrorCode& code) : code_(&code), message_(SentenceId{code.sentence}) {}  // NOLINT: a code is an error
    Error(const ErrorCode& code, Sentence message) : code_(&code), message_(std::move(message)) {}

    [[nodiscard]] const ErrorCode& code() const { return *code_; }
    [[nodiscard]] const Sentence& message() const { return message_; }
    [[nodiscard]] const std::vector<FieldError>& fields() const { return fields_; }
    // Further members of the error body's `data`, each as JSON text.
    [[nodiscard]] const std::vector<std::pair<std::string, std::string>>& data() const { return data_; }
    [[nodiscard]] const std::string& cause() const { return cause_; }
    [[nodiscard]] std::optional<int> retry_after() const { return retry_after_; }

    Error& at(std::string field, Sentence sentence) {
        fields_.push_back({std::move(field), std::move(sentence)});
        return *this;
    }
    Error& with(std::string name, std::string json_text) {
        data_.emplace_back(std::move(name), std::move(json_text));
        return *this;
    }
    Error& because(std::string cause) {
        cause_ = std::move(cause);
        return *this;
    }
    Error& after(int seconds) {  // answered as Retry-After
        retry_after_ = seconds;
        return *this;
    }

  private:
    const ErrorCode* code_;
    Sentence message_;
    std::vector<FieldError> fields_;
    std::vector<std::pair<std::string, std::string>> data_;
    std::string cause_;
    std::optional<int> retry_after_;
};

// 400 svc_validation_error for one field; the message is the sentence.
inline Error invalid(std::string field, Sentence sentence) {
    Error error{errc::validation_error, sentence};
    error.at(std::move(field), std::move(sentence));
    return error;
}
inline Error missing(std::string field) { return invalid(std::move(field), "This field is required."_sentence); }

template <class T>
class [[nodiscard]] Result {
  public:
    Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}      // NOLINT: a value is a result
    Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT: an error is a result
    Result(const ErrorCode& code) : Result(Error{code}) {}                     // NOLINT

    explicit operator bool() const { return state_.index() == 0; }
    T& value() { return std::get<0>(state_); }
    const T& value() const { return std::get<0>(state_); }
    T& operator*() { return value(); }
    const T& operator*() const { return value(); }
    T* operator->() { return &value(); }
    const T* operator->() const { return &value(); }
    Error& error() { return std::get<1>(state_); }
    const Error& error() const { return std::get<1>(state_); }

  private:
    std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
  public:
    Result() = default;
    Result(Error error) : error_(std::move(error)) {}       // NOLINT: an error is a result
    Result(const ErrorCode& code) : error_(Error{code}) {}  // NOLINT

    explicit operator bool() const { return !error_; }
    Error& error() { return error_.value(); }
    const Error& error() const { return error_.value(); }

  private:
    std::optional<Error> error_;
};

}  // namespace svc

// Inside a function that returns a Result or another type made of an Error. Both evaluate a Result once and return its
// error, if it has one:
//     SVC_RETURN_IF_ERROR(check(body));
//     SVC_ASSIGN_OR_RETURN(const auto trip, trips.find(id));  // `trip` is the value
#define SVC_JOIN_TOKENS(a, b) a##b
#define SVC_JOIN(a, b) SVC_JOIN_TOKENS(a, b)
#define SVC_RETURN_IF_ERROR_AS(tried, ...) \
    if (auto tried = __VA_ARGS__; !tried)  \
    return std::move(tried.error())
#define SVC_RETURN_IF_ERROR(...) SVC_RETURN_IF_ERROR_AS(SVC_JOIN(svc_tried_, __LINE__), __VA_ARGS__)
#define SVC_ASSIGN_OR_RETURN_AS(tried, declaration, ...) \
    auto tried = __VA_ARGS__;                            \
    if (!tried)                                          \
        return std::move(tried.error());                 \
    declaration = std::move(*tried)
#define SVC_ASSIGN_OR_RETURN(declaration, ...) \
    SVC_ASSIGN_OR_RETURN_AS(SVC_JOIN(svc_tried_, __LINE__), declaration, __VA_ARGS__)
