// Declarations, one for each setting; the switches and texts of templates come from their table.
#include "base/messaging/templates/settings.hpp"

#include <algorithm>

#include "base/messaging/outbox/addresses.hpp"
#include "base/messaging/templates/hooks.hpp"
#include "base/messaging/templates/merge_tags.hpp"
#include "base/messaging/templates/plugin_templates.hpp"
#include "base/messaging/templates/template_keys.hpp"
#include "base/platform/outbound/header.hpp"

namespace svc::messaging {
namespace {

// Addresses separated by commas; none at all is fine.
Result<void> check_addresses(const json::Value& value) {
    for (std::string_view rest = value.text(); !rest.empty();) {
        const auto end = std::min(rest.find_first_of(",;"), rest.size());
        const std::string_view one = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        if (one.find_first_not_of(" \t") != std::string_view::npos && addresses_of(one).empty())
            return Error{errc::validation_error, "Enter e-mail addresses separated by commas."_sentence};
    }
    return {};
}

Result<void> check_address(const json::Value& value) {
    if (value.text().empty() || outbound::is_address(value.text()))
        return {};
    return Error{errc::validation_error, "Enter a valid e-mail address."_sentence};
}

using CheckText = std::function<Result<void>(const json::Value&)>;

// Of the texts of one template: they can be read and use no tag that its e-mails lack. Nobody knows the tags of a
// plugin's e-mail while the plugin is not there.
CheckText template_check(const Template& which, const hooks::Hooks& hooks, const PluginTemplatesPtr& of_plugins) {
    return [key = std::string(which.key), event = std::string(which.event_key), &hooks,
            of_plugins](const json::Value& value) -> Result<void> {
        SVC_RETURN_IF_ERROR(as_template(value.text()));
        if (value.text().find("{{") == std::string::npos)
            return {};
        const Template* found = of_plugins && event.empty() ? of_plugins->find(key) : nullptr;
        if (event.empty() && !found)
            return {};
        const std::string_view known = found ? found->event_key : std::string_view(event);
        if (auto fault = unknown_tag(value.text(), known, tags_of(hooks, known)))
            return Error{errc::validation_error, std::move(*fault)};
        return {};
    };
}

void declare_server(settings::Settings& settings) {
    settings.declare({.key = "smtp_enabled",
                      .type = api::boolean(),
                      .initial = false,
                      .help = "Deliver e-mails to the mail server; when off, they stay queued.",
                      .group = "email"});
    settings.declare({.key = "smtp_host",
                      .type = api::text(253),
                      .initial = "",
                      .help = "Host name of the mail server.",
                      .group = "email"});
    settings.declare({.key = "smtp_port",
                      .type = api::integer(1, 65535),
                      .initial = 587,
                      .help = "Port of the mail server.",
                      .group = "email"});
    settings.declare({.key = "smtp_username",
                      .type = api::text(254),
                      .initial = "",
                      .help = "Login for the mail server; empty for none.",
                      .group = "email"});
    settings.declare({.key = "smtp_password",
                      .type = api::raw_text(500),
                      .initial = "",
                      .help = "Password for the mail server; enter it again when changing smtp_host and with"
                              " smtp_encryption none.",
                      .group = "email",
                      .secret = true});
    settings.declare({.key = "smtp_encryption",
                      .type = api::choice({"tls", "ssl", "none"}),
                      .initial = "tls",
                      .help = "tls requires STARTTLS, ssl uses TLS from the start, none is unencrypted.",
                      .group = "email"});
}

void declare_people(settings::Settings& settings) {
    settings.declare({.key = "email_text_retention_days",
                      .type = api::integer(1, 3650),
                      .initial = 90,
                      .help = "Number of days that the texts of sent e-mails are kept.",
                      .group = "system"});
    settings.declare({.key = "email_retention_days",
                      .type = api::integer(1, 3650),
                      .initial = 365,
                      .help = "Number of days that the list of sent e-mails is kept, without their texts.",
                      .group = "system"});
    settings.declare({.key = "unproven_mails_per_hour",
                      .type = api::integer(0, 1000),
                      .initial = 10,
                      .help =
                          "E-mails per hour to one mailbox that anonymous visitors can trigger: about enquiries, about"
                          " attempts to register, and about bookings that no signed-in owner of the address made"
                          " and nobody has paid for. Three quarters of them by one network, and six times as many"
                          " by one network to all mailboxes. Further ones are sent later, none after two days."
                          " Confirmation links for guests have a separate limit of the same size. 0: no limit.",
                      .group = "email"});
    settings.declare(
        {.key = "admin_email",
         .type = api::text(1000),
         .initial = "",
         .help = "Recipients of notifications about bookings and payments, separated by commas. Defaults to the"
                 " address of the first administrator.",
         .group = "email",
         .also_checks = check_addresses});
    settings.declare({.key = "from_email",
                      .type = api::text(254),
                      .initial = "",
                      .help = "Sender address; defaults to the first of admin_email.",
                      .group = "email",
                      .also = {"email_from_address"},
                      .also_checks = check_address});
    settings.declare({.key = "from_name",
                      .type = api::text(190),
                      .initial = "",
                      .help = "Sender name; defaults to company_name.",
                      .group = "email",
                      .also = {"email_from_name"}});
    settings.declare({.key = "email_always_bcc",
                      .type = api::text(1000),
                      .initial = "",
                      .help = "Addresses that receive a blind copy of every e-mail to customers.",
                      .group = "email",
                      .also_checks = check_addresses});
    settings.declare({.key = "enable_admin_notifications",
                      .type = api::boolean(),
                      .initial = true,
                      .help = "Send e-mails to staff.",
                      .group = "email"});
    settings.declare({.key = "enable_customer_notifications",
                      .type = api::boolean(),
                      .initial = true,
                      .help = "Send e-mails to customers.",
                      .group = "email"});
}

void declare_other_ways(settings::Settings& settings) {
    settings.declare({.key = "sms_notifications",
                      .type = api::boolean(),
                      .initial = false,
                      .help = "Reserved for extensions that send text messages.",
                      .group = "email"});
    settings.declare({.key = "sms_provider",
                      .type = api::text(100),
                      .initial = "",
                      .help = "Reserved for extensions that send text messages.",
                      .group = "email"});
    settings.declare({.key = "sms_api_key",
                      .type = api::raw_text(500),
                      .initial = "",
                      .help = "Reserved for extensions that send text messages.",
                      .group = "email",
                      .secret = true});
    settings.declare({.key = "enable_push_notifications",
                      .type = api::boolean(),
                      .initial = false,
                      .help = "Reserved for extensions that send push messages.",
                      .group = "email"});
}

// Whether the e-mail's own key is another name for what `name` is to it: not if it is the same word, nor if it is
// another template's own.
bool is_alias(const Template& which, std::string_view Template::*name) {
    const auto all = templates();
    return which.*name != which.key &&
           std::none_of(all.begin(), all.end(), [&](const Template& each) { return each.*name == which.key; });
}

void declare_template(settings::Settings& settings, const Template& each, const hooks::Hooks& hooks,
                      const PluginTemplatesPtr& of_plugins) {
    const auto key = std::string(each.key);
    const TemplateKeys keys = own_keys_of(each);
    std::vector<std::string> switches;
    if (key == "booking_confirmation")
        switches.push_back(key);
    if (is_alias(each, &Template::flag))
        switches.push_back("email_template_" + key);
    const auto by_key = [&](const char* part) {
        return is_alias(each, &Template::base) ? std::vector<std::string>{"email_tpl_" + key + part}
                                               : std::vector<std::string>{};
    };
    settings.declare({.key = keys.switched_by,
                      .type = api::boolean(),
                      .initial = each.initial,
                      .help = "Send the e-mail " + key + ".",
                      .group = "email_templates",
                      .also = std::move(switches)});
    settings.declare({.key = keys.subject,
                      .type = api::text(300),
                      .initial = "",
                      .help = "Subject of " + key + "; empty for the default.",
                      .group = "email_templates",
                      .also = by_key("_subject"),
                      .also_checks = template_check(each, hooks, of_plugins)});
    settings.declare({.key = keys.body,
                      .type = api::raw_text(60'000),
                      .initial = "",
                      .help = "HTML of " + key + "; empty for the default.",
                      .group = "email_templates",
                      .also = by_key("_body"),
                      .also_checks = template_check(each, hooks, of_plugins)});
    if (is_for_one(each))
        return;
    settings.declare({.key = keys.cc,
                      .type = api::text(1000),
                      .initial = "",
                      .help = "Addresses that receive a copy of " + key + ".",
                      .group = "email_templates",
                      .also = by_key("_cc"),
                      .also_checks = check_addresses});
    settings.declare({.key = keys.bcc,
                      .type = api::text(1000),
                      .initial = "",
                      .help = "Addresses that receive a blind copy of " + key + ".",
                      .group = "email_templates",
                      .also = by_key("_bcc"),
                      .also_checks = check_addresses});
}

// E-mails of modules of Pro whose settings the data model gives to every edition, so that they stay when Pro goes.
constexpr std::string_view of_modules[] = {"scheduled_payment_reminder", "scheduled_payment_succeeded",
                                           "scheduled_payment_failed", "admin_scheduled_payment_failed"};

}  // namespace

void declare_settings_of(const Template& which, settings::Settings& settings, const hooks::Hooks& hooks,
                         const PluginTemplatesPtr& of_plugins) {
    const auto all = settings.all();
    const std::string key = own_keys_of(which).switched_by;
    if (std::none_of(all.begin(), all.end(), [&](const settings::Setting& each) { return each.key == key; }))
        declare_template(settings, which, hooks, of_plugins);
}

void declare_settings(settings::Settings& settings, const hooks::Hooks& hooks, const PluginTemplatesPtr& of_plugins) {
    declare_server(settings);
    declare_people(settings);
    declare_other_ways(settings);
    for (const auto& each : templates())
        declare_template(settings, each, hooks, of_plugins);
    for (const std::string_view key : of_modules)
        declare_template(settings, {.key = key, .flag = key, .base = key, .event_key = {}}, hooks, of_plugins);
}

std::optional<outbound::SmtpSettings> smtp_server(const settings::Settings& settings,
                                                  const outbound::Allowed& allowed) {
    using Encryption = outbound::SmtpSettings::Encryption;
    if (!settings.flag("smtp_enabled") || settings.text("smtp_host").empty())
        return std::nullopt;
    const auto encryption = settings.text("smtp_encryption");
    return outbound::SmtpSettings{.host = settings.text("smtp_host"),
                                  .port = static_cast<int>(settings.integer("smtp_port")),
                                  .username = settings.text("smtp_username"),
                                  .password = settings.text("smtp_password"),
                                  .encryption = encryption == "none"  ? Encryption::none
                                                : encryption == "ssl" ? Encryption::ssl
                                                                      : Encryption::tls,
                                  .allowed = allowed};
}

}  // namespace svc::messaging
