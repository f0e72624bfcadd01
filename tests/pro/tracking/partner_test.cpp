// Partners that fail, throttle, refuse and lie; the routes of both modules; what becomes of the data.
#include "pro/tracking/browser.hpp"
#include "shared/core/words.hpp"
#include "tests/pro/tracking/reported.hpp"

using namespace svc;
using namespace svc::tests;

namespace {

using Texts = std::vector<std::string>;

constexpr const char* bad_token =
    R"({"error":{"message":"Error validating access token: it has expired.","type":"OAuthException","code":190}})";
constexpr const char* bad_event =
    R"({"error":{"message":"Invalid parameter","type":"OAuthException","code":100,"error_user_msg":"The value is wrong."}})";

Answered test(Reported& base, const std::string& path, const std::string& body) {
    return base.call("POST", path, body, base.admin());
}

}  // namespace

TEST_CASE("a partner that does not answer rests, is asked again later, and is given up after two days") {
    each_on<Reported>([](Reported& base) {
        Partners::one().answer = [](const Asked&) -> Result<plugin::FetchReply> {
            return Error(errc::upstream_error).because("timed out");
        };
        base.pay(base.booked());
        base.pay(base.booked());
        base.work();
        base.work();
        CHECK(Reported::asked("facebook.com").size() == 1);  // the second event waits too
        CHECK(each_of(base.pixel_log(), "reason") == Texts{"unreachable", "null"});
        CHECK(base.pixel_log()[std::size_t{0}]["answer"].text() == "timed out");
        for (int i = 0; i < 40; ++i) {
            Reported::pass(std::chrono::hours(3));
            base.work();
        }
        CHECK(each_of(base.pixel_log(), "status")[0] == "rejected");
        CHECK(each_of(base.pixel_log(), "reason")[0] == "gave_up");
        CHECK(base.pixel_log()[std::size_t{0}]["attempts"] == Value(8));
    });
}

TEST_CASE("what a partner answers decides: again after overload, after new credentials, or never") {
    each_on<Reported>([](Reported& base) {
        struct Case {
            int status;
            const char *body, *outcome, *reason;
        };
        for (const Case& each :
             {Case{429, "{}", "failed", "throttled"}, Case{500, "oops", "failed", "unreachable"},
              Case{200, "<html>", "failed", "unreachable"},
              Case{200, R"({"events_received":0})", "failed", "unreachable"},
              Case{400, bad_token, "failed", "credentials"}, Case{400, bad_event, "rejected", "refused"},
              Case{400, R"({"error":{"code":4,"message":"Too many calls"}})", "failed", "throttled"},
              Case{400, R"({"error":{"code":1e99,"is_transient":"yes"}})", "rejected", "refused"},
              Case{302, "", "failed", "unreachable"}}) {
            CAPTURE(each.body);
            Partners::one().answer = [&](const Asked& asked) {
                return asked.url.find("facebook") == std::string::npos ? took(asked) : replied(each.status, each.body);
            };
            Reported::pass(std::chrono::hours(1));  // it has rested
            base.run("DELETE FROM svc_tracking_events");
            base.pay(base.booked());
            base.work();
            const Value row = base.pixel_log()[std::size_t{0}];
            CHECK(row["status"].text() == each.outcome);
            CHECK(row["reason"].text() == each.reason);
            CHECK(row["http_status"] == Value(each.status));
        }
    });
}

TEST_CASE("Retry-After is kept, and new settings send what failed at once") {
    each_on<Reported>([](Reported& base) {
        Partners::one().answer = [](const Asked&) { return replied(429, "{}", {{"retry-after", "7200"}}); };
        base.pay(base.booked());
        base.work();
        Reported::pass(std::chrono::minutes(100));
        base.work();
        CHECK(Reported::asked("facebook.com").size() == 1);
        Partners::one().answer = took;
        base.put("/facebook-pixel/settings", R"({"access_token":"another-token"})");
        base.work();
        CHECK(each_of(base.pixel_log(), "status") == Texts{"sent"});
        CHECK(Reported::asked("facebook.com").back().authorization == "Bearer another-token");
        CHECK(each_of(base.google_log(), "status") == Texts{"failed"});
        Reported::pass(std::chrono::minutes(30));
        base.work();
        CHECK(each_of(base.google_log(), "status") == Texts{"sent"});
    });
}

