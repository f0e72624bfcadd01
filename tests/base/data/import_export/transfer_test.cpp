// Exports and imports: what comes out goes in again as it was, once, with every fault told, and can be taken back.
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>

#include <doctest/doctest.h>

#include "base/data/import_export/parts.hpp"
#include "base/platform/archives/archives.hpp"
#include "tests/support/form.hpp"
#include "tests/support/random.hpp"
#include "tests/support/test_base.hpp"

using namespace svc;
using namespace svc::tests;
using json::Value;

namespace {

std::string file_text(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

Value finished(TestBase& base, const Answered& started) {
    CAPTURE(started.text);
    REQUIRE(started.status == 202);
    base.assembly->jobs.prepare();
    base.assembly->jobs.run_due();
    const auto job = base.get("/tools/jobs/" + started.data()["job_id"].text(), base.user("administrator"));
    CAPTURE(job.text);
    REQUIRE(job.status == 200);
    return job.data();
}

Answered start_export(TestBase& base, const char* types = R"(["all"])") {
    return base.call("POST", "/tools/export", std::string(R"({"data_types":)") + types + "}",
                     base.user("administrator"));
}

std::string exported(TestBase& base, const char* types = R"(["all"])") {
    const Value job = finished(base, start_export(base, types));
    REQUIRE(job["status"].text() == "completed");
    CHECK(job["progress"].integer() == 100);
    const auto file = base.get("/tools/jobs/" + job["id"].text() + "/download", base.user("administrator"));
    REQUIRE(file.status == 200);
    CHECK(file.header("Content-Type") == "application/zip");
    return file.text;
}

Answered start_import(TestBase& base, const std::string& bytes, const std::string& mode = "skip", bool dry = false,
                      const std::string& types = "") {
    Form form;
    form.file("export.zip", bytes).field("mode", mode).field("dry_run", dry ? "true" : "false");
    if (!types.empty())
        form.field("data_types", types);
    return base.call("POST", "/tools/import", form.whole(),
                     base.user("administrator").with("Content-Type", "multipart/form-data; boundary=edge"));
}

// The files of an archive, by name.
std::map<std::string, std::string> files_in(const std::string& zip) {
    const TempDir folder;
    std::ofstream(folder.file("a.zip"), std::ios::binary) << zip;
    std::filesystem::create_directory(folder.file("out"));
    const auto names =
        archives::unpack(folder.file("a.zip"), folder.file("out"), [](std::string_view) { return true; });
    REQUIRE(names);
    std::map<std::string, std::string> files;
    for (const auto& name : *names)
        files[name] = file_text(folder.file("out/" + name));
    return files;
}

std::string zipped(const std::map<std::string, std::string>& files) {
    const TempDir folder;
    std::vector<archives::Member> members;
    int count = 0;
    for (const auto& [name, text] : files) {
        const auto path = folder.file("f" + std::to_string(++count));
        std::ofstream(path, std::ios::binary) << text;
        members.push_back({name, path});
    }
    REQUIRE(archives::pack(folder.file("a.zip"), members));
    return file_text(folder.file("a.zip"));
}

// Each installation begins with some classifications of its own, which are there already: their times are its own.
std::string without_times(const std::string& name, const std::string& lines) {
    static const std::regex times(R"("(created|updated)_at":\d+)");
    return name == "classifications.jsonl" ? std::regex_replace(lines, times, "") : lines;
}

constexpr const char* good_manifest = R"({"format":"svc-export","schema":1,"version":"3.0.0"})";

// A row of each kind that the samples have none of.
void fill_rare(TestBase& base) {
    const auto& admin = base.user("administrator");
    const auto trip = base.number("SELECT MIN(id) FROM svc_trips WHERE status = 'publish'");
    const auto place = base.call("POST", "/destinations", R"({"name":"Above","status":"publish"})", admin).data()["id"];
    base.post("/destinations", Value::object({{"name", "Below"}, {"status", "publish"}, {"parent_id", place}}), admin);
    base.post("/reviews",
              Value::object({{"trip_id", trip},
                             {"rating", 4},
                             {"content", "A fine journey."},
                             {"author_name", "Ada"},
                             {"author_email", "ada@example.org"},
                             {"status", "approved"}}),
              admin);
    base.call("PUT", "/trips/" + std::to_string(trip), R"({"trip_story":"It began with a map."})", admin);
    const char* const category = "(SELECT MIN(id) FROM svc_classifications WHERE type = 'traveler_type')";
    const std::string statements[] = {
        "INSERT INTO svc_trip_gallery (trip_id, kind, url, alt_text, caption, thumbnail_url, is_featured, sort_order)"
        " SELECT MIN(id), 'video', 'https://example.org/v', '', '', '', 0, 99 FROM svc_trips",
        "INSERT INTO svc_trip_time_slots (trip_id, departure_time) SELECT MIN(id), '05:55' FROM svc_trips",
        std::string(
            "INSERT INTO svc_trip_price_types (trip_id, category_id, regular_price_minor, is_default, sort_order)"
            " SELECT MAX(id), ") +
            category + ", 100, 0, 99 FROM svc_trips WHERE id > 0 ON CONFLICT DO NOTHING",
        "INSERT INTO svc_trip_seasons (trip_id, first_day, last_day, regular_price_minor, seats, note) SELECT MIN(id),"
        " '2031-07-01', '2031-08-31', 100, 5, 'dear' FROM svc_trips",
        std::string(
            "INSERT INTO svc_trip_season_prices (trip_id, first_day, category_id, regular_price_minor) SELECT MIN(id),"
            " '2031-07-01', ") +
            category + ", 100 FROM svc_trips",
        std::string(
            "INSERT INTO svc_departure_prices (departure_id, category_id, regular_price_minor) SELECT MIN(id), ") +
            category + ", 100 FROM svc_departures",
        "INSERT INTO svc_availability_rule_slots (rule_id, departure_time) SELECT MIN(id), '05:55' FROM"
        " svc_availability_rules",
        "INSERT INTO svc_availability_rule_weekdays (rule_id, weekday) SELECT MIN(id), 0 FROM svc_availability_rules"
        " WHERE id > 0 ON CONFLICT DO NOTHING",
        std::string(
            "INSERT INTO svc_availability_rule_prices (rule_id, slot_id, category_id, regular_price_minor) SELECT"
            " MIN(rule_id), MIN(id), ") +
            category + ", 100 FROM svc_availability_rule_slots",
        "INSERT INTO svc_discount_ranges (discount_id, least, rate_ppm) SELECT MIN(id), 2, 1000 FROM svc_discounts",
        "INSERT INTO svc_discount_trips (discount_id, trip_id) SELECT MIN(d.id), MIN(t.id) FROM svc_discounts d, "
        "svc_trips t",
        "INSERT INTO svc_waitlist (booking_id, departure_id, seats, joined_at, ended_at, outcome) SELECT "
        "MIN(booking_id),"
        " MIN(departure_id), 1, 1, 2, 'left' FROM svc_booking_departures",
        "INSERT INTO svc_discount_redemptions (discount_id, booking_id, customer_id, email_lower, is_coupon, "
        "amount_minor,"
        " currency, status, created_at, updated_at) SELECT (SELECT MIN(id) FROM svc_discounts), id, customer_id,"
        " 'ada@example.org', 1, 5, currency, 'released', 1, 1 FROM svc_bookings WHERE id = (SELECT MIN(id) FROM"
        " svc_bookings)",
        "INSERT INTO svc_refunds (payment_id, booking_id, gateway, call_key, amount_minor, currency, status, source, "
        "ask_at,"
        " created_at, updated_at) SELECT id, booking_id, 'other', 'key', 1, currency, 'failed', 'admin', 0, 1, 1 FROM"
        " svc_payments WHERE id = (SELECT MIN(id) FROM svc_payments)",
        "INSERT INTO svc_booking_changes (booking_id, kind, fields, actor_kind, actor_id, through, at) SELECT MIN(id),"
        " 'note', '[]', 'system', NULL, 'system', 5 FROM svc_bookings",
        "INSERT INTO svc_enquiry_messages (enquiry_id, direction, body, created_at) SELECT MIN(id), 'in', 'And a "
        "dog?', 5"
        " FROM svc_enquiries"};
    REQUIRE(base.assembly->store->write([&](store::Transaction& tx) -> Result<void> {
        for (const std::string& statement : statements)
            tx.run(statement, {});
        return {};
    }));
}

void fill(TestBase& base, test::Random& random) {
    REQUIRE(base.call("POST", "/sample-data/import", "{}", base.user("administrator")).status == 200);
    for (auto count = random.between(1, 5); count > 0; --count) {
        base.post("/enquiries", Value::object({{"customer_name", "Zoë Müller"},
                                               {"customer_email", "zoe" + std::to_string(count) + "@example.org"},
                                               {"message", "Is there a cabin\nfor \"three\"? 日本語"}}));
        base.post(
            "/discounts",
            Value::object(
                {{"code", "RND" + std::to_string(random.between(1, 1'000'000))}, {"amount", 5}, {"status", "publish"}}),
            base.user("administrator"));
    }
    base.call("PUT", "/settings", R"({"company_name":"Ours & others"})", base.user("administrator"));
    fill_rare(base);
    base.assembly->hooks.drain();
}

}  // namespace

TEST_CASE("an export of every kind that is imported into an empty installation is exported again as the same records") {
    test::Random random;
    CAPTURE(random.seed);
    each_database([&](Database& database) {
        CAPTURE(database.name());
        std::string first;
        {
            TestBase base(database);
            fill(base, random);
            first = exported(base);
        }
        const auto target = Database::sqlite();  // from either database
        TestBase base(*target);
        const Value job = finished(base, start_import(base, first));
        CAPTURE(job.dump());
        CHECK(job["status"].text() == "completed");
        CHECK(job["error_count"].integer() == 0);
        CHECK(base.number("SELECT COUNT(*) FROM svc_email_outbox") == 0);
        CHECK(base.number("SELECT COUNT(*) FROM svc_domain_events WHERE name LIKE '%booking%' OR name LIKE '%trip%'") ==
              0);
        auto before = files_in(first), after = files_in(exported(base));
        before.erase("manifest.json");
        after.erase("manifest.json");
        before.erase("settings.jsonl");  // their times are those of writing
        CHECK(after["settings.jsonl"].find("Ours & others") != std::string::npos);
        after.erase("settings.jsonl");
        CHECK(before.size() == after.size());
        CHECK(before.size() == import_export::base_tables().parts.size() - 1);
        for (const auto& [name, text] : before) {
            CAPTURE(name);
            CHECK_FALSE(text.empty());
            CHECK(without_times(name, after[name]) == without_times(name, text));
        }
        // An imported date is on sale.
        CHECK(base.get("/trips/public").header("X-Host-Total") == "12");
        const auto trip = base.get("/trips/public").data()[std::size_t{0}]["id"].dump();
        CHECK(base.get("/trips/" + trip + "/available-dates").data().size() > 0);
    });
}

TEST_CASE("records that are here already are skipped or updated, and either run is undone") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        TestBase base(database);
        const auto trip = base.given_trip("Nile cruise");
        base.given_departure(trip);
        base.given_booking(trip);
        base.assembly->hooks.drain();
        const auto zip = exported(base, R"(["trips","trip_content","customers","bookings"])");
        auto before = base.row_counts();
        const Value again = finished(base, start_import(base, zip));
        CHECK(again["error_count"].integer() == 0);
        CHECK(again["import_stats"]["bookings"]["skipped"].integer() == 1);
        auto after = base.row_counts();
        for (const auto& [table, rows] : before)
            if (table.starts_with("svc_trip") || table.starts_with("svc_booking") || table == "svc_customers") {
                CAPTURE(table);
                CHECK((after[table] == rows || table.ends_with("_due") || table.ends_with("_changes")));
            }
        CHECK(finished(base, start_import(base, zip, "create"))["error_count"].integer() >= 3);

