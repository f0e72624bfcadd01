// What is kept of an unfinished booking, and what is not.
#include "tests/pro/abandoned_bookings/unfinished.hpp"

using namespace svc;
using namespace svc::tests;

TEST_CASE("an address is kept only with the consent of its country, and no thanks deletes it at once") {
    with_each([](Unfinished& base) {
        const std::string token = base.session();
        const Value without = Value::object({{"consent", false}});
        CHECK_FALSE(base.track(token, without).data()["tracked"].boolean());
        CHECK(base.rows() == 0);
        CHECK(base.track(token).data()["tracked"].boolean());
        CHECK(base.rows() == 1);
        CHECK(base.number("SELECT total_minor FROM svc_abandoned_bookings") == 40000);
        // The tick is taken away.
        CHECK_FALSE(base.track(token, without).data()["tracked"].boolean());
        CHECK(base.rows() == 0);
        base.track(token, Value::object({{"step", "pay"}, {"error", "contact_phone"}}));
        CHECK(base.rows() == 1);
        CHECK_FALSE(
            base.post("/abandoned-bookings/track", Value::object({{"booking_token", token}, {"declined", true}}))
                .data()["tracked"]
                .boolean());
        CHECK(base.rows() == 0);
        base.track(token);
        CHECK(base.rows() == 0);  // of this checkout nothing is kept again

        base.set(R"({"consent_by_country":{"US":"notice","DE":"customers"}})");
        const auto from = [&](const char* country, const char* email) {
            return base
                .track(base.session(),
                       Value::object({{"customer_country", country}, {"customer_email", email}, {"consent", false}}))
                .data()["tracked"]
                .boolean();
        };
        CHECK_FALSE(from("Austria", "at@example.org"));
        CHECK(base.rows() == 0);
        CHECK(from("United States", "us@example.org"));
        CHECK(base.number("SELECT COUNT(*) FROM svc_abandoned_bookings WHERE consent = 'notice'") == 1);
        // Whether an address is a customer's is not told.
        CHECK(from("DE", "stranger@example.org"));
        CHECK(base.rows() == 1);
        const auto booking = base.given_booking(base.trip);
        base.run("UPDATE svc_bookings SET status = 'confirmed', contact_email = 'Known@Example.org'");
        CHECK(from("DE", "known@example.org"));
        CHECK(base.number("SELECT COUNT(*) FROM svc_abandoned_bookings WHERE consent = 'customer'") == 1);
    });
}

TEST_CASE("a report that does not fit is refused by its field and changes nothing") {
    with_each([](Unfinished& base) {
        const std::string token = base.session();
        const auto refused = [&](Value more, int status, const char* field) {
            const auto answered = base.track(token, std::move(more));
            CAPTURE(answered.text);
            CHECK(answered.status == status);
            CHECK(answered.field() == field);
            CHECK(base.rows() == 0);
        };
        refused(Value::object({{"customer_email", "nobody"}}), 400, "customer_email");
        refused(Value::object({{"customer_email", ""}}), 400, "customer_email");
        refused(Value::object({{"customer_name", "Win at www.example.com"}}), 400, "customer_name");
        refused(Value::object({{"customer_country", "Atlantis"}}), 400, "customer_country");
        refused(Value::object({{"step", std::string(41, 'x')}}), 400, "step");
        for (const char* foreign : {"nothing", "page.v1.00000000.AAAA", "page.", "v1.x.y"}) {
            const auto answered = base.track(foreign);
            CHECK(answered.status == 404);
            CHECK(answered.code() == "session_expired");
        }
        CHECK(base.call("POST", "/abandoned-bookings/track", R"({"booking_token":)").status == 400);
        base.set(R"({"tracking_enabled":false})");
        CHECK_FALSE(base.track(token).data()["tracked"].boolean());
        CHECK(base.rows() == 0);
        base.turn(false);
        CHECK(base.track(token).status == 404);
    });
}

TEST_CASE("ten thousand reports from one address end at the limit, and one mailbox has a limit too") {
    with_each([](Unfinished& base) {
        const std::string token = base.session();
        const Value body =
            Value::object({{"booking_token", token}, {"customer_email", "ada@example.org"}, {"consent", true}});
        int limited = 0;
        for (int i = 0; i < 60; ++i) {
            const auto answered = base.post("/abandoned-bookings/track", body, Visitor{}.from("198.51.100.7"));
            limited += answered.status == 429 ? 1 : 0;
        }
        CHECK(limited >= 39);
        CHECK(base.rows() == 1);
        int by_mailbox = 0;
        for (int i = 0; i < 40; ++i)  // each from an address of its own
            by_mailbox += base.track(token).status == 429 ? 1 : 0;
        CHECK(by_mailbox >= 20);
        CHECK(base.rows() == 1);
    });
}

TEST_CASE("one person's tries at a trip are one row, and a booking made in one go leaves none") {
    with_each([](Unfinished& base) {
        base.track(base.session(1));
        base.track(base.session(3), Value::object({{"customer_email", "ADA@example.org"}}));
        CHECK(base.rows() == 1);
        CHECK(base.number("SELECT travelers FROM svc_abandoned_bookings") == 3);
        // Not listed while the visitor may still be at it.
        CHECK(base.get("/abandoned-bookings", base.admin()).data().size() == 0);
        CHECK(base.get("/abandoned-bookings/1", base.admin()).status == 404);
        REQUIRE(base.book(base.trip, 30, Value::object({{"contact_email", "ada@example.org"}})).status == 201);
        REQUIRE(base.assembly->hooks.drain());
        CHECK(base.rows() == 0);
    });
}

TEST_CASE("the form of the booking shows the notice, whose mark reports, until the visitor says no") {
    with_each([](Unfinished& base) {
        const std::string secret = base.session();
        const std::string cookie = "svc_checkout=" + secret;
        const auto mark_in = [&](const std::string& html) {
            const std::string name = "data-reminders=\"";
            const auto at = html.find(name);
            return at == std::string::npos
                       ? std::string()
                       : html.substr(at + name.size(), html.find('"', at + name.size()) - at - name.size());
        };
        const std::string html = base.page("GET", "/book/nile-cruise/details", {}, cookie);
        const std::string mark = mark_in(html);
        CHECK(mark.starts_with("page."));
        CHECK(html.find(secret) == std::string::npos);
        CHECK(html.find("/abandoned-bookings/track\"") != std::string::npos);
        CHECK(html.find("Remind me by e-mail") != std::string::npos);
        CHECK(html.find("reminders.") != std::string::npos);  // its script
        REQUIRE(base.track(mark).data()["tracked"].boolean());
        CHECK(base.rows() == 1);
        CHECK(base.page("GET", "/book/nile-cruise/details", {}, cookie).find("id=\"f-reminders\" checked") !=
              std::string::npos);
        base.post("/abandoned-bookings/track", Value::object({{"booking_token", mark}, {"declined", true}}));
        CHECK(base.rows() == 0);
        CHECK(mark_in(base.page("GET", "/book/nile-cruise/details", {}, cookie)).empty());
        CHECK(base.page("GET", "/booking-reminders").find("three times at most") != std::string::npos);
        base.turn(false);
        CHECK(mark_in(base.page("GET", "/book/nile-cruise/details", {}, "svc_checkout=" + base.session())).empty());
        base.page("GET", "/booking-reminders", {}, {}, 404);
    });
}
