// Settings as they are written from outside.
#include <doctest/doctest.h>

#include "tests/support/test_base.hpp"

using namespace svc;
using namespace svc::tests;
using json::Value;

namespace {

void each_base(const std::function<void(TestBase&)>& body) {
    each_database([&](Database& database) {
        CAPTURE(database.name());
        TestBase base(database);
        body(base);
    });
}

Answered put(TestBase& base, const char* json) {
    return base.call("PUT", "/settings", json, base.user("administrator"));
}
Value shown(TestBase& base, const char* group = "") {
    return base.get(std::string("/settings?group=") + group, base.user("administrator")).data();
}

}  // namespace

TEST_CASE("what the server keeps for itself is shown and nobody's to write") {
    each_base([](TestBase& base) {
        const Value before = shown(base);
        const auto written = put(base, R"({"booking_expiry_since":"2020-01-01T00:00:00Z","company_name":"Peaks",
            "booking_autocomplete_since":"nonsense","no_such":1})");
        REQUIRE(written.status == 200);
        std::string rejected;
        for (const Value& key : written.data()["rejected_keys"].items())
            rejected += key.text() + " ";
        CHECK(rejected == "no_such booking_expiry_since booking_autocomplete_since ");
        CHECK(written.data()["updated"].dump() == R"(["company_name"])");
        const Value after = shown(base);
        for (const char* key : {"booking_expiry_since", "booking_autocomplete_since"})
            CHECK(after[key] == before[key]);
        CHECK(after.text_or("company_name") == "Peaks");
    });
}

TEST_CASE("addresses are e-mail addresses, and the key at fault is named as it was sent") {
    each_base([](TestBase& base) {
        for (const char* json : {R"({"admin_email":"desk@example.org, nonsense"})", R"({"from_email":"nonsense"})",
                                 R"({"email_from_address":"a@b, c@d"})", R"({"email_always_bcc":"x y"})",
                                 R"({"email_tpl_booking_cc":"nobody"})", R"({"payment_gateways":["no_such"]})"}) {
            CAPTURE(json);
            const auto refused = put(base, json);
            CHECK(refused.status == 400);
            CHECK(std::string(json).starts_with("{\"" + refused.field() + "\""));
        }
        CHECK(put(base, R"({"admin_email":"desk@example.org; boss@example.org","from_email":"",
            "email_always_bcc":""})")
                  .status == 200);
    });
}

TEST_CASE("settings are found by the beginning of their key, and told by the names they were sent under") {
    each_base([](TestBase& base) {
        const Value smtp = shown(base, "smtp");
        CHECK(smtp.find("smtp_host") != nullptr);
        CHECK(smtp.find("admin_email") == nullptr);
        CHECK(shown(base, "email").find("smtp_host") != nullptr);  // its group
        const auto written = put(base, R"({"booking_horizon_months":99,"default_currency":"EUR",
            "currency_position":"after"})");
        REQUIRE(written.status == 200);
        CHECK(written.data()["updated"].dump() ==
              R"(["booking_horizon_months","default_currency","currency_position"])");
        const Value now = shown(base);
        CHECK(now["availability_horizon_months"].integer() == 36);
        CHECK(now.text_or("currency") == "EUR");
        CHECK(now.text_or("currency_position") == "right");
        CHECK(put(base, R"({"currency_position":"before"})").data()["settings"].text_or("currency_position") == "left");
    });
}

TEST_CASE("a charge is prepared ten times a minute for a booking, and what the page says of its amount is only noted") {
    each_base([](TestBase& base) {
        const auto trip = base.given_trip();
        base.given_departure(trip, 30, 5);
        const auto booking = base.given_booking(trip), other = base.given_booking(trip, 30, "Hopper");
        const auto begin = [&](std::int64_t id, const char* more) {
            return base.call("POST", "/payment/create-intent",
                             R"({"gateway":"pay_later","booking_id":)" + std::to_string(id) + more + "}");
        };
        int asked = 0;
        for (const char* said : {R"(,"amount":"a lot","currency":"dollars")", R"(,"amount":-1,"currency":7)",
                                 R"(,"amount":{"x":1})", R"(,"amount":12345678901234567890,"currency":"EUR")"}) {
            CAPTURE(said);
            CHECK(begin(booking.id, said).status == 200);
            CHECK(base.number("SELECT COUNT(*) FROM svc_domain_events WHERE name = 'svc_payment_amount_mismatch'") ==
                  ++asked);
        }
        for (; asked < 10; ++asked)
            CHECK(begin(booking.id, "").status == 200);
        const auto refused = begin(booking.id, "");
        CHECK(refused.status == 429);
        CHECK(std::stoi(refused.header("Retry-After")) >= 1);
        CHECK(begin(other.id, "").status == 200);
    });
}
