// The rules of payments: recording them, what they do to their booking, gateways and their configuration.
#pragma once

#include <functional>
#include <map>
#include <mutex>

#include "base/booking/record/service.hpp"
#include "base/payment/gateways.hpp"
#include "base/payment/repository.hpp"
#include "base/platform/crypto/crypto.hpp"
#include "base/settings/settings.hpp"
#include "shared/hooks/hooks.hpp"

namespace svc::payment {

// The change-feed channel of gateways' configurations: on it `Service::forget_configs()` is due.
inline constexpr std::string_view gateways_channel = "payment_gateways";

// What staff write into a payment; absent members keep what is stored, or their default.
struct Draft {
    std::optional<std::int64_t> booking_id = {};
    std::optional<std::string> amount = {};    // decimal text
    std::optional<std::string> currency = {};  // must be the booking's
    // `method` is the gateway by its other name; beside a gateway, and where it is none, it is the label.
    std::optional<std::string> gateway = {}, method = {}, transaction_id = {}, status = {}, notes = {};
    std::optional<Date> date = {};
    std::optional<std::string> method_label = {};
    std::optional<std::string> type = {};  // until it is completed
};

// A gateway as it is offered: its declaration and what the operator made of it.
struct OfferedGateway {
    const Gateway* gateway = nullptr;
    bool enabled = false;
    json::Value config = {};  // secrets opened
    bool test_mode = true;    // the site's at present, or its own

    // Whether it can take that amount, by the keys of the world that it works in.
    [[nodiscard]] bool takes(const Money& amount) const;
};

// payment_method_unavailable: the gateway is there, that amount is not for it.
Error not_for(const Money& amount);

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
    explicit Service(Parts parts) : parts_(std::move(parts)) {}

    // Seals gateways' secrets with the key in use where they are sealed with another; how many.
    Result<std::int64_t> renew_sealed();
    // Records a payment by hand; `kept` runs in the same transaction with what will be answered.
    Result<Payment> record(const Draft& draft, std::int64_t user_id);
    // The same inside the caller's transaction, which may hold the booking's lock already.
    Result<Payment> record(store::Transaction& tx, const Draft& draft, std::int64_t user_id, Instant now);
    // Whether a payment may be of that gateway: a registered one, or one of the names for what is paid by hand.
    [[nodiscard]] bool takes(std::string_view gateway) const;
    // What is paid of a booking, reckoned anew from its payments. `booking` is as read under its lock.
    Result<void> recompute(store::Transaction& tx, const booking::Booking& booking, Instant now);
    Result<Payment> update(std::int64_t id, const Draft& draft, std::int64_t user_id);
    Result<void> remove(std::int64_t id);
    Result<Payment> find(std::int64_t id);
    Result<Payment> seen(std::int64_t id, const api::Caller& staff);  // payment_not_found: not a guide's to see
    // Proves the right to read that payment's invoice; for who may see the payment.
    [[nodiscard]] std::string invoice_token(const Payment& payment) const;
    // Oldest first; for documents.
    static std::vector<Payment> of_booking(store::Session& session, std::int64_t booking_id) {
        return Repository::of_booking(session, booking_id);
    }

    // The one way a payment takes effect, whoever brings it: a gateway's answer, an event, a scheduled charge or our
    // staff. `booking` is as read under its lock; `payment` is a new one (id 0) or a record that reaches completed. A
    // transaction that is recorded on this booking is answered as it stands and does nothing.
    struct Captured {
        Payment payment;
        bool repeated = false;
    };
    Result<Captured> capture(store::Transaction& tx, const booking::Booking& booking, Payment payment, Channel channel,
                             Instant now);
    // Whether a payment that comes that way, and settles the balance or not, confirms a pending booking.
    [[nodiscard]] bool confirms(store::Transaction& tx, std::int64_t booking_id, Channel channel, bool settles) const;
    // The same of a gateway's payment that is still to come, asked outside of a transaction: false as well for a
    // booking in a status that no payment confirms. booking_not_found.
    [[nodiscard]] Result<bool> would_confirm(std::int64_t booking_id, bool settles) const;
    // Whether a booking is confirmed as it is made: it costs nothing, or is paid offline under mode `all`. In its
    // transaction.
    [[nodiscard]] bool confirms_new(store::Transaction& tx, const booking::Booking& booking) const;

