// SQL of charges that wait for their booking.
#pragma once

#include <vector>

#include "base/sales/payment/record/intent.hpp"
#include "shared/store/store.hpp"

namespace svc::payment {

class HeldRepository {
  public:
    static std::int64_t insert(store::Transaction& tx, const HeldCharge& held);
    static std::optional<HeldCharge> find(store::Session& session, std::int64_t id);
    static std::optional<HeldCharge> by_key(store::Session& session, std::string_view key);
    static std::optional<HeldCharge> by_provider(store::Session& session, std::string_view gateway,
                                                 std::string_view provider_id);
    // Those that a page of that session may still pay by, the newest first.
    static std::vector<HeldCharge> open_of(store::Session& session, std::int64_t session_id, Instant now);
    // The provider's answer to our asking for it.
    static void store_answer(store::Transaction& tx, std::int64_t id, std::string_view provider_id,
                             std::string_view page);
    // No further requests to the provider.
    static void settle(store::Transaction& tx, std::int64_t id, std::string_view status,
                       std::string_view reconciliation, std::string_view error);
    // No longer needed: cancelled with the provider in the next run. False when it was attached or cancelled before.
    static bool release(store::Transaction& tx, std::int64_t id, Instant now);
    // Stores the charge's return_url and cancel_url.
    static void return_to(store::Transaction& tx, const PaymentIntent& charge);
    // False when it was taken over or let go before.
    static bool adopt(store::Transaction& tx, std::int64_t id);
    // The booking that its session became.
    static std::optional<std::int64_t> booking_of(store::Session& session, const HeldCharge& held);

    // Those that wait for that booking, the newest first.
    static std::vector<HeldCharge> of_booking(store::Session& session, std::int64_t booking_id);

    // Due ones: expired, released, or of a session that has been booked.
    static std::vector<std::int64_t> due(store::Session& session, Instant now, std::int64_t most);
    static void note_inquiry(store::Transaction& tx, std::int64_t id, Instant next);
};

}  // namespace svc::payment
