// Tables of other programs: however they are written, by the rules of staff's input, each fault told, within bounds.
#include "base/platform/csv/csv.hpp"

#include <filesystem>
#include <fstream>
#include <map>

#include <doctest/doctest.h>

#include "shared/store/read_rows.hpp"
#include "tests/support/form.hpp"
#include "tests/support/test_base.hpp"

using namespace svc;
using namespace svc::tests;
using json::Value;

namespace {

struct Table {
    std::string bytes, kind, mode = "skip";
    bool dry = false;
    std::string mapping = {};
};

Value imported(TestBase& base, const Table& table) {
    Form form;
    form.file("table.csv", table.bytes)
        .field("mode", table.mode)
        .field("data_types", table.kind)
        .field("dry_run", table.dry ? "1" : "0");
    if (!table.mapping.empty())
        form.field("mapping", table.mapping);
    const auto started =
        base.call("POST", "/tools/import", form.whole(),
                  base.user("administrator").with("Content-Type", "multipart/form-data; boundary=edge"));
    CAPTURE(started.text);
    REQUIRE(started.status == 202);
    base.assembly->jobs.prepare();
    base.assembly->jobs.run_due();
    return base.get("/tools/jobs/" + started.data()["job_id"].text(), base.user("administrator")).data();
}

std::string errors_of(TestBase& base, const Value& job) {
    return base.get("/tools/jobs/" + job["id"].text() + "/download?file=errors", base.user("administrator")).text;
}

Value undone(TestBase& base, const Value& job) {
    const auto& admin = base.user("administrator");
    const auto started = base.call("POST", "/tools/jobs/" + job["id"].text() + "/undo", {}, admin);
    REQUIRE(started.status == 202);
    base.assembly->jobs.run_due();
    return base.get("/tools/jobs/" + started.data()["job_id"].text(), admin).data();
}

std::vector<csv::Row> rows_in(const std::string& bytes, const csv::Bounds& bounds = {},
                              Result<void>* outcome = nullptr) {
    const TempDir folder;
    std::ofstream(folder.file("t.csv"), std::ios::binary) << bytes;
    std::vector<csv::Row> rows;
    auto read = csv::read(
        folder.file("t.csv"),
        [&](std::size_t, const csv::Row& row) -> Result<void> {
            rows.push_back(row);
            return {};
        },
        bounds);
    if (outcome)
        *outcome = read;
    else
        REQUIRE(read);
    return rows;
}

std::string utf16(const std::u16string& text, bool little) {
    std::string bytes = little ? "\xFF\xFE" : "\xFE\xFF";
    for (const char16_t c : text) {
        const char high = static_cast<char>(c >> 8), low = static_cast<char>(c & 0xFF);
        bytes += little ? low : high;
        bytes += little ? high : low;
    }
    return bytes;
}

}  // namespace

