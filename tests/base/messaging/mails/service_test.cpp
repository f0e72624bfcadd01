// Which e-mail is queued when, for whom, and with what in it.
#include <regex>

#include <doctest/doctest.h>

#include "tests/base/messaging/site.hpp"
#include "tests/support/recording_hooks.hpp"

using namespace svc;
using tests::booking_cancelled;
using tests::booking_confirmed;
using tests::booking_created;
using tests::MessagingSite;

TEST_CASE("a booking's events queue their e-mails once, however often the events are run") {
    tests::each_database([](tests::Database& db) {
        CAPTURE(db.name());
        MessagingSite site(db);
        site.happen(booking_created, 7);
        site.happen(booking_confirmed, 7);
        site.happen(booking_cancelled, 7);
        CHECK(site.texts("SELECT template_key FROM svc_email_outbox ORDER BY id") ==
              std::vector<std::string>{"booking_confirmation", "booking_confirmed", "booking_cancelled"});
        CHECK(site.texts("SELECT event_key FROM svc_email_outbox ORDER BY id") ==
              std::vector<std::string>{"booking.created", "booking.confirmed", "booking.cancelled"});
        CHECK(site.texts("SELECT dedupe_key FROM svc_email_outbox ORDER BY id") ==
              std::vector<std::string>{"booking_confirmation:7:1", "booking_confirmed:7:2", "booking_cancelled:7:3"});
        CHECK(site.number("SELECT COUNT(*) FROM svc_email_outbox WHERE booking_id = 7 AND status = 'queued'") == 3);
        CHECK(site.woken == 3);
        // As after a crash between the listeners and the note that they ran.
        tests::execute(*site.store, {"UPDATE svc_domain_events SET dispatched_at = NULL, leased_by = 'site'"});
        CHECK(site.events.drain());
        CHECK(site.number("SELECT COUNT(*) FROM svc_email_outbox") == 3);
        // A second confirmation of the same booking is another event.
        site.happen(booking_confirmed, 7);
        CHECK(site.number("SELECT COUNT(*) FROM svc_email_outbox") == 4);
        // Nobody is woken for a mail server that is not set.
        CHECK(site.woken == 4);
        site.settings.set("smtp_enabled", false);
        site.happen(booking_confirmed, 7);
        CHECK(site.woken == 4);
        CHECK(site.number("SELECT COUNT(*) FROM svc_email_outbox WHERE status = 'queued'") == 5);
    });
}

TEST_CASE("an e-mail shows the booking") {
    tests::each_database([](tests::Database& db) {
        CAPTURE(db.name());
        MessagingSite site(db);
        site.settings.set("from_name", "The office");
        site.settings.set("email_always_bcc", "archive@example.org, none");
        site.settings.set("email_tpl_booking_cc", "desk@example.org");
        site.settings.set("email_tpl_booking_bcc", "desk@example.org; boss@example.org");
        site.happen(booking_created, 7);
        CHECK(site.texts("SELECT to_email FROM svc_email_outbox")[0] == "ada@example.org");
        CHECK(site.texts("SELECT from_email FROM svc_email_outbox")[0] == "office@example.org");
        CHECK(site.texts("SELECT from_name FROM svc_email_outbox")[0] == "The office");
        CHECK(site.texts("SELECT cc FROM svc_email_outbox")[0] == "desk@example.org");
        CHECK(site.texts("SELECT bcc FROM svc_email_outbox")[0] == "boss@example.org,archive@example.org");
        CHECK(site.texts("SELECT subject FROM svc_email_outbox")[0] == "We have received your booking ABC-1");
        const auto html = site.texts("SELECT body_html FROM svc_email_outbox")[0];
        for (const char* piece :
             {"Dear Ada Lovelace,", "ABC-1", "<a href=\"https://peaks.example/tours/nile\">Nile &amp; Cruise</a>",
              "Fri, 20 November 2026", ">2</td>", "USD 1,299.50", "USD 0.00", "Peaks"})
            CHECK_MESSAGE(html.find(piece) != std::string::npos, piece);
        const auto text = site.texts("SELECT body_text FROM svc_email_outbox")[0];
        for (const char* piece :
             {"Dear Ada Lovelace,\n", "Nile & Cruise (https://peaks.example/tours/nile)", "Total: USD 1,299.50\n"})
            CHECK_MESSAGE(text.find(piece) != std::string::npos, piece);
    });
}

