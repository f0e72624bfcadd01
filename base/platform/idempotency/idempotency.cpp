// Keys, claims and stored replies in svc_idempotency_keys.
#include "base/platform/idempotency/idempotency.hpp"

#include "base/platform/idempotency/kept_reply.hpp"
#include "base/platform/idempotency/keys.hpp"
#include "base/platform/limits/client_address.hpp"
#include "shared/api/steps.hpp"
#include "shared/core/log.hpp"
#include "shared/store/first_of_all.hpp"
#include "shared/store/typed.hpp"

namespace svc::idempotency {
namespace {

using namespace std::chrono_literals;

constexpr std::chrono::microseconds kept_for = 24h;
// How long a claim lasts without a sign of its process; one that has begun to write lasts as long as its key.
constexpr std::chrono::microseconds claim_for = 60s;

// Thrown inside the write when an equal request was answered first; rolls the write back.
struct AnsweredFirst : std::exception {
    [[nodiscard]] const char* what() const noexcept override { return "an equal request was answered first"; }
};

std::string place_of(std::string_view key_hash) { return "svc_idempotency_keys/answer/" + std::string(key_hash); }

api::Reply in_progress() { return api::failed(Error{errc::request_in_progress}.after(1)); }

}  // namespace

struct Keeper::Key {
    std::string hash, route, request_hash;
    std::optional<std::string> network = {};  // of a stranger, as a hash
    bool resumes = false;                     // an interrupted one continues when it is repeated
};

struct Keeper::Attempt {
    Key key;
    std::string claim = {};                 // set when the row was claimed before
    bool is_resumed = false;                // it was interrupted before
    Instant expires_at = {};                // of the claim
    std::optional<api::Reply> stored = {};  // by the last run of the write
};

// Marks the key as running in this process for the time of the request.
class Keeper::Running {
  public:
    Running(Keeper& keeper, std::string hash) : keeper_(keeper), hash_(std::move(hash)) {
        const std::lock_guard lock(keeper_.mutex_);
        first_ = keeper_.running_.insert(hash_).second;
    }
    ~Running() {
        if (!first_)
            return;
        const std::lock_guard lock(keeper_.mutex_);
        keeper_.running_.erase(hash_);
    }
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;
    [[nodiscard]] bool first() const { return first_; }

