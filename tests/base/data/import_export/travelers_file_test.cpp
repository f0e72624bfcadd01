// Files of travelers: what travelers have answered goes back in by the booking's reference and the traveler's id.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <thread>

#include <doctest/doctest.h>

#include "tests/support/at_rest.hpp"
#include "tests/support/before_start.hpp"
#include "tests/support/each_on.hpp"
#include "tests/support/importing.hpp"
#include "tests/support/sheet.hpp"

using namespace svc;
using namespace svc::tests;
using json::Value;

namespace {

const char* const secret = "canary-P1234567";
const char* const other_secret = "canary-X7654321";

// Two bookings of two travelers each, of a trip whose form asks for papers.
struct Group {
    explicit Group(Database& of) : database(of), base(of), owner(base.user("owner")), trip(base.given_trip()) {
        ask(R"({"traveler_form":{"fields":[{"id":"date_of_birth","type":"date"},{"id":"passport_number","type":"text"},{"id":"vegan","type":"checkbox"},
            {"id":"shirt","type":"select","options":[{"value":"m","label":"M"},{"value":"l","label":"L"}]},
            {"id":"shoe","type":"number"},{"id":"diet_notes","type":"textarea"},{"id":"trip","type":"text"}]}})");
        base.given_departure(trip, 30, 20);
        first = book("Lovelace");
        second = book("Hopper");
    }
    void ask(const char* form) {
        REQUIRE(base.call("PUT", "/settings/booking-form", form, base.user("administrator")).status == 200);
    }
    GivenBooking book(const std::string& name) {
        const auto traveler = [&](const char* first_name) {
            return Value::object({{"first_name", first_name},
                                  {"last_name", name},
                                  {"date_of_birth", "1990-12-10"},
                                  {"gender", "female"},
                                  {"nationality", "British"},
                                  {"passport_number", secret},
                                  {"vegan", "yes"},
                                  {"shirt", "m"},
                                  {"shoe", "41.500"},
                                  {"diet_notes", "=no \"nuts\"\nno milk"},
                                  {"trip", "by train"}});
        };
        const auto made = base.book(trip, 30,
                                    Value::object({{"contact_last_name", name},
                                                   {"travelers_count", 2},
                                                   {"travelers", Value::array({traveler("Ada"), traveler("Bo")})}}),
                                    {});
        CAPTURE(made.text);
        REQUIRE(made.status == 201);
        return {made.data()["booking_id"].integer(), made.data()["reference"].text()};
    }
    Sheet file() { return saved(base, "/travelers?format=csv&orderby=id&order=asc", owner); }
    Value travelers(const GivenBooking& of) {
        return base.get("/bookings/" + std::to_string(of.id) + "/travellers", owner).data();
    }
    Value imported(const std::string& bytes, bool dry = false) {
        return job_of(base, {.bytes = bytes, .kind = "travelers", .mode = "update", .dry = dry});
    }
    Value undone(const Value& job) {
        const auto& admin = base.user("administrator");
        const auto started = base.call("POST", "/tools/jobs/" + job["id"].text() + "/undo", {}, admin);
        REQUIRE(started.status == 202);
        base.assembly->jobs.run_due();
        return base.get("/tools/jobs/" + started.data()["job_id"].text(), admin).data();
    }
    std::string errors_of(const Value& job) {
        return base.get("/tools/jobs/" + job["id"].text() + "/download?file=errors", base.user("administrator")).text;
    }
    std::string path_of(const GivenBooking& of) { return "/bookings/" + std::to_string(of.id); }

    Database& database;
    TestBase base;
    Visitor owner;
    std::int64_t trip;
    GivenBooking first, second;
};

const auto each_group = each_on<Group>;

// The files that are made of an upload, not the upload itself, which is deleted as soon as they are.
std::string texts_in(const std::filesystem::path& folder) {
    std::string all;
    std::error_code absent;
    for (const auto& each : std::filesystem::recursive_directory_iterator(folder, absent))
        if (std::ifstream file(each.path(), std::ios::binary);
            each.is_regular_file() && each.path().extension() != ".upload")
            all.append(std::istreambuf_iterator<char>(file), {});
    return all;
}

