// Pro's evaluation: 30 days of all plans, once on a database, in a build without a licence server's key.
#include "pro/license/evaluation.hpp"

#include <doctest/doctest.h>

#include "tests/plugin/stand.hpp"
#include "tests/support/license_key.hpp"

extern "C" const svc_plugin* svc_plugin_entry(void);

using namespace svc;
using namespace svc::tests;

namespace {

constexpr std::chrono::hours day{24};

// The filters of the base that the evaluation answers to.
const hooks::Filter available{
    "svc_pro_available_modules", "", json::Kind::array, {"now"}, R"([{"slug": "", "plan": ""}])"};
const hooks::Filter modules_end{"svc_pro_modules_end", "", json::Kind::string, {"now"}};
const hooks::Filter admin_data{"svc_admin_localized_data", "", json::Kind::object, {"user_id", "now"}};
const hooks::Filter document_mark{"svc_document_mark", "", json::Kind::string, {"document", "now"}};

// A base with Pro, in a build that can be evaluated.
struct Evaluated : Stand {
    EvaluationBuild build;
    explicit Evaluated(std::unique_ptr<Database> on, bool ends_modules = true) : Stand(std::move(on), Schema::real) {
        for (const auto& filter : {available, admin_data, document_mark})
            hooks.declare(filter);
        if (ends_modules)
            hooks.declare(modules_end);
        REQUIRE(attach(&svc_plugin_entry));
    }
    Reply evaluate() { return call("POST", "/license/evaluate"); }
    json::Value license() { return call("GET", "/license").data(); }
    void wait(std::chrono::seconds span) { clock.at = clock.at.plus(span); }
    bool has_agency() {
        const auto modules = json::parse(R"([{"slug": "team", "plan": "agency"}])").value();
        return hooks.apply(available, modules, {clock.at}, nullptr).size() == 1;
    }
    std::string ends() { return hooks.apply(modules_end, "", {clock.at}, nullptr).text(); }
    json::Value admin() { return hooks.apply(admin_data, json::Value::object(), {1, clock.at}, nullptr); }
    std::string mark() { return hooks.apply(document_mark, "", {"invoice", clock.at}, nullptr).text(); }
    void check_daily() {
        for (const auto& job : jobs.added)
            if (job.name == "license_check")
                REQUIRE(job.run(clock.at));
    }
    void run(const char* sql) { execute(*store, {sql}); }
};

std::unique_ptr<Database> another(Database& kind) {
    return kind.dialect() == store::Dialect::sqlite ? Database::sqlite() : Database::postgresql();
}

void each_kind(const std::function<void(Evaluated&)>& body) {
    each_database([&](Database& kind) {
        CAPTURE(kind.name());
        Evaluated base(another(kind));
        body(base);
    });
}

}  // namespace

TEST_CASE("the evaluation has all plans for 30 days and is named in the licence, the admin and on documents") {
    each_kind([](Evaluated& base) {
        CHECK(base.license()["evaluation"]["can_begin"].boolean());
        CHECK_FALSE(base.has_agency());
        CHECK(base.mark().empty());
        CHECK(base.admin().find("evaluation") == nullptr);
        const auto begun = base.evaluate();
        REQUIRE(begun.status == 200);
        CHECK(begun.data()["status"].text() == "active");
        CHECK(begun.data()["plan"]["name"].text() == "Evaluation");
        CHECK(begun.data()["expires"].text() == "2026-06-03T10:00:00Z");
        for (const int passed : {0, 29}) {
            base.clock.at = Instant::parse("2026-05-04T10:00:00Z")->plus(day * passed);
            CAPTURE(passed);
            const auto license = base.license();
            CHECK(license["license_info"]["plan"]["name"].text() == "Evaluation");
            CHECK(license["license_info"]["status"].text() == "active");
            CHECK(license["state"]["code"].text() == "evaluation");
            CHECK(license["state"]["until"].text() == "2026-06-03T10:00:00Z");
            CHECK(license["evaluation"]["days_left"].integer() == 30 - passed);
            CHECK_FALSE(license["evaluation"]["can_begin"].boolean());
            CHECK(base.has_agency());
            CHECK(base.ends() == "2026-06-03T10:00:00Z");
            CHECK(base.admin()["evaluation"]["days_left"].integer() == 30 - passed);
            CHECK(base.mark() == "Evaluation");
        }
    });
}

TEST_CASE("after 30 days the evaluation allows nothing, names nothing, and does not begin again") {
    each_kind([](Evaluated& base) {
        REQUIRE(base.evaluate().status == 200);
        base.wait(day * 30 - std::chrono::seconds(1));
        CHECK(base.has_agency());
        base.wait(std::chrono::seconds(1));
        CHECK_FALSE(base.has_agency());
        CHECK(base.ends() <= "2026-06-03T10:00:00Z");
        CHECK(base.mark().empty());
        CHECK(base.admin().find("evaluation") == nullptr);
        const auto license = base.license();
        CHECK(license["license_info"]["status"].text() == "expired");
        CHECK(license["state"]["code"].text() == "evaluation_over");
        CHECK(license["state"]["since"].text() == "2026-06-03T10:00:00Z");
        CHECK(license["evaluation"]["days_left"].integer() == 0);
        CHECK_FALSE(license["evaluation"]["can_begin"].boolean());
        CHECK(base.evaluate().code() == "evaluation_used");
    });
}

TEST_CASE("an evaluation that has begun is 409, says when it began and keeps its end") {
    each_kind([](Evaluated& base) {
        REQUIRE(base.evaluate().status == 200);
        base.wait(day * 5);
        const auto again = base.evaluate();
        CHECK(again.status == 409);
        CHECK(again.code() == "evaluation_used");
        CHECK(again.body.text_or("message").find("2026-05-04") != std::string::npos);
        CHECK(base.license()["evaluation"]["ends_at"].text() == "2026-06-03T10:00:00Z");
    });
}

