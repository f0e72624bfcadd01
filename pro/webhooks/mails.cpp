// The template from the files of mails/, and its values.
#include "pro/webhooks/mails.hpp"

#include <span>
#include <stdexcept>

#include "pro/common/mail_files.hpp"
#include "shared/core/embedded.hpp"

namespace svc::embedded {
std::span<const Embedded> webhooks_mails();  // {key}.{language}.html: the subject, then the body
}

namespace svc::pro::webhooks {
namespace {

using mails::LanguageText;

const std::string paused = "admin_webhook_paused";

const LanguageText failing{{"en", "It has answered no message for five days."},
                           {"de", "Es hat seit fünf Tagen keine Nachricht angenommen."},
                           {"es", "No ha aceptado ningún mensaje desde hace cinco días."},
                           {"fr", "Il n’accepte plus aucun message depuis cinq jours."}};
const LanguageText gone{{"en", "It answered that it exists no longer (410)."},
                        {"de", "Es hat geantwortet, dass es nicht mehr besteht (410)."},
                        {"es", "Ha respondido que ya no existe (410)."},
                        {"fr", "Il a répondu qu’il n’existe plus (410)."}};

}  // namespace

void declare_mails(const Site& site) {
    if (!site.mails)
        return;  // the list of endpoints shows it
    mails::OfferedTemplate offered{.key = paused,
                                   .event_key = {},
                                   .name = "Webhook endpoint paused (staff)",
                                   .module = std::string(module_slug),
                                   .subject = {},
                                   .body = {},
                                   .tags = {{.key = "webhook_name",
                                             .label = "Name of the endpoint",
                                             .sentence = "The name of the webhook endpoint.",
                                             .sample = {{"en", "Accounting"}}},
                                            {.key = "webhook_url",
                                             .label = "Address of the endpoint",
                                             .sentence = "Where its messages are sent to.",
                                             .sample = {{"en", "https://example.org/hook"}}},
                                            {.key = "webhook_pause_reason",
                                             .label = "Why it is paused",
                                             .sentence = "Why nothing is sent to the endpoint any more.",
                                             .sample = failing}}};
    add_mail_texts(offered, embedded::webhooks_mails(), offered.key);
    site.mails->declare(offered);
}

void mail_paused(const Site& site, store::Transaction& tx, const Endpoint& endpoint, std::string_view reason,
                 Instant now) {
    if (!site.mails)
        return;
    mails::QueuedMail mail{.template_key = paused,
                           .dedupe_key = std::to_string(endpoint.id) + ":" + std::to_string(now.seconds())};
    mail.values.emplace("webhook_name", LanguageText{{"en", endpoint.name}});
    mail.values.emplace("webhook_url", LanguageText{{"en", endpoint.url}});
    mail.values.emplace("webhook_pause_reason", reason == "gone" ? gone : failing);
    if (const auto queued = site.mails->queue(tx, mail); !queued)
        throw std::runtime_error("The base refused the e-mail " + paused + ": " + queued.error().message().english());
}

}  // namespace svc::pro::webhooks