std::string problem_of(const Value& job, std::size_t at = 0) { return job["failures"][at]["problem"].text(); }

}  // namespace

TEST_CASE("a file of travelers goes back in unchanged, and one edited cell changes that answer alone") {
    each_group([](Group& group) {
        group.base.assembly->hooks.drain();
        const auto events = group.base.number("SELECT COUNT(*) FROM svc_domain_events"),
                   mails = group.base.number("SELECT COUNT(*) FROM svc_email_outbox");
        Sheet sheet = group.file();
        REQUIRE(sheet.rows.size() == 4);
        CHECK(sheet.cell(0, "trip") == "Nile cruise");
        CHECK(sheet.cell(0, "answer_trip") == "by train");  // a field may have the name of another column
        const Value before = group.travelers(group.first), of_second = group.travelers(group.second);
        const auto version = group.base.number("SELECT SUM(row_version) FROM svc_bookings");
        const Value same =
            group.imported(bytes_of(group.base.get("/travelers?format=csv&orderby=id&order=asc", group.owner)));
        CAPTURE(same.dump());
        CHECK(count_of(same, "skipped") == 4);
        CHECK(count_of(same, "updated") == 0);
        CHECK(same["error_count"].integer() == 0);
        CHECK(group.travelers(group.first) == before);
        CHECK(group.base.number("SELECT SUM(row_version) FROM svc_bookings") == version);

        REQUIRE(sheet.cell(1, "booking_reference") == group.first.reference);
        sheet.rows[1][sheet.at("last_name")] = "King";
        sheet.rows[1][sheet.at("date_of_birth")] = "11.12.1990";  // as spreadsheet programs save it
        sheet.rows[1][sheet.at("vegan")] = "FALSE";
        sheet.rows[1][sheet.at("passport_number")] = other_secret;
        sheet.rows[1][sheet.at("answer_trip")] = "by boat";
        sheet.rows[1][sheet.at("shirt")] = "";  // an empty cell changes nothing
        const Value dry = group.imported(sheet.text(), true);
        CHECK(count_of(dry, "updated") == 1);
        CHECK(group.travelers(group.first) == before);
        const Value edited = group.imported(sheet.text());
        CAPTURE(edited.dump());
        CHECK(count_of(edited, "updated") == 1);
        CHECK(count_of(edited, "skipped") == 3);
        const Value now = group.travelers(group.first);
        CHECK(now[0] == before[0]);
        Value expected = before[1]["fields"];
        expected.set("last_name", "King");
        expected.set("date_of_birth", "1990-12-11");
        expected.set("vegan", "false");
        expected.set("passport_number", other_secret);
        expected.set("trip", "by boat");
        for (const auto& [name, answer] : expected.members())
            CHECK_MESSAGE(now[1]["fields"].text_or(name) == answer.text(), name);
        CHECK(now[1]["fields"].size() == expected.size());
        CHECK(now[1]["id"] == before[1]["id"]);
        CHECK(group.travelers(group.second) == of_second);
        // The history says what was changed and that a file did it, without the passport.
        CHECK(
            group.base.number("SELECT COUNT(*) FROM svc_booking_changes WHERE kind = 'travelers' AND through = 'import'"
                              " AND fields LIKE '%King%' AND fields LIKE '%passport_number%'") == 1);
        CHECK(group.base.number("SELECT COUNT(*) FROM svc_booking_changes WHERE fields LIKE '%canary%'") == 0);
        group.base.assembly->hooks.drain();
        CHECK(group.base.number("SELECT COUNT(*) FROM svc_domain_events") == events);
        CHECK(group.base.number("SELECT COUNT(*) FROM svc_email_outbox") == mails);
    });
}

