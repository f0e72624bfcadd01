// Cancellation terms of trips and what bookings keep of them, over the whole interface.
#include <doctest/doctest.h>

#include "base/messaging/events_catalogue/hooks.hpp"
#include "tests/support/before_start.hpp"
#include "tests/support/each_on.hpp"
#include "tests/support/open_mails.hpp"
#include "tests/support/pdf_tools.hpp"
#include "tests/support/test_base.hpp"

using namespace svc;
using namespace svc::tests;
using json::Value;

namespace {

const auto each_base = each_on<TestBase>;

constexpr const char* two_rows =
    R"({"cancellation_terms":[{"days":14,"percentage":0},{"days":7,"amount":20,"per":"traveler"}]})";

std::string path(const char* of, std::int64_t id, const char* more = "") {
    return std::string(of) + std::to_string(id) + more;
}

Answered put_trip(TestBase& base, std::int64_t trip, const std::string& body) {
    return base.call("PUT", path("/trips/", trip), body, base.user("administrator"));
}

Value read_trip(TestBase& base, std::int64_t trip) {
    return base.get(path("/trips/", trip), base.user("administrator")).data();
}

Answered put_default(TestBase& base, const std::string& rows) {
    return base.call("PUT", "/settings", R"({"cancellation_terms":)" + rows + "}", base.user("administrator"));
}

Value own_booking(TestBase& base, const GivenBooking& made) {
    return base.get(path("/customers/my-bookings/", made.id), Visitor{}.with("X-Svc-Booking-Token", made.token)).data();
}

// How many e-mails of that template say it.
std::int64_t mails_saying(TestBase& base, const char* template_key, const char* says) {
    REQUIRE(base.assembly->hooks.drain());
    open_mails(*base.assembly->store, *base.assembly->keyring);
    return base.number(("SELECT COUNT(*) FROM svc_email_outbox WHERE template_key = '" + std::string(template_key) +
                        "' AND body_html LIKE '%" + says + "%'")
                           .c_str());
}

// What happened, as webhooks and sequences hear it.
struct Heard {
    explicit Heard(Database& database) : base(database) {}
    json::Array events;
    const BeforeStart listening{[this](app::Assembly& assembly) {
        REQUIRE(assembly.hooks.on(events_catalogue::automation_event.name, {.name = "test"},
                                  [this](const json::Array& told) { events.push_back(told.at(2)); }));
    }};
    TestBase base;
};

std::string number_of(const Value& amount) { return amount.is_number() ? amount.number_text() : amount.dump(); }

}  // namespace

TEST_CASE("a trip's cancellation terms are a member of it, replaced as a whole, and cleared by null") {
    each_base([](TestBase& base) {
        const auto trip = base.given_trip();
        CHECK(read_trip(base, trip)["cancellation_terms"].is_null());
        REQUIRE(put_trip(base, trip, two_rows).status == 200);
        const Value rows = read_trip(base, trip)["cancellation_terms"];
        REQUIRE(rows.size() == 3);
        CHECK(rows[0]["days"].integer() == 14);
        CHECK(number_of(rows[0]["percentage"]) == "0");
        CHECK(rows[1]["amount"] == Value(Money{2000, Currency::usd()}));
        CHECK(rows[1]["per"].text() == "traveler");
        CHECK(rows[2]["days"].is_null());
        CHECK(number_of(rows[2]["percentage"]) == "100");
        // The public sees them too.
        const std::string slug = read_trip(base, trip).text_or("slug");
        CHECK(base.get("/trips/public/" + slug).data()["cancellation_terms"] == rows);
        // Another field leaves them.
        REQUIRE(put_trip(base, trip, R"({"summary":"Other"})").status == 200);
        CHECK(read_trip(base, trip)["cancellation_terms"] == rows);
        // A fault changes nothing, and names its row.
        const auto refused = put_trip(base, trip, R"({"cancellation_terms":[{"days":3,"percentage":50},{"days":9,
            "percentage":60}]})");
        CHECK(refused.status == 400);
        CHECK(refused.field() == "cancellation_terms.1.days");  // on the wire items count from 0
        CHECK(read_trip(base, trip)["cancellation_terms"] == rows);
        // Copies have them; revisions bring them back.
        const auto copy = base.call("POST", path("/trips/", trip, "/duplicate"), "{}", base.user("administrator"));
        REQUIRE(copy.status == 201);
        CHECK(read_trip(base, copy.data()["id"].integer())["cancellation_terms"] == rows);
        REQUIRE(put_trip(base, trip, R"({"cancellation_terms":null})").status == 200);
        CHECK(read_trip(base, trip)["cancellation_terms"].is_null());
        const auto revisions = base.get(path("/trips/", trip, "/revisions"), base.user("administrator")).data();
        REQUIRE(revisions.size() > 0);
        REQUIRE(base.call("PUT",
                          path("/trips/", trip, ("/revisions/" + std::to_string(revisions[0]["id"].integer())).c_str()),
                          R"({"action":"restore"})", base.user("administrator"))
                    .status == 200);
        CHECK(read_trip(base, trip)["cancellation_terms"] == rows);
        for (int time = 0; time < 2; ++time)  // to the trash, then for good
            CHECK(base.call("DELETE", path("/trips/", copy.data()["id"].integer()), {}, base.user("administrator"))
                      .status == 200);
        CHECK(base.number("SELECT COUNT(DISTINCT trip_id) FROM svc_trip_cancellation_terms") == 1);
    });
}

