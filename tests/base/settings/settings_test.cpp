// Settings: defaults, checks, all or nothing, secrets sealed and masked, and other processes' writes.
#include <condition_variable>
#include <fstream>
#include <sstream>

#include <doctest/doctest.h>

#include "base/platform/events/events.hpp"
#include "base/platform/store/changes.hpp"
#include "base/platform/store/migrate.hpp"
#include "base/settings/routes.hpp"
#include "base/settings/values/hooks.hpp"
#include "base/settings/values/site_settings.hpp"
#include "shared/core/log.hpp"
#include "tests/support/call_route.hpp"
#include "tests/support/databases.hpp"
#include "tests/support/faulty_store.hpp"
#include "tests/support/set_clock.hpp"

using namespace svc;
using settings::SiteSettings;

namespace {

// Settings as one process has them.
struct Process {
    SiteSettings settings;
    bool mail_on = true;

    Process(store::Store& store, const Clock& clock)
        : settings(store, crypto::Keyring::for_tests(), clock, [this](std::string_view) { return mail_on; }) {
        settings::declare_settings(settings);
        settings.declare({.key = "smtp_password",
                          .type = api::raw_text(200),
                          .initial = "",
                          .help = "The mail server's password.",
                          .group = "email",
                          .secret = true});
        settings.declare({.key = "api_key",
                          .type = api::raw_text(200),
                          .initial = "",
                          .help = "A key.",
                          .group = "email",
                          .secret = true});
        settings.declare({.key = "mail_size",
                          .type = api::integer(1, 10),
                          .initial = 3,
                          .help = "A module's setting.",
                          .group = "email_more",
                          .module = "mail"});
        settings.reload();
    }
};

struct Site {
    tests::SetClock clock;
    tests::Database& database;
    std::unique_ptr<store::Store> store;
    Process process;

    explicit Site(tests::Database& given) : database(given), store(given.open_migrated()), process(*store, clock) {}
    SiteSettings& settings() { return process.settings; }

    std::int64_t rows() const {
        return store->reading<std::int64_t>(
            [](store::Session& session) { return session.number("SELECT COUNT(*) FROM svc_settings", {}); });
    }
};

void each_site(const std::function<void(Site&)>& body) {
    tests::each_database([&](tests::Database& database) {
        CAPTURE(database.name());
        Site site(database);
        body(site);
    });
}

json::Value object(std::initializer_list<json::NewMember> members) { return json::Value::object(members); }

std::vector<std::string> fields_of(const Error& error) {
    std::vector<std::string> names;
    for (const auto& fault : error.fields())
        names.push_back(fault.field);
    return names;
}

api::Caller owner() {
    api::Caller caller;
    caller.kind = api::Caller::Kind::user;
    caller.capabilities = {"svc_manage_settings"};
    return caller;
}

}  // namespace

TEST_CASE("a fresh installation has the declared defaults and no rows") {
    each_site([](Site& site) {
        CHECK(site.settings().text("timezone") == "UTC");
        CHECK(site.settings().integer("session_timeout") == 3600);
        CHECK(site.settings().zone().name() == "UTC");
        CHECK(site.settings().currency().code() == "USD");
        CHECK(site.rows() == 0);
    });
}

TEST_CASE("a setting is declared once") {
    tests::SetClock clock;
    const auto database = tests::Database::sqlite();
    const auto store = database->open();
    SiteSettings settings(*store, crypto::Keyring::for_tests(), clock, [](std::string_view) { return true; });
    settings::declare_settings(settings);
    CHECK_THROWS_AS(settings.declare({.key = "timezone", .type = api::text(9), .initial = "", .help = ""}),
                    std::logic_error);
    CHECK_THROWS_AS(settings.declare({.key = "default_currency", .type = api::text(9), .initial = "", .help = ""}),
                    std::logic_error);
    CHECK_THROWS_AS((void)settings.get("nothing_of_the_kind"), std::logic_error);
}

TEST_CASE("what is written is read at once and after a restart") {
    each_site([](Site& site) {
        const auto written =
            site.settings().write(object({{"timezone", "Asia/Kathmandu"}, {"default_currency", "JPY"}}), 0);
        REQUIRE(written);
        CHECK(written->updated == std::vector<std::string>{"timezone", "default_currency"});
        CHECK(site.settings().zone().name() == "Asia/Kathmandu");
        CHECK(site.settings().currency().code() == "JPY");
        Process restarted(*site.store, site.clock);
        CHECK(restarted.settings.zone().name() == "Asia/Kathmandu");
        CHECK(restarted.settings.text("currency") == "JPY");
    });
}