TEST_CASE("a table in any encoding and with any separator is read as the same text") {
    const std::vector<csv::Row> expected{{"name", "place"}, {"J\xC3\xBCrgen", "K\xC3\xB6ln; S\xC3\xBC\x64"}};
    CHECK(rows_in("name,place\nJ\xC3\xBCrgen,K\xC3\xB6ln; S\xC3\xBC\x64\n") == expected);
    CHECK(rows_in("\xEF\xBB\xBFname\tplace\r\nJ\xC3\xBCrgen\tK\xC3\xB6ln; S\xC3\xBC\x64") == expected);
    CHECK(rows_in("name;place\r\nJ\xFCrgen;\"K\xF6ln; S\xFC\x64\"\r\n") == expected);
    CHECK(rows_in("name|place\nJ\xFCrgen|K\xF6ln; S\xFC\x64\n") == expected);
    for (const bool little : {true, false})
        CHECK(rows_in(utf16(u"name,place\r\nJ\u00FCrgen,\"K\u00F6ln; S\u00FCd\"\r\n", little)) == expected);
    // Enough text to tell: Windows-1251, which is Cyrillic.
    const std::string cyrillic =
        "\xE8\xEC\xFF;\xE3\xEE\xF0\xEE\xE4\n\xCF\xE5\xF2\xF0;\xCC\xEE\xF1\xEA\xE2\xE0 \xE8 \xE4\xF0\xF3\xE3\xE8\xE5 "
        "\xE3\xEE\xF0\xEE\xE4\xE0, \xE2 \xEA\xEE\xF2\xEE\xF0\xFB\xF5 \xEC\xFB \xE1\xFB\xEB\xE8\n";
    CHECK(rows_in(cyrillic)[1][0] == "\xD0\x9F\xD0\xB5\xD1\x82\xD1\x80");
    // A character that stands across two pieces of the file.
    std::string long_text = "a,b\n";
    for (int i = 0; i < 40'000; ++i)
        long_text += "\xC3\xA4\xE2\x82\xAC,x\n";
    const auto rows = rows_in(long_text);
    REQUIRE(rows.size() == 40'001);
    CHECK(rows.back() == csv::Row{"\xC3\xA4\xE2\x82\xAC", "x"});
}

TEST_CASE("a row has the number that a spreadsheet program shows, whatever ends the lines") {
    for (const std::string end : {"\n", "\r\n", "\r"}) {
        CAPTURE(end == "\r" ? 1 : end.size());
        const TempDir folder;
        std::ofstream(folder.file("t.csv"), std::ios::binary)
            << "name" << end << "A" << end << end << "\"B" << end << "b\"" << end << "C" << end << end << end << "D";
        std::vector<std::size_t> numbers;
        REQUIRE(csv::read(folder.file("t.csv"), [&](std::size_t number, const csv::Row&) -> Result<void> {
            numbers.push_back(number);
            return {};
        }));
        CHECK(numbers == std::vector<std::size_t>{1, 2, 4, 5, 8});
    }
    CHECK(rows_in("a\r\nb\r\nc\r\n", {.rows = 3}).size() == 3);  // a bound counts rows, not line ends
}

TEST_CASE("two columns for one field and a column for an unknown field are rejected before a row is stored") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        TestBase base(database);
        const std::string table = "email,first_name,Mobil,Telefon\nada@example.org,Ada,1,2\n";
        const auto error_of = [&](const char* mapping) {
            const Value job = imported(base, {.bytes = table, .kind = "customers", .mapping = mapping});
            CHECK(job["status"].text() == "failed");
            CHECK(base.number("SELECT COUNT(*) FROM svc_customers") == 0);
            return job["error"].text();
        };
        CHECK(error_of(R"({"email":"email","first_name":"first_name","Mobil":"phone","Telefon":"phone"})")
                  .find("'Mobil' and 'Telefon' are both mapped to 'phone'") != std::string::npos);
        CHECK(error_of(R"({"email":"email","first_name":"shoe_size"})")
                  .find("'shoe_size', which is no field of customers") != std::string::npos);
        // A column that staff left out stays out the next time, and the first of two names of one field is taken.
        imported(base, {.bytes = table,
                        .kind = "customers",
                        .mapping = R"({"email":"email","first_name":"first_name","Mobil":"phone","Telefon":null})"});
        imported(base, {.bytes = "email,first_name,Telefon,city\nbob@example.org,Bob,3,Ulm\n", .kind = "customers"});
        CHECK(base.number("SELECT COUNT(*) FROM svc_customers WHERE phone = '1'") == 1);
        CHECK(base.number("SELECT COUNT(*) FROM svc_customers WHERE phone = '' AND city = 'Ulm'") == 1);
        const auto mapping =
            base.call("POST", "/tools/import/mapping",
                      R"({"data_type":"departures","columns":["date","departure_date"]})", base.user("administrator"));
        CHECK(mapping.data()["mapping"].dump() == R"({"date":"start_date","departure_date":null})");
    });
}