        const auto title = [&] { return base.get("/trips/public/nile-cruise").data()["title"].text(); };
        REQUIRE(base.call("PUT", "/trips/" + std::to_string(trip), R"({"title":"Nile by sail"})",
                          base.user("administrator"))
                    .status == 200);
        const Value updated = finished(base, start_import(base, zip, "update", false, "trips"));
        CHECK(updated["import_stats"]["trips"]["updated"].integer() == 1);
        CHECK(title() == "Nile cruise");
        const auto undone = finished(
            base, base.call("POST", "/tools/jobs/" + updated["id"].text() + "/undo", {}, base.user("administrator")));
        CHECK(undone["status"].text() == "completed");
        CHECK(title() == "Nile by sail");
    });
}

TEST_CASE("an import is undone whole, but for what something newer refers to") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        std::string zip;
        {
            const auto source = Database::sqlite();
            TestBase base(*source);
            const auto trip = base.given_trip("Nile cruise");
            base.given_trip("Highlands by rail");
            base.given_departure(trip);
            base.given_booking(trip);
            zip = exported(base);
        }
        TestBase base(database);
        const auto& admin = base.user("administrator");
        const Value job = finished(base, start_import(base, zip, "skip", false, "classifications,trips,trip_content"));
        CHECK(job["error_count"].integer() == 0);
        CHECK(base.number("SELECT COUNT(*) FROM svc_trips") == 2);
        const auto kept = base.get("/trips/public/nile-cruise").data()["id"].integer();
        base.given_departure(kept);
        const Value undone = finished(base, base.call("POST", "/tools/jobs/" + job["id"].text() + "/undo", {}, admin));
        CHECK(undone["import_stats"]["kept"].integer() == 1);
        CHECK(base.number("SELECT COUNT(*) FROM svc_trips") == 1);
        CHECK(base.get("/trips/public").header("X-Host-Total") == "1");
        CHECK(base.call("POST", "/tools/jobs/" + undone["id"].text() + "/undo", {}, admin).status == 409);
    });
}

