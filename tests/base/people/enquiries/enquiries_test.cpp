// Enquiries through the whole base: the public form, staff's list, responses, counts and failures.
#include <doctest/doctest.h>

#include "tests/support/test_base.hpp"

namespace svc::tests {
namespace {

using json::Value;

Value parsed(const std::string& text) { return json::parse(text).value(); }

struct Desk : TestBase {
    using TestBase::TestBase;
    std::int64_t sent(Value more = Value::object()) {
        Value body = Value::object({{"customer_name", "Ada Lovelace"},
                                    {"customer_email", "ada@example.org"},
                                    {"message", "In May?\nOr June?"}});
        for (const auto& [name, value] : more.members())
            body.set(name, value);
        const auto made = post("/enquiries", body);
        CAPTURE(made.text);
        REQUIRE(made.status == 201);
        CHECK(!made.data()["message"].text().empty());
        return made.data()["enquiry_id"].integer();
    }
    Answered of(std::int64_t id) { return get("/enquiries/" + std::to_string(id), staff()); }
    Answered put(const std::string& target, const Value& body, const Visitor& who) {
        return call("PUT", target, body.dump(), who);
    }
    const Visitor& staff() { return user("sales_agent"); }
    std::int64_t events(const char* hook) {
        return assembly->store->reading<std::int64_t>([&](store::Session& session) {
            return session.number("SELECT COUNT(*) FROM svc_domain_events WHERE name = :name", {{"name", hook}});
        });
    }
};

void at_each_desk(const std::function<void(Desk&)>& work) {
    each_database([&](Database& database) {
        CAPTURE(database.name());
        Desk desk(database);
        work(desk);
    });
}

TEST_CASE("an enquiry finds its trip by id, by slug or by the page it is sent from") {
    at_each_desk([](Desk& desk) {
        const auto trip = desk.given_trip("Nile cruise");
        const auto trip_of = [&](const Value& body, const Visitor& from = {}) {
            Value all = parsed(R"({"name":"Ada","email":"ada@example.org","message":"Hi","subject":["dropped"]})");
            for (const auto& [name, value] : body.members())
                all.set(name, value);
            const auto made = desk.post("/enquiries", all, from);
            REQUIRE(made.status == 201);
            const auto read = desk.of(made.data()["enquiry_id"].integer());
            CHECK(read.data().find("subject") == nullptr);
            return read.data()["trip_id"];
        };
        const auto from = [&](const std::string& page) { return Visitor().with("Referer", page); };
        const std::string site = desk.assembly->options.site_url;
        CHECK(trip_of(Value::object({{"trip_id", trip}})) == Value(trip));
        CHECK(trip_of(Value::object({{"tripId", trip}})) == Value(trip));
        CHECK(trip_of(Value::object({{"trip_slug", "nile-cruise"}})) == Value(trip));
        CHECK(trip_of(Value::object(), from(site + "/trip/nile-cruise/?utm=1")) == Value(trip));
        CHECK(trip_of(Value::object(), from("https://other.example/trip/nile-cruise/")).is_null());
        CHECK(trip_of(Value::object({{"trip_id", 4711}})).is_null());
        CHECK(trip_of(Value::object({{"trip_slug", "no-such-trip"}})).is_null());
        const auto id = desk.sent(Value::object({{"trip_id", trip}}));
        CHECK(desk.of(id).data()["trip_title"].text() == "Nile cruise");
        CHECK(desk.of(id).data()["trip_slug"].text() == "nile-cruise");
        CHECK(desk.events("svc_enquiry_created") == 8);
    });
}

TEST_CASE("an enquiry is new, keeps its message and its travelers, and shows nothing of where it came from") {
    at_each_desk([](Desk& desk) {
        const auto id = desk.sent(Value::object({{"adults", 2}, {"children", 1}, {"travel_date", "2031-05-01"}}));
        const auto read = desk.of(id);
        CHECK(read.data()["status"].text() == "new");
        CHECK(read.data()["message"].text() == "In May?\nOr June?");
        CHECK(read.data()["travelers_count"].integer() == 3);
        CHECK(read.data()["metadata"].items().size() == 2);
        CHECK(read.data()["source"].text() == "website");
        for (const char* hidden : {"ip_hash", "user_agent", "referrer"})
            CHECK(read.data().find(hidden) == nullptr);
        CHECK(desk.number("SELECT COUNT(*) FROM svc_enquiries WHERE ip_hash LIKE '%.%.%.%'") == 0);
    });
}

TEST_CASE("a public form names all its faults at once and sets neither status nor notes") {
    at_each_desk([](Desk& desk) {
        const auto refused =
            desk.post("/enquiries", parsed(R"({"customer_email":"x","message":"  ","travelers_count":0})"));
        CHECK(refused.status == 400);
        for (const char* field : {"customer_name", "customer_email", "message", "travelers_count"})
            CHECK(refused.body["data"]["errors"].find(field) != nullptr);
        CHECK(desk.number("SELECT COUNT(*) FROM svc_enquiries") == 0);
        const auto id = desk.sent(Value::object({{"status", "converted"}, {"response_notes", "x"}}));
        CHECK(desk.of(id).data()["status"].text() == "new");
        CHECK(desk.of(id).data()["response_notes"].is_null());
    });
}

TEST_CASE("a sender's name holds no address, since mails greet by it") {
    at_each_desk([](Desk& desk) {
        const auto refused = desk.post("/enquiries", parsed(R"({"customer_name":"Win at evil.example",
            "customer_email":"a@example.org","message":"Hi"})"));
        CHECK(refused.status == 400);
        CHECK(refused.field() == "customer_name");
    });
}

TEST_CASE("five enquiries a minute are taken from one address, the sixth is refused") {
    at_each_desk([](Desk& desk) {
        const auto body = parsed(R"({"customer_name":"A","customer_email":"a@example.org","message":"Hi"})");
        const auto visitor = Visitor().from("198.51.100.7");
        for (int sent = 0; sent < 5; ++sent)
            CHECK(desk.post("/enquiries", body, visitor).status == 201);
        const auto refused = desk.post("/enquiries", body, visitor);
        CHECK(refused.status == 429);
        CHECK(!refused.header("Retry-After").empty());
        CHECK(desk.post("/enquiries", body).status == 201);
    });
}

TEST_CASE("a change of status changes nothing else, and each of the ten may follow each") {
    at_each_desk([](Desk& desk) {
        const auto id = desk.sent();
        const std::string path = "/enquiries/" + std::to_string(id);
        Value before = desk.of(id).data();
        before.erase("messages");
        for (const char* status : {"pending", "responded", "completed", "converted", "closed", "spam", "trash", "read",
                                   "archived", "new", "closed"}) {
            const auto changed = desk.put(path, Value::object({{"status", status}}), desk.staff());
            REQUIRE(changed.status == 200);
            CHECK(changed.data()["status"].text() == status);
            Value after = changed.data();
            for (const char* moving : {"status", "row_version", "updated_at"})
                after.set(moving, before[moving]);
            CHECK(after == before);
        }
        CHECK(desk.put(path, Value::object({{"status", "gone"}}), desk.staff()).field() == "status");
        const auto stale = desk.put(path, Value::object({{"status", "new"}, {"row_version", 1}}), desk.staff());
        CHECK(stale.status == 409);
    });
}

TEST_CASE("a response sets notes, time, author and status, and is an event; a blank one is refused") {
    at_each_desk([](Desk& desk) {
        const auto id = desk.sent();
        const std::string path = "/enquiries/" + std::to_string(id) + "/respond";
        CHECK(desk.post(path, Value::object({{"response", "  \n "}}), desk.staff()).field() == "response");
        const auto done = desk.post(path, Value::object({{"response", "Yes, in May."}}), desk.staff());
        REQUIRE(done.status == 200);
        CHECK(done.data()["status"].text() == "responded");
        CHECK(done.data()["response_notes"].text() == "Yes, in May.");
        CHECK(done.data()["responded_by"].integer() == desk.staff().user_id);
        CHECK(!done.data()["responded_at"].is_null());
        CHECK(!done.header("ETag").empty());
        CHECK(desk.events("svc_enquiry_responded") == 1);
    });
}

TEST_CASE("staff list, filter, search and sort enquiries; the trash is hidden") {
    at_each_desk([](Desk& desk) {
        const auto trip = desk.given_trip();
        const auto first = desk.sent(Value::object({{"trip_id", trip}, {"phone", "+44 20 7946 0000"}}));
        desk.sent(Value::object({{"customer_name", "Émile D’Artagnan"},
                                 {"customer_email", "emile@example.org"},
                                 {"message", "From Łódź."}}));
        const auto count = [&](const std::string& query) {
            const auto listed = desk.get("/enquiries" + query, desk.staff());
            CAPTURE(listed.text);
            REQUIRE(listed.status == 200);
            return listed.body["meta"]["total"].integer();
        };
        CHECK(count("") == 2);
        CHECK(count("?trip_id=" + std::to_string(trip)) == 1);
        CHECK(count("?search=7946") == 1);
        CHECK(count("?search=%C3%A9MILE") == 1);
        CHECK(count("?search=d%27artagnan") == 1);  // case, accents and apostrophes do not matter
        CHECK(count("?search=Lodz") == 1);
        CHECK(count("?from=2040-01-01") == 0);
        for (const char* key : {"created_at", "id", "name", "email", "status", "travel_date"})
            CHECK(count(std::string("?orderby=") + key) == 2);
        CHECK(desk.get("/enquiries?orderby=message", desk.staff()).field() == "orderby");
        CHECK(desk.call("DELETE", "/enquiries/" + std::to_string(first), {}, desk.staff()).status == 403);
        CHECK(desk.call("DELETE", "/enquiries/" + std::to_string(first), {}, desk.user("manager")).status == 200);
        CHECK(count("") == 1);
        CHECK(count("?status=trash") == 1);
        CHECK(desk.call("DELETE", "/enquiries/" + std::to_string(first), {}, desk.user("manager")).status == 200);
        CHECK(desk.of(first).status == 404);
    });
}

TEST_CASE("bulk takes the earlier names too; deleting needs its own right") {
    at_each_desk([](Desk& desk) {
        const auto id = desk.sent();
        const auto bulk = [&](const char* action, const Visitor& who) {
            return desk.put("/enquiries/bulk",
                            Value::object({{"action", action}, {"ids", Value::array({id, Value(999)})}}), who);
        };
        for (const auto& [action, status] : {std::pair{"spam", "spam"},
                                             {"mark_completed", "completed"},
                                             {"mark_closed", "closed"},
                                             {"mark_read", "read"},
                                             {"mark_pending", "pending"},
                                             {"mark_spam", "spam"},
                                             {"archive", "archived"},
                                             {"mark_trash", "trash"},
                                             {"restore", "archived"},
                                             {"trash", "trash"}}) {
            CAPTURE(action);
            const auto done = bulk(action, desk.staff());
            REQUIRE(done.status == 200);
            CHECK(done.data()["affected"].integer() == 1);
            CHECK(done.data()["failed"].integer() == 1);
            CHECK(desk.of(id).data()["status"].text() == status);
        }
        CHECK(bulk("delete", desk.staff()).status == 403);
        CHECK(bulk("explode", desk.staff()).field() == "action");
        CHECK(bulk("delete", desk.user("manager")).data()["affected"].integer() == 1);
        CHECK(desk.of(id).status == 404);
    });
}

TEST_CASE("stats count each status at the top level; all is without spam and trash") {
    at_each_desk([](Desk& desk) {
        for (const char* status : {"", "", "spam", "trash", "closed"}) {
            const auto id = desk.sent();
            if (*status)
                desk.put("/enquiries/" + std::to_string(id), Value::object({{"status", status}}), desk.staff());
        }
        const auto stats = desk.get("/enquiries/stats", desk.staff()).data();
        for (const auto& [name, count] : {std::pair{"all", 3},
                                          {"new", 2},
                                          {"unread", 2},
                                          {"pending", 0},
                                          {"responded", 0},
                                          {"completed", 0},
                                          {"converted", 0},
                                          {"closed", 1},
                                          {"spam", 1},
                                          {"trash", 1},
                                          {"read", 0},
                                          {"archived", 0},
                                          {"this_week", 3}}) {
            CAPTURE(name);
            CHECK(stats[name].integer() == count);
        }
        CHECK(stats["avg_response_hours"].is_number());
    });
}

TEST_CASE("what the database rejects is answered with a friendly sentence and no detail") {
    at_each_desk([](Desk& desk) {
        const auto id = desk.sent();
        const bool sqlite = desk.assembly->store->dialect() == store::Dialect::sqlite;
        desk.run(
            sqlite ? "CREATE TRIGGER refuse_insert BEFORE INSERT ON svc_enquiries BEGIN SELECT RAISE(ABORT, 'no'); END"
                   : "ALTER TABLE svc_enquiries ADD CONSTRAINT refuse CHECK (name = 'nobody') NOT VALID");
        if (sqlite)
            desk.run(
                "CREATE TRIGGER refuse_update BEFORE UPDATE ON svc_enquiries BEGIN SELECT RAISE(ABORT, 'no'); END");
        const auto made =
            desk.post("/enquiries", parsed(R"({"customer_name":"A","customer_email":"a@example.org","message":"Hi"})"));
        CHECK(made.status == 500);
        CHECK(made.code() == "svc_enquiry_failed");
        CHECK(made.body["message"].text() == "The enquiry could not be stored. Please try again.");
        const auto changed =
            desk.put("/enquiries/" + std::to_string(id), Value::object({{"status", "closed"}}), desk.staff());
        CHECK(changed.status == 500);
        CHECK(changed.body["message"].text() == "Failed to update enquiry.");
        for (const auto& answer : {made.text, changed.text})
            CHECK(answer.find("svc_enquiries") == std::string::npos);
    });
}

TEST_CASE("after ninety days nothing is stored of the client that sent an enquiry") {
    at_each_desk([](Desk& desk) {
        desk.sent();
        const auto left = [&] { return desk.number("SELECT COUNT(*) FROM svc_enquiries WHERE ip_hash <> ''"); };
        const auto clean = [&] { REQUIRE(desk.assembly->housekeeping.job().run(desk.assembly->clock.now())); };
        clean();
        CHECK(left() == 1);
        desk.run("UPDATE svc_enquiries SET created_at = created_at - 7862400000000");  // 91 days
        clean();
        CHECK(left() == 0);
    });
}

TEST_CASE("OpenAPI defines the record once and refers to it") {
    const auto database = Database::sqlite();
    Desk desk(*database);
    const auto document = desk.get("/openapi.json").body;
    const auto& schemas = document["components"]["schemas"];
    for (const char* name : {"Enquiry", "EnquiryCreate", "EnquiryUpdate", "BulkOutcome"})
        CHECK(schemas.find(name) != nullptr);
    const auto& read = document["paths"]["/enquiries/{id}"]["get"]["responses"];
    const auto& written = document["paths"]["/enquiries/{id}"]["put"]["responses"];
    CHECK(written["200"]["$ref"].text() == "#/components/responses/Enquiry");
    CHECK(document["components"]["responses"]["Enquiry"].dump().find("#/components/schemas/Enquiry\"") !=
          std::string::npos);
    CHECK(read.find("304") != nullptr);
    CHECK(document["paths"]["/enquiries"]["post"]["requestBody"]["content"]["application/json"]["schema"]["$ref"]
              .text() == "#/components/schemas/EnquiryCreate");
}

}  // namespace
}  // namespace svc::tests
