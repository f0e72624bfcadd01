// Calls from the base into a plugin.
#include "shared/plugin/guest.hpp"

#include "shared/core/no_wait.hpp"
#include "shared/json/sentence.hpp"
#include "shared/plugin/codec.hpp"

namespace svc::plugin {

void Guest::must_be_here() const {
    NoWait::refuse();
    must_be_present();
}

void Guest::must_be_present() const {
    if (!present_)
        throw store::Unavailable("The plugin " + name_ + " is detached.");
}

Guest::Handling::Handling(const Guest& guest, const api::Request& request) : guest_(guest), request_(request) {
    const std::lock_guard lock(guest_.mutex_);
    key_ = ++guest_.last_key_;
    guest_.handled_.emplace(key_, this);
}

Guest::Handling::~Handling() {
    const std::lock_guard lock(guest_.mutex_);
    guest_.handled_.erase(key_);
}

void Guest::Handling::rethrow() const {
    std::exception_ptr thrown;
    {
        const std::lock_guard lock(guest_.mutex_);
        thrown = thrown_;
    }
    if (thrown)
        std::rethrow_exception(thrown);
}

// Says the sentences that a plugin left in a reply's data, in the language of the request.
static void say_sentences(json::Value& data, const api::Request& request) {
    if (data.is_array())
        for (json::Value& each : data.items())
            say_sentences(each, request);
    if (data.is_object())
        for (auto& [name, each] : data.members())
            say_sentences(each, request);
    if (!data.is_string())
        return;
    std::string_view text = data.text();
    if (text.size() < 2 * said_mark.size() || !text.starts_with(said_mark) || !text.ends_with(said_mark))
        return;
    text.remove_prefix(said_mark.size());
    text.remove_suffix(said_mark.size());
    if (const auto sentence = json::parse(text))
        data = request.say(json::sentence_from(*sentence));
}

Result<void> Guest::keep_reply(std::int64_t key, store::Transaction& tx, const api::Reply& reply) const {
    Handling* handling = nullptr;
    {
        const std::lock_guard lock(mutex_);
        if (const auto found = handled_.find(key); found != handled_.end())
            handling = found->second;  // its handler waits for this transaction
    }
    if (!handling)
        return errc::not_found;
    try {
        api::Reply said = reply;
        say_sentences(said.data, handling->request_);
        handling->request_.keep_reply(tx, said);
        return {};
    } catch (...) {
        const std::lock_guard lock(mutex_);
        handling->thrown_ = std::current_exception();
        throw;
    }
}

// Calls a function of a route and answers its status.
static svc_status call_route(const Guest& guest, void* context, Handle* function, const json::Value& request,
                             Answer& answer) {
    guest.must_be_present();
    const auto text = request.dump();
    const auto status = barrier(answer.table(), [&] { return function(context, borrow(text), answer.table()); });
    if (NoWait::refused())
        throw WouldWait{};  // regardless of how the plugin handled the failed call
    return status;
}

std::function<api::Reply(const api::Request&)> handler(GuestPtr guest, void* context, Handle* handle,
                                                       std::vector<std::string> headers) {
    return [guest = std::move(guest), context, handle, headers = std::move(headers)](const api::Request& request) {
        auto value_in = to_json(request, headers);
        std::optional<Guest::Handling> handling;
        if (request.keep_reply)
            value_in.set("reply_key", json::Value(handling.emplace(*guest, request).key()));
        Answer answer;
        const auto status = call_route(*guest, context, handle, value_in, answer);
        if (handling && status != SVC_OK && status != SVC_REFUSED)
            handling->rethrow();
        auto value = answer.value(status);
        if (!value)
            return api::failed(std::move(value.error()));
        api::Reply reply = reply_from(*value);
        say_sentences(reply.data, request);
        return reply;
    };
}

std::function<Result<void>(const api::Request&)> checker(GuestPtr guest, void* context, Handle* check,
                                                         std::vector<std::string> headers) {
    return [guest = std::move(guest), context, check, headers = std::move(headers)](const api::Request& request) {
        Answer answer;
        return answer.done(call_route(*guest, context, check, to_json(request, headers), answer));
    };
}

std::function<Result<std::vector<FieldError>>(const api::Request&)> rules_caller(GuestPtr guest, void* context,
                                                                                 Handle* rules,
                                                                                 std::vector<std::string> headers) {
    return [guest = std::move(guest), context, rules,
            headers = std::move(headers)](const api::Request& request) -> Result<std::vector<FieldError>> {
        Answer answer;
        SVC_ASSIGN_OR_RETURN(const auto faults,
                             answer.value(call_route(*guest, context, rules, to_json(request, headers), answer)));
        return faults_from(faults);
    };
}

hooks::ActionCall action_call(GuestPtr guest, void* context, svc_status (*call)(void* context, svc_text arguments)) {
    return [guest = std::move(guest), context, call](const json::Array& arguments) {
        guest->must_be_here();
        const auto text = json::Value(arguments).dump();
        if (barrier(nullptr, [&] { return call(context, borrow(text)); }) != SVC_OK)
            throw Failed("A listener of the plugin " + guest->name() + " failed.");
    };
}

hooks::FilterCall filter_call(GuestPtr guest, void* context,
                              svc_status (*call)(void* context, svc_session* transaction, svc_text value_and_arguments,
                                                 svc_answer* answer)) {
    return [guest = std::move(guest), context, call](store::Transaction* tx, const json::Array& values) {
        guest->must_be_here();
        const auto text = json::Value(values).dump();
        std::optional<svc_session> lent;
        if (tx)
            lent.emplace(*tx);
        Answer answer;
        const auto status = barrier(
            answer.table(), [&] { return call(context, lent ? &*lent : nullptr, borrow(text), answer.table()); });
        auto value = answer.value(status);
        if (!value)
            throw Failed("A filter listener of the plugin " + guest->name() + ": " + value.error().message().english());
        return std::move(*value);
    };
}

std::function<Result<json::Value>(const json::Value&)> page_call(GuestPtr guest, void* context,
                                                                 svc_status (*show)(void* context, svc_text request,
                                                                                    svc_answer* answer)) {
    return [guest = std::move(guest), context, show](const json::Value& request) {
        guest->must_be_here();
        const auto text = request.dump();
        Answer answer;
        return answer.value(barrier(answer.table(), [&] { return show(context, borrow(text), answer.table()); }));
    };
}

std::function<Result<void>()> preparation(GuestPtr guest, void* context,
                                          svc_status (*prepare)(void* context, svc_answer* why_not)) {
    return [guest = std::move(guest), context, prepare]() -> Result<void> {
        guest->must_be_here();
        Answer answer;
        try {
            return answer.done(barrier(answer.table(), [&] { return prepare(context, answer.table()); }));
        } catch (const Failed& failed) {
            return Error(errc::internal_error).because(failed.what());
        }
    };
}

std::function<Result<json::Value>(Instant)> job_run(GuestPtr guest, void* context,
                                                    svc_status (*run)(void* context, std::int64_t now,
                                                                      svc_answer* answer)) {
    return [guest = std::move(guest), context, run](Instant now) {
        guest->must_be_here();
        Answer answer;
        return answer.value(barrier(answer.table(), [&] { return run(context, now.micros(), answer.table()); }));
    };
}

}  // namespace svc::plugin
