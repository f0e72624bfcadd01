// E-mails in the reader's language, in one layout, from the bundled files or the operator's own.
#include <fstream>

#include <doctest/doctest.h>

#include "shared/core/colour.hpp"
#include "tests/base/messaging/site.hpp"

using namespace svc;
using messaging::Draft;
using tests::MessagingSite;

namespace {

messaging::Preview shown(const MessagingSite& site, const messaging::Template& which, const char* locale) {
    auto preview = site.service.previews.preview({.which = &which, .locale = locale});
    REQUIRE_MESSAGE(preview, which.key);
    return std::move(*preview);
}

}  // namespace

TEST_CASE("every e-mail has a subject, an HTML text and a plain text in English, German, Spanish and French") {
    tests::Database* any = nullptr;
    tests::each_database([&](tests::Database& db) {
        if (any)
            return;
        any = &db;
        MessagingSite site(db);
        CHECK(messaging::templates().size() >= 36);
        for (const messaging::Template& which : messaging::templates()) {
            CAPTURE(which.key);
            const auto english = shown(site, which, "en");
            for (const char* locale : {"en", "de", "es", "fr"}) {
                CAPTURE(locale);
                const auto preview = shown(site, which, locale);
                CHECK_FALSE(preview.subject.empty());
                CHECK_FALSE(preview.text.empty());
                CHECK(preview.html.find("<html lang=\"" + std::string(locale) + "\" dir=\"ltr\">") !=
                      std::string::npos);
                for (const std::string& part : {preview.subject, preview.text}) {
                    CHECK(part.find("{") == std::string::npos);
                    CHECK(part.find("<p>") == std::string::npos);
                }
                CHECK(preview.html.find("{{") == std::string::npos);
                if (std::string_view(locale) != "en") {
                    CHECK(preview.text != english.text);
                    CHECK(preview.html != english.html);
                }
            }
        }
    });
}

TEST_CASE("an e-mail uses the booking's language, else the account's, else the site's") {
    tests::each_database([](tests::Database& db) {
        CAPTURE(db.name());
        MessagingSite site(db);
        site.bookings.language = [](std::int64_t user_id) { return user_id == 5 ? "fr" : ""; };
        const auto subject = [&](json::Value booking) {
            site.happen(tests::booking_confirmed, 7, booking);
            return site.texts("SELECT subject FROM svc_email_outbox ORDER BY id DESC").at(0);
        };
        json::Value booking = MessagingSite::booking();
        CHECK(subject(booking) == "Your booking ABC-1 is confirmed");
        site.settings.set("site_language", "es");
        CHECK(subject(booking) == "Su reserva ABC-1 está confirmada");
        booking.set("user_id", 5);
        CHECK(subject(booking) == "Votre réservation ABC-1 est confirmée");
        booking.set("locale", "de-AT");
        CHECK(subject(booking) == "Ihre Buchung ABC-1 ist bestätigt");
        CHECK(site.texts("SELECT locale FROM svc_email_outbox ORDER BY id DESC").at(0) == "de-AT");
        booking.set("locale", "pt-BR");  // there is no such catalogue
        CHECK(subject(booking) == "Your booking ABC-1 is confirmed");
        // Staff read the site's language, whatever the customer speaks.
        site.settings.set("admin_email", "desk@example.org");
        booking.set("locale", "de");
        CHECK(site.service.mailer.notify_staff(
            {.template_key = "admin_new_booking", .booking_id = 7, .booking = booking, .dedupe_key = {}}));
        CHECK(site.texts("SELECT subject FROM svc_email_outbox ORDER BY id DESC").at(0) == "Nueva reserva ABC-1");
    });
}

TEST_CASE("e-mails name the operator's and the customer's country in their own language") {
    tests::each_database([](tests::Database& db) {
        CAPTURE(db.name());
        MessagingSite site(db);
        site.settings.set("company_country", "AT");
        site.settings.set("email_tpl_booking_confirmed_body", "<p>from {{ contact_country }}</p>");
        json::Value booking = MessagingSite::booking();
        for (const auto& [locale, company, customer] :
             {std::tuple{"de", "Österreich", "Vereinigtes Königreich"}, {"en", "Austria", "United Kingdom"}}) {
            CAPTURE(locale);
            booking.set("locale", locale);
            site.happen(tests::booking_confirmed, 7, booking);
            const std::string text = site.texts("SELECT body_text FROM svc_email_outbox ORDER BY id DESC").at(0);
            CHECK(text.find("from " + std::string(customer)) != std::string::npos);
            CHECK(text.find("\n" + std::string(company) + "\n") != std::string::npos);
        }
    });
}

