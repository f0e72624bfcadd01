// Files of lists: whole, for whoever may see the list, and of what a table can hold as an import takes it.
#include "base/data/import_export/list_files.hpp"

#include <algorithm>
#include <set>

#include <doctest/doctest.h>

#include "tests/support/importing.hpp"
#include "tests/support/sheet.hpp"

using namespace svc;
using namespace svc::tests;
using json::Value;

TEST_CASE("every list of staff is saved whole in both formats, for whoever may see the list") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        TestBase base(database);
        const auto trip = base.given_trip();
        base.given_departure(trip, 30, 20);
        base.given_booking(trip, 30);
        int files = 0;
        for (const auto& list : base.routes()) {
            if (list->method != api::Method::get || !list->is_list || list->who.is_public() ||
                list->who.capabilities().empty() || !list->files.empty() || list->path.find('{') != std::string::npos)
                continue;
            CAPTURE(list->path);
            ++files;
            const auto needed = list->query.find("trip_id") && list->query.find("trip_id")->required
                                    ? "?trip_id=" + std::to_string(trip)
                                    : std::string("?");
            const auto shown = base.get(list->path + needed, base.user("owner"));
            const auto csv = base.get(list->path + "/export" + needed, base.user("owner"));
            CHECK(csv.status == shown.status);
            if (shown.status != 200)
                continue;
            CHECK(csv.header("Content-Type") == "text/csv; charset=utf-8");
            CHECK(csv.header("Content-Disposition").find(".csv") != std::string::npos);
            const Sheet sheet = sheet_in(csv.text);
            CHECK(sheet.rows.size() == static_cast<std::size_t>(shown.body["meta"]["total"].integer()));
            CHECK(sheet.head.size() > 2);
            const auto xlsx = base.get(list->path + "/export" + needed + "&format=xlsx", base.user("owner"));
            CHECK(xlsx.text.starts_with("PK"));
            // The same door.
            CHECK(base.get(list->path + "/export" + needed).status == 401);
            for (const char* role : {"guide", "accountant", "marketing", "sales_agent"})
                CHECK((base.get(list->path + "/export" + needed, base.user(role)).status == 403) ==
                      (base.get(list->path + needed, base.user(role)).status == 403));
        }
        CHECK(files > 15);
    });
}

TEST_CASE("a file of a list has the rows of all its pages, by its filters and in its order, each once") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        TestBase base(database);
        const auto& owner = base.user("owner");
        std::string table = "email,first_name,city\n";
        for (int i = 0; i < 2'345; ++i)
            table += "c" + std::to_string(i) + "@example.org,Ada," + (i % 5 == 0 ? "Ulm" : "Bonn") + "\n";
        job_of(base, {.bytes = table, .kind = "customers"});
        const Sheet all = saved(base, "/customers/export", owner);
        CHECK(all.rows.size() == 2'345);
        std::set<std::string> ids;
        for (const csv::Row& row : all.rows)
            ids.insert(row[all.at("id")]);
        CHECK(ids.size() == 2'345);
        const Sheet some = saved(base, "/customers/export?search=c1234", owner);
        REQUIRE(some.rows.size() == 1);
        CHECK(some.cell(0, "email") == "c1234@example.org");
        const Sheet sorted = saved(base, "/customers/export?orderby=id&order=asc", owner);
        CHECK(sorted.cell(0, "email") == "c0@example.org");
        CHECK(base.get("/customers/export?orderby=weather", owner).field() == "orderby");
        CHECK(base.get("/customers/export?format=pdf", owner).field() == "format");
        // Health data is for those who may change the customer.
        base.run("UPDATE svc_customers SET city = '=1+1'");
        const std::string text = bytes_of(base.get("/customers/export?search=c1234", owner));
        CHECK(text.find("\"'=1+1\"") != std::string::npos);
        const Sheet of_accountant = saved(base, "/customers/export?search=c1234", base.user("accountant"));
        CHECK(std::find(of_accountant.head.begin(), of_accountant.head.end(), "medical_conditions") ==
              of_accountant.head.end());
    });
}

