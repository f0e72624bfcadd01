// Settings through their filters; days and amounts in the site's format.
#include "pro/scheduled_payments/site.hpp"

#include <algorithm>

#include "pro/scheduled_payments/scheduled_payment.hpp"
#include "shared/core/date_format.hpp"

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
    add("scheduled_payment_max_attempts", api::integer(1, 10), 3, "Number of attempts per charge, one day apart.");
}

json::Value Site::setting(std::string_view key) const {
    json::Value stored = settings_.get(key);
    if (!hooks_.knows(setting_filter.name))
        return stored;
    json::Value theirs = hooks_.apply(setting_filter, stored, {json::Value(key)});
    return theirs.kind() == stored.kind() ? theirs : stored;
}

bool Site::is_on() const {
    const bool on = modules_.enabled(module_slug);
    return (hooks_.knows(active_filter.name) ? hooks_.apply(active_filter, on, {}).boolean() : on) &&
           setting("enable_scheduled_payments").boolean();
}

Terms Site::terms() const {
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

bool Site::sends_reminders() const {
    return settings_.get("enable_customer_notifications").boolean() &&
           settings_.get("email_template_scheduled_payment_reminder").boolean();
}

Zone Site::zone() const {
    const auto zone = Zone::named(settings_.text("timezone"));
    return zone ? *zone : Zone::utc();
}

Date Site::today(Instant now) const { return zone().date_at(now); }

Look Site::look() const {
    return {.date_format = settings_.text("date_format"),
            .decimal_separator = settings_.text("decimal_separator"),
            .thousand_separator = settings_.text("thousand_separator"),
            .currency_behind = settings_.text("currency_position").starts_with("right"),
            .whole_without_decimals = settings_.get("currency_decimals") == json::Value(0)};
}

std::string Look::day(Date date) const { return formatted(date, date_format); }

std::string Look::amount(const Money& money) const {
    const std::string decimal = money.decimal(), code(money.currency().code());
    const std::size_t point = std::min(decimal.find('.'), decimal.size());
    std::string text = decimal.substr(0, point);
    for (std::size_t at = text.size(); at > 3; at -= 3)
        text.insert(at - 3, thousand_separator);
    const bool is_whole = decimal.find_first_not_of('0', point + 1) == std::string::npos;
    if (point < decimal.size() && !(whole_without_decimals && is_whole))
        text += decimal_separator + decimal.substr(point + 1);
    return currency_behind ? text + " " + code : code + " " + text;
}

}  // namespace svc::pro::scheduled_payments
