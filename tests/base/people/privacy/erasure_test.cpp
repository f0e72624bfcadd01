// An erasure reaches all that is the person's, events included, and nothing of people whose address is alike.
#include <set>

#include "tests/base/people/my_account/account_desk.hpp"

namespace svc::tests {
namespace {

using json::Value;

// What the database stores of these people, by column.
using Rows = std::map<std::string, std::multiset<std::string>>;

Rows all_rows(AccountDesk& desk) {
    Rows all;
    desk.assembly->store->read([&](store::Session& session) {
        all.clear();
        const bool sqlite = session.dialect() == store::Dialect::sqlite;
        const auto columns = session.all<std::pair<std::string, std::string>>(
            sqlite ? "SELECT m.name, c.name FROM sqlite_master m, pragma_table_info(m.name) c WHERE m.type = 'table'"
                     " AND m.name LIKE 'svc_%' AND c.type = 'TEXT' ORDER BY m.name, c.name"
                   : "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema ="
                     " current_schema() AND table_name LIKE 'svc_%' AND data_type = 'text' ORDER BY 1, 2",
            "tt", {}, [](const store::Row& row) { return std::pair(row.text(0), row.text(1)); });
        for (const auto& [table, column] : columns)
            session.each("SELECT COALESCE(" + column + ", '') FROM " + table, "t", {},
                         [&, name = table + "." + column](const store::Row& row) {
                             if (const auto text = row.text(0); text.find("mail.example") != std::string::npos)
                                 all[name].insert(text);
                         });
    });
    return all;
}

TEST_CASE("an erasure changes no row of people whose address holds the erased one as a part") {
    at_each_account_desk([](AccountDesk& desk) {
        const auto trip = desk.given_trip();
        desk.given_departure(trip);
        desk.set_traveler_email();
        const auto leaves_traces = [&](const std::string& email) {
            desk.made("Ada", "Alike", email, parsed(R"({"phone":"1234567"})"));
            const auto session =
                desk.post("/booking/session", Value::object({{"trip_id", trip}, {"travel_date", desk.day(30)}}));
            const auto made = desk.post(
                "/booking/create",
                filled_in(Value::object({{"session_id", session.data().text_or("session_id")},
                                         {"contact_email", email},
                                         {"travelers", Value::array({Value::object({{"first_name", "Ada"},
                                                                                    {"last_name", "Alike"},
                                                                                    {"date_of_birth", "1990-12-10"},
                                                                                    {"gender", "female"},
                                                                                    {"nationality", "British"},
                                                                                    {"email", email}})})}})));
            CAPTURE(made.text);
            REQUIRE(made.status == 201);
            REQUIRE(
                desk.post("/enquiries", Value::object({{"name", "Ada"}, {"email", email}, {"message", "Hi"}})).status ==
                201);
            desk.post("/auth/password/forgot", Value::object({{"email", email}}));
            desk.post("/auth/login", Value::object({{"username", email}, {"password", "not right"}}));
        };
        const std::vector<std::string> alike{"ax@y.mail.example", "x@y.mail.example.org", "x@yz.mail.example",
                                             "a.x@y.mail.example", "x@y.mail.examples"};
        for (const std::string& email : alike)
            leaves_traces(email);
        REQUIRE(desk.assembly->hooks.drain());
        const auto before = all_rows(desk);
        leaves_traces("x@y.mail.example");
        REQUIRE(desk.assembly->hooks.drain());
        CHECK(all_rows(desk) != before);
        desk.run("UPDATE svc_bookings SET travel_date = '2020-01-01', end_date = '2020-01-02', status = 'completed'");
        const auto erased = desk.assembly->privacy.erase("X@y.mail.example");
        REQUIRE(erased);
        CHECK(erased->maybe_integer("svc_bookings") == 1);
        CHECK(erased->maybe_integer("svc_booking_travelers") == 1);
        CHECK_FALSE(erased->maybe_integer("bookings_of_others").has_value());
        const auto after = all_rows(desk);
        for (const auto& [place, rows] : before) {
            CAPTURE(place);
            CHECK(after.contains(place));
            if (after.contains(place))
                CHECK(after.at(place) == rows);
        }
        CHECK(after.size() == before.size());
    });
}

TEST_CASE("a traveler of somebody else's booking stays, and staff are asked to decide") {
    at_each_account_desk([](AccountDesk& desk) {
        const auto trip = desk.given_trip();
        desk.given_departure(trip);
        desk.set_traveler_email();
        const auto session =
            desk.post("/booking/session", Value::object({{"trip_id", trip}, {"travel_date", desk.day(30)}}));
        const auto made = desk.post(
            "/booking/create",
            filled_in(Value::object({{"session_id", session.data().text_or("session_id")},
                                     {"travelers", Value::array({Value::object({{"first_name", "John"},
                                                                                {"last_name", "Smith"},
                                                                                {"date_of_birth", "1990-12-10"},
                                                                                {"gender", "male"},
                                                                                {"nationality", "British"},
                                                                                {"email", "John@example.org"}})})}})));
        CAPTURE(made.text);
        REQUIRE(made.status == 201);
        desk.made("John", "Smith", "john@example.org");
        const auto erased = desk.assembly->privacy.erase("john@example.org");
        REQUIRE(erased);
        CHECK(erased->maybe_integer("bookings_of_others") == 1);
        CHECK(desk.number("SELECT COUNT(*) FROM svc_booking_travelers WHERE fields LIKE '%Smith%'") == 1);
        const auto kept = desk.get("/bookings/" + std::to_string(made.data()["booking_id"].integer()), desk.staff());
        CHECK(kept.data()["needs_attention"].boolean());
    });
}

TEST_CASE("no payload of an event names an erased person, whatever the event is about") {
    at_each_account_desk([](AccountDesk& desk) {
        const auto trip = desk.given_trip();
        const auto booking = desk.given_booking(trip);  // by ada@example.org
        desk.confirm_booking(booking);
        desk.pays(booking);
        const auto payment = desk.number("SELECT MAX(id) FROM svc_payments");
        const auto refunded = desk.post("/payments/" + std::to_string(payment) + "/refunds",
                                        Value::object({{"amount", 5}, {"reason", "Zebedee fell ill in Quincunx"}}),
                                        desk.user("administrator"));
        CAPTURE(refunded.text);
        REQUIRE(refunded.status < 300);
        // One of each action that is declared, with the person in it by the names of its arguments.
        REQUIRE(desk.assembly->store->write([&](store::Transaction& tx) -> Result<void> {
            for (const hooks::Action& action : desk.assembly->hooks.actions()) {
                json::Array arguments;
                bool names_person = false;
                for (const std::string_view name : action.arguments) {
                    if (name == "booking_id")
                        arguments.emplace_back(booking.id);
                    else if (name == "booking" || name == "payment" || name == "refund" || name == "context")
                        arguments.push_back(Value::object(
                            {{name == "booking" ? "id" : "booking_id", booking.id}, {"note", "Zebedee of Quincunx"}}));
                    else if (name == "account" || name == "enquiry" || name == "review" || name == "payload")
                        arguments.push_back(Value::object({{"email", "ada@example.org"}, {"name", "Zebedee"}}));
                    else {
                        arguments.push_back(name.ends_with("_id") ? Value(4711) : Value("Zebedee"));
                        continue;
                    }
                    names_person = true;
                }
                if (names_person)
                    tx.run(
                        "INSERT INTO svc_domain_events (name, subject_id, arguments, occurred_at, dispatched_at)"
                        " VALUES (:name, :subject, :arguments, 1, 1)",
                        {{"name", action.name},
                         {"subject", arguments.front().is_number() ? std::optional(arguments.front().integer())
                                                                   : std::optional<std::int64_t>()},
                         {"arguments", Value(std::move(arguments)).dump()}});
            }
            return {};
        }));
        desk.run("UPDATE svc_bookings SET travel_date = '2020-01-01', end_date = '2020-01-02', status = 'completed'");
        REQUIRE(desk.assembly->hooks.drain());
        REQUIRE(desk.number("SELECT COUNT(*) FROM svc_domain_events WHERE arguments LIKE '%Zebedee%'") > 10);
        REQUIRE(desk.assembly->privacy.erase("ada@example.org"));
        for (const char* trace : {"Zebedee", "Quincunx", "ada@example.org", "Lovelace"}) {
            CAPTURE(trace);
            CHECK(desk.number(
                      (std::string("SELECT COUNT(*) FROM svc_domain_events WHERE arguments LIKE '%") + trace + "%'")
                          .c_str()) == 0);
        }
        // Events that no change made would break what holds of events and changes.
        desk.run("DELETE FROM svc_domain_events WHERE occurred_at = 1");
    });
}

TEST_CASE("the link of an export gives the file once") {
    at_each_account_desk([](AccountDesk& desk) {
        REQUIRE(desk.change(parsed(R"({"first_name":"Ada"})")).status == 200);
        REQUIRE(
            desk.post("/customers/me/export", Value::object({{"current_password", TestBase::password}}), desk.holder)
                .status == 200);
        const Value token = Value::object({{"token", desk.mailed("account_privacy_link")}});
        CHECK(desk.post("/customers/me/export/confirm", token).status == 200);
        const auto again = desk.post("/customers/me/export/confirm", token);
        CHECK(again.status == 400);
        CHECK(again.code() == "invalid_token");
    });
}

}  // namespace
}  // namespace svc::tests
