// The reminders of an unfinished booking: when, how many, what ends them, and what they brought back.
#include "tests/pro/abandoned_bookings/unfinished.hpp"

using namespace svc;
using namespace svc::tests;

TEST_CASE("three reminders go out after their hours, each with its coupon, and no fourth") {
    with_each([](Unfinished& base) {
        base.set(R"({"second_discount_percent":10,"final_discount_percent":12.5,"discount_code":"ASK"})");
        const auto id = base.given(0);
        CHECK(base.scan()["abandoned"].integer() == 0);  // the visitor may still be at it
        base.pass(1, id);
        Value done = base.scan();
        CHECK(done["abandoned"].integer() == 1);
        CHECK(done["sent"].integer() == 1);
        CHECK(base.scan()["sent"].integer() == 0);
        const auto [subject, first] = base.mail("abandoned_booking_recovery_first");
        CHECK(subject == "Your booking of Nile cruise is not finished");
        CHECK(first.find("Ada Lovelace") != std::string::npos);
        CHECK(first.find("400.00") != std::string::npos);
        CHECK(first.find("ASK") != std::string::npos);
        CHECK(first.find("/booking-recovery/") != std::string::npos);
        CHECK(first.find("/no-reminders/") != std::string::npos);
        CHECK(base.read(id)["status"].text() == "contacted");
        base.pass(23, id);
        CHECK(base.scan()["sent"].integer() == 1);
        const auto second = base.mail("abandoned_booking_recovery_second").second;
        CHECK(second.find("BACK-") != std::string::npos);
        CHECK(base.number("SELECT COUNT(*) FROM svc_discounts WHERE usage_limit = 1 AND rate_ppm = 100000") == 1);
        base.pass(48, id);
        CHECK(base.scan()["sent"].integer() == 1);
        CHECK(base.number("SELECT COUNT(*) FROM svc_discounts WHERE rate_ppm = 125000") == 1);
        for (int i = 0; i < 3; ++i) {
            base.pass(48, id);
            CHECK(base.scan()["sent"].integer() == 0);
        }
        CHECK(base.sent() == 3);
        const Value row = base.read(id);
        CHECK(row["recovery_emails_sent"].integer() == 3);
        CHECK(row["end_reason"].text() == "all_sent");
        CHECK(row["mails"].size() == 3);
        CHECK(row["mails"][std::size_t{0}]["template"].text() == "abandoned_booking_recovery_first");
        std::string kinds;
        for (const Value& event : row["timeline"].items())
            kinds += event["kind"].text() + " ";
        CHECK(kinds == "began abandoned mail_sent coupon mail_sent coupon mail_sent coupon ");
        const auto refused =
            base.post("/abandoned-bookings/" + std::to_string(id) + "/send-email", Value::object(), base.admin());
        CHECK(refused.status == 409);
        CHECK(refused.code() == "no_reminder");
    });
}

TEST_CASE("a booking, a date that is gone, no seats, no trip, another reminder and a no end or skip them") {
    with_each([](Unfinished& base) {
        const auto reason = [&](std::int64_t id) { return base.read(id)["end_reason"].text(); };
        // Booked meanwhile, by staff: no e-mail.
        const auto booked = base.given(2, "booked@example.org");
        REQUIRE(base.post("/bookings",
                          filled_in(Value::object({{"trip_id", base.trip},
                                                   {"travel_date", base.day(30)},
                                                   {"travelers_count", 1},
                                                   {"contact_email", "Booked@example.org"}})),
                          base.admin())
                    .status == 201);
        // Another reminder of the same person a day ago.
        const auto other_trip = base.given_trip("Desert walk");
        base.given_departure(other_trip, 30, 20);
        const auto first = base.given(2, "twice@example.org");
        CHECK(base.scan()["sent"].integer() == 1);
        CHECK(
            base.number(("SELECT COUNT(*) FROM svc_abandoned_bookings WHERE id = " + std::to_string(booked)).c_str()) ==
            0);  // it was not abandoned yet
        base.pass(2, first);
        const auto again = base.given(2, "twice@example.org", 1, other_trip);
        CHECK(base.scan()["sent"].integer() == 0);
        CHECK(reason(again) == "recently_reminded");

        const auto sold_out = base.given(2, "seats@example.org", 2);
        base.run(("UPDATE svc_abandoned_bookings SET travelers = 6 WHERE id = " + std::to_string(sold_out)).c_str());
        const auto gone = base.given(2, "gone@example.org");
        base.run(("UPDATE svc_abandoned_bookings SET travel_date = '2020-01-01' WHERE id = " + std::to_string(gone))
                     .c_str());
        const auto late = base.given(200, "late@example.org", 1, other_trip);
        CHECK(base.scan()["sent"].integer() == 0);
        CHECK(base.read(sold_out)["timeline"][std::size_t{2}]["detail"].text() == "sold_out");
        CHECK(base.read(sold_out)["next_email_at"].is_string());  // a seat may come free
        CHECK(reason(gone) == "date_gone");
        CHECK(base.read(late)["timeline"][std::size_t{2}]["detail"].text() == "late");

        const auto unpublished = base.given(2, "trip@example.org", 1, other_trip);
        REQUIRE(
            base.call("PUT", "/trips/" + std::to_string(other_trip), R"({"status":"draft"})", base.admin()).status ==
            200);
        CHECK(base.scan()["sent"].integer() == 0);
        CHECK(reason(unpublished) == "trip_gone");
        CHECK(base.sent() == 1);
    });
}

