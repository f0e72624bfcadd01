// A person's data as a file, and its erasure: by mailed link and by command's door.
#include <algorithm>
#include <set>

#include "base/feature/facts.hpp"
#include "shared/record/raw_table.hpp"
#include "tests/base/people/my_account/account_desk.hpp"

namespace svc::tests {
namespace {

using json::Value;

struct TextColumn {
    std::string table, column;
};

std::vector<TextColumn> text_columns(store::Session& session) {
    const bool sqlite = session.dialect() == store::Dialect::sqlite;
    return session.all<TextColumn>(
        sqlite ? "SELECT m.name, c.name FROM sqlite_master m, pragma_table_info(m.name) c WHERE m.type = 'table'"
                 " AND m.name LIKE 'svc_%' AND c.type = 'TEXT'"
               : "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = current_schema()"
                 " AND table_name LIKE 'svc_%' AND data_type = 'text'",
        "tt", {}, [](const store::Row& row) {
            return TextColumn{row.text(0), row.text(1)};
        });
}

// Where in the database that text stands, in any case of ASCII letters.
std::vector<std::string> places_of(TestBase& base, const std::string& text) {
    std::vector<std::string> places;
    base.assembly->store->read([&](store::Session& session) {
        places.clear();
        for (const TextColumn& each : text_columns(session))
            if (session.number("SELECT COUNT(*) FROM " + each.table + " WHERE LOWER(" + each.column + ") LIKE :text",
                               {{"text", "%" + text + "%"}}) > 0)
                places.push_back(each.table + "." + each.column);
    });
    return places;
}

std::string listed(const std::vector<std::string>& places) {
    std::string all;
    for (const std::string& place : places)
        all += place + " ";
    return all;
}

// An account that has booked, paid, asked and been written to; its trip has ended.
GivenBooking past_of_holder(AccountDesk& desk) {
    desk.ask_further_fields();
    REQUIRE(desk.change(parsed(R"({"first_name":"Zebedee","last_name":"Quirinus","phone":"+44 20 7946 0123",
        "address":"Quincunx Lane 5","medical_conditions":"asthma","fields":{"club":"Seaside"}})"))
                .status == 200);
    const auto booking = desk.given_booking(desk.given_trip());
    desk.owns(booking);
    desk.execute_for_holder(
        "UPDATE svc_bookings SET customer_id = (SELECT id FROM svc_customers WHERE user_id = :id),"
        " contact_first_name = 'Zebedee', contact_last_name = 'Quirinus', contact_email ="
        " 'a_svc_customer@example.org' WHERE id = :other",
        booking.id);
    desk.confirm_booking(booking);
    REQUIRE(desk.call("PUT", "/bookings/" + std::to_string(booking.id),
                      R"({"contact_phone":"+44 20 7946 0124","special_requests":"Meet me in Quincunx Lane",
                          "internal_notes":"Zebedee is a friend"})",
                      desk.user("administrator"))
                .status == 200);
    desk.pays(booking);
    desk.post(
        "/enquiries",
        Value::object({{"name", "Zebedee Quirinus"}, {"email", desk.address}, {"message", "Is Quincunx Lane far?"}}));
    REQUIRE(desk.assembly->hooks.drain());
    return booking;
}

void ended(AccountDesk& desk) {
    desk.run("UPDATE svc_bookings SET travel_date = '2020-01-01', end_date = '2020-01-02', status = 'completed'");
}

TEST_CASE("all that is stored of a person is in the file that the mailed link gives") {
    at_each_account_desk([](AccountDesk& desk) {
        const auto booking = past_of_holder(desk);
        const Value by_password = Value::object({{"current_password", TestBase::password}});
        CHECK(desk.post("/customers/me/export", Value::object({{"current_password", "not it"}}), desk.holder).field() ==
              "current_password");
        REQUIRE(desk.post("/customers/me/export", by_password, desk.holder).status == 200);
        CHECK(desk.post("/customers/me/export", by_password, desk.holder).status == 429);
        const auto token = desk.mailed("account_privacy_link");
        const auto page = desk.get("/customers/me/export/confirm?token=" + token);
        CHECK(page.status == 200);
        CHECK(page.text.find("Zebedee") == std::string::npos);
        const auto file = desk.post("/customers/me/export/confirm", Value::object({{"token", token}}));
        REQUIRE(file.status == 200);
        CHECK(file.header("Content-Disposition").find("attachment") == 0);
        CHECK(file.body["account"]["email"].text() == desk.address);
        CHECK(file.body["customer"]["address"].text() == "Quincunx Lane 5");
        CHECK(file.body["customer"]["medical_conditions"].text() == "asthma");
        CHECK(file.body["customer"]["fields"]["club"].text() == "Seaside");
        REQUIRE(file.body["bookings"].size() == 1);
        CHECK(file.body["bookings"].items()[0]["id"] == Value(booking.id));
        CHECK(file.body["payments"].size() == 1);
        CHECK(file.body["enquiries"].size() == 1);
        CHECK(file.body["emails"].size() > 0);
        const auto erasure = desk.post("/customers/me/erasure/confirm", Value::object({{"token", token}}));
        CHECK(erasure.code() == "invalid_token");  // the link is of the other kind
    });
}