TEST_CASE("files of customers, trips and departures go back in unchanged, and one edited cell changes that alone") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        TestBase base(database);
        const auto& owner = base.user("owner");
        REQUIRE(base.call("PUT", "/settings", R"({"timezone":"Europe/Berlin"})", base.user("administrator")).status ==
                200);
        const auto trip = base.given_trip("Nile \"cruise\"; upriver");
        base.call("PUT", "/trips/" + std::to_string(trip),
                  R"({"regular_price":1299.5,"description":"<p>One</p>\n<p>Two, three</p>","starting_latitude":47.125,)"
                  R"("short_description":"=1+1","allow_free":true,"scheduled_unpublish_at":"2027-05-04T10:11:12Z"})",
                  owner);
        base.given_departure(trip, 30, 20);
        base.given_booking(trip, 30);
        const auto made = base.post("/customers",
                                    Value::object({{"email", "ada@example.org"},
                                                   {"first_name", "Ada"},
                                                   {"last_name", "O'Neill, \"A\""},
                                                   {"phone", "+44 20 7946 0000"},
                                                   {"date_of_birth", "1990-12-10"},
                                                   {"notes", "line one\nline two"},
                                                   {"newsletter_optin", true}}),
                                    owner);
        CAPTURE(made.text);
        base.call("PUT", "/customers/" + std::to_string(base.number("SELECT MAX(id) FROM svc_customers")),
                  R"({"notes":"line one\nline two","phone":"+44 20 7946 0000"})", owner);
        struct Of {
            const char *kind, *list, *column, *cell, *changed;
        };
        for (const Of& of :
             {Of{"customers", "/customers", "city", "Rome", "SELECT COUNT(*) FROM svc_customers WHERE city = 'Rome'"},
              {"trips", "/trips", "duration", "9", "SELECT COUNT(*) FROM svc_trips WHERE duration_days = 9"},
              {"departures", "/departures", "price", "77.50",
               "SELECT COUNT(*) FROM svc_departures WHERE regular_price_minor = 7750"}}) {
            CAPTURE(of.kind);
            Sheet sheet = saved(base, std::string(of.list) + "/export", owner);
            REQUIRE_FALSE(sheet.rows.empty());
            const auto before = base.get(of.list, owner).body["data"].dump();
            const Value same = job_of(base, {.bytes = bytes_of(base.get(std::string(of.list) + "/export", owner)),
                                             .kind = of.kind,
                                             .mode = "update"});
            CAPTURE(same.dump());
            CHECK(count_of(same, "skipped") == static_cast<std::int64_t>(sheet.rows.size()));
            CHECK(count_of(same, "updated") == 0);
            CHECK(same["error_count"].integer() == 0);
            CHECK(base.get(of.list, owner).body["data"].dump() == before);
            sheet.rows[0][sheet.at(of.column)] = of.cell;
            const Value edited = job_of(base, {.bytes = sheet.text(), .kind = of.kind, .mode = "update"});
            CAPTURE(edited.dump());
            CHECK(count_of(edited, "updated") == 1);
            CHECK(count_of(edited, "skipped") == static_cast<std::int64_t>(sheet.rows.size()) - 1);
            CHECK(base.number(of.changed) == 1);
            CHECK(saved(base, std::string(of.list) + "/export", owner).cell(0, of.column) == of.cell);
        }
        // Days of a departure that somebody has booked are no matter of a table.
        Sheet booked = saved(base, "/departures/export", owner);
        booked.rows[0][booked.at("end_date")] = base.day(35);
        const Value refused = job_of(base, {.bytes = booked.text(), .kind = "departures", .mode = "update"});
        CHECK(count_of(refused, "failed") == 1);
        CHECK(refused["failures"][std::size_t{0}]["problem"].text().find("has bookings") != std::string::npos);
    });
}

