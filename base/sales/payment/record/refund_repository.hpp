// Rows of refunds.
#pragma once

#include "base/sales/payment/record/intent.hpp"
#include "shared/record/record.hpp"

namespace svc::payment {

// How refunds are stored and rendered.
const record::Record<Refunded>& refund_record();

class RefundRepository {
  public:
    static std::optional<Refunded> find(store::Session& session, std::int64_t id);
    static std::optional<Refunded> by_provider(store::Session& session, std::string_view gateway,
                                               std::string_view gateway_refund_id);
    static std::vector<Refunded> of_payment(store::Session& session, std::int64_t payment_id);

    static std::int64_t insert(store::Transaction& tx, const Refunded& refund);
    static void update(store::Transaction& tx, const Refunded& refund, Instant now);

    static std::vector<std::int64_t> due(store::Session& session, Instant now, std::int64_t most);
    static void note_inquiry(store::Transaction& tx, std::int64_t id, Instant next);
};

}  // namespace svc::payment
