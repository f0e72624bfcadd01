// The admin's requests beside the other features' routes: its start, a booking's history, one's own sessions, and
// which settings of Pro it may write.
#include <doctest/doctest.h>

#include "shared/plugin/host.hpp"
#include "tests/support/before_start.hpp"
#include "tests/support/each_on.hpp"
#include "tests/support/test_base.hpp"

using namespace svc;
using namespace svc::tests;
using json::Value;

extern "C" const svc_plugin* svc_plugin_entry(void);  // Pro's

namespace {

Value parsed(const char* text) { return json::parse(text).value(); }

// A base with Pro, with the listeners that a test puts there.
struct WithListener {
    using Call = std::function<Value(const json::Array&)>;

    WithListener(const Database& database, std::map<std::string, Call> calls) {
        const BeforeStart listening([&](app::Assembly& parts) {
            for (const auto& [name, call] : calls)
                REQUIRE(
                    parts.hooks.filter(name, {.name = "test"},
                                       [call](store::Transaction*, const json::Array& given) { return call(given); }));
        });
        base = std::make_unique<TestBase>(database, &svc_plugin_entry);
        base->given_license("agency");
    }

    std::unique_ptr<TestBase> base;
};

std::string names_in(const Value& list) {
    std::string all;
    for (const Value& each : list.items())
        all += each.text() + " ";
    return all;
}

}  // namespace

TEST_CASE("PUT /settings writes of Pro what svc_pro_writable_settings_schema lists, sanitized as it says") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        Value given_to_listener;
        WithListener with(database, {{"svc_pro_writable_settings_schema", [&](const json::Array& given) {
                                          given_to_listener = given.front();
                                          return parsed(R"({"license_store_url":"text","enable_reviews":"boolean",
                                                            "never_declared":"text"})");
                                      }}});
        const auto& boss = with.base->user("administrator");
        const auto put = [&](const char* body) { return with.base->call("PUT", "/settings", body, boss); };
        const auto written = put(R"({"license_store_url":"  https://store.example\u0007 ",
            "license_upgrade_url":"https://upgrade.example","never_declared":1,"company_name":" Peaks "})");
        REQUIRE(written.status == 200);
        CHECK(names_in(written.data()["updated"]) == "license_store_url company_name ");
        CHECK(names_in(written.data()["rejected_keys"]) == "never_declared license_upgrade_url ");
        CHECK(written.data()["settings"].text_or("license_store_url") == "https://store.example");
        CHECK(written.data()["settings"].text_or("license_upgrade_url").empty());
        // It is asked about settings of Pro and of modules, each with the type that it is checked by.
        CHECK(given_to_listener.text_or("license_store_url") == "string");
        CHECK(given_to_listener.find("company_name") == nullptr);
        const auto schema = with.base->get("/settings/schema", boss);
        for (const Value& each : schema.data().items())
            if (each.text_or("key") == "license_upgrade_url" || each.text_or("key") == "license_store_url")
                CHECK(each["is_read_only"].boolean() == (each.text_or("key") == "license_upgrade_url"));
    });
}

TEST_CASE("without a listener every setting of Pro is written") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        WithListener with(database, {});
        const auto written = with.base->call("PUT", "/settings", R"({"license_upgrade_url":"https://upgrade.example"})",
                                             with.base->user("administrator"));
        REQUIRE(written.status == 200);
        CHECK(names_in(written.data()["updated"]) == "license_upgrade_url ");
    });
}

TEST_CASE("the admin's start returns svc_admin_localized_data, assets of enabled modules, and the wizard") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        std::int64_t user_id = 0;
        Value wizard;  // what the listener is given
        WithListener with(
            database, {{"svc_admin_localized_data",
                        [&](const json::Array& given) {
                            user_id = given.at(1).integer();
                            return parsed(R"({"greeting":"Good morning"})");
                        }},
                       {"svc_module_assets",
                        [](const json::Array&) {
                            return parsed(R"({"additional_services":["/files/a.js","//elsewhere.example/b.js",
                                                  "https://elsewhere.example/c.js","/\\elsewhere.example/d.js",7],
                                              "scheduled_payments":["/files/e.css"]})");
                        }},
                       {"svc_enable_setup_wizard", [&](const json::Array& given) { return wizard = given.front(); }}});
        const auto& boss = with.base->user("administrator");
        REQUIRE(
            with.base->post("/modules/additional_services/toggle", Value::object({{"enabled", true}}), boss).status ==
            200);
        const auto started = with.base->get("/admin/start", boss);
        REQUIRE(started.status == 200);
        CHECK(user_id == boss.user_id);
        CHECK(started.data()["data"].dump() == R"({"greeting":"Good morning"})");
        CHECK(started.data()["module_assets"].dump() == R"({"additional_services":["/files/a.js"]})");
        CHECK(started.data()["setup_wizard"].boolean());
        REQUIRE(with.base->call("PUT", "/settings", R"({"company_name":"Peaks"})", boss).status == 200);
        CHECK_FALSE(with.base->get("/admin/start", boss).data()["setup_wizard"].boolean());
        CHECK(wizard == Value(false));
        CHECK(with.base->get("/admin/start").status == 401);
        CHECK(with.base->get("/admin/start", with.base->holding({"svc_view_trips"})).status == 403);
    });
}