TEST_CASE("a row of the evaluation that is deleted or changed ends it, and it does not begin again") {
    for (const char* sql : {"DELETE FROM svc_evaluation", "DELETE FROM svc_license",
                            "UPDATE svc_evaluation SET started_at = started_at + 86400000000",
                            "UPDATE svc_license SET site_id = 'another'", "UPDATE svc_license SET evaluated_at = NULL",
                            "UPDATE svc_evaluation SET seal = 'none'"}) {
        CAPTURE(sql);
        each_kind([sql](Evaluated& base) {
            REQUIRE(base.evaluate().status == 200);
            base.run(sql);
            CHECK_FALSE(base.has_agency());
            CHECK(base.ends() == base.clock.at.text());
            CHECK(base.evaluate().code() == "evaluation_used");
        });
    }
}

TEST_CASE("a clock that is set back gains no days") {
    each_kind([](Evaluated& base) {
        REQUIRE(base.evaluate().status == 200);
        base.wait(day * 20);
        base.check_daily();
        base.wait(-day * 10);
        CHECK_FALSE(base.has_agency());
        CHECK(base.license()["license_info"]["status"].text() == "expired");
        CHECK(base.evaluate().code() == "evaluation_used");
        base.wait(day * 10 + std::chrono::hours(1));  // right again
        CHECK(base.has_agency());
        CHECK(base.license()["evaluation"]["days_left"].integer() == 10);
    });
}

TEST_CASE("a build with a licence server's key has no evaluation, and none that began elsewhere lasts in it") {
    each_database([](Database& kind) {
        CAPTURE(kind.name());
        Stand base(another(kind));
        for (const auto& filter : {available, modules_end, document_mark})
            base.hooks.declare(filter);
        REQUIRE(base.attach(&svc_plugin_entry));
        CHECK(base.call("GET", "/license").data()["evaluation"].is_null());
        const auto refused = base.call("POST", "/license/evaluate");
        CHECK(refused.status == 409);
        CHECK(refused.code() == "no_evaluation");
        {
            const EvaluationBuild elsewhere;
            REQUIRE(base.call("POST", "/license/evaluate").status == 200);
        }
        CHECK(base.call("GET", "/license").data()["license_info"]["status"].text() == "inactive");
        CHECK(base.hooks.apply(modules_end, "", {base.clock.at}, nullptr).text() == base.clock.at.text());
        CHECK(base.hooks.apply(document_mark, "", {"invoice", base.clock.at}, nullptr).text().empty());
    });
}

TEST_CASE("an active licence goes before the evaluation: it begins none, and one that began does not show") {
    each_kind([](Evaluated& base) {
        REQUIRE(base.evaluate().status == 200);
        base.run("UPDATE svc_license SET status = 'active', plan_tier = 'growth', plan_name = 'Growth'");
        CHECK(base.license()["license_info"]["plan"]["name"].text() == "Growth");
        CHECK_FALSE(base.has_agency());
        CHECK(base.ends().empty());
        CHECK(base.mark().empty());
        CHECK(base.admin().find("evaluation") == nullptr);
        base.run("UPDATE svc_license SET status = 'active', evaluated_at = NULL");
        base.run("DELETE FROM svc_evaluation");
        CHECK_FALSE(base.license()["evaluation"]["can_begin"].boolean());
        CHECK(base.evaluate().code() == "evaluation_used");
        CHECK(base.number("SELECT COUNT(*) FROM svc_evaluation") == 0);
    });
}

TEST_CASE("what a licence had allowed stays on where the licence is lost, also after an evaluation") {
    each_kind([](Evaluated& base) {
        REQUIRE(base.evaluate().status == 200);
        base.wait(day * 31);
        CHECK_FALSE(base.ends().empty());
        for (const char* status : {"disabled", "invalid", "inactive"}) {
            CAPTURE(status);
            base.run(("UPDATE svc_license SET lost_at = NULL, status = '" + std::string(status) + "'").c_str());
            CHECK_FALSE(base.ends().empty());  // it was never active
            base.run("UPDATE svc_license SET lost_at = 1");
            CHECK(base.ends().empty());
        }
    });
}

TEST_CASE("after an evaluation the licence names the modules that go off without it, before it is given up") {
    each_kind([](Evaluated& base) {
        CHECK(base.license()["without_license"].dump() == R"({"modules":[],"at":null})");
        REQUIRE(base.evaluate().status == 200);
        base.modules.on.insert("webhooks");
        base.run("UPDATE svc_license SET status = 'active', plan_tier = 'growth'");
        CHECK(base.license()["without_license"]["modules"] == json::Value::array({"webhooks"}));
        CHECK(base.license()["without_license"]["at"].text() == base.license()["evaluation"]["ends_at"].text());
        base.wait(day * 31);
        CHECK(base.ends().empty());  // the licence keeps them on
        CHECK(base.license()["without_license"]["at"].text() == base.clock.at.text());
        base.run("UPDATE svc_license SET status = 'inactive'");
        CHECK(base.ends() == base.clock.at.text());  // as it said
    });
}

TEST_CASE("on a base that cannot end modules no evaluation begins") {
    Evaluated base(Database::sqlite(), false);
    CHECK_FALSE(base.license()["evaluation"]["can_begin"].boolean());
    CHECK(base.evaluate().code() == "no_evaluation");
    CHECK(base.number("SELECT COUNT(*) FROM svc_evaluation") == 0);
}
