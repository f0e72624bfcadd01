// A payment gateway that a plugin implements.
#pragma once

#include "base/sales/payment/gateways/gateway.hpp"
#include "shared/plugin/guest.hpp"

namespace svc::plugins {

// Any thread. A failing plugin is logged: its gateway is unavailable then, has no instructions, and its calls return
// svc_gateway_unavailable.
class PluginGateway final : public payment::Gateway {
  public:
    PluginGateway(plugin::GuestPtr guest, payment::GatewayInfo info, const svc_gateway_1* table);
    PluginGateway(plugin::GuestPtr guest, payment::GatewayInfo info, const svc_gateway_2* table);

    [[nodiscard]] const payment::GatewayInfo& info() const override { return info_; }
    [[nodiscard]] bool available(const json::Value& config, const Money& amount) const override;
    [[nodiscard]] std::vector<Sentence> instructions(const json::Value& config,
                                                     const json::Value& booking) const override;

    [[nodiscard]] Result<payment::Intent> intent(const payment::Situation& situation,
                                                 const payment::IntentRequest& request) const override;
    [[nodiscard]] Result<payment::Charge> confirm(const payment::Situation& situation,
                                                  const payment::Inquiry& inquiry) const override;
    [[nodiscard]] Result<std::vector<payment::Event>> webhook(const payment::Situation& situation,
                                                              const payment::WebhookCall& call) const override;
    [[nodiscard]] Result<payment::Refund> refund(const payment::Situation& situation,
                                                 const payment::RefundRequest& request) const override;
    [[nodiscard]] Result<payment::Charge> charge_saved(const payment::Situation& situation,
                                                       const payment::SavedCharge& charge) const override;
    [[nodiscard]] Result<void> forget_saved(const payment::Situation& situation,
                                            const payment::SavedMethod& method) const override;
    [[nodiscard]] Result<std::string> probe(const payment::Situation& situation) const override;

    // The names in `supports` that the table has no function for.
    [[nodiscard]] static std::vector<std::string> lacking(const payment::GatewayInfo& info, const svc_gateway_2* table);

  private:
    using Available = std::int32_t(void*, svc_text, std::int64_t, svc_text);
    using Instructions = svc_status(void*, svc_text, svc_text, svc_answer*);
    using Call = svc_status(void*, svc_text, svc_answer*);
    template <class Read>
    auto ask(const char* what, Call* call, const json::Value& request, const Read& read) const
        -> Result<decltype(read(request))>;
    void log_failure(std::string_view what, const std::exception& failure) const;

    plugin::GuestPtr guest_;
    payment::GatewayInfo info_;
    void* context_;
    Available* available_;
    Instructions* instructions_;
    const svc_gateway_2* table_ = nullptr;  // null: one of svc.gateways/1
};

}  // namespace svc::plugins
