// The meeting of base and plugin: what is taken, what is refused, and that it is whole or not at all.
#include <doctest/doctest.h>

#include "tests/plugin/stand.hpp"

using namespace svc;
using namespace svc::tests;
using plugin::Host;

namespace {

api::RouteSpec route(api::Method method, std::string path, api::Permission who = api::Permission::everyone()) {
    return {.method = method,
            .path = std::move(path),
            .who = std::move(who),
            .summary = "For the test.",
            .handle = [](const api::Request&) { return api::ok("served"); }};
}

// One of everything a plugin can bring.
void bring_all(Host& host) {
    host.need<plugin::Routes>().add(route(api::Method::get, "/mine"));
    host.hooks().declare(hooks::Action{"svc_mine_done", "For the test.", {}});
    host.hooks().declare(hooks::Filter{"svc_mine_text", "For the test.", json::Kind::string, {}});
    REQUIRE(host.hooks().on("svc_mine_done", {.name = "mine", .module = {}}, [](const json::Array&) {}));
    REQUIRE(host.hooks().filter("svc_mine_text", {.name = "mine", .module = {}},
                                [](store::Transaction*, const json::Array& values) { return values.front(); }));
    host.need<plugin::Settings>().declare(
        {.key = "mine_limit", .type = api::integer(1, 9), .initial = 3, .help = "For the test."});
    host.need<plugin::Modules>().declare(
        {.slug = "mine", .name = "Mine", .description = "", .category = "", .settings = {}});
    host.need<plugin::Jobs>().add({.name = "mine", .help = "For the test.", .run = [](Instant) -> Result<json::Value> {
                                       return json::Value::object();
                                   }});
}
constexpr std::size_t all_of_it = 8;

// Asks for an ability of a later base, and does without.
const svc_plugin* asking_entry() {
    static const svc_plugin plugin{sizeof(svc_plugin),
                                   SVC_ABI_MAJOR,
                                   0,
                                   {"asking", 6},
                                   {"1", 1},
                                   [](const svc_host* host, void** self, svc_answer*) {
                                       *self = nullptr;
                                       static_cast<void>(host->service(host->self, "svc.nothing/9"));
                                       return SVC_OK;
                                   },
                                   [](void*) {}};
    return &plugin;
}

std::string refusal_of(Stand& stand) {
    const auto state = stand.plugins().state();
    REQUIRE(state.starts_with("refused: "));
    return state.substr(9);
}

}  // namespace

TEST_CASE("what attach registers is in place once it has returned SVC_OK") {
    Stand stand;
    const auto attached = stand.attach(bring_all);
    REQUIRE(attached);
    CHECK(*attached == "scripted 1.2.3");
    CHECK(stand.plugins().state() == "attached scripted 1.2.3");
    CHECK(stand.registered() == all_of_it);
    CHECK(stand.call("GET", "/mine").data().text() == "served");
    CHECK(stand.log_lines("plugin_attached") == 1);
}

TEST_CASE("the base names what an attached plugin asked for and it lacks") {
    Stand stand;
    REQUIRE(stand.attach(&asking_entry));
    const std::vector<std::pair<std::string, std::string>> missing{{"asking 1", "svc.nothing/9"}};
    CHECK(stand.plugins().missing() == missing);
}

TEST_CASE("beside Pro, each plugin has a name of its own, and Pro's state stays") {
    Stand stand;
    REQUIRE(stand.attach(bring_all));
    REQUIRE(stand.plugins().attach_beside_pro(&asking_entry));
    const auto again = stand.plugins().attach_beside_pro(&asking_entry);
    REQUIRE_FALSE(again);
    CHECK(again.error().cause() == "name: expected one that is not taken, got asking");
    CHECK(stand.plugins().beside_pro() == std::vector<std::string>{"asking 1"});
    CHECK(stand.plugins().state() == "attached scripted 1.2.3");
}

TEST_CASE("a plugin that gives up at the end leaves nothing behind") {
    Stand stand;
    const auto attached = stand.attach([](Host& host) {
        bring_all(host);
        throw plugin::Refused("The moon is not right.");
    });
    CHECK_FALSE(attached);
    CHECK(stand.registered() == 0);
    CHECK(stand.call("GET", "/mine").code() == "svc_no_route");
    CHECK(refusal_of(stand).find("The moon is not right.") != std::string::npos);
    CHECK(stand.log_lines("plugin_refused") == 1);
}

