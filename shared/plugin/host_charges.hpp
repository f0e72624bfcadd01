// Charges a booking's customer in their absence: svc.booking.charges/1 as a plugin sees it.
#pragma once

#include "shared/plugin/host.hpp"

namespace svc::plugin {

// Waits for a provider: never call it inside a transaction.
class BookingCharges {
  public:
    using Table = svc_booking_charges_1;
    static constexpr const char* id = SVC_BOOKING_CHARGES_1;
    static bool usable(const Table* table) { return SVC_HAS(svc_booking_charges_1, table, charge); }
    explicit BookingCharges(const Table* table) : table_(table) {}

    // The saved methods that can be charged after that payment.
    struct AgreedMethod {
        std::optional<std::int64_t> method_id = {};  // saved with the customer's consent during the payment
        std::string gateway = {};
        bool keeps_methods = false;  // whether the gateway can
    };
    [[nodiscard]] Result<AgreedMethod> agreed_method(std::int64_t payment_id) const;

    struct Request {
        std::int64_t booking_id = 0, method_id = 0;
        Money amount;
        std::string key;  // the same key is the same charge: it is looked up, not repeated
        // Set: charge_in_progress where the booking owes another amount by now. An older base does not look.
        std::optional<Money> balance = {};
    };
    struct Charged {
        payment::Progress progress = payment::Progress::waiting;
        std::optional<std::int64_t> payment_id = {};
        std::string transaction_id = {}, gateway = {}, method = {}, reason = {};
    };
    // gateway_unavailable: the outcome is unknown; payment_error: a person must check it; else nothing was charged.
    [[nodiscard]] Result<Charged> charge(const Request& request) const;

  private:
    const Table* table_;
};

}  // namespace svc::plugin
