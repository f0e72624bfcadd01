// Modules: toggled once, with what they depend on, their storage made first and their secrets sealed.
#include <doctest/doctest.h>

#include "base/modules/hooks.hpp"
#include "base/modules/routes.hpp"
#include "shared/core/log.hpp"
#include "tests/support/call_route.hpp"
#include "tests/support/databases.hpp"
#include "tests/support/plain_settings.hpp"
#include "tests/support/recording_hooks.hpp"
#include "tests/support/set_clock.hpp"

using namespace svc;
using modules::SiteModules;

namespace {

json::Value object(std::initializer_list<json::NewMember> members) { return json::Value::object(members); }

struct Site {
    tests::SetClock clock;
    tests::RecordingHooks hooks;
    std::unique_ptr<store::Store> store;
    int prepared = 0;
    bool can_prepare = true;
    SiteModules modules;

    explicit Site(tests::Database& database)
        : store(database.open_migrated()),
          modules(*store, crypto::Keyring::for_tests(), hooks, clock,
                  [](const modules::Module& module) { return module.plan != "agency"; }) {
        modules::declare_hooks(hooks);
        declare(modules);
        modules.reload();
    }
    void declare(SiteModules& to) {
        to.declare({.slug = "flexible_payments",
                    .name = "Flexible payments",
                    .requires_pro = true,
                    .settings = {{.name = "percentage", .type = api::percent(), .otherwise = json::Value(20)},
                                 {.name = "token", .type = api::raw_text(200)}},
                    .secret_settings = {"token"},
                    .prepare = [this]() -> Result<void> {
                        ++prepared;
                        return can_prepare ? Result<void>{} : Result<void>{errc::unavailable};
                    }});
        to.declare({.slug = "scheduled_payments",
                    .name = "Scheduled payments",
                    .requires_pro = true,
                    .depends_on = {"flexible_payments"}});
        to.declare({.slug = "team", .name = "Team", .plan = "agency", .requires_pro = true});
    }
};

void each_site(const std::function<void(Site&)>& body) {
    tests::each_database([&](tests::Database& database) {
        CAPTURE(database.name());
        Site site(database);
        body(site);
    });
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("every module starts off, and one that is unknown is off and 404") {
    each_site([](Site& site) {
        CHECK_FALSE(site.modules.enabled("flexible_payments"));
        CHECK_FALSE(site.modules.enabled("nothing"));
        CHECK(site.modules.toggle("nothing", true, 0).error().code().status == 404);
        CHECK(site.modules.settings("nothing").error().code().status == 404);
    });
}

TEST_CASE("enabling a module makes its storage first and emits one event") {
    each_site([](Site& site) {
        REQUIRE(site.modules.toggle("flexible_payments", true, 0));
        CHECK(site.prepared == 1);
        CHECK(site.modules.enabled("flexible_payments"));
        CHECK(site.modules.enabled_at("flexible_payments") == site.clock.now());
        CHECK(site.hooks.emitted() ==
              Names{R"(svc_module_active["flexible_payments"])", R"(svc_pro_module_activated["flexible_payments"])"});
        REQUIRE(site.modules.toggle("flexible_payments", true, 0));
        CHECK(site.hooks.emitted().empty());
    });
}

TEST_CASE("a module whose storage cannot be made stays off") {
    each_site([](Site& site) {
        site.can_prepare = false;
        CHECK_FALSE(site.modules.toggle("flexible_payments", true, 0));
        CHECK_FALSE(site.modules.enabled("flexible_payments"));
        CHECK(site.hooks.emitted().empty());
    });
}

TEST_CASE("a module that depends on another needs it on, and is disabled with it") {
    each_site([](Site& site) {
        const auto refused = site.modules.toggle("scheduled_payments", true, 0);
        REQUIRE_FALSE(refused);
        CHECK(refused.error().code().status == 403);
        CHECK(refused.error().message().english().find("Flexible payments") != std::string::npos);
        REQUIRE(site.modules.toggle("flexible_payments", true, 0));
        REQUIRE(site.modules.toggle("scheduled_payments", true, 0));
        site.hooks.emitted();
        REQUIRE(site.modules.toggle("flexible_payments", false, 0));
        CHECK_FALSE(site.modules.enabled("scheduled_payments"));
        CHECK(site.hooks.emitted() ==
              Names{R"(svc_module_deactive["scheduled_payments"])", R"(svc_module_deactive["flexible_payments"])"});
    });
}

TEST_CASE("a dependency that another process turned off meanwhile is seen in the transaction") {
    each_site([](Site& site) {
        REQUIRE(site.modules.toggle("flexible_payments", true, 0));
        tests::execute(*site.store, {"UPDATE svc_modules SET enabled = 0 WHERE slug = 'flexible_payments'"});
        CHECK(site.modules.enabled("flexible_payments"));  // not told yet
        const auto refused = site.modules.toggle("scheduled_payments", true, 0);
        REQUIRE_FALSE(refused);
        CHECK(refused.error().code().status == 403);
    });
}

TEST_CASE("a module outside the plan is 403") {
    each_site(
        [](Site& site) { CHECK(&site.modules.toggle("team", true, 0).error().code() == &errc::module_not_available); });
}

TEST_CASE("another process has the module on after a reload, and brings its storage up to date") {
    each_site([](Site& site) {
        REQUIRE(site.modules.toggle("flexible_payments", true, 0));
        SiteModules other(*site.store, crypto::Keyring::for_tests(), site.hooks, site.clock);
        site.declare(other);
        other.reload();
        CHECK(other.enabled("flexible_payments"));
        other.prepare_enabled();
        CHECK(site.prepared == 2);
        site.can_prepare = false;
        std::string lines;
        log::redirect(&lines);
        other.prepare_enabled();
        log::redirect(nullptr);
        CHECK_FALSE(other.enabled("flexible_payments"));
        CHECK(lines.find("module_not_prepared") != std::string::npos);
    });
}

TEST_CASE("a module's settings keep secrets sealed, masked and bound to their place") {
    each_site([](Site& site) {
        const auto fresh = site.modules.settings("flexible_payments");
        REQUIRE(fresh);
        CHECK((*fresh)["percentage"].dump() == "20");
        auto written = site.modules.write_settings(
            "flexible_payments", object({{"percentage", 30}, {"token", "canary-3d5f7a9b11"}, {"colour", "red"}}));
        REQUIRE(written);
        CHECK(written->rejected_keys == Names{"colour"});
        CHECK(written->settings["token"].text() == "****9b11");
        CHECK(site.hooks.emitted() == Names{R"(svc_pro_module_settings_updated["flexible_payments"])"});
        for (const auto& nothing : {object({}), object({{"colour", "red"}})}) {  // nothing is written, nothing told
            REQUIRE(site.modules.write_settings("flexible_payments", nothing));
            CHECK(site.hooks.emitted().empty());
        }
        CHECK((*site.modules.settings("flexible_payments"))["token"].text() == "canary-3d5f7a9b11");

        written = site.modules.write_settings("flexible_payments", written->settings);
        REQUIRE(written);
        CHECK((*site.modules.settings("flexible_payments"))["token"].text() == "canary-3d5f7a9b11");
        const auto stored = site.store->reading<std::string>([](store::Session& session) {
            return session
                .first<std::string>("SELECT settings FROM svc_modules WHERE slug = 'flexible_payments'", "t", {},
                                    [](const store::Row& row) { return row.text(0); })
                .value();
        });
        CHECK(stored.find("canary") == std::string::npos);
        CHECK_FALSE(site.modules.write_settings("flexible_payments", object({{"percentage", 101}})));
        CHECK((*site.modules.settings("flexible_payments"))["percentage"].dump() == "30");
    });
}

TEST_CASE("the routes list, toggle and configure modules for who may manage them") {
    each_site([](Site& site) {
        api::RouteTable routes;
        tests::PlainSettings settings;
        settings.declare({.key = "enable_deposit",
                          .type = api::boolean(),
                          .initial = false,
                          .help = "A deposit.",
                          .module = "flexible_payments"});
        modules::add_routes(routes, site.modules, *site.store, settings);
        api::Caller admin;
        admin.kind = api::Caller::Kind::user;
        admin.capabilities = {"manage_options"};
        CHECK(tests::call_route(routes, "GET", "/modules", {}).error->code().status == 401);
        CHECK(tests::call_route(routes, "GET", "/modules", {.caller = admin}).data.size() == 3);
        CHECK(tests::call_route(routes, "POST", "/modules/flexible_payments/toggle",
                                {.caller = admin, .body = object({{"enabled", "maybe"}})})
                  .error->code()
                  .status == 400);
        const auto on = tests::call_route(routes, "POST", "/modules/flexible_payments/toggle",
                                          {.caller = admin, .body = object({{"enabled", true}})});
        REQUIRE_FALSE(on.error);
        CHECK(on.data["enabled"].boolean());
        CHECK(on.data["tags"].dump() == R"(["pro"])");
        CHECK(on.data["settings_page"].text() == "/modules/flexible_payments/settings");
        CHECK_FALSE(on.data["docs_url"].text().empty());
        CHECK(on.data["updated_at"].text() == on.data["enabled_at"].text());
        CHECK(tests::call_route(routes, "GET", "/modules/flexible_payments", {.caller = admin})
                  .data["enabled"]
                  .boolean());
        CHECK(tests::call_route(routes, "GET", "/modules/nothing", {.caller = admin}).error->code().status == 404);
        const auto put = tests::call_route(routes, "PUT", "/modules/flexible_payments/settings",
                                           {.caller = admin, .body = object({{"percentage", "12.5"}, {"x", 1}})});
        REQUIRE_FALSE(put.error);
        CHECK(put.data["rejected_keys"].dump() == R"(["x"])");
        const auto get = tests::call_route(routes, "GET", "/modules/flexible_payments/settings", {.caller = admin});
        CHECK(get.data["settings"]["percentage"].dump() == "12.5");
        CHECK(get.data["schema"]["properties"].find("percentage") != nullptr);
        // The site's settings that belong to the module are returned with its own.
        CHECK_FALSE(get.data["settings"]["enable_deposit"].boolean());
        CHECK(get.data["schema"]["properties"].find("enable_deposit") != nullptr);
    });
}

TEST_CASE("modules of Pro go off at the end that its licence names, keep their data and can be on again") {
    each_site([](Site& site) {
        json::Value& end = site.hooks.answers["svc_pro_modules_end"] = "";
        site.modules.declare({.slug = "of_base", .name = "Of the base"});
        for (const char* slug : {"flexible_payments", "scheduled_payments", "of_base"})
            REQUIRE(site.modules.toggle(slug, true, 0));
        REQUIRE(site.modules.write_settings("flexible_payments", object({{"percentage", 30}})));
        end = site.clock.now().plus(std::chrono::hours(1)).text();
        site.modules.reload();
        CHECK(site.modules.enabled("flexible_payments"));
        site.clock.advance(std::chrono::hours(1));
        CHECK_FALSE(site.modules.enabled("flexible_payments"));
        CHECK_FALSE(site.modules.enabled("scheduled_payments"));
        CHECK(site.modules.enabled("of_base"));
        CHECK((*site.modules.settings("flexible_payments"))["percentage"].integer() == 30);
        static_cast<void>(site.hooks.emitted());
        // With a licence, which names no end, a switch reads the modules again; so does every start.
        end = "";
        CHECK_FALSE(site.modules.toggle("scheduled_payments", true, 0));  // what it needs is off
        REQUIRE(site.modules.toggle("flexible_payments", true, 0));
        CHECK(site.modules.enabled("flexible_payments"));
        CHECK(site.modules.enabled("scheduled_payments"));
        CHECK(site.hooks.emitted().empty());
    });
}
