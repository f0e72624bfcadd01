// A payment gateway as the base calls it, whether it lives in the base or in a plugin.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shared/api/schema.hpp"
#include "shared/core/money.hpp"
#include "shared/json/value.hpp"

namespace svc::payment {

// A member of a gateway's configuration form.
struct GatewayField {
    std::string id, type, label, description;  // type: text, textarea, password, number, boolean, select
    json::Value fallback;
    std::vector<std::string> options = {};
    bool secret = false;
    std::optional<std::int64_t> least = {}, most = {};
};

struct GatewayInfo {
    std::string id;  // "pay_later": [a-z_]+
    std::string title, description, icon;
    bool is_offline = false;
    std::vector<std::string> supports = {};  // "refunds", "saved_methods"
    std::vector<GatewayField> fields = {};
    std::string module = {};  // offered only while that module is on
    bool requires_pro = false;
};

// Any thread. `config` is the stored configuration with secrets opened. Nothing here may hold a transaction open
// while it speaks to a provider.
class Gateway {
  public:
    virtual ~Gateway() = default;
    [[nodiscard]] virtual const GatewayInfo& info() const = 0;
    [[nodiscard]] virtual bool available(const json::Value& config, const Money& amount) const = 0;
    // What the customer reads after booking with an offline gateway; plain text, empty when there is none.
    [[nodiscard]] virtual std::string instructions(const json::Value& config, const json::Value& booking) const = 0;
};

}  // namespace svc::payment