    // Gateways that can take `amount` now, in the operator's order.
    [[nodiscard]] std::vector<OfferedGateway> offered(const Money& amount, bool remaining);
    // One of them by its id: invalid_gateway when it is unknown or off, payment_method_unavailable when it cannot take
    // the amount.
    [[nodiscard]] Result<OfferedGateway> offered(std::string_view id, const Money& amount);
    // The same of those that customers may book with: a listener may leave some out. What is still open of a booking
    // may be paid by the others too.
    [[nodiscard]] std::vector<OfferedGateway> bookable(const Money& amount);
    [[nodiscard]] Result<OfferedGateway> bookable(std::string_view id, const Money& amount);
    [[nodiscard]] std::vector<OfferedGateway> known();  // all, for the operator
    // As it is configured, be it offered or not: what was begun by it can be ended. invalid_gateway: there is none.
    [[nodiscard]] Result<OfferedGateway> known(std::string_view id);
    // How a booking is paid by it, `told` as it is on the wire; null before there is one.
    [[nodiscard]] std::string instructions(const OfferedGateway& offered, json::Value told) const;
    // Whether that gateway works in its provider's world for tests. `session`: of the caller's transaction.
    [[nodiscard]] bool in_test_mode(store::Session& session, const std::string& gateway);
    // What is stored of its configuration, secrets sealed. `session`: of the caller's transaction.
    [[nodiscard]] json::Value plain_config(store::Session& session, const std::string& gateway);
    // Checks the members against the gateway's fields, seals its secrets, stores. Masked secrets keep what is stored.
    Result<OfferedGateway> configure(std::string_view id, const json::Value& config);
    // What is stored is read anew when it is next asked for. What this process configures it forgets by itself.
    void forget_configs();
    // The configuration as an operator may see it.
    [[nodiscard]] static json::Value shown(const OfferedGateway& offered);

  private:
    // `tx` null: outside of a transaction.
    [[nodiscard]] bool confirms(store::Transaction* tx, std::int64_t booking_id, Channel channel, bool settles) const;
    [[nodiscard]] OfferedGateway stored(const Gateway& gateway);
    [[nodiscard]] OfferedGateway as_stored(const Gateway& gateway, const std::optional<StoredConfig>& row);
    [[nodiscard]] bool ends_unpaid(const json::Value& told) const;
    [[nodiscard]] bool in_test_mode(const json::Value& config) const;
    std::optional<StoredConfig> row_of(const std::string& slug, store::Session* session = nullptr);
    [[nodiscard]] Result<json::Value> opened(const GatewayInfo& info, const std::string& config) const;
    [[nodiscard]] static std::string_view type_of(const Ledger& before, const Money& amount,
                                                  const booking::Booking& booking);
    static void settle_types(store::Transaction& tx, const booking::Booking& booking, const Ledger& ledger,
                             Instant now);
    // Writes what is paid by that ledger, where it is another sum, and the types; the booking as it is then.
    booking::Booking settle_sums(store::Transaction& tx, const booking::Booking& booking, const Ledger& ledger,
                                 Instant now);
    // What the completion of a payment means for its booking: events, confirmation. Once a payment.
    Result<void> tell_completed(store::Transaction& tx, const booking::Booking& after, const Payment& payment,
                                Channel channel, Instant now);
    Result<void> list(store::Transaction& tx, const std::string& id, bool enabled);
    // Nothing: somebody saved it meanwhile, and nothing was done.
    std::optional<Result<OfferedGateway>> configured(const Gateway& gateway, const json::Value& changes);
    static Result<void> is_complete(const OfferedGateway& offered);
    static Result<void> take(const std::vector<GatewayField>& fields, const std::string& name, const json::Value& value,
                             json::Value& config);
    void sanitize(const std::vector<GatewayField>& fields, OfferedGateway& now) const;
    Result<void> apply(Payment& payment, const Draft& draft, const booking::Booking& booking) const;
    Result<void> apply_gateway(Payment& payment, const Draft& draft) const;

    Parts parts_;
    // Rows as they are at rest, secrets sealed; no row is remembered too.
    std::mutex configs_mutex_;
    std::map<std::string, std::optional<StoredConfig>, std::less<>> configs_;
    std::uint64_t configs_forgotten_ = 0;
};

}  // namespace svc::payment