TEST_CASE(
    "amounts with a comma and dates with points are read as the spreadsheet program of their country wrote them") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        TestBase base(database);
        const std::string day = base.day(30);
        const std::string with_points =
            std::to_string(std::stoi(day.substr(8))) + "." + day.substr(5, 2) + "." + day.substr(0, 4);
        const Value trips =
            imported(base, {"title;slug;regular_price;duration\r\nHarz;harz;499,00;5\r\n"
                            "R\xFCgen;ruegen;1.299,5;7\r\nAlps;alps;12,34,5;7\r\nNile;nile;1.2,50;7\r\n",
                            "trips"});
        CHECK(trips["import_stats"]["trips"]["created"].integer() == 2);
        CHECK(base.number("SELECT regular_price_minor FROM svc_trips WHERE slug = 'harz'") == 49900);
        CHECK(base.number("SELECT regular_price_minor FROM svc_trips WHERE slug = 'ruegen'") == 129950);
        const std::string errors = errors_of(base, trips);
        for (const char* line : {"\n4,", "\n5,"})
            CHECK(errors.find(line) != std::string::npos);
        const Value dates =
            imported(base, {"trip;date;seats\r\nharz;" + with_points + ";12\r\nharz;3.14.26;12\r\n", "departures"});
        CHECK(dates["import_stats"]["departures"]["created"].integer() == 1);
        CHECK(dates["error_count"].integer() == 1);
        CHECK(base.number(("SELECT COUNT(*) FROM svc_departures WHERE start_date = '" + day + "'").c_str()) == 1);
        // A table whose first column begins like the name of an archive is a table.
        CHECK(imported(base, {"PKW,email,first_name\nx,ada@example.org,Ada\n", "customers"})["status"].text() ==
              "completed");
    });
}

TEST_CASE("broken encodings become replacement characters, and no row is lost") {
    const auto rows = rows_in("\xEF\xBB\xBFname,place\nA\xC3,B\nC,D\xFF\xFE\n");
    REQUIRE(rows.size() == 3);
    CHECK(rows[1] == csv::Row{"A\xEF\xBF\xBD", "B"});
    CHECK(rows[2][0] == "C");
    CHECK(rows_in("\xFF\xFE"
                  "a")
              .size() <= 1);  // half a character
}

TEST_CASE("a table beyond its bounds in bytes, rows, columns or a cell is rejected without being read whole") {
    Result<void> outcome;
    const auto help = [&](const std::string& bytes, const csv::Bounds& bounds) {
        const auto rows = rows_in(bytes, bounds, &outcome);
        CHECK(rows.size() <= 2);
        REQUIRE_FALSE(outcome);
        return outcome.error().fields().front().sentence.english();
    };
    CHECK(help(std::string(3 << 20, 'x'), {.bytes = 2 << 20}).find("larger than 2 MiB") != std::string::npos);
    CHECK(help("a\nb\nc\nd\n", {.rows = 2}).find("too many rows") != std::string::npos);
    CHECK(help("a,b,c,d\n", {.columns = 3}).find("too many columns") != std::string::npos);
    CHECK(help("a\n" + std::string(1000, 'y') + "\n", {.cell = 100}).find("too long a cell") != std::string::npos);
    CHECK(help("a\n\"" + std::string(1 << 20, 'z'), {.cell = 100}).find("quotation mark") != std::string::npos);
    CHECK(help(std::string(1'000'000, ','), {}).find("too many columns") != std::string::npos);
}

TEST_CASE("rows of a table are created, updated, skipped or rejected by their natural key") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        TestBase base(database);
        const auto count = [&](const Value& job, const char* kind, const char* what) {
            CAPTURE(job.dump());
            return job["import_stats"][kind][what].integer();
        };
        struct Of {
            const char *kind, *first, *changed, *read, *value;
        };
        const std::string day = base.day(30);
        const std::string dates[] = {
            "trip_slug,date,time,seats\nnile," + day + ",09:00,10\nnile," + day + ",15:00,10\n",
            "trip_slug,date,time,seats\nnile," + day + ",09:00,12\n"};
        const Of all[] = {
            {"customers", "email,first_name,city\nADA@example.org,Ada,Bonn\nbob@example.org,Bob,Ulm\n",
             "email,city\nada@example.org,Rome\n", "SELECT COUNT(*) FROM svc_customers WHERE city = 'Rome'", "email"},
            {"trips", "title,slug,regular_price,duration\nNile,nile,100,7\nAlps,alps,50,3\n",
             "title,slug,regular_price,duration\nNile by sail,nile,100,7\n",
             "SELECT COUNT(*) FROM svc_trips WHERE title = 'Nile by sail'", "slug"},
            {"departures", dates[0].c_str(), dates[1].c_str(),
             "SELECT COUNT(*) FROM svc_departures WHERE capacity = 12", "date (start_date)"}};
        for (const Of& of : all) {
            CAPTURE(of.kind);
            CHECK(count(imported(base, {of.first, of.kind}), of.kind, "created") == 2);
            CHECK(count(imported(base, {of.first, of.kind}), of.kind, "skipped") == 2);
            CHECK(base.number(of.read) == 0);
            CHECK(count(imported(base, {of.changed, of.kind, "update"}), of.kind, "updated") == 1);
            CHECK(base.number(of.read) == 1);
            const Value rejected = imported(base, {of.changed, of.kind, "create"});
            CHECK(count(rejected, of.kind, "failed") == 1);
            CHECK(errors_of(base, rejected).find(std::string(of.value) + ": There is such a record already.") !=
                  std::string::npos);
        }
    });
}

