// Whatever a plugin throws, from wherever: the base answers, logs and serves on.
#include <doctest/doctest.h>

#include "tests/plugin/stand.hpp"

using namespace svc;
using namespace svc::tests;
using plugin::Host;

namespace {

struct NoStdException {};

api::RouteSpec route(std::string path, std::function<api::Reply(const api::Request&)> handle) {
    return {.method = api::Method::get,
            .path = std::move(path),
            .who = api::Permission::everyone(),
            .summary = "For the test.",
            .handle = std::move(handle)};
}

// A plugin without our wrappers, as one written by hand might be: what it throws arrives raw.
template <class Attach>
void raw(Attach attach) {
    script([](Host&) {});
    scripted_table().attach = attach;
    scripted_table().detach = [](void*) {};
}

template <class Table>
const Table* service(const svc_host* host, const char* id) {
    return static_cast<const Table*>(host->service(host->self, id));
}

constexpr svc_text spec{R"({"method":"GET","path":"/mine","who":{"rule":"everyone"}})", 57};

}  // namespace

TEST_CASE("a throw in entry or attach is a refusal") {
    Stand stand;
    CHECK_FALSE(stand.attach([]() -> const svc_plugin* { throw std::runtime_error("entry broke"); }));
    CHECK(stand.plugins().state() == "refused: entry broke");
    CHECK_FALSE(stand.attach([]() -> const svc_plugin* { throw NoStdException{}; }));
    CHECK_FALSE(stand.attach([](Host& host) {
        host.need<plugin::Routes>().add(route("/mine", {}));
        throw std::runtime_error("attach broke");
    }));
    CHECK(stand.plugins().state().find("attach broke") != std::string::npos);
    CHECK_FALSE(stand.attach([](Host&) { throw NoStdException{}; }));
    raw([](const svc_host*, void**, svc_answer*) -> svc_status { throw std::runtime_error("raw attach broke"); });
    CHECK_FALSE(stand.attach(&scripted_entry));
    CHECK(stand.plugins().state().find("raw attach broke") != std::string::npos);
    raw([](const svc_host*, void**, svc_answer*) -> svc_status { throw 1; });
    CHECK_FALSE(stand.attach(&scripted_entry));
    CHECK(stand.log_lines("plugin_refused") == 6);
    CHECK(stand.registered() == 0);
}

TEST_CASE("a throw in a handler is answered 500 without a word of it, a lost database 503") {
    Stand stand;
    REQUIRE(stand.attach([](Host& host) {
        auto& routes = host.need<plugin::Routes>();
        routes.add(route("/broken", [](const api::Request&) -> api::Reply { throw std::runtime_error("secret 12"); }));
        routes.add(route("/odd", [](const api::Request&) -> api::Reply { throw NoStdException{}; }));
        routes.add(route("/gone", [](const api::Request&) -> api::Reply { throw store::Unavailable("gone"); }));
        routes.add(route("/fine", [](const api::Request&) { return api::ok(true); }));
    }));
    for (const auto* path : {"/broken", "/odd"}) {
        const auto reply = stand.call("GET", path);
        CHECK(reply.status == 500);
        CHECK(reply.code() == "svc_internal_error");
        CHECK(reply.text.find("secret") == std::string::npos);
    }
    CHECK(stand.log.find("secret 12") != std::string::npos);
    CHECK(stand.call("GET", "/gone").status == 503);
    CHECK(stand.call("GET", "/fine").status == 200);
}

TEST_CASE("a raw throw, a wrong status, no JSON and no answer in a handler are 500") {
    using Handle = svc_status (*)(void*, svc_text, svc_answer*);
    static Handle handle;
    const std::vector<Handle> handles{
        [](void*, svc_text, svc_answer*) -> svc_status { throw std::runtime_error("raw"); },
        [](void*, svc_text, svc_answer*) -> svc_status { throw 1; },
        [](void*, svc_text, svc_answer*) { return static_cast<svc_status>(99); },
        [](void*, svc_text, svc_answer*) { return svc_status{}; },
        [](void*, svc_text, svc_answer*) { return SVC_OK; },
        [](void*, svc_text, svc_answer* answer) {
            answer->json(answer->self, {"{not json", 9});
            return SVC_OK;
        },
        [](void*, svc_text, svc_answer* answer) {
            answer->json(answer->self, {R"({"status":9})", 12});
            return SVC_OK;
        },
        [](void*, svc_text, svc_answer*) { return SVC_FAILED; },
        [](void*, svc_text, svc_answer*) { return SVC_REFUSED; }};
    for (const auto& each : handles) {
        handle = each;
        Stand stand;
        raw([](const svc_host* host, void**, svc_answer*) {
            const auto* routes = service<svc_routes_1>(host, SVC_ROUTES_1);
            return routes->add(routes->self, spec, nullptr, handle);
        });
        REQUIRE(stand.attach(&scripted_entry));
        CHECK(stand.call("GET", "/mine").status == 500);
    }
}

