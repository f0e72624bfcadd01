// The template from the files of mails/, and its values.
#include "pro/google_calendar/mails.hpp"

#include <span>
#include <stdexcept>

#include "pro/common/mail_files.hpp"
#include "shared/core/embedded.hpp"

namespace svc::embedded {
std::span<const Embedded> google_calendar_mails();  // {key}.{language}.html: the subject, then the body
}

namespace svc::pro::google_calendar {
namespace {

using mails::LanguageText;

const std::string reconnect = "admin_google_calendar_reconnect";

const LanguageText revoked{
    {"en", "Google no longer accepts our access: it was revoked, or it ended."},
    {"de", "Google nimmt unseren Zugang nicht mehr an: Er wurde widerrufen oder ist abgelaufen."},
    {"es", "Google ya no acepta nuestro acceso: fue revocado o ha caducado."},
    {"fr", "Google n’accepte plus notre accès : il a été révoqué ou il a expiré."}};
const LanguageText client{{"en", "Google does not accept the client ID or the client secret."},
                          {"de", "Google nimmt die Client-ID oder den Clientschlüssel nicht an."},
                          {"es", "Google no acepta el ID de cliente o el secreto del cliente."},
                          {"fr", "Google n’accepte pas l’ID client ou le code secret du client."}};

}  // namespace

void declare_mails(const Site& site) {
    if (!site.mails)
        return;  // notice and screen show it
    mails::OfferedTemplate offered{.key = reconnect,
                                   .event_key = {},
                                   .name = "Google Calendar must be connected again (staff)",
                                   .module = std::string(module_slug),
                                   .subject = {},
                                   .body = {},
                                   .tags = {{.key = "google_calendar_problem",
                                             .label = "Why Google Calendar is not connected",
                                             .sentence = "Why changes no longer reach Google Calendar.",
                                             .sample = revoked}}};
    add_mail_texts(offered, embedded::google_calendar_mails(), offered.key);
    site.mails->declare(offered);
}

void mail_reconnect(const Site& site, store::Transaction& tx, std::string_view why, Instant now) {
    if (!site.mails)
        return;
    mails::QueuedMail mail{.template_key = reconnect, .dedupe_key = std::to_string(now.micros())};
    mail.values.emplace("google_calendar_problem", why == problem::client ? client : revoked);
    if (const auto queued = site.mails->queue(tx, mail); !queued)
        throw std::runtime_error("The base refused the e-mail " + reconnect + ": " +
                                 queued.error().message().english());
}

}  // namespace svc::pro::google_calendar