TEST_CASE("money, status, seats and the number of travelers in a file of travelers are ignored and counted") {
    each_group([](Group& group) {
        Sheet sheet = group.file();
        const auto state = group.base.get(group.path_of(group.first), group.owner).data();
        for (csv::Row& row : sheet.rows) {
            row[sheet.at("booking_status")] = "cancelled";
            row[sheet.at("trip")] = "Moon";
            row[sheet.at("travel_date")] = "2031-01-01";
            row[sheet.at("traveler")] = "9";
            row[sheet.at("lead")] = "yes";
            row[sheet.at("contact_email")] = "eve@example.org";
        }
        const auto add = [&](const char* column, const char* cell) {
            sheet.head.emplace_back(column);
            for (csv::Row& row : sheet.rows)
                row.emplace_back(cell);
        };
        add("total", "1");
        add("category_id", "7");
        add("seats", "5");
        const Value job = group.imported(sheet.text());
        CAPTURE(job.dump());
        CHECK(count_of(job, "skipped") == 4);
        CHECK(job["error_count"].integer() == 0);
        for (const char* column : {"booking_status", "trip", "travel_date", "traveler", "lead", "contact_email",
                                   "contact_phone", "total", "category_id", "seats"})
            CHECK_MESSAGE(job["file"]["ignored"][column].integer() == 4, column);
        CHECK(group.base.get(group.path_of(group.first), group.owner).data() == state);
    });
}

TEST_CASE(
    "a row that names no traveler of the booking, or answers wrongly, is reported by row and column, without"
    " personal data") {
    each_group([](Group& group) {
        const Sheet whole = group.file();
        const Value before = group.travelers(group.first), of_second = group.travelers(group.second);
        const auto table = [&](const std::function<void(Sheet&)>& edit) {
            Sheet sheet = whole;
            edit(sheet);
            return group.imported(sheet.text());
        };
        const auto rejected = [&](const char* column, const char* cell, const std::string& problem) {
            CAPTURE(column);
            const Value job = table([&](Sheet& sheet) {
                sheet.rows[0][sheet.at("first_name")] = "Eve";
                if (std::find(sheet.head.begin(), sheet.head.end(), column) == sheet.head.end()) {
                    sheet.head.emplace_back(column);
                    for (csv::Row& row : sheet.rows)
                        row.emplace_back();
                }
                sheet.rows[0][sheet.at(column)] = cell;
            });
            CAPTURE(job.dump());
            CHECK(count_of(job, "failed") == 1);
            CHECK(count_of(job, "skipped") == 3);
            CHECK(job["failures"][0]["line"].integer() == 2);
            CHECK(problem_of(job).starts_with(std::string(column) + ": "));
            CHECK(problem_of(job).find(problem) != std::string::npos);
            const std::string errors = group.errors_of(job);
            for (const char* personal : {"Eve", secret, "Lovelace", "1990", "nuts"})
                CHECK_MESSAGE(errors.find(personal) == std::string::npos, personal);
            CHECK(errors.find(column == std::string("booking_reference") ? cell : group.first.reference) !=
                  std::string::npos);
        };
        rejected("traveler_id", "999999", "has no traveler with this id");
        rejected("traveler_id", "", "required");
        rejected("booking_reference", "SVC-NOTHERE1", "no booking with this reference");
        // A traveler of another booking is none of this one.
        rejected("traveler_id", whole.cell(2, "traveler_id").c_str(), "has no traveler with this id");
        rejected("date_of_birth", "31.02.1990", "YYYY-MM-DD");
        rejected("date_of_birth", "2190-01-01", "future");
        REQUIRE(
            group.base.call("PUT", "/trips/" + std::to_string(group.trip), R"({"age_min":18})", group.owner).status ==
            200);
        rejected("date_of_birth", group.base.day(-365).c_str(), "age limits");
        rejected("shirt", "huge", "one of the options");
        rejected("shoe", "big", "number");
        rejected("vegan", "perhaps", "true or false");
        rejected("email", "nobody", "e-mail");
        rejected("passport_number", "4.41E+11", "shortened this number.");
        CHECK(group.travelers(group.first) == before);
        CHECK(group.travelers(group.second) == of_second);
        // A booking in the trash is restored first.
        REQUIRE(group.base.call("DELETE", group.path_of(group.first), {}, group.owner).status == 200);
        const Value trashed = table([&](Sheet& sheet) { sheet.rows[0][sheet.at("first_name")] = "Eve"; });
        CHECK(count_of(trashed, "failed") == 1);
        CHECK(problem_of(trashed).find("trash") != std::string::npos);
    });
}

