// Purchases and refunds as Meta and Google get them: once, exact, and only for visitors who agreed.
#include <thread>

#include "base/sales/payment/record/hooks.hpp"
#include "pro/facebook_pixel/meta.hpp"
#include "tests/pro/tracking/reported.hpp"

using namespace svc;
using namespace svc::tests;

namespace {

using Texts = std::vector<std::string>;

const Value& event_in(const Value& body) { return body["data"][std::size_t{0}]; }
const Value& params_in(const Value& body) { return body["events"][std::size_t{0}]["params"]; }

}  // namespace

TEST_CASE("a purchase is reported with the booking's whole price, exact, under the booking's reference") {
    each_on<Reported>([](Reported& base) {
        const auto booking = base.booked();
        const std::string total =
            base.get("/bookings/" + std::to_string(booking.id), base.admin()).data()["total_amount"].number_text();
        base.pay(booking);
        base.work();
        const auto meta = Reported::asked("facebook.com"), google = Reported::asked("google-analytics.com");
        REQUIRE(meta.size() == 1);
        REQUIRE(google.size() == 1);

        CHECK(meta[0].url == "https://graph.facebook.com/v24.0/123456789012345/events");
        CHECK(meta[0].authorization == "Bearer EAAB-secret-token");
        const Value body = meta[0].json();
        const Value& event = event_in(body);
        CHECK(event["event_name"].text() == "Purchase");
        CHECK(event["event_id"].text() == booking.reference);
        CHECK(event["action_source"].text() == "website");
        CHECK_FALSE(event.text_or("event_source_url").empty());
        CHECK(event["custom_data"]["value"].number_text() == total);
        CHECK(total.find('.') == total.size() - 3);
        CHECK(event["custom_data"]["currency"].text() == "USD");
        CHECK(event["custom_data"]["content_ids"].dump() == "[\"" + std::to_string(base.trip) + "\"]");
        const Value& user = event["user_data"];
        CHECK(user["fbp"].text() == "fb.1.1.77");
        CHECK(user["fbc"].text() == "fb.1.1.click");
        CHECK(user["client_ip_address"].text() == "192.0.2.55");
        CHECK(user["client_user_agent"].text() == "Mozilla/5.0 Test");
        CHECK(user["em"][std::size_t{0}].text().size() == 64);
        CHECK(meta[0].body.find('@') == std::string::npos);
        CHECK(body.find("test_event_code") == nullptr);

        CHECK(google[0].url ==
              "https://www.google-analytics.com/mp/collect?measurement_id=G-ABC1234567&api_secret=mp-secret-0001");
        const Value hit = google[0].json();
        CHECK(hit["client_id"].text() == "1234.5678");
        CHECK(hit["consent"]["ad_user_data"].text() == "GRANTED");
        CHECK(hit["events"][std::size_t{0}]["name"].text() == "purchase");
        CHECK(params_in(hit)["transaction_id"].text() == booking.reference);
        CHECK(params_in(hit)["value"].number_text() == total);
        CHECK(params_in(hit)["items"][std::size_t{0}]["item_name"].text() == "Nile cruise");
        CHECK(google[0].body.find("@") == std::string::npos);

        // The log names no visitor and no secret.
        const Value row = base.pixel_log()[std::size_t{0}];
        CHECK(row["status"].text() == "sent");
        CHECK(row["booking_reference"].text() == booking.reference);
        CHECK(row["value"].number_text() == total);
        CHECK(row["answer"].text().find("events_received") != std::string::npos);
        CHECK(row["payload"]["data"][std::size_t{0}]["user_data"]["fbp"] == Value(true));
        for (const Value& log : {base.pixel_log(), base.google_log()})
            for (const char* word : {"fb.1.1.77", "1234.5678", "192.0.2.55", "secret"})
                CHECK(log.dump().find(word) == std::string::npos);
    });
}

TEST_CASE(
    "advertising is not personalized, whatever the visitor allows: visitors are asked for its measurement alone") {
    each_on<Reported>([](Reported& base) {
        base.pay(base.booked());
        base.work();
        const auto google = Reported::asked("google-analytics.com");
        REQUIRE(google.size() == 1);
        CHECK(google[0].json()["consent"].dump() ==
              R"({"ad_user_data":"GRANTED","ad_personalization":"DENIED"})");  // as pro/pages/analytics.js
    });
}