TEST_CASE("nothing is in place while attach is still running") {
    Stand stand;
    std::size_t seen = 99;
    REQUIRE(stand.attach([&](Host& host) {
        bring_all(host);
        seen = stand.registered();
    }));
    CHECK(seen == 0);
}

TEST_CASE("a refusal names the field, what was expected and what was got, in one log line") {
    struct Wrong {
        const char* field;
        std::function<void(svc_plugin&)> spoil;
        std::string help;
    };
    const std::vector<Wrong> wrongs{
        {"size", [](svc_plugin& table) { table.size = 4; }, "size: expected 56, got 4"},
        {"size", [](svc_plugin& table) { table.size = offsetof(svc_plugin, attach); }, "size: expected 56, got 40"},
        {"abi_major", [](svc_plugin& table) { table.abi_major = 2; }, "abi_major: expected 1, got 2"},
        {"abi_major", [](svc_plugin& table) { table.abi_major = 0; }, "abi_major: expected 1, got 0"},
        {"abi_minor", [](svc_plugin& table) { table.abi_minor = SVC_ABI_MINOR + 1; },
         "abi_minor: expected " + std::to_string(SVC_ABI_MINOR) + ", got " + std::to_string(SVC_ABI_MINOR + 1)},
        {"attach", [](svc_plugin& table) { table.attach = nullptr; }, "size: expected 56, got 56"}};
    static_assert(sizeof(svc_plugin) == 56);  // what the sentences above say
    for (const auto& wrong : wrongs) {
        CAPTURE(wrong.field);
        Stand stand;
        script(bring_all);
        wrong.spoil(scripted_table());
        CHECK_FALSE(stand.attach(&scripted_entry));
        CHECK(refusal_of(stand) == wrong.help);
        CHECK(stand.log_lines("plugin_refused") == 1);
        CHECK(stand.registered() == 0);
    }
}

TEST_CASE("no entry and an entry without a table are refused") {
    Stand stand;
    CHECK_FALSE(stand.attach(static_cast<svc_plugin_entry_fn*>(nullptr)));
    CHECK_FALSE(stand.attach([]() -> const svc_plugin* { return nullptr; }));
    CHECK(stand.log_lines("plugin_refused") == 2);
}

TEST_CASE("a forgotten status is no success") {
    Stand stand;
    script(bring_all);
    scripted_table().attach = [](const svc_host*, void**, svc_answer*) { return svc_status{}; };
    CHECK_FALSE(stand.attach(&scripted_entry));
    CHECK(refusal_of(stand) == "attach: expected 1, got 0");
}

TEST_CASE("what is taken already refuses the plugin and is named") {
    struct Taken {
        const char* what;
        std::function<void(Host&)> attach;
        const char* named;
    };
    const std::vector<Taken> cases{
        {"a route of the base",
         [](Host& host) { host.need<plugin::Routes>().add(route(api::Method::get, "/theirs/{slug}")); }, "GET /theirs"},
        {"a route of its own",
         [](Host& host) {
             for (int i = 0; i < 2; ++i)
                 host.need<plugin::Routes>().add(route(api::Method::get, "/mine"));
         },
         "GET /mine"},
        {"a hook",
         [](Host& host) {
             host.hooks().declare(hooks::Action{"svc_thing_done", "", {}});
         },
         "svc_thing_done"},
        {"a setting",
         [](Host& host) {
             host.need<plugin::Settings>().declare(
                 {.key = "currency", .type = api::text(3), .initial = "EUR", .help = ""});
         },
         "currency"},
        {"a default out of its bounds",
         [](Host& host) {
             host.need<plugin::Settings>().declare({.key = "n", .type = api::integer(1, 2), .initial = 3, .help = ""});
         },
         "n"},
        {"a job's name", [](Host& host) { host.need<plugin::Jobs>().add({.name = "No Name", .help = "", .run = {}}); },
         "No Name"},
        {"a module that is not declared",
         [](Host& host) {
             auto spec = route(api::Method::get, "/mine");
             spec.module = "unknown";
             host.need<plugin::Routes>().add(spec);
         },
         "unknown"}};
    for (const auto& taken : cases) {
        CAPTURE(taken.what);
        Stand stand;
        stand.routes.add(route(api::Method::get, "/theirs/{slug}"));
        const auto before = stand.registered();
        CHECK_FALSE(stand.attach([&](Host& host) {
            bring_all(host);
            taken.attach(host);
        }));
        CHECK(refusal_of(stand).find(taken.named) != std::string::npos);
        CHECK(stand.registered() == before);
    }
}

