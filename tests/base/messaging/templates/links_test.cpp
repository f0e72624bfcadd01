// The table of mailed links: complete, as the rules show it, and carried by every mail about a booking.
#include <fstream>
#include <set>
#include <sstream>

#include <doctest/doctest.h>

#include "base/messaging/templates/mailed_links.hpp"
#include "base/messaging/templates/merge_tags.hpp"
#include "base/messaging/templates/secrets.hpp"
#include "base/messaging/templates/templates.hpp"
#include "base/sales/booking/record/booking_link.hpp"
#include "base/sales/booking/record/pay_link.hpp"
#include "tests/base/messaging/site.hpp"

using namespace svc;
using namespace svc::tests;

namespace {

std::set<std::string> parts_of(std::string_view list) {
    std::set<std::string> parts;
    while (!list.empty()) {
        const auto end = std::min(list.find(", "), list.size());
        parts.emplace(list.substr(0, end));
        list.remove_prefix(std::min(end + 2, list.size()));
    }
    return parts;
}

std::string quoted(std::string_view list) {
    std::string text;
    for (std::string_view rest = list; !rest.empty();) {
        const auto end = std::min(rest.find(", "), rest.size());
        text += (text.empty() ? "`" : ", `") + std::string(rest.substr(0, end)) + "`";
        rest.remove_prefix(std::min(end + 2, rest.size()));
    }
    return text;
}

// Of the base; a row may name tags of plugins as well, which tests/pro/email_automation/mailed_links_test.cpp reads.
bool is_of_base(const std::string& tag) {
    static const std::vector<messaging::KnownTag> tags = messaging::base_tags();
    return std::any_of(tags.begin(), tags.end(), [&](const messaging::KnownTag& one) { return one.key == tag; });
}

bool is_about_a_booking(const messaging::Template& each) {
    return !messaging::is_for_staff(each.key) && !each.event_key.starts_with("enquiry.") &&
           !each.event_key.starts_with("consent.") && !each.event_key.starts_with("departure.") &&
           each.event_key != "booking.abandoned_recovery" &&
           (!each.event_key.starts_with("account.") || each.key == "guest_email_verification");
}

}  // namespace

TEST_CASE("docs/rules.md shows the mailed links as the program declares them") {
    std::ifstream file(SVC_SOURCE_DIR "/docs/rules.md");
    std::stringstream text;
    text << file.rdbuf();
    const std::string rules = text.str();
    REQUIRE_FALSE(rules.empty());
    std::size_t rows = 0;
    for (const messaging::MailedLink& each : messaging::mailed_links) {
        CAPTURE(each.name);
        std::string row =
            "| " + std::string(each.name) + " | " + quoted(each.tag) + " | " +
            (each.templates == "customers" ? "every mail about a booking to its contact" : quoted(each.templates));
        for (const std::string_view cell : {each.proves, each.grants, each.needs, each.ends})
            row.append(" | ").append(cell);
        CHECK(rules.find("\n" + row + " |\n") != std::string::npos);
        ++rows;
    }
    const auto begin = rules.find("<!-- mailed links"), end = rules.find("\n\n", begin);
    REQUIRE(begin != std::string::npos);
    const std::string table = rules.substr(begin, end - begin);
    CHECK(static_cast<std::size_t>(std::count(table.begin(), table.end(), '\n')) == rows + 2);
}

TEST_CASE("every merge tag that is a link is a plain page or in the table, with the templates that show it") {
    const std::set<std::string> plain{"site_url", "admin_url", "admin_booking_url", "map_url", "trip_url"};
    std::set<std::string> linked, listed;
    for (const messaging::KnownTag& tag : messaging::base_tags())
        if (tag.key.ends_with("_url") || tag.key.ends_with("_link"))
            linked.insert(tag.key);
    for (const messaging::MailedLink& each : messaging::mailed_links)
        for (const std::string& tag : parts_of(each.tag)) {
            CHECK(linked.contains(tag) == is_of_base(tag));
            listed.insert(tag);
        }
    for (const std::string& tag : linked) {
        CAPTURE(tag);
        CHECK(listed.contains(tag) != plain.contains(tag));
    }
    CHECK_FALSE(messaging::carries_secret("trip_url"));
    // A template shows a listed tag only where the table says so.
    for (const messaging::Template& each : messaging::templates())
        for (const std::string& tag : listed) {
            if (each.body.find("{{ " + tag + " }}") == std::string_view::npos)
                continue;
            CAPTURE(each.key);
            CAPTURE(tag);
            CHECK(std::any_of(
                messaging::mailed_links.begin(), messaging::mailed_links.end(), [&](const messaging::MailedLink& link) {
                    return parts_of(link.tag).contains(tag) &&
                           (link.templates == "customers" ? is_about_a_booking(each)
                                                          : parts_of(link.templates).contains(std::string(each.key)));
                }));
        }
}

