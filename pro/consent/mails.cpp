// Fills the templates.
#include "pro/consent/mails.hpp"

#include <span>
#include <stdexcept>

#include "pro/common/mail_files.hpp"
#include "pro/common/markup.hpp"
#include "pro/consent/words.hpp"
#include "shared/core/embedded.hpp"

namespace svc::embedded {
std::span<const Embedded> consent_mails();  // {key}.{language}.html: the subject, then the body
}

namespace svc::pro::consent {
namespace {

using json::Value;
using mails::LanguageText;

const std::string request_key = "trip_consent_request", reminder_key = "trip_consent_reminder",
                  copy_key = "trip_consent_signed";

constexpr Words valid_until{"The link is valid until", "Der Link gilt bis", "El enlace vale hasta el",
                            "Le lien est valable jusqu’au"};
constexpr Words a_test{"This is a test: there is no such booking, and nothing is stored.",
                       "Dies ist ein Test: Die Buchung gibt es nicht, und nichts wird gespeichert.",
                       "Esto es una prueba: la reserva no existe y no se guarda nada.",
                       "Ceci est un test : cette réservation n’existe pas et rien n’est enregistré."};
constexpr Words for_traveler{"For", "Für", "Para", "Pour"};

LanguageText plain(std::string text) { return {{"en", std::move(text)}}; }
LanguageText day(Date date) { return {{"en", date.text()}, {"date", date.text()}}; }

LanguageText expiry_notice(const Site& site, Instant expires_at) {
    // The last day on which it can be used: a trip's link ends at midnight.
    const Date last = site.zone().date_at(expires_at.minus(std::chrono::seconds(1)));
    const Look look = site.look();
    return in_each([&](std::size_t i) {
        return "<p>" + std::string(valid_until.at(i)) + " " + escape_html(day_in(i, last, look)) + ".</p>";
    });
}

std::string row(const char* label, const std::string& value) {
    return value.empty() ? std::string()
                         : "<tr><th>" + std::string(label) + "</th><td>" + escape_html(value) + "</td></tr>";
}

std::string paragraphs(const std::string& text) {
    std::string html = "<p>";
    for (const char c : escape_html(text))
        html += c == '\n' ? std::string("<br>") : std::string(1, c);
    return html + "</p>";
}

// The text as it was signed and the answers.
std::string copy_html(const Copy& copy, std::size_t language) {
    std::string html;
    for (const Value& block : copy.content.blocks.items()) {
        if (const std::string title = block.text_or("title"); !title.empty())
            html += "<h2>" + escape_html(title) + "</h2>";
        if (const std::string text = block.text_or("content"); !text.empty())
            html += paragraphs(text);
    }
    std::string rows;
    for (const Value& field : copy.content.asked().items()) {
        const std::string id = field.text_or("id");
        if (copy.health.find(id))
            continue;
        std::string answer = answer_text(copy.row.form_data[id], words::yes.at(language), words::no.at(language));
        rows += row(escape_html(field.text_or("label")).c_str(),
                    answer.empty() ? std::string(words::no_answer.at(language)) : answer);
    }
    rows += row(words::signed_by.at(language), copy.row.signer_name);
    rows += row(words::guardian_of.at(language), copy.row.minor_name.value_or(""));
    rows += row(words::relation.at(language), copy.row.guardian_relation.value_or(""));
    rows += row(words::signed_at.at(language), copy.row.signed_at.text());
    rows += row("SHA-256", copy.row.data_sha256);
    html += "<table class=\"facts\" role=\"presentation\">" + rows + "</table>";
    if (copy.health.size() > 0)
        html += "<p>" + std::string(words::health_left_out.at(language)) + "</p>";
    return html;
}

mails::OfferedTag tag(const char* key, const char* label, const char* sentence, LanguageText sample,
                      bool is_secret = false) {
    return {.key = key, .label = label, .sentence = sentence, .sample = std::move(sample), .is_secret = is_secret};
}

// Those that the base describes for its own template, and more.
std::vector<mails::OfferedTag> common_tags() {
    return {tag("booking_reference", "Booking reference", "The reference of the booking.", plain("SVC-7K3M9Q2P")),
            tag("trip_name", "Trip", "The name of the trip.", plain("Annapurna Circuit")),
            tag("travel_date", "Day of travel", "The first day of the trip.", plain("2027-05-03")),
            tag("recipient_name", "Recipient's name", "The name of the recipient.", plain("Ada Lovelace")),
            tag("form_name", "Name of the form", "The title of the consent form.", plain("Waiver")),
            tag("consent_link", "Page to sign on", "The link to the form, for the recipient alone.",
                plain("https://example.com/consent/token"), true)};
}

mails::OfferedTemplate template_named(const std::string& key, const char* event_key, const char* name,
                                      std::vector<mails::OfferedTag> tags) {
    mails::OfferedTemplate offered{.key = key,
                                   .event_key = event_key,
                                   .name = name,
                                   .module = std::string(module_slug),
                                   .subject = {},
                                   .body = {},
                                   .category = "consent",
                                   .tags = std::move(tags)};
    add_mail_texts(offered, embedded::consent_mails(), key);
    return offered;
}

void queue(const Site& site, store::Transaction& tx, const mails::QueuedMail& mail) {
    if (const auto queued = site.mails->queue(tx, mail); !queued)
        throw std::runtime_error("The base refused the e-mail " + mail.template_key + ": " +
                                 queued.error().message().english());
}

// Whom a letter to a contact is about, where that is somebody else.
std::string named_form(const Invitation& invitation, std::size_t language) {
    const std::string traveler = invitation.party.name_of(invitation.request.traveler_index);
    const bool is_for_other = invitation.request.traveler_index != 0 &&
                              invitation.request.email == invitation.party.contact_email &&
                              invitation.party.travelers_count > 1;
    if (!is_for_other)
        return invitation.form_name;
    const std::string whom = traveler.empty() ? std::string(words::traveler.at(language)) + " " +
                                                    std::to_string(invitation.request.traveler_index)
                                              : traveler;
    return invitation.form_name + " (" + for_traveler.at(language) + " " + whom + ")";
}

}  // namespace

void declare_mails(const Site& site) {
    auto of_reminder = common_tags();
    of_reminder.push_back(
        tag("consent_days_left", "Days until the trip", "How many days are left until the trip.", plain("3")));
    of_reminder.push_back(tag("expiry_notice_html", "How long the link is valid", "Until when the link can be used.",
                              plain("<p>The link is valid until 2 May 2027.</p>")));
    site.mails->declare(
        template_named(reminder_key, "consent.reminder", "Consent form: reminder", std::move(of_reminder)));
    auto of_copy = common_tags();
    of_copy.push_back(tag("consent_copy_html", "What was signed", "The text, the answers and who signed them.",
                          plain("<p>I take part at my own risk.</p>")));
    site.mails->declare(template_named(copy_key, "consent.signed", "Consent form: signed copy", std::move(of_copy)));
}

void queue_invitation(const Site& site, store::Transaction& tx, const Invitation& invitation) {
    const ConsentRequest& request = invitation.request;
    mails::QueuedMail mail{.template_key = invitation.days_left ? reminder_key : request_key,
                           .dedupe_key = std::to_string(request.id) + ":" + std::to_string(request.mails_sent),
                           .booking_id = request.booking_id,
                           .to = request.email,
                           .locale = request.locale};
    const auto add = [&](const char* key, LanguageText text) { mail.values.emplace(key, std::move(text)); };
    const std::string name = request.email == invitation.party.contact_email && !invitation.party.contact_name.empty()
                                 ? invitation.party.contact_name
                                 : request.name;
    add("recipient_name", name.empty() ? in_all_languages(words::guest) : plain(name));
    add("form_name", in_each([&](std::size_t i) { return named_form(invitation, i); }));
    add("booking_reference", plain(request.booking_reference));
    add("trip_name", plain(invitation.party.trip_title));
    add("travel_date", day(invitation.party.travel_date));
    add("consent_link", plain(invitation.link));
    add("expiry_notice_html", expiry_notice(site, request.expires_at));
    if (invitation.days_left)
        add("consent_days_left", plain(std::to_string(*invitation.days_left)));
    queue(site, tx, mail);
}

void queue_copy(const Site& site, store::Transaction& tx, const Copy& copy, const std::string& link) {
    const SignedConsent& row = copy.row;
    mails::QueuedMail mail{.template_key = copy_key,
                           .dedupe_key = std::to_string(row.id),
                           .booking_id = row.booking_id,
                           .to = row.signer_email,
                           .locale = row.locale};
    const auto add = [&](const char* key, LanguageText text) { mail.values.emplace(key, std::move(text)); };
    add("recipient_name", plain(row.signer_name));
    add("form_name", plain(row.form_name));
    add("booking_reference", plain(row.booking_reference));
    add("trip_name", plain(row.trip_title));
    add("travel_date", day(row.travel_date));
    add("consent_link", plain(link));
    add("consent_copy_html", in_each([&](std::size_t i) { return copy_html(copy, i); }));
    queue(site, tx, mail);
}

void queue_test(const Site& site, store::Transaction& tx, const std::string& form_name, const std::string& to,
                const std::string& link, const std::string& key, Date travel_date) {
    mails::QueuedMail mail{.template_key = request_key, .dedupe_key = "test:" + key, .to = to};
    const auto add = [&](const char* name, LanguageText text) { mail.values.emplace(name, std::move(text)); };
    add("recipient_name", plain("Ada Lovelace"));
    add("form_name", plain(form_name));
    add("booking_reference", plain("SVC-TEST"));
    add("trip_name", plain("Annapurna Circuit"));
    add("travel_date", day(travel_date));
    add("consent_link", plain(link));
    add("consent_test_notice_html",
        in_each([&](std::size_t i) { return "<p><strong>" + std::string(a_test.at(i)) + "</strong></p>"; }));
    queue(site, tx, mail);
}

}  // namespace svc::pro::consent
