// Which modules a licence's plan has, through the whole base with Pro attached.
#include <doctest/doctest.h>

#include "tests/support/each_on.hpp"
#include "tests/support/license_key.hpp"
#include "tests/support/test_base.hpp"

extern "C" const svc_plugin* svc_plugin_entry(void);

using namespace svc;
using namespace svc::tests;

namespace {

const json::Value on = json::Value::object({{"enabled", true}}), off = json::Value::object({{"enabled", false}});

// A base with Pro and, beside Pro's own, a module of each plan.
struct Planned : TestBase {
    explicit Planned(Database& database) : TestBase(database, &svc_plugin_entry) {
        REQUIRE(assembly->plugins.service.state().starts_with("attached"));
        for (const char* plan : {"free", "personal", "growth", "agency"})
            assembly->modules.declare({.slug = std::string("of_") + plan,
                                       .name = plan,
                                       .plan = plan,
                                       .requires_pro = std::string_view(plan) != "free"});
    }
    Answered toggle(const std::string& slug, const json::Value& to) {
        return post("/modules/" + slug + "/toggle", to, user("administrator"));
    }
    // Begins the evaluation as if it were so many days ago.
    api::Reply evaluate(int days_ago) {
        api::Request request;
        request.route =
            assembly->routes.match("POST", "/license/evaluate", [](std::string_view) { return true; }).route;
        request.now = SystemClock().now().minus(std::chrono::hours(24) * days_ago);
        return request.route->handle(request);
    }
    // The plans of the modules that the list calls available.
    std::string available() {
        std::string plans;
        const auto listed = get("/modules", user("administrator"));
        for (const auto& module : listed.data().items())
            if (module["is_available"].boolean() && module.text_or("slug").starts_with("of_"))
                plans += module.text_or("plan").substr(0, 1);
        return plans;
    }
};

const auto each_base = each_on<Planned>;

}  // namespace

TEST_CASE("a plan has the modules of the lower ones, and none but the free without a licence in force") {
    each_base([](Planned& base) {
        CHECK(base.available() == "f");
        base.given_license("personal");
        CHECK(base.available() == "fp");
        base.given_license("growth");
        CHECK(base.available() == "fgp");
        base.given_license("agency");
        CHECK(base.available() == "afgp");
        for (const char* status : {"inactive", "expired", "disabled", "invalid"}) {
            base.given_license("agency", status);
            CHECK(base.available() == "f");
        }
        base.given_license("growth");
        base.run("UPDATE svc_license SET expires_at = 1");
        CHECK(base.available() == "f");
    });
}

TEST_CASE("a module beyond the plan is 403 module_not_available and names the plan it needs") {
    each_base([](Planned& base) {
        base.given_license("personal");
        const auto refused = base.toggle("of_growth", on);
        CHECK(refused.status == 403);
        CHECK(refused.code() == "module_not_available");
        CHECK(refused.body["data"].text_or("plan") == "growth");
        CHECK_FALSE(base.assembly->modules.enabled("of_growth"));
        CHECK(base.toggle("of_personal", on).status == 200);
        CHECK(base.toggle("of_free", on).status == 200);
        base.given_license("growth");
        CHECK(base.toggle("of_growth", on).status == 200);
    });
}

TEST_CASE("many modules are turned at once, each by itself, and who is not is told why") {
    each_base([](Planned& base) {
        base.given_license("personal");
        const auto& admin = base.user("administrator");
        const auto bulk = [&](const char* items) {
            return base.post("/modules/bulk-toggle", json::parse("{\"items\":" + std::string(items) + "}").value(),
                             admin);
        };
        const auto done = bulk(R"([{"slug":"of_growth","enabled":true},{"slug":"of_personal","enabled":true},
            {"slug":"nothing","enabled":true},{"slug":"of_free","enabled":"yes"}])");
        REQUIRE(done.status == 200);
        CHECK(done.data()["modules"].size() == 2);
        for (const auto& module : done.data()["modules"].items()) {
            CHECK(module["enabled"].boolean());
            CHECK(base.assembly->modules.enabled(module.text_or("slug")));
        }
        CHECK(done.data()["skipped"].size() == 2);
        CHECK(done.data()["skipped"][0].text_or("slug") == "of_growth");
        CHECK(done.data()["skipped"][0].text_or("reason") == "module_not_available");
        CHECK(done.data()["skipped"][1].text_or("slug") == "nothing");
        CHECK(done.data()["skipped"][1].text_or("reason") == "svc_not_found");
        CHECK_FALSE(base.assembly->modules.enabled("of_growth"));

        const auto blocked = bulk(R"([{"slug":"of_growth","enabled":true},{"slug":"of_agency","enabled":true}])");
        CHECK(blocked.status == 403);
        CHECK(blocked.code() == "module_not_available");
        for (const char* bad : {"[]", R"([{"slug":"nothing","enabled":true}])", R"({"slug":"of_free"})"}) {
            CAPTURE(bad);
            const auto refused = bulk(bad);
            CHECK(refused.status == 400);
            CHECK(refused.field() == "items");
        }
        CHECK(bulk(R"([{"slug":"of_free"}])").field() == "items.0.enabled");
        CHECK(bulk(R"([{"slug":"of_free","enabled":"maybe"}])").field() == "items.0.enabled");
        CHECK(bulk(R"([{"slug":"of_free","enabled":false},{"slug":"of_free","enabled":true}])").field() ==
              "items.1.slug");
        CHECK(base.assembly->modules.enabled("of_free"));
    });
}

