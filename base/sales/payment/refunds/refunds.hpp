// Refunds: by the gateway of the payment or recorded by staff, as credit notes of their payment.
#pragma once

#include <functional>

#include "base/sales/payment/capture/service.hpp"
#include "base/sales/payment/record/intent.hpp"
#include "base/sales/payment/record/refund_repository.hpp"
#include "shared/payment/gateway.hpp"

namespace svc::payment {

// Any thread. Nothing here calls a gateway inside a transaction or under a lock.
class Refunds {
  public:
    struct Parts {
        store::Store& store;
        hooks::Hooks& hooks;
        Service& payments;
        booking::Service& bookings;
        const Clock& clock;
        // For the mode, test or live, that the charge was made in; empty: the site's current mode.
        std::function<Situation(const OfferedGateway&, std::optional<bool> is_test)> situation;
    };
    explicit Refunds(Parts parts) : parts_(std::move(parts)) {}

    struct Request {
        std::int64_t payment_id = 0;
        std::optional<std::string> amount = {};  // decimal text; all that is left when absent
        std::string reason = {};
        bool by_hand = false;       // the money was sent back outside of this server
        bool reduces_total = true;  // lowers the booking's total by the refund, so that it is not due again
        bool close = false;         // a booking that nothing is paid on any more ends as refunded
        std::int64_t user_id = 0;
    };
    // A pending refund has no outcome from the provider yet; the reconciliation asks again. For a repeated request it
    // is the refund that the first one created, stored in api::Steps by this name.
    static constexpr const char* first_step = "refund";
    Result<Refunded> refund(const Request& request);
    Result<std::vector<Refunded>> of_payment(std::int64_t payment_id, const api::Caller& staff);
    static std::vector<Refunded> of_payment(store::Session& session, std::int64_t payment_id);
    static std::optional<Refunded> find(store::Session& session, std::int64_t id);
    // Asks the provider again about pending ones.
    Result<json::Value> reconcile(Instant now, std::int64_t most);

    // Processes a provider's event about a refund. Empty: it is applied; else why a person must decide.
    std::string apply_event(store::Transaction& tx, const Payment& payment, const Event& event, Instant now);

  private:
    // `reply` stores the reply of a refund by hand.
    Result<Refunded> begin(const Request& request, bool by_gateway, const store::LastWork& reply);
    Result<Refunded> ask(const Refunded& refund);
    Result<Refunded> store_answer(std::int64_t refund_id, const Refund& answer);
    Result<Refunded> failed(std::int64_t refund_id, const std::string& why, const Refund& answer = {});
    // The booking after that refund: with a lower total if the refund lowers it.
    static Result<booking::Booking> owing_after(store::Transaction& tx, const booking::Booking& booking,
                                                Refunded& refund, Instant now);
    // The refund succeeded: updates sums and statuses, emits events.
    Result<void> complete(store::Transaction& tx, const booking::Booking& booking, Refunded refund, Instant now);

    Parts parts_;
};

json::Value to_json(const Refunded& refund);

}  // namespace svc::payment
