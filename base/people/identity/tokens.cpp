// Rows of svc_access_tokens.
#include "base/people/identity/tokens.hpp"

#include "base/people/identity/user.hpp"
#include "base/platform/crypto/crypto.hpp"
#include "shared/store/later.hpp"
#include "shared/store/typed.hpp"

namespace svc::identity {
namespace {

constexpr std::string_view guesses = "token_guess";

bool is_single_use(std::string_view purpose) {
    return purpose == "guest_verify" || purpose == "email_verify" || purpose == "email_change" ||
           purpose == "password_reset" || purpose == "team_invite";
}

}  // namespace

std::string tokens::issue(store::Transaction& tx, std::string_view purpose, std::string_view subject_type,
                          std::int64_t subject_id, Instant now, std::chrono::seconds lifetime,
                          std::string_view payload) {
    std::string secret = crypto::random_token();
    store::run_later(
        tx,
        "INSERT INTO svc_access_tokens (purpose, subject_type, subject_id, token_hash, payload, max_uses,"
        " expires_at, created_at) VALUES (:purpose, :subject_type, :subject_id, :token_hash, :payload, :max_uses,"
        " :expires_at, :now)",
        {{"purpose", purpose},
         {"subject_type", subject_type},
         {"subject_id", subject_id},
         {"token_hash", crypto::sha256_hex(secret)},
         {"payload", payload},
         {"max_uses", is_single_use(purpose) ? std::optional<std::int64_t>(1) : std::nullopt},
         {"expires_at", now.plus(lifetime)},
         {"now", now}});
    return secret;
}

namespace {

std::string hash_of(std::string_view secret) { return is_token(secret) ? crypto::sha256_hex(secret) : std::string(); }

}  // namespace

std::optional<Token> tokens::open(store::Session& session, std::string_view secret, std::string_view purpose,
                                  std::string_view subject_type, Instant now) {
    const std::string hash = hash_of(secret);
    if (hash.empty())
        return std::nullopt;
    const auto found =
        store::tuple<std::string, std::int64_t, std::string, std::string, std::int64_t, Instant, Instant, std::string>(
            session,
            "SELECT t.token_hash, t.id, t.purpose, t.subject_type, t.subject_id, t.expires_at, t.created_at,"
            " t.payload FROM svc_access_tokens t"
            " WHERE t.token_hash = :token_hash AND " SVC_TOKEN_LIVES,
            {{"token_hash", hash}, {"now", now}});
    if (!found)
        return std::nullopt;
    const auto& [stored, id, for_purpose, type, subject_id, expires_at, created_at, payload] = *found;
    if (!crypto::equal(stored, hash) || for_purpose != purpose || type != subject_type)
        return std::nullopt;
    return Token{.id = id,
                 .purpose = for_purpose,
                 .subject_type = type,
                 .subject_id = subject_id,
                 .expires_at = expires_at,
                 .created_at = created_at,
                 .payload = payload};
}

tokens::Joined tokens::read_joined(const store::Row& row, std::size_t at) {
    if (row.is_null(at))
        return {};
    return {.id = row.integer(at),
            .hash = row.text(at + 1),
            .expires_at = row.instant(at + 2),
            .is_valid = row.flag(at + 3),
            .created_at = row.instant(at + 4),
            .has_payload = row.flag(at + 5)};
}

bool tokens::Joined::proves(std::string_view secret) const { return is_valid && crypto::equal(hash, hash_of(secret)); }

store::Params tokens::joined_params(std::string_view secret, Instant now) {
    return {{"token_hash", hash_of(secret)}, {"now", now}};
}

std::optional<Token> tokens::find(store::Session& session, std::string_view secret, std::string_view purpose,
                                  std::string_view subject_type, std::int64_t subject_id, Instant now) {
    auto found = open(session, secret, purpose, subject_type, now);
    return found && found->subject_id == subject_id ? found : std::nullopt;
}

bool tokens::use(store::Transaction& tx, std::int64_t token_id, Instant now) {
    return tx.run("UPDATE svc_access_tokens AS t SET used_at = :now WHERE t.id = :id AND " SVC_TOKEN_LIVES,
                  {{"now", now}, {"id", token_id}}) > 0;
}

bool tokens::spend(store::Transaction& tx, std::string_view link, std::string_view subject_type,
                   std::int64_t subject_id, Instant now, std::chrono::seconds lifetime) {
    return tx.run(
               "INSERT INTO svc_access_tokens (purpose, subject_type, subject_id, token_hash, max_uses, expires_at,"
               " used_at, created_at) VALUES ('download', :subject_type, :subject_id, :token_hash, 1, :expires_at,"
               " :now, :now) ON CONFLICT (token_hash) DO NOTHING",
               {{"subject_type", subject_type},
                {"subject_id", subject_id},
                {"token_hash", crypto::sha256_hex(link)},
                {"expires_at", now.plus(lifetime)},
                {"now", now}}) > 0;
}

void tokens::renew(store::Transaction& tx, std::int64_t token_id, Instant expires_at) {
    tx.run("UPDATE svc_access_tokens SET expires_at = :expires_at WHERE id = :id AND revoked_at IS NULL",
           {{"expires_at", expires_at}, {"id", token_id}});
}

void tokens::revoke(store::Transaction& tx, std::int64_t token_id, Instant now) {
    tx.run("UPDATE svc_access_tokens SET revoked_at = :now WHERE id = :id AND revoked_at IS NULL",
           {{"now", now}, {"id", token_id}});
}

void tokens::revoke_all(store::Transaction& tx, std::string_view subject_type, std::int64_t subject_id, Instant now) {
    tx.run(
        "UPDATE svc_access_tokens SET revoked_at = :now WHERE subject_type = :subject_type"
        " AND subject_id = :subject_id AND revoked_at IS NULL",
        {{"now", now}, {"subject_type", subject_type}, {"subject_id", subject_id}});
}

std::int64_t tokens::clean_up(store::Transaction& tx, Instant now) {
    // A month, so that features can distinguish an expired token from an unknown one.
    return tx.run("DELETE FROM svc_access_tokens WHERE expires_at < :before",
                  {{"before", now.minus(std::chrono::hours(30 * 24))}});
}

bool tokens::was_revoked(store::Session& session, std::string_view purpose, std::string_view subject_type,
                         std::int64_t subject_id) {
    return session.number(
               "SELECT COUNT(*) FROM svc_access_tokens WHERE subject_type = :subject_type AND subject_id = :subject_id"
               " AND purpose = :purpose AND payload = :payload AND revoked_at IS NOT NULL",
               {{"subject_type", subject_type},
                {"subject_id", subject_id},
                {"purpose", purpose},
                {"payload", no_payload}}) > 0;
}

Result<void> tokens::may_try(const limits::RateLimits& limits, std::string_view address) {
    return limits::answer_of(limits.refused(guesses, limits::network_of(address)));
}

Result<void> tokens::wrong_guess(limits::RateLimits& limits, std::string_view address) {
    return limits::answer_of(
        limits.take_strictly({{guesses, limits::network_of(address), {30, std::chrono::seconds(60)}}}));
}

}  // namespace svc::identity
