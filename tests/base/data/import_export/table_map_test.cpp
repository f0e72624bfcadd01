// Tables that a listener adds to exports and imports, or takes out of them.
#include <fstream>

#include <doctest/doctest.h>

#include "base/platform/archives/archives.hpp"
#include "base/platform/store/migrate.hpp"
#include "tests/support/before_start.hpp"
#include "tests/support/each_on.hpp"
#include "tests/support/form.hpp"
#include "tests/support/test_base.hpp"

using namespace svc;
using namespace svc::tests;
using json::Value;

namespace {

constexpr store::Step gear_tables{
    "0001_gear.sql",
    "CREATE TABLE acme_gear (id {{id}}, trip_id BIGINT, code TEXT NOT NULL, secret TEXT);\n"
    "CREATE TABLE acme_gear_parts (id {{id}}, gear_id BIGINT NOT NULL, title TEXT NOT NULL);\n"};

Value finished(TestBase& base, const Answered& started) {
    CAPTURE(started.text);
    REQUIRE(started.status == 202);
    base.assembly->jobs.prepare();
    base.assembly->jobs.run_due();
    return base.get("/tools/jobs/" + started.data()["job_id"].text(), base.user("administrator")).data();
}

Answered start_export(TestBase& base, const std::string& kind) {
    return base.post("/tools/export", Value::object({{"data_types", Value(json::Array{kind})}}),
                     base.user("administrator"));
}

// The file of that name in an export of a kind; nothing: it is not there.
std::optional<std::string> exported(TestBase& base, const std::string& kind, const std::string& file,
                                    std::string* archive = nullptr) {
    const Value job = finished(base, start_export(base, kind));
    REQUIRE(job["status"].text() == "completed");
    const auto zip = base.get("/tools/jobs/" + job["id"].text() + "/download", base.user("administrator"));
    REQUIRE(zip.status == 200);
    if (archive)
        *archive = zip.text;
    const TempDir folder;
    std::ofstream(folder.file("a.zip"), std::ios::binary) << zip.text;
    REQUIRE(archives::unpack(folder.file("a.zip"), folder.path(), [](std::string_view) { return true; }));
    std::ifstream read(folder.file(file), std::ios::binary);
    return read ? std::optional(std::string(std::istreambuf_iterator<char>(read), {})) : std::nullopt;
}

// A base whose listener changes the map by `change`, which a test sets.
struct Mapped {
    explicit Mapped(Database& database) : base(database) {}
    std::function<void(Value& map)> change;
    const BeforeStart listening{[this](app::Assembly& parts) {
        REQUIRE(parts.hooks.filter("svc_export_import_table_map", {.name = "test"},
                                   [this](store::Transaction*, const json::Array& given) {
                                       Value map = given[0];
                                       if (change)
                                           change(map);
                                       return map;
                                   }));
    }};
    TestBase base;
};

Value table(const char* text) { return json::parse(text).value(); }

}  // namespace

TEST_CASE("the tables of a kind that a listener adds are exported, imported with new ids and undone") {
    each_on<Mapped>([](Mapped& mapped) {
        TestBase& base = mapped.base;
        for (const std::string& statement : store::statements_of(gear_tables, base.assembly->store->dialect()))
            base.run(statement.c_str());
        const std::string trip = std::to_string(base.given_trip());
        base.run(("INSERT INTO acme_gear (trip_id, code, secret) VALUES (" + trip + ", 'ROPE', 'hidden')").c_str());
        base.run("INSERT INTO acme_gear_parts (gear_id, title) SELECT id, 'Hook' FROM acme_gear");
        CHECK(start_export(base, "gear").field() == "data_types");
        mapped.change = [](Value& map) {
            CHECK(map["trips"] == Value(json::Array{"trips"}));
            map.set("gear", table(R"([{"name":"gear","table":"acme_gear","key":["code"],
                                       "references":{"trip_id":"svc_trips"},"left_out":["secret"]},
                                      {"name":"gear_parts","table":"acme_gear_parts",
                                       "references":{"gear_id":"acme_gear"},"parent":"gear_id"},
                                      {"name":"people","table":"svc_users"},
                                      {"name":"nothing","table":"acme_nothing"},
                                      {"name":"trips","table":"acme_gear"},
                                      {"name":"bad","table":"acme_gear; DROP TABLE svc_trips"}])"));
        };
        std::string archive;
        const auto rows = exported(base, "gear", "gear.jsonl", &archive);
        REQUIRE(rows);
        CHECK(rows->find("\"code\":\"ROPE\"") != std::string::npos);
        CHECK(rows->find("hidden") == std::string::npos);
        CHECK(rows->find("\"_keys\":{\"trip_id\":{\"slug\":\"nile-cruise\"}}") != std::string::npos);
        CHECK(exported(base, "all", "gear_parts.jsonl"));
        CHECK_FALSE(exported(base, "gear", "people.jsonl"));
        CHECK_FALSE(exported(base, "gear", "nothing.jsonl"));

        base.run("DELETE FROM acme_gear_parts");
        base.run("UPDATE acme_gear SET code = 'AXE'");  // its id is taken: the imported record gets another
        Form form;
        form.file("export.zip", archive).field("data_types", "gear");
        const Value job = finished(
            base, base.call("POST", "/tools/import", form.whole(),
                            base.user("administrator").with("Content-Type", "multipart/form-data; boundary=edge")));
        CAPTURE(job.dump());
        CHECK(job["error_count"].integer() == 0);
        CHECK(base.number(("SELECT COUNT(*) FROM acme_gear g JOIN acme_gear_parts p ON p.gear_id = g.id WHERE g.code ="
                           " 'ROPE' AND p.title = 'Hook' AND g.trip_id = " +
                           trip)
                              .c_str()) == 1);
        CHECK(base.number("SELECT COUNT(*) FROM acme_gear") == 2);

        finished(base, base.call("POST", "/tools/jobs/" + job["id"].text() + "/undo", {}, base.user("administrator")));
        CHECK(base.number("SELECT COUNT(*) FROM acme_gear_parts") == 0);
        CHECK(base.number("SELECT COUNT(*) FROM acme_gear WHERE code = 'AXE'") == 1);
        CHECK(base.number("SELECT COUNT(*) FROM acme_gear") == 1);
        base.run("DROP TABLE acme_gear");
        base.run("DROP TABLE acme_gear_parts");
    });
}

TEST_CASE("a table that a listener takes out of its kind stays behind") {
    each_on<Mapped>([](Mapped& mapped) {
        TestBase& base = mapped.base;
        base.given_trip();
        CHECK(exported(base, "trip_content", "trip_revisions.jsonl"));
        mapped.change = [](Value& map) {
            map.set("trip_content", table(R"(["trip_faqs"])"));
            map.erase("settings");
        };
        CHECK_FALSE(exported(base, "trip_content", "trip_revisions.jsonl"));
        CHECK(exported(base, "trip_content", "trip_faqs.jsonl"));
        CHECK_FALSE(exported(base, "all", "settings.jsonl"));
        CHECK(exported(base, "all", "trips.jsonl"));
        CHECK(start_export(base, "settings").field() == "data_types");
    });
}
