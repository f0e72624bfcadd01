// Listeners: who is refused, who is called, in which order, and what a failing one may not do.
#include "shared/hooks/registry.hpp"

#include <algorithm>

#include <doctest/doctest.h>

#include "shared/core/log.hpp"
#include "shared/core/no_wait.hpp"

using namespace svc;
using namespace svc::hooks;

namespace {

const Action happened{"svc_thing_happened", "A thing happened.", {"id", "thing", "how"}};
const Filter number{"svc_thing_number", "A number.", json::Kind::number, {"why"}};
const Filter anything{"svc_thing_any", "Anything.", json::Kind::null, {}};

struct Quiet {
    Quiet() { log::redirect(&text); }
    ~Quiet() { log::redirect(nullptr); }
    std::string text;
};

FilterCall plus(int more) {
    return [more](store::Transaction*, const json::Array& a) { return json::Value(a.at(0).integer() + more); };
}

}  // namespace

TEST_CASE("a listener of an undeclared name is refused, as is one that comes after the start") {
    Registry registry({});
    registry.declare(happened);
    registry.declare(number);
    CHECK(registry.on("svc_thing_happend", {.name = "a"}, [](auto&) {}).error().code().name == "svc_not_found");
    CHECK(registry.on("svc_thing_number", {.name = "a"}, [](auto&) {}).error().code().name == "svc_not_found");
    CHECK(registry.filter("svc_thing_happened", {.name = "a"}, plus(1)).error().code().name == "svc_not_found");
    CHECK_THROWS_AS(registry.declare(happened), std::logic_error);
    CHECK_THROWS_AS(registry.declare(Filter{"svc_thing_happened", "", json::Kind::null, {}}), std::logic_error);
    CHECK(registry.knows("svc_thing_number"));
    CHECK_FALSE(registry.knows("svc_other"));
    registry.freeze();
    CHECK(registry.on("svc_thing_happened", {.name = "a"}, [](auto&) {}).error().code().name == "svc_conflict");
    CHECK_THROWS_AS(registry.declare(anything), std::logic_error);
}

TEST_CASE("listeners are called by priority, then base before plugin, then by name, however they came") {
    std::vector<Listener> listeners{{.name = "z", .priority = 5, .origin = Origin::plugin},
                                    {.name = "a"},
                                    {.name = "b"},
                                    {.name = "a", .origin = Origin::plugin},
                                    {.name = "c", .priority = 11},
                                    {.name = "y", .priority = 5}};
    std::sort(listeners.begin(), listeners.end(), [](auto& a, auto& b) { return a.name < b.name; });
    do {
        Registry registry({});
        registry.declare(happened);
        std::string order;
        for (const auto& listener : listeners)
            REQUIRE(registry.on(happened.name, listener,
                                [&, name = listener.name + (listener.origin == Origin::base ? "" : "!")](auto&) {
                                    order += name + " ";
                                }));
        registry.fire(happened.name, {});
        CHECK(order == "y z! a b a! c ");
    } while (std::next_permutation(listeners.begin(), listeners.end(), [](auto& a, auto& b) {
        return std::tie(a.name, a.priority, a.origin) < std::tie(b.name, b.priority, b.origin);
    }));
}

TEST_CASE("a listener gets as many arguments as it takes") {
    Registry registry({});
    registry.declare(happened);
    registry.declare(anything);
    std::vector<std::size_t> sizes;
    for (const int takes : {0, 1, 3, 255})
        REQUIRE(registry.on(happened.name, {.name = std::to_string(takes), .takes = takes},
                            [&](const json::Array& a) { sizes.push_back(a.size()); }));
    registry.fire(happened.name, {1, 2, 3});
    CHECK(sizes == std::vector<std::size_t>{0, 1, 3, 3});

    sizes.clear();
    REQUIRE(registry.filter(anything.name, {.name = "one", .takes = 1}, [&](auto*, const json::Array& a) {
        sizes.push_back(a.size());
        return a.at(0);
    }));
    CHECK(registry.apply(anything, "value", {1, 2}, nullptr) == json::Value("value"));
    CHECK(sizes == std::vector<std::size_t>{1});
}