TEST_CASE("modules enabled at once find each other in any order, and are disabled with their dependencies") {
    each_base([](Planned& base) {
        base.assembly->modules.declare({.slug = "of_second", .name = "Second", .depends_on = {"of_free"}});
        base.assembly->modules.declare({.slug = "of_third", .name = "Third", .depends_on = {"of_second"}});
        const auto bulk = [&](const char* items) {
            const auto answered =
                base.post("/modules/bulk-toggle", json::parse("{\"items\":" + std::string(items) + "}").value(),
                          base.user("administrator"));
            CAPTURE(answered.text);
            REQUIRE(answered.status == 200);
            CHECK(answered.data()["skipped"].size() == 0);
            return answered.data()["modules"].size();
        };
        CHECK(bulk(R"([{"slug":"of_third","enabled":true},{"slug":"of_second","enabled":true},
            {"slug":"of_free","enabled":true}])") == 3);
        CHECK(base.assembly->modules.enabled("of_third"));
        CHECK(bulk(R"([{"slug":"of_free","enabled":false}])") == 3);
        CHECK_FALSE(base.assembly->modules.enabled("of_third"));
    });
}

TEST_CASE("a licence that has ended takes nothing away and allows nothing new") {
    each_base([](Planned& base) {
        base.given_license("personal");
        REQUIRE(base.toggle("additional_services", on).status == 200);
        base.given_license("personal", "expired");
        CHECK(base.get("/additional-services", base.user("administrator")).status == 200);
        CHECK(base.toggle("additional_services", on).status == 200);  // as it is already
        CHECK(base.toggle("additional_services", off).status == 200);
        CHECK(base.toggle("additional_services", on).code() == "module_not_available");
    });
}

TEST_CASE("flexible payments are set up under their module too, all that is sent or nothing") {
    each_base([](Planned& base) {
        base.given_license("agency");
        REQUIRE(base.toggle("flexible_payments", on).status == 200);
        const std::string place = "/modules/flexible_payments/settings";
        const auto& admin = base.user("administrator");
        const auto before = base.get(place, admin);
        REQUIRE(before.status == 200);
        CHECK_FALSE(before.data()["settings"]["enable_deposit"].boolean());
        CHECK(before.data()["schema"]["properties"].find("deposit_percentage") != nullptr);
        CHECK(base.get("/modules/flexible_payments", admin).data()["settings_page"].text() == place);
        const auto refused = base.call("PUT", place, R"({"enable_deposit":true,"deposit_percentage":150})", admin);
        CHECK(refused.status == 400);
        CHECK(refused.field() == "deposit_percentage");
        CHECK_FALSE(base.get(place, admin).data()["settings"]["enable_deposit"].boolean());
        const auto written = base.call("PUT", place, R"({"enable_deposit":true,"no_such":1})", admin);
        REQUIRE(written.status == 200);
        CHECK(written.data()["settings"]["enable_deposit"].boolean());
        CHECK(written.data()["rejected_keys"].dump() == R"(["no_such"])");
        CHECK(base.get("/settings", admin).data()["enable_deposit"].boolean());
    });
}

TEST_CASE("an evaluation turns on modules of every plan, and staff read of it on each page of the admin") {
    const EvaluationBuild build;
    each_base([](Planned& base) {
        CHECK(base.available() == "f");
        CHECK(base.post("/license/evaluate", json::Value::object(), base.user("manager")).status == 403);
        REQUIRE(base.post("/license/evaluate", json::Value::object(), base.user("administrator")).status == 200);
        CHECK(base.available() == "afgp");
        CHECK(base.toggle("additional_services", on).status == 200);
        CHECK(base.get("/additional-services", base.user("administrator")).status == 200);
        for (const char* role : {"administrator", "front_desk"})
            CHECK(base.get("/admin/start", base.user(role)).data()["data"]["evaluation"]["days_left"].integer() == 30);
        CHECK(base.post("/license/evaluate", json::Value::object(), base.user("administrator")).status == 409);
    });
}

TEST_CASE("once the evaluation is over its modules are off, their data stays and a licence brings them back") {
    const EvaluationBuild build;
    each_base([](Planned& base) {
        const auto& admin = base.user("administrator");
        REQUIRE(base.evaluate(29).status == 200);
        REQUIRE(base.toggle("additional_services", on).status == 200);
        const auto made =
            base.post("/additional-services",
                      json::parse(R"({"name":"Transfer","price":12.5,"status":"publish"})").value(), admin);
        REQUIRE(made.status == 201);
        // The same database with its evaluation two days older.
        base.run("DELETE FROM svc_evaluation");
        base.run("DELETE FROM svc_license");
        REQUIRE(base.evaluate(31).status == 200);
        base.assembly->modules.reload();
        for (const char* path : {"/additional-services", "/additional-services/1"}) {
            const auto gone = base.get(path, admin);
            CHECK(gone.status == 404);
            CHECK(gone.code() == "svc_no_route");
        }
        CHECK(base.available() == "f");
        CHECK(base.toggle("additional_services", on).code() == "module_not_available");
        CHECK(base.number("SELECT COUNT(*) FROM svc_additional_services") == 1);
        CHECK(base.get("/admin/start", admin).data()["data"].find("evaluation") == nullptr);
        base.given_license("personal");
        CHECK(base.toggle("additional_services", on).status == 200);
        CHECK(base.get("/additional-services", admin).data().size() == 1);
    });
}
