// A person's data as a file, and its erasure: by mailed link and by command's door.
#include "tests/base/account/account_desk.hpp"

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

}  // namespace
}  // namespace svc::tests
