// pay_later: an offline gateway.
#include "base/sales/payment/gateways/pay_later.hpp"

namespace svc::payment {
namespace {

class PayLater final : public Gateway {
  public:
    [[nodiscard]] const GatewayInfo& info() const override { return info_; }

    [[nodiscard]] bool available(const json::Value&, const Money&) const override { return true; }

    // Empty: the text that ships (said.hpp).
    [[nodiscard]] std::vector<Sentence> instructions(const json::Value& config, const json::Value&) const override {
        const std::string text = config.text_or("instructions");
        return text.empty() ? std::vector<Sentence>() : std::vector<Sentence>{Sentence::verbatim(text)};
    }

  private:
    const GatewayInfo info_{
        .id = "pay_later",
        .title = default_text("Pay later"),
        .description = default_text("Book now. The next page says how to pay, and until when."),
        .icon = "",
        .is_offline = true,
        .fields = {
            {.id = "payment_deadline_days",
             .type = "number",
             .label = "Days to pay",
             .description = "Days after booking by which payment is due; while empty, the site's hours for unpaid"
                            " bookings count.",
             .fallback = 7,
             .least = 1,
             .most = 60,
             .is_public = true,
             .proposed = true},
            {.id = "reminder_days",
             .type = "text",
             .label = "Reminders",
             .description = "Days before the due date on which reminders are sent, such as 7,3,1; empty for none.",
             .fallback = "7,3,1"},
            {.id = "require_deposit",
             .type = "boolean",
             .label = "Ask for a deposit",
             .description = "Require a deposit from customers who choose to pay in full later.",
             .fallback = false,
             .is_public = true},
            {.id = "deposit_amount",
             .type = "number",
             .label = "Deposit",
             .description = "The deposit in percent of the total.",
             .fallback = 10,
             .least = 1,
             .most = 50,
             .is_public = true},
            {.id = "instructions",
             .type = "textarea",
             .label = "Instructions",
             .description = "How customers pay: shown after booking and in e-mails. {reference} stands for the booking"
                            " reference.",
             .fallback = "",
             .filled = true}}};
};

}  // namespace

std::shared_ptr<Gateway> make_pay_later() { return std::make_shared<PayLater>(); }

}  // namespace svc::payment