TEST_CASE("amounts of cancellation terms keep the trip in its currency") {
    each_base([](TestBase& base) {
        const auto trip = base.given_trip();
        REQUIRE(put_trip(base, trip, two_rows).status == 200);
        REQUIRE(base.call("PUT", "/settings", R"({"currency":"EUR"})", base.user("administrator")).status == 200);
        REQUIRE(put_trip(base, trip, R"({"regular_price":300})").status == 200);
        CHECK(read_trip(base, trip).text_or("currency") == "USD");
        REQUIRE(put_trip(base, trip, R"({"cancellation_terms":null})").status == 200);
        REQUIRE(put_trip(base, trip, R"({"regular_price":310})").status == 200);
        CHECK(read_trip(base, trip).text_or("currency") == "EUR");
    });
}

TEST_CASE("the setting's terms count for trips without their own, and are checked alike") {
    each_base([](TestBase& base) {
        CHECK(put_default(base, R"([{"days":5,"percentage":1},{"days":9,"percentage":2}])").status == 400);
        CHECK(put_default(base, R"([{"days":5,"percentage":101}])").status == 400);
        REQUIRE(put_default(base, R"([{"days":10,"percentage":0}])").status == 200);
        const auto stored = base.get("/settings", base.user("administrator")).data()["cancellation_terms"];
        CHECK(stored.size() == 2);  // with the row from then on
        const auto trip = base.given_trip();
        base.given_departure(trip, 30, 5);
        const auto made = base.given_booking(trip);
        const Value agreed = own_booking(base, made)["cancellation"];
        CHECK(agreed["terms"] == stored);
        CHECK(agreed["free_until"].text() == base.day(20));
        // Amounts of the setting say nothing about a trip in another currency.
        REQUIRE(put_default(base, R"([{"days":10,"amount":5}])").status == 200);
        REQUIRE(base.call("PUT", "/settings", R"({"currency":"EUR"})", base.user("administrator")).status == 200);
        CHECK(own_booking(base, base.given_booking(trip, 30, "Hopper"))["cancellation"].is_null());
    });
}

TEST_CASE("a booking keeps the terms that its customer agreed to") {
    each_base([](TestBase& base) {
        const auto trip = base.given_trip();
        base.given_departure(trip, 30, 9);
        CHECK(own_booking(base, base.given_booking(trip, 30, "Before"))["cancellation"].is_null());
        REQUIRE(put_trip(base, trip,
                         R"({"cancellation_policy":"Talk to us.","cancellation_terms":[{"days":40,"percentage":0},
                             {"days":20,"percentage":30}]})")
                    .status == 200);
        const auto made = base.given_booking(trip);
        REQUIRE(
            put_trip(base, trip, R"({"cancellation_policy":"No.","cancellation_terms":[{"percentage":100}]})").status ==
            200);
        const Value booking = own_booking(base, made), &kept = booking["cancellation"];
        CHECK(kept["policy"].text() == "Talk to us.");
        CHECK(booking["cancellation_policy"].text() == "No.");
        REQUIRE(kept["terms"].size() == 3);
        CHECK(kept["free_until"].text() == base.day(-10));
        const Money total = Money::parse(booking["total"].number_text(), Currency::usd()).value();
        CHECK(kept["fee_now"] == Value(total.share(30, 100)));
        CHECK(kept["returned_now"] == Value(Money::zero(Currency::usd())));
        REQUIRE(kept["fees"].size() == 3);
        CHECK(kept["fees"][1]["until"].text() == base.day(10));
        CHECK(kept["fees"][2]["fee"] == booking["total"]);
        // Staff see the same.
        CHECK(base.get(path("/bookings/", made.id), base.user("administrator")).data()["cancellation"] == kept);
    });
}

