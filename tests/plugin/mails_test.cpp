// svc.mails/1: a plugin's e-mail templates in the admin, its e-mails with the transaction that queues them, their log.
#include <doctest/doctest.h>

#include "shared/plugin/host_mails.hpp"
#include "tests/plugin/stand.hpp"
#include "tests/support/open_mails.hpp"
#include "tests/support/test_base.hpp"

namespace svc::tests {
namespace {

using json::Value;
using plugin::Host;

mails::OfferedTemplate consent() {
    return {.key = "partner_consent",
            .event_key = "partner.consent",
            .name = "Consent",
            .module = "partner",
            .subject = {{"en", "Please sign {{ form_name }}"},
                        {"de", "Bitte unterschreiben Sie {{ form_name }}"},
                        {"es", "Firme {{ form_name }}"},
                        {"fr", "Signez {{ form_name }}"}},
            .body = {{"en", "<p>Hello {{ customer_name }}, sign {{ form_name }}: {{ sign_link }}</p>{{ note_html }}"},
                     {"de", "<p>Hallo {{ customer_name }}, {{ form_name }}: {{ sign_link }}</p>{{ note_html }}"},
                     {"es", "<p>Hola {{ customer_name }}, {{ form_name }}: {{ sign_link }}</p>{{ note_html }}"},
                     {"fr", "<p>Bonjour {{ customer_name }}, {{ form_name }} : {{ sign_link }}</p>{{ note_html }}"}},
            .category = "consent",
            .tags = {{.key = "form_name",
                      .label = "Form",
                      .sentence = "The name of the form.",
                      .sample = {{"en", "Waiver"}, {"de", "Verzicht"}}},
                     {.key = "sign_link",
                      .label = "Link",
                      .sentence = "The page to sign on.",
                      .sample = {{"en", "https://example.com/sign"}},
                      .is_secret = true},
                     {.key = "note_html", .label = "Note", .sentence = "A note of staff."}},
            .is_about_booking = true};
}

mails::OfferedTemplate for_staff() {
    return {.key = "admin_partner_signed",
            .event_key = {},
            .name = "Signed",
            .subject = {{"en", "Signed"}},
            .body = {{"en", "<p>{{ site_name }}</p>"}}};
}

const plugin::Mails* found = nullptr;
plugin::Store* partner_store = nullptr;

void partner(Host& host) {
    host.need<plugin::Modules>().declare(
        {.slug = "partner", .name = "Partner", .description = "For the test.", .category = "other"});
    auto& mails = host.need<plugin::Mails>();
    mails.declare(consent());
    mails.declare(for_staff());
    found = &mails;
    partner_store = &host.need<plugin::Store>();
}

const svc_plugin* partner_entry() {
    script(partner);
    return scripted_entry();
}

// The whole base with that plugin, its module on, and a booking of Ada's.
struct Partner {
    explicit Partner(Database& database) : base(database, &partner_entry), admin(base.user("administrator")) {
        REQUIRE(base.assembly->plugins.is_pro());
        turn(true);
        for (const char* each : {R"({"admin_email":"office@example.org"})", R"({"unproven_mails_per_hour":0})"})
            REQUIRE(base.call("PUT", "/settings", each, admin).status == 200);
        const auto trip = base.given_trip();
        base.given_departure(trip);
        made = base.given_booking(trip);
        REQUIRE(base.assembly->hooks.drain());
        base.run("DELETE FROM svc_email_outbox");
    }
    void turn(bool on) { REQUIRE(base.assembly->modules.toggle("partner", on, 0)); }
    mails::QueuedMail mail(const std::string& key) const {
        return {.template_key = "partner_consent",
                .dedupe_key = key,
                .booking_id = made.id,
                .values = {{"form_name", {{"en", "the waiver <1>"}, {"de", "den Verzicht"}}},
                           {"sign_link", {{"en", "https://example.org/sign/Abcdefghijklmnopqrstuvwx0123456789"}}},
                           {"note_html", {{"en", "<b>soon</b>"}}}}};
    }
    // As the plugin does, in a transaction of its own.
    static Result<void> queue(const mails::QueuedMail& mail) {
        return partner_store->write([&](store::Transaction& tx) { return found->queue(tx, mail); });
    }
    // Subject and recipient of what is in the outbox.
    std::vector<std::string> sent() {
        REQUIRE(base.assembly->hooks.drain());
        return base.assembly->store->reading<std::vector<std::string>>([](store::Session& session) {
            return session.all<std::string>("SELECT subject, to_email FROM svc_email_outbox ORDER BY id", "tt", {},
                                            [](const store::Row& row) { return row.text(0) + " | " + row.text(1); });
        });
    }
    std::string body() {
        open_mails(*base.assembly->store, *base.assembly->keyring);
        return base.assembly->store->reading<std::string>([](store::Session& session) {
            return session
                .first<std::string>("SELECT body_html FROM svc_email_outbox ORDER BY id DESC", "t", {},
                                    [](const store::Row& row) { return row.text(0); })
                .value_or("");
        });
    }
    bool lists(const char* key) {
        const auto catalogue = base.get("/email-template-catalog", admin);
        for (const Value& each : catalogue.data().items())
            if (each.text_or("key") == key)
                return true;
        return false;
    }

