// One's own profile, payments, documents and enquiries.
#include "tests/base/people/my_account/account_desk.hpp"

namespace svc::tests {
namespace {

using json::Value;

TEST_CASE("a profile is empty until its holder first writes it, and hides what is staff's") {
    at_each_account_desk([](AccountDesk& desk) {
        const auto empty = desk.get("/customers/me", desk.holder);
        CAPTURE(empty.text);
        CHECK(empty.status == 200);
        CHECK(empty.data()["id"].is_null());
        CHECK(empty.data()["email"].text() == desk.address);
        CHECK(empty.data()["total_bookings"].integer() == 0);
        CHECK(desk.number("SELECT COUNT(*) FROM svc_customers") == 0);
        const auto changed =
            desk.change(parsed(R"({"first_name":"Ada","last_name":"Lovelace","phone":"+44 20 7946 0000",
            "country_code":"GB","date_of_birth":"1990-12-10","email":"other@example.org","status":"blocked",
            "notes":"mine","loyalty_points":9000})"));
        CAPTURE(changed.text);
        REQUIRE(changed.status == 200);
        CHECK(changed.data()["name"].text() == "Ada Lovelace");
        CHECK(changed.data()["country"].text() == "GB");
        CHECK(changed.data()["email"].text() == desk.address);
        CHECK(changed.data()["status"].text() == "active");
        CHECK(changed.data()["loyalty_points"].integer() == 0);
        for (const char* hidden : {"notes", "tags"})
            CHECK(changed.data().find(hidden) == nullptr);
        CHECK(desk.change(parsed(R"({"city":"London"})")).data()["first_name"].text() == "Ada");
        CHECK(desk.change(parsed(R"({"country":"Deutschland"})")).data()["country"].text() == "DE");
        CHECK(desk.number("SELECT COUNT(*) FROM svc_customers") == 1);
    });
}

TEST_CASE("a profile names every fault: telephone, country and an age under eighteen") {
    at_each_account_desk([](AccountDesk& desk) {
        const auto refused = desk.change(Value::object(
            {{"phone", "call me"}, {"country", "Atlantis"}, {"gender", "x"}, {"date_of_birth", desk.day(-365 * 17)}}));
        CHECK(refused.status == 400);
        for (const char* field : {"phone", "country", "gender", "date_of_birth"})
            CHECK(refused.body["data"]["errors"].find(field) != nullptr);
        CHECK(desk.change(Value::object({{"country", "ZZ"}})).field() == "country");
        CHECK(desk.number("SELECT COUNT(*) FROM svc_customers") == 0);
    });
}

TEST_CASE("account holders read and write the further fields of customers, and no others") {
    at_each_account_desk([](AccountDesk& desk) {
        desk.ask_further_fields();
        CHECK(desk.get("/customers/me", desk.holder).data()["asked_fields"].size() == 5);
        const auto changed = desk.change(parsed(R"({"first_name":"Ada","fields":{"shoe_size":"41","club":"Alpine"}})"));
        CAPTURE(changed.text);
        REQUIRE(changed.status == 200);
        CHECK(desk.get("/customers/me", desk.holder).data()["fields"] ==
              parsed(R"({"shoe_size":"41","club":"Alpine"})"));
        CHECK(desk.change(parsed(R"({"fields":{"shoe_size":"big"}})")).field() == "fields.shoe_size");
        CHECK(desk.change(parsed(R"({"fields":{"hat":"big"}})")).field() == "fields.hat");
        CHECK(desk.get("/customers/me", desk.holder).data()["fields"]["shoe_size"].text() == "41");
    });
}

TEST_CASE("the record that a booking made of a proven address becomes its account's with the first write") {
    at_each_account_desk([](AccountDesk& desk) {
        const auto id = desk.made("Ada", "Lovelace", desk.address, parsed(R"({"confirm_link_existing":true})"));
        desk.run("UPDATE svc_customers SET user_id = NULL");
        CHECK(desk.change(parsed(R"({"city":"London"})")).data()["id"] == Value(id));
    });
}

TEST_CASE("an account that is not proven owns nothing and sees nothing") {
    at_each_account_desk([](AccountDesk& desk) {
        REQUIRE(desk.change(parsed(R"({"first_name":"Ada","city":"London"})")).status == 200);
        const auto booking = desk.given_booking(desk.given_trip());
        desk.owns(booking);
        desk.pays(booking);
        desk.post("/enquiries", Value::object({{"name", "Ada"}, {"email", desk.address}, {"message", "Hi"}}));
        CHECK(desk.get("/customers/my-payments", desk.holder).data().size() == 1);
        CHECK(desk.get("/customers/my-support-tickets", desk.holder).data().size() == 1);
        const auto session = desk.cookie("svc_customer", true);
        desk.unproven();
        desk.holder = session;  // an application password is none of an account that is not proven
        const auto profile = desk.get("/customers/me", desk.holder);
        CHECK(profile.data()["id"].is_null());
        CHECK(profile.text.find("London") == std::string::npos);
        CHECK(!profile.data()["email_verified"].boolean());
        CHECK(desk.change(parsed(R"({"city":"Paris"})")).code() == "needs_verification");
        CHECK(desk.ask_for("new@example.org").code() == "needs_verification");
        for (const char* list : {"/customers/my-payments", "/customers/my-documents", "/customers/my-support-tickets"})
            CHECK(desk.get(list, desk.holder).data().size() == 0);
    });
}

TEST_CASE("payments of one's own bookings come with what the booking still costs, and nobody else's") {
    at_each_account_desk([](AccountDesk& desk) {
        const auto trip = desk.given_trip();
        const auto own = desk.given_booking(trip), other = desk.given_booking(trip);
        desk.owns(own);
        desk.pays(own);
        desk.pays(other);
        const auto found = desk.get("/customers/my-payments", desk.holder);
        CAPTURE(found.text);
        REQUIRE(found.data().size() == 1);
        const Value& payment = found.data().items()[0];
        CHECK(payment["booking_id"] == Value(own.id));
        CHECK(payment["amount_paid"].number_text() == "10.00");
        CHECK(payment.find("amount_due") != nullptr);
        CHECK(payment.find("notes") == nullptr);
        CHECK(found.body["meta"]["total"].integer() == 1);
    });
}

TEST_CASE("my-documents lists documents of one's own active bookings, and their links open without signing in") {
    at_each_account_desk([](AccountDesk& desk) {
        const auto booking = desk.given_booking(desk.given_trip());
        desk.owns(booking);
        CHECK(desk.get("/customers/my-documents", desk.holder).data().size() == 0);
        desk.confirm_booking(booking);
        desk.pays(booking);
        const auto found = desk.get("/customers/my-documents", desk.holder);
        CAPTURE(found.text);
        REQUIRE(found.data().size() == 3);
        for (const Value& each : found.data().items()) {
            const std::string url = each["url"].text();
            const auto at = url.find(desk.assembly->options.base_path);
            REQUIRE(at != std::string::npos);
            CHECK(desk.get(url.substr(at)).status == 200);
        }
    });
}

TEST_CASE("support tickets are the enquiries of one's own address, without spam and without who answered") {
    at_each_account_desk([](AccountDesk& desk) {
        for (const std::string& from : {desk.address, desk.address, std::string("other@example.org")})
            desk.post("/enquiries", Value::object({{"name", "Ada"}, {"email", from}, {"message", "Hi"}}));
        desk.run("UPDATE svc_enquiries SET status = 'spam' WHERE id = 1");
        const auto found = desk.get("/customers/my-support-tickets", desk.holder);
        CHECK(found.data().size() == 1);
        CHECK(found.data().items()[0].find("responded_by") == nullptr);
    });
}

TEST_CASE("staff read a support ticket among the enquiries and answer it, and its holder reads the answer") {
    at_each_account_desk([](AccountDesk& desk) {
        const auto sent = desk.post(
            "/enquiries", Value::object({{"name", "Ada"}, {"email", desk.address}, {"message", "May I bring a dog?"}}));
        REQUIRE(sent.status == 201);
        const std::string path = "/enquiries/" + std::to_string(sent.data()["enquiry_id"].integer());
        CHECK(desk.get("/enquiries?search=dog", desk.user("manager")).data().size() == 1);
        REQUIRE(desk.post(path + "/respond", Value::object({{"response", "Dogs are welcome."}}), desk.user("manager"))
                    .status == 200);
        CHECK(desk.mails("enquiry_response", desk.address) == 1);
        const auto tickets = desk.get("/customers/my-support-tickets", desk.holder);
        REQUIRE(tickets.data().size() == 1);
        CHECK(tickets.data().items()[0]["status"].text() == "responded");
        CHECK(tickets.data().items()[0]["response_notes"].text() == "Dogs are welcome.");
    });
}

TEST_CASE("what is another person's is not found, refused or left out, whatever an account's holder asks for") {
    at_each_account_desk([](AccountDesk& desk) {
        const auto trip = desk.given_trip();
        const auto other = desk.given_booking(trip);
        desk.confirm_booking(other);
        desk.pays(other);
        desk.post("/enquiries", Value::object({{"name", "B"}, {"email", "b@example.org"}, {"message", "Mine"}}));
        const auto review = desk.post(
            "/reviews",
            Value::object(
                {{"trip_id", trip}, {"rating", 5}, {"author_name", "B"}, {"content", "Fine"}, {"status", "pending"}}),
            desk.user("manager"));
        REQUIRE(review.status == 201);
        const std::string booking = std::to_string(other.id);
        const std::string of_review = std::to_string(review.data()["id"].integer());
        CHECK(desk.get("/customers/my-bookings/" + booking, desk.holder).status == 404);
        // As for a number that nobody has.
        const auto cancelled = [&](const std::string& id) {
            return desk.post("/customers/my-bookings/" + id + "/cancel", Value::object({}), desk.holder);
        };
        CHECK(cancelled(booking).status == 403);
        CHECK(cancelled(booking).code() == cancelled("4711").code());
        for (const char* list : {"/customers/my-bookings", "/customers/my-payments", "/customers/my-documents",
                                 "/customers/my-support-tickets", "/customers/me/payment-methods"}) {
            CAPTURE(list);
            CHECK(desk.get(list, desk.holder).data().size() == 0);
        }
        CHECK(desk.put("/my-reviews/" + of_review, Value::object({{"rating", 1}}), desk.holder).status == 403);
        const std::vector<std::string> of_staff{"/customers",   "/customers/1",          "/enquiries",
                                                "/enquiries/1", "/reviews/" + of_review, "/bookings/" + booking};
        for (const std::string& staff_only : of_staff)
            CHECK(desk.get(staff_only, desk.holder).status == 403);
        // Nor does the profile take the record of another one.
        const auto customer = desk.number("SELECT customer_id FROM svc_bookings");
        REQUIRE(desk.change(parsed(R"({"first_name":"Ada","email":"ada@example.org","id":1,"user_id":1})")).status ==
                200);
        CHECK(desk.get("/customers/me", desk.holder).data()["id"] != Value(customer));
        CHECK(desk.get("/customers/me", desk.holder).data()["email"].text() == desk.address);
    });
}

}  // namespace
}  // namespace svc::tests