TEST_CASE("listeners change what is told and stored of settings, within the settings' checks and never a secret") {
    each_site([](Site& site) {
        metrics::Registry metrics;
        events::Events hooks(*site.store, site.clock, metrics);
        settings::declare_hooks(hooks);
        site.settings().declare({.key = "deposit_share",
                                 .type = api::integer(0, 100),
                                 .initial = 20,
                                 .help = "A module's setting.",
                                 .module = "flexible_payments"});
        site.settings().listen_with(hooks);
        const auto listens = [&](const char* name, std::function<json::Value(const json::Array&)> answer) {
            REQUIRE(hooks.filter(
                name, {.name = "test"},
                [answer = std::move(answer)](store::Transaction*, const json::Array& given) { return answer(given); }));
        };
        std::string keys;
        listens("svc_sanitize_setting", [&](const json::Array& given) {
            keys += given[1].text() + " ";
            return given[1].text() == "company_name" ? json::Value(given[0].text() + " Ltd") : json::Value("no zone");
        });
        REQUIRE(site.settings().write(
            object({{"company_name", "Nile"}, {"timezone", "Asia/Kathmandu"}, {"api_key", "a secret of ours"}}), 0));
        CHECK(site.settings().text("company_name") == "Nile Ltd");
        CHECK(site.settings().text("timezone") == "Asia/Kathmandu");
        CHECK(site.settings().text("api_key") == "a secret of ours");
        CHECK(keys.find("api_key") == std::string::npos);

        json::Value stored = object({{"deposit_share", 35}});
        listens("svc_save_flexible_payment_settings", [&](const json::Array& given) {
            CHECK(given[0].dump() == R"({"deposit_share":30})");
            return stored;
        });
        const auto share_after_write = [&] {
            REQUIRE(site.settings().write(object({{"deposit_share", 30}}), 0));
            return site.settings().integer("deposit_share");
        };
        CHECK(share_after_write() == 35);
        stored = object({{"deposit_share", 101}});
        CHECK(share_after_write() == 30);
        stored = object({});
        REQUIRE(site.settings().write(object({{"company_name", "Delta"}}), 0));  // none of theirs: not asked
        const auto written = site.settings().write(object({{"deposit_share", 30}}), 0);
        REQUIRE(written);
        CHECK(written->updated.empty());

        listens("svc_get_flexible_payment_settings", [](const json::Array& given) {
            CHECK(given[0].dump() == R"({"deposit_share":30})");
            return object({{"deposit_share", 99}, {"company_name", "not theirs"}});
        });
        listens("svc_rest_settings", [](const json::Array& given) {
            json::Value told = given[0];
            told.set("told_by", "a listener");
            return told;
        });
        const json::Value told = site.settings().shown();
        CHECK(told["deposit_share"].integer() == 99);
        CHECK(told["company_name"].text() == "Delta Ltd");
        CHECK(told["told_by"].text() == "a listener");
        CHECK(told["api_key"].text().starts_with("****"));
        CHECK(site.settings().integer("deposit_share") == 30);
    });
}

TEST_CASE("the key itself wins over its older name") {
    each_site([](Site& site) {
        REQUIRE(site.settings().write(object({{"default_currency", "JPY"}, {"currency", "EUR"}}), 0));
        CHECK(site.settings().text("currency") == "EUR");
        CHECK(site.settings().shown()["default_currency"].text() == "EUR");
    });
}

TEST_CASE("one bad value and nothing is written, every field at fault named") {
    each_site([](Site& site) {
        const auto refused = site.settings().write(object({{"company_name", "Peaks"},
                                                           {"timezone", "Mars/Olympus"},
                                                           {"currency", "usd"},
                                                           {"session_timeout", 299},
                                                           {"company_email", "nobody"},
                                                           {"company_website", "javascript:alert(1)"},
                                                           {"currency_position", "above"}}),
                                                   0);
        REQUIRE_FALSE(refused);
        CHECK(&refused.error().code() == &errc::validation_error);
        CHECK(fields_of(refused.error()) == std::vector<std::string>{"timezone", "currency", "session_timeout",
                                                                     "company_email", "company_website",
                                                                     "currency_position"});
        CHECK(site.rows() == 0);
        CHECK(site.settings().text("company_name").empty());
    });
}

TEST_CASE("values that belong together are checked together") {
    each_site([](Site& site) {
        const auto refused = site.settings().write(object({{"decimal_separator", ","}}), 0);
        REQUIRE_FALSE(refused);
        CHECK(fields_of(refused.error()) == std::vector<std::string>{"decimal_separator"});
        CHECK(site.settings().write(object({{"decimal_separator", ","}, {"thousand_separator", "."}}), 0));
    });
}

