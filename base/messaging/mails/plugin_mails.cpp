// A queued e-mail is an action in the caller's transaction; its listener composes it.
#include "base/messaging/mails/plugin_mails.hpp"

#include <algorithm>

#include "base/messaging/mails/listeners.hpp"
#include "base/messaging/outbox/repository.hpp"
#include "base/messaging/templates/hooks.hpp"
#include "base/messaging/templates/settings.hpp"
#include "base/platform/outbound/header.hpp"
#include "shared/core/log.hpp"

namespace svc::messaging {
namespace {

constexpr std::size_t longest_key = 200;
// Of a queued mail, which crossed from the plugin within 64 MiB: a document in it is longer than texts of requests.
constexpr json::Limits queued_limits{.depth = 32, .elements = 10'000, .text = std::size_t{16} << 20};
constexpr std::string_view consent_requested = "consent.requested";

// Values may hold links that grant access, so they wait sealed, as the texts of e-mails do.
std::string place_of(const std::string& plugin) { return "svc_plugin_mail_queued." + plugin; }

std::string prefix_of(const std::string& plugin, std::string_view template_key) {
    return "plugin:" + plugin + ":" + std::string(template_key) + ":";
}

// A template of the base that it never sends itself: the module that does is a plugin's.
const Template* left_to_plugins(std::string_view key) {
    for (const Template& each : templates())
        if (each.key == key && (each.event_key == "booking.abandoned_recovery" || each.event_key == consent_requested))
            return &each;
    return nullptr;
}

// "date" in place of a language: a day, which is written as the reader's language and the site do.
Variables values_in(const mails::QueuedMail& mail, std::string_view locale, const settings::Settings& settings) {
    Variables values;
    for (const auto& [tag, text] : mail.values) {
        const auto date = text.find(std::string_view("date"));
        const auto day = date == text.end() ? std::nullopt : Date::parse(date->second);
        values.emplace(
            tag, day ? settings::day_in(locale, settings::look_of(settings), *day) : mails::text_for(text, locale));
    }
    return values;
}

}  // namespace

void PluginMails::listen() {
    messaging::listen(service_, plugin_mail_queued.name, "plugin_mails",
                      [this](const json::Array& arguments) { send(arguments.at(0).text(), arguments.at(1).text()); });
}

Result<void> PluginMails::check(const mails::OfferedTemplate& offered) const {
    return service_.parts.plugin_templates->check(offered);
}

void PluginMails::add(const std::string& plugin, const mails::OfferedTemplate& offered) {
    PluginTemplates& known = *service_.parts.plugin_templates;
    const bool is_first = known.empty();
    const Template& which = known.add(plugin, offered);
    service_.composer.add_files(which);
    declare_settings_of(which, site_.settings, site_.hooks, service_.parts.plugin_templates);
    if (!is_first)
        return;
    const auto done = site_.hooks.filter(
        merge_tag_definitions.name, {.name = "messaging.plugin_tags", .priority = 1},
        [templates = service_.parts.plugin_templates](store::Transaction*, const json::Array& given) {
            return to_json(templates->with_tags(tags_from(given.front())));
        });
    if (!done)
        throw std::logic_error("messaging cannot add tags: " + done.error().cause());
}

Result<void> PluginMails::queue(store::Transaction& tx, const std::string& plugin,
                                const mails::QueuedMail& mail) const {
    if (!service_.parts.plugin_templates->is_of(plugin, mail.template_key) && !left_to_plugins(mail.template_key))
        return invalid("template", "This plugin has declared no such e-mail."_sentence);
    if (mail.dedupe_key.empty() || mail.dedupe_key.size() > longest_key)
        return invalid("dedupe_key",
                       "Enter 1 to 200 characters that are the same whenever this e-mail is queued."_sentence);
    if (!mail.to.empty() && !outbound::is_address(mail.to))
        return invalid("to", "Enter a valid e-mail address."_sentence);
    if (mail.to.empty() && !mail.booking_id && !is_for_staff(mail.template_key))
        return invalid("to", "Enter an address, or the booking whose contact receives the e-mail."_sentence);
    site_.hooks.emit(tx, plugin_mail_queued,
                     {plugin, site_.keyring->seal(mails::to_json(mail).dump(), place_of(plugin))});
    return {};
}

void PluginMails::send(const std::string& plugin, const std::string& sealed) const {
    const auto opened = site_.keyring->open(sealed, place_of(plugin));
    const auto value = opened ? json::parse(*opened, queued_limits) : Result<json::Value>(opened.error());
    const auto mail = value ? mails::mail_from(*value) : Result<mails::QueuedMail>(value.error());
    if (!mail) {
        log::error("plugin_mail_lost", {{"plugin", plugin}, {"cause", mail.error().cause()}});
        return;
    }
    const Template* which = service_.parts.plugin_templates->find(mail->template_key);
    if (!which)
        which = left_to_plugins(mail->template_key);
    if (!which || !service_.parts.plugin_templates->is_on(*which))
        return;
    const std::string key = prefix_of(plugin, which->key) + mail->dedupe_key;
    if (mail->booking_id && (mail->to.empty() || is_for_staff(which->key)))
        send_about_booking(*which, *mail, key);
    else
        send_to_address(*which, *mail, key);
}

void PluginMails::send_about_booking(const Template& which, const mails::QueuedMail& mail,
                                     const std::string& dedupe_key) const {
    const auto booking = service_.parts.bookings.find(*mail.booking_id);
    if (!booking)
        return;
    if (mail.asks_for_payment && booking->maybe_boolean("payments_unknown").value_or(false))
        return;  // it may be paid already
    const bool to_staff = is_for_staff(which.key);
    const Words words = to_staff ? service_.values.words_of_site() : service_.values.words_of(*booking);
    Variables more = values_in(mail, words.locale, service_.parts.settings);
    if (!to_staff)
        more.emplace("balance_payment_url", service_.parts.bookings.pay_page(*booking));
    const BookingMail about{.template_key = which.key,
                            .booking_id = *mail.booking_id,
                            .booking = *booking,
                            .more = std::move(more),
                            .dedupe_key = dedupe_key};
    static_cast<void>(to_staff ? service_.mailer.notify_staff(about) : service_.mailer.notify_customer(about));
}

void PluginMails::send_to_address(const Template& which, const mails::QueuedMail& mail,
                                  const std::string& dedupe_key) const {
    const std::string site_locale = service_.values.words_of_site().locale;
    const bool to_staff = is_for_staff(which.key);
    const std::string locale = to_staff || mail.locale.empty() ? site_locale : mail.locale;
    Variables variables = values_in(mail, locale, service_.parts.settings);
    Wording wording = service_.composer.wording_of(which, {}, std::nullopt, locale, &variables);
    if (to_staff) {
        service_.mailer.notify_staff(which.key, std::move(wording), std::move(variables), dedupe_key);
        return;
    }
    variables.merge(service_.values.of_site());
    NewEmail email{.locale = locale, .to = mail.to, .booking_id = mail.booking_id, .dedupe_key = dedupe_key};
    service_.mailer.send(which, std::move(email), {.wording = std::move(wording), .variables = std::move(variables)});
}

std::vector<mails::LoggedMail> PluginMails::log(const std::string& plugin, const mails::LogQuery& query) const {
    const PluginTemplates& known = *service_.parts.plugin_templates;
    std::vector<std::string> keys;
    for (const Template* each : known.all())
        if (known.is_of(plugin, each->key) && (query.template_key.empty() || query.template_key == each->key))
            keys.emplace_back(each->key);
    for (const Template& each : templates())
        if (left_to_plugins(each.key) && (query.template_key.empty() || query.template_key == each.key))
            keys.emplace_back(each.key);
    std::vector<mails::LoggedMail> all;
    site_.store.read([&](store::Session& session) {
        all.clear();
        for (const std::string& key : keys) {
            const std::string prefix = prefix_of(plugin, key);
            for (mails::LoggedMail& mail :
                 outbox::of_template(session, key,
                                     {.dedupe_key = query.dedupe_key.empty() ? "" : prefix + query.dedupe_key,
                                     .booking_id = query.booking_id,
                                     .limit = query.limit})) {
                if (!mail.dedupe_key.starts_with(prefix))
                    continue;  // another plugin's, from before
                mail.dedupe_key.erase(0, prefix.size());
                all.push_back(std::move(mail));
            }
        }
    });
    std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.id > b.id; });
    if (all.size() > static_cast<std::size_t>(query.limit))
        all.resize(static_cast<std::size_t>(query.limit));
    return all;
}

}  // namespace svc::messaging
