// The values of reminders in the customer's language.
#include "pro/abandoned_bookings/mails.hpp"

#include <array>
#include <span>
#include <stdexcept>

#include "pro/abandoned_bookings/links.hpp"
#include "pro/common/day_words.hpp"
#include "pro/common/mail_files.hpp"
#include "pro/common/markup.hpp"
#include "shared/core/embedded.hpp"

namespace svc::embedded {
std::span<const Embedded> abandoned_bookings_mails();  // {key}.{language}.html: the subject, then the body
}

namespace svc::pro::abandoned_bookings {
namespace {

using json::Value;
using mails::LanguageText;

constexpr std::array<const char*, most_reminders> standard{
    "abandoned_booking_recovery_first", "abandoned_booking_recovery_second", "abandoned_booking_recovery_final"};
const std::string of_campaign = "abandoned_booking_campaign";

using Words = std::array<const char*, languages.size()>;  // in the order of `languages`

constexpr Words guest{"guest", "Gast", "cliente", "client"};
constexpr std::array<Words, most_reminders> labels{
    {{"First reminder", "Erste Erinnerung", "Primer recordatorio", "Premier rappel"},
     {"Second reminder", "Zweite Erinnerung", "Segundo recordatorio", "Deuxième rappel"},
     {"Last reminder", "Letzte Erinnerung", "Último recordatorio", "Dernier rappel"}}};
constexpr std::array<Words, most_reminders> intros{
    {{"You began a booking and did not finish it. What you chose is kept for you; nothing is booked yet.",
      "Sie haben eine Buchung begonnen und nicht beendet. Ihre Auswahl ist für Sie vermerkt; gebucht ist noch nichts.",
      "Empezó una reserva y no la terminó. Su selección está guardada; todavía no hay nada reservado.",
      "Vous avez commencé une réservation sans la terminer. Vos choix sont conservés ; rien n’est encore réservé."},
     {"Your choice is still there. No seats are held for you, so they may be gone one day.",
      "Ihre Auswahl ist noch da. Plätze sind nicht für Sie freigehalten, sie können also vergeben sein.",
      "Su selección sigue ahí. No hay plazas retenidas para usted, así que podrían agotarse.",
      "Vos choix sont toujours là. Aucune place n’est retenue pour vous : elles peuvent partir."},
     {"This is the last time that we write about this booking. Afterwards we forget what you chose.",
      "Das ist das letzte Mal, dass wir Ihnen zu dieser Buchung schreiben. Danach vergessen wir Ihre Auswahl.",
      "Es la última vez que le escribimos sobre esta reserva. Después olvidaremos su selección.",
      "C’est la dernière fois que nous vous écrivons à ce sujet. Ensuite nous oublierons vos choix."}}};
constexpr Words row_date{"Date", "Datum", "Fecha", "Date"}, row_party{"Travelers", "Reisende", "Viajeros", "Voyageurs"},
    row_price{"Price now", "Preis jetzt", "Precio actual", "Prix actuel"};
constexpr Words with_code{"With the code", "Mit dem Code", "Con el código", "Avec le code"},
    pay_less{"you pay less:", "zahlen Sie weniger:", "paga menos:", "vous payez moins :"},
    once_until{"It counts once, until", "Er gilt einmal, bis", "Vale una vez, hasta el", "Il vaut une fois, jusqu’au"},
    your_code{"Your code:", "Ihr Code:", "Su código:", "Votre code :"};

template <class Make>
LanguageText in_each(Make make) {
    LanguageText text;
    for (std::size_t i = 0; i < languages.size(); ++i)
        text.emplace(languages.at(i), make(i));
    return text;
}
LanguageText said(const Words& words) {
    return in_each([&](std::size_t i) { return std::string(words.at(i)); });
}

std::string coupon_html(const Coupon& coupon, std::size_t language, const Look& look) {
    if (coupon.code.empty())
        return {};
    const std::string code = "<strong>" + escape_html(coupon.code) + "</strong>";
    if (!coupon.until)
        return "<p>" + std::string(your_code.at(language)) + " " + code + "</p>";
    const std::string less = coupon.rate ? coupon.rate->percent() + " %" : look.amount(*coupon.amount);
    return "<p>" + std::string(with_code.at(language)) + " " + code + " " + pay_less.at(language) + " " +
           escape_html(less) + ". " + once_until.at(language) + " " +
           escape_html(day_in(language, *coupon.until, look)) + ".</p>";
}

std::string rows_html(const Reminder& reminder, std::size_t language, const Look& look) {
    const auto row = [&](const Words& label, const std::string& value) {
        return "<tr><th>" + std::string(label.at(language)) + "</th><td>" + escape_html(value) + "</td></tr>";
    };
    std::string rows;
    if (reminder.row.travel_date)
        rows += row(row_date, day_in(language, *reminder.row.travel_date, look));
    rows += row(row_party, std::to_string(reminder.row.travelers));
    if (reminder.total)
        rows += row(row_price, look.amount(*reminder.total));
    return rows;
}

// Campaigns are in one language: what they show is in the customer's.
std::map<std::string, std::string, std::less<>> campaign_values(const Site& site, const Reminder& reminder,
                                                                const std::string& recover, const std::string& stop) {
    const AbandonedBooking& row = reminder.row;
    const Look look = site.look();
    const std::size_t language = language_of(row.locale);
    const std::string name = row.customer_name.empty() ? guest.at(language) : row.customer_name;
    return {{"customer_name", name},
            {"customer_first_name", row.customer_name.empty() ? name : row.first_name()},
            {"trip_name", reminder.trip.title},
            {"travel_date", row.travel_date ? day_in(language, *row.travel_date, look) : ""},
            {"travelers_count", std::to_string(row.travelers)},
            {"total", reminder.total ? look.amount(*reminder.total) : ""},
            {"coupon_code", reminder.coupon.code},
            {"coupon_html", coupon_html(reminder.coupon, language, look)},
            {"recovery_link", recover},
            {"stop_link", stop}};
}

mails::OfferedTag tag(const char* key, const char* label, const char* sentence, LanguageText sample,
                      bool is_secret = false) {
    return {.key = key, .label = label, .sentence = sentence, .sample = std::move(sample), .is_secret = is_secret};
}

}  // namespace

void declare_mails(const Site& site) {
    mails::OfferedTemplate offered{
        .key = of_campaign,
        .event_key = {},
        .name = "Abandoned booking: campaign",
        .module = std::string(module_slug),
        .subject = {},
        .body = {},
        .category = "recovery",
        .tags = {tag("campaign_subject", "Subject of the campaign", "The subject of the campaign, with its values.",
                     {{"en", "Your trip is waiting"}}),
                 tag("campaign_body_html", "Text of the campaign", "The text of the campaign, with its values.",
                     {{"en", "<p>You began a booking.</p>"}}, true),
                 tag("campaign_stop_link", "Page that ends the reminders", "The page on which reminders are ended.",
                     {{"en", "https://example.com/no-reminders/token"}}, true)}};
    add_mail_texts(offered, embedded::abandoned_bookings_mails(), offered.key);
    site.mails->declare(offered);
}

std::string template_of(const Reminder& reminder) {
    return reminder.campaign ? of_campaign : standard.at(static_cast<std::size_t>(reminder.stage - 1));
}

std::string occasion_of(const AbandonedBooking& row, std::int64_t number) {
    return std::to_string(row.id) + ":" + std::to_string(number);
}

void queue_reminder(const Site& site, store::Transaction& tx, const Reminder& reminder) {
    const AbandonedBooking& row = reminder.row;
    const std::string recover =
                          reminder.site_url + "/booking-recovery/" + link_token(site.secrets, LinkKind::recover, row),
                      stop = reminder.site_url + "/no-reminders/" + link_token(site.secrets, LinkKind::stop, row);
    mails::QueuedMail mail{.template_key = template_of(reminder),
                           .dedupe_key = occasion_of(row, row.emails_sent + 1),
                           .to = row.email,
                           .locale = row.locale};
    const auto add = [&](const char* key, LanguageText text) { mail.values.emplace(key, std::move(text)); };
    const auto plain = [](std::string text) { return LanguageText{{"en", std::move(text)}}; };
    if (reminder.campaign) {
        const auto values = campaign_values(site, reminder, recover, stop);
        add("campaign_subject", plain(with_values(reminder.campaign->subject, values, false)));
        add("campaign_body_html", plain(with_values(reminder.campaign->email_body, values, true)));
        add("campaign_stop_link", plain(stop));
    } else {
        const Look look = site.look();
        const auto stage = static_cast<std::size_t>(reminder.stage - 1);
        add("customer_name", row.customer_name.empty() ? said(guest) : plain(row.customer_name));
        add("trip_name", plain(reminder.trip.title));
        add("recovery_link", plain(recover));
        add("recovery_stop_link", plain(stop));
        add("recovery_reminder_label", said(labels.at(stage)));
        add("recovery_intro_html",
            in_each([&](std::size_t i) { return "<p>" + std::string(intros.at(stage).at(i)) + "</p>"; }));
        add("recovery_rows_html", in_each([&](std::size_t i) { return rows_html(reminder, i, look); }));
        if (!reminder.coupon.code.empty())
            add("recovery_coupon_html", in_each([&](std::size_t i) { return coupon_html(reminder.coupon, i, look); }));
    }
    if (const auto queued = site.mails->queue(tx, mail); !queued)
        throw std::runtime_error("The base refused the e-mail " + mail.template_key + ": " +
                                 queued.error().message().english());
}

Value mails_about(const Site& site, const AbandonedBooking& row) {
    Value all = Value::array();
    for (std::int64_t number = 1; number <= row.emails_sent; ++number)
        for (const std::string key : {standard[0], standard[1], standard[2], of_campaign.c_str()}) {
            const auto logged = site.mails->log({.template_key = key, .dedupe_key = occasion_of(row, number)});
            if (!logged)
                continue;
            for (const mails::LoggedMail& mail : *logged)
                all.push(Value::object({{"template", mail.template_key},
                                        {"subject", mail.subject},
                                        {"status", mail.status},
                                        {"error", mail.error},
                                        {"created_at", mail.created_at},
                                        {"sent_at", mail.sent_at}}));
        }
    return all;
}

}  // namespace svc::pro::abandoned_bookings
