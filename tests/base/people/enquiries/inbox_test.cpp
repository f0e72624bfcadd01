// The life of an enquiry: spam, the thread, the mails, the booking; and bad input.
#include <doctest/doctest.h>

#include "tests/support/open_mails.hpp"
#include "tests/support/test_base.hpp"

namespace svc::tests {
namespace {

using json::Value;

struct Inbox : TestBase {
    explicit Inbox(const Database& database) : TestBase(database), staff(user("manager")) {
        const auto set = call("PUT", "/settings", R"({"admin_email":"office@example.org"})", user("administrator"));
        REQUIRE(set.status == 200);
    }
    static Value form(const char* message = "In May?\nOr June?") {
        return Value::object({{"customer_name", "Ada Lovelace"},
                              {"customer_email", "ada@example.org"},
                              {"phone", "+44 20 7946"},
                              {"message", message}});
    }
    std::int64_t sent(const Value& body) {
        const auto made = post("/enquiries", body);
        CAPTURE(made.text);
        REQUIRE(made.status == 201);
        return made.data()["enquiry_id"].integer();
    }
    Answered of(std::int64_t id) { return get("/enquiries/" + std::to_string(id), staff); }
    std::int64_t mails(const std::string& key, const std::string& to) {
        REQUIRE(assembly->hooks.drain());
        return assembly->store->reading<std::int64_t>([&](store::Session& session) {
            return session.number("SELECT COUNT(*) FROM svc_email_outbox WHERE template_key = :key AND to_email = :to",
                                  {{"key", key}, {"to", to}});
        });
    }
    std::string text_of(const std::string& key) {
        REQUIRE(assembly->hooks.drain());
        open_mails(*assembly->store, *assembly->keyring);
        return assembly->store->reading<std::string>([&](store::Session& session) {
            return session
                .first<std::string>(
                    "SELECT subject || reply_to || body_text FROM svc_email_outbox WHERE template_key = :key ORDER BY "
                    "id"
                    " DESC LIMIT 1",
                    "t", {{"key", key}}, [](const store::Row& row) { return row.text(0); })
                .value_or("");
        });
    }
    const Visitor& staff;
};

void at_each_inbox(const std::function<void(Inbox&)>& work) {
    each_database([&](Database& database) {
        CAPTURE(database.name());
        Inbox inbox(database);
        work(inbox);
    });
}

TEST_CASE("an enquiry with the hidden field filled in is thanked for, mails nobody, and is among the spam") {
    at_each_inbox([](Inbox& inbox) {
        Value body = Inbox::form();
        body.set("left_empty", "https://spam.example");
        const auto answered = inbox.post("/enquiries", body);
        CHECK(answered.status == 201);
        CHECK(inbox.mails("enquiry_received", "ada@example.org") == 0);
        CHECK(inbox.mails("enquiry_admin", "office@example.org") == 0);
        const auto spam = inbox.get("/enquiries?status=spam", inbox.staff);
        REQUIRE(spam.data().size() == 1);
        CHECK(spam.data()[std::size_t{0}]["id"].integer() == answered.data()["enquiry_id"].integer());
        CHECK(spam.data()[std::size_t{0}]["message"].text() == "In May?\nOr June?");
        body.set("left_empty", "");
        const auto other = inbox.post("/enquiries", body);
        CHECK(other.data()["message"].text() == answered.data()["message"].text());
        CHECK(inbox.of(other.data()["enquiry_id"].integer()).data()["status"].text() == "new");
    });
}

TEST_CASE("an enquiry written within two seconds is spam and mails nobody; a slower one is new") {
    at_each_inbox([](Inbox& inbox) {
        const auto now = inbox.assembly->clock.now();
        Value body = Inbox::form();
        body.set("form_opened_at", now.text());
        CHECK(inbox.of(inbox.sent(body)).data()["status"].text() == "spam");
        CHECK(inbox.mails("enquiry_received", "ada@example.org") == 0);
        body.set("form_opened_at", now.minus(std::chrono::seconds(30)).text());
        CHECK(inbox.of(inbox.sent(body)).data()["status"].text() == "new");
        CHECK(inbox.mails("enquiry_received", "ada@example.org") == 1);
    });
}

TEST_CASE("an address is written into ten enquiries an hour, wherever they come from") {
    at_each_inbox([](Inbox& inbox) {
        for (int i = 0; i < 10; ++i)
            inbox.sent(Inbox::form());
        CHECK(inbox.post("/enquiries", Inbox::form()).status == 429);
        Value other = Inbox::form();
        other.set("customer_email", "eve@example.org");
        CHECK(inbox.post("/enquiries", other).status == 201);
    });
}

TEST_CASE("an enquiry is mailed to staff, who reply to its sender, and is confirmed to its sender") {
    at_each_inbox([](Inbox& inbox) {
        Value body = Inbox::form();
        body.set("trip_id", inbox.given_trip());
        inbox.sent(body);
        CHECK(inbox.mails("enquiry_admin", "office@example.org") == 1);
        const auto to_staff = inbox.text_of("enquiry_admin");
        for (const char* part : {"Ada Lovelace", "ada@example.org", "Nile cruise", "Or June?"}) {
            CAPTURE(part);
            CHECK(to_staff.find(part) != std::string::npos);
        }
        CHECK(inbox.mails("enquiry_received", "ada@example.org") == 1);
        // Nobody has proven the address: nothing of what was typed is repeated.
        CHECK(inbox.text_of("enquiry_received").find("Nile cruise") != std::string::npos);
        CHECK(inbox.text_of("enquiry_received").find("In May?") == std::string::npos);
        CHECK(inbox.number("SELECT COUNT(*) FROM svc_email_outbox WHERE enquiry_id IS NULL") == 0);
    });
}

TEST_CASE("the sender is mailed in the enquiry's language, staff in the site's, and nobody changes it afterwards") {
    at_each_inbox([](Inbox& inbox) {
        Value body = Inbox::form();
        body.set("locale", "de-AT");
        const auto id = inbox.sent(body);
        CHECK(inbox.text_of("enquiry_received").find("Wir haben Ihre Anfrage") != std::string::npos);
        CHECK(inbox.text_of("enquiry_admin").find("Anfrage") == std::string::npos);
        const auto changed =
            inbox.call("PUT", "/enquiries/" + std::to_string(id), R"({"locale":"fr","phone":"1"})", inbox.staff);
        CAPTURE(changed.text);
        CHECK(inbox.of(id).data()["locale"].text() == "de-AT");
        REQUIRE(inbox
                    .post("/enquiries/" + std::to_string(id) + "/respond", Value::object({{"response", "Im Mai."}}),
                          inbox.staff)
                    .status == 200);
        CHECK(inbox.text_of("enquiry_response").find("Ihre Anfrage") != std::string::npos);
        CHECK(inbox.of(inbox.sent(Inbox::form())).data()["locale"].is_null());
        CHECK(inbox.text_of("enquiry_received").find("We have received your enquiry") != std::string::npos);
        body.set("locale", "much too long for a language");
        CHECK(inbox.post("/enquiries", body).field() == "locale");
    });
}

TEST_CASE("responses are mailed with the question and stay as a thread") {
    at_each_inbox([](Inbox& inbox) {
        const auto id = inbox.sent(Inbox::form());
        const std::string path = "/enquiries/" + std::to_string(id) + "/respond";
        for (const char* response : {"In May.", "June is full."})
            REQUIRE(inbox.post(path, Value::object({{"response", response}}), inbox.staff).status == 200);
        CHECK(inbox.mails("enquiry_response", "ada@example.org") == 2);
        const auto mailed = inbox.text_of("enquiry_response");
        CHECK(mailed.find("June is full.") != std::string::npos);
        CHECK(mailed.find("Or June?") != std::string::npos);
        const auto read = inbox.of(id).data();
        REQUIRE(read["messages"].size() == 3);
        CHECK(read["messages"][0]["direction"].text() == "in");
        CHECK(read["messages"][0]["author_name"].text() == "Ada Lovelace");
        CHECK(read["messages"][1]["body"].text() == "In May.");
        CHECK(read["messages"][2]["direction"].text() == "out");
        CHECK(read["response_notes"].text() == "June is full.");
        REQUIRE(inbox.assembly->privacy.erase("ada@example.org"));
        CHECK(inbox.number("SELECT COUNT(*) FROM svc_enquiry_messages") == 0);
        CHECK(inbox.number("SELECT COUNT(*) FROM svc_email_outbox WHERE enquiry_id IS NOT NULL") == 0);
    });
}

TEST_CASE("a booking made of an enquiry converts it; one of an unknown or a converted one is not made") {
    at_each_inbox([](Inbox& inbox) {
        const auto trip = inbox.given_trip();
        inbox.given_departure(trip);
        const auto id = inbox.sent(Inbox::form());
        const auto book = [&](std::int64_t enquiry) {
            Value body = filled_in(Value::object({{"trip_id", trip},
                                                  {"travel_date", inbox.day(30)},
                                                  {"travelers_count", 1},
                                                  {"contact_first_name", "Ada"},
                                                  {"contact_last_name", "Lovelace"},
                                                  {"contact_email", "ada@example.org"},
                                                  {"enquiry_id", enquiry}}));
            return inbox.post("/bookings", body, inbox.user("administrator"));
        };
        CHECK(book(4711).field() == "enquiry_id");
        const auto made = book(id);
        CAPTURE(made.text);
        REQUIRE(made.status == 201);
        CHECK(inbox.of(id).data()["status"].text() == "converted");
        CHECK(inbox.of(id).data()["booking_id"] == made.data()["id"]);
        CHECK(book(id).field() == "enquiry_id");
        CHECK(inbox.number("SELECT COUNT(*) FROM svc_bookings") == 1);
    });
}

TEST_CASE("a protected enquiry form takes nothing without the proof of a person, and nothing while nobody can ask") {
    at_each_inbox([](Inbox& desk) {
        const char* on = R"({"recaptcha_enabled":true,"recaptcha_protect_enquiry":true,"recaptcha_site_key":"site",
                             "recaptcha_secret_key":"secret"})";
        REQUIRE(desk.call("PUT", "/settings", on, desk.user("administrator")).status == 200);
        for (const char* token : {"", "forged"}) {
            Value body = Inbox::form();
            body.set("recaptcha_token", token);
            const auto refused = desk.post("/enquiries", body);
            CHECK(refused.status == 400);
            CHECK(refused.code() == "recaptcha_failed");
        }
        CHECK(desk.number("SELECT COUNT(*) FROM svc_enquiries") == 0);
    });
}