namespace {

// All that a booking can tell.
json::Value whole_booking() {
    auto booking = MessagingSite::booking();
    for (const auto& [member, value] : {std::pair{"customer_name", json::Value("Maria Lena Day")},
                                        {"customer_phone", json::Value("+44 1")},
                                        {"payment_status", json::Value("pending")},
                                        {"trip_id", json::Value(4)},
                                        {"end_date", json::Value("2026-11-22")},
                                        {"departure_time", json::Value("18:30")},
                                        {"amount_paid", json::Value(json::Number{"0"})},
                                        {"amount_due", json::Value(json::Number{"300"})},
                                        {"payment_method", json::Value("deposit")},
                                        {"payment_gateway", json::Value("bank")}})
        booking.set(member, value);
    booking.set("contact",
                json::Value::object({{"first_name", "Maria Lena"}, {"last_name", "Day"}, {"country", "GB"}}));
    return booking;
}

void define_bookings(tests::StubBookings& bookings) {
    bookings.payment_text = [](const std::string& gateway) { return "Send it to <" + gateway + ">\nor call."; };
    bookings.title = [](const std::string&) { return "Bank transfer"; };
    bookings.place = {.place = "Harbour gate", .map_url = "https://map.example"};
    bookings.form = [] {
        return json::Value::object({{"special_requests", "No nuts\n& no <fish>"},
                                    {"contact_data", json::Value::object({{"home_airport", "LHR <1>"}})},
                                    {"emergency_contact", json::Value::object({{"name", "Bob"}, {"phone", "112"}})}});
    };
}

}  // namespace

TEST_CASE("no tag of a booking is empty of one that was filled in, whoever the e-mail is for") {
    tests::each_database([](tests::Database& db) {
        CAPTURE(db.name());
        MessagingSite site(db);
        define_bookings(site.bookings);
        std::vector<std::string> names{"contact_country", "contact_first_name", "contact_home_airport",
                                       "emergency_name", "emergency_phone"};
        for (const auto& tag : messaging::booking_tags())
            names.emplace_back(tag.name);
        std::string body;
        for (const auto& name : names)
            body += name + "=[{{ " + name + " }}]\n";
        site.settings.set("email_tpl_booking_body", body);
        site.settings.set("email_tpl_admin_cancellation_body", body);
        site.settings.set("admin_email", "desk@example.org");
        const auto booking = whole_booking();
        REQUIRE(site.service.mailer.notify_customer(
            {.template_key = "booking_confirmation", .booking_id = 7, .booking = booking, .dedupe_key = {}}));
        REQUIRE(site.service.mailer.notify_staff(
            {.template_key = "admin_booking_cancelled", .booking_id = 7, .booking = booking, .dedupe_key = {}}));
        REQUIRE(site.events.drain());
        const auto bodies = site.texts("SELECT body_html FROM svc_email_outbox ORDER BY id");
        REQUIRE(bodies.size() == 2);
        for (const auto& each : bodies) {
            const std::string html = MessagingSite::without_looks(each);
            for (const auto& name : names)
                CHECK_MESSAGE(html.find(name + "=[]") == std::string::npos, name);
            for (const char* piece :
                 {"customer_first_name=[Maria Lena]", "customer_last_name=[Day]", "return_date=[Sun, 22 November 2026]",
                  "amount_paid=[0]", "amount_paid_formatted=[USD 0.00]", "amount_due=[USD 1,299.50]",
                  "balance_due=[USD 1,299.50]", "pay_now_amount_formatted=[USD 300.00]", "payment_gateway=[bank]",
                  "payment_gateway_label=[Bank transfer]", "payment_schedule=[deposit]",
                  "payment_schedule_label=[Deposit]", "special_requests=[No nuts\n&amp; no &lt;fish&gt;]",
                  "special_requests_html=[No nuts<br>&amp; no &lt;fish&gt;]",
                  "booking_custom_fields_html=[<ul><li>Home airport: LHR &lt;1&gt;</li></ul>]",
                  "contact_country=[United Kingdom]", "contact_home_airport=[LHR &lt;1&gt;]", "emergency_phone=[112]"})
                CHECK_MESSAGE(html.find(piece) != std::string::npos, piece);
        }
        // The contact gets the booking's link, staff the page's address alone.
        CHECK(bodies[0].find("booking_url=[https://peaks.example/book/confirmation/SVC-1?booking_token=b1.1.secret]") !=
              std::string::npos);
        CHECK(bodies[1].find("booking_url=[https://peaks.example/booking/confirmation/ABC-1]") != std::string::npos);
    });
}

