// The two templates and their values.
#include "pro/email_automation/mails.hpp"

#include "pro/email_automation/email_template.hpp"

namespace svc::pro::email_automation {
namespace {

using mails::LanguageText;

const LanguageText why{{"en", "You receive this because you agreed to news from us."},
                       {"de", "Sie erhalten diese E-Mail, weil Sie Neuigkeiten von uns zugestimmt haben."},
                       {"es", "Recibe este mensaje porque aceptó recibir novedades nuestras."},
                       {"fr", "Vous recevez ce message parce que vous avez accepté nos actualités."}};
const LanguageText unsubscribe{
    {"en", "Unsubscribe"}, {"de", "Abbestellen"}, {"es", "Darse de baja"}, {"fr", "Se désabonner"}};

// The marked link takes the POST of mail programs; the other one leads readers to a page.
constexpr std::string_view footer =
    "<link rel=\"unsubscribe\" href=\"{{ site_url }}/svc/v1/email-unsubscribe/{{ unsubscribe_token }}\">"
    "<p class=\"quiet\">{{ unsubscribe_why }} <a href=\"{{ site_url }}/unsubscribe/{{ unsubscribe_token }}\">"
    "{{ unsubscribe_label }}</a></p>";

mails::OfferedTemplate declaration(std::string_view key, const char* name, bool is_marketing) {
    mails::OfferedTemplate one{.key = std::string(key),
                               .event_key = {},
                               .name = name,
                               .module = std::string(module_slug),
                               .subject = {{"en", "{{ message_subject }}"}},
                               .body = {{"en", "{{ message_body_html }}"}},
                               .category = "general",
                               .tags = {{.key = "message_subject",
                                         .label = "Subject of the message",
                                         .sentence = "The subject that a sequence or a test gives the e-mail.",
                                         .sample = {{"en", "Your trip"}}},
                                        {.key = "message_body_html",
                                         .label = "Text of the message",
                                         .sentence = "The text that a sequence or a test gives the e-mail.",
                                         .sample = {{"en", "<p>We look forward to seeing you.</p>"}}}},
                               .is_about_booking = true};
    if (is_marketing) {
        one.tags.push_back({.key = "unsubscribe_token",
                            .label = "Token to unsubscribe",
                            .sentence = "The end of the address by which the recipient ends marketing.",
                            .sample = {{"en", "sample"}},
                            .is_secret = true});
        one.tags.push_back({.key = "unsubscribe_why",
                            .label = "Why they receive it",
                            .sentence = "Why the recipient receives marketing.",
                            .sample = why});
        one.tags.push_back({.key = "unsubscribe_label",
                            .label = "Unsubscribe",
                            .sentence = "The words of the link to unsubscribe.",
                            .sample = unsubscribe});
    }
    return one;
}

}  // namespace

void declare_mails(const Site& site) {
    site.mails->declare(declaration(plain_message, "Message of a sequence", false));
    site.mails->declare(declaration(marketing_message, "Marketing of a sequence", true));
}

// Before the end of a text that is a whole document.
std::string with_footer(const std::string& body, bool is_marketing) {
    if (!is_marketing)
        return body;
    std::string whole = body;
    const auto end = whole.rfind("</body>");
    return whole.insert(end == std::string::npos ? whole.size() : end, footer);
}

Result<void> queue(const Site& site, store::Transaction& tx, const Message& message) {
    mails::QueuedMail mail{.template_key = std::string(message.is_marketing ? marketing_message : plain_message),
                           .dedupe_key = message.dedupe_key,
                           .booking_id = message.booking_id};
    mail.values.emplace("text_subject", message.subject);
    mail.values.emplace("text_body", message.body);
    if (!message.template_key.empty())
        mail.values.emplace("text_template", LanguageText{{"en", message.template_key}});
    if (message.is_marketing) {
        mail.values.emplace("unsubscribe_token", LanguageText{{"en", message.unsubscribe_token}});
        mail.values.emplace("unsubscribe_why", why);
        mail.values.emplace("unsubscribe_label", unsubscribe);
    }
    return site.mails->queue(tx, mail);
}

Result<void> queue_rendered(const Site& site, store::Transaction& tx, const std::string& to,
                            const std::string& dedupe_key, const std::string& subject, const std::string& html) {
    mails::QueuedMail mail{
        .template_key = std::string(plain_message), .dedupe_key = dedupe_key, .booking_id = {}, .to = to};
    mail.values.emplace("message_subject", LanguageText{{"en", subject}});
    mail.values.emplace("message_body_html", LanguageText{{"en", html}});
    return site.mails->queue(tx, mail);
}

std::string outbox_key(bool is_marketing, std::string_view dedupe_key) {
    return "plugin:svc-pro:" + std::string(is_marketing ? marketing_message : plain_message) + ":" +
           std::string(dedupe_key);
}

}  // namespace svc::pro::email_automation
