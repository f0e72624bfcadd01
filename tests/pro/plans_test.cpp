// Which modules a licence's plan has, through the whole base with Pro attached.
#include <doctest/doctest.h>

#include "tests/support/test_base.hpp"

extern "C" const svc_plugin* svc_plugin_entry(void);

using namespace svc;
using namespace svc::tests;

namespace {

const json::Value on = json::Value::object({{"enabled", true}}), off = json::Value::object({{"enabled", false}});

// A base with Pro and, beside Pro's own, a module of each plan.
struct Planned : TestBase {
    explicit Planned(Database& database) : TestBase(database, &svc_plugin_entry) {
        REQUIRE(assembly->plugins.state().starts_with("attached"));
        for (const char* plan : {"free", "personal", "growth", "agency"})
            assembly->modules.declare({.slug = std::string("of_") + plan,
                                       .name = plan,
                                       .plan = plan,
                                       .requires_pro = std::string_view(plan) != "free"});
    }
    Answered toggle(const std::string& slug, const json::Value& to) {
        return post("/modules/" + slug + "/toggle", to, user("administrator"));
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

void each_base(const std::function<void(Planned&)>& body) {
    each_database([&](Database& database) {
        CAPTURE(database.name());
        Planned base(database);
        body(base);
    });
}

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
