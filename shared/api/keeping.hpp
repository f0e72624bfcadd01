// The reply to a write, stored by the write itself for a repetition of its request (promise R3).
#pragma once

#include <functional>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "shared/api/route.hpp"
#include "shared/store/last_of_all.hpp"

namespace svc::api {

// For handlers whose effect is one durable write (RouteSpec::stores_reply): during its lifetime that write stores
// `answer` in its own transaction. `answer` sees the database after the write and returns the handler's reply; it may
// run more than once. Costs nothing without a key. Most handlers call respond_once() instead.
class StoreReply {
  public:
    // Known before.
    StoreReply(const Request& request, const Reply& answer) {
        if (request.keep_reply)
            last_.emplace([&request, answer](store::Transaction& tx) { request.keep_reply(tx, answer); });
    }
    // Derived from the value of the handler's transact<T>(): answer(tx, value).
    template <class T, class Render>
    StoreReply(const Request& request, std::in_place_type_t<T> type, Render answer) {
        if (request.keep_reply)
            last_.emplace(type, [&request, answer = std::move(answer)](store::Transaction& tx, const T& value) {
                request.keep_reply(tx, answer(tx, value));
            });
    }
    template <class T, class Render>
    static StoreReply of(const Request& request, Render answer) {
        return {request, std::in_place_type<T>, std::move(answer)};
    }

  private:
    std::optional<store::LastOfAll> last_;
};

template <class R>
struct ValueOf;
template <class T>
struct ValueOf<Result<T>> {
    using Type = T;
};

// Responds with the result of `work()`, a Result<T> whose value one transact<T>() of this thread decides. With an
// Idempotency-Key that transaction stores the reply. answer(value) renders the value; answer(tx, value) renders it
// within the transaction, after the write, and may run more than once. Inside `work` no earlier transact() may have the
// same T. Throws std::logic_error when answer(tx, value) never ran.
template <class Work, class Answer>
Reply respond_once(const Request& request, Work work, Answer answer) {
    using T = typename ValueOf<std::invoke_result_t<Work&>>::Type;
    if constexpr (std::is_invocable_v<Answer&, store::Transaction&, const T&>) {
        std::optional<Reply> reply;
        const store::LastOfAll last(std::in_place_type<T>, [&](store::Transaction& tx, const T& value) {
            reply = answer(tx, value);
            if (request.keep_reply)
                request.keep_reply(tx, *reply);
        });
        SVC_RETURN_IF_ERROR(work());
        if (!reply)
            throw std::logic_error("no transaction has decided the answer");
        return std::move(*reply);
    } else {
        const auto keeping =
            StoreReply::of<T>(request, [&](store::Transaction&, const T& value) { return answer(value); });
        return respond(work(), answer);
    }
}

// The same with a fixed reply: the first durable write of `work()` stores it, whatever its value.
template <class Work>
Reply respond_once(const Request& request, Work work, Reply reply) {
    const StoreReply keeping(request, reply);
    const auto outcome = work();
    return outcome ? std::move(reply) : failed(outcome.error());
}

// 200 with {"id": …, "deleted": true}.
inline Reply deleted(std::int64_t id) { return ok(json::Value::object({{"id", id}, {"deleted", true}})); }

}  // namespace svc::api