TEST_CASE("the marks by which copies lose their secrets are those of the table of mailed links") {
    tests::each_database([](tests::Database& db) {
        CAPTURE(db.name());
        MessagingSite site(db);
        const messaging::SecretTags marked = messaging::secret_tags(site.events);
        std::set<std::string> listed;
        for (const messaging::MailedLink& each : messaging::mailed_links)
            for (const std::string& tag : parts_of(each.tag)) {
                CAPTURE(tag);
                CHECK(marked.contains(tag) == is_of_base(tag));
                if (is_of_base(tag))
                    listed.insert(tag);
            }
        // Besides them the operator's text about paying, which may contain any link.
        for (const std::string& tag : marked) {
            CAPTURE(tag);
            CHECK(listed.contains(tag) != (tag == "details_html"));
        }
        for (const messaging::KnownTag& tag : messaging::base_tags()) {
            CAPTURE(tag.key);
            if (tag.key != "details_html")  // of account mails it holds no link
                CHECK(tag.is_secret == marked.contains(tag.key));
        }
        // A token in any of them does not get through, and the address stays.
        for (const std::string& tag : listed) {
            CAPTURE(tag);
            const auto shown = messaging::without_secrets(
                {{tag, "https://boots.example/page?id=7&token=Abcdefghijklmnopqrstuvwx0123456789"}}, marked);
            CHECK(shown.at(tag) == "https://boots.example/page?id=7");
        }
        for (const std::string_view mark : {booking::BookingLinks::mark, booking::PayLinks::mark}) {
            CAPTURE(mark);
            const std::string door =
                "https://boots.example/book/confirmation/SVC-1?booking_token=" + std::string(mark) +
                "7.Abcdefghijklmnopqrstuvwx";
            CHECK(messaging::without_tokens(door) == "https://boots.example/book/confirmation/SVC-1");
        }
    });
}

TEST_CASE("every mail about a booking to its contact has the booking's link, also with the operator's own text") {
    tests::each_database([](tests::Database& db) {
        CAPTURE(db.name());
        MessagingSite site(db);
        const json::Value booking = MessagingSite::booking();
        const std::string secret = "booking_token=b1.1.secret";
        int looked_at = 0;
        for (const messaging::Template& each : messaging::templates()) {
            if (each.event_key.starts_with("departure."))
                continue;
            CAPTURE(each.key);
            for (const bool is_own : {false, true}) {
                CAPTURE(is_own);
                messaging::Wording wording = site.service.composer.wording_of(each, booking);
                if (is_own)
                    wording.body = "<p>Hello {{ customer_name }}</p>";
                const messaging::BookingMail mail{
                    .template_key = each.key, .booking_id = 1, .booking = booking, .dedupe_key = {}};
                messaging::NewEmail email;
                site.service.composer.write(
                    each, wording, site.service.values.of_booking(each, wording, mail, {.locale = "de"}), email);
                const bool has = email.body_html.find(secret) != std::string::npos;
                CHECK(has != messaging::is_for_staff(each.key));
                CHECK((email.body_text.find(secret) != std::string::npos) == has);
                CHECK(email.body_html.find(secret) == email.body_html.rfind(secret));
                looked_at += is_about_a_booking(each) ? 1 : 0;
            }
        }
        CHECK(looked_at > 30);
        // A reader of a preview gets the address alone.
        const auto& confirmed = messaging::template_of("booking_confirmed");
        const messaging::Wording wording = site.service.composer.wording_of(confirmed, booking);
        const messaging::BookingMail shown{
            .template_key = confirmed.key, .booking_id = 1, .booking = booking, .dedupe_key = {}, .is_preview = true};
        messaging::NewEmail email;
        site.service.composer.write(confirmed, wording, site.service.values.of_booking(confirmed, wording, shown, {}),
                                    email);
        CHECK(email.body_html.find("booking_token") == std::string::npos);
        CHECK(email.body_html.find("/confirmation/ABC-1") != std::string::npos);
    });
}

