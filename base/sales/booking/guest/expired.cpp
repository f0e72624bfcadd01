// The proof of a booking whose secrets ended: the token that its expiry ended.
#include "base/sales/booking/guest/expired.hpp"

#include "base/platform/crypto/crypto.hpp"

namespace svc::booking {
namespace {

constexpr std::chrono::hours shown_for{7 * 24};
// A token lives a day and a booking often as long, so that a token that ran out within the last day counts too.
constexpr std::chrono::hours before_expiry{24};

// Tokens that the booking's end ended. A token that a changed address had ended before is no proof.
bool was_token(store::Session& session, std::string_view secret, std::int64_t booking_id, Instant ended_at) {
    return session.number(
               "SELECT COUNT(*) FROM svc_access_tokens WHERE token_hash = :token_hash AND purpose = 'booking_guest'"
               " AND subject_type = 'booking' AND subject_id = :id AND revoked_at = :ended_at AND expires_at > :lived",
               {{"token_hash", crypto::sha256_hex(secret)},
                {"id", booking_id},
                {"ended_at", ended_at},
                {"lived", ended_at.minus(before_expiry)}}) > 0;
}

}  // namespace

std::optional<json::Value> expired_unpaid(const Service& bookings, store::Store& store, std::string_view secret,
                                          std::int64_t booking_id, Instant now) {
    const auto booking = bookings.find(booking_id);
    if (secret.empty() || !booking || booking->status != status::cancelled || !booking->cancelled_at ||
        booking->cancelled_at->plus(shown_for) < now)
        return std::nullopt;
    const bool is_proof = store.reading<bool>(
        [&](store::Session& session) { return was_token(session, secret, booking_id, *booking->cancelled_at); });
    if (!is_proof)
        return std::nullopt;
    json::Value whole = bookings.detail(*booking, false);
    return whole.text_or("cancelled_via") == "expiry" ? std::optional(std::move(whole)) : std::nullopt;
}

}  // namespace svc::booking