TEST_CASE("a failing listener is logged and told, and the others are called") {
    Quiet quiet;
    std::vector<std::string> told;
    Registry registry(
        {.failed = [&](auto hook, auto who) { told.push_back(std::string(hook) + "/" + std::string(who)); }});
    registry.declare(happened);
    int called = 0;
    REQUIRE(registry.on(happened.name, {.name = "1"}, [](auto&) { throw std::runtime_error("broken"); }));
    REQUIRE(registry.on(happened.name, {.name = "2"}, [](auto&) { throw 42; }));
    REQUIRE(registry.on(happened.name, {.name = "3"}, [&](auto&) { ++called; }));
    CHECK_NOTHROW(registry.fire(happened.name, {}));
    CHECK(called == 1);
    CHECK(told == std::vector<std::string>{"svc_thing_happened/1", "svc_thing_happened/2"});
    CHECK(quiet.text.find("broken") != std::string::npos);
}

TEST_CASE("a database that is not there is the event's trouble, not the listener's") {
    Registry registry({});
    registry.declare(happened);
    int called = 0;
    REQUIRE(registry.on(happened.name, {.name = "1"}, [](auto&) { throw store::Unavailable("gone"); }));
    REQUIRE(registry.on(happened.name, {.name = "2"}, [&](auto&) { ++called; }));
    CHECK_THROWS_AS(registry.fire(happened.name, {}), store::Unavailable);
    CHECK(called == 1);
}

TEST_CASE("a filter's listeners change the value in turn; another kind or a throw leaves it as it was") {
    Quiet quiet;
    int failures = 0;
    Registry registry({.failed = [&](auto, auto) { ++failures; }});
    registry.declare(number);
    REQUIRE(registry.filter(number.name, {.name = "1"}, plus(1)));
    REQUIRE(registry.filter(number.name, {.name = "2"}, [](auto*, auto&) { return json::Value("text"); }));
    REQUIRE(registry.filter(number.name, {.name = "3"}, [](auto*, auto&) -> json::Value { throw 1; }));
    REQUIRE(registry.filter(number.name, {.name = "4"}, [](auto*, auto&) { return json::Value(); }));
    REQUIRE(registry.filter(number.name, {.name = "5"}, [](auto*, const json::Array& a) {
        return json::Value(a.at(0).integer() * 10 + a.at(1).integer());
    }));
    CHECK(registry.apply(number, 1, {7}, nullptr).integer() == 27);
    CHECK(failures == 3);
    CHECK_THROWS_AS(registry.apply(anything, 1, {}, nullptr), std::logic_error);
}

TEST_CASE("what an answer holds of another kind than the filter's example is ignored and logged") {
    const Filter shaped{"svc_thing_shaped", "A thing.", json::Kind::object, {}, R"({"name": "", "id": 1, "price": 0.5,
        "odd": null, "inner": {"flag": true}, "items": [{"label": ""}]})"};
    const auto before = json::parse(R"({"name":"Nile","id":3,"inner":{"flag":false}})").value();
    const auto applied = [&](const char* answer, std::string* lines = nullptr) {
        Quiet quiet;
        Registry registry({});
        registry.declare(shaped);
        REQUIRE(registry.filter(shaped.name, {.name = "a"},
                                [&](auto*, const json::Array&) { return json::parse(answer).value(); }));
        auto after = registry.apply(shaped, before, {}, nullptr).dump();
        if (lines)
            *lines = quiet.text;
        return after;
    };
    std::string lines;
    CHECK(applied(R"({"name":"Ra","id":4,"price":7,"odd":[1],"inner":{"flag":true},"items":[],"more":1})", &lines) ==
          R"({"name":"Ra","id":4,"price":7,"odd":[1],"inner":{"flag":true},"items":[],"more":1})");
    CHECK(lines.empty());
    CHECK(applied(R"({"name":5,"id":4})", &lines) == R"({"name":"Nile","id":4})");
    CHECK(lines.find("listener_failed") != std::string::npos);
    CHECK(lines.find("of another kind than declared: name") != std::string::npos);
    CHECK(applied(R"({"id":2.5,"price":"7","name":null})") == R"({"id":3,"name":null})");
    CHECK(applied(R"({"id":100000000000000000000})") == R"({"id":3})");
    CHECK(applied(R"({"inner":{"flag":"yes"}})") == R"({"inner":{"flag":false}})");
    CHECK(applied(R"({"inner":[],"name":"Ra"})") == R"({"inner":{"flag":false},"name":"Ra"})");
    CHECK(applied(R"({"items":["x",{"label":5,"n":1},{"label":"b"},null]})", &lines) ==
          R"({"items":[{"n":1},{"label":"b"}]})");
    CHECK(lines.find("items.1") != std::string::npos);
    Registry registry({});
    CHECK_THROWS_AS(registry.declare(Filter{"svc_thing_wrong", "", json::Kind::object, {}, "[]"}), std::logic_error);
}