TEST_CASE("parameters of the operator's own tell facts of the trip, and refuse names that are none or taken") {
    each_on<Reported>([](Reported& base) {
        base.put("/google-analytics/settings", R"({"custom_dimensions":{"trip_title":"trip_name","lead":"days_before",
                 "speaks":"language","month":"travel_month"}})");
        base.put("/facebook-pixel/settings", R"({"parameter_mapping":{"party":"travelers","trip":"trip_id"}})");
        base.pay(base.booked());
        base.work();
        const Value google = params_in(Reported::asked("google-analytics.com").at(0).json());
        CHECK(google["trip_title"].text() == "Nile cruise");
        CHECK(google["lead"].integer() >= 29);
        CHECK(google["month"].text().size() == 7);
        CHECK(google["value"].is_number());
        const Value meta = event_in(Reported::asked("facebook.com").at(0).json())["custom_data"];
        CHECK(meta["trip"].text() == std::to_string(base.trip));
        CHECK(meta["party"].is_number());
        for (const auto& [path, name, other] :
             {std::tuple{"/google-analytics/settings", "custom_dimensions", "ga_trip"},
              {"/facebook-pixel/settings", "parameter_mapping", "content_ids"}}) {
            for (const char* wrong :
                 {"1st", "with space", "value", other, "a23456789012345678901234567890123456789012"}) {
                const auto refused = base.call(
                    "PUT", path, Value::object({{name, Value::object({{wrong, "trip_id"}})}}).dump(), base.admin());
                CHECK(refused.status == 400);
                CHECK(refused.field() == std::string(name) + "." + wrong);
            }
            CHECK(
                base.call("PUT", path, Value::object({{name, Value::object({{"mail", "email"}})}}).dump(), base.admin())
                    .status == 400);  // no fact of a person
            Value many = Value::object();
            for (int i = 0; i < 11; ++i)
                many.set("name" + std::to_string(i), "trip_id");
            CHECK(base.call("PUT", path, Value::object({{name, many}}).dump(), base.admin()).status == 400);
        }
    });
}

TEST_CASE("the choice of date and party is reported once its booking is made, by the id of the browser's own report") {
    each_on<Reported>([](Reported& base) {
        const auto opened = base.post("/booking/session", Value::object({{"trip_id", base.trip},
                                                                         {"travel_date", base.day(30)},
                                                                         {"travelers_count", 1},
                                                                         {"cart_event_id", "cart-0123456789"}}));
        REQUIRE(opened.status == 201);
        const std::string secret = opened.data()["session_id"].text();
        // The first one stays, and what is no id is ignored.
        for (const char* other : {"cart-9876543210", "No Id"})
            REQUIRE(base.call("PUT", "/booking/session",
                              Value::object({{"session_id", secret}, {"cart_event_id", other}}).dump())
                        .status == 200);
        const auto made = base.post(
            "/booking/create",
            filled_in(Value::object(
                {{"session_id", secret},
                 {"tracking_consent",
                  Value::object({{"analytics", true}, {"marketing", true}, {"ga_client_id", "1234.5678"}})}})),
            Visitor{}.from("192.0.2.44").with("User-Agent", "Browser/5"));
        CAPTURE(made.text);
        REQUIRE(made.status == 201);
        const GivenBooking booking{made.data()["booking_id"].integer(), made.data()["reference"].text(), {}};
        base.settle();
        base.work();
        const auto meta = Reported::asked("facebook.com");
        REQUIRE(meta.size() == 1);
        CHECK(Reported::asked("google-analytics.com").empty());  // it would count the browser's report and this one
        CHECK(event_in(meta[0].json())["event_name"].text() == "AddToCart");
        CHECK(event_in(meta[0].json())["event_id"].text() == "cart-0123456789");
        CHECK(event_in(meta[0].json())["custom_data"]["order_id"].is_null());
        base.pay(booking);  // the purchase is another event
        base.work();
        CHECK(Reported::asked("facebook.com").size() == 2);
    });
}

TEST_CASE("an address is hashed as Meta compares it") {
    const std::string known = "b4c9a289323b21a01c3e940f150eb9b8c542587f1abfd8f0e1cc1ffc5e475514";  // user@example.com
    CHECK(pro::facebook_pixel::hashed_email("user@example.com") == known);
    CHECK(pro::facebook_pixel::hashed_email(" User@Example.COM \n") == known);
    CHECK(pro::facebook_pixel::hashed_email("").empty());
}

