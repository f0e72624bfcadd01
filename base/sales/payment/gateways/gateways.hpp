// The payment gateways of this installation, of the base and of its plugin, by id.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/sales/payment/gateways/gateway.hpp"

namespace svc::payment {

// Filled at start-up by one thread; once closed it only answers, any thread.
class Gateways {
  public:
    // Throws std::logic_error for a second gateway of an id, an id that is not [a-z_]+, or after close().
    void add(std::shared_ptr<Gateway> gateway);
    void close() { is_open_ = false; }
    [[nodiscard]] bool is_open() const { return is_open_; }
    // Null when there is none. Valid as long as this object.
    [[nodiscard]] const Gateway* find(std::string_view id) const;
    [[nodiscard]] const std::vector<std::shared_ptr<Gateway>>& all() const { return gateways_; }  // as added

    static bool is_id(std::string_view text);

  private:
    std::vector<std::shared_ptr<Gateway>> gateways_;
    bool is_open_ = true;
};

// The settings of a gateway: the common ones, then its own.
std::vector<GatewayField> fields_of(const GatewayInfo& info);

// Whether the setting payment_gateways, as `listed`, names that one.
bool is_listed(const json::Value& listed, std::string_view id);
// Whether a setting may become that list of gateways: new entries must exist in this installation.
Result<void> may_list(const Gateways& gateways, const std::string& key, const json::Value& requested,
                      const json::Value& present);

}  // namespace svc::payment