TEST_CASE("one layout holds every e-mail: logo, colour, a column of 600 px, dark mode, how to reach the operator") {
    tests::each_database([](tests::Database& db) {
        CAPTURE(db.name());
        MessagingSite site(db);
        const messaging::Template& which = messaging::template_of("booking_confirmed");
        CHECK(shown(site, which, "en").html.find(">Peaks</a>") != std::string::npos);
        site.settings.set("company_logo", "https://peaks.example/logo.png?a=1&b=2");
        site.settings.set("frontend_primary_color", "#ffee00");
        site.settings.set("company_email", "hello@peaks.example");
        site.settings.set("company_city", "Bern <b>");
        const auto preview = shown(site, which, "en");
        for (const char* part : {"src=\"https://peaks.example/logo.png?a=1&amp;b=2\"",
                                 "background: #ffee00; color: #111111", "max-width: 600px",
                                 "@media (prefers-color-scheme: dark)", "mailto:hello@peaks.example", "Bern &lt;b&gt;"})
            CHECK_MESSAGE(preview.html.find(part) != std::string::npos, part);
        CHECK(preview.text.find("\n-- \nPeaks\nBern <b>\nhello@peaks.example, +44 20 7946 0100\n") !=
              std::string::npos);
        // Staff know where they work.
        CHECK(shown(site, messaging::template_of("admin_new_booking"), "en").html.find("mailto:hello@") ==
              std::string::npos);
        // An operator's text that is a whole document stays as it is.
        site.settings.set("email_tpl_booking_confirmed_body", "<html><body>Own</body></html>");
        CHECK(shown(site, which, "en").html == "<html><body>Own</body></html>");
    });
}

TEST_CASE("buttons and links of e-mails can be read in every colour that an operator sets, by day and by night") {
    tests::each_database([](tests::Database& db) {
        CAPTURE(db.name());
        MessagingSite site(db);
        const messaging::Template& which = messaging::template_of("booking_confirmed");
        // The colours "#rrggbb" after a rule's name, in order: first those by day, then those by night.
        const auto colours = [](const std::string& html, const std::string& rule) {
            std::vector<std::string> all;
            for (auto at = html.find(rule + " {"); at != std::string::npos; at = html.find(rule + " {", at + 1)) {
                const auto end = html.find('}', at);
                for (auto hash = html.find('#', at); hash < end; hash = html.find('#', hash + 1))
                    all.push_back(html.substr(hash, 7));
            }
            return all;
        };
        for (const char* colour : {"#3b82f6", "#ffee00", "#000080", "#10b981", "#ffffff", "#000000", "#808080"}) {
            CAPTURE(colour);
            site.settings.set("frontend_primary_color", colour);
            const std::string html = shown(site, which, "en").html;
            const auto button = colours(html, ".text a.button"), link = colours(html, ".text a");
            REQUIRE(button.size() == 4);
            CHECK(colour::contrast(button[0], button[1]) >= 4.5);
            CHECK(colour::contrast(button[2], button[3]) >= 4.5);
            REQUIRE(link.size() == 2);
            CHECK(colour::contrast(link[0], "#ffffff") >= 4.5);
            CHECK(colour::contrast(link[1], "#1c2220") >= 4.5);
        }
    });
}

TEST_CASE("an account's e-mail is previewed with its own sentences, not those of a registration") {
    tests::each_database([](tests::Database& db) {
        CAPTURE(db.name());
        MessagingSite site(db);
        for (const auto& [key, english, german] :
             {std::tuple{"account_password_reset", "Somebody, perhaps you, asked for a new password.",
                         "Jemand, vielleicht Sie, hat ein neues Passwort angefordert."},
              {"account_privacy_link", "Somebody, perhaps you, asked for the data we store about you.", ""},
              {"account_email_change_request",
               "Somebody, perhaps you, wants to use this address for the account named below.", ""},
              {"account_email_changed", "Your account has another e-mail address now.", ""}}) {
            CAPTURE(key);
            const messaging::Template& which = messaging::template_of(key);
            const auto preview = shown(site, which, "en");
            CHECK(preview.text.find(english) != std::string::npos);
            CHECK(preview.text.find("Thank you for registering") == std::string::npos);
            if (*german)
                CHECK(shown(site, which, "de").text.find(german) != std::string::npos);
        }
        CHECK(shown(site, messaging::template_of("customer_email_verification"), "en")
                  .text.find("Thank you for registering") != std::string::npos);
    });
}

