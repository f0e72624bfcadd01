// Booking behind reCAPTCHA, with a stand-in for who is asked.
#include <doctest/doctest.h>

#include "base/people/identity/human_check.hpp"
#include "tests/support/test_base.hpp"

using namespace svc;
using namespace svc::tests;
using json::Value;

TEST_CASE(
    "a protected form is sent by who is a person by the word of who is asked, and by nobody while nobody answers") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        TestBase base(database);
        auto& parts = *base.assembly;
        std::vector<outbound::FetchRequest> asked;
        int status = 200;
        std::string body = R"({"success":true,"score":0.9})";
        bool gone = false;
        const identity::HumanCheck human(
            parts.settings, parts.hooks, [&](const outbound::FetchRequest& request) -> Result<outbound::FetchAnswer> {
                asked.push_back(request);
                if (gone)
                    return errc::upstream_error;
                return outbound::FetchAnswer{.status = status, .headers = {}, .body = body};
            });
        const auto passes = [&](const std::string& token = "t&k") {
            const auto result = human.check("booking", token, "192.0.2.7");
            CHECK((result || result.error().code().name == "recaptcha_failed"));
            return bool(result);
        };
        const auto set = [&](const char* text) {
            REQUIRE(base.call("PUT", "/settings", text, base.user("administrator")).status == 200);
        };
        CHECK(passes(""));  // not protected
        CHECK(asked.empty());
        set(R"({"recaptcha_enabled":true,"recaptcha_protect_booking":true})");
        CHECK_FALSE(passes());  // without a key nobody can be asked: closed
        CHECK(asked.empty());
        set(R"({"recaptcha_secret_key":"s3cret+1","recaptcha_verify_url":"https://verify.example/ask"})");
        CHECK(passes());
        REQUIRE(asked.size() == 1);
        CHECK(asked[0].url == "https://verify.example/ask");
        CHECK(asked[0].body == "secret=s3cret%2B1&response=t%26k&remoteip=192.0.2.7");
        CHECK_FALSE(passes(""));
        CHECK(asked.size() == 1);
        for (const char* told : {R"({"success":true,"score":0.4})", R"({"success":false})", R"({"success":"yes"})",
                                 R"({"success":true,"score":"high"})", "[]", "no JSON"}) {
            body = told;
            CHECK_MESSAGE(!passes(), told);
        }
        body = R"({"success":true})";  // version 2 tells no score
        CHECK(passes());
        body = R"({"success":true,"score":0.4})";
        set(R"({"recaptcha_score_threshold":0.3})");
        CHECK(passes());
        status = 500;
        CHECK_FALSE(passes());
        gone = true;
        CHECK_FALSE(passes());
        CHECK(human.check("enquiry", "", "192.0.2.7"));  // another form, which is not protected
    });
}

TEST_CASE("a booking without the proof is rejected before anything is made, and the key is never returned") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        TestBase base(database);
        const auto trip = base.given_trip();
        base.given_departure(trip);
        const auto admin = base.user("administrator");
        REQUIRE(base.call("PUT", "/settings",
                          R"({"recaptcha_enabled":true,"recaptcha_protect_booking":true,
                              "recaptcha_secret_key":"canary-recaptcha-secret"})",
                          admin)
                    .status == 200);
        CHECK(base.get("/settings", admin).text.find("canary-recaptcha") == std::string::npos);
        const auto session =
            base.post("/booking/session", Value::object({{"trip_id", trip}, {"travel_date", base.day(30)}}));
        const auto refused =
            base.post("/booking/create", filled_in(Value::object({{"session_id", session.data()["session_id"]}})));
        CHECK(refused.status == 400);
        CHECK(refused.code() == "recaptcha_failed");
        CHECK(refused.field() == "recaptcha_token");
        CHECK(base.number("SELECT COUNT(*) FROM svc_bookings") == 0);
        // Faults of the form are only reported to a person.
        for (const Value& body : {Value::object(), Value::object({{"session_id", session.data()["session_id"]}}),
                                  Value::object({{"recaptcha_token", 7}, {"expected_total", "much"}})}) {
            const auto early = base.post("/booking/create", body);
            CHECK(early.code() == "recaptcha_failed");
            CHECK(early.field() == "recaptcha_token");
        }
        // Staff are known by their sign-in.
        CHECK(base.post("/bookings",
                        Value::object({{"trip_id", trip},
                                       {"travel_date", base.day(30)},
                                       {"contact_first_name", "Ada"},
                                       {"contact_email", "ada@example.org"}}),
                        admin)
                  .status == 201);
    });
}
