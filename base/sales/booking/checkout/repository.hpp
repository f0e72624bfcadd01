// Rows of checkout sessions.
#pragma once

#include "base/sales/booking/checkout/session.hpp"
#include "base/sales/booking/record/sealing.hpp"
#include "shared/store/store.hpp"

namespace svc::booking {

class SessionRepository {
  public:
    static std::int64_t insert(store::Transaction& tx, const CheckoutSession& session, Instant now);
    static std::optional<CheckoutSession> find(store::Session& session, std::string_view token_hash);
    static void update(store::Transaction& tx, const CheckoutSession& session);
    // One that has ended meanwhile stays ended.
    static void renew(store::Transaction& tx, std::int64_t id, Instant expires_at, Instant now);
    // False when another request converted it first.
    static bool convert(store::Transaction& tx, std::int64_t id, std::int64_t booking_id);
    static void close(store::Transaction& tx, std::int64_t id);
    // Seals with the key in use the drafts that another key sealed, of at most so many rows after `last`, which moves
    // on; returns how many.
    static std::int64_t renew_drafts(store::Transaction& tx, const crypto::Keyring& keyring, std::int64_t most,
                                     std::int64_t& last);
    static std::int64_t remove_expired(store::Transaction& tx, Instant before, std::int64_t most);
};

}  // namespace svc::booking
