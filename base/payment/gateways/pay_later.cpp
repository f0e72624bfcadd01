// pay_later: an offline gateway.
#include "base/payment/gateways/pay_later.hpp"

namespace svc::payment {
namespace {

class PayLater final : public Gateway {
  public:
    [[nodiscard]] const GatewayInfo& info() const override { return info_; }

    [[nodiscard]] bool available(const json::Value&, const Money&) const override { return true; }

    [[nodiscard]] std::string instructions(const json::Value& config, const json::Value& booking) const override {
        if (std::string own = config.text_or("instructions"); !own.empty())
            return own;
        const std::string reference = booking.text_or("reference");  // none before there is a booking
        const std::string name_it =
            " and name your booking reference" + (reference.empty() ? std::string() : " " + reference) + ".";
        if (const auto share = required_deposit(config); share && reference.empty())
            return "Nothing is charged now. Please pay a deposit of " + share->percent() + " % within " +
                   time_to_pay(config, booking) + name_it;
        else if (share && is_part(booking))
            return "Nothing is charged now. Please pay the deposit of " + booking.text_or("amount_due_formatted") +
                   " within " + time_to_pay(config, booking) + name_it;
        return "Nothing is charged now. Please pay within " + time_to_pay(config, booking) + name_it;
    }

  private:
    // The amount due is less than the balance.
    static bool is_part(const json::Value& booking) {
        const auto number = [&](const char* name) {
            return booking[name].is_number() ? booking[name].number_text() : std::string("0");
        };
        const bool none_paid = number("amount_paid").find_first_not_of("0.") == std::string::npos;
        return none_paid && number("amount_due") != number("total");
    }
    static std::string count(std::int64_t number, const std::string& of) {
        return std::to_string(number) + " " + of + (number == 1 ? "" : "s");
    }
    // Until its deadline, or until the site expires unpaid bookings, if sooner.
    static std::string time_to_pay(const json::Value& config, const json::Value& booking) {
        const std::int64_t days = config.maybe_integer("payment_deadline_days").value_or(7);
        const auto hours = booking.maybe_integer("pay_within_hours");
        if (!hours || *hours >= days * 24)
            return count(days, "day");
        return *hours > 24 && *hours % 24 == 0 ? count(*hours / 24, "day") : count(*hours, "hour");
    }

    const GatewayInfo info_{
        .id = "pay_later",
        .title = "Pay later",
        .description = "Book now. The next page says how to pay, and until when.",
        .icon = "",
        .is_offline = true,
        .fields = {
            {.id = "payment_deadline_days",
             .type = "number",
             .label = "Days to pay",
             .description = "Days after booking by which payment is due.",
             .fallback = 7,
             .least = 1,
             .most = 60,
             .is_public = true},
            {.id = "reminder_days",
             .type = "text",
             .label = "Reminders",
             .description = "Days before the due date on which reminders are sent, such as 7,3,1; empty for none.",
             .fallback = "7,3,1"},
            {.id = "auto_cancel_days",
             .type = "number",
             .label = "Days of grace",
             .description = "Days after the due date until an unpaid booking is cancelled, if unpaid bookings do not"
                            " expire earlier.",
             .fallback = 3,
             .least = 0,
             .most = 30},
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
             .description = "Instructions shown after booking; empty for the default text.",
             .fallback = ""}}};
};

}  // namespace

std::optional<Rate> required_deposit(const json::Value& config) {
    if (!config.maybe_boolean("require_deposit").value_or(false))
        return {};
    return Rate{.ppm = config.maybe_integer("deposit_amount").value_or(10) * 10'000};
}

std::shared_ptr<Gateway> make_pay_later() { return std::make_shared<PayLater>(); }

}  // namespace svc::payment