TEST_CASE("a key that is twice in one table is one record, and the second row is reported") {
    const auto database = Database::sqlite();
    TestBase base(*database);
    const std::string table = "email,first_name,city\nada@example.org,Ada,Bonn\nAda@Example.org,Ada,Ulm\n";
    const Value job = imported(base, {table, "customers", "create"});
    CHECK(job["import_stats"]["customers"]["created"].integer() == 1);
    CHECK(job["error_count"].integer() == 1);
    CHECK(errors_of(base, job).find("\n3,") != std::string::npos);
    CHECK(base.number("SELECT COUNT(*) FROM svc_customers WHERE city = 'Bonn'") == 1);
}

TEST_CASE("a table sends no mail and fires no event, whatever it holds") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        TestBase base(database);
        base.user("administrator");
        base.assembly->hooks.drain();
        const auto mails = base.number("SELECT COUNT(*) FROM svc_email_outbox"),
                   events = base.number("SELECT COUNT(*) FROM svc_domain_events");
        imported(base, {"title,slug,regular_price,duration,status\nNile,nile,100,7,publish\n", "trips"});
        imported(base, {"email,first_name,city\nada@example.org,Ada,Bonn\n", "customers"});
        imported(base, {"trip_slug,date\nnile," + base.day(30) + "\n", "departures"});
        base.assembly->hooks.drain();
        CHECK(base.number("SELECT COUNT(*) FROM svc_trips") == 1);
        CHECK(base.number("SELECT COUNT(*) FROM svc_departures") == 1);
        CHECK(base.number("SELECT COUNT(*) FROM svc_email_outbox") == mails);
        CHECK(base.number("SELECT COUNT(*) FROM svc_domain_events") == events);
    });
}

TEST_CASE("formulas in a table are text, and none reaches a spreadsheet program by the file of errors") {
    const auto database = Database::sqlite();
    TestBase base(*database);
    CHECK(csv::cell("=1+1") == "\"'=1+1\"");
    CHECK(csv::cell("plain \"x\"") == "\"plain \"\"x\"\"\"");
    for (const char* evil : {"=cmd|'/c calc'!A1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"})
        CHECK(csv::cell(evil).starts_with("\"'"));
    const Value job = imported(base, {"email,first_name\nada@example.org,=1+1\n=2+2,x\n", "customers"});
    CHECK(base.number("SELECT COUNT(*) FROM svc_customers WHERE first_name = '=1+1'") == 1);
    const std::string errors = errors_of(base, job);
    CHECK(errors.find("=2+2") != std::string::npos);
    CHECK(errors.starts_with("\xEF\xBB\xBFline,"));   // or a spreadsheet program shows other characters for umlauts
    CHECK(errors.find(",\"=") == std::string::npos);  // no cell begins so
}

TEST_CASE("an undone import of a table leaves what was there before, row by row") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        TestBase base(database);
        const auto& admin = base.user("administrator");
        imported(base, {"email,first_name,city\nada@example.org,Ada,Bonn\n", "customers"});
        const Value job = imported(base, {"email,first_name,city\nada@example.org,Ada,Rome\nbob@example.org,Bob,Ulm\n",
                                          "customers", "update"});
        CHECK(base.number("SELECT COUNT(*) FROM svc_customers") == 2);
        const auto started = base.call("POST", "/tools/jobs/" + job["id"].text() + "/undo", {}, admin);
        REQUIRE(started.status == 202);
        base.assembly->jobs.run_due();
        CHECK(base.number("SELECT COUNT(*) FROM svc_customers") == 1);
        CHECK(base.number("SELECT COUNT(*) FROM svc_customers WHERE city = 'Bonn'") == 1);
        CHECK(base.call("POST", "/tools/jobs/" + started.data()["job_id"].text() + "/undo", {}, admin).status == 409);
    });
}