TEST_CASE("while the module is off nothing is sent, and what is too late afterwards is left out") {
    with_each([](Unfinished& base) {
        const auto id = base.given(2);
        base.turn(false);
        CHECK(base.scan()["sent"].integer() == 0);
        CHECK(base.get("/abandoned-bookings", base.admin()).status == 404);
        base.pass(50, id);
        base.turn(true);
        CHECK(base.scan()["sent"].integer() == 0);
        CHECK(base.scan()["sent"].integer() == 0);
        base.pass(12, id);
        CHECK(base.scan()["sent"].integer() == 1);  // one reminder, not all that were due
        base.set(R"({"enabled":false})");
        base.pass(60, id);
        CHECK(base.scan()["sent"].integer() == 0);
        CHECK(base.sent() == 1);
        // After 30 days nothing names the person, also while the module is off.
        base.turn(false);
        base.pass(31 * 24, id);
        CHECK(base.scan()["expired"].integer() == 1);
        CHECK(base.number("SELECT COUNT(*) FROM svc_abandoned_bookings WHERE status = 'expired' AND email = ''"
                          " AND customer_name = '' AND search = ''") == 1);
    });
}

TEST_CASE("what came back is told by link and by time apart") {
    with_each([](Unfinished& base) {
        base.set(R"({"first_discount_percent":10})");
        const auto by_time = base.given(2, "time@example.org", 1), by_link = base.given(2, "link@example.org", 1),
                   by_code = base.given(2, "code@example.org", 1);
        CHECK(base.scan()["sent"].integer() == 3);
        const auto self = base.given(2, "self@example.org", 1);
        base.set(R"({"enabled":false})");
        base.scan();
        const auto book = [&](const char* email, Value more = Value::object()) {
            more.set("contact_email", email);
            const auto made = base.book(base.trip, 30, std::move(more));
            CAPTURE(made.text);
            REQUIRE(made.status == 201);
            REQUIRE(base.assembly->hooks.drain());
        };
        book("time@example.org");
        book("self@example.org");
        base.run(("UPDATE svc_abandoned_bookings SET link_used_at = 1 WHERE id = " + std::to_string(by_link)).c_str());
        book("link@example.org");
        const Value events = base.read(by_code)["timeline"];
        std::string code;
        for (const Value& event : events.items())
            if (event["kind"].text() == "coupon")
                code = event["detail"].text();
        REQUIRE(code.starts_with("BACK-"));
        book("code@example.org", Value::object({{"coupon_code", code}}));
        CHECK(base.read(by_time)["recovered_by"].text() == "time");
        CHECK(base.read(by_link)["recovered_by"].text() == "link");
        CHECK(base.read(by_code)["recovered_by"].text() == "link");
        CHECK(base.read(self)["recovered_by"].text() == "self");
        Value counts = base.get("/abandoned-bookings/statistics", base.admin()).data();
        CHECK(counts["total_recovered"].integer() == 4);
        CHECK(counts["recovered_by_link"]["count"].integer() == 2);
        CHECK(counts["recovered_by_link"]["value"].number_text() == "380.00");
        CHECK(counts["recovered_by_time"]["value"].number_text() == "200.00");
        CHECK(counts["recovered_by_self"]["count"].integer() == 1);
        CHECK(counts["total_recovered_value"].number_text() == "580.00");
        CHECK(counts["recovery_rate"].number_text() == "75");
        CHECK(counts["by_step"][std::size_t{0}]["step"].text() == "details");
        base.run("UPDATE svc_bookings SET status = 'cancelled' WHERE contact_email = 'time@example.org'");
        counts = base.get("/abandoned-bookings/statistics", base.admin()).data();
        CHECK(counts["total_recovered_value"].number_text() == "380.00");
        base.run("UPDATE svc_bookings SET status = 'pending' WHERE contact_email = 'time@example.org'");
        CHECK(base.get("/abandoned-bookings/statistics?from=2020-01-01&to=2020-01-02", base.admin())
                  .data()["total_recovered"]
                  .integer() == 0);
        CHECK(base.get("/abandoned-bookings?status=recovered&search=lovelace", base.admin()).data().size() == 4);
        // Nobody is reminded of what is booked.
        CHECK(base.post("/abandoned-bookings/" + std::to_string(by_link) + "/send-email", Value::object(), base.admin())
                  .status == 409);
        CHECK(base.call("DELETE", "/abandoned-bookings/" + std::to_string(self), {}, base.admin()).status == 200);
        CHECK(base.get("/abandoned-bookings/" + std::to_string(self), base.admin()).status == 404);
    });
}

