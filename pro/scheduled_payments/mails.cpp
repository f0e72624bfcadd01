// Templates from the files of mails/, and their values.
#include "pro/scheduled_payments/mails.hpp"

#include <span>

#include "pro/common/mail_files.hpp"
#include "shared/core/embedded.hpp"

namespace svc::embedded {
std::span<const Embedded> scheduled_payments_mails();  // {key}.{language}.html: the subject, then the body
}

namespace svc::pro::scheduled_payments {
namespace {

using mails::LanguageText;

const std::string reminder = "scheduled_payment_reminder", succeeded = "scheduled_payment_succeeded",
                  failed = "scheduled_payment_failed", failed_for_staff = "admin_scheduled_payment_failed",
                  card_ends = "scheduled_payment_card_expiring";

mails::OfferedTag tag(const char* key, const char* label, const char* sentence, LanguageText sample) {
    return {.key = key, .label = label, .sentence = sentence, .sample = std::move(sample)};
}

LanguageText paragraph(const LanguageText& text) {
    LanguageText html;
    for (const auto& [language, words] : text)
        html.emplace(language, "<p>" + words + "</p>");  // our own sentences need no escaping
    return html;
}

const LanguageText not_today{{"en", "We could not charge your payment today."},
                             {"de", "Wir konnten Ihre Zahlung heute nicht abbuchen."},
                             {"es", "Hoy no hemos podido cobrar su pago."},
                             {"fr", "Nous n’avons pas pu débiter votre paiement aujourd’hui."}};
const LanguageText never{{"en", "We could not charge your payment, and we will not try again."},
                         {"de", "Wir konnten Ihre Zahlung nicht abbuchen und versuchen es nicht noch einmal."},
                         {"es", "No hemos podido cobrar su pago y no volveremos a intentarlo."},
                         {"fr", "Nous n’avons pas pu débiter votre paiement et n’essaierons plus."}};
const LanguageText again{{"en", "We will try again in a day. You may also pay it yourself before."},
                         {"de", "Wir versuchen es in einem Tag noch einmal. Sie können auch vorher selbst bezahlen."},
                         {"es", "Lo intentaremos de nuevo dentro de un día. También puede pagarlo usted antes."},
                         {"fr", "Nous réessaierons dans un jour. Vous pouvez aussi payer vous-même avant."}};
const LanguageText pay_yourself{{"en", "Please pay it yourself, so that your booking stands."},
                                {"de", "Bitte bezahlen Sie selbst, damit Ihre Buchung bestehen bleibt."},
                                {"es", "Por favor, páguelo usted para que su reserva se mantenga."},
                                {"fr", "Merci de le payer vous-même pour que votre réservation soit maintenue."}};
const LanguageText staff_again{{"en", "It is tried again in a day."},
                               {"de", "In einem Tag wird es erneut versucht."},
                               {"es", "Se volverá a intentar dentro de un día."},
                               {"fr", "Un nouvel essai aura lieu dans un jour."}};
const LanguageText staff_never{
    {"en", "It is not tried again: please see that the balance is paid otherwise."},
    {"de", "Es wird nicht noch einmal versucht: Bitte sorgen Sie dafür, dass der Rest anders bezahlt wird."},
    {"es", "No se volverá a intentar: procure que el saldo se pague de otra forma."},
    {"fr", "Il n’y aura pas d’autre essai : veillez à ce que le solde soit payé autrement."}};

// What ScheduledPayment::type_label() says in English.
const LanguageText installment{{"en", "Installment"}, {"de", "Rate"}, {"es", "Plazo"}, {"fr", "Échéance"}};
const LanguageText balance{{"en", "Balance"}, {"de", "Restbetrag"}, {"es", "Saldo"}, {"fr", "Solde"}};

// Every text of these e-mails may use all of them, as the operator's own texts from before do.
std::vector<mails::OfferedTag> tags() {
    return {
        tag("scheduled_amount_formatted", "Amount of the charge",
            "The amount of the planned charge, with its currency.", {{"en", "USD 640.00"}}),
        tag("scheduled_date_formatted", "Day of the charge", "The day on which the charge is planned.",
            {{"en", "2027-04-03"}}),
        tag("payment_type_label", "Kind of the charge", "Which part of the total the charge is.",
            {{"en", "Installment"}}),
        tag("scheduled_payment_id", "Number of the charge", "The number of the planned charge within svc.",
            {{"en", "31"}}),
        tag("balance_after_formatted", "Still to pay afterwards", "What is left once this charge has been made.",
            {{"en", "USD 1,280.00"}}),
        tag("card_label", "Saved card", "The card that the charge goes to, by its last digits.",
            {{"en", "Visa •••• 4242"}}),
        tag("card_end", "End of the card", "The last month of the card that the charge goes to.", {{"en", "03/2027"}}),
        tag("failure_reason", "Why it failed", "What the provider said about the failed charge.",
            {{"en", "The card was declined."}}),
        tag("failure_intro_html", "What has failed", "The first sentences about the failed charge.",
            paragraph(not_today)),
        tag("failure_followup_html", "What happens next", "Whether and when the charge is tried again.",
            paragraph(again))};
}

mails::OfferedTemplate template_named(const std::string& key, const char* event_key, const char* name) {
    mails::OfferedTemplate offered{.key = key,
                                   .event_key = event_key,
                                   .name = name,
                                   .module = std::string(module_slug),
                                   .subject = {},
                                   .body = {},
                                   .category = "scheduled",
                                   .tags = tags(),
                                   .is_about_booking = true};
    add_mail_texts(offered, embedded::scheduled_payments_mails(), key);
    return offered;
}

mails::QueuedMail about(const std::string& key, const ScheduledPayment& payment, const std::string& occasion,
                        const json::Value& context) {
    mails::QueuedMail mail{.template_key = key,
                           .dedupe_key = std::to_string(payment.id) + ":" + occasion,
                           .booking_id = payment.booking_id};
    mail.values.emplace("scheduled_payment_id", LanguageText{{"en", std::to_string(payment.id)}});
    // A base that does not know "date" writes the English one.
    mail.values.emplace("scheduled_date_formatted", LanguageText{{"en", context.text_or("scheduled_date_formatted")},
                                                                 {"date", payment.date.text()}});
    mail.values.emplace("payment_type_label", payment.payment_type == "installment" ? installment : balance);
    for (const char* name : {"scheduled_amount_formatted", "balance_after_formatted", "failure_reason"})
        if (std::string text = context.text_or(name); !text.empty())
            mail.values.emplace(name, LanguageText{{"en", std::move(text)}});
    return mail;
}

void queue(const Site& site, store::Transaction& tx, const mails::QueuedMail& mail) {
    if (!site.mails)
        return;
    if (const auto queued = site.mails->queue(tx, mail); !queued)
        throw std::runtime_error("The base refused the e-mail " + mail.template_key + ": " +
                                 queued.error().message().english());
}

}  // namespace

void declare_mails(const Site& site) {
    if (!site.mails)
        return;  // customers read of their plan on the account's page alone
    site.mails->declare(template_named(reminder, "scheduled.payment.reminder", "Scheduled payment: reminder"));
    site.mails->declare(
        template_named(card_ends, "scheduled.payment.card_expiring", "Scheduled payment: card ends before it"));
    site.mails->declare(template_named(succeeded, "scheduled.payment.succeeded", "Scheduled payment: charged"));
    site.mails->declare(template_named(failed, "scheduled.payment.failed", "Scheduled payment: failed"));
    site.mails->declare(
        template_named(failed_for_staff, "scheduled.payment.failed", "Scheduled payment: failed (staff)"));
}

void mail_reminder(const Site& site, store::Transaction& tx, const ScheduledPayment& payment,
                   const json::Value& context) {
    // A charge that moves to another day is announced again.
    auto mail = about(reminder, payment, payment.date.text(), context);
    mail.asks_for_payment = true;
    queue(site, tx, mail);
}

void mail_card_ends(const Site& site, store::Transaction& tx, const ScheduledPayment& payment, const Card& card,
                    const json::Value& context) {
    auto mail = about(card_ends, payment, "card " + payment.card_key(), context);
    std::string brand = card.brand;
    if (!brand.empty() && brand[0] >= 'a' && brand[0] <= 'z')
        brand[0] = static_cast<char>(brand[0] - 'a' + 'A');
    const std::string month = std::to_string(card.exp_month);
    mail.values.emplace("card_label", LanguageText{{"en", (brand.empty() ? "" : brand + " ") + "•••• " + card.last4}});
    mail.values.emplace(
        "card_end", LanguageText{{"en", (month.size() < 2 ? "0" : "") + month + "/" + std::to_string(card.exp_year)}});
    mail.asks_for_payment = true;
    queue(site, tx, mail);
}

void mail_success(const Site& site, store::Transaction& tx, const ScheduledPayment& payment,
                  const json::Value& context) {
    queue(site, tx, about(succeeded, payment, "paid", context));
}

void mail_failure(const Site& site, store::Transaction& tx, const ScheduledPayment& payment,
                  const json::Value& context) {
    const std::string occasion = "attempt " + std::to_string(payment.attempts);
    auto to_customer = about(failed, payment, occasion, context);
    to_customer.values.emplace("failure_intro_html", paragraph(payment.permanent ? never : not_today));
    to_customer.values.emplace("failure_followup_html", paragraph(payment.permanent ? pay_yourself : again));
    queue(site, tx, to_customer);
    auto to_staff = about(failed_for_staff, payment, occasion, context);
    to_staff.values.emplace("failure_followup_html", paragraph(payment.permanent ? staff_never : staff_again));
    queue(site, tx, to_staff);
}

}  // namespace svc::pro::scheduled_payments