TEST_CASE(
    "a booking's history lists status changes, payments and mails, newest first, for users who may see bookings") {
    each_on<TestBase>([](TestBase& base) {
        const auto trip = base.given_trip();
        base.given_departure(trip);
        const auto booking = base.given_booking(trip);
        const std::string path = "/bookings/" + std::to_string(booking.id);
        const auto& boss = base.user("administrator");
        REQUIRE(base.call("PUT", path + "/status", R"({"status":"confirmed","reason":"By phone"})", boss).status ==
                200);
        const auto paid = base.post(path + "/payments", parsed(R"({"amount":10,"currency":"USD","gateway":"cash",
            "method":"cash","status":"completed"})"),
                                    boss);
        REQUIRE(paid.status < 300);
        REQUIRE(base.assembly->hooks.drain());
        const auto history = base.get(path + "/history", boss);
        REQUIRE(history.status == 200);
        std::map<std::string, int> kinds;
        std::string before = "9999";
        for (const Value& each : history.data().items()) {
            ++kinds[each.text_or("kind")];
            CHECK(each.text_or("at") <= before);
            before = each.text_or("at");
            if (each.text_or("kind") == "payment") {
                CHECK(each["amount"].dump() == "10.00");
                CHECK(each["ref_id"] == paid.data()["id"]);
            }
            if (each.text_or("title") == "pending to confirmed")
                CHECK(each.text_or("actor") == "a_administrator");
        }
        CHECK(kinds["status"] == 2);
        CHECK(kinds["payment"] == 1);
        CHECK(kinds["email"] > 0);
        CHECK(base.get(path + "/history").status == 401);
        CHECK(base.get(path + "/history", base.holding({"svc_view_trips"})).status == 403);
        CHECK(base.get("/bookings/999999/history", boss).code() == "booking_not_found");
    });
}

TEST_CASE("one's own sessions are listed, and ended one by one or all but this one; nobody else's") {
    each_on<TestBase>([](TestBase& base) {
        const Visitor phone = base.cookie("manager", true), desk = base.cookie("manager", true);
        const Visitor other = base.cookie("owner", true);
        const auto listed = base.get("/auth/sessions", desk);
        REQUIRE(listed.status == 200);
        REQUIRE(listed.data().size() == 2);
        std::int64_t phones = 0;
        int current = 0;
        for (const Value& each : listed.data().items())
            if (each["is_current"].boolean())
                ++current;
            else
                phones = each["id"].integer();
        CHECK(current == 1);
        const std::string one = "/auth/sessions/" + std::to_string(phones);
        CHECK(base.call("DELETE", one, {}, other).status == 404);
        CHECK(base.get("/auth/me", phone).status == 200);
        CHECK(base.call("DELETE", one, {}, desk).status == 200);
        CHECK(base.get("/auth/me", phone).status == 401);
        const Visitor third = base.cookie("manager", true);
        const auto ended = base.call("DELETE", "/auth/sessions", {}, desk);
        REQUIRE(ended.status == 200);
        CHECK(ended.data()["ended"].integer() == 1);
        CHECK(base.get("/auth/me", third).status == 401);
        CHECK(base.get("/auth/me", desk).status == 200);
        CHECK(base.get("/auth/me", other).status == 200);
        CHECK(base.call("DELETE", "/auth/sessions", {}, base.user("manager")).status == 400);  // no session of its own
        CHECK(base.get("/auth/sessions").status == 401);
    });
}

TEST_CASE("the schema of settings describes each setting whose module is on, and contains no secret") {
    each_on<TestBase>([](TestBase& base) {
        const auto& boss = base.user("administrator");
        REQUIRE(base.call("PUT", "/settings", R"({"recaptcha_secret_key":"a secret of ours"})", boss).status == 200);
        const auto described = base.get("/settings/schema", boss);
        REQUIRE(described.status == 200);
        CHECK(described.text.find("a secret of ours") == std::string::npos);
        std::map<std::string, Value> by_key;
        for (const Value& each : described.data().items())
            by_key[each.text_or("key")] = each;
        const Value shown = base.get("/settings", boss).data();
        for (const auto& [key, value] : shown.members())
            if (by_key.contains(key) && by_key[key]["is_secret"].boolean())
                CHECK((value.text().empty() || value.text().starts_with("****")));
        CHECK(by_key["recaptcha_secret_key"]["is_secret"].boolean());
        CHECK(by_key["currency"].text_or("group") == "locale");
        CHECK(by_key["currency_decimals"]["schema"]["maximum"].integer() == 4);
        CHECK(by_key["booking_expiry_since"]["is_read_only"].boolean());
        CHECK(by_key["recaptcha_secret_key"]["default"].is_null());
        for (const Value& each : described.data().items())
            CHECK(!each.text_or("description").empty());
        CHECK(base.get("/settings/schema", base.holding({"svc_view_trips"})).status == 403);
    });
}