TEST_CASE("what cancelling costs is that of the day of the cancellation, and what was paid beyond it is proposed") {
    each_base([](TestBase& base) {
        const auto trip = base.given_trip();
        base.given_departure(trip, 30, 9);
        REQUIRE(put_trip(base, trip, R"({"cancellation_terms":[{"days":20,"percentage":25}]})").status == 200);
        const auto made = base.given_booking(trip);
        const Visitor boss = base.user("administrator");
        const Value before = base.get(path("/bookings/", made.id), boss).data();
        const Money total = Money::parse(before["total"].number_text(), Currency::usd()).value();
        REQUIRE(base.post(path("/bookings/", made.id, "/payments"),
                          Value::object({{"amount", total}, {"gateway", "cash"}, {"status", "completed"}}), boss)
                    .status == 201);
        const auto ended = base.call("POST", path("/customers/my-bookings/", made.id, "/cancel"), R"({"reason":"ill"})",
                                     Visitor{}.with("X-Svc-Booking-Token", made.token));
        REQUIRE(ended.status == 200);
        CHECK(ended.data()["cancellation"]["fee_now"] == Value(total.share(25, 100)));
        CHECK(ended.data()["cancellation"]["returned_now"] == Value(total - total.share(25, 100)));
        // A refund stays staff's decision: nothing was sent back.
        CHECK(ended.data()["amount_paid"] == Value(total));
        // Days later it is what it was.
        base.run("UPDATE svc_bookings SET cancelled_at = cancelled_at - 1728000000000");  // 20 days ago
        CHECK(base.get(path("/bookings/", made.id), boss).data()["cancellation"]["as_of"].text() == base.day(-20));
        base.leaves_what_holds = false;  // an end before the beginning
    });
}

TEST_CASE("nothing is said about cancelling what was not sold, or has taken place") {
    each_base([](TestBase& base) {
        base.leaves_what_holds = false;  // statuses set by hand
        const auto trip = base.given_trip();
        base.given_departure(trip, 30, 9);
        REQUIRE(put_trip(base, trip, two_rows).status == 200);
        const auto made = base.given_booking(trip);
        for (const char* status : {"completed", "waitlist", "pending_verification", "failed", "refunded"}) {
            base.run((std::string("UPDATE svc_bookings SET status = '") + status + "'").c_str());
            const Value kept = base.get(path("/bookings/", made.id), base.user("administrator")).data()["cancellation"];
            CHECK(kept["terms"].size() == 3);
            CHECK(kept["fee_now"].is_null());
        }
    });
}

TEST_CASE("staff read the sentences of terms before they store them") {
    each_base([](TestBase& base) {
        const Visitor boss = base.user("administrator");
        const auto shown = base.call("POST", "/cancellation-terms/preview",
                                     R"({"cancellation_terms":[{"days":14,"percentage":0}]})", boss);
        REQUIRE(shown.status == 200);
        REQUIRE(shown.data()["sentences"].size() == 2);
        CHECK(shown.data()["sentences"][0].text() == "Cancelling is free until 14 days before departure.");
        CHECK(shown.data()["sentences"][1].text() == "After that, the full price is due.");
        CHECK(base.call("POST", "/cancellation-terms/preview",
                        R"({"currency":"JPY","cancellation_terms":[{"days":14,"amount":1.5}]})", boss)
                  .field() == "cancellation_terms.0.amount");
        CHECK(base.call("POST", "/cancellation-terms/preview", R"({"currency":"XXQ","cancellation_terms":[]})", boss)
                  .field() == "currency");
        CHECK(base.call("POST", "/cancellation-terms/preview", R"({"cancellation_terms":[]})").status == 401);
    });
}

