// The rules of payments: recording them, and the consequences for their booking.
#pragma once

#include <functional>

#include "base/platform/crypto/crypto.hpp"
#include "base/sales/booking/record/service.hpp"
#include "base/sales/payment/gateways/service.hpp"
#include "base/sales/payment/record/repository.hpp"
#include "base/settings/values/settings.hpp"
#include "shared/hooks/hooks.hpp"

namespace svc::payment {

// Staff's fields of a payment; absent members keep the stored value, or get their default.
struct Draft {
    std::optional<std::int64_t> booking_id = {};
    std::optional<std::string> amount = {};    // decimal text
    std::optional<std::string> currency = {};  // must be the booking's
    // `method` is another name of the gateway; besides a gateway, or when it is none, it is a label.
    std::optional<std::string> gateway = {}, method = {}, transaction_id = {}, status = {}, notes = {};
    std::optional<Date> date = {};
    std::optional<std::string> method_label = {};
    std::optional<std::string> type = {};  // until it is completed
};

// Any thread.
class Service {
  public:
    struct Parts {
        store::Store& store;
        hooks::Hooks& hooks;
        settings::Settings& settings;
        Gateways& gateways;
        const crypto::Keyring& keyring;
        booking::Service& bookings;
        const Clock& clock;
        std::function<bool(std::string_view module)> module_enabled;
    };
    explicit Service(Parts parts)
        : gateways({.store = parts.store,
                    .hooks = parts.hooks,
                    .settings = parts.settings,
                    .gateways = parts.gateways,
                    .keyring = parts.keyring,
                    .clock = parts.clock,
                    .module_enabled = parts.module_enabled}),
          parts_(std::move(parts)) {}

    GatewayService gateways;

    // Records a payment by hand.
    Result<Payment> record(const Draft& draft, std::int64_t user_id);
    // The same inside the caller's transaction, which may hold the booking's lock already.
    Result<Payment> record(store::Transaction& tx, const Draft& draft, std::int64_t user_id, Instant now);
    // Whether a payment may have that gateway: a registered one, or a name for manual payments.
    [[nodiscard]] bool takes(std::string_view gateway) const;
    // The amount paid of a booking, recomputed from its payments. `booking` was read under its lock.
    Result<void> recompute(store::Transaction& tx, const booking::Booking& booking, Instant now);
    Result<Payment> update(std::int64_t id, const Draft& draft, std::int64_t user_id);
    Result<void> remove(std::int64_t id);
    Result<Payment> find(std::int64_t id);
    Result<Payment> seen(std::int64_t id, const api::Caller& staff);  // payment_not_found: not a guide's to see
    // A token for that payment's invoice; for callers who may see the payment.
    [[nodiscard]] std::string invoice_token(const Payment& payment) const;
    static std::optional<Payment> read(store::Session& session, std::int64_t id) {
        return Repository::find(session, id);
    }
    // Oldest first; for documents.
    static std::vector<Payment> of_booking(store::Session& session, std::int64_t booking_id) {
        return Repository::of_booking(session, booking_id);
    }

    // The only way in which a payment takes effect: a gateway's response, an event, a scheduled charge or staff.
    // `booking` was read under its lock; `payment` is new (id 0) or a record that reaches completed. A transaction that
    // this booking has already is returned without effect.
    struct Captured {
        Payment payment;
        bool repeated = false;
    };
    Result<Captured> capture(store::Transaction& tx, const booking::Booking& booking, Payment payment, Channel channel,
                             Instant now);
    // Whether such a payment, full or partial, confirms a pending booking.
    [[nodiscard]] bool confirms(store::Transaction& tx, std::int64_t booking_id, Channel channel, bool settles) const;
    // The same for a gateway's future payment, outside a transaction: also false for a booking in a status that no
    // payment confirms. booking_not_found.
    [[nodiscard]] Result<bool> would_confirm(std::int64_t booking_id, bool settles) const;
    // Whether a booking is confirmed as it is made: it costs nothing, or is paid offline under mode `all`. In its
    // transaction.
    [[nodiscard]] bool confirms_new(store::Transaction& tx, const booking::Booking& booking) const;

  private:
    // `tx` null: outside of a transaction.
    [[nodiscard]] bool confirms(store::Transaction* tx, std::int64_t booking_id, Channel channel, bool settles) const;
    [[nodiscard]] static std::string_view type_of(const Ledger& before, const Money& amount,
                                                  const booking::Booking& booking);
    static void settle_types(store::Transaction& tx, const booking::Booking& booking, const Ledger& ledger,
                             Instant now);
    // Writes the sums of that ledger if they changed, and the types; returns the booking.
    booking::Booking settle_sums(store::Transaction& tx, const booking::Booking& booking, const Ledger& ledger,
                                 Instant now);
    // The consequences of a completed payment for its booking: events, confirmation. Once per payment.
    Result<void> report_completed(store::Transaction& tx, const booking::Booking& after, const Payment& payment,
                                  Channel channel, Instant now);
    Result<void> apply(Payment& payment, const Draft& draft, const booking::Booking& booking) const;
    Result<void> apply_gateway(Payment& payment, const Draft& draft) const;

    Parts parts_;
};

}  // namespace svc::payment
