// The offline gateway bank_transfer.
#include "pro/gateways/bank_transfer.hpp"

#include <array>

#include "pro/common/confirmation.hpp"
#include "pro/gateways/provider.hpp"

namespace svc::pro::gateways {
namespace {

plugin::GatewayField field(const char* id, const char* type, const char* label, const char* description) {
    return {.id = id, .type = type, .label = label, .description = description};
}

plugin::GatewayField working_days_to_pay() {
    plugin::GatewayField days = field("payment_deadline_working_days", "number", "Working days to pay",
                                      "Days from Monday to Friday after booking by which the money must have come;"
                                      " while empty, the site's hours for unpaid bookings count.");
    days.fallback = 5;
    days.least = 1;
    days.most = 60;
    days.is_public = true;
    days.proposed = true;
    return days;
}

plugin::GatewayInfo bank_transfer_info() {
    return {.id = "bank_transfer",
            .title = default_text("Bank transfer"),
            .description = default_text("Pay by transfer to our account."),
            .icon = "",
            .is_offline = true,
            .fields = {field("bank_name", "text", "Bank", "Name of the bank."),
                       required(field("account_name", "text", "Account holder", "Name of the account holder.")),
                       required(field("account_number", "text", "Account number", "Account number or IBAN.")),
                       field("routing_code", "text", "Routing code", "BIC, sort code or routing number, if any."),
                       field("instructions", "textarea", "Instructions", "Text shown above the account details."),
                       working_days_to_pay()}};
}

class BankTransfer final : public plugin::Gateway {
  public:
    explicit BankTransfer(const plugin::Host& host) : host_(host) {}

    [[nodiscard]] const plugin::GatewayInfo& info() const override { return info_; }

    // Without an account there is nowhere to send the money.
    [[nodiscard]] bool available(const json::Value& config, const Money& amount) const override {
        return !amount.is_negative() && !config.text_or("account_name").empty() &&
               !config.text_or("account_number").empty();
    }

    [[nodiscard]] std::vector<Sentence> instructions(const json::Value& config,
                                                     const json::Value& booking) const override {
        const std::string own = config.text_or("instructions");
        std::vector<Sentence> lines{own.empty() ? Sentence("Please transfer the amount due to this account."_sentence)
                                                : Sentence::verbatim(own)};
        for (const auto& [id, line] : lines_)
            if (const auto value = config.text_or(id); !value.empty())
                lines.push_back(line.with("value", value));
        if (const auto reference = booking.text_or("reference"); !reference.empty())
            lines.push_back("Reference: {reference}"_sentence.with("reference", reference));
        lines.push_back(sentence_about_confirmation(booking));
        return lines;
    }

  private:
    [[nodiscard]] SentenceId sentence_about_confirmation(const json::Value& booking) const {
        if (booking.text_or("status") == "confirmed")
            return "Your booking is confirmed."_sentence;
        const auto id = booking.maybe_integer("booking_id").value_or(booking.maybe_integer("id").value_or(0));
        // Staff record a transfer manually, which confirms nothing by itself: only a mode in which every payment does.
        return confirms_on_payment(host_, id, false)
                   ? "Your booking is confirmed once we have received your payment."_sentence
                   : "We confirm your booking after we have received the money."_sentence;
    }

    static constexpr std::array<std::pair<const char*, SentenceId>, 4> lines_{
        {{"bank_name", "Bank: {value}"_sentence},
         {"account_name", "Account holder: {value}"_sentence},
         {"account_number", "Account number: {value}"_sentence},
         {"routing_code", "Routing code: {value}"_sentence}}};
    const plugin::Host& host_;
    const plugin::GatewayInfo info_ = bank_transfer_info();
};

}  // namespace

std::unique_ptr<plugin::Gateway> bank_transfer(const plugin::Host& host) {
    return std::make_unique<BankTransfer>(host);
}

}  // namespace svc::pro::gateways