TEST_CASE("a booking is bought once: by its first payment or its confirmation, however often either is told") {
    each_on<Reported>([](Reported& base) {
        const auto booking = base.booked();
        base.pay(booking);
        base.confirm(booking);
        base.pay(booking, "20");
        base.work();
        base.work();
        CHECK(Reported::asked("facebook.com").size() == 1);
        CHECK(Reported::asked("google-analytics.com").size() == 1);

        const auto unpaid = base.booked();
        base.confirm(unpaid);
        base.pay(unpaid);
        base.work();
        REQUIRE(Reported::asked("facebook.com").size() == 2);
        CHECK(event_in(Reported::asked("facebook.com")[1].json())["event_id"].text() == unpaid.reference);

        // Also after the log is cleared.
        CHECK(base.call("DELETE", "/facebook-pixel/event-logs", "", base.admin()).data()["cleared"] == Value(2));
        base.pay(booking, "5");
        base.work();
        CHECK(base.pixel_log().size() == 0);
        CHECK(Reported::asked("facebook.com").size() == 2);
    });
}

TEST_CASE("several runs at a time send each event once") {
    each_on<Reported>([](Reported& base) {
        for (int i = 0; i < 6; ++i)
            base.pay(base.booked());
        // By the job's function, as its lease would keep the runs apart.
        std::vector<std::thread> runs;
        std::atomic<int> good{0};
        for (const auto& job : base.assembly->jobs.all())
            if (job.name == "facebook_pixel_events")
                for (int i = 0; i < 4; ++i)
                    runs.emplace_back([&good, run = job.run] { good += run(SystemClock().now()) ? 1 : 0; });
        for (auto& each : runs)
            each.join();
        CHECK(good == 4);
        base.work();  // what a run left when another one was faster
        std::set<std::string> ids;
        for (const Asked& each : Reported::asked("facebook.com"))
            ids.insert(event_in(each.json())["event_id"].text());
        CHECK(ids.size() == 6);
        CHECK(Reported::asked("facebook.com").size() == 6);
    });
}

TEST_CASE("nothing is sent without consent: each partner needs its own, and the log says why") {
    each_on<Reported>([](Reported& base) {
        base.pay(base.booked(false, false));
        base.pay(base.booked(true, false));
        base.pay(base.booked(false, true));
        base.work();
        CHECK(Reported::asked("facebook.com").size() == 1);
        CHECK(Reported::asked("google-analytics.com").size() == 1);
        CHECK(each_of(base.pixel_log(), "status") == Texts{"skipped", "skipped", "sent"});
        CHECK(each_of(base.pixel_log(), "reason") == Texts{"no_consent", "no_consent", "null"});
        CHECK(each_of(base.google_log(), "status") == Texts{"skipped", "sent", "skipped"});
        CHECK(Reported::asked("google")[0].json()["consent"]["ad_user_data"].text() == "DENIED");

        // Who withdraws before it is sent has not agreed.
        const auto later = base.booked();
        base.pay(later);
        base.run(("UPDATE svc_booking_consents SET analytics = 0, marketing = 0 WHERE booking_id = " +
                  std::to_string(later.id))
                     .c_str());
        base.work();
        CHECK(each_of(base.pixel_log(), "reason").back() == "no_consent");
        CHECK(Reported::asked("google-analytics.com").size() == 1);
    });
}

TEST_CASE("a visitor without a client id or a browser is not reported") {
    each_on<Reported>([](Reported& base) {
        const auto booking = base.booked();
        base.pay(booking);
        base.run("UPDATE svc_booking_consents SET ga_client_id = '', user_agent = ''");
        base.work();
        CHECK(each_of(base.pixel_log(), "reason") == Texts{"no_browser"});
        CHECK(each_of(base.google_log(), "reason") == Texts{"no_client_id"});
        CHECK(Partners::one().asked.empty());
    });
}

TEST_CASE("a base that keeps no consent reports nothing") {
    each_on<Reported>([](Reported& base) {
        base.pay(base.booked());
        base.run("DROP VIEW svc_booking_consent_v1");
        base.work();
        CHECK(each_of(base.pixel_log(), "reason") == Texts{"old_base"});
        CHECK(each_of(base.google_log(), "reason") == Texts{"old_base"});
        CHECK(Partners::one().asked.empty());
        base.leaves_what_holds = false;
    });
}

