// A payment gateway that lives in a plugin.
#pragma once

#include "base/payment/gateway.hpp"
#include "shared/plugin/guest.hpp"

namespace svc::plugins {

payment::GatewayInfo gateway_info_from(const json::Value& value);  // plugin::Malformed names the member

// Any thread. A plugin that fails is logged: its gateway is then not available and has no instructions.
class PluginGateway final : public payment::Gateway {
  public:
    PluginGateway(plugin::GuestPtr guest, payment::GatewayInfo info, const svc_gateway_1* table)
        : guest_(std::move(guest)), info_(std::move(info)), table_(table) {}
    [[nodiscard]] const payment::GatewayInfo& info() const override { return info_; }
    [[nodiscard]] bool available(const json::Value& config, const Money& amount) const override;
    [[nodiscard]] std::string instructions(const json::Value& config, const json::Value& booking) const override;

  private:
    plugin::GuestPtr guest_;
    payment::GatewayInfo info_;
    const svc_gateway_1* table_;
};

}  // namespace svc::plugins