TEST_CASE("an enquiry about a draft trip is stored without a trip, and one of ten megabytes is too large") {
    at_each_inbox([](Inbox& inbox) {
        const auto made = inbox.post("/trips", Value::object({{"title", "Secret"}}), inbox.user("administrator"));
        REQUIRE(made.status == 201);
        Value body = Inbox::form();
        body.set("trip_id", made.data()["id"]);
        const auto id = inbox.sent(body);
        CHECK(inbox.of(id).data()["trip_id"].is_null());
        CHECK(inbox.of(id).data()["trip_title"].is_null());
        const std::string large(10 << 20, 'a');
        CHECK(inbox.post("/enquiries", Inbox::form(large.c_str())).status == 413);
        CHECK(inbox.post("/enquiries", Inbox::form(large.substr(0, 5'001).c_str())).field() == "message");
    });
}

TEST_CASE("lists count and find as the rows are, whatever became of them") {
    at_each_inbox([](Inbox& inbox) {
        const auto first = inbox.sent(Inbox::form("Zwieback?")), second = inbox.sent(Inbox::form("Zwiebel?"));
        const auto total = [&](const char* query) {
            return inbox.get(std::string("/enquiries") + query, inbox.staff).body["meta"]["total"].integer();
        };
        CHECK(total("?search=zwie") == 2);
        CHECK(total("?search=ZWIEBEL") == 1);
        CHECK(total("?search=zw") == 2);
        CHECK(total("?search=%22%25_'") == 0);
        inbox.call("PUT", "/enquiries/" + std::to_string(first), R"({"status":"closed"})", inbox.staff);
        CHECK(total("") == 2);
        CHECK(total("?status=closed") == 1);
        CHECK(total("?status=closed&search=zwieback") == 1);
        CHECK(total("?status=new&search=zwieback") == 0);
        inbox.call("DELETE", "/enquiries/" + std::to_string(second), {}, inbox.staff);
        CHECK(total("") == 1);
        CHECK(total("?status=trash") == 1);
        CHECK(total("?search=zwiebel") == 0);
        inbox.call("DELETE", "/enquiries/" + std::to_string(second), {}, inbox.staff);
        CHECK(total("?status=trash") == 0);
        CHECK(total("?status=all&search=zwie") == 1);
        CHECK(inbox.get("/enquiries/stats", inbox.staff).data()["closed"].integer() == 1);
        CHECK(inbox.number("SELECT SUM(records) FROM svc_row_tallies WHERE name = 'svc_enquiries'") == 1);
    });
}

}  // namespace
}  // namespace svc::tests
