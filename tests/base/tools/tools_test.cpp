// The operator's tools: the log, the clockwork, jobs, status.
#include <doctest/doctest.h>

#include "shared/core/log.hpp"
#include "tests/support/test_base.hpp"

using namespace svc;
using namespace svc::tests;

namespace {

void each_tools(const std::function<void(TestBase&)>& body) {
    each_database([&](Database& database) {
        CAPTURE(database.name());
        TestBase base(database);
        body(base);
    });
}

struct Quiet {  // log lines of tests belong in the list alone
    Quiet() { log::redirect(&text); }
    ~Quiet() { log::redirect(nullptr); }
    std::string text;
};

const json::Value* cron_job(const json::Value& data, std::string_view hook) {
    for (const auto& each : data["cron_jobs"].items())
        if (each["hook"].text() == hook)
            return &each;
    return nullptr;
}

}  // namespace

TEST_CASE("what the program logs is listed by type and level, searched and cleared, without secrets") {
    each_tools([](TestBase& base) {
        const Quiet quiet;
        const auto& admin = base.user("administrator");
        log::error("payment_in_review", {{"gateway", "paypal"}, {"cause", "amounts differ by Zürich"}});
        log::error("seat_ledger_mismatch", {{"departure_id", 7}, {"password", "hunter2hunter2"}});
        log::error("database_failed", {{"problem", "disk is full"}});
        const auto all = base.get("/tools/logs", admin);
        REQUIRE(all.status == 200);
        CHECK(all.header("X-Host-Total") == "3");
        CHECK(all.data()[std::size_t{0}]["event"].text() == "database_failed");
        CHECK(all.data()[std::size_t{0}]["message"].text() == "database failed: disk is full");
        CHECK(all.text.find("hunter2") == std::string::npos);
        CHECK(base.get("/tools/logs?type=payment", admin).header("X-Host-Total") == "1");
        CHECK(base.get("/tools/logs?type=booking", admin).header("X-Host-Total") == "1");
        CHECK(base.get("/tools/logs?type=error", admin).header("X-Host-Total") == "3");
        CHECK(base.get("/tools/logs?level=warning", admin).header("X-Host-Total") == "0");
        CHECK(base.get("/tools/logs?search=zurich", admin).header("X-Host-Total") == "1");
        CHECK(base.get("/tools/logs?type=none", admin).status == 400);
        CHECK(base.call("DELETE", "/tools/logs", {}, admin).status == 400);
        CHECK(base.call("DELETE", "/tools/logs?type=payment", {}, admin).data()["cleared_count"].integer() == 1);
        CHECK(base.get("/tools/logs", admin).header("X-Host-Total") == "2");
        CHECK(base.get("/tools/logs", base.user("owner")).status == 403);
    });
}

TEST_CASE("the list of logs is bounded: the oldest lines leave, and housekeeping deletes by log_retention_days") {
    each_tools([](TestBase& base) {
        const Quiet quiet;
        const auto& admin = base.user("administrator");
        log::error("first", {});
        REQUIRE(base.get("/tools/logs", admin).header("X-Host-Total") == "1");
        // As if very many lines had come since.
        base.run("UPDATE svc_logs SET id = 1 WHERE event = 'first'");
        base.run(
            "INSERT INTO svc_logs (id, type, level, event, message, context, search, created_at)"
            " VALUES (200000, 'system', 'error', 'late', 'late', '{}', 'late', 1)");
        base.run(
            "INSERT INTO svc_logs (id, type, level, event, message, context, search, created_at)"
            " VALUES (150000, 'system', 'error', 'middle', 'middle', '{}', 'middle', 1)");
        if (base.assembly->store->dialect() == store::Dialect::postgresql)
            base.run("ALTER TABLE svc_logs ALTER COLUMN id RESTART WITH 200001");
        log::error("second", {});
        const auto left = base.get("/tools/logs?order=asc", admin);
        CHECK(left.text.find("\"first\"") == std::string::npos);
        CHECK(left.text.find("\"middle\"") != std::string::npos);
        base.assembly->jobs.prepare();
        REQUIRE(base.assembly->jobs.run_now("housekeeping"));
        CHECK(base.get("/tools/logs?search=middle", admin).header("X-Host-Total") == "0");
        CHECK(base.get("/tools/logs?search=second", admin).header("X-Host-Total") == "1");
    });
}

TEST_CASE("cron jobs are listed with their turns and run now with their counts; a made-up one is rejected") {
    each_tools([](TestBase& base) {
        const auto& admin = base.user("administrator");
        base.assembly->jobs.prepare();
        const auto before = base.get("/tools/cron-jobs", admin);
        REQUIRE(before.status == 200);
        const auto* expiry = cron_job(before.data(), "svc_booking_expiry");
        REQUIRE(expiry);
        CHECK((*expiry)["schedule_label"].text() == "Every hour");
        CHECK((*expiry)["interval"].integer() == 3600);
        CHECK((*expiry)["last_run"].is_null());
        CHECK(cron_job(before.data(), "svc_booking_reminder")->text_or("schedule_label") == "Daily at 08:00");
        const auto ran = base.call("POST", "/tools/cron-run", R"({"hook":"svc_booking_expiry"})", admin);
        CAPTURE(ran.text);
        CHECK(ran.status == 200);
        CHECK(ran.data()["result"].is_object());
        const auto after = base.get("/tools/cron-jobs", admin);
        CHECK(cron_job(after.data(), "svc_booking_expiry")->text_or("last_status") == "ok");
        CHECK(base.call("POST", "/tools/cron-run", R"({"hook":"svc_no_such"})", admin).field() == "hook");
        CHECK(base.call("POST", "/tools/cron-run", R"({"hook":"svc_booking_expiry"})", base.user("owner")).status ==
              403);
    });
}

TEST_CASE("system status tells versions, the database and the doctor's checks, and no path") {
    each_tools([](TestBase& base) {
        const auto is = base.get("/tools/system-status", base.user("administrator"));
        REQUIRE(is.status == 200);
        CHECK_FALSE(is.data()["service"]["version"].text().empty());
        CHECK_FALSE(is.data()["database"]["version"].text().empty());
        CHECK(is.data()["requirements"]["schema"]["status"].text() == "pass");
        CHECK(is.data()["requirements"]["key file"]["status"].text() == "pass");
        CHECK(is.text.find("/tmp/") == std::string::npos);
        CHECK(base.get("/tools/system-status", base.user("owner")).status == 403);
    });
}