TEST_CASE("a row of an archive that the database rejects within a step leaves the others, and undoing removes those") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        TestBase base(database);
        std::string lines;
        for (int i = 1; i <= 700; ++i) {
            const std::string email = "c" + std::to_string(i) + "@example.org";
            lines += R"({"id":)" + std::to_string(i) + R"(,"email":")" + email + R"(","email_lower":")" + email +
                     R"(","status":")" + (i == 250 ? "odd" : "active") + R"(","created_at":1,"updated_at":1})" + "\n";
        }
        base.run(
            "INSERT INTO svc_customers (email, email_lower, created_at, updated_at) VALUES ('c7@example.org',"
            " 'c7@example.org', 5, 5)");
        const Value job =
            finished(base, start_import(base, zipped({{"manifest.json", good_manifest}, {"customers.jsonl", lines}})));
        CAPTURE(job.dump());
        CHECK(job["error_count"].integer() == 1);
        CHECK(job["import_stats"]["customers"]["created"].integer() == 698);
        CHECK(job["import_stats"]["customers"]["skipped"].integer() == 1);
        CHECK(base.number("SELECT COUNT(*) FROM svc_customers") == 699);
        const Value undone = finished(
            base, base.call("POST", "/tools/jobs/" + job["id"].text() + "/undo", {}, base.user("administrator")));
        CHECK(undone["import_stats"]["undone"].integer() == 698);
        CHECK(base.number("SELECT COUNT(*) FROM svc_customers") == 1);
        CHECK(base.number("SELECT COUNT(*) FROM svc_customers WHERE email = 'c7@example.org' AND created_at = 5") == 1);
    });
}