TEST_CASE("an erasure leaves no trace of the person in any table, and of payments amounts and references") {
    at_each_account_desk([](AccountDesk& desk) {
        const auto booking = past_of_holder(desk);
        ended(desk);
        const auto transactions = desk.number("SELECT COUNT(*) FROM svc_payments WHERE amount_minor > 0");
        REQUIRE(
            desk.post("/customers/me/erasure", Value::object({{"current_password", TestBase::password}}), desk.holder)
                .status == 200);
        const auto token = desk.mailed("account_privacy_link");
        CHECK(desk.get("/customers/me/erasure/confirm?token=" + token).status == 200);
        CHECK(desk.get("/auth/me", desk.holder).status == 200);  // a scanner erases nothing
        const auto invoices = desk.number("SELECT COUNT(*) FROM svc_issued_documents WHERE customer LIKE '%Zebedee%'");
        CHECK(invoices == 1);
        REQUIRE(desk.assembly->hooks.drain());
        const auto erased = desk.post("/customers/me/erasure/confirm", Value::object({{"token", token}}));
        CAPTURE(erased.text);
        REQUIRE(erased.status == 200);
        REQUIRE(desk.assembly->hooks.drain());
        for (const char* trace : {"zebedee", "quirinus", "quincunx", "a_svc_customer", "7946 0123"}) {
            const auto places = places_of(desk, trace);
            CAPTURE(trace);
            CAPTURE(listed(places));
            for (const std::string& place : places)
                CHECK(place == "svc_issued_documents.customer");
        }
        CHECK(desk.number("SELECT COUNT(*) FROM svc_issued_documents WHERE customer LIKE '%Zebedee%'") == invoices);
        CHECK(desk.number("SELECT COUNT(*) FROM svc_customers WHERE extra_fields <> ''") == 0);
        CHECK(desk.number("SELECT COUNT(*) FROM svc_booking_travelers WHERE fields <> '{}' OR sealed IS NOT NULL") ==
              0);
        CHECK(desk.number("SELECT COUNT(*) FROM svc_payments WHERE amount_minor > 0") == transactions);
        CHECK(desk.get("/auth/me", desk.holder).status == 401);
        const auto left = desk.get("/bookings/" + std::to_string(booking.id), desk.staff());
        CAPTURE(left.text);
        CHECK(left.status == 200);
        CHECK(left.data()["customer_email"].text().empty());
        const auto customer = desk.of(left.data()["customer_id"].integer());
        CAPTURE(customer.text);
        CHECK(customer.status == 200);
        CHECK(!customer.data()["erased_at"].is_null());
        CHECK(desk.get("/customers?search=erased", desk.staff()).status == 200);
        CHECK(desk.events("svc_person_erased") == 1);
        CHECK(desk.post("/customers/me/erasure/confirm", Value::object({{"token", token}})).code() == "invalid_token");
    });
}

TEST_CASE("nobody is erased while a booking is ahead, and neither is who works here") {
    at_each_account_desk([](AccountDesk& desk) {
        past_of_holder(desk);
        const auto ahead = desk.assembly->privacy.erase(desk.address);
        REQUIRE(!ahead);
        CHECK(ahead.error().code().name == "svc_conflict");
        CHECK(desk.get("/customers/me", desk.holder).data()["first_name"].text() == "Zebedee");
        desk.user("guide");
        const auto staff = desk.assembly->privacy.erase("a_guide@example.org");
        REQUIRE(!staff);
        CHECK(staff.error().code().name == "svc_conflict");
        const auto nobody = desk.assembly->privacy.erase("nobody@example.org");
        REQUIRE(!nobody);
        CHECK(nobody.error().code().name == "svc_not_found");
        CHECK(!desk.assembly->privacy.exported("nobody@example.org"));
    });
}

TEST_CASE("a guest without an account is erased by the address, and other people stay") {
    at_each_account_desk([](AccountDesk& desk) {
        const auto trip = desk.given_trip();
        desk.given_booking(trip);  // by ada@example.org
        const auto eva = desk.made("Eva", "Byte", "eva@example.org");
        ended(desk);
        REQUIRE(desk.assembly->hooks.drain());
        const auto erased = desk.assembly->privacy.erase("ADA@example.org");
        REQUIRE(erased);
        CHECK(erased->maybe_integer("svc_customers") == 1);
        REQUIRE(desk.assembly->hooks.drain());
        const auto places = places_of(desk, "ada@example.org");
        CAPTURE(listed(places));
        CHECK(places.empty());
        CHECK(desk.of(eva).data()["email"].text() == "eva@example.org");
    });
}