TEST_CASE("an event that is older than the partner takes is left out") {
    each_on<Reported>([](Reported& base) {
        base.pay(base.booked());
        Reported::pass(std::chrono::hours(73));
        base.work();
        CHECK(each_of(base.google_log(), "reason") == Texts{"too_old"});
        CHECK(each_of(base.pixel_log(), "status") == Texts{"sent"});
    });
}

TEST_CASE("an id of another form, as PUT /settings takes it, is no part of an address") {
    each_on<Reported>([](Reported& base) {
        base.put("/settings", R"({"facebook_pixel_id":"1/../me"})");
        base.pay(base.booked());
        base.work();
        CHECK(each_of(base.pixel_log(), "reason") == Texts{"no_credentials"});
        CHECK(Reported::asked("facebook").empty());
        CHECK(each_of(base.google_log(), "status") == Texts{"sent"});
    });
}

TEST_CASE("events and the server's half can be switched off, and a switched off module stores nothing") {
    each_on<Reported>([](Reported& base) {
        base.put("/facebook-pixel/settings", R"({"events":{"refund":false}})");
        base.put("/google-analytics/settings", R"({"server_side":false})");
        const auto payment = base.pay(base.booked());
        base.refund(payment, "1");
        base.work();
        CHECK(each_of(base.pixel_log(), "event") == Texts{"purchase"});
        CHECK(base.google_log().size() == 0);
        const auto events = base.get("/facebook-pixel/events", base.admin()).data();
        CHECK(each_of(events, "key") == Texts{"page_view", "view_item", "begin_checkout", "add_to_cart",
                                              "add_payment_info", "purchase", "refund"});
        CHECK(each_of(events, "name") == Texts{"PageView", "ViewContent", "InitiateCheckout", "AddToCart",
                                               "AddPaymentInfo", "Purchase", "Refund"});
        CHECK(each_of(events, "enabled") == Texts{"true", "true", "true", "true", "true", "true", "false"});
        // Of a chosen date Meta counts both reports once, and Google would count both.
        CHECK(each_of(events, "by_server") == Texts{"false", "false", "false", "true", "true", "true", "true"});
        CHECK(each_of(base.get("/google-analytics/events", base.admin()).data(), "by_server") ==
              Texts{"false", "false", "false", "false", "true", "true", "true"});
        base.turn(false);
        CHECK(base.get("/facebook-pixel/events", base.admin()).code() == "svc_no_route");
        base.pay(base.booked());
        base.work();
        CHECK(base.number("SELECT COUNT(*) FROM svc_tracking_events") == 1);
    });
}

TEST_CASE("modules that were never on have no tables, and jobs and erasures pass") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        Reported base(database, false);
        base.pay(base.given_booking(base.trip));
        base.work();
        REQUIRE(base.assembly->privacy.exported("ada@example.org"));
        CHECK(Partners::one().asked.empty());
    });
}

TEST_CASE("settings mask and seal their secrets, and refuse what cannot be right at its field") {
    each_on<Reported>([](Reported& base) {
        const auto settings = base.get("/facebook-pixel/settings", base.admin()).data();
        CHECK(settings["access_token"].text() == "****oken");
        CHECK(settings["pixel_id"].text() == "123456789012345");
        CHECK(settings["events"]["purchase"] == Value(true));
        CHECK(base.put("/facebook-pixel/settings", settings.dump()) == settings);
        CHECK(base.get("/google-analytics/settings", base.admin()).data()["api_secret"].text() == "****0001");
        CHECK(base.number("SELECT COUNT(*) FROM svc_settings WHERE value LIKE '%secret-token%'"
                          " OR value LIKE '%mp-secret%'") == 0);
        const auto refused = [&](const char* path, const char* body, const char* field) {
            const auto answer = base.call("PUT", path, body, base.admin());
            CAPTURE(answer.text);
            CHECK(answer.status == 400);
            CHECK(answer.field() == field);
        };
        refused("/facebook-pixel/settings", R"({"pixel_id":"12345x"})", "pixel_id");
        refused("/facebook-pixel/settings", R"({"access_token":""})", "access_token");
        refused("/facebook-pixel/settings", R"({"pixel_id":""})", "pixel_id");
        refused("/facebook-pixel/settings", R"({"events":{"purchase":"perhaps"}})", "events.purchase");
        refused("/google-analytics/settings", R"({"measurement_id":"UA-1234-1"})", "measurement_id");
        refused("/google-analytics/settings", R"({"api_secret":""})", "api_secret");
        CHECK(base.put("/facebook-pixel/settings", R"({"server_side":false,"access_token":""})")["access_token"]
                  .text()
                  .empty());
    });
}