TEST_CASE("a refund is reported once with its amount, after the purchase that it belongs to") {
    each_on<Reported>([](Reported& base) {
        const auto booking = base.booked();
        const auto payment = base.pay(booking, "150.25");
        base.work();
        base.refund(payment, "49.99");
        base.refund(payment, "0.26");
        base.work();
        base.work();
        const auto meta = Reported::asked("facebook.com"), google = Reported::asked("google-analytics.com");
        REQUIRE(meta.size() == 3);
        REQUIRE(google.size() == 3);
        CHECK(event_in(meta[1].json())["event_name"].text() == "Refund");
        CHECK(event_in(meta[1].json())["custom_data"]["value"].number_text() == "49.99");
        CHECK(event_in(meta[1].json())["custom_data"]["order_id"].text() == booking.reference);
        CHECK(event_in(meta[2].json())["event_id"].text() != event_in(meta[1].json())["event_id"].text());
        CHECK(google[1].json()["events"][std::size_t{0}]["name"].text() == "refund");
        CHECK(params_in(google[1].json())["transaction_id"].text() == booking.reference);
        CHECK(params_in(google[2].json())["value"].number_text() == "0.26");
    });
}

TEST_CASE("a refund waits for its purchase, and is left out when the partner never heard of that") {
    each_on<Reported>([](Reported& base) {
        Partners::one().answer = [](const Asked&) { return replied(503); };
        const auto booking = base.booked();
        base.refund(base.pay(booking), "4");
        base.work();
        CHECK(each_of(base.pixel_log(), "status") == Texts{"failed", "queued"});
        Partners::one().answer = took;
        Reported::pass(std::chrono::minutes(3));
        base.work();
        Reported::pass(std::chrono::minutes(3));
        base.work();
        CHECK(each_of(base.pixel_log(), "status") == Texts{"sent", "sent"});

        const auto silent = base.booked(false, false);
        base.refund(base.pay(silent), "4");
        base.run(("INSERT INTO svc_booking_consents (booking_id, analytics, marketing, decided_at) VALUES (" +
                  std::to_string(silent.id) + ", 0, 0, 1)")
                     .c_str());
        base.work();
        CHECK(each_of(base.pixel_log(), "reason")[2] == "no_consent");
        CHECK(each_of(base.pixel_log(), "reason")[3] == "no_purchase");
    });
}

TEST_CASE("a payment for a booking that has ended buys nothing") {
    each_on<Reported>([](Reported& base) {
        const auto booking = base.booked();
        REQUIRE(base.call("PUT", "/bookings/" + std::to_string(booking.id) + "/status", R"({"status":"cancelled"})",
                          base.admin())
                    .status == 200);
        base.pay(booking);
        base.work();
        CHECK(base.pixel_log().size() == 0);
        CHECK(Partners::one().asked.empty());
    });
}

TEST_CASE("amounts are in the currency's decimals, however large") {
    each_on<Reported>([](Reported& base) {
        const auto booking = base.booked();
        base.run("UPDATE svc_bookings SET currency = 'KWD', total_minor = 9007199254740993");
        base.confirm(booking);
        base.work();
        const auto meta = Reported::asked("facebook.com");
        REQUIRE(meta.size() == 1);
        CHECK(meta[0].body.find(R"("value":9007199254740.993)") != std::string::npos);
        CHECK(Reported::asked("google")[0].body.find(R"("value":9007199254740.993)") != std::string::npos);
        base.leaves_what_holds = false;
    });
}

TEST_CASE("a payment that is begun is reported once for each booking") {
    each_on<Reported>([](Reported& base) {
        const auto booking = base.booked();
        for (int i = 0; i < 2; ++i)  // another way to pay is tried
            REQUIRE(base.assembly->store->write([&](store::Transaction& tx) -> Result<void> {
                base.assembly->hooks.emit(tx, payment::after_processing,
                                          {Value::object({{"id", booking.id}}), Value::object()});
                return {};
            }));
        base.settle();
        base.work();
        REQUIRE(Reported::asked("facebook.com").size() == 1);
        CHECK(event_in(Reported::asked("facebook.com")[0].json())["event_name"].text() == "AddPaymentInfo");
        CHECK(Reported::asked("google")[0].json()["events"][std::size_t{0}]["name"].text() == "add_payment_info");
    });
}
