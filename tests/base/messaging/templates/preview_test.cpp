// The routes of e-mail templates.
#include <doctest/doctest.h>

#include "base/messaging/templates/templates.hpp"
#include "tests/support/each_on.hpp"
#include "tests/support/test_base.hpp"

using namespace svc;
using namespace svc::tests;
using json::Value;

namespace {

struct Words {
    explicit Words(Database& database)
        : base(database), admin(base.user("administrator")), trip(base.given_trip("Nile & more")) {
        base.given_departure(trip);
    }
    Answered preview(Value body) { return base.post("/email-template-preview", body, admin); }

    TestBase base;
    Visitor admin;
    std::int64_t trip;
};

}  // namespace

TEST_CASE("an e-mail is previewed with samples, for a trip and for a booking, and by those who may alone") {
    each_on<Words>([](Words& words) {
        const auto samples = words.preview(Value::object({{"template_key", "payment_received"}}));
        REQUIRE(samples.status == 200);
        CHECK(samples.data().text_or("subject") == "We have received your payment for SVC-7K3M9Q2P");
        CHECK(samples.data().text_or("body").find("USD 480.00") != std::string::npos);
        CHECK(samples.data().text_or("text").find("Amount: USD 480.00") != std::string::npos);
        const auto trip = words.preview(
            Value::object({{"template_key", "booking_confirmed"}, {"trip_id", words.trip}, {"locale", "fr"}}));
        CHECK(trip.data().text_or("body").find("Nile &amp; more</a>") != std::string::npos);
        CHECK(trip.data().text_or("body").find("Bonjour Ada Lovelace,") != std::string::npos);

        const auto booking = words.base.given_booking(words.trip);
        const auto real =
            words.preview(Value::object({{"template_key", "booking_confirmed"}, {"booking_id", booking.id}}));
        REQUIRE(real.status == 200);
        CHECK(real.data().text_or("subject").find(booking.reference) != std::string::npos);

        for (const auto& [body, field] :
             {std::pair{Value::object({{"template_key", "none"}}), "template_key"},
              {Value::object({{"template_key", "booking_confirmed"}, {"body", "{{ bookin_reference }}"}}), "body"},
              {Value::object({{"template_key", "booking_confirmed"}, {"subject", "{{ x"}}), "subject"}}) {
            const auto refused = words.preview(body);
            CHECK(refused.status == 400);
            CHECK(refused.field() == field);
        }
        CHECK(words.preview(Value::object({{"template_key", "booking_confirmed"}, {"booking_id", 999'999}})).status ==
              404);
        CHECK(words.preview(Value::object({{"template_key", "booking_confirmed"}, {"trip_id", 999'999}})).status ==
              404);
        CHECK(words.base
                  .post("/email-template-preview", Value::object({{"template_key", "booking_confirmed"}}),
                        words.base.user("svc_customer"))
                  .status == 403);
    });
}

TEST_CASE("every e-mail is listed with the settings that it has, is previewed by its name and has tags") {
    each_on<Words>([](Words& words) {
        const auto listed = words.base.get("/email-template-catalog", words.admin);
        REQUIRE(listed.status == 200);
        CHECK(listed.data().size() == messaging::templates().size());
        const Value settings = words.base.get("/settings", words.admin).data();
        for (const Value& each : listed.data().items()) {
            const std::string key = each.text_or("key");
            CAPTURE(key);
            for (const char* name : {"switch_setting", "subject_setting", "body_setting"})
                CHECK(settings.find(each.text_or(name)) != nullptr);
            CHECK(words.preview(Value::object({{"template_key", key}})).status == 200);
            CHECK(words.base.get("/email-template-variables?template_key=" + key, words.admin).data().size() > 0);
        }
    });
}

TEST_CASE("an e-mail is sent to its writer alone, who is told when there is no mail server") {
    each_on<Words>([](Words& words) {
        const auto test = [&](Value body) { return words.base.post("/email-template-test", body, words.admin); };
        const auto unsent = test(Value::object({{"template_key", "payment_received"}}));
        CAPTURE(unsent.text);
        REQUIRE(unsent.status == 200);
        CHECK_FALSE(unsent.data()["sent"].boolean());
        CHECK(unsent.data().text_or("to") == words.base.get("/auth/me", words.admin).data()["user"].text_or("email"));
        CHECK(test(Value::object({{"template_key", "booking"}})).field() == "template_key");
        CHECK(test(Value::object({{"template_key", "payment_received"}, {"body", "{{ nothing_such }}"}})).field() ==
              "body");
        // A booking is rendered for those who may read it.
        const auto booking = words.base.given_booking(words.trip);
        const Value of_booking = Value::object({{"template_key", "booking_confirmed"}, {"booking_id", booking.id}});
        for (const char* route : {"/email-template-test", "/email-template-preview"})
            CHECK(words.base.post(route, of_booking, words.base.user("marketing")).status == 403);
    });
}

TEST_CASE("the tags of an e-mail are listed by category, and saving a text with another one is refused") {
    each_on<Words>([](Words& words) {
        const auto tags = words.base.get("/email-template-variables?template_key=payment_reminder", words.admin);
        REQUIRE(tags.status == 200);
        bool has_due = false;
        for (const Value& tag : tags.data()["payment"].items())
            has_due |= tag.text_or("key") == "due_date" && !tag.text_or("label").empty();
        CHECK(has_due);
        CHECK(words.base.get("/email-template-variables?template_key=none", words.admin).status == 400);
        CHECK(words.base.get("/email-template-variables", words.admin).data()["account"].size() > 0);
        const auto saved = words.base.call(
            "PUT", "/settings", R"({"email_tpl_booking_confirmed_body":"<p>{{ custmer_name }}</p>"})", words.admin);
        CHECK(saved.status == 400);
        CHECK(saved.text.find("{{ customer_name }}") != std::string::npos);
    });
}

TEST_CASE("a booking keeps the language of its e-mails, and a booking without one has none") {
    each_on<Words>([](Words& words) {
        const auto make = [&](Value more) {
            const auto session = words.base.post(
                "/booking/session",
                Value::object({{"trip_id", words.trip}, {"travel_date", words.base.day(30)}, {"travelers_count", 1}}));
            Value body = filled_in(Value::object({{"session_id", session.data()["session_id"]},
                                                  {"contact_first_name", "Ada"},
                                                  {"contact_last_name", "Lovelace"},
                                                  {"contact_email", "ada@example.org"}}));
            for (auto& [name, value] : more.members())
                body.set(name, value);
            const auto made = words.base.post("/booking/create", body);
            REQUIRE(made.status == 201);
            return words.base.number("SELECT MAX(id) FROM svc_bookings");
        };
        const auto german = make(Value::object({{"locale", "de"}}));
        const auto one = "/bookings/" + std::to_string(german);
        CHECK(words.base.get(one, words.admin).data().text_or("locale") == "de");
        REQUIRE(words.base.assembly->hooks.drain());
        CHECK(words.base.number("SELECT COUNT(*) FROM svc_email_outbox WHERE subject LIKE 'Wir haben Ihre Buchung%'") ==
              1);
        const auto plain = make(Value::object());
        CHECK(words.base.get("/bookings/" + std::to_string(plain), words.admin).data()["locale"].is_null());
    });
}

TEST_CASE("a test e-mail without a mail server names the settings to set") {
    each_on<Words>([](Words& words) {
        const auto tried =
            words.base.post("/settings/test-email", Value::object({{"to", "a@example.org"}}), words.admin);
        REQUIRE(tried.status == 200);
        CHECK_FALSE(tried.data()["sent"].boolean());
        CHECK(tried.data().text_or("message").find("smtp_host") != std::string::npos);
        CHECK(words.base.post("/settings/test-email", Value::object({{"to", "nobody"}}), words.admin).status == 400);
    });
}
