// Tables of different lengths meet: a newer base's longer ones, an older base's and an older plugin's shorter ones.
#include <cstring>
#include <map>
#include <vector>

#include <doctest/doctest.h>

#include "tests/plugin/stand.hpp"

extern "C" const svc_plugin* svc_plugin_entry(void);

using namespace svc;
using namespace svc::tests;

namespace {

// How long the tables look that a plugin is handed: their true length and `more`, or, for one id, cut to `cut`.
struct Lengths {
    std::uint32_t more = 0;
    std::string id;
    std::uint32_t cut = 0;
} lengths;

// Copies of the base's tables with another size, and poison behind the end they had.
const void* resized(void* self, const char* id) {
    static std::map<std::string, std::vector<std::uint64_t>> copies;
    const auto* real = static_cast<const svc_host*>(self);
    const auto* table = static_cast<const std::uint32_t*>(real->service(real->self, id));
    if (!table)
        return nullptr;
    auto& copy = copies[id];
    copy.assign((*table + lengths.more) / 8 + 2, 0xdeaddeaddeaddeadULL);
    std::memcpy(copy.data(), table, *table);
    const std::uint32_t size = lengths.id == id ? lengths.cut : *table + lengths.more;
    std::memcpy(copy.data(), &size, sizeof(size));
    return copy.data();
}

const svc_plugin* pro_on_resized_base() {
    static svc_plugin table;
    table = *svc_plugin_entry();
    table.attach = [](const svc_host* host, void** self, svc_answer* why_not) {
        static svc_host other;
        other = *host;
        other.self = const_cast<svc_host*>(host);
        other.service = &resized;
        return svc_plugin_entry()->attach(&other, self, why_not);
    };
    return &table;
}

}  // namespace

TEST_CASE("Pro works on a newer base whose tables have grown") {
    Stand stand;
    lengths = {.more = 64, .id = {}};
    REQUIRE(stand.attach(&pro_on_resized_base));
    REQUIRE(stand.modules.toggle("additional_services", true, 7));
    CHECK(stand.call("POST", "/additional-services", json::Value::object({{"name", "Transfer"}})).status == 201);
    CHECK(stand.call("GET", "/license").status == 200);
}

TEST_CASE("a table too short for what Pro calls is an ability the base does not have") {
    Stand stand;
    lengths = {.more = 0, .id = SVC_SETTINGS_1, .cut = offsetof(svc_settings_1, write)};
    CHECK_FALSE(stand.attach(&pro_on_resized_base));
    CHECK(stand.plugins().state().find(SVC_SETTINGS_1) != std::string::npos);
    CHECK(stand.registered() == 0);

    Stand other;
    lengths = {.more = 0, .id = SVC_JOBS_1, .cut = offsetof(svc_jobs_1, wake)};
    CHECK(other.attach(&pro_on_resized_base));
    CHECK(other.jobs.added.empty());
}

TEST_CASE("a newer plugin's longer table is taken as far as this base knows it") {
    Stand stand;
    script([](plugin::Host&) {});
    static struct {
        svc_plugin known;
        void* unknown[4];
    } longer;
    longer.known = scripted_table();
    longer.known.size = sizeof(longer);
    CHECK(stand.attach([]() -> const svc_plugin* { return &longer.known; }));
}

TEST_CASE("an older plugin's shorter gateway table is used as far as it goes") {
    Stand stand;
    script([](plugin::Host&) {});
    scripted_table().attach = [](const svc_host* host, void**, svc_answer*) {
        static const svc_gateway_1 shorter{
            offsetof(svc_gateway_1, instructions), nullptr,
            [](void*, svc_text, std::int64_t amount, svc_text) -> std::int32_t { return amount < 1000 ? 1 : 0; },
            [](void*, svc_text, svc_text, svc_answer*) -> svc_status { throw std::logic_error("beyond the end"); }};
        const auto* gateways = static_cast<const svc_gateways_1*>(host->service(host->self, SVC_GATEWAYS_1));
        const std::string info = R"({"id":"coins","title":"Coins","fields":[]})";
        return gateways->add(gateways->self, {info.data(), info.size()}, &shorter);
    };
    scripted_table().detach = [](void*) {};
    REQUIRE(stand.attach(&scripted_entry));
    const auto* coins = stand.gateways.find("coins");
    REQUIRE(coins);
    CHECK(coins->available(json::Value::object(), Money(999, Currency::usd())));
    CHECK_FALSE(coins->available(json::Value::object(), Money(1000, Currency::usd())));
    CHECK(coins->instructions(json::Value::object(), json::Value::object()).empty());
}

TEST_CASE("a gateway table too short for its first function is refused") {
    Stand stand;
    script([](plugin::Host&) {});
    static svc_status told;
    scripted_table().attach = [](const svc_host* host, void**, svc_answer*) {
        static const svc_gateway_1 none{offsetof(svc_gateway_1, available), nullptr, nullptr, nullptr};
        const auto* gateways = static_cast<const svc_gateways_1*>(host->service(host->self, SVC_GATEWAYS_1));
        const std::string info = R"({"id":"coins","title":"Coins","fields":[]})";
        told = gateways->add(gateways->self, {info.data(), info.size()}, &none);
        return SVC_OK;
    };
    scripted_table().detach = [](void*) {};
    REQUIRE(stand.attach(&scripted_entry));
    CHECK(told == SVC_REFUSED);
    CHECK(stand.gateways.all().empty());
}

TEST_CASE("a shorter answer table is written as far as it goes") {
    Stand stand;
    static svc_status told;
    script([](plugin::Host&) {});
    scripted_table().attach = [](const svc_host* host, void**, svc_answer*) {
        const auto* settings = static_cast<const svc_settings_1*>(host->service(host->self, SVC_SETTINGS_1));
        svc_answer shorter{offsetof(svc_answer, details), nullptr, [](void*, svc_text) {},
                           [](void*, svc_text, svc_text, svc_text) {},
                           [](void*, svc_text) { throw std::logic_error("beyond the end"); }};
        told = settings->get(settings->self, {"no_such", 7}, &shorter);
        return SVC_OK;
    };
    scripted_table().detach = [](void*) {};
    REQUIRE(stand.attach(&scripted_entry));
    CHECK(told == SVC_REFUSED);
}