TEST_CASE("e-mails say what the customer agreed to, and what a cancellation by the customer costs") {
    each_base([](TestBase& base) {
        const auto trip = base.given_trip();
        base.given_departure(trip, 30, 9);
        CHECK(base.given_booking(trip).id > 0);
        CHECK(mails_saying(base, "booking_confirmation", "If you have to cancel") == 0);
        REQUIRE(put_trip(base, trip,
                         R"({"cancellation_policy":"Talk & write.","cancellation_terms":[{"days":40,"percentage":0},
                             {"days":5,"percentage":30}]})")
                    .status == 200);
        const auto made = base.given_booking(trip), other = base.given_booking(trip, 30, "Hopper");
        CHECK(mails_saying(base, "booking_confirmation", "<li>Cancelling is free until ") == 2);
        CHECK(mails_saying(base, "booking_confirmation", "Talk &amp; write.") == 2);
        REQUIRE(base.call("PUT", path("/bookings/", other.id, "/status"), R"({"status":"confirmed"})",
                          base.user("administrator"))
                    .status == 200);
        CHECK(mails_saying(base, "booking_confirmed", "<li>Cancelling is free until ") == 1);
        REQUIRE(base.call("POST", path("/customers/my-bookings/", made.id, "/cancel"), "{}",
                          Visitor{}.with("X-Svc-Booking-Token", made.token))
                    .status == 200);
        CHECK(mails_saying(base, "booking_cancelled", "Cancellation fee") == 1);
        CHECK(mails_saying(base, "admin_booking_cancelled", "Proposed refund") == 0);  // no office address
        // Whom the operator cancels is told of no fee.
        REQUIRE(base.call("PUT", path("/bookings/", other.id, "/status"), R"({"status":"cancelled"})",
                          base.user("administrator"))
                    .status == 200);
        CHECK(mails_saying(base, "booking_cancelled", "") == 2);
        CHECK(mails_saying(base, "booking_cancelled", "Cancellation fee") == 1);
    });
}

TEST_CASE("events of bookings have the terms as the booking's answer has them") {
    each_on<Heard>([](Heard& heard) {
        TestBase& base = heard.base;
        const auto trip = base.given_trip();
        base.given_departure(trip, 30, 9);
        REQUIRE(put_trip(base, trip, two_rows).status == 200);
        const auto made = base.given_booking(trip);
        REQUIRE(base.assembly->hooks.drain());
        REQUIRE(heard.events.size() == 1);
        CHECK(heard.events[0]["booking"]["cancellation"] == own_booking(base, made)["cancellation"]);
    });
}

TEST_CASE("voucher, itinerary and pro forma invoice say what was agreed to") {
    each_base([](TestBase& base) {
        const Visitor boss = base.user("administrator");
        const auto trip = base.given_trip();
        base.given_departure(trip, 30, 9);
        REQUIRE(
            put_trip(base, trip, R"({"cancellation_policy":"Talk to us.","cancellation_terms":[{"percentage":40}]})")
                .status == 200);
        const auto made = base.given_booking(trip);
        REQUIRE(put_trip(base, trip, R"({"cancellation_policy":"No.","cancellation_terms":null})").status == 200);
        for (const char* kind : {"/voucher", "/itinerary", "/invoice"}) {
            const auto file = base.get(path("/bookings/", made.id, kind), boss);
            CAPTURE(kind);
            REQUIRE(file.status == 200);
            const std::string text = PdfFile(file.text).text();
            CAPTURE(text);
            CHECK(text.find("If you have to cancel") != std::string::npos);
            CHECK(text.find("Cancelling costs") != std::string::npos);
            CHECK(text.find("Talk to us.") != std::string::npos);
            CHECK(text.find("No.") == std::string::npos);
        }
    });
}

TEST_CASE("sample trips have cancellation terms, and their bookings keep them") {
    each_base([](TestBase& base) {
        REQUIRE(base.call("POST", "/sample-data/import", "{}", base.user("administrator")).status == 200);
        CHECK(base.number("SELECT COUNT(DISTINCT trip_id) FROM svc_trip_cancellation_terms") == 12);
        CHECK(base.number("SELECT COUNT(*) FROM svc_booking_cancellation_terms") ==
              base.number("SELECT COUNT(*) FROM svc_bookings"));
    });
}
