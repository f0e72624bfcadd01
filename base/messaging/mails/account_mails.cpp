// E-mails about accounts: links that verify or change the address, reset the password or release data; and changes.
#include "base/messaging/mails/listeners.hpp"
#include "base/messaging/templates/frame.hpp"
#include "base/people/identity/hooks.hpp"
#include "base/people/privacy/hooks.hpp"
#include "base/platform/outbound/header.hpp"

namespace svc::messaging {

namespace {

Variables with_link(std::string link, Variables more) {
    more.emplace("verification_link", std::move(link));
    return more;
}

}  // namespace

// The sentences of these e-mails, sent or previewed.
Variables Values::of_account(std::string_view template_key, const Words& words) {
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
        return {{"intro_paragraph",
                 words.say_text("Somebody, perhaps you, wants to use this address for the account named below. The page"
                                " asks for the password of that account, unless you are signed in to it.")},
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

// `account` has name and email.
static void notify_account(Service& service, std::string_view template_key, const json::Value& account,
                           const Words& words, Variables variables, const std::string& dedupe_key) {
    NewEmail email;
    email.to = account.text_or("email");
    email.dedupe_key = dedupe_key;
    email.locale = words.locale;
    if (!outbound::is_address(email.to))
        return;
    const Template& which = template_of(template_key);
    const std::string name = account.text_or("name");
    variables.merge(Variables{{"customer_name", name},
                              {"customer_first_name", name.substr(0, name.find(' '))},
                              {"customer_email", email.to}});
    variables.merge(service.values.of_site());
    // Anybody can cause these, for any spelling of somebody's address.
    const bool is_bounded = template_key == "account_registered_again" ||
                            template_key == "customer_email_verification" || template_key == "account_password_reset" ||
                            template_key == "account_email_change_request";
    service.mailer.send(which, std::move(email),
                        {.wording = service.composer.wording_of(which), .variables = std::move(variables)}, is_bounded);
}

void listen_to_accounts(Service& service, AccountLinks links) {
    const auto listen_to = [&service](const hooks::Action& action, std::string_view key,
                                      std::function<Variables(std::int64_t, const json::Value&, const Words&)> more) {
        listen(service, action.name, key, [&service, key, more = std::move(more)](const json::Array& arguments) {
            const std::int64_t id = arguments.at(0).integer();
            const Words words = service.values.words_of_account(id);
            notify_account(service, key, arguments.at(1), words, more(id, arguments.at(1), words),
                           service.mailer.dedupe_key(key, id));
        });
    };
    listen_to(identity::verification_due, "customer_email_verification",
              [link = std::move(links.proof)](std::int64_t id, const json::Value& account, const Words& words) {
                  return with_link(link(id, account), Values::of_account("customer_email_verification", words));
              });
    listen_to(identity::reset_due, "account_password_reset",
              [link = std::move(links.reset)](std::int64_t id, const json::Value& account, const Words& words) {
                  return with_link(link(id, account), Values::of_account("account_password_reset", words));
              });
    listen_to(identity::address_change_due, "account_email_change_request",
              [link = std::move(links.change)](std::int64_t id, const json::Value& account, const Words& words) {
                  Variables more =
                      with_link(link(id, account), Values::of_account("account_email_change_request", words));
                  more.emplace("new_email", account.text_or("email"));
                  more.emplace("account_email", account.text_or("account"));
                  return more;
              });
    listen_to(identity::address_changed, "account_email_changed",
              [](std::int64_t, const json::Value& account, const Words& words) {
                  Variables more = Values::of_account("account_email_changed", words);
                  more.emplace("new_email", account.text_or("new_email"));
                  return more;
              });
    listen_to(privacy::privacy_link_due, "account_privacy_link",
              [link = std::move(links.privacy)](std::int64_t id, const json::Value& account, const Words& words) {
                  Variables more = with_link(link(id, account), Values::of_account("account_privacy_link", words));
                  if (account.text_or("wants") == "erasure")
                      more["intro_paragraph"] =
                          words.say_text("Somebody, perhaps you, wants your data and your account erased.");
                  return more;
              });
    listen_to(identity::registered_again, "account_registered_again",
              [](std::int64_t, const json::Value&, const Words&) { return Variables{}; });
}

}  // namespace svc::messaging