TEST_CASE("a dry run stores nothing and writes the faults, row by row, to a file") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        TestBase base(database);
        const auto& admin = base.user("administrator");
        const auto zip = zipped(
            {{"manifest.json", good_manifest},
             {"customers.jsonl",
              R"({"id":1,"email":"a@example.org","email_lower":"a@example.org","created_at":1,"updated_at":1})"
              "\nnot json\n"
              R"({"id":"x","email":"b@example.org"})"
              "\n"
              R"x({"id":3,"email":"=cmd()","email_lower":"c@example.org","status":"odd","created_at":1,"updated_at":1})x"
              "\n"}});
        const Value dry = finished(base, start_import(base, zip, "skip", true));
        CAPTURE(dry.dump());
        CHECK(dry["status"].text() == "completed");
        CHECK(dry["error_count"].integer() == 3);
        CHECK(dry["import_stats"]["customers"]["created"].integer() == 1);
        CHECK(base.number("SELECT COUNT(*) FROM svc_customers") == 0);
        const auto errors = base.get("/tools/jobs/" + dry["id"].text() + "/download?file=errors", admin);
        CHECK(errors.header("Content-Type") == "text/csv; charset=utf-8");
        CHECK(errors.text.find("\"customers\",2,") != std::string::npos);
        CHECK(errors.text.find("\"customers\",3,") != std::string::npos);
        CHECK(errors.text.find("\"customers\",4,") != std::string::npos);
        const Value real = finished(base, start_import(base, zip));
        CHECK(real["error_count"].integer() == 3);
        CHECK(base.number("SELECT COUNT(*) FROM svc_customers") == 1);
        // A plain JSON body holds the same rows.
        const auto plain = base.call(
            "POST", "/tools/import",
            R"({"import_data":{"customers":[{"id":9,"email":"z@example.org","email_lower":"z@example.org","created_at":1,"updated_at":1}]}})",
            admin);
        CHECK(finished(base, plain)["import_stats"]["customers"]["created"].integer() == 1);
        CHECK(base.number("SELECT COUNT(*) FROM svc_customers") == 2);
    });
}

