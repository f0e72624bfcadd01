// The settings of scheduled payments, after their filters.
#pragma once

#include "pro/common/site.hpp"
#include "pro/scheduled_payments/plan.hpp"

namespace svc::pro::scheduled_payments {

void declare_settings(plugin::Settings& settings);

// Any thread; the site outlives it.
class Configuration {
  public:
    explicit Configuration(const Site& site) : site_(site) {}

    // Whether balances are charged by themselves: the module is on, and so is enable_scheduled_payments.
    [[nodiscard]] bool is_on() const;
    [[nodiscard]] Terms terms() const;
    [[nodiscard]] std::int64_t reminder_days() const { return number("scheduled_payment_reminder_days"); }
    // Days before a charge on which customers read that their card ends before it; 0: they do not.
    [[nodiscard]] std::int64_t card_notice_days() const { return number("scheduled_payment_card_notice_days"); }
    [[nodiscard]] std::int64_t max_attempts() const { return number("scheduled_payment_max_attempts"); }
    // Whether customers get a reminder before a charge.
    [[nodiscard]] bool sends_reminders() const;

  private:
    // As stored, after the filters; ignores a value of another type.
    [[nodiscard]] json::Value setting(std::string_view key) const;
    [[nodiscard]] std::int64_t number(std::string_view key) const { return setting(key).integer(); }

    const Site& site_;
};

}  // namespace svc::pro::scheduled_payments