TEST_CASE(
    "contact and notes of bookings go back in by reference, while money, status and seats are ignored and counted") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        TestBase base(database);
        const auto& owner = base.user("owner");
        const auto trip = base.given_trip();
        base.given_departure(trip, 30, 20);
        const auto first = base.given_booking(trip, 30, "Lovelace"), second = base.given_booking(trip, 30, "Hopper");
        base.assembly->hooks.drain();
        const auto events = base.number("SELECT COUNT(*) FROM svc_domain_events"),
                   mails = base.number("SELECT COUNT(*) FROM svc_email_outbox");
        Sheet sheet = saved(base, "/bookings/export?orderby=created_at&order=asc", owner);
        REQUIRE(sheet.rows.size() == 2);
        const auto before = base.get("/bookings", owner).body["data"].dump();
        const Value same = job_of(base, {.bytes = sheet.text(), .kind = "bookings", .mode = "update"});
        CAPTURE(same.dump());
        CHECK(count_of(same, "skipped") == 2);
        CHECK(same["error_count"].integer() == 0);
        CHECK(same["file"]["ignored"]["status"].integer() == 2);
        CHECK(same["file"]["ignored"].size() > 5);
        CHECK(base.get("/bookings", owner).body["data"].dump() == before);
        const std::size_t row = sheet.cell(0, "reference") == first.reference ? 0 : 1;
        sheet.rows[row][sheet.at("contact_last_name")] = "King";
        sheet.rows[row][sheet.at("internal_notes")] = "=likes windows\nand \"aisles\"";
        sheet.rows[row][sheet.at("status")] = "cancelled";
        const Value edited = job_of(base, {.bytes = sheet.text(), .kind = "bookings", .mode = "update"});
        CAPTURE(edited.dump());
        CHECK(count_of(edited, "updated") == 1);
        CHECK(count_of(edited, "skipped") == 1);
        const auto now = base.get("/bookings/" + std::to_string(first.id), owner).data();
        CHECK(now["contact"]["last_name"].text() == "King");
        CHECK(now["internal_notes"].text() == "=likes windows\nand \"aisles\"");
        CHECK(now["status"].text() != "cancelled");
        base.assembly->hooks.drain();
        CHECK(base.number("SELECT COUNT(*) FROM svc_domain_events") == events);
        CHECK(base.number("SELECT COUNT(*) FROM svc_email_outbox") == mails);
        // Undone it is as it was, what happened to it meanwhile stays.
        base.run(("UPDATE svc_bookings SET total_minor = 4242 WHERE id = " + std::to_string(first.id)).c_str());
        base.leaves_what_holds = false;
        REQUIRE(
            base.call("POST", "/tools/jobs/" + edited["id"].text() + "/undo", {}, base.user("administrator")).status ==
            202);
        base.assembly->jobs.run_due();
        CHECK(
            base.number(("SELECT COUNT(*) FROM svc_bookings WHERE contact_last_name = 'Lovelace' AND total_minor = 4242"
                         " AND internal_notes = '' AND id = " +
                         std::to_string(first.id))
                            .c_str()) == 1);
        const Value unknown = job_of(
            base, {.bytes = "Buchungsnummer,Nachname\nSVC-NOTHERE1,King\n", .kind = "bookings", .mode = "update"});
        CHECK(count_of(unknown, "failed") == 1);
        CHECK(base.number("SELECT COUNT(*) FROM svc_bookings") == 2);
    });
}

TEST_CASE("what belongs to a skipped record is skipped with it, down to the last child") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        TestBase base(database);
        const auto& admin = base.user("administrator");
        const auto trip = base.given_trip("Nile cruise");
        REQUIRE(base.call("PUT", "/trips/" + std::to_string(trip),
                          R"({"itinerary_days":[{"day_number":1,"title":"Boat","entries":[{"title":"Swim"}]}]})", admin)
                    .status == 200);
        const auto begun =
            base.post("/tools/export", Value::object({{"data_types", Value::array({"trips", "trip_content"})}}), admin);
        REQUIRE(begun.status == 202);
        base.assembly->jobs.prepare();
        base.assembly->jobs.run_due();
        const auto archive = base.get("/tools/jobs/" + begun.data()["job_id"].text() + "/download", admin);
        REQUIRE(archive.status == 200);
        for (const bool dry : {true, false}) {
            Form form;
            form.file("export.zip", archive.text).field("mode", "skip").field("dry_run", dry ? "1" : "0");
            const auto started = posted_form(base, "/tools/import", form, admin);
            REQUIRE(started.status == 202);
            base.assembly->jobs.prepare();
            base.assembly->jobs.run_due();
            const Value job = base.get("/tools/jobs/" + started.data()["job_id"].text(), admin).data();
            CAPTURE(job.dump());
            CHECK(job["error_count"].integer() == 0);
            for (const auto& [kind, counts] : job["import_stats"].members())
                CHECK(counts["skipped"].integer() == counts["total"].integer());
        }
    });
}
