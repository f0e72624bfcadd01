// Idempotent writes: the reply to a request with an Idempotency-Key is stored and returned again (promise R3).
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>

#include "base/platform/crypto/crypto.hpp"
#include "shared/api/route.hpp"
#include "shared/store/store.hpp"

namespace svc::idempotency {

// Limits of stored replies for anonymous callers, per network (an address, of IPv6 a /64). Beyond them the oldest
// replies of the network make room: nobody is refused because of a neighbour.
struct StrangersBound {
    std::int64_t answers = 2000, bytes = std::int64_t{16} << 20;
    std::string_view spared = {};  // "POST /path" of the route whose replies stay, since its write must not run twice
};

// Any thread, any number of processes on one database.
//
// The key's scope is the caller's credential or session, for guests the booking session they name or else their
// address, together with the route. Requests are compared by the SHA-256 of method, path, query and body. Only a
// success is stored, sealed, for 24 hours: a failed write has changed nothing and may run again.
//
// Why the write's own transaction stores the reply, without a claim before it: a claim would be a second durable commit
// for each booking. Of two equal requests at once the second meets the first one's row by the unique key, rolls back
// and returns the first one's reply.
//
// Other routes, those of several writes, claim the key first, and their first durable write notes in its transaction
// that it has begun: when the process dies after it, or the handler throws, the request is not run again under that
// key. Where running it again does no harm (RouteSpec::repeats_safely), a repetition runs it and finds its completed
// steps (api::Steps): each was stored under the key in its own transaction. The same holds after a response whose
// outcome is unknown (5xx).
class Keeper {
  public:
    // `bound` answers nothing where strangers are not limited.
    Keeper(
        store::Store& store, std::shared_ptr<const crypto::Keyring> keyring, const Clock& clock,
        std::function<std::optional<StrangersBound>()> bound = [] { return StrangersBound{}; });

    using Handle = std::function<api::Reply(const api::Request&)>;
    // Calls the handler, or returns the stored reply. Sets request.keep_reply for routes with a key; a request without
    // one, a read or a route without keeps_replay goes straight to the handler. Errors: 400 for a key that is not 1 to
    // 255 visible ASCII characters, 409 svc_request_in_progress while an equal request runs, 409
    // svc_request_interrupted for one that was interrupted, 422 svc_idempotency_key_reused for another request with the
    // same key. Passes on the handler's exceptions.
    api::Reply run(api::Request& request, const Handle& handle);

    // The stored success of an equal request: for a caller whose right to it ended since, perhaps by that request
    // itself, as a cancellation ends its guest's token. Nothing: there is none.
    [[nodiscard]] std::optional<api::Reply> stored_reply(const api::Request& request) const;

    // Deletes entries older than a day; returns how many. For the hourly clean-up.
    std::int64_t clean_up();

  private:
    struct Key;
    struct Attempt;
    class Running;
    [[nodiscard]] static Result<Key> key_of(const api::Request& request, std::string_view text);
    api::Reply attempt(api::Request& request, const Handle& handle, Attempt& attempt);
    api::Reply settle(Attempt& attempt, api::Reply reply);

    // The entry of the key: the reply, an error, or nothing.
    [[nodiscard]] std::optional<api::Reply> known(const Key& key) const;
    // Drops the oldest replies of a stranger's network until there is room for one more.
    void make_room(const Key& key);
    bool claim(Attempt& attempt);
    static bool resume(store::Transaction& tx, Attempt& attempt, Instant now);
    static void begin(store::Transaction& tx, const Attempt& attempt);
    void release(const Attempt& attempt, bool even_begun) noexcept;
    void keep(store::Transaction& tx, const Attempt& attempt, const api::Reply& reply) const;
    void keep_step(store::Transaction& tx, const Attempt& attempt, std::string_view name,
                   const json::Value& left) const;
    [[nodiscard]] std::optional<json::Value> step_before(const Attempt& attempt, std::string_view name) const;

    store::Store& store_;
    std::shared_ptr<const crypto::Keyring> keyring_;
    const Clock& clock_;
    const std::function<std::optional<StrangersBound>()> bound_;
    std::mutex mutex_;
    std::unordered_set<std::string> running_;  // in this process
};

}  // namespace svc::idempotency