// Rows in the tables that past_of_holder() leaves without a word of the holder. :id is the holder, :other the booking.
constexpr const char* further_rows[] = {
    "UPDATE svc_booking_status_log SET reason = 'Zebedee agreed' WHERE booking_id = :other",
    "UPDATE svc_booking_travelers SET fields = '{\"first_name\":\"Zebedee\"}' WHERE booking_id = :other",
    "UPDATE svc_payments SET notes = 'From Zebedee' WHERE booking_id = :other",
    "DELETE FROM svc_booking_clients WHERE booking_id = :other",
    "INSERT INTO svc_booking_clients (booking_id, client) VALUES (:other, 'quincunx')",
    "INSERT INTO svc_booking_consents (booking_id, analytics, marketing, user_agent, decided_at) VALUES (:other, 1, 1,"
    " 'quincunx', 0)",
    "UPDATE svc_booking_sessions SET form_data = 'Zebedee' WHERE booking_id = :other",
    "INSERT INTO svc_checkout_events (session_id, event_id, created_at) SELECT id, 'quincunx', 0 FROM"
    " svc_booking_sessions WHERE booking_id = :other",
    "INSERT INTO svc_access_tokens (purpose, subject_type, subject_id, token_hash, email, expires_at, created_at) "
    "VALUES"
    " ('pay_link', 'booking', :other, '0123456789012345678901234567890123456789012345678901234567890123',"
    " 'a_svc_customer@example.org', 0, 0)",
    "INSERT INTO svc_discounts (code, name, mode, currency, status, search, created_at, updated_at) VALUES"
    " ('TEN', 'Ten', 'promo', 'EUR', 'draft', 'ten', 0, 0)",
    "INSERT INTO svc_discount_redemptions (discount_id, booking_id, customer_id, email_lower, is_coupon, amount_minor,"
    " currency, status, created_at, updated_at) SELECT d.id, b.id, b.customer_id, 'a_svc_customer@example.org', 1, 0,"
    " b.currency, 'released', 0, 0 FROM svc_discounts d, svc_bookings b WHERE b.id = :other",
    "INSERT INTO svc_refunds (payment_id, booking_id, gateway, call_key, amount_minor, currency, status, reason, "
    "source,"
    " ask_at, created_at, updated_at) SELECT id, booking_id, gateway, 'k', 100, currency, 'failed', 'Zebedee fell ill',"
    " 'admin', 0, 0, 0 FROM svc_payments WHERE booking_id = :other",
    "INSERT INTO svc_payment_intents (booking_id, gateway, call_key, purpose, amount_minor, currency, status,"
    " return_url, last_error, reconciliation, ask_at, expires_at, created_at, updated_at) VALUES (:other, 'stripe', "
    "'k',"
    " 'remaining', 100, 'EUR', 'expired', 'https://example.org/quincunx', 'No card of Zebedee', 'settled', 0, 0, 0, 0)",
    "INSERT INTO svc_gateway_events (gateway, event_id, type, body_hash, intent_id, transaction_id, payload, status, "
    "note,"
    " booking_id, received_at) VALUES ('stripe', 'e', 't', 'h', '', '', '{\"name\":\"Zebedee\"}', 'processed', '',"
    " :other, 0)",
    "INSERT INTO svc_held_charges (user_id, gateway, call_key, amount_minor, currency, status, return_url, is_test,"
    " reconciliation, ask_at, expires_at, created_at) VALUES (:id, 'stripe', 'h', 100, 'EUR', 'released',"
    " 'https://example.org/quincunx', 1, 'settled', 0, 0, 0)",
    "INSERT INTO svc_saved_payment_methods (customer_id, user_id, gateway, gateway_method_id, brand, created_at) SELECT"
    " id, user_id, 'stripe', 'm', 'Quincunx', 0 FROM svc_customers WHERE user_id = :id",
    "INSERT INTO svc_enquiry_messages (enquiry_id, direction, body, created_at) SELECT id, 'in', 'Quincunx', 0 FROM"
    " svc_enquiries",
    "INSERT INTO svc_customer_addresses (customer_id, email, email_lower, email_key, created_at) SELECT id,"
    " 'quirinus@old.example.org', 'quirinus@old.example.org', '', 0 FROM svc_customers WHERE user_id = :id",
    "INSERT INTO svc_reviews (trip_id, user_id, author_name, author_email, email_lower, rating, content, status, "
    "search,"
    " created_at, updated_at) SELECT trip_id, :id, 'Zebedee', 'a_svc_customer@example.org', "
    "'a_svc_customer@example.org',"
    " 5, 'Good', 'pending', 'zebedee', 0, 0 FROM svc_bookings WHERE id = :other",
    "INSERT INTO svc_booking_form_files (code, booking_id, field, name, mime_type, byte_size, content, is_answer,"
    " created_at) VALUES ('file-1.pdf', :other, 'Quincunx', '', 'application/pdf', 1, '', 1, 0)",
    "INSERT INTO svc_tasks (task_key, type, status, created_at) VALUES ('t', 'import', 'completed', 0)",
    "INSERT INTO svc_task_rows (task_id, entity, old_id, new_id, outcome, before) SELECT id, 'customers', '1', 1,"
    " 'updated', '{\"email\":\"a_svc_customer@example.org\"}' FROM svc_tasks",
    "INSERT INTO svc_task_rows (task_id, entity, old_id, new_id, outcome, before) SELECT t.id, 'booking_travelers', "
    "'1',"
    " r.id, 'updated', 'Zebedee' FROM svc_tasks t, svc_booking_travelers r WHERE r.booking_id = :other",
    "INSERT INTO svc_rate_limits (bucket, subject, busy_until) VALUES ('a_test', 'a_svc_customer@example.org', 0)"};

