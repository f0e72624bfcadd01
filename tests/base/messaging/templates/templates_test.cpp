// The tags that templates may use, and the precedence of templates.
#include <doctest/doctest.h>

#include "tests/base/messaging/site.hpp"

using namespace svc;
using tests::MessagingSite;

TEST_CASE("listeners choose subject and text of an e-mail by its booking and its trip") {
    tests::each_database([](tests::Database& db) {
        CAPTURE(db.name());
        MessagingSite site(db);
        int asked = 0;
        site.bookings.find_trip = [&](std::int64_t id) {
            ++asked;
            return json::parse(R"({"id":)" + std::to_string(id) + R"(,"trip_type":"multi_day","categories":[3,9]})")
                .value();
        };
        json::Value booking = MessagingSite::booking();
        booking.set("trip_id", 12);
        site.happen(tests::booking_created, 6, booking);
        CHECK(asked == 0);  // nobody chooses

        const auto choose = [&](const char* filter, const char* text) {
            REQUIRE(site.events.filter(filter, {.name = "test"}, [text](store::Transaction*, const json::Array& given) {
                if (given.at(1).text() != "booking_confirmation")
                    return given.front();
                CHECK(given.at(2)["reference"].text() == "ABC-1");
                CHECK(given.at(3)["id"].integer() == 12);
                const auto categories = given.at(3)["categories"];
                return categories[1].integer() == 9 ? json::Value(text) : given.front();
            }));
        };
        choose("svc_transactional_email_effective_subject", "Pack for {{ trip_name }}");
        choose("svc_transactional_email_effective_body", "<p>Desert {{ booking_reference }}</p>");
        site.settings.set("email_tpl_booking_subject", "The operator's own");
        site.happen(tests::booking_created, 7, booking);
        CHECK(asked == 1);
        CHECK(site.texts("SELECT subject FROM svc_email_outbox ORDER BY id DESC")[0] == "Pack for Nile & Cruise");
        CHECK(MessagingSite::without_looks(site.texts("SELECT body_html FROM svc_email_outbox ORDER BY id DESC")[0])
                  .find("\n<p>Desert ABC-1</p>" + MessagingSite::added_link()) != std::string::npos);
        site.happen(tests::booking_confirmed, 7, booking);
        CHECK(site.texts("SELECT subject FROM svc_email_outbox ORDER BY id DESC")[0] ==
              "Your booking ABC-1 is confirmed");
    });
}

TEST_CASE("a listener has an e-mail read the settings of another key, but no secret and no setting that is missing") {
    tests::each_database([](tests::Database& db) {
        CAPTURE(db.name());
        MessagingSite site(db);
        for (const auto& [key, initial] : {std::pair{"gear_subject", json::Value("Your gear for {{ trip_name }}")},
                                           {"gear_cc", json::Value("gear@example.org")}})
            site.settings.declare({.key = key, .type = api::text(200), .initial = initial, .help = ""});
        site.settings.declare({.key = "gear_mails", .type = api::boolean(), .initial = false, .help = ""});
        json::Value given;
        json::Value changes = json::Value::object({{"subject_setting", "gear_subject"},
                                                   {"body_setting", "smtp_password"},
                                                   {"cc_setting", "gear_cc"},
                                                   {"bcc_setting", "gear_bcc"}});
        REQUIRE(site.events.filter("svc_transactional_email_type_to_keys", {.name = "test"},
                                   [&](store::Transaction*, const json::Array& values) {
                                       given = values[0];
                                       json::Value keys = given["booking_confirmation"];
                                       for (const auto& [name, key] : changes.members())
                                           keys.set(std::string(name), key);
                                       return json::Value(given).set("booking_confirmation", keys);
                                   }));
        site.settings.set("smtp_password", "hunter2 hunter2");
        site.settings.set("email_tpl_booking_body", "<p>The operator's own</p>");
        site.settings.set("email_tpl_booking_cc", "desk@example.org");
        site.settings.set("email_tpl_booking_bcc", "boss@example.org");
        site.happen(tests::booking_created, 7);
        CHECK(given["booking_confirmation"] == json::Value::object({{"switch_setting", "email_template_booking"},
                                                                    {"subject_setting", "email_tpl_booking_subject"},
                                                                    {"body_setting", "email_tpl_booking_body"},
                                                                    {"cc_setting", "email_tpl_booking_cc"},
                                                                    {"bcc_setting", "email_tpl_booking_bcc"}}));
        CHECK(given["account_password_reset"]["cc_setting"].is_null());
        const auto last = [&](const std::string& column) {
            return site.texts("SELECT " + column + " FROM svc_email_outbox ORDER BY id DESC")[0];
        };
        CHECK(last("subject") == "Your gear for Nile & Cruise");
        CHECK(last("body_html").find("The operator's own") != std::string::npos);
        CHECK(last("cc") == "gear@example.org");
        CHECK(last("bcc") == "boss@example.org");
        // Another e-mail keeps its own.
        site.happen(tests::booking_confirmed, 7);
        CHECK(last("subject") == "Your booking ABC-1 is confirmed");
        changes = json::Value::object({{"switch_setting", "gear_mails"}});
        site.happen(tests::booking_created, 8);
        CHECK(last("status") == "suppressed");
    });
}