  private:
    Keeper& keeper_;
    const std::string hash_;
    bool first_ = false;
};

Keeper::Keeper(store::Store& store, std::shared_ptr<const crypto::Keyring> keyring, const Clock& clock,
               std::function<std::optional<StrangersBound>()> bound)
    : store_(store), keyring_(std::move(keyring)), clock_(clock), bound_(std::move(bound)) {}

Result<Keeper::Key> Keeper::key_of(const api::Request& request, std::string_view text) {
    if (!is_key(text))
        return invalid("Idempotency-Key", "A key has 1 to 255 visible ASCII characters."_sentence);
    const bool is_stranger = request.caller.session_key.empty();
    if (is_stranger && text.size() < shortest_of_strangers)
        return invalid("Idempotency-Key", "Without a credential a key has at least 16 characters, as a UUID."_sentence);
    Key key;
    if (is_stranger)
        key.network = hash_of({"network", limits::network_of(request.address)});
    const std::string scope = scope_of(request);
    key.route = std::string(api::name_of(request.route->method)) + " " + request.route->path;
    key.hash = hash_of({scope, key.route, text});
    key.request_hash = hash_of({key.route, request.path.dump(), request.query.dump(), request.raw_body});
    key.resumes = request.route->repeats_safely;
    return key;
}

api::Reply Keeper::run(api::Request& request, const Handle& handle) {
    const std::string_view text = request.header("Idempotency-Key");
    // Sent without a value it is no key, and not none either: its sender believes the write to be safe to repeat.
    const bool is_sent = text.data() != nullptr;
    if (!is_sent || !api::takes_key(*request.route))
        return handle(request);
    SVC_ASSIGN_OR_RETURN(auto key, key_of(request, text));
    const Running running(*this, key.hash);
    if (!running.first())
        return in_progress();
    if (auto answer = known(key))
        return std::move(*answer);
    make_room(key);
    Attempt mine{.key = std::move(key)};
    if (!request.route->stores_reply) {
        mine.claim = crypto::random_token();
        if (!claim(mine)) {
            auto answer = known(mine.key);
            return answer ? std::move(*answer) : in_progress();
        }
    }
    return attempt(request, handle, mine);
}

std::optional<api::Reply> Keeper::stored_reply(const api::Request& request) const {
    const std::string_view text = request.header("Idempotency-Key");
    const auto key = api::takes_key(*request.route) ? key_of(request, text) : Result<Key>(errc::not_found);
    auto stored = key ? known(*key) : std::nullopt;
    return stored && is_success(*stored) ? std::move(stored) : std::nullopt;
}

api::Reply Keeper::attempt(api::Request& request, const Handle& handle, Attempt& mine) {
    request.keep_reply = [this, &mine](store::Transaction& tx, const api::Reply& reply) {
        keep(tx, mine, reply);
        mine.stored = reply;
    };
    std::optional<api::Reply> reply;
    try {
        std::optional<store::FirstOfAll> begins;
        std::optional<api::Steps> steps;
        if (!mine.claim.empty())
            begins.emplace([&mine](store::Transaction& tx) { begin(tx, mine); });
        if (mine.key.resumes)
            steps.emplace([this, &mine](std::string_view name) { return step_before(mine, name); },
                          [this, &mine](store::Transaction& tx, std::string_view name, const json::Value& left) {
                              keep_step(tx, mine, name, left);
                          });
        reply = handle(request);
    } catch (const AnsweredFirst&) {
        auto answer = known(mine.key);
        reply = answer ? std::move(*answer) : in_progress();
        request.keep_reply = nullptr;
        return std::move(*reply);
    } catch (...) {
        request.keep_reply = nullptr;
        release(mine, false);
        throw;
    }
    request.keep_reply = nullptr;
    return settle(mine, std::move(*reply));
}

api::Reply Keeper::settle(Attempt& mine, api::Reply reply) {
    if (!is_success(reply)) {
        release(mine, !mine.key.resumes || !is_open(reply));
        // An equal request of another process may have been the cause: it took the last seats itself.
        auto answer = known(mine.key);
        return answer ? std::move(*answer) : std::move(reply);
    }
    if (mine.stored)
        return std::move(*mine.stored);
    // Declared by its route to be stored with its write: if a process dies here, the write would run again.
    if (mine.claim.empty())
        log::warning("answer_kept_late", {{"route", mine.key.route}});
    try {
        static_cast<void>(store_.write([&](store::Transaction& tx) -> Result<void> {
            keep(tx, mine, reply);
            return {};
        }));
    } catch (const AnsweredFirst&) {
        if (auto answer = known(mine.key))
            return std::move(*answer);
    } catch (const store::Failure& failure) {
        // The effect exists and must be reported; a repetition learns that it was interrupted.
        log::warning("answer_not_kept", {{"route", mine.key.route}, {"cause", log::redacted(failure.what())}});
    }
    return reply;
}

std::optional<api::Reply> Keeper::known(const Key& key) const {
    struct Row {
        std::string request_hash;
        std::optional<std::string> answer;
        std::optional<Instant> running_until;
        Instant created_at, expires_at;
    };
    const Instant now = clock_.now();
    const auto row = store_.reading<std::optional<Row>>([&](store::Session& session) {
        return store::first_struct<Row, std::string, std::optional<std::string>, std::optional<Instant>, Instant,
                                   Instant>(
            session,
            "SELECT request_hash, answer, running_until, created_at, expires_at FROM svc_idempotency_keys"
            " WHERE key_hash = :key_hash AND expires_at > :now",
            {{"key_hash", key.hash}, {"now", now}});
    });
    if (!row || (!row->answer && *row->running_until <= now))
        return std::nullopt;
    if (row->request_hash != key.request_hash)
        return api::failed(errc::key_reused);
    if (!row->answer) {
        const bool has_begun = *row->running_until == row->expires_at;
        if (!has_begun || row->created_at.plus(claim_for) > now)
            return in_progress();
        return key.resumes ? std::nullopt : std::optional(api::failed(errc::request_interrupted));
    }
    SVC_ASSIGN_OR_RETURN(const auto text, keyring_->open(*row->answer, place_of(key.hash)));
    auto reply = from_text(text);
    return reply ? std::move(*reply) : api::failed(reply.error());
}

void Keeper::make_room(const Key& key) {
    const auto bound = key.network ? bound_() : std::nullopt;
    const auto is_full = [&](store::Session& session) {
        return session.number(
                   "SELECT CASE WHEN COUNT(*) >= :answers OR COALESCE(SUM(answer_bytes), 0) >= :bytes THEN 1 ELSE 0 END"
                   " FROM svc_idempotency_keys WHERE network = :network AND expires_at > :now",
                   {{"answers", bound->answers},
                    {"bytes", bound->bytes},
                    {"network", *key.network},
                    {"now", clock_.now()}}) == 1;
    };
    if (!bound || !store_.reading<bool>(is_full))
        return;
    log::warning("answers_dropped", {{"route", key.route}});
    // Several at a time, so that not each further request has to. Where this fails the reply is kept beyond the bound.
    static_cast<void>(store_.write([&](store::Transaction& tx) -> Result<void> {
        for (std::int64_t dropped = 1; dropped > 0 && is_full(tx);)
            dropped = tx.run(
                "DELETE FROM svc_idempotency_keys WHERE key_hash IN (SELECT key_hash FROM svc_idempotency_keys"
                " WHERE network = :network AND answer IS NOT NULL AND route <> :spared ORDER BY created_at LIMIT "
                ":most)",
                {{"network", *key.network}, {"spared", bound->spared}, {"most", bound->answers / 20 + 1}});
        return {};
    }));
}

bool Keeper::claim(Attempt& mine) {
    bool claimed = false;
    const Instant now = clock_.now();
    static_cast<void>(store_.write([&](store::Transaction& tx) -> Result<void> {
        claimed = mine.is_resumed = mine.key.resumes && resume(tx, mine, now);
        if (claimed)
            return {};
        mine.expires_at = now.plus(kept_for);
        claimed = tx.run(
                      "INSERT INTO svc_idempotency_keys (key_hash, route, request_hash, claim, running_until,"
                      " expires_at, created_at, network)"
                      " VALUES (:key_hash, :route, :request_hash, :claim, :running_until, :expires_at, :now, :network)"
                      " ON CONFLICT (key_hash) DO UPDATE SET request_hash = excluded.request_hash, answer = NULL,"
                      " claim = excluded.claim, running_until = excluded.running_until,"
                      " expires_at = excluded.expires_at, created_at = excluded.created_at"
                      " WHERE svc_idempotency_keys.expires_at <= :now"
                      " OR (svc_idempotency_keys.answer IS NULL AND svc_idempotency_keys.running_until <= :now)",
                      {{"key_hash", mine.key.hash},
                       {"route", mine.key.route},
                       {"request_hash", mine.key.request_hash},
                       {"claim", mine.claim},
                       {"running_until", now.plus(claim_for)},
                       {"expires_at", mine.expires_at},
                       {"now", now},
                       {"network", mine.key.network}}) > 0;
        return {};
    }));
    return claimed;
}

// Takes over an interrupted request with its claim: its steps end with it.
bool Keeper::resume(store::Transaction& tx, Attempt& mine, Instant now) {
    const auto taken = tx.run(
        "UPDATE svc_idempotency_keys SET claim = :claim, created_at = :now WHERE key_hash = :key_hash"
        " AND request_hash = :request_hash AND answer IS NULL AND running_until = expires_at AND expires_at > :now"
        " AND created_at <= :interrupted",
        {{"claim", mine.claim},
         {"now", now},
         {"key_hash", mine.key.hash},
         {"request_hash", mine.key.request_hash},
         {"interrupted", now.minus(claim_for)}});
    if (taken == 0)
        return false;
    mine.expires_at =
        store::value<Instant>(tx, "SELECT expires_at FROM svc_idempotency_keys WHERE key_hash = :key_hash",
                              {{"key_hash", mine.key.hash}})
            .value();
    return true;
}

// In the request's own write: from then on its claim lasts as long as the key, so that a request whose process dies
// afterwards is not run a second time.
void Keeper::begin(store::Transaction& tx, const Attempt& mine) {
    if (mine.stored)
        return;  // its answer is there already
    if (tx.run(
            "UPDATE svc_idempotency_keys SET running_until = expires_at WHERE key_hash = :key_hash AND claim = :claim",
            {{"key_hash", mine.key.hash}, {"claim", mine.claim}}) == 0)
        throw AnsweredFirst();  // it took too long to begin
}

// An error response means that nothing relevant changed; after an exception something may have changed, so the key is
// marked as interrupted at once.
void Keeper::release(const Attempt& mine, bool even_begun) noexcept {
    if (mine.claim.empty())
        return;
    try {
        static_cast<void>(store_.write([&](store::Transaction& tx) -> Result<void> {
            tx.run(
                "DELETE FROM svc_idempotency_keys WHERE key_hash = :key_hash AND claim = :claim AND answer IS NULL"
                " AND (:even_begun = 1 OR running_until < expires_at)",
                {{"key_hash", mine.key.hash}, {"claim", mine.claim}, {"even_begun", even_begun}});
            if (mine.key.resumes && !even_begun)
                tx.run(
                    "UPDATE svc_idempotency_keys SET created_at = :interrupted WHERE key_hash = :key_hash"
                    " AND claim = :claim AND answer IS NULL",
                    {{"interrupted", clock_.now().minus(claim_for)},
                     {"key_hash", mine.key.hash},
                     {"claim", mine.claim}});
            return {};
        }));
    } catch (const std::exception& failure) {
        // It ends by itself.
        log::warning("claim_not_released", {{"cause", log::redacted(failure.what())}});
    }
}

void Keeper::keep(store::Transaction& tx, const Attempt& mine, const api::Reply& reply) const {
    const Instant now = clock_.now();
    const auto sealed = keyring_->seal(to_text(reply), place_of(mine.key.hash));
    const auto stored = tx.run(
        "INSERT INTO svc_idempotency_keys (key_hash, route, request_hash, answer, expires_at, created_at, network,"
        " answer_bytes)"
        " VALUES (:key_hash, :route, :request_hash, :answer, :expires_at, :now, :network, :answer_bytes)"
        " ON CONFLICT (key_hash) DO UPDATE SET request_hash = excluded.request_hash, answer = excluded.answer,"
        " network = excluded.network, answer_bytes = excluded.answer_bytes, claim = NULL, running_until = NULL, "
        "expires_at = excluded.expires_at, created_at = excluded.created_at"
        " WHERE svc_idempotency_keys.expires_at <= :now OR svc_idempotency_keys.claim = :claim",
        {{"key_hash", mine.key.hash},
         {"route", mine.key.route},
         {"request_hash", mine.key.request_hash},
         {"answer", sealed},
         {"network", mine.key.network},
         {"answer_bytes", static_cast<std::int64_t>(sealed.size())},
         {"expires_at", now.plus(kept_for)},
         {"now", now},
         {"claim", mine.claim}});
    if (stored == 0)
        throw AnsweredFirst();
}

// A separate row, deleted with the key's.
void Keeper::keep_step(store::Transaction& tx, const Attempt& mine, std::string_view name,
                       const json::Value& left) const {
    if (mine.stored)
        return;  // the whole answer is there
    const std::string hash = hash_of({mine.key.hash, name});
    const auto sealed = keyring_->seal(left.dump(), place_of(hash));
    tx.run(
        "INSERT INTO svc_idempotency_keys (key_hash, route, request_hash, answer, expires_at, created_at, network,"
        " answer_bytes)"
        " VALUES (:key_hash, :route, :request_hash, :answer, :expires_at, :now, :network, :answer_bytes)"
        " ON CONFLICT (key_hash) DO UPDATE SET request_hash = excluded.request_hash, answer = excluded.answer,"
        " network = excluded.network, answer_bytes = excluded.answer_bytes, expires_at = excluded.expires_at, "
        "created_at = excluded.created_at",
        {{"key_hash", hash},
         {"route", mine.key.route},
         {"request_hash", mine.key.request_hash},
         {"answer", sealed},
         {"network", mine.key.network},
         {"answer_bytes", static_cast<std::int64_t>(sealed.size())},
         {"expires_at", mine.expires_at},
         {"now", clock_.now()}});
}

std::optional<json::Value> Keeper::step_before(const Attempt& mine, std::string_view name) const {
    if (!mine.is_resumed)
        return std::nullopt;
    const std::string hash = hash_of({mine.key.hash, name});
    const auto sealed = store_.reading<std::optional<std::string>>([&](store::Session& session) {
        return store::value<std::string>(
            session,
            "SELECT answer FROM svc_idempotency_keys WHERE key_hash = :key_hash AND request_hash = :request_hash"
            " AND expires_at = :expires_at",
            {{"key_hash", hash}, {"request_hash", mine.key.request_hash}, {"expires_at", mine.expires_at}});
    });
    if (!sealed)
        return std::nullopt;
    const auto text = keyring_->open(*sealed, place_of(hash));
    const auto left = text ? json::parse(*text) : Result<json::Value>(text.error());
    if (!left)
        throw std::runtime_error("what a step left cannot be opened");  // doing it again is not the way out
    return *left;
}

std::int64_t Keeper::clean_up() {
    std::int64_t deleted = 0;
    const auto done = store_.write([&](store::Transaction& tx) -> Result<void> {
        deleted = tx.run("DELETE FROM svc_idempotency_keys WHERE expires_at <= :now", {{"now", clock_.now()}});
        return {};
    });
    return done ? deleted : 0;
}

}  // namespace svc::idempotency