TEST_CASE("answers to a form that a trip has no more stay, can be changed, and are asked of nobody else") {
    each_group([](Group& group) {
        Sheet sheet = group.file();
        // One booking's travelers have no shirt; the form asks for it under a condition that is of no trip.
        Value travelers = group.travelers(group.second);
        auto bare = Value::array();
        for (const Value& one : travelers.items()) {
            Value fields = one["fields"];
            fields.erase("shirt");
            bare.push(Value::object({{"id", one["id"]}, {"fields", fields}}));
        }
        REQUIRE(group.base
                    .call("PUT", group.path_of(group.second) + "/travellers",
                          Value::object({{"travelers", bare}}).dump(), group.owner)
                    .status == 200);
        group.ask(R"({"traveler_form":{"fields":[{"id":"passport_number","type":"text"}],"conditions":[{"id":"c",
            "targets":{"trips":[999]},"title":"Shirts","fields":[{"id":"shirt","type":"select",
            "options":[{"value":"m","label":"M"},{"value":"l","label":"L"}]}]}]}})");
        sheet.rows[0][sheet.at("shirt")] = "l";
        sheet.rows[2][sheet.at("shirt")] = "l";
        sheet.rows[3][sheet.at("shirt")] = "";
        const Value job = group.imported(sheet.text());
        CAPTURE(job.dump());
        CHECK(count_of(job, "updated") == 1);
        CHECK(count_of(job, "failed") == 1);
        CHECK(problem_of(job) == "shirt: The form of this trip does not ask this.");
        CHECK(group.travelers(group.first)[0]["fields"]["shirt"].text() == "l");
        CHECK(group.travelers(group.first)[0]["fields"]["shoe"].text() == "41.500");
    });
}

TEST_CASE("an undone import of travelers puts back what they had answered, sealed at rest from the upload to the end") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        // What lies in the folder of jobs while the rows are stored.
        std::string seen;
        const BeforeStart listening([&](app::Assembly& parts) {
            REQUIRE(parts.hooks.filter("svc_booking_form_config", {.name = "test"},
                                       [&](store::Transaction*, const auto& given) {
                                           seen += texts_in(parts.maintenance.tasks.path_of(""));
                                           return given.at(0);
                                       }));
        });
        Group group(database);
        const Value before = group.travelers(group.first), of_second = group.travelers(group.second);
        Sheet sheet = group.file();
        sheet.rows[0][sheet.at("first_name")] = "Grace";
        sheet.rows[0][sheet.at("passport_number")] = other_secret;
        // Twice in one file: the values before the run come back.
        sheet.rows.push_back(sheet.rows[0]);
        sheet.rows.back()[sheet.at("first_name")] = "Joan";
        const Value job = group.imported(sheet.text());
        CAPTURE(job.dump());
        CHECK(count_of(job, "updated") == 2);
        CHECK(seen.find("v1.") != std::string::npos);
        for (const char* personal : {other_secret, secret, "Lovelace"})
            CHECK_MESSAGE(seen.find(personal) == std::string::npos, personal);
        CHECK(group.travelers(group.first)[0]["fields"]["first_name"].text() == "Joan");
        const std::string rest = at_rest(group.database, *group.base.assembly->store);
        CHECK(rest.find(secret) == std::string::npos);
        CHECK(rest.find(other_secret) == std::string::npos);
        CHECK(group.base.number("SELECT COUNT(*) FROM svc_task_rows WHERE before LIKE 'v1.%'") == 1);
        // The traveler moves to another place, to which sealed answers are bound, and the lead changes.
        Value travelers = group.travelers(group.first);
        REQUIRE(group.base
                    .call("PUT", group.path_of(group.first) + "/travellers",
                          Value::object({{"travelers", Value::array({travelers[1], travelers[0]})}}).dump(),
                          group.owner)
                    .status == 200);
        const Value back = group.undone(job);
        CAPTURE(back.dump());
        CHECK(back["import_stats"]["kept"].integer() == 0);
        const Value now = group.travelers(group.first);
        CHECK(now[1]["id"] == before[0]["id"]);
        CHECK(now[1]["fields"] == before[0]["fields"]);
        CHECK(now[0]["fields"] == before[1]["fields"]);
        CHECK(group.travelers(group.second) == of_second);
        const std::string still = at_rest(group.database, *group.base.assembly->store);
        CHECK(still.find(secret) == std::string::npos);
    });
}

