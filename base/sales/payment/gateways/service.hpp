// Gateways as they are configured and offered.
#pragma once

#include <functional>
#include <map>
#include <mutex>

#include "base/platform/crypto/crypto.hpp"
#include "base/sales/booking/record/ports.hpp"
#include "base/sales/payment/gateways/gateways.hpp"
#include "base/sales/payment/gateways/repository.hpp"
#include "base/settings/values/settings.hpp"
#include "shared/hooks/hooks.hpp"

namespace svc::payment {

// The change-feed channel of gateways' configurations: on it `GatewayService::forget_configs()` is due.
inline constexpr std::string_view gateways_channel = "payment_gateways";

// A gateway as offered: its declaration and the operator's configuration.
struct OfferedGateway {
    const Gateway* gateway = nullptr;
    bool enabled = false;
    json::Value config = {};  // secrets opened
    bool test_mode = true;    // the site's at present, or its own

    // Whether it can take that amount with the keys of its current mode, test or live.
    [[nodiscard]] bool takes(const Money& amount) const;
};

// payment_method_unavailable: the gateway is there, that amount is not for it.
Error not_for(const Money& amount);

// Any thread.
class GatewayService {
  public:
    struct Parts {
        store::Store& store;
        hooks::Hooks& hooks;
        settings::Settings& settings;
        Gateways& gateways;
        const crypto::Keyring& keyring;
        const Clock& clock;
        std::function<bool(std::string_view module)> module_enabled;
    };
    explicit GatewayService(Parts parts) : parts_(std::move(parts)) {}

    // Seals gateways' secrets with the key in use where they are sealed with another; how many.
    Result<std::int64_t> renew_sealed();
    // Gateways that can take `amount` now, in the operator's order.
    [[nodiscard]] std::vector<OfferedGateway> available(const Money& amount, bool remaining);
    // One of them by its id: invalid_gateway when it is unknown or off, payment_method_unavailable when it cannot take
    // the amount.
    [[nodiscard]] Result<OfferedGateway> available(std::string_view id, const Money& amount);
    // Those that customers may choose for a new booking: a listener may remove some. The others remain available for
    // balances.
    [[nodiscard]] std::vector<OfferedGateway> bookable(const Money& amount);
    [[nodiscard]] Result<OfferedGateway> bookable(std::string_view id, const Money& amount);
    [[nodiscard]] std::vector<OfferedGateway> all();  // for the operator
    // As configured, offered or not, so that open charges can be completed. invalid_gateway: there is none.
    [[nodiscard]] Result<OfferedGateway> find(std::string_view id);
    // The instructions for paying a booking in that language, `booking` as JSON; null before there is one.
    [[nodiscard]] std::string instructions(const OfferedGateway& offered, const json::Value& booking,
                                           std::string_view locale) const;
    // The same of an offline one by its id; empty for one that is off or paid online.
    [[nodiscard]] std::string offline_instructions(const std::string& id, const json::Value& booking,
                                                   std::string_view locale);
    // What customers call a gateway, offered or not, or an instrument that staff record.
    [[nodiscard]] std::string way(const std::string& id, std::string_view locale);
    // The deadline of a booking that is made with it now.
    [[nodiscard]] std::optional<Instant> pay_by(const OfferedGateway& offered,
                                                const std::optional<booking::Departs>& departs) const;
    // Whether that gateway works in its provider's test mode. `session`: of the caller's transaction.
    [[nodiscard]] bool in_test_mode(store::Session& session, const std::string& gateway);
    // Its stored configuration, secrets encrypted. `session`: of the caller's transaction.
    [[nodiscard]] json::Value plain_config(store::Session& session, const std::string& gateway);
    // Validates the members by the gateway's fields, encrypts its secrets and stores them. A masked secret keeps its
    // value.
    Result<OfferedGateway> configure(std::string_view id, const json::Value& config);
    // Whether the setting payment_gateways may become that: gateways that it adds can take payments. The error names
    // the gateway and what it lacks. In the transaction that writes it.
    [[nodiscard]] Result<void> may_offer(store::Session& session, const json::Value& listed);
    // Drops the cache, so that the next call reads the database. configure() does so itself.
    void forget_configs();
    // The instructions that ship with a gateway, as the operator's form shows them; nothing: it has none.
    [[nodiscard]] std::optional<std::string> shipped_text(std::string_view id) const;
    // The configuration as an operator may see it.
    [[nodiscard]] static json::Value masked_config(const OfferedGateway& offered);

  private:
    [[nodiscard]] std::vector<OfferedGateway> in_order(const std::function<bool(const Gateway&)>& is_wanted);
    [[nodiscard]] OfferedGateway stored(const Gateway& gateway);
    [[nodiscard]] OfferedGateway as_stored(const Gateway& gateway, const std::optional<StoredConfig>& row);
    [[nodiscard]] bool in_test_mode(const json::Value& config) const;
    std::optional<StoredConfig> row_of(const std::string& slug, store::Session* session = nullptr);
    [[nodiscard]] Result<json::Value> unseal(const GatewayInfo& info, const std::string& config) const;
    Result<void> list(store::Transaction& tx, const std::string& id, bool enabled);
    // Empty: another request saved it meanwhile, and nothing was written.
    std::optional<Result<OfferedGateway>> configured(const Gateway& gateway, const json::Value& changes);
    static Result<void> is_complete(const OfferedGateway& offered);
    static Result<void> take(const std::vector<GatewayField>& fields, const std::string& name, const json::Value& value,
                             json::Value& config);
    void sanitize(const std::vector<GatewayField>& fields, OfferedGateway& now) const;

    Parts parts_;
    // Rows as they are at rest, secrets sealed; no row is remembered too.
    std::mutex configs_mutex_;
    std::map<std::string, std::optional<StoredConfig>, std::less<>> configs_;
    std::uint64_t configs_forgotten_ = 0;
};

}  // namespace svc::payment
