// What one stranger does to another visitor: links with made-up tokens, and a network whose share of kept answers is
// full.
#include "tests/base/website/page_site.hpp"

namespace svc::tests {
namespace {

using json::Value;

// As of a neighbour who sent thousands of keyed writes: copies of an answer that the network has. `mark` tells the
// calls apart.
void fill_share(PageSite& site, const std::string& mark) {
    site.base.run(("WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 2100)"
                   " INSERT INTO svc_idempotency_keys (key_hash, route, request_hash, answer, expires_at, created_at,"
                   " network, answer_bytes) SELECT SUBSTR('" +
                   mark +
                   "' || n || '.' || k.key_hash, 1, 64), k.route, k.request_hash, k.answer, k.expires_at, "
                   "k.created_at, k.network, k.answer_bytes"
                   " FROM numbers, svc_idempotency_keys k WHERE k.key_hash = (SELECT MIN(key_hash) FROM"
                   " svc_idempotency_keys WHERE route = 'POST /booking/session')")
                      .c_str());
}

}  // namespace

TEST_CASE("a link with a token that proves nothing takes no proof from the browser, and adds none") {
    each_page_site([](PageSite& site) {
        const auto trip = site.base.given_trip("Nile cruise");
        site.base.given_departure(trip);
        const auto own = site.base.given_booking(trip), foreign = site.base.given_booking(trip, 30, "Mallory");
        const auto page_of = [](const GivenBooking& booking) { return "/book/confirmation/" + booking.reference; };
        const Visitor guest = Visitor{}.with("Cookie", "svc_booked=" + std::to_string(own.id) + "." + own.token);
        REQUIRE(site.page(page_of(own), guest).status == 200);
        for (const std::string& token : {std::string("anything"), std::string("x~1.y!marks!EVIL"), foreign.token,
                                         own.token + "%7E1.y", std::string("%0d%0aSet-Cookie:%20a=b")}) {
            CAPTURE(token);
            const auto led = site.page(page_of(own) + "?booking_token=" + token, guest);
            CHECK(led.status == 303);
            CHECK(led.header("Set-Cookie").empty());
            const auto planted = site.page(page_of(foreign) + "?booking_token=" + token, guest);
            CHECK(planted.status == 303);
            CHECK(planted.header("Set-Cookie").empty() == (token != foreign.token));
        }
        // One that proves is kept, beside the others.
        const auto kept = site.page(page_of(foreign) + "?booking_token=" + foreign.token, guest).header("Set-Cookie");
        CHECK(has(kept, foreign.token));
        CHECK(has(kept, own.token));
        CHECK(site.page(page_of(own), guest).status == 200);
    });
}

TEST_CASE("where a neighbour has filled the network's share of kept answers, a visitor still books and writes by key") {
    each_page_site([](PageSite& site) {
        site.set(Value::object({{"public_rate_limit", 100000}, {"unpaid_seats_share", 100}}));
        const auto trip = site.base.given_trip("Nile cruise");
        site.base.given_departure(trip);
        const Visitor neighbour = Visitor{}.from("192.0.2.7").with("Idempotency-Key", "the-neighbour-s-key-1");
        const Value session = Value::object({{"trip_id", trip}, {"travel_date", site.base.day(30)}});
        REQUIRE(site.base.post("/booking/session", session, neighbour).status == 201);
        const auto own = site.base.post("/booking/session", session, Visitor{}.from("192.0.2.7"));
        REQUIRE(own.status == 201);
        fill_share(site, "a");
        const auto kept = [&] {
            return site.base.number("SELECT COUNT(*) FROM svc_idempotency_keys WHERE network IS NOT NULL");
        };
        REQUIRE(kept() > 2000);
        const Visitor fresh = Visitor{}.from("192.0.2.7").with("Idempotency-Key", "the-visitor-s-own-key");
        const Value body = filled_in(Value::object({{"session_id", own.data()["session_id"]}}));
        const auto made = site.base.post("/booking/create", body, fresh);
        CAPTURE(made.text);
        REQUIRE(made.status == 201);
        CHECK(kept() <= 2000);
        // Its answer is not what makes room.
        fill_share(site, "b");
        const auto page = site.form("/trip/nile-cruise/enquiry",
                                    "customer_name=Ada&customer_email=ada%40example.org&message=Is+it+warm%3F"
                                    "&_key=the-key-of-the-page-1");
        CHECK(page.status == 200);
        CHECK(site.base.number("SELECT COUNT(*) FROM svc_enquiries") == 1);
        CHECK(kept() <= 2000);
        CHECK(site.base.post("/booking/create", body, fresh).text == made.text);
        CHECK(site.base.number("SELECT COUNT(*) FROM svc_bookings") == 1);
    });
}

TEST_CASE("who fills in the enquiry's hidden field is thanked, and staff find the question among the spam") {
    each_page_site([](PageSite& site) {
        site.base.given_trip("Nile cruise");
        const std::string form = "/trip/nile-cruise/enquiry";
        const auto shown = site.page(form).text;
        CHECK(has(shown, "name=\"left_empty\""));
        CHECK_FALSE(has(shown, "name=\"website\""));  // password managers know it
        const std::string typed = "customer_name=Ada&customer_email=ada%40example.org&message=Is+it+warm%3F";
        const auto sent = site.form(form, typed + "&left_empty=https%3A%2F%2Fexample.org");
        CHECK(sent.status == 200);
        CHECK(has(sent.text, "Thank you, we have your question"));
        CHECK(site.base.number("SELECT COUNT(*) FROM svc_enquiries WHERE status = 'spam' AND message LIKE '%warm%'") ==
              1);
        CHECK(site.form(form, typed).status == 200);
        CHECK(site.base.number("SELECT COUNT(*) FROM svc_enquiries WHERE status = 'new'") == 1);
    });
}

}  // namespace svc::tests
