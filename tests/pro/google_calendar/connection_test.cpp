// Google Calendar: consent, tokens, and the state of the connection.
#include "pro/google_calendar/google.hpp"
#include "pro/google_calendar/oauth.hpp"
#include "tests/pro/google_calendar/connected.hpp"

using namespace svc;
using namespace svc::tests;
namespace calendar = pro::google_calendar;
using json::Value;

TEST_CASE("google_calendar: the challenge of a verifier is that of RFC 7636") {
    CHECK(calendar::challenge_of("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk") ==
          "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
    CHECK(calendar::random_word().size() == 43);
    CHECK(calendar::random_word() != calendar::random_word());
}

TEST_CASE("google_calendar: what Google's answers mean") {
    using calendar::Outcome;
    const auto of = [](int status, const char* body = "{}") {
        return calendar::outcome_of(status, json::parse(body).value());
    };
    const char* const quota = R"({"error":{"errors":[{"reason":"rateLimitExceeded"}]}})";
    const char* const forbidden = R"({"error":{"errors":[{"reason":"forbiddenForNonOrganizer"}]}})";
    CHECK(of(200) == Outcome::done);
    CHECK(of(204) == Outcome::done);
    CHECK(of(404) == Outcome::gone);
    CHECK(of(410) == Outcome::gone);
    CHECK(of(409) == Outcome::exists);
    CHECK(of(401) == Outcome::unauthorized);
    CHECK(of(403, quota) == Outcome::overloaded);
    CHECK(of(403, forbidden) == Outcome::refused);
    CHECK(of(429) == Outcome::overloaded);
    CHECK(of(503) == Outcome::overloaded);
    CHECK(of(400) == Outcome::refused);
    CHECK(of(302) == Outcome::refused);
}

TEST_CASE("google_calendar: a lifetime or a token of another kind is none, and no fault") {
    const auto of = [](const char* body) {
        return calendar::GoogleAnswer{.body = json::parse(body).value(), .reason = {}};
    };
    using std::chrono::seconds;
    CHECK(of(R"({"expires_in":3599})").lifetime() == seconds(3599));
    CHECK(of(R"({"expires_in":3599.5})").lifetime() == seconds(3599));
    CHECK(of(R"({"expires_in":99999999999})").lifetime() == seconds(86400));
    CHECK(of(R"({"expires_in":99999999999999999999})").lifetime() == seconds(0));
    CHECK(of(R"({"expires_in":-5})").lifetime() == seconds(0));
    CHECK(of(R"({"expires_in":"3599"})").lifetime() == seconds(0));
    CHECK(of("{}").lifetime() == seconds(0));
    CHECK(of(R"({"access_token":"ya29.a-b_c"})").token("access_token") == "ya29.a-b_c");
    CHECK(of(R"({"access_token":"ya29\r\nHost: x"})").token("access_token").empty());
    CHECK(of(R"({"access_token":7})").token("access_token").empty());
}

TEST_CASE("google_calendar: without client id and secret no visit to Google begins") {
    each_on<Connected>([](Connected& base) {
        for (const char* name : {"client_id", "client_secret"}) {
            base.set(R"({"client_id":"client-1","client_secret":"secret-of-client"})");
            base.set(R"({")" + std::string(name) + R"(":""})");
            const auto refused = base.post("/google-calendar/connect", Value::object(), base.admin());
            CHECK(refused.status == 400);
            CHECK(refused.field() == name);
        }
    });
}

TEST_CASE("google_calendar: the consent page is asked for the least right, a state and a challenge") {
    each_on<Connected>([](Connected& base) {
        CHECK(base.connect() == 302);
        const std::string& url = base.auth_url;
        CHECK(url.starts_with("https://accounts.google.com/o/oauth2/v2/auth?"));
        CHECK(Connected::member(url, "scope") == "https%3A%2F%2Fwww.googleapis.com%2Fauth%2Fcalendar.app.created");
        CHECK(Connected::member(url, "code_challenge_method") == "S256");
        const auto form = InPlaceOfGoogle::asked.front();
        CHECK(form.url == "https://oauth2.googleapis.com/token");
        CHECK(calendar::challenge_of(Connected::member(form.body, "code_verifier")) ==
              Connected::member(url, "code_challenge"));
        const auto begun =
            base.post("/google-calendar/connect", Value::object({{"calendar", "existing"}}), base.admin());
        const std::string scope = Connected::member(begun.data()["auth_url"].text(), "scope");
        CHECK(scope.find("calendar.events%20") != std::string::npos);
        CHECK(scope.ends_with("calendar.calendarlist.readonly"));
        CHECK(base.settings()["state"].text() == "connected");
        CHECK(base.settings()["calendar_id"].text() == "ours@group.calendar.google.com");
    });
}

TEST_CASE("google_calendar: secrets are sealed where they lie") {
    each_on<Connected>([](Connected& base) {
        base.connect();
        const auto stored = base.assembly->store->reading<std::string>([](store::Session& session) {
            return session
                .first<std::string>("SELECT refresh_token, access_token FROM svc_google_calendar_connection", "tt", {},
                                    [](const store::Row& row) { return row.text(0) + " " + row.text(1); })
                .value();
        });
        CHECK(stored.size() > 40);
        CHECK(stored.find("refresh-1") == std::string::npos);
        CHECK(stored.find("access-1") == std::string::npos);
        CHECK(base.settings()["client_secret"].text() == "****ient");
        base.set(R"({"client_secret":"****ient"})");
        base.run("UPDATE svc_google_calendar_connection SET access_expires_at = 1");
        base.given_departure(base.trip);
        base.work();
        CHECK(Connected::member(InPlaceOfGoogle::asked.at(2).body, "client_secret") == "secret-of-client");
    });
}

TEST_CASE("google_calendar: a token is asked for by who holds the lease, and a lease that ended holds nobody up") {
    each_on<Connected>([](Connected& base) {
        base.connect();
        base.given_departure(base.trip);
        base.run(
            "UPDATE svc_google_calendar_connection SET access_expires_at = 1, lease_id = 'other',"
            " lease_until = 9000000000000000");
        base.work();
        CHECK(base.tokens == 1);
        CHECK(base.events.empty());
        base.run("UPDATE svc_google_calendar_connection SET lease_until = 1");
        base.work();
        CHECK(base.tokens == 2);
        CHECK(base.events.size() == 1);
        CHECK(base.number("SELECT COUNT(*) FROM svc_google_calendar_connection WHERE lease_until IS NULL") == 1);
    });
}

TEST_CASE("google_calendar: invalid_grant is shown, mailed once, and the queue stays") {
    each_on<Connected>([](Connected& base) {
        base.connect();
        base.before = [](const Asked& one) -> std::optional<GoogleReply> {
            if (one.url.ends_with("/token"))
                return GoogleReply{.status = 400, .body = R"({"error":"invalid_grant"})"};
            return std::nullopt;
        };
        base.run("UPDATE svc_google_calendar_connection SET access_expires_at = 1");
        const auto departure = base.given_departure(base.trip);
        base.work();
        base.work();
        CHECK(base.settings()["state"].text() == "reconnect");
        CHECK(base.settings()["problem"].text() == "revoked");
        CHECK_FALSE(base.settings()["connected"].boolean());
        CHECK(base.settings()["queued"].integer() == 1);
        CHECK(base.mails() == 1);
        CHECK(base.get("/notices", base.admin()).text.find("google_calendar_reconnect") != std::string::npos);
        // What changes meanwhile waits too.
        base.given_departure(base.trip, 40);
        REQUIRE(base.assembly->hooks.drain());
        CHECK(base.settings()["queued"].integer() == 2);
        base.before = nullptr;
        CHECK(base.connect() == 302);
        base.work();
        CHECK(base.event_of(departure)["summary"].text() == "Nile cruise (0/20)");
        CHECK(base.events.size() == 2);
        CHECK(base.mails() == 1);
    });
}

TEST_CASE("google_calendar: another client id needs a new consent, and no e-mail") {
    each_on<Connected>([](Connected& base) {
        base.connect();
        base.set(R"({"client_id":"client-2"})");
        CHECK(base.settings()["state"].text() == "reconnect");
        CHECK(base.settings()["problem"].text() == "client");
        CHECK(base.mails() == 0);
    });
}

TEST_CASE("google_calendar: a right that was unticked is no connection, and what was granted is given back") {
    each_on<Connected>([](Connected& base) {
        base.before = [](const Asked& one) -> std::optional<GoogleReply> {
            if (one.url.ends_with("/token"))
                return GoogleReply{.body =
                                       R"({"access_token":"a","refresh_token":"r","expires_in":60,"scope":"openid"})"};
            return std::nullopt;
        };
        CHECK(base.connect() == 302);
        CHECK(base.settings()["state"].text() == "off");
        CHECK(InPlaceOfGoogle::asked.back().url == "https://oauth2.googleapis.com/revoke");
    });
}

TEST_CASE("google_calendar: disconnecting revokes, whatever Google makes of it") {
    each_on<Connected>([](Connected& base) {
        base.connect();
        base.before = [](const Asked&) { return std::optional(GoogleReply{.status = 500, .body = "<html>"}); };
        const auto left = base.post("/google-calendar/disconnect", Value::object(), base.admin());
        CHECK(left.status == 200);
        CHECK_FALSE(left.data()["connected"].boolean());
        CHECK(InPlaceOfGoogle::asked.back().body == "token=refresh-1");
        CHECK(base.settings()["state"].text() == "off");
        CHECK(base.post("/google-calendar/sync-all", Value::object(), base.admin()).code() ==
              "google_calendar_not_connected");
    });
}