    TestBase base;
    Visitor admin;
    GivenBooking made;
};

void each_partner(const std::function<void(Partner&)>& body) {
    each_database([&](Database& database) {
        CAPTURE(database.name());
        Partner site(database);
        body(site);
    });
}

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("a plugin's template is listed, previewed in four languages and switched like the base's, with its module") {
    each_partner([](Partner& site) {
        CHECK(site.lists("partner_consent"));
        CHECK(site.lists("admin_partner_signed"));
        const auto preview = [&](const char* locale) {
            const auto shown =
                site.base.post("/email-template-preview",
                               Value::object({{"template_key", "partner_consent"}, {"locale", locale}}), site.admin);
            CAPTURE(shown.text);
            REQUIRE(shown.status == 200);
            return shown.data().text_or("subject") + " | " + shown.data().text_or("text");
        };
        CHECK(preview("en").find("Please sign Waiver | Hello Ada Lovelace, sign Waiver") == 0);
        CHECK(preview("de-AT").find("Bitte unterschreiben Sie Verzicht | Hallo Ada Lovelace") == 0);
        CHECK(preview("es").find("Firme Waiver | Hola") == 0);
        CHECK(preview("fr").find("Signez Waiver | Bonjour") == 0);
        CHECK(preview("pt").find("Please sign Waiver") == 0);
        const auto tested =
            site.base.post("/email-template-test", Value::object({{"template_key", "partner_consent"}}), site.admin);
        CHECK(tested.status == 200);
        const auto tags = site.base.get("/email-template-variables?template_key=partner_consent", site.admin);
        CHECK(tags.data()["consent"].size() == 3);
        CHECK(tags.text.find("The name of the form.") != std::string::npos);
        CHECK(tags.text.find("balance_payment_url") != std::string::npos);
        // Its settings are checked as the base's are.
        const auto put = [&](const char* body) { return site.base.call("PUT", "/settings", body, site.admin); };
        CHECK(put(R"({"email_tpl_partner_consent_subject":"{{ form_nam }}"})").status == 400);
        CHECK(put(R"({"email_tpl_partner_consent_subject":"Sign {{ form_name }} now"})").status == 200);
        CHECK(preview("de").find("Sign Verzicht now |") == 0);

        site.turn(false);
        CHECK_FALSE(site.lists("partner_consent"));
        CHECK(site.lists("admin_partner_signed"));  // of no module
        CHECK(
            site.base.post("/email-template-preview", Value::object({{"template_key", "partner_consent"}}), site.admin)
                .field() == "template_key");
        REQUIRE(Partner::queue(site.mail("off")));
        CHECK(site.sent().empty());
    });
}

TEST_CASE("an e-mail belongs to the transaction that queues it, goes once and in the language of its booking") {
    each_partner([](Partner& site) {
        CHECK_FALSE(partner_store->write([&](store::Transaction& tx) -> Result<void> {
            REQUIRE(found->queue(tx, site.mail("1")));
            return errc::conflict;
        }));
        CHECK(site.sent().empty());
        REQUIRE(Partner::queue(site.mail("1")));
        REQUIRE(Partner::queue(site.mail("1")));
        CHECK(site.sent() == Lines{"Please sign the waiver <1> | ada@example.org"});
        const std::string body = site.body();
        CHECK(body.find("sign the waiver &lt;1&gt;: https://example.org/sign/Abcdef") != std::string::npos);
        CHECK(body.find("soon</b>") != std::string::npos);
        site.base.run("UPDATE svc_bookings SET locale = 'de'");
        REQUIRE(Partner::queue(site.mail("2")));
        CHECK(site.sent().back() == "Bitte unterschreiben Sie den Verzicht | ada@example.org");
        // To an address of the plugin's, without the booking's data, and to staff.
        auto to_traveler = site.mail("3");
        to_traveler.to = "eva@example.org";
        to_traveler.locale = "es";
        REQUIRE(Partner::queue(to_traveler));
        CHECK(site.sent().back() == "Firme the waiver <1> | eva@example.org");
        CHECK(site.body().find("Ada") == std::string::npos);
        REQUIRE(Partner::queue({.template_key = "admin_partner_signed", .dedupe_key = "4"}));
        CHECK(site.sent().back() == "Signed | office@example.org");
        // Not for a booking whose payments nobody knows.
        site.base.run("UPDATE svc_bookings SET payments_unknown = 1");
        auto asking = site.mail("5");
        asking.asks_for_payment = true;
        REQUIRE(Partner::queue(asking));
        CHECK(site.sent().size() == 4);
    });
}

TEST_CASE("an e-mail that does not fit is refused by its member, and the plugin reads the log of its own alone") {
    each_partner([](Partner& site) {
        const auto fault = [](const mails::QueuedMail& mail) {
            const auto queued = Partner::queue(mail);
            return queued || queued.error().fields().empty() ? std::string() : queued.error().fields()[0].field;
        };
        auto mail = site.mail("1");
        mail.template_key = "booking_confirmed";
        CHECK(fault(mail) == "template");
        mail = site.mail("");
        CHECK(fault(mail) == "dedupe_key");
        mail = site.mail("1");
        mail.to = "nobody";
        CHECK(fault(mail) == "to");
        mail.to.clear();
        mail.booking_id.reset();
        CHECK(fault(mail) == "to");
        mail = site.mail("1");
        mail.values["form_name"] = {{"de", "Verzicht"}};
        CHECK(fault(mail) == "values");

        REQUIRE(Partner::queue(site.mail("first")));
        REQUIRE(Partner::queue(site.mail("second")));
        REQUIRE(site.base
                    .post("/bookings/" + std::to_string(site.made.id) + "/email",
                          Value::object({{"type", "confirmation"}}), site.admin)
                    .status == 200);
        CHECK(site.sent().size() == 3);
        const auto logged = found->log({});
        REQUIRE(logged);
        REQUIRE(logged->size() == 2);
        CHECK((*logged)[0].dedupe_key == "second");
        CHECK((*logged)[0].template_key == "partner_consent");
        CHECK((*logged)[0].to == "ada@example.org");
        CHECK((*logged)[0].status == "queued");
        CHECK((*logged)[0].booking_id == site.made.id);
        CHECK_FALSE((*logged)[0].sent_at);
        const auto one = found->log({.dedupe_key = "first"});
        REQUIRE(one);
        CHECK(one->size() == 1);
        CHECK(found->log({.template_key = "booking_confirmation"})->empty());
        CHECK_FALSE(found->log({.limit = 0}));
    });
}

TEST_CASE("templates that cannot be refuse the plugin, and nothing of it is in place") {
    static std::function<void(mails::OfferedTemplate&)> change;
    for (const auto& each : std::vector<std::function<void(mails::OfferedTemplate&)>>{
             [](auto& offered) { offered.key = "booking_confirmed"; }, [](auto& offered) { offered.key = "Consent"; },
             [](auto& offered) { offered.key = "cancellation"; },  // a setting of the base
             [](auto& offered) { offered.event_key = "account.consent"; }, [](auto& offered) { offered.name.clear(); },
             [](auto& offered) { offered.subject.clear(); }, [](auto& offered) { offered.body["fr"].clear(); },
             [](auto& offered) { offered.subject.erase("en"); },
             [](auto& offered) { offered.body["de"] = "{{#open}}"; },
             [](auto& offered) { offered.body["es"] = "{{ form_nam }}"; },
             [](auto& offered) { offered.is_about_booking = false; },  // then it has no customer_name
             [](auto& offered) { offered.tags[0].sentence.clear(); },
             [](auto& offered) { offered.module = "no_such_module"; }}) {
        change = each;
        const auto database = Database::sqlite();
        script([](Host& host) {
            host.need<plugin::Modules>().declare(
                {.slug = "partner", .name = "Partner", .description = "For the test.", .category = "other"});
            auto offered = consent();
            change(offered);
            host.need<plugin::Mails>().declare(offered);
        });
        TestBase base(*database, &scripted_entry);
        CHECK_FALSE(base.assembly->plugins.is_pro());
        CHECK(base.assembly->messaging.service.parts.plugin_templates->empty());
    }
}

namespace {

struct Throwing : Stand {
    const plugin::Mails* mails_found = nullptr;
    plugin::Store* store_found = nullptr;
    Throwing() {
        mails = {.check = [](const mails::OfferedTemplate&) -> Result<void> { throw std::runtime_error("secret 12"); },
                 .add = [](const std::string&, const mails::OfferedTemplate&) {},
                 .queue = [](store::Transaction&, const std::string&, const mails::QueuedMail&) -> Result<void> {
                     throw store::Unavailable("gone");
                 },
                 .log = [](const std::string&, const mails::LogQuery&) -> std::vector<mails::LoggedMail> {
                     throw std::runtime_error("secret 12");
                 }};
    }
};

}  // namespace

TEST_CASE("a base whose e-mails throw refuses the template and fails the transaction, and the plugin serves on") {
    Throwing base;
    REQUIRE(base.attach([&](Host& host) {
        base.mails_found = host.find<plugin::Mails>();
        base.store_found = &host.need<plugin::Store>();
    }));
    REQUIRE(base.mails_found);
    CHECK_THROWS_AS(static_cast<void>(base.store_found->write([&](store::Transaction& tx) {
                        tx.run("INSERT INTO things (id, name) VALUES (1, 'x')", {});
                        return base.mails_found->queue(tx, {.template_key = "x", .dedupe_key = "1"});
                    })),
                    store::Unavailable);
    CHECK(base.number("SELECT COUNT(*) FROM things") == 0);
    CHECK_THROWS(static_cast<void>(base.mails_found->log({})));
    Throwing other;
    CHECK_FALSE(other.attach([](Host& host) { host.need<plugin::Mails>().declare(for_staff()); }));
}

TEST_CASE("a partner finds no e-mails on a base that withholds them, or whose table is older than its wrapper") {
    Stand withheld;
    bool is_there = true;
    REQUIRE(withheld.attach([&](Host& host) { is_there = host.find<plugin::Mails>() != nullptr; }));
    CHECK_FALSE(is_there);
    svc_mails_1 shorter{};
    shorter.size = offsetof(svc_mails_1, log);
    CHECK_FALSE(plugin::Mails::usable(&shorter));
    CHECK_FALSE(plugin::Mails::usable(nullptr));
}

}  // namespace svc::tests