TEST_CASE("campaigns replace the standard reminders, with their own text, delay and coupon") {
    with_each([](Unfinished& base) {
        const auto make = [&](const std::string& body) {
            return base.call("POST", "/abandoned-bookings/campaigns", body, base.admin());
        };
        auto refused = make(R"({"name":"A","subject":"{{ nothing }}","email_body":"Hello"})");
        CHECK(refused.status == 400);
        CHECK(refused.body["data"]["errors"].find("subject"));
        CHECK(refused.body["data"]["errors"].find("email_body"));
        CHECK(make(R"({"name":"A","subject":"B","email_body":"{{ recovery_link }}","discount_amount":120})").field() ==
              "discount_amount");
        const auto made = make(
            R"({"name":"Summer","subject":"{{ trip_name }}, {{ customer_first_name }}?","delay_hours":2,"status":"active",
                "email_body":"<p>{{ customer_name }}: <a href=\"{{ recovery_link }}\">go on</a> {{ coupon_html }}</p>",
                "discount_type":"fixed","discount_amount":15})");
        CAPTURE(made.text);
        REQUIRE(made.status == 201);
        const auto id = base.given(1);
        CHECK(base.scan()["sent"].integer() == 0);
        base.run("UPDATE svc_abandoned_bookings SET customer_name = 'Ada <b>L</b>'");
        base.pass(1, id);
        CHECK(base.scan()["sent"].integer() == 1);
        const auto [subject, html] = base.mail("abandoned_booking_campaign");
        CHECK(subject == "Nile cruise, Ada?");
        CHECK(html.find("Ada &lt;b&gt;L&lt;/b&gt;") != std::string::npos);
        CHECK(html.find("/booking-recovery/") != std::string::npos);
        CHECK(html.find("/no-reminders/") != std::string::npos);
        CHECK(base.number("SELECT COUNT(*) FROM svc_discounts WHERE flat_minor = 1500") == 1);
        base.pass(100, id);
        CHECK(base.scan()["sent"].integer() == 0);
        // Staff sends a campaign that does not go out by itself.
        const auto other = make(R"({"name":"By hand","subject":"Hello","email_body":"{{ recovery_link }}"})");
        REQUIRE(other.status == 201);
        const auto sent = base.post("/abandoned-bookings/" + std::to_string(id) + "/send-email",
                                    Value::object({{"campaign_id", other.data()["id"]}}), base.admin());
        CAPTURE(sent.text);
        REQUIRE(sent.status == 200);
        CHECK(sent.data()["recovery_emails_sent"].integer() == 2);
        CHECK(base.post("/abandoned-bookings/" + std::to_string(id) + "/send-email",
                        Value::object({{"campaign_id", 999}}), base.admin())
                  .field() == "campaign_id");
        for (int i = 0; i < 2; ++i)
            REQUIRE(
                make(R"({"name":"More","subject":"B","email_body":"{{ recovery_link }}","status":"active"})").status ==
                201);
        refused = make(R"({"name":"Fourth","subject":"B","email_body":"{{ recovery_link }}","status":"active"})");
        CHECK(refused.status == 400);
        CHECK(refused.field() == "status");
    });
}

TEST_CASE("delays ascend, countries are countries, and refused settings change nothing") {
    with_each([](Unfinished& base) {
        const auto put = [&](const char* body) {
            return base.call("PUT", "/abandoned-bookings/settings", body, base.admin());
        };
        CHECK(put(R"({"second_email_delay_hours":1})").field() == "second_email_delay_hours");
        CHECK(put(R"({"first_email_delay_hours":24})").field() == "first_email_delay_hours");
        CHECK(put(R"({"final_email_delay_hours":12,"coupon_days":0})").status == 400);
        CHECK(put(R"({"consent_by_country":{"XX":"notice"}})").field() == "consent_by_country.XX");
        CHECK(put(R"({"consent":"never"})").field() == "consent");
        const Value now = base.get("/abandoned-bookings/settings", base.admin()).data();
        CHECK(now["first_email_delay_hours"].integer() == 1);
        CHECK(now["second_email_delay_hours"].integer() == 24);
        CHECK(now["final_email_delay_hours"].integer() == 72);
        CHECK(now["consent"].text() == "opt_in");
        CHECK(now["tracking_enabled"].boolean());
    });
}