TEST_CASE("a tag that an e-mail lacks is named with the nearest one that it has") {
    const auto tags = messaging::base_tags();
    const auto fault = [&](std::string_view text, std::string_view event = "booking.created") {
        return messaging::unknown_tag(text, event, tags).value_or(Sentence());
    };
    CHECK(fault("<p>{{ custmer_name }}</p>") ==
          "Unknown tag in this e-mail: {{ custmer_name }}. Did you mean {{ customer_name }}?");
    CHECK(fault("{{#trip_nam}}x{{/trip_nam}}").english().find("{{ trip_name }}") != std::string::npos);
    CHECK(fault("{{{ travelers_list_htm }}}").english().find("{{ travelers_list_html }}") != std::string::npos);
    CHECK(fault("{{ zzzzzzzz }}") == "Unknown tag in this e-mail: {{ zzzzzzzz }}.");
    CHECK_FALSE(fault("{{ due_date }}").empty());  // of another e-mail
    CHECK(fault("{{ due_date }}", "payment.reminder").empty());
    CHECK(fault("{{customer_name}} {{&customer_name}} {{! a note }} {{ contact_passport }} {{^trip_url}}-{{/trip_url}}")
              .empty());
    CHECK(fault("No tag at all, but { braces }").empty());
    CHECK(fault("{{ " + std::string(5000, 'x') + " }}").english().size() < 200);
}

TEST_CASE("every built-in text uses only tags that its e-mail has") {
    const auto tags = messaging::base_tags();
    REQUIRE(messaging::templates().size() > 30);
    for (const auto& each : messaging::templates())
        for (const auto text : {each.subject, each.body}) {
            CAPTURE(each.key);
            CHECK_FALSE(messaging::unknown_tag(text, each.event_key, tags));
        }
}

TEST_CASE("a tag that a listener defines may be used in templates") {
    tests::each_database([](tests::Database& db) {
        CAPTURE(db.name());
        MessagingSite site(db);
        const auto check = [&](const char* text) {
            for (const auto& setting : site.settings.all())
                if (setting.key == "email_tpl_booking_body")
                    return static_cast<bool>(setting.also_checks(json::Value(text)));
            return false;
        };
        CHECK_FALSE(check("{{ guide_name }}"));
        REQUIRE(site.events.filter(
            "svc_email_merge_tag_definitions", {.name = "test"}, [](store::Transaction*, const json::Array& given) {
                json::Value tags = given.front();
                return tags.push(json::parse(R"({"key":"guide_name","events":["booking.*"]})").value());
            }));
        CHECK(check("{{ guide_name }} {{ customer_name }}"));
        CHECK_FALSE(check("{{ guide_nam }}"));
    });
}

TEST_CASE(
    "a tag has a label, a category and a sample, and filters change which tags an event has and how they are shown") {
    tests::each_database([](tests::Database& db) {
        CAPTURE(db.name());
        MessagingSite site(db);
        REQUIRE(messaging::base_tags().size() > 100);
        for (const messaging::KnownTag& tag : messaging::base_tags()) {
            CAPTURE(tag.key);
            CHECK_FALSE(tag.label.empty());
            CHECK_FALSE(tag.category.empty());
        }
        const auto has = [&](const char* key, const char* event) {
            for (const messaging::KnownTag& tag : messaging::tags_of(site.events, event))
                if (tag.key == key)
                    return true;
            return false;
        };
        CHECK(has("customer_name", "booking.created"));
        CHECK(has("trip_id", "payment.received"));
        CHECK_FALSE(has("due_date", "booking.created"));
        REQUIRE(site.events.filter("svc_email_event_variables", {.name = "test"},
                                   [](store::Transaction*, const json::Array& given) {
                                       json::Value keys = json::Value::array();
                                       for (const json::Value& key : given[0].items())
                                           if (key.text() != "customer_phone")
                                               keys.push(key);
                                       return given[1].text() == "booking.created" ? keys.push("guide_name") : keys;
                                   }));
        CHECK(has("guide_name", "booking.created"));
        CHECK_FALSE(has("guide_name", "payment.received"));
        CHECK_FALSE(has("customer_phone", "booking.created"));
        REQUIRE(site.events.filter("svc_email_template_variables_catalog", {.name = "test"},
                                   [](store::Transaction*, const json::Array& given) {
                                       json::Value groups = given[0];
                                       return groups.set("extra", json::Value::array());
                                   }));
        const json::Value groups = messaging::grouped(site.events, messaging::tags_of(site.events, "booking.created"));
        CHECK(groups["extra"].is_array());
        CHECK(groups["customer"][std::size_t{0}].text_or("key") == "customer_name");
        CHECK(groups["customer"][std::size_t{0}].text_or("sample") == "Ada Lovelace");
    });
}

TEST_CASE("every merge tag says in a sentence what it stands for") {
    int tags = 0;
    for (const messaging::KnownTag& tag : messaging::base_tags()) {
        CAPTURE(tag.key);
        CHECK(tag.description.size() > 10);
        CHECK(tag.description.ends_with('.'));
        ++tags;
    }
    CHECK(tags > 100);
}
