// Settings through their filters.
#include "pro/scheduled_payments/configuration.hpp"

#include <algorithm>

#include "pro/scheduled_payments/scheduled_payment.hpp"

namespace svc::pro::scheduled_payments {
namespace {

const hooks::Filter setting_filter{.name = "svc_scheduled_payment_setting", .help = {}, .value = {}, .arguments = {}};
const hooks::Filter active_filter{
    .name = "svc_scheduled_payments_module_active", .help = {}, .value = json::Kind::boolean, .arguments = {}};

}  // namespace

void declare_settings(plugin::Settings& settings) {
    const auto add = [&](std::string key, api::Type type, json::Value fresh, std::string help) {
        settings.declare({.key = std::move(key),
                          .type = std::move(type),
                          .initial = std::move(fresh),
                          .help = std::move(help),
                          .group = "payment",
                          .module = std::string(module_slug)});
    };
    add("scheduled_payment_type", api::choice({"single", "installments"}), "single",
        "Charge the balance at once or in installments.");
    add("scheduled_payment_days", api::integer(1, 365), 15,
        "Days from the first payment to the first charge, if due dates count from the booking.");
    add("scheduled_payment_installments", api::integer(1, 24), 1, "Number of installments.");
    add("scheduled_payment_interval", api::integer(1, 365), 30, "Days between installments.");
    add("scheduled_payment_reminder_days", api::integer(0, 60), 3,
        "Days before a charge on which customers are notified.");
    add("scheduled_payment_card_notice_days", api::integer(0, 365), 30,
        "Days before a charge on which customers are notified of a card that ends before it; 0: they are not.");
    add("scheduled_payment_max_attempts", api::integer(1, 10), 3, "Number of attempts per charge, one day apart.");
}

json::Value Configuration::setting(std::string_view key) const {
    json::Value stored = site_.settings.get(key);
    if (!site_.hooks.knows(setting_filter.name))
        return stored;
    json::Value theirs = site_.hooks.apply(setting_filter, stored, {json::Value(key)});
    return theirs.kind() == stored.kind() ? theirs : stored;
}

bool Configuration::is_on() const {
    const bool on = site_.modules.enabled(module_slug);
    return (site_.hooks.knows(active_filter.name) ? site_.hooks.apply(active_filter, on, {}).boolean() : on) &&
           setting("enable_scheduled_payments").boolean();
}

Terms Configuration::terms() const {
    const bool in_parts = setting("scheduled_payment_type").text() == "installments";
    const auto within = [&](std::string_view key, std::int64_t least, std::int64_t most) {
        return static_cast<std::int32_t>(std::clamp(number(key), least, most));
    };
    return {.by_tour = setting("balance_anchor").text() == "tour",
            .installments = in_parts ? within("scheduled_payment_installments", 1, 24) : 1,
            .days = within("scheduled_payment_days", 1, 365),
            .interval = within("scheduled_payment_interval", 1, 365),
            .due_days = within("balance_due_days", 0, 365)};
}

bool Configuration::sends_reminders() const {
    return site_.settings.get("enable_customer_notifications").boolean() &&
           site_.settings.get("email_template_scheduled_payment_reminder").boolean();
}

}  // namespace svc::pro::scheduled_payments
