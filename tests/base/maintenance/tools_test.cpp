// The operator's tools: the log, the clockwork, jobs, status.
#include <doctest/doctest.h>

#include "shared/core/log.hpp"
#include "tests/support/before_start.hpp"
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
        CHECK(base.get("/tools/logs", admin).body["meta"]["per_page"].integer() == 50);
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

TEST_CASE("system status returns versions, the database and the doctor's checks, and no path") {
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

namespace {

// All that a visitor is shown of trips, by each way of asking.
std::vector<std::string> shown(TestBase& base, std::int64_t trip) {
    const std::string id = std::to_string(trip);
    std::vector<std::string> answers;
    for (const std::string& target :
         {std::string("/trips/public"), std::string("/trips/public?per_page=1&page=2"),
          std::string("/trips/public?search=nile"), std::string("/trips/public?orderby=price&order=asc"),
          "/trips/public?from=" + base.day(0) + "&to=" + base.day(60), "/trips/public/" + id,
          "/trips/" + id + "/available-dates", "/trips/" + id + "/available-dates?to_date=" + base.day(40),
          std::string("/settings/public")}) {
        for (int twice = 0; twice < 2; ++twice) {
            const auto is = base.get(target);
            CAPTURE(target);
            CHECK(is.status < 500);
            answers.push_back(std::to_string(is.status) + is.body["data"].dump());
        }
    }
    return answers;
}

const json::Value* cache_named(const json::Value& stats, std::string_view name) {
    for (const auto& each : stats["caches"].items())
        if (each["name"].text() == name)
            return &each;
    return nullptr;
}

}  // namespace

TEST_CASE("answers are the same without caches, also after what they show has changed, and nobody may keep them") {
    each_tools([](TestBase& base) {
        const auto& owner = base.user("owner");
        const auto trip = base.given_trip();
        base.given_trip("Highlands by rail");
        base.given_departure(trip);
        base.given_departure(trip, 20, 2);
        const auto both = [&] {
            REQUIRE(base.call("PUT", "/cache/enable", {}, owner).status == 200);
            const auto with = shown(base, trip);
            CHECK(base.get("/trips/public").header("Cache-Control").find("no-store") == std::string::npos);
            REQUIRE(base.call("PUT", "/cache/disable", {}, owner).status == 200);
            const auto without = shown(base, trip);
            CHECK(with == without);
            const auto bare = base.get("/trips/public");
            CHECK(bare.header("Cache-Control").find("no-store") != std::string::npos);
            const auto stats = base.get("/cache/stats", owner).data();
            CHECK_FALSE(stats["cache_effective"].boolean());
            for (const char* name : {"listings", "bodies", "dates"})
                CHECK(cache_named(stats, name)->find("entries")->integer() == 0);
            return with;
        };
        const auto before = both();
        base.given_booking(trip, 20);
        CHECK(base.call("PUT", "/trips/" + std::to_string(trip), R"({"title":"Nile by night"})", owner).status == 200);
        CHECK(both() != before);
        const auto status = base.get("/cache/status", owner).data();
        CHECK_FALSE(status["effective_status"].boolean());
        CHECK_FALSE(status["reason_disabled"].text().empty());
        CHECK(base.call("POST", "/cache/toggle", R"({"enabled":true})", owner).data()["cache_enabled"].boolean());
    });
}

TEST_CASE(
    "lists, bodies and dates in memory are counted, viewed, and cleared by item, pattern and group; listeners hear") {
    std::vector<std::string> heard;
    const BeforeStart listen([&](app::Assembly& assembly) {
        const auto listens = assembly.hooks.on("svc_clear_cache", {.name = "test"}, [&](const json::Array& told) {
            heard.push_back(told.at(0).text() + "|" + told.at(1).dump());
        });
        REQUIRE(listens);
    });
    each_tools([&](TestBase& base) {
        heard.clear();
        const auto& owner = base.user("owner");
        const auto trip = base.given_trip();
        base.given_departure(trip);
        const std::string dates = "/trips/" + std::to_string(trip) + "/available-dates";
        for (int i = 0; i < 3; ++i)
            for (const std::string& target :
                 {std::string("/trips/public"), std::string("/trips/public?search=nile"), dates})
                REQUIRE(base.get(target).status == 200);
        const auto stats = base.get("/cache/stats", owner).data();
        CHECK((*cache_named(stats, "listings"))["entries"].integer() >= 2);
        CHECK((*cache_named(stats, "listings"))["hits"].integer() >= 2);
        CHECK((*cache_named(stats, "listings"))["size"].integer() > 0);
        CHECK((*cache_named(stats, "dates"))["entries"].integer() == 1);
        CHECK((*cache_named(stats, "pages"))["can_disable"].boolean());
        CHECK(stats["cache_hits"].integer() + stats["cache_misses"].integer() == stats["total_operations"].integer());
        const auto view = base.get("/cache/view?search=dates:&per_page=100", owner).data();
        REQUIRE(view["cache_data"].size() == 1);
        const std::string key = view["cache_data"][std::size_t{0}]["key"].text();
        CHECK(key == "dates:" + std::to_string(trip));

        const auto clear = [&](const std::string& what) { return base.call("DELETE", "/cache/" + what, {}, owner); };
        CHECK(clear("clear-item?key=dates:999").data()["cleared"].integer() == 0);
        const auto item = clear("clear-item?type=store&key=" + key).data();
        CHECK(item["cleared"].integer() == 1);
        CHECK(item["type"].text() == "store");
        CHECK(clear("clear-item?key=" + key).data()["cleared"].integer() == 0);
        std::int64_t listings = 0;  // an answer is not kept while the catalogue is read anew behind it
        for (int tries = 0; listings < 2 && tries < 100; ++tries) {
            base.get("/trips/public");
            base.get("/trips/public?search=nile");
            listings = clear("clear-pattern?pattern=listings:").data()["cleared"].integer();
        }
        CHECK(listings >= 2);
        CHECK(clear("clear-pattern?pattern=li").field() == "pattern");
        std::int64_t cleared = 0;
        for (int tries = 0; cleared == 0 && tries < 100; ++tries) {
            base.get("/trips/public");
            cleared = clear("clear-group?group=listings").data()["cleared"].integer();
        }
        CHECK(cleared >= 1);
        CHECK(clear("clear-group?group=none").field() == "group");
        CHECK(clear("clear-all").status == 200);
        CHECK(base.call("DELETE", "/tools/clear-cache", {}, base.user("administrator")).data()["cleared"].boolean());
        CHECK(base.call("POST", "/cache/warm", {}, owner).data()["warmed_patterns"].size() == 3);
        CHECK(base.get(dates).status == 200);
        REQUIRE(base.assembly->hooks.drain());
        CHECK(std::find(heard.begin(), heard.end(), "availability|\"" + key + "\"") != heard.end());
        CHECK(std::find(heard.begin(), heard.end(), "listings|null") != heard.end());
        CHECK(std::find(heard.begin(), heard.end(), "|null") != heard.end());
    });
}

TEST_CASE("the file of a job that is not over is not there yet, and that is told by its own code") {
    each_tools([](TestBase& base) {
        const auto& admin = base.user("administrator");
        const auto begun = base.call("POST", "/tools/export", R"({"data_types":["trips"]})", admin);
        REQUIRE(begun.status == 202);
        const std::string job = "/tools/jobs/" + begun.data()["job_id"].text();
        const auto early = base.get(job + "/download", admin);
        CHECK(early.status == 409);
        CHECK(early.code() == "job_not_ready");
        base.assembly->jobs.prepare();
        REQUIRE(base.assembly->jobs.run_now("tasks"));
        CHECK(base.get(job, admin).data()["status"].text() == "completed");
        CHECK(base.get(job + "/download", admin).status == 200);
    });
}
