// Bearer secrets bound to one purpose and one subject, hashed at rest: booking_token and its kin (promise S7).
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "base/platform/limits/client_address.hpp"
#include "base/platform/limits/rate_limits.hpp"
#include "shared/core/date.hpp"
#include "shared/store/store.hpp"

// For statements that check a secret together with their own rows, in one trip. Purpose and kind of the subject are
// literals, `subject_id` is a column.
#define SVC_TOKEN_LIVES "t.revoked_at IS NULL AND t.expires_at > :now AND (t.max_uses IS NULL OR t.used_at IS NULL)"
#define SVC_TOKEN_JOIN(purpose, subject_type, subject_id)                                    \
    " LEFT JOIN svc_access_tokens t ON t.token_hash = :token_hash AND t.purpose = '" purpose \
    "'"                                                                                      \
    " AND t.subject_type = '" subject_type "' AND t.subject_id = " subject_id
#define SVC_TOKEN_COLUMNS                                          \
    "t.id, t.token_hash, t.expires_at, CASE WHEN " SVC_TOKEN_LIVES \
    " THEN 1 ELSE 0 END, t.created_at,"                            \
    " CASE WHEN t.payload = '{}' THEN 0 ELSE 1 END"
#define SVC_TOKEN_TYPES "itiiii"

namespace svc::identity {

struct Token {
    std::int64_t id = 0;
    std::string purpose, subject_type;  // "booking_guest", "booking"
    std::int64_t subject_id = 0;
    Instant expires_at, created_at;
    std::string payload = {};
};

namespace tokens {
// 256 random bits, stored as SHA-256; the secret is only returned once. `payload`, JSON, distinguishes tokens of one
// purpose.
inline constexpr std::string_view no_payload = "{}";
std::string issue(store::Transaction& tx, std::string_view purpose, std::string_view subject_type,
                  std::int64_t subject_id, Instant now, std::chrono::seconds lifetime,
                  std::string_view payload = no_payload);
// The live token of that secret, purpose and subject; nothing for unknown, expired, revoked or another's.
std::optional<Token> find(store::Session& session, std::string_view secret, std::string_view purpose,
                          std::string_view subject_type, std::int64_t subject_id, Instant now);
// The same of any subject.
std::optional<Token> open(store::Session& session, std::string_view secret, std::string_view purpose,
                          std::string_view subject_type, Instant now);
// Marks a use; false when the token is no longer valid, as a single-use one after its first use in any process.
bool use(store::Transaction& tx, std::int64_t token_id, Instant now);
// Marks a signed link, which has no row, as used; false when it was used before. `lifetime` is the link's.
bool spend(store::Transaction& tx, std::string_view link, std::string_view subject_type, std::int64_t subject_id,
           Instant now, std::chrono::seconds lifetime);
void renew(store::Transaction& tx, std::int64_t token_id, Instant expires_at);
void revoke(store::Transaction& tx, std::int64_t token_id, Instant now);
void revoke_all(store::Transaction& tx, std::string_view subject_type, std::int64_t subject_id, Instant now);
// Deletes tokens that ended a month ago; returns how many.
std::int64_t clean_up(store::Transaction& tx, Instant now);

// A token as joined to a statement's subject: the columns SVC_TOKEN_COLUMNS from `at` on. Without an id it was never
// issued for that subject; an expired one was, and is no guess.
struct Joined {
    std::int64_t id = 0;
    std::string hash = {};
    Instant expires_at = {};
    bool is_valid = false;
    Instant created_at = {};
    bool has_payload = false;

    // Whether it is that secret's and counts now.
    [[nodiscard]] bool proves(std::string_view secret) const;
};
Joined read_joined(const store::Row& row, std::size_t at);
// The values that SVC_TOKEN_JOIN and SVC_TOKEN_COLUMNS name: token_hash and now. An empty secret finds nothing.
store::Params joined_params(std::string_view secret, Instant now);

// Whether one of that purpose and subject, without a payload, was revoked, in the last month at least.
bool was_revoked(store::Session& session, std::string_view purpose, std::string_view subject_type,
                 std::int64_t subject_id);

// Limits guesses at secrets of any kind by address: 30 per minute (S20). Checked before the secret: 429
// svc_rate_limited even for a correct one while the address has guessed too often, or a guesser would simply continue.
Result<void> may_try(const limits::RateLimits& limits, std::string_view address);
// Counts a wrong one in the database: success while the caller may learn that it was wrong, 429 after too many. Not
// inside a transaction.
Result<void> wrong_guess(limits::RateLimits& limits, std::string_view address);
}  // namespace tokens

}  // namespace svc::identity