// The security review's N5: whatever settings and listeners ask for, a link of the table reaches its recipient alone.
TEST_CASE("no copy of an e-mail has a link of the table of mailed links, whatever settings and listeners ask for") {
    tests::each_database([](tests::Database& db) {
        CAPTURE(db.name());
        MessagingSite site(db);
        for (const messaging::Template& each : messaging::templates())
            if (!messaging::is_for_one(each)) {
                site.settings.set("email_tpl_" + std::string(each.base) + "_cc", "desk@example.org");
                site.settings.set("email_tpl_" + std::string(each.base) + "_bcc", "boss@example.org");
            }
        REQUIRE(site.events.filter("svc_email_always_bcc", {.name = "t"}, [](store::Transaction*, const json::Array&) {
            return json::Value("archive@example.org");
        }));
        bool is_heard = false;
        REQUIRE(site.events.filter("svc_transactional_email_message", {.name = "t"},
                                   [&](store::Transaction*, const json::Array& given) {
                                       json::Value shown = given.at(0);
                                       return is_heard ? shown.set("cc", "listener@example.org")
                                                             .set("bcc", "spy@example.org")
                                                             .set("to", "thief@example.org")
                                                       : shown;
                                   }));
        const std::string secret = "Abcdefghijklmnopqrstuvwx0123456789";
        messaging::Variables values;
        std::set<std::string> listed, seen;
        for (const messaging::MailedLink& link : messaging::mailed_links)
            listed.merge(parts_of(link.tag));
        for (const std::string& tag : listed)
            values[tag] = tag.ends_with("_token") ? secret : "https://peaks.example/page?id=7&token=" + secret;
        values["credit_note_number"] = "CN-1";  // its link is shown with it
        for (const messaging::Template& each : messaging::templates())
            for (const bool listener : {false, true}) {
                CAPTURE(each.key);
                CAPTURE(listener);
                is_heard = listener;
                const messaging::Wording wording = site.service.composer.wording_of(each, MessagingSite::booking());
                const bool has_link = std::any_of(listed.begin(), listed.end(), [&](const std::string& tag) {
                    return wording.body.find("{{ " + tag + " }}") != std::string::npos;
                });
                if (!has_link)
                    continue;
                seen.emplace(each.key);
                messaging::NewEmail email;
                email.to = "ada@example.org";
                email.locale = "en";
                const auto copies =
                    site.service.composer.compose(each, {.wording = wording, .variables = values}, email);
                const auto holds = [&](const messaging::NewEmail& one) {
                    return (one.subject + one.body_html + one.body_text).find(secret) != std::string::npos;
                };
                if (messaging::is_for_staff(each.key)) {
                    CHECK_FALSE(holds(email));
                    continue;
                }
                CHECK(holds(email));
                CHECK(email.to == "ada@example.org");
                CHECK(email.cc + email.bcc == "");
                std::vector<std::string> recipients;
                for (const messaging::NewEmail& copy : copies) {
                    CHECK_FALSE(holds(copy));
                    CHECK(copy.cc + copy.bcc == "");
                    recipients.push_back(copy.to);
                }
                if (messaging::is_for_one(each))
                    CHECK(recipients.empty());
                else if (listener)
                    CHECK(recipients ==
                          std::vector<std::string>{"listener@example.org", "spy@example.org", "archive@example.org"});
                else
                    CHECK(recipients ==
                          std::vector<std::string>{"desk@example.org", "boss@example.org", "archive@example.org"});
            }
        // Every template of the base that the table names was among them.
        for (const messaging::MailedLink& link : messaging::mailed_links)
            for (const std::string& key : parts_of(link.templates)) {
                const bool is_of_base = std::any_of(messaging::templates().begin(), messaging::templates().end(),
                                                    [&](const messaging::Template& each) { return each.key == key; });
                CAPTURE(key);
                CHECK(seen.contains(key) == is_of_base);
            }
        CHECK(seen.size() >= 20);
    });
}
