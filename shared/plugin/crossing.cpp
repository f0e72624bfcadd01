// Answers and failures on their way across the plugin interface.
#include "shared/plugin/crossing.hpp"

#include <map>
#include <memory>
#include <mutex>

#include "shared/json/sentence.hpp"

namespace svc::plugin {
namespace {

constexpr json::Limits crossing_limits{.depth = 64, .elements = 1'000'000, .text = 64 * 1024 * 1024};

struct MadeUpCode {
    std::string name, sentence;
    ErrorCode code{};
};

// The message and that of each field, for a side that says them in a language; an older one reads the texts.
json::Value sentences_of(const Error& error) {
    auto all = json::Value::array({json::to_json(error.message())});
    for (const auto& at : error.fields())
        all.push(json::to_json(at.sentence));
    return all;
}

json::Value details_of(const Error& error) {
    auto details = json::Value::object({{"status", json::Value(error.code().status)}});
    if (!error.fields().empty()) {
        auto fields = json::Value::array();
        for (const auto& at : error.fields())
            fields.push(json::Value::array({json::Value(at.field), json::Value(at.sentence.english())}));
        details.set("fields", std::move(fields));
    }
    details.set("sentences", sentences_of(error));
    if (!error.data().empty()) {
        auto data = json::Value::object();
        for (const auto& [name, text] : error.data())
            if (auto value = json::parse(text, crossing_limits))
                data.set(name, std::move(*value));
        details.set("data", std::move(data));
    }
    if (error.retry_after())
        details.set("retry_after", json::Value(*error.retry_after()));
    if (!error.cause().empty())
        details.set("cause", json::Value(error.cause()));
    return details;
}

// The sentence at that place of the details, or the text where the other side is older.
Sentence sentence_at(const json::Value& details, std::size_t place, const std::string& text) {
    const json::Value& all = details["sentences"];
    Sentence found = all.is_array() && place < all.size() ? json::sentence_from(all[place]) : Sentence();
    return found.empty() ? Sentence::verbatim(text) : found;
}

void add_details(Error& error, const json::Value& details) {
    if (details["fields"].is_array())
        for (std::size_t i = 0; i < details["fields"].size(); ++i)
            if (const auto& at = details["fields"][i];
                at.size() == 2 && at[std::size_t{0}].is_string() && at[std::size_t{1}].is_string())
                error.at(at[std::size_t{0}].text(), sentence_at(details, i + 1, at[std::size_t{1}].text()));
    if (details["data"].is_object())
        for (const auto& [name, value] : details["data"].members())
            error.with(name, value.dump());
    if (auto seconds = details.maybe_integer("retry_after"))
        error.after(static_cast<int>(std::clamp<std::int64_t>(*seconds, 0, 86'400)));
    error.because(details.text_or("cause"));
}

}  // namespace

json::Value read_json(svc_text text) {
    auto value = json::parse(view(text), crossing_limits);
    if (!value)
        throw Failed("The other side sent no JSON: " + value.error().cause());
    return std::move(*value);
}

const ErrorCode& code_named(std::string_view name, std::int64_t status, std::string_view sentence) {
    if (const auto* code = errc::find(name))
        return *code;
    constexpr std::size_t most = 256;  // a plugin has a handful; more is a defect that must not eat the memory
    static std::mutex mutex;
    static std::map<std::string, std::unique_ptr<MadeUpCode>, std::less<>> made_up;
    const std::lock_guard lock(mutex);
    if (auto known = made_up.find(name); known != made_up.end())
        return known->second->code;
    if (made_up.size() >= most || name.empty() || name.size() > 64 || status < 400 || status > 599)
        return errc::internal_error;
    auto code = std::make_unique<MadeUpCode>();
    code->name = name;
    code->sentence = sentence;
    code->code = {code->name, static_cast<int>(status), code->sentence};
    return made_up.emplace(std::string(name), std::move(code)).first->second->code;
}

Answer::Answer() : table_{sizeof(svc_answer), this, &take_json, &take_error, &take_details} {}

void Answer::take_json(void* self, svc_text body) noexcept {
    auto* answer = static_cast<Answer*>(self);
    try {
        answer->body_ = view(body);
    } catch (...) {
        answer->lost_ = true;
    }
}

void Answer::take_error(void* self, svc_text code, svc_text message, svc_text field) noexcept {
    auto* answer = static_cast<Answer*>(self);
    try {
        answer->code_ = view(code);
        answer->message_ = view(message);
        answer->field_ = view(field);
    } catch (...) {
        answer->lost_ = true;
    }
}

void Answer::take_details(void* self, svc_text object) noexcept {
    auto* answer = static_cast<Answer*>(self);
    try {
        answer->details_ = view(object);
    } catch (...) {
        answer->lost_ = true;
    }
}

Error Answer::error() const {
    const auto details = details_.empty() ? json::Value() : read_json(borrow(details_));
    const auto& code = code_named(code_, details.maybe_integer("status").value_or(500), message_);
    Error error = message_.empty() ? Error(code) : Error(code, sentence_at(details, 0, message_));
    add_details(error, details);
    if (error.fields().empty() && !field_.empty())
        error.at(field_, error.message());
    return error;
}

void Answer::raise() const {
    if (lost_)
        throw std::bad_alloc();
    if (code_ == SVC_FAILURE_UNAVAILABLE)
        throw store::Unavailable(message_);
    if (code_ == SVC_FAILURE_UNIQUE)
        throw store::UniqueViolation(message_);
    if (code_ == SVC_FAILURE_CONSTRAINT)
        throw store::ConstraintViolation(message_);
    if (code_ == SVC_FAILURE_RETRYABLE)
        throw store::Retryable(message_);
    if (code_ == SVC_FAILURE_STORE)
        throw store::Failure(message_);
    throw Failed(complaint().empty() ? "The other side failed without a word." : complaint());
}

Result<void> Answer::done(svc_status status) {
    if (lost_ || (status != SVC_OK && status != SVC_REFUSED))
        raise();
    if (status == SVC_REFUSED)
        return error();
    return {};
}

Result<json::Value> Answer::value(svc_status status) {
    SVC_RETURN_IF_ERROR(done(status));
    return read_json(borrow(body_));
}

std::string Answer::complaint() const {
    if (code_.empty() && message_.empty())
        return {};
    std::string words = message_.empty() ? code_ : message_;
    const auto details = details_.empty() ? Result<json::Value>(json::Value()) : json::parse(details_, crossing_limits);
    if (details && !details->text_or("cause").empty())
        words += " (" + details->text_or("cause") + ")";
    return words;
}

svc_status answer_value(const svc_answer* answer, const json::Value& value) {
    const auto body = value.dump();
    if (SVC_HAS(svc_answer, answer, json))
        answer->json(answer->self, borrow(body));
    return SVC_OK;
}

svc_status answer_error(const svc_answer* answer, const Error& error) {
    if (!SVC_HAS(svc_answer, answer, error))
        return SVC_REFUSED;
    const std::string_view field = error.fields().empty() ? std::string_view() : error.fields().front().field;
    const std::string message = error.message().english();
    answer->error(answer->self, borrow(error.code().name), borrow(message), borrow(field));
    if (SVC_HAS(svc_answer, answer, details)) {
        const auto details = details_of(error).dump();
        answer->details(answer->self, borrow(details));
    }
    return SVC_REFUSED;
}

svc_status answer_failure(const svc_answer* answer, std::string_view code, std::string_view message) noexcept {
    if (SVC_HAS(svc_answer, answer, error))
        answer->error(answer->self, borrow(code), borrow(message), svc_text{nullptr, 0});
    return SVC_FAILED;
}

svc_status answer_exception(const svc_answer* answer) noexcept {
    try {
        throw;
    } catch (const store::Unavailable& e) {
        return answer_failure(answer, SVC_FAILURE_UNAVAILABLE, e.what());
    } catch (const store::UniqueViolation& e) {
        return answer_failure(answer, SVC_FAILURE_UNIQUE, e.what());
    } catch (const store::ConstraintViolation& e) {
        return answer_failure(answer, SVC_FAILURE_CONSTRAINT, e.what());
    } catch (const store::Retryable& e) {
        return answer_failure(answer, SVC_FAILURE_RETRYABLE, e.what());
    } catch (const store::Failure& e) {
        return answer_failure(answer, SVC_FAILURE_STORE, e.what());
    } catch (const std::exception& e) {
        return answer_failure(answer, SVC_FAILURE_EXCEPTION, e.what());
    } catch (...) {
        return answer_failure(answer, SVC_FAILURE_EXCEPTION, "Something that is no std::exception was thrown.");
    }
}

}  // namespace svc::plugin