TEST_CASE("a preview is what would be sent, and a draft with an unknown tag is refused with the nearest one") {
    tests::each_database([](tests::Database& db) {
        CAPTURE(db.name());
        MessagingSite site(db);
        json::Value booking = MessagingSite::booking();
        booking.set("id", 7);
        booking.set("locale", "de");
        const messaging::Template& which = messaging::template_of("booking_confirmation");
        const auto preview = site.service.previews.preview({.which = &which, .booking = booking});
        REQUIRE(preview);
        site.happen(tests::booking_created, 7, booking);
        CHECK(site.texts("SELECT subject FROM svc_email_outbox").at(0) == preview->subject);
        // But for the secret of the booking's link, which is the recipient's alone.
        const auto sent = [&](const char* column) {
            std::string text = site.texts(std::string("SELECT ") + column + " FROM svc_email_outbox").at(0);
            const std::string link = tests::booking_link;
            REQUIRE(text.find(link) != std::string::npos);
            return text.replace(text.find(link), link.size(), "https://peaks.example/booking/confirmation/ABC-1");
        };
        CHECK(sent("body_html") == preview->html);
        CHECK(sent("body_text") == preview->text);

        const auto draft =
            site.service.previews.preview({.which = &which, .subject = "Hi {{ customer_name }}", .body = "<p>x</p>"});
        REQUIRE(draft);
        CHECK(draft->subject == "Hi Ada Lovelace");
        const auto refused = site.service.previews.preview({.which = &which, .body = "{{ custmer_name }}"});
        REQUIRE_FALSE(refused);
        CHECK(refused.error().fields().at(0).field == "body");
        CHECK(refused.error().message().english().find("{{ customer_name }}") != std::string::npos);
        CHECK_FALSE(site.service.previews.preview({.which = &which, .subject = "{{ open"}));
        // Endless markup ends.
        std::string deep;
        for (int i = 0; i < 100; ++i)
            deep += "{{#customer_name}}";
        CHECK_FALSE(site.service.previews.preview({.which = &which, .body = deep}));

        REQUIRE(site.events.filter("svc_email_template_preview_variables", {.name = "test"},
                                   [](store::Transaction*, const json::Array& given) {
                                       json::Value values = given[0];
                                       return values.set("customer_name", "Sample <Person>");
                                   }));
        CHECK(shown(site, which, "en").html.find("Dear Sample &lt;Person&gt;,") != std::string::npos);
    });
}

TEST_CASE(
    "a file of the theme's folder, with its partials, replaces a bundled one of e-mails; a broken one is reported") {
    tests::each_database([](tests::Database& db) {
        CAPTURE(db.name());
        const tests::TempDir folder;
        const auto put = [&](const char* name, const char* text) { std::ofstream(folder.file(name)) << text; };
        put("booking_confirmed.subject", "Ready: {{ trip_name }}\n");
        put("booking_confirmed.html", "<p>Own {{ trip_name }} {{#t}}View the booking{{/t}}</p>");
        put("booking_cancelled.html", "<p>{{ trip_nme }}</p>");
        put("booking_completed.html", "<p>{{#customer_name}}</p>");
        put("payment_received.html", "<p>{{> no_such_part}}</p>");
        std::filesystem::create_directory(folder.file("partials"));
        put("partials/signature.html", "<p>Yours, {{> team}} of {{ trip_name }} {{! {{> no }}</p>\n");
        put("partials/team.html", "the team {{#t}}View the booking{{/t}}");
        put("partials/wrong.html", "{{ trip_nme }}");
        put("booking_expired_customer.html", "<p>Over</p>{{>signature}}<p>End</p>");
        put("waitlist_joined.html", "<p>{{> wrong}}</p>");
        put("layout.html", "<html><body>No text</body></html>");
        MessagingSite site(db);
        messaging::Service service(site.service.parts, *site.keyring, [] {}, {folder.path()});
        const auto of = [&](const char* key, const char* locale = "en") {
            auto preview = service.previews.preview({.which = &messaging::template_of(key), .locale = locale});
            REQUIRE(preview);
            return std::move(*preview);
        };
        CHECK(of("booking_confirmed").subject.starts_with("Ready: "));
        CHECK(of("booking_confirmed").html.find("<p>Own ") != std::string::npos);
        CHECK(of("booking_confirmed", "de").html.find("Buchung ansehen") != std::string::npos);
        CHECK(of("booking_confirmed").html.find("max-width: 600px") != std::string::npos);  // the layout shows no text
        const auto signed_by = of("booking_expired_customer", "de").html;
        CAPTURE(signed_by);
        CHECK(signed_by.find("<p>Over</p><p>Yours, the team Buchung ansehen of ") != std::string::npos);
        CHECK(signed_by.find("</p><p>End</p>") != std::string::npos);
        CHECK(signed_by.find("{{") == std::string::npos);
        for (const char* broken : {"booking_cancelled", "booking_completed", "payment_received", "waitlist_joined"}) {
            CAPTURE(broken);
            auto bundled = site.service.previews.preview({.which = &messaging::template_of(broken), .locale = "en"});
            REQUIRE(bundled);
            CHECK(of(broken).html == bundled->html);
        }
        std::string said;
        for (const auto& fault : service.composer.files().faults())
            said += fault.file + ": " + fault.sentence + "\n";
        CAPTURE(said);
        for (const char* part :
             {"layout.html: layout.html shows no {{ body_html }}", "booking_cancelled.html: ", "{{ trip_name }}",
              "booking_completed.html: ", "payment_received.html: ", "waitlist_joined.html: "})
            CHECK_MESSAGE(said.find(part) != std::string::npos, part);
        // A text of the admin has precedence over a file.
        site.settings.set("email_tpl_booking_confirmed_subject", "Mine");
        CHECK(of("booking_confirmed").subject == "Mine");
    });
}