TEST_CASE("each table that states whose its rows are is reached by an erasure") {
    at_each_account_desk([](AccountDesk& desk) {
        const auto booking = past_of_holder(desk);
        ended(desk);
        for (const char* statement : further_rows) {
            CAPTURE(statement);
            desk.execute_for_holder(statement, booking.id);
        }
        const std::vector<std::string> traces{"zebedee", "quirinus", "quincunx", "a_svc_customer"};
        std::set<std::string> found;
        for (const std::string& trace : traces)
            for (const std::string& place : places_of(desk, trace))
                found.insert(place.substr(0, place.find('.')));
        std::size_t personal = 0;
        for (const facts::Table& table : facts::of_base().tables())
            if (!table.erased.empty() || !table.naming.empty()) {
                CAPTURE(table.name);
                CHECK(found.contains(table.name));
                ++personal;
            }
        CHECK(personal == 25);
        for (const char* further : {"svc_reviews", "svc_domain_events", "svc_issued_documents"})
            CHECK(found.contains(further));
        const auto erased = desk.assembly->privacy.erase(desk.address);
        REQUIRE(erased);
        CHECK(erased->maybe_integer("svc_task_rows") == 2);
        CHECK(erased->maybe_integer("svc_payment_intents") == 1);
        REQUIRE(desk.assembly->hooks.drain());
        for (const std::string& trace : traces)
            for (const std::string& place : places_of(desk, trace)) {
                CAPTURE(trace);
                CHECK(place == "svc_issued_documents.customer");
            }
    });
}

TEST_CASE("facts name columns that their tables have, and blank no column that needs a value") {
    at_each_account_desk([](AccountDesk& desk) {
        desk.assembly->store->read([](store::Session& session) {
            for (const facts::Table& table : facts::of_base().tables()) {
                CAPTURE(table.name);
                const record::RawTable raw(session, table.name);
                const auto column = [&](const std::string& name) {
                    CAPTURE(name);
                    // An expression is not looked up.
                    const bool is_name = name.find_first_of("( ") == std::string::npos;
                    const auto* found = is_name ? raw.find(name) : nullptr;
                    CHECK((found || !is_name));
                    return found;
                };
                for (const facts::Reference& reference : table.refers)
                    column(reference.column);
                for (const facts::Erased& erased : table.erased) {
                    for (const facts::Whose& whose : erased.of)
                        column(whose.column);
                    for (const facts::Blank& blank : erased.blanked) {
                        CAPTURE(blank.column);
                        const auto* found = column(blank.column);
                        CHECK((blank.value != facts::null || (found && found->nullable)));
                    }
                    for (const char* name : {"updated_at", "row_version"})
                        if (erased.is_record)
                            column(name);
                }
                for (const facts::Naming& naming : table.naming)
                    column(naming.column);
                for (const facts::Carried& carried : table.carried) {
                    for (const std::string& name : carried.key)
                        column(name);
                    CHECK((carried.parent.empty() ||
                           std::any_of(table.refers.begin(), table.refers.end(),
                                       [&](const auto& reference) { return reference.column == carried.parent; })));
                }
                for (const facts::Exported& exported : table.exported)
                    for (const facts::Exported::Member& member : exported.members)
                        column(member.column);
            }
        });
    });
}

}  // namespace
}  // namespace svc::tests