TEST_CASE("a throw in a listener changes nothing for those after it, one in a filter leaves the value") {
    Stand stand;
    int heard = 0;
    REQUIRE(stand.attach([&](Host& host) {
        REQUIRE(host.hooks().on("svc_thing_done", {.name = "a", .module = {}},
                                [](const json::Array&) { throw std::runtime_error("listener"); }));
        REQUIRE(host.hooks().on("svc_thing_done", {.name = "b", .module = {}}, [&](const json::Array&) { ++heard; }));
        REQUIRE(host.hooks().filter(
            "svc_thing_price", {.name = "a", .module = {}},
            [](store::Transaction*, const json::Array&) -> json::Value { throw NoStdException{}; }));
    }));
    REQUIRE(stand.store->write([&](store::Transaction& tx) -> Result<void> {
        stand.hooks.emit(tx, stand.hooks.declared_actions.front(), {1, "well"});
        CHECK(stand.hooks.apply(stand.hooks.declared_filters.front(), 21, {1}, &tx).integer() == 21);
        return {};
    }));
    CHECK(heard == 1);
    CHECK(stand.hooks.failures == 1);
}

TEST_CASE("a throw in a gateway makes it unavailable and its instructions empty, and is logged") {
    struct Broken final : plugin::Gateway {
        plugin::GatewayInfo own{.id = "broken", .title = "Broken", .description = "", .icon = ""};
        [[nodiscard]] const plugin::GatewayInfo& info() const override { return own; }
        [[nodiscard]] bool available(const json::Value&, const Money&) const override { throw NoStdException{}; }
        [[nodiscard]] std::vector<Sentence> instructions(const json::Value&, const json::Value&) const override {
            throw std::runtime_error("gateway broke");
        }
    };
    Stand stand;
    REQUIRE(stand.attach([](Host& host) { host.need<plugin::Gateways>().add(std::make_unique<Broken>()); }));
    const auto* gateway = stand.gateways.find("broken");
    REQUIRE(gateway);
    CHECK_FALSE(gateway->available(json::Value::object(), Money(1, Currency::usd())));
    CHECK(gateway->instructions(json::Value::object(), json::Value::object()).empty());
    CHECK(stand.log.find("gateway broke") != std::string::npos);
}

TEST_CASE("a throw in a job, a module's prepare, a row and detach stays inside") {
    Stand stand;
    plugin::Store* store = nullptr;
    REQUIRE(stand.attach([&](Host& host) {
        store = host.find<plugin::Store>();
        host.need<plugin::Jobs>().add(
            {.name = "mine", .help = "", .run = [](Instant) -> Result<json::Value> { throw NoStdException{}; }});
        host.need<plugin::Modules>().declare(
            {.slug = "mine",
             .name = "Mine",
             .description = "",
             .category = "",
             .settings = {},
             .prepare = []() -> Result<void> { throw std::runtime_error("prepare"); }});
    }));
    CHECK_THROWS_AS((void)stand.jobs.run_now("mine"), plugin::Failed);  // Jobs: throwing is recorded
    const auto toggled = stand.modules.toggle("mine", true, 7);
    CHECK(toggled.error().code().status == 500);
    CHECK(toggled.error().cause() == "prepare");
    store->read([](store::Session& session) {
        CHECK_THROWS_AS(
            session.each("SELECT id FROM svc_trips", "i", {}, [](const store::Row&) { throw NoStdException{}; }),
            NoStdException);
        CHECK(session.number("SELECT COUNT(*) FROM svc_trips", {}) == 2);
    });
    scripted_table().detach = [](void* self) {
        plugin::detach_plugin(self);
        throw std::runtime_error("detach");
    };
    stand.plugins().detach();
    CHECK(stand.log_lines("plugin_detach_failed") == 1);
}