TEST_CASE("two updates of one record in a run are undone to what was there before the run") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        TestBase base(database);
        imported(base, {"email,first_name,city\nada@example.org,Ada,Bonn\n", "customers"});
        std::string table = "email,city\n";
        for (int i = 0; i < 12; ++i)  // lines 2 to 13, whose order as texts is another
            table += "ada@example.org,Place " + std::to_string(i) + "\n";
        const Value job = imported(base, {table, "customers", "update"});
        CHECK(job["import_stats"]["customers"]["updated"].integer() == 12);
        CHECK(base.number("SELECT COUNT(*) FROM svc_customers WHERE city = 'Place 11'") == 1);
        undone(base, job);
        CHECK(base.number("SELECT COUNT(*) FROM svc_customers WHERE city = 'Bonn'") == 1);
    });
}

TEST_CASE("rows that fail within a step leave the others, and undoing the run removes exactly those that it stored") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        TestBase base(database);
        const auto all = [&] {
            std::vector<std::string> rows;
            base.assembly->store->read([&](store::Session& session) {
                store::each_row(
                    session, "SELECT id, email, first_name, city FROM svc_customers ORDER BY id", {},
                    [&](std::int64_t id, const std::string& email, const std::string& name, const std::string& city) {
                        rows.push_back(std::to_string(id) + " " + email + " " + name + " " + city);
                    });
            });
            return rows;
        };
        imported(base, {"email,first_name,city\nold1@example.org,Old,Bonn\nold2@example.org,Old,Ulm\n", "customers"});
        const auto before = all();
        // Two steps of 500 rows: one is rejected by its rules, one by its key, which takes the step back and runs it
        // again.
        std::string table = "email,first_name,city\n";
        for (int i = 0; i < 700; ++i)
            table += (i == 100   ? std::string("no address")
                      : i == 250 ? std::string("c10@example.org")
                      : i == 251 ? std::string("old2@example.org")
                                 : "c" + std::to_string(i) + "@example.org") +
                     ",New,Rome\n";
        const Value job = imported(base, {table, "customers", "create"});
        CAPTURE(job.dump());
        CHECK(job["status"].text() == "completed");
        CHECK(job["import_stats"]["customers"]["created"].integer() == 697);
        CHECK(job["error_count"].integer() == 3);
        const std::string errors = errors_of(base, job);
        for (const char* line : {"\n102,", "\n252,", "\n253,"})
            CHECK(errors.find(line) != std::string::npos);
        CHECK(all().size() == 699);
        imported(base, {"email,first_name,city\nlater@example.org,Later,Kiel\n", "customers"});
        const Value back = undone(base, job);
        CHECK(back["import_stats"]["undone"].integer() == 697);
        CHECK(back["import_stats"]["kept"].integer() == 0);
        auto after = all();
        REQUIRE(after.size() == before.size() + 1);
        CHECK(after.back().find("later@example.org Later Kiel") != std::string::npos);
        after.pop_back();
        CHECK(after == before);
    });
}

TEST_CASE("an error file that cannot be written ends the import at its row, with the reason") {
    const auto database = Database::sqlite();
    TestBase base(*database);
    std::string table = "email,first_name,city\n";
    for (int i = 0; i < 1'100; ++i)
        table += (i == 900 ? std::string("nobody") : "c" + std::to_string(i) + "@example.org") + ",Ada,Bonn\n";
    Form form;
    form.file("table.csv", table).field("data_types", "customers");
    const auto started =
        base.call("POST", "/tools/import", form.whole(),
                  base.user("administrator").with("Content-Type", "multipart/form-data; boundary=edge"));
    REQUIRE(started.status == 202);
    const std::string key = started.data()["job_id"].text();
    // Nothing can be written where the file would be, as on a full disk.
    std::filesystem::create_directory(base.assembly->maintenance.tasks.path_of(key + ".errors.csv"));
    base.assembly->jobs.prepare();
    base.assembly->jobs.run_due();
    const Value job = base.get("/tools/jobs/" + key, base.user("administrator")).data();
    CAPTURE(job.dump());
    CHECK(job["status"].text() == "failed");
    CHECK(job["error"].text().find("disk's free space") != std::string::npos);
    const auto stored = base.number("SELECT COUNT(*) FROM svc_customers");
    CHECK(stored == job["processed_records"].integer());
    CHECK(stored >= 500);
    CHECK(stored <= 900);
}