TEST_CASE("a permission this base does not understand refuses the route") {
    const std::vector<const char*> permissions{R"({"rule":"any_of","capabilities":["svc_fly"]})",
                                               R"({"rule":"any_of","capabilities":[]})",
                                               R"({"rule":"owner"})",
                                               R"({"rule":"signed_in","but_not_on":"sunday"})",
                                               R"({"rule":"decided_by","says":"x"})",
                                               R"("everyone")"};
    for (const auto* who : permissions) {
        CAPTURE(who);
        Stand stand;
        const auto spec = std::string(R"({"method":"GET","path":"/mine","who":)") + who + "}";
        svc_status status = SVC_OK;
        script([](Host&) {});
        static const std::string* text;
        static svc_status* told;
        text = &spec;
        told = &status;
        scripted_table().attach = [](const svc_host* host, void**, svc_answer*) {
            const auto* routes = static_cast<const svc_routes_1*>(host->service(host->self, SVC_ROUTES_1));
            *told = routes->add(routes->self, {text->data(), text->size()}, nullptr,
                                [](void*, svc_text, svc_answer*) { return SVC_OK; });
            return SVC_OK;
        };
        scripted_table().detach = [](void*) {};
        CHECK(stand.attach(&scripted_entry));
        CHECK(status == SVC_REFUSED);
        CHECK(stand.registered() == 0);
    }
}

TEST_CASE("a listener of a hook nobody declares is refused, never left waiting") {
    Stand stand;
    REQUIRE(stand.attach([](Host& host) {
        CHECK_FALSE(host.hooks().knows("svc_moon_rose"));
        CHECK(host.hooks().knows("svc_thing_done"));
        CHECK_FALSE(host.hooks().on("svc_moon_rose", {.name = "mine", .module = {}}, [](const json::Array&) {}));
        CHECK_FALSE(host.hooks().on("svc_thing_price", {.name = "mine", .module = {}}, [](const json::Array&) {}));
    }));
    CHECK(stand.registered() == 0);
}

TEST_CASE("storage that fails refuses the plugin, which is told to end") {
    Stand stand;
    bool ended = false;
    struct End {
        bool& told;
        ~End() { told = true; }
    };
    CHECK_FALSE(stand.attach([&](Host& host) {
        bring_all(host);
        host.make<End>(ended);
        host.need<plugin::Modules>().storage({{"0001_bad.sql", "CREATE NONSENSE;\n"}});
    }));
    CHECK(ended);
    CHECK(stand.registered() == 0);
    CHECK(refusal_of(stand).starts_with("storage: "));
}

TEST_CASE("after detach its routes answer 503 and its listeners do nothing") {
    Stand stand;
    int heard = 0;
    REQUIRE(stand.attach([&](Host& host) {
        bring_all(host);
        REQUIRE(
            host.hooks().on("svc_thing_done", {.name = "mine", .module = {}}, [&](const json::Array&) { ++heard; }));
    }));
    const auto fire = [&] {
        REQUIRE(stand.store->write([&](store::Transaction& tx) -> Result<void> {
            stand.hooks.emit(tx, stand.hooks.declared_actions.front(), {1, "well"});
            return {};
        }));
    };
    fire();
    stand.plugins().detach();
    fire();
    CHECK(heard == 1);
    CHECK(stand.call("GET", "/mine").status == 503);
}

TEST_CASE("registering after attach is refused") {
    Stand stand;
    plugin::Routes* routes = nullptr;
    REQUIRE(stand.attach([&](Host& host) { routes = host.find<plugin::Routes>(); }));
    CHECK_THROWS_AS(routes->add(route(api::Method::get, "/late")), plugin::Refused);
    CHECK(stand.registered() == 0);
}