TEST_CASE("unknown keys and those of a module that is off are rejected, the rest is written") {
    each_site([](Site& site) {
        site.process.mail_on = false;
        const auto written =
            site.settings().write(object({{"nonsense", 1}, {"mail_size", 99}, {"company_name", "Peaks"}}), 0);
        REQUIRE(written);
        CHECK(written->updated == std::vector<std::string>{"company_name"});
        CHECK(written->rejected_keys == std::vector<std::string>{"nonsense", "mail_size"});
        CHECK(site.settings().shown().find("mail_size") == nullptr);
        site.process.mail_on = true;
        CHECK(site.settings().write(object({{"mail_size", 5}}), 0));
        CHECK(site.settings().shown()["mail_size"].integer() == 5);
    });
}

TEST_CASE("secrets are shown masked and a mask written back keeps them") {
    each_site([](Site& site) {
        const std::string secret = "s3cret-of-the-mail-server";
        REQUIRE(site.settings().write(object({{"smtp_password", secret}, {"api_key", "short"}}), 0));
        CHECK(site.settings().text("smtp_password") == secret);
        const auto shown = site.settings().shown("email");
        CHECK(shown["smtp_password"].text() == "****rver");
        CHECK(shown["api_key"].text() == "****");
        CHECK(shown.find("company_name") == nullptr);

        const auto again = site.settings().write(shown, 0);
        REQUIRE(again);
        CHECK(again->updated == std::vector<std::string>{"mail_size"});
        CHECK(site.settings().text("smtp_password") == secret);
        CHECK(site.settings().text("api_key") == "short");

        REQUIRE(site.settings().write(object({{"smtp_password", ""}}), 0));
        CHECK(site.settings().text("smtp_password").empty());
        CHECK(site.settings().shown()["smtp_password"].text().empty());
    });
}

TEST_CASE("a mask shows at most the last four characters, of letters of any script") {
    CHECK(settings::masked("") == "");
    CHECK(settings::masked("1234567") == "****");
    CHECK(settings::masked("12345678") == "****5678");
    CHECK(settings::masked("passwörter-müßig") == "****üßig");
    CHECK(settings::is_masked(settings::masked("passwörter-müßig")));
    CHECK_FALSE(settings::is_masked("***1234"));
    CHECK_FALSE(settings::is_masked("****a-real-secret"));
}

TEST_CASE("a dump of the database shows no secret, and rows that were swapped are refused") {
    each_site([](Site& site) {
        REQUIRE(site.settings().write(
            object({{"smtp_password", "canary-one-9f3a1c"}, {"api_key", "canary-two-77b0de"}}), 0));
        std::string dump;
        site.store->read([&](store::Session& session) {
            session.each("SELECT key, value, is_secret FROM svc_settings", "tti", {}, [&](const store::Row& row) {
                dump += row.text(0) + row.text(1);
                CHECK(row.flag(2));
            });
        });
        CHECK(dump.find("smtp_password") != std::string::npos);
        CHECK(dump.find("canary") == std::string::npos);
        if (site.database.dialect() == store::Dialect::sqlite) {
            const auto file = site.database.url().substr(std::string("sqlite:").size());
            for (const char* part : {"", "-wal"}) {
                std::ifstream stream(file + part, std::ios::binary);
                std::stringstream bytes;
                bytes << stream.rdbuf();
                CHECK(bytes.str().find("canary") == std::string::npos);
            }
        }

        tests::execute(*site.store, {"UPDATE svc_settings SET value = (SELECT value FROM svc_settings"
                                     " WHERE key = 'smtp_password') WHERE key = 'api_key'"});
        std::string lines;
        log::redirect(&lines);
        site.settings().reload();
        log::redirect(nullptr);
        CHECK(site.settings().text("api_key").empty());
        CHECK(site.settings().text("smtp_password") == "canary-one-9f3a1c");
        CHECK(lines.find("setting_unreadable") != std::string::npos);
        CHECK(lines.find("canary") == std::string::npos);
    });
}

TEST_CASE("a damaged or outdated value reads as the default") {
    each_site([](Site& site) {
        REQUIRE(site.settings().write(object({{"session_timeout", 400}, {"timezone", "Asia/Tokyo"}}), 0));
        tests::execute(*site.store, {"UPDATE svc_settings SET value = '17' WHERE key = 'session_timeout'",
                                     "UPDATE svc_settings SET value = '{' WHERE key = 'timezone'"});
        std::string lines;
        log::redirect(&lines);
        site.settings().reload();
        log::redirect(nullptr);
        CHECK(site.settings().integer("session_timeout") == 3600);
        CHECK(site.settings().zone().name() == "UTC");
    });
}

