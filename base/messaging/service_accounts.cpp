// E-mails to who has an account: links that prove or change its address, its password, its data, and what happened.
#include <stdexcept>

#include "base/identity/hooks.hpp"
#include "base/messaging/frame.hpp"
#include "base/messaging/service.hpp"
#include "base/platform/outbound/header.hpp"
#include "base/privacy/hooks.hpp"

namespace svc::messaging {

namespace {

Variables with_link(std::string link, Variables more) {
    more.emplace("verification_link", std::move(link));
    return more;
}

}  // namespace

// The sentences of these e-mails, sent or previewed.
Variables Service::of_account(std::string_view template_key, const Words& words) {
    if (template_key == "customer_email_verification")
        return {{"intro_paragraph",
                 words.say_text("Thank you for registering. Please confirm that this address is yours and choose your"
                                " password.")},
                {"expiry_notice_html", paragraph_html(words.say_text("The link is valid for a day."))},
                {"footer_note", words.say_text("If you have not registered, there is nothing to do.")}};
    if (template_key == "account_password_reset")
        return {{"intro_paragraph", words.say_text("Somebody, perhaps you, asked for a new password.")},
                {"expiry_notice_html", paragraph_html(words.say_text("The link is valid for an hour and works once."))},
                {"footer_note",
                 words.say_text("If it was not you, there is nothing to do: your password stays as it is.")}};
    if (template_key == "account_email_change_request")
        return {{"intro_paragraph", words.say_text("Somebody, perhaps you, wants to use this address for an account.")},
                {"expiry_notice_html", paragraph_html(words.say_text("The link is valid for a day and works once."))},
                {"footer_note", words.say_text("If it was not you, there is nothing to do: nothing is changed.")}};
    if (template_key == "account_email_changed")
        return {{"intro_paragraph",
                 words.say_text("Your account has another e-mail address now. Mails about it go there from now on.")},
                {"footer_note", words.say_text("If you did not do this, please write to us at once.")}};
    if (template_key == "account_privacy_link")
        return {{"intro_paragraph", words.say_text("Somebody, perhaps you, asked for the data we store about you.")},
                {"expiry_notice_html", paragraph_html(words.say_text("The link is valid for a day."))},
                {"footer_note", words.say_text("If it was not you, there is nothing to do: nothing is changed.")}};
    return {};
}

Words Service::words_of_account(std::int64_t user_id) const {
    std::string locale = sources_.account_locale ? sources_.account_locale(user_id) : std::string();
    return locale.empty() ? words_of_site() : Words{std::move(locale)};
}

void Service::tell_account(std::string_view template_key, const json::Value& account, const Words& words,
                           Variables more, const std::string& dedupe_key) {
    const Template& which = template_of(template_key);
    NewEmail email;
    email.template_key = which.key;
    email.event_key = which.event_key;
    email.to = account.text_or("email");
    email.dedupe_key = dedupe_key;
    if (!outbound::is_address(email.to))
        return;
    email.suppressed = switched_off(which);
    email.locale = words.locale;
    const std::string name = account.text_or("name");
    Variables variables = general();
    variables.merge(Variables{{"customer_name", name},
                              {"customer_first_name", name.substr(0, name.find(' '))},
                              {"customer_email", email.to}});
    variables.merge(std::move(more));
    if (!email.suppressed && is_sent_by_another(which, email.to, variables))
        return;
    write_text(which, wording_of(which), variables, email);
    address(which, email);
    // Its links go out once in two minutes to an address, whoever asks: what else is mailed there does not use them up.
    queue(std::move(email), template_key == "account_registered_again");
}

void Service::listen_to_accounts(AccountLinks links) {
    const auto listen = [this](std::string_view action, std::string_view key,
                               std::function<Variables(std::int64_t, const json::Value&, const Words&)> more) {
        const auto heard = hooks_.on(action, {.name = "messaging." + std::string(key)},
                                     [this, key, more = std::move(more)](const json::Array& arguments) {
                                         const std::int64_t id = arguments.at(0).integer();
                                         const Words words = words_of_account(id);
                                         tell_account(key, arguments.at(1), words, more(id, arguments.at(1), words),
                                                      dedupe_key(key, id));
                                     });
        if (!heard)
            throw std::logic_error("messaging cannot listen: " + heard.error().cause());
    };
    listen(identity::verification_due.name, "customer_email_verification",
           [link = std::move(links.proof)](std::int64_t id, const json::Value& account, const Words& words) {
               return with_link(link(id, account), of_account("customer_email_verification", words));
           });
    listen(identity::reset_due.name, "account_password_reset",
           [link = std::move(links.reset)](std::int64_t id, const json::Value& account, const Words& words) {
               return with_link(link(id, account), of_account("account_password_reset", words));
           });
    listen(identity::address_change_due.name, "account_email_change_request",
           [link = std::move(links.change)](std::int64_t id, const json::Value& account, const Words& words) {
               Variables more = with_link(link(id, account), of_account("account_email_change_request", words));
               more.emplace("new_email", account.text_or("email"));
               return more;
           });
    listen(identity::address_changed.name, "account_email_changed",
           [](std::int64_t, const json::Value& account, const Words& words) {
               Variables more = of_account("account_email_changed", words);
               more.emplace("new_email", account.text_or("new_email"));
               return more;
           });
    listen(privacy::privacy_link_due.name, "account_privacy_link",
           [link = std::move(links.privacy)](std::int64_t id, const json::Value& account, const Words& words) {
               Variables more = with_link(link(id, account), of_account("account_privacy_link", words));
               if (account.text_or("wants") == "erasure")
                   more["intro_paragraph"] =
                       words.say_text("Somebody, perhaps you, wants your data and your account erased.");
               return more;
           });
    listen(identity::registered_again.name, "account_registered_again",
           [](std::int64_t, const json::Value&, const Words&) { return Variables{}; });
}

}  // namespace svc::messaging