TEST_CASE("tests of Meta's id and token say why they fail, in Meta's words") {
    each_on<Reported>([](Reported& base) {
        Partners::one().answer = [](const Asked&) { return replied(200, R"({"id":"7","name":"Shop"})"); };
        auto good = test(base, "/facebook-pixel/test", R"({"pixel_id":"123456789012345"})");
        CHECK(good.data() == Value::object({{"valid", true}, {"cause", nullptr}, {"reason", ""}}));
        CHECK(Reported::asked("/123456789012345?fields=id,name").back().authorization == "Bearer EAAB-secret-token");
        CHECK(Partners::one().asked.back().url.find("secret") == std::string::npos);
        CHECK(test(base, "/facebook-pixel/test", R"({"pixel_id":"12ab"})").data()["cause"].text() == "form");

        CHECK(test(base, "/facebook-pixel/test-token", R"({"access_token":"****oken"})").data()["valid"] ==
              Value(true));
        Partners::one().answer = [](const Asked&) { return replied(400, bad_token); };
        const auto expired = test(base, "/facebook-pixel/test-token", R"({"access_token":"other"})").data();
        CHECK(expired["valid"] == Value(false));
        CHECK(expired["reason"].text() == "Error validating access token: it has expired.");
        CHECK(Partners::one().asked.back().authorization == "Bearer other");
        Partners::one().answer = [](const Asked&) { return replied(200, "<html>"); };
        CHECK(test(base, "/facebook-pixel/test", R"({"pixel_id":"123456789012345"})").status == 502);
        Partners::one().answer = [](const Asked&) -> Result<plugin::FetchReply> {
            return Error(errc::upstream_error).because("timed out");
        };
        const auto silent = test(base, "/facebook-pixel/test-token", R"({"access_token":"other"})");
        CHECK(silent.status == 502);
        CHECK(silent.body.text_or("message").find("timed out") != std::string::npos);
        CHECK(test(base, "/facebook-pixel/test-token", "{}").field() == "access_token");
    });
}

TEST_CASE("tests of Google's id and secret say what the validation server finds, and what it cannot know") {
    each_on<Reported>([](Reported& base) {
        const std::string path = "/google-analytics/validate/measurement-id";
        CHECK(test(base, path, R"({"measurement_id":"G-ABC1234567"})").data()["valid"] == Value(true));
        CHECK(test(base, path, R"({"measurement_id":"UA-1-1"})").data()["cause"].text() == "form");
        CHECK(Partners::one().asked.empty());
        const auto good = test(base, "/google-analytics/test", "{}").data();
        CHECK(good["valid"] == Value(true));
        CHECK(good["cause"].text() == "unproven");
        CHECK(Reported::asked("/debug/mp/collect?measurement_id=G-ABC1234567&api_secret=mp-secret-0001").size() == 1);
        Partners::one().answer = [](const Asked&) {
            return replied(200, R"({"validationMessages":[{"fieldPath":"api_secret","description":"Too short.",)"
                                R"("validationCode":"VALUE_INVALID"}]})");
        };
        const auto refused = test(base, "/google-analytics/validate/api-secret",
                                  R"({"measurement_id":"G-ABC1234567","api_secret":"x y"})");
        CHECK(refused.data()["valid"] == Value(false));
        CHECK(refused.data()["reason"].text() == "api_secret: Too short.");
        CHECK(Partners::one().asked.back().url.ends_with("&api_secret=x%20y"));
        Partners::one().answer = [](const Asked&) { return replied(200, R"({"validationMessages":"none"})"); };
        CHECK(test(base, "/google-analytics/test", "{}").status == 502);
        CHECK(test(base, "/google-analytics/validate/api-secret", R"({"measurement_id":"G-ABC1234567"})").field() ==
              "api_secret");
    });
}

