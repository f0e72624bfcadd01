// The answer to a request with an Idempotency-Key, kept by the write that decides it (promise R3).
#pragma once

#include <functional>
#include <optional>
#include <utility>

#include "shared/api/route.hpp"
#include "shared/store/last_of_all.hpp"

namespace svc::api {

// For handlers whose effect is one durable write (RouteSpec::keeps_own_reply): while one lives, that write ends with
// keeping `answer` in its own transaction. `answer` sees the database as the write leaves it and answers what the
// handler will; it may be asked more than once. Costs nothing without a key.
class Keeping {
  public:
    // Known before.
    Keeping(const Request& request, const Reply& answer) {
        if (request.keep_reply)
            last_.emplace([&request, answer](store::Transaction& tx) { request.keep_reply(tx, answer); });
    }
    // Told by what the handler's transact<T>() answers: answer(tx, value).
    template <class T, class Told>
    Keeping(const Request& request, std::in_place_type_t<T> wanted, Told answer) {
        if (request.keep_reply)
            last_.emplace(wanted, [&request, answer = std::move(answer)](store::Transaction& tx, const T& value) {
                request.keep_reply(tx, answer(tx, value));
            });
    }
    template <class T, class Told>
    static Keeping of(const Request& request, Told answer) {
        return {request, std::in_place_type<T>, std::move(answer)};
    }

  private:
    std::optional<store::LastOfAll> last_;
};

}  // namespace svc::api