TEST_CASE("archives that are bombs, lead outside, come from a newer release or are none are rejected") {
    const auto database = Database::sqlite();
    TestBase base(*database);
    const auto fails = [&](const std::string& bytes, const char* help) {
        const Value job = finished(base, start_import(base, bytes));
        CAPTURE(job.dump());
        CHECK(job["status"].text() == "failed");
        CHECK(job["error"].text().find(help) != std::string::npos);
    };
    fails(zipped({{"manifest.json", good_manifest}, {"../../etc/passwd", "x"}}), "not of an export");
    fails(zipped({{"manifest.json", good_manifest}, {"/tmp/x.jsonl", "x"}}), "not of an export");
    fails(
        zipped({{"manifest.json", R"({"format":"svc-export","schema":99,"version":"9.0.0"})"}, {"trips.jsonl", "{}"}}),
        "newer release (9.0.0)");
    fails(zipped({{"trips.jsonl", "{}"}}), "no manifest");
    fails(zipped({{"manifest.json", R"({"format":"svc-everything"})"}, {"svc_users.jsonl", "{}"}}),
          "command line alone");
    fails(zipped({{"manifest.json", good_manifest}, {"trips.jsonl", std::string(20 << 20, ' ')}}),
          "more than is allowed");
    fails("PK\x03\x04 and no more", "no zip archive");
    CHECK(start_import(base, "name,email\nAda,a@example.org\n").field() == "data_types");
    CHECK(start_import(base, "").status == 400);
    CHECK(base.call("POST", "/tools/export", R"({"data_types":["users"]})", base.user("administrator")).status == 400);
    CHECK(start_import(base, "{}", "other").field() == "mode");
}

TEST_CASE("a table of customers is mapped, checked by the rules of staff's input, updated by address, and undone") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        TestBase base(database);
        const auto& admin = base.user("administrator");
        // As a spreadsheet program of the west writes it: Windows-1252, semicolons, a quoted line break.
        const std::string table =
            "Vorname;Nachname;E-Mail;Ort\r\nJ\xFCrgen;M\xFCller;juergen@example.org;\"K\xF6ln\nS\xFC\x64\"\r\n"
            "Ada;;not an address;London\r\n=cmd;x;ada@example.org;\r\n";
        const auto mapping = base.call("POST", "/tools/import/mapping",
                                       R"({"data_type":"customers","columns":["Vorname","email","Ort"]})", admin);
        REQUIRE(mapping.status == 200);
        CHECK(mapping.data()["mapping"]["email"].text() == "email");
        CHECK(mapping.data()["mapping"]["Vorname"].text() == "first_name");
        const auto start = [&](const std::string& bytes, const char* mode, bool dry, const char* map) {
            Form form;
            form.file("table.csv", bytes)
                .field("mode", mode)
                .field("data_types", "customers")
                .field("dry_run", dry ? "1" : "0");
            if (*map != 0)
                form.field("mapping", map);
            return finished(base, base.call("POST", "/tools/import", form.whole(),
                                            admin.with("Content-Type", "multipart/form-data; boundary=edge")));
        };
        const char* const map = R"({"Vorname":"first_name","Nachname":"last_name","E-Mail":"email","Ort":"city"})";
        const Value dry = start(table, "skip", true, map);
        CAPTURE(dry.dump());
        CHECK(dry["error_count"].integer() == 1);
        CHECK(dry["import_stats"]["customers"]["created"].integer() == 2);
        CHECK(base.number("SELECT COUNT(*) FROM svc_customers") == 0);
        const auto errors = base.get("/tools/jobs/" + dry["id"].text() + "/download?file=errors", admin);
        CHECK(errors.text.find("not an address") != std::string::npos);
        // The mapping is remembered.
        const Value done = start(table, "skip", false, "");
        CHECK(done["import_stats"]["customers"]["created"].integer() == 2);
        CHECK(base.number("SELECT COUNT(*) FROM svc_domain_events WHERE name LIKE '%customer%'") == 0);
        const auto juergen = base.get("/customers?search=jurgen", admin);
        CHECK(juergen.data()[std::size_t{0}]["last_name"].text() == "M\xC3\xBCller");
        const Value updated = start("email,city\njuergen@example.org,Bonn\n", "update", false, "");
        CHECK(updated["import_stats"]["customers"]["updated"].integer() == 1);
        CHECK(base.number("SELECT COUNT(*) FROM svc_customers WHERE city = 'Bonn'") == 1);
        finished(base, base.call("POST", "/tools/jobs/" + updated["id"].text() + "/undo", {}, admin));
        CHECK(base.number("SELECT COUNT(*) FROM svc_customers WHERE city = 'Bonn'") == 0);
        finished(base, base.call("POST", "/tools/jobs/" + done["id"].text() + "/undo", {}, admin));
        CHECK(base.number("SELECT COUNT(*) FROM svc_customers") == 0);
        // Trips, and dates of them.
        const auto as = [&](const char* kind, const std::string& bytes) {
            return finished(base, start_import(base, bytes, "skip", false, kind));
        };
        const Value trips =
            as("trips",
               "title,slug,regular_price,duration,status\nNile cruise,nile-cruise,100,7,publish\n,none,1,1,publish\n");
        CAPTURE(trips.dump());
        CHECK(trips["import_stats"]["trips"]["created"].integer() == 1);
        CHECK(trips["error_count"].integer() == 1);
        const Value dates = as("departures", "trip_slug\tdate\tseats\nnile-cruise\t" + base.day(30) + "\t12\n");
        CAPTURE(dates.dump());
        CHECK(dates["import_stats"]["departures"]["created"].integer() == 1);
        CHECK(base.get("/trips/public/nile-cruise").data()["regular_price"].number_text() == "100.00");
    });
}