TEST_CASE("while it is tested, Meta gets the test code, and Google validates each event before it is sent") {
    each_on<Reported>([](Reported& base) {
        base.put("/facebook-pixel/settings", R"({"test_event_code":"TEST77"})");
        base.put("/google-analytics/settings", R"({"debug_mode":true})");
        base.pay(base.booked());
        base.work();
        CHECK(Reported::asked("facebook.com")[0].json()["test_event_code"].text() == "TEST77");
        CHECK(Reported::asked("/debug/mp/collect").size() == 1);
        CHECK(Reported::asked("google-analytics.com/mp/collect").size() == 1);
        CHECK(Reported::asked("google-analytics.com/mp/collect")[0].body.find("\"debug_mode\":1") != std::string::npos);
        Partners::one().answer = [](const Asked& asked) {
            return asked.url.find("/debug/") == std::string::npos
                       ? took(asked)
                       : replied(200, R"({"validationMessages":[{"fieldPath":"events","description":"Bad name."}]})");
        };
        base.pay(base.booked());
        base.work();
        CHECK(each_of(base.google_log(), "status") == Texts{"sent", "rejected"});
        CHECK(base.google_log()[std::size_t{1}]["answer"].text().find("Bad name.") != std::string::npos);
        CHECK(Reported::asked("google-analytics.com/mp/collect").size() == 1);
    });
}

TEST_CASE("a person's events are in their export, and gone after the erasure, the modules on or off") {
    each_on<Reported>([](Reported& base) {
        const auto booking = base.booked();
        base.pay(booking);
        base.work();
        base.turn(false);
        const auto exported = base.assembly->privacy.exported("ada@example.org");
        REQUIRE(exported);
        const Value& told = (*exported)["more"]["reported_to_meta"];
        REQUIRE(told.size() == 1);
        CHECK(told[std::size_t{0}]["booking"].text() == booking.reference);
        CHECK((*exported)["more"]["reported_to_google"].size() == 1);
        base.run("UPDATE svc_bookings SET travel_date = '2020-01-01', end_date = '2020-01-02', status = 'completed'");
        const auto erased = base.assembly->privacy.erase("ada@example.org");
        REQUIRE(erased);
        CHECK((*erased)["of_plugins"] == Value(2));
        CHECK(base.number("SELECT COUNT(*) FROM svc_tracking_events") == 0);
    });
}

TEST_CASE("the log is searched by references, and narrowed by event, status and booking") {
    each_on<Reported>([](Reported& base) {
        const auto one = base.booked(), other = base.booked();
        base.refund(base.pay(one), "1");
        base.pay(other);
        base.work();
        const auto found = [&](const std::string& query) {
            return base.get("/facebook-pixel/event-logs?" + query, base.admin()).data().size();
        };
        CHECK(found("search=" + one.reference) == 2);
        CHECK(found("search=" + text::search_key(other.reference)) == 1);
        CHECK(found("search=nothing") == 0);
        CHECK(found("event=refund") == 1);
        CHECK(found("status=skipped") == 0);
        CHECK(found("booking_id=" + std::to_string(other.id)) == 1);
    });
}

TEST_CASE("the log is deleted after thirty days") {
    each_on<Reported>([](Reported& base) {
        base.pay(base.booked());
        base.work();
        const auto age = [&](int days) {
            base.run(("UPDATE svc_tracking_events SET created_at = created_at - " +
                      std::to_string(std::int64_t{days} * 86'400'000'000))
                         .c_str());
            REQUIRE(base.assembly->jobs.run_now("housekeeping"));
        };
        age(29);
        CHECK(base.pixel_log().size() == 1);
        age(2);
        CHECK(base.pixel_log().size() == 0);
        CHECK(base.google_log().size() == 0);
    });
}

TEST_CASE("browsers get the ids and the events that are switched on, of modules that are on") {
    each_on<Reported>([](Reported& base) {
        base.put("/facebook-pixel/settings", R"({"events":{"view_item":false}})");
        const auto configuration = [] { return pro::tracking::browser_configuration(*Partners::one().site).dump(); };
        CHECK(
            configuration() ==
            R"({"analytics":{"measurement_id":"G-ABC1234567","events":{"page_view":"page_view","view_item":"view_item",)"
            R"("begin_checkout":"begin_checkout","add_to_cart":"add_to_cart","purchase":"purchase"},"parameters":{},)"
            R"("is_debug":false},)"
            R"("pixel":{"pixel_id":"123456789012345","events":{"page_view":"PageView",)"
            R"("begin_checkout":"InitiateCheckout","add_to_cart":"AddToCart","purchase":"Purchase"},"parameters":{}}})");
        // PUT /settings takes any text; it is no id.
        REQUIRE(base.call("PUT", "/settings", R"({"facebook_pixel_id":"\"><script>"})", base.admin()).status == 200);
        CHECK(configuration().find("\"pixel\":null") != std::string::npos);
        base.turn(false);
        CHECK(configuration() == R"({"analytics":null,"pixel":null})");
    });
}