TEST_CASE("an import of travelers can be undone after the key has changed") {
    each_group([](Group& group) {
        const Value before = group.travelers(group.first);
        Sheet sheet = group.file();
        sheet.rows[0][sheet.at("passport_number")] = other_secret;
        const Value job = group.imported(sheet.text());
        CHECK(count_of(job, "updated") == 1);
        app::Assembly& parts = *group.base.assembly;
        const std::string first_key = parts.keyring->prefix();
        crypto::Keyring::add(parts.options.key_file);
        crypto::Keyring::use_last(parts.options.key_file);
        while (parts.keyring->prefix() == first_key)  // until the changed file is read
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        const auto renewed = parts.import_export.renew_sealed();
        REQUIRE(renewed);
        CHECK(*renewed == 1);
        CHECK(parts.import_export.renew_sealed().value() == 0);
        REQUIRE(parts.features.renew_sealed());
        CHECK(group.base.number(
                  ("SELECT COUNT(*) FROM svc_task_rows WHERE before LIKE '" + first_key + "%'").c_str()) == 0);
        CHECK(group.undone(job)["import_stats"]["undone"].integer() == 1);
        CHECK(group.travelers(group.first) == before);
    });
}

TEST_CASE("whoever was erased is not brought back by undoing an import of travelers") {
    each_group([](Group& group) {
        Sheet sheet = group.file();
        sheet.rows[0][sheet.at("first_name")] = "Grace";
        const Value job = group.imported(sheet.text());
        CHECK(count_of(job, "updated") == 1);
        CHECK(group.base.number("SELECT COUNT(*) FROM svc_task_rows WHERE before LIKE 'v1.%'") == 1);
        group.base.leaves_what_holds = false;
        group.base.run(
            "UPDATE svc_bookings SET status = 'completed', travel_date = '2020-01-01', end_date = '2020-01-02'");
        REQUIRE(group.base.assembly->privacy.erase("ada@example.org"));
        CHECK(group.base.number("SELECT COUNT(*) FROM svc_task_rows WHERE before LIKE 'v1.%'") == 0);
        group.undone(job);
        CHECK(group.travelers(group.first)[0]["fields"].size() == 0);
    });
}

TEST_CASE("a table of travelers is read by the fields that the form asks now, and by nobody who may not import") {
    const auto database = Database::sqlite();
    Group group(*database);
    Form form;
    form.file("table.csv", group.file().text()).field("mode", "update").field("data_types", "travelers");
    CHECK(posted_form(group.base, "/tools/import", form, group.base.holding({"svc_edit_bookings"})).status == 403);
    const auto mapping = group.base.call(
        "POST", "/tools/import/mapping",
        R"({"data_type":"travelers","columns":["booking_reference","traveler_id","trip","Geburtsdatum","shirt","lead"]})",
        group.base.user("administrator"));
    CHECK(mapping.data()["mapping"].dump() ==
          R"({"booking_reference":"booking_reference","traveler_id":"traveler_id","trip":null,)"
          R"("Geburtsdatum":"date_of_birth","shirt":"shirt","lead":null})");
}