TEST_CASE("a listener that would wait where nothing may is no failure: its caller leaves with it") {
    Quiet quiet;
    Registry registry({});
    registry.declare(happened);
    registry.declare(number);
    REQUIRE(registry.on("svc_thing_happened", {.name = "a"}, [](auto&) { NoWait::refuse(); }));
    REQUIRE(registry.filter("svc_thing_number", {.name = "a"}, [](store::Transaction*, const json::Array& a) {
        NoWait::refuse();
        return a.at(0);
    }));
    registry.freeze();
    {
        const NoWait here;
        CHECK_THROWS_AS(registry.fire("svc_thing_happened", {}), WouldWait);
        CHECK_THROWS_AS((void)registry.apply(number, json::Value(1), {}, nullptr), WouldWait);
    }
    CHECK(registry.apply(number, json::Value(1), {}, nullptr).integer() == 1);
    CHECK(quiet.text.empty());
}

TEST_CASE("a listener is mute while its module is off") {
    std::string on;
    Registry registry({.module_enabled = [&](std::string_view module) { return module == on; }});
    registry.declare(happened);
    registry.declare(number);
    int called = 0;
    REQUIRE(registry.on(happened.name, {.name = "a", .module = "webhooks"}, [&](auto&) { ++called; }));
    REQUIRE(registry.filter(number.name, {.name = "a", .module = "webhooks"}, plus(5)));
    registry.fire(happened.name, {});
    CHECK(called == 0);
    CHECK_FALSE(registry.has_listener(happened.name));
    CHECK(registry.apply(number, 1, {}, nullptr).integer() == 1);
    on = "webhooks";
    registry.fire(happened.name, {});
    CHECK(called == 1);
    CHECK(registry.has_listener(happened.name));
    CHECK(registry.apply(number, 1, {}, nullptr).integer() == 6);
}

TEST_CASE("the catalogue lists all declarations, by name, and outlives their owners") {
    Registry registry({});
    {
        const std::string name = "svc_gone_with_the_wind", help = "Says.";
        registry.declare(Action{name, help, {"id"}});
    }
    registry.declare(happened);
    registry.declare(number);
    const auto actions = registry.actions();
    REQUIRE(actions.size() == 2);
    CHECK(actions[0].name == "svc_gone_with_the_wind");
    CHECK(actions[0].help == "Says.");
    CHECK(actions[1].arguments == std::vector<std::string_view>{"id", "thing", "how"});
    REQUIRE(registry.filters().size() == 1);
    CHECK(registry.filters()[0].value == json::Kind::number);
}

TEST_CASE("a deprecated hook keeps firing, and each listener of it is logged once") {
    const Quiet quiet;
    Registry registry({});
    registry.declare(Action{"svc_thing_happened", "", {"id"}, "2026-11-01", "svc_thing_done"});
    Filter old = number;
    old.deprecated_since = "2026-11-01";
    registry.declare(old);
    CHECK(registry.actions().front().instead == "svc_thing_done");
    CHECK(registry.filters().front().deprecated_since == "2026-11-01");
    CHECK(quiet.text.empty());
    int calls = 0;
    for (int i = 0; i < 2; ++i)
        REQUIRE(registry.on("svc_thing_happened", {.name = "mine"}, [&](auto&) { ++calls; }));
    REQUIRE(registry.filter("svc_thing_number", {.name = "mine"}, plus(1)));
    registry.fire("svc_thing_happened", {1});
    registry.fire("svc_thing_happened", {2});
    CHECK(calls == 4);
    CHECK(registry.apply(old, 1, {}, nullptr).integer() == 2);
    const auto count = [&](std::string_view part) {
        std::size_t found = 0;
        for (auto at = quiet.text.find(part); at != std::string::npos; at = quiet.text.find(part, at + 1))
            ++found;
        return found;
    };
    CHECK(count("\"event\":\"deprecated_hook\"") == 2);
    CHECK(count("svc_thing_done") == 1);
}