// Read on the day of the trip, on a telephone.
TEST_CASE("the built-in e-mail of a confirmed booking says when, where, what to bring and whom to call") {
    tests::each_database([](tests::Database& db) {
        CAPTURE(db.name());
        MessagingSite site(db);
        define_bookings(site.bookings);
        auto booking = whole_booking();
        booking.set("status", "confirmed");
        const auto sent = [&](const char* locale) {
            booking.set("locale", locale);
            site.happen(booking_confirmed, 7, booking);
            static const std::regex looks(R"re( (style|dir)="[^"]*")re");  // e-mails carry them in each element
            const std::string html =
                site.texts(
                        "SELECT body_html FROM svc_email_outbox WHERE template_key = 'booking_confirmed'"
                        " ORDER BY id DESC")
                    .at(0);
            return std::regex_replace(html, looks, "");
        };
        const std::string english = sent("en"), german = sent("de");
        for (const char* piece :
             {"<tr><th>Date</th><td>Fri, 20 November 2026 – Sun, 22 November 2026, 18:30</td></tr>",
              "<tr><th>Meeting point</th><td>Harbour gate<br><a href=\"https://map.example\">Map</a></td></tr>",
              "<a href=\"tel:+44 20 7946 0100\">+44 20 7946 0100</a>",
              "<p>Please bring with you:</p>\n<ul><li>A valid passport or identity card</li><li>Your travel "
              "insurance</li>"
              "<li>The numbers of your emergency contacts</li></ul>",
              "There you also find your voucher, the itinerary and a file for your calendar."})
            CHECK_MESSAGE(english.find(piece) != std::string::npos, piece << "\n" << english);
        for (const char* piece :
             {"<tr><th>Datum</th><td>Fr., 20. November 2026 – So., 22. November 2026, 18:30</td></tr>",
              "<tr><th>Treffpunkt</th><td>Harbour gate<br><a href=\"https://map.example\">Karte</a></td></tr>",
              "<a href=\"tel:+44 20 7946 0100\">+44 20 7946 0100</a>",
              "<p>Bitte bringen Sie mit:</p>\n<ul><li>Gültiger Reisepass oder Personalausweis</li>",
              "Dort finden Sie auch Ihren Reisegutschein, den Reiseverlauf und eine Datei für Ihren Kalender."})
            CHECK_MESSAGE(german.find(piece) != std::string::npos, piece << "\n" << german);
    });
}

TEST_CASE("who pays offline reads in the first e-mail how, while something is to be paid") {
    tests::each_database([](tests::Database& db) {
        CAPTURE(db.name());
        MessagingSite site(db);
        define_bookings(site.bookings);
        auto booking = whole_booking();
        const auto told = [&](const char* status, const char* due) {
            booking.set("status", status);
            booking.set("amount_due", json::Number{due});
            site.happen(booking_created, 7, booking);
            const auto html = site.texts("SELECT body_html FROM svc_email_outbox ORDER BY id DESC").at(0);
            CHECK(html.find("To pay now") == std::string::npos);
            return html.find("<p>Send it to &lt;bank&gt;<br>or call.</p>") != std::string::npos;
        };
        CHECK(told("pending", "300"));
        CHECK_FALSE(told("pending", "0"));
        CHECK_FALSE(told("waitlist", "0"));
        CHECK(told("on-hold", "1299.5"));
        CHECK(site.texts("SELECT body_text FROM svc_email_outbox ORDER BY id")[0].find(
                  "Send it to <bank>\nor call.\n") != std::string::npos);
    });
}

TEST_CASE("a party that joins the waitlist gets an e-mail with its own subject") {
    tests::each_database([](tests::Database& db) {
        CAPTURE(db.name());
        MessagingSite site(db);
        auto booking = MessagingSite::booking();
        booking.set("status", "waitlist");
        site.happen(booking_created, 7, booking);
        CHECK(site.texts("SELECT template_key FROM svc_email_outbox") == std::vector<std::string>{"waitlist_joined"});
        CHECK(site.texts("SELECT subject FROM svc_email_outbox").at(0).find("waiting list") != std::string::npos);
    });
}

TEST_CASE("amounts and days are written in e-mails as the site is set") {
    tests::each_database([](tests::Database& db) {
        CAPTURE(db.name());
        MessagingSite site(db);
        for (const auto& [key, value] : {std::pair{"date_format", "d/m/Y"},
                                         {"currency_position", "right_space"},
                                         {"decimal_separator", ","},
                                         {"thousand_separator", "."}})
            site.settings.set(key, value);
        site.happen(booking_created, 7);
        const auto html = site.texts("SELECT body_html FROM svc_email_outbox")[0];
        for (const char* piece : {"20/11/2026", "1.299,50 USD"})
            CHECK_MESSAGE(html.find(piece) != std::string::npos, piece);
    });
}

TEST_CASE("nobody gets an e-mail twice, however an address is written and wherever it is listed") {
    tests::each_database([](tests::Database& db) {
        CAPTURE(db.name());
        MessagingSite site(db);
        site.settings.set("email_always_bcc", "Desk@Example.org, archive@example.org");
        site.settings.set("email_tpl_booking_cc", "ADA@example.org; desk@example.org, DESK@example.org");
        site.settings.set("email_tpl_booking_bcc", "Ada@example.org; boss@example.org");
        site.happen(booking_created, 7);
        CHECK(site.texts("SELECT to_email FROM svc_email_outbox")[0] == "ada@example.org");
        CHECK(site.texts("SELECT cc FROM svc_email_outbox")[0] == "desk@example.org");
        CHECK(site.texts("SELECT bcc FROM svc_email_outbox")[0] == "boss@example.org,archive@example.org");
    });
}

TEST_CASE("what a customer typed stays text in every part of an e-mail") {
    tests::each_database([](tests::Database& db) {
        CAPTURE(db.name());
        MessagingSite site(db);
        const std::string marker = "{{ site_url }}<img src=x onerror=1>\"'&\r\nBcc: evil@example.org";
        auto booking = MessagingSite::booking();
        for (const char* member : {"reference", "customer_name", "trip_title", "travel_date"})
            booking.set(member, marker);
        for (const auto& action : {booking_created, booking_confirmed, booking_cancelled})
            site.happen(action, 1, booking);
        const auto bodies = site.texts("SELECT body_html FROM svc_email_outbox");
        CHECK(bodies.size() == 3);
        for (const auto& html : bodies) {
            CHECK(html.find("<img") == std::string::npos);
            CHECK(html.find("{{ site_url }}&lt;img") != std::string::npos);
        }
        for (const auto& subject : site.texts("SELECT subject FROM svc_email_outbox")) {
            CHECK(subject.find('\n') == std::string::npos);
            CHECK(subject.find("<img") == std::string::npos);
        }
    });
}

TEST_CASE("a switch that is off suppresses the e-mail and keeps it in the log") {
    tests::each_database([](tests::Database& db) {
        CAPTURE(db.name());
        MessagingSite site(db);
        site.settings.set("enable_customer_notifications", false);
        site.happen(booking_created, 1);
        site.settings.set("enable_customer_notifications", true);
        site.settings.set("email_template_booking_confirmed", false);
        site.happen(booking_confirmed, 1);
        CHECK(site.texts("SELECT status FROM svc_email_outbox") ==
              std::vector<std::string>{"suppressed", "suppressed"});
        CHECK(site.woken == 0);
        site.happen(booking_cancelled, 1);
        CHECK(site.number("SELECT COUNT(*) FROM svc_email_outbox WHERE status = 'queued'") == 1);
    });
}

TEST_CASE("no e-mail goes to what is no address") {
    tests::each_database([](tests::Database& db) {
        CAPTURE(db.name());
        MessagingSite site(db);
        for (const char* address : {"", "ada", "ada@example.org\r\nBcc: evil@example.org", "a@b, c@d"}) {
            auto booking = MessagingSite::booking();
            booking.set("customer_email", address);
            site.happen(booking_created, 1, booking);
        }
        auto none = MessagingSite::booking();
        none.erase("customer_email");
        site.happen(booking_created, 1, none);
        CHECK(site.number("SELECT COUNT(*) FROM svc_email_outbox") == 0);
    });
}

TEST_CASE("the operator's text replaces the built-in one, also one stored that is no whole template") {
    tests::each_database([](tests::Database& db) {
        CAPTURE(db.name());
        MessagingSite site(db);
        site.settings.set("email_tpl_booking_subject", "<i>Hi</i> {{ customer_first_name }}");
        site.settings.set("email_tpl_booking_body", "<p>{{ booking_reference }}, {{ no_such_tag }}</p>");
        site.happen(booking_created, 1);
        site.settings.set("email_tpl_booking_body", "<p>{{ booking_reference }}, {{ booking_reference </p>");
        site.happen(booking_created, 1);
        CHECK(site.texts("SELECT subject FROM svc_email_outbox") == std::vector<std::string>{"Hi Ada", "Hi Ada"});
        const auto bodies = site.texts("SELECT body_html FROM svc_email_outbox ORDER BY id");
        const std::string link = MessagingSite::added_link();
        CHECK(MessagingSite::without_looks(bodies[0]).find("\n<p>ABC-1, </p>" + link) != std::string::npos);
        CHECK(MessagingSite::without_looks(bodies[1]).find("\n<p>ABC-1, {{ booking_reference </p>" + link) !=
              std::string::npos);
    });
}

TEST_CASE("filters have the last word on values, and may keep an e-mail back or own its type") {
    tests::each_database([](tests::Database& db) {
        CAPTURE(db.name());
        MessagingSite site(db);
        bool keep = false, owns = false;
        REQUIRE(site.events.filter("svc_booking_email_variables", {.name = "t"},
                                   [](store::Transaction*, const json::Array& a) {
                                       auto changed = a.at(0);
                                       CHECK(a.at(1)["reference"].text() == "ABC-1");
                                       changed.set("customer_name", "Dr <Ada>");
                                       return changed;
                                   }));
        REQUIRE(site.events.filter("svc_send_transactional_email", {.name = "t"},
                                   [&](store::Transaction*, const json::Array& a) {
                                       CHECK(a.at(1).text() == "booking_confirmation");
                                       CHECK(a.at(2).text() == "ada@example.org");
                                       CHECK(a.at(3)["customer_name"].text() == "Dr <Ada>");
                                       return keep ? json::Value(false) : json::Value();
                                   }));
        REQUIRE(site.events.filter("svc_pro_email_automation_owns_transactional_type", {.name = "t"},
                                   [&](store::Transaction*, const json::Array&) { return json::Value(owns); }));
        site.happen(booking_created, 1);
        CHECK(site.texts("SELECT body_html FROM svc_email_outbox")[0].find("Dear Dr &lt;Ada&gt;,") !=
              std::string::npos);
        keep = true;
        site.happen(booking_created, 2);
        CHECK(site.number("SELECT COUNT(*) FROM svc_email_outbox") == 1);
        keep = false;
        owns = true;
        site.settings.set("email_template_booking", false);
        site.happen(booking_created, 3);
        CHECK(site.number("SELECT COUNT(*) FROM svc_email_outbox WHERE status = 'queued'") == 2);
    });
}

TEST_CASE("a listener may replace both texts of an e-mail, its sender and its copies") {
    tests::each_database([](tests::Database& db) {
        CAPTURE(db.name());
        MessagingSite site(db);
        REQUIRE(site.events.filter(
            "svc_transactional_email_message", {.name = "t"}, [](store::Transaction*, const json::Array& a) {
                json::Value shown = a.at(0);
                CHECK_FALSE(shown.text_or("subject").empty());
                CHECK(a.at(4).is_null());  // no plugin queued it
                shown.set("subject", "For " + a.at(1).text() + ", {{ booking_reference }}").set("body", "<p>Own</p>");
                return shown.set("from_name", "Desk")
                    .set("from_email", "desk@example.org")
                    .set("reply_to", "answers@example.org")
                    .set("to", "boss@example.org")
                    .set("bcc", "book@example.org");
            }));
        site.happen(booking_created, 1);
        const auto of = [&](const char* columns, const char* where) {
            return site.texts("SELECT " + std::string(columns) + " FROM svc_email_outbox WHERE " + where);
        };
        CHECK(of("subject || ' ' || from_name || ' ' || from_email || ' ' || reply_to",
                 "template_key = 'booking_confirmation' AND to_email = 'ada@example.org'") ==
              std::vector<std::string>{"For booking_confirmation, ABC-1 Desk desk@example.org answers@example.org"});
        CHECK(of("to_email", "template_key = 'booking_confirmation' AND to_email <> 'ada@example.org'").size() <= 1);
    });
}

TEST_CASE("a listener may write the HTML of an e-mail about a booking's state anew, and the plain text follows it") {
    tests::each_database([](tests::Database& db) {
        CAPTURE(db.name());
        MessagingSite site(db);
        std::string own = "<p>Dear <b>Ada</b>, it is booked.</p>";
        REQUIRE(site.events.filter("svc_send_booking_status_email_html", {.name = "t"},
                                   [&](store::Transaction*, const json::Array& a) {
                                       CHECK(a.at(0).text().find("ABC-1") != std::string::npos);
                                       CHECK(a.at(1).text() == "booking_confirmed");
                                       CHECK(a.at(2)["reference"].text() == "ABC-1");
                                       return json::Value(own);
                                   }));
        site.happen(booking_confirmed, 1);
        CHECK(site.texts("SELECT body_html FROM svc_email_outbox")[0] == own);
        CHECK(site.texts("SELECT body_text FROM svc_email_outbox")[0].find("Dear Ada, it is booked.") == 0);
        own.clear();
        site.happen(booking_confirmed, 2);
        CHECK(site.texts("SELECT body_html FROM svc_email_outbox ORDER BY id DESC")[0].find("ABC-1") !=
              std::string::npos);
    });
}

TEST_CASE("an e-mail names travelers by the fields that a listener returns, and lists their other fields beside") {
    tests::each_database([](tests::Database& db) {
        CAPTURE(db.name());
        MessagingSite site(db);
        int asked = 0;
        site.bookings.party = [&](std::int64_t id) {
            ++asked;
            CHECK(id > 0);
            return json::Array{
                json::Value::object({{"first_name", "Ada"}, {"last_name", "L<"}, {"seat_wish", "aisle"}}),
                json::Value::object({{"first_name", "Bob"}})};
        };
        site.happen(booking_created, 1);
        CHECK(asked == 0);  // the text has no place for them
        site.settings.set("email_tpl_booking_body",
                          "{{ travelers_list }}|{{ travelers_list_html }}|{{ traveler_custom_fields_html }}");
        const auto body = [&] {
            return MessagingSite::without_looks(
                site.texts("SELECT body_html FROM svc_email_outbox ORDER BY id DESC")[0]);
        };
        site.happen(booking_created, 2);
        CHECK(body().find("\nAda L&lt;, Bob|<ul><li>Ada L&lt;</li><li>Bob</li></ul>|"
                          "<p>Ada L&lt;</p><ul><li>Seat wish: aisle</li></ul>" +
                          MessagingSite::added_link()) != std::string::npos);
        REQUIRE(site.events.filter("svc_booking_email_traveler_identity_field_keys", {.name = "t"},
                                   [](store::Transaction*, const json::Array& a) {
                                       CHECK(a.at(0).dump() == R"(["first_name","last_name"])");
                                       CHECK(a.at(1)["reference"].text() == "ABC-1");
                                       return json::Value::array({"seat_wish"});
                                   }));
        site.happen(booking_created, 3);
        CHECK(body().find("\naisle|<ul><li>aisle</li></ul>|") != std::string::npos);
    });
}

TEST_CASE("every setting of e-mails has a default of its type") {
    tests::PlainSettings settings;
    const tests::RecordingHooks hooks;
    messaging::declare_settings(settings, hooks);
    std::size_t of_templates = 4 * 5;  // of scheduled payments, whose texts Pro brings
    for (const auto& each : messaging::templates())
        of_templates += messaging::is_for_one(each) ? 3U : 5U;  // those about accounts have no copies
    CHECK(settings.all().size() == 19 + of_templates);
    for (const auto& setting : settings.all()) {
        CAPTURE(setting.key);
        CHECK_FALSE(setting.help.empty());
        CHECK(api::Schema{{.name = setting.key, .type = setting.type}}
                  .check(json::Value::object({{setting.key, setting.initial}}))
                  .value()[setting.key] == setting.initial);
    }
    CHECK_FALSE(settings.flag("email_template_partial_payment"));
    CHECK(settings.flag("email_template_booking"));
    CHECK_FALSE(messaging::smtp_server(settings, {}));
    settings.set("smtp_enabled", true);
    CHECK_FALSE(messaging::smtp_server(settings, {}));
    settings.set("smtp_host", "smtp.example.org");
    const auto server = messaging::smtp_server(settings, {});
    REQUIRE(server);
    CHECK(server->port == 587);
    CHECK(server->encryption == outbound::SmtpSettings::Encryption::tls);
}

TEST_CASE(
    "an e-mail to staff goes by the switches, listeners and copies that one to customers goes by, the archive aside") {
    tests::each_database([](tests::Database& db) {
        CAPTURE(db.name());
        MessagingSite site(db);
        site.settings.set("admin_email", "desk@example.org");
        site.settings.set("email_always_bcc", "archive@example.org");
        site.settings.set("email_tpl_admin_booking_bcc", "boss@example.org");
        const auto tell = [&] {
            return site.service.mailer.notify_staff({.template_key = "admin_new_booking",
                                                     .booking_id = 7,
                                                     .booking = MessagingSite::booking(),
                                                     .dedupe_key = {}});
        };
        CHECK(tell());
        CHECK(site.texts("SELECT bcc FROM svc_email_outbox") == std::vector<std::string>{"boss@example.org"});
        // Whoever answers for its type is asked where its switch is off.
        site.settings.set("email_template_admin_new_booking", false);
        CHECK_FALSE(tell());
        bool owned = true;
        REQUIRE(site.events.filter("svc_pro_email_automation_owns_transactional_type", {.name = "test"},
                                   [&](store::Transaction*, const json::Array& given) {
                                       return json::Value(owned && given[1].text() == "admin_new_booking");
                                   }));
        CHECK(tell());
        site.settings.set("enable_admin_notifications", false);
        CHECK_FALSE(tell());
        site.settings.set("enable_admin_notifications", true);
        site.settings.set("enable_customer_notifications", false);
        CHECK(tell());
        const auto rows = site.number("SELECT COUNT(*) FROM svc_email_outbox");
        std::string kept_back;
        REQUIRE(site.events.filter(
            "svc_send_transactional_email", {.name = "test"}, [&](store::Transaction*, const json::Array& given) {
                kept_back = given[1].text() + " " + given[2].text() + " " + given[3]["booking_reference"].text();
                return json::Value(false);
            }));
        CHECK_FALSE(tell());
        CHECK(kept_back == "admin_new_booking desk@example.org ABC-1");
        CHECK(site.number("SELECT COUNT(*) FROM svc_email_outbox") == rows);
    });
}

TEST_CASE("listeners change an e-mail's trip data, and its text unless the operator wrote it") {
    tests::each_database([](tests::Database& db) {
        CAPTURE(db.name());
        MessagingSite site(db);
        const auto answers = [&](const char* filter, auto answer) {
            REQUIRE(
                site.events.filter(filter, {.name = "test"},
                                   [answer](store::Transaction*, const json::Array& given) { return answer(given); }));
        };
        answers("svc_email_template_trip_variables", [](const json::Array& given) {
            json::Value trip = given[0];
            CHECK(trip["trip_name"].text() == "Nile & Cruise");
            CHECK(trip["trip_id"].is_string());
            CHECK(given[1]["reference"].text() == "ABC-1");
            return trip.set("trip_name", "Nile").set("trip_guide", "Bes");
        });
        answers("svc_transactional_email_default_subject", [](const json::Array& given) {
            return json::Value(given[0].text() + " for {{trip_name}} [" + given[1].text() + "]");
        });
        answers("svc_transactional_email_default_body",
                [](const json::Array&) { return json::Value("<p>{{trip_name}} with {{ trip_guide }}</p>"); });
        answers("svc_transactional_email_effective_body",
                [](const json::Array& given) { return json::Value(given[0].text() + "<p>{{emergency_name}}</p>"); });
        define_bookings(site.bookings);
        site.happen(booking_created, 7);
        CHECK(site.texts("SELECT subject FROM svc_email_outbox")[0] ==
              "We have received your booking ABC-1 for Nile [booking_confirmation]");
        CHECK(site.texts("SELECT body_html FROM svc_email_outbox")[0].find("<p>Nile with Bes</p><p>Bob</p>") !=
              std::string::npos);
        // A text that the operator wrote is no default.
        site.settings.set("email_tpl_booking_subject", "Hello");
        site.settings.set("email_tpl_booking_body", "<p>Own</p>");
        site.happen(booking_created, 8);
        CHECK(site.texts("SELECT subject FROM svc_email_outbox ORDER BY id DESC")[0] == "Hello");
        CHECK(site.texts("SELECT body_html FROM svc_email_outbox ORDER BY id DESC")[0].find("<p>Own</p><p>Bob</p>") !=
              std::string::npos);
    });
}