TEST_CASE("a job is cancelled before its next step, and its rows and files go when it is deleted") {
    const auto database = Database::sqlite();
    TestBase base(*database);
    const auto& admin = base.user("administrator");
    base.given_trip();
    const auto started = start_export(base);
    const auto path = "/tools/jobs/" + started.data()["job_id"].text();
    CHECK(base.get(path + "/download", admin).status == 409);
    CHECK(base.get("/tools/jobs?active=true", admin).header("X-Host-Total") == "1");
    CHECK(base.call("DELETE", path, {}, admin).data()["cancelled"].boolean());
    CHECK(finished(base, started)["status"].text() == "cancelled");
    CHECK(base.get("/tools/jobs?active=true", admin).header("X-Host-Total") == "0");
    const auto done = finished(base, start_export(base));
    const auto gone = base.call("DELETE", "/tools/jobs/" + done["id"].text(), {}, admin);
    CHECK(gone.data()["file_deleted"].boolean());
    CHECK(base.get("/tools/jobs/" + done["id"].text(), admin).status == 404);
    CHECK(base.get("/tools/jobs", base.user("owner")).status == 403);
}

TEST_CASE("an archive that was damaged anywhere is rejected, or holds what it held") {
    test::Random random;
    CAPTURE(random.seed);
    std::string lines;
    for (int i = 0; i < 400; ++i)
        lines +=
            R"({"id":)" + std::to_string(i) + R"(,"name":")" + std::to_string(random.between(0, 1'000'000)) + "\"}\n";
    const std::string zip = zipped({{"manifest.json", good_manifest}, {"trips.jsonl", lines}});
    int rejected = 0;
    for (int round = 0; round < 600; ++round) {
        std::string bytes = zip;
        const auto at = static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(bytes.size()) - 1));
        bytes[at] = static_cast<char>(bytes[at] ^ (1 << random.between(0, 7)));
        if (random.between(0, 9) == 0)
            bytes.resize(at);
        const TempDir folder;
        std::ofstream(folder.file("a.zip"), std::ios::binary) << bytes;
        std::filesystem::create_directory(folder.file("out"));
        const auto names = archives::unpack(folder.file("a.zip"), folder.file("out"), [](std::string_view name) {
            return name == "manifest.json" || name == "trips.jsonl";
        });
        rejected += names ? 0 : 1;
        for (const auto& name : names ? *names : std::vector<std::string>{})
            CHECK(file_text(folder.file("out/" + name)) == (name == "trips.jsonl" ? lines : good_manifest));
    }
    CHECK(rejected > 300);
}
