// The site's configuration for scheduled payments: modules, settings, calendar and format of amounts.
#pragma once

#include "pro/scheduled_payments/plan.hpp"
#include "shared/plugin/host.hpp"

namespace svc::pro::scheduled_payments {

void declare_settings(plugin::Settings& settings);

// The format of days and amounts: read once, so that a transaction need not.
struct Look {
    std::string date_format, decimal_separator, thousand_separator;
    bool currency_behind = false;
    bool whole_without_decimals = false;  // setting currency_decimals is 0

    [[nodiscard]] std::string day(Date date) const;
    [[nodiscard]] std::string amount(const Money& money) const;
};

// Any thread; the host outlives it.
class Site {
  public:
    explicit Site(const plugin::Host& host)
        : modules_(host.need<plugin::Modules>()), settings_(host.need<plugin::Settings>()), hooks_(host.hooks()) {}

    // Whether balances are charged by themselves: the module is on, and so is enable_scheduled_payments.
    [[nodiscard]] bool is_on() const;
    [[nodiscard]] Terms terms() const;
    [[nodiscard]] std::int64_t reminder_days() const { return number("scheduled_payment_reminder_days"); }
    [[nodiscard]] std::int64_t max_attempts() const { return number("scheduled_payment_max_attempts"); }
    // Whether customers get a reminder before a charge.
    [[nodiscard]] bool sends_reminders() const;

    [[nodiscard]] Zone zone() const;
    [[nodiscard]] Date today(Instant now) const;
    [[nodiscard]] Currency currency() const { return Currency::parse(settings_.text("currency")).value(); }
    [[nodiscard]] Look look() const;

  private:
    // As stored, after the filters; ignores a value of another type.
    [[nodiscard]] json::Value setting(std::string_view key) const;
    [[nodiscard]] std::int64_t number(std::string_view key) const { return setting(key).integer(); }

    const plugin::Modules& modules_;
    const plugin::Settings& settings_;
    const plugin::Hooks& hooks_;
};

}  // namespace svc::pro::scheduled_payments