TEST_CASE("another process sees a write once the change feed reports it") {
    each_site([](Site& site) {
        const auto other_store = site.database.open();
        Process other(*other_store, site.clock);
        std::mutex mutex;
        std::condition_variable told;
        bool seen = false;
        store::ChangeFeed feed(site.database.options());
        feed.on(std::string(settings::changes_channel), [&] {
            other.settings.reload();
            const std::lock_guard lock(mutex);
            seen = seen || other.settings.text("company_name") == "Peaks";
            told.notify_all();
        });
        feed.start();
        REQUIRE(site.settings().write(object({{"company_name", "Peaks"}}), 0));
        std::unique_lock lock(mutex);
        CHECK(told.wait_for(lock, std::chrono::seconds(60), [&] { return seen; }));
        lock.unlock();
        feed.stop();
    });
}

TEST_CASE("a write inside another transaction shows only when that commits") {
    each_site([](Site& site) {
        const auto undone = site.store->write([&](store::Transaction& tx) -> Result<void> {
            REQUIRE(site.settings().write(tx, object({{"company_name", "Lost"}}), 0));
            return errc::conflict;
        });
        CHECK_FALSE(undone);
        CHECK(site.settings().text("company_name").empty());
        REQUIRE(site.store->write([&](store::Transaction& tx) -> Result<void> {
            REQUIRE(site.settings().write(tx, object({{"company_name", "Kept"}}), 0));
            return {};
        }));
        CHECK(site.settings().text("company_name") == "Kept");
    });
}

TEST_CASE("a lost database leaves the settings as they were") {
    tests::SetClock clock;
    const auto database = tests::Database::sqlite();
    const auto store = database->open();
    store::migrate(*store, "base", embedded::base_steps(), clock.now());
    tests::FaultyStore faulty(*store);
    Process process(faulty, clock);
    REQUIRE(process.settings.write(object({{"company_name", "Peaks"}}), 0));
    faulty.fail_next(std::make_exception_ptr(store::Unavailable("gone")));
    CHECK_THROWS_AS(process.settings.reload(), store::Unavailable);
    CHECK(process.settings.text("company_name") == "Peaks");
}

TEST_CASE("settings that go badly together are remarked on") {
    each_site([](Site& site) {
        for (const char* key : {"require_login", "require_guest_email_verification"})
            site.settings().declare({.key = key, .type = api::boolean(), .initial = false, .help = "A switch."});
        CHECK(site.settings().notices().empty());
        REQUIRE(
            site.settings().write(object({{"require_login", true}, {"require_guest_email_verification", "yes"}}), 0));
        REQUIRE(site.settings().notices().size() == 1);
        CHECK(site.settings().notices()[0].code == "booking_auth_redundant");
    });
}

TEST_CASE("the routes answer and write settings for who may manage them") {
    each_site([](Site& site) {
        api::RouteTable routes;
        settings::add_routes(routes, site.settings());
        CHECK(tests::call_route(routes, "GET", "/settings", {}).error->code().status == 401);
        api::Caller guide = owner();
        guide.capabilities = {"svc_view_trips"};
        CHECK(tests::call_route(routes, "PUT", "/settings", {.caller = guide}).error->code().status == 403);

        const auto put =
            tests::call_route(routes, "PUT", "/settings",
                              {.caller = owner(), .body = object({{"company_name", "Peaks"}, {"colour", "red"}})});
        REQUIRE_FALSE(put.error);
        CHECK(put.data["updated"].dump() == R"(["company_name"])");
        CHECK(put.data["rejected_keys"].dump() == R"(["colour"])");
        CHECK(put.data["notices"].dump() == "[]");
        CHECK(put.data["settings"]["company_name"].text() == "Peaks");

        const auto group =
            tests::call_route(routes, "GET", "/settings", {.caller = owner(), .query = object({{"group", "locale"}})});
        CHECK(group.data.find("timezone") != nullptr);
        CHECK(group.data.find("company_name") == nullptr);

        const auto bad = tests::call_route(routes, "PUT", "/settings",
                                           {.caller = owner(), .body = object({{"currency", "doubloon"}})});
        REQUIRE(bad.error);
        CHECK(bad.error->code().status == 400);
        CHECK(bad.error->fields().at(0).field == "currency");
    });
}
