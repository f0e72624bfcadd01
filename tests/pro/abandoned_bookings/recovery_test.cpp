// Links of reminders: going on at today's price on another device, ending them, and links that are none.
#include "tests/pro/abandoned_bookings/unfinished.hpp"

using namespace svc;
using namespace svc::tests;

namespace {

struct Links {
    std::string recover, stop;
};

Links links_of(Unfinished& base) {
    const auto html = base.mail("abandoned_booking_recovery_first").second;
    return {.recover = Unfinished::token_in(html, "booking-recovery"),
            .stop = Unfinished::token_in(html, "no-reminders")};
}

}  // namespace

// The security review's N1 for the links of reminders: tests/base/people/my_account/credentials_test.cpp follows the
// base's.
TEST_CASE("a recovery link shows a signed-in account none of the bookings of the address that it was mailed to") {
    with_each([](Unfinished& base) {
        const auto booked = base.given_booking(base.trip);  // by ada@example.org
        base.given(2, "ada+2@example.org");
        REQUIRE(base.scan()["sent"].integer() == 1);
        const Links links = links_of(base);
        const Visitor& older = base.user("svc_customer");
        REQUIRE(base.get("/abandoned-bookings/recover/" + links.recover, older).status == 200);
        CHECK(base.get("/customers/my-bookings", older).data().size() == 0);
        CHECK(base.get("/customers/my-bookings/" + std::to_string(booked.id), older).status == 404);
    });
}

TEST_CASE("a link restores what was chosen at today's price and says what has changed") {
    with_each([](Unfinished& base) {
        base.set(R"({"first_discount_percent":10})");
        const auto id = base.given(2);
        REQUIRE(base.scan()["sent"].integer() == 1);
        const Links links = links_of(base);
        const std::string path = "/abandoned-bookings/recover/" + links.recover;
        REQUIRE(base.call("PUT", "/trips/" + std::to_string(base.trip), R"({"regular_price":250,"sale_price":null})",
                          base.admin())
                    .status == 200);
        const auto led = base.get(path, Visitor{}.with("Accept", "text/html,*/*"));
        CHECK(led.status == 302);
        CHECK(led.header("Location").ends_with("/booking-recovery/" + links.recover));
        CHECK(base.read(id)["link_used_at"].is_null());  // programs look at links, too
        const auto opened = base.get(path);
        CAPTURE(opened.text);
        REQUIRE(opened.status == 200);
        CHECK(opened.data()["price_before"].number_text() == "400.00");
        CHECK(opened.data()["price_now"].number_text() == "450.00");
        CHECK(opened.data()["coupon_code"].text().starts_with("BACK-"));
        CHECK(opened.data()["trip_id"].integer() == base.trip);
        CHECK(base.read(id)["link_used_at"].is_string());
        const auto session = base.get("/booking/session?session_id=" + opened.data()["booking_token"].text()).data();
        CHECK(session["travelers"].integer() == 2);
        CHECK(session["travel_date"].text() == base.day(30));
        CHECK(session["form_data"]["contact_email"].text() == "ada@example.org");
        CHECK(session["quote"]["final_total"].number_text() == "450.00");
        CHECK(base.get(path).status == 200);  // again, until it ends

        const std::string html = base.page("GET", "/booking-recovery/" + links.recover);
        CHECK(html.find("The price has risen") != std::string::npos);
        CHECK(html.find("400") != std::string::npos);
        CHECK(html.find("action=\"/book/nile-cruise/details\"") != std::string::npos);
        CHECK(html.find("name=\"contact_email\" value=\"ada@example.org\"") != std::string::npos);
        // The form of another device begins with all of it, whatever else it asks for.
        const std::string form =
            "_date=" + base.day(30) +
            "&_travelers=2&contact_first_name=Ada&contact_last_name="
            "Lovelace&contact_email=ada%40example.org&contact_phone=%2B4420123456&contact_country=GB";
        const std::string restored = base.page("POST", "/book/nile-cruise/details", form, {}, 400);
        CHECK(restored.find("value=\"ada@example.org\"") != std::string::npos);
        CHECK(restored.find("2 × Nile cruise") != std::string::npos);

        const auto seats = [&](int count) {
            const auto put = base.call(
                "PUT", "/trips/" + std::to_string(base.trip) + "/departures/" + std::to_string(base.departure),
                R"({"max_capacity":)" + std::to_string(count) + "}", base.admin());
            CAPTURE(put.text);
            REQUIRE(put.status == 200);
        };
        seats(1);
        CHECK(base.get(path).data()["unavailable"].text() == "sold_out");
        CHECK(base.page("GET", "/booking-recovery/" + links.recover).find("Your date is sold out") !=
              std::string::npos);
        seats(6);
        REQUIRE(base.call("PUT", "/trips/" + std::to_string(base.trip), R"({"status":"draft"})", base.admin()).status ==
                200);
        CHECK(base.get(path).status == 410);
        CHECK(base.page("GET", "/booking-recovery/" + links.recover).find("no longer offered") != std::string::npos);
    });
}

TEST_CASE("only the visitor who goes on counts as come by the link") {
    with_each([](Unfinished& base) {
        const auto id = base.given(2);
        base.scan();
        const Links links = links_of(base);
        base.page("GET", "/booking-recovery/" + links.recover);
        CHECK(base.read(id)["link_used_at"].is_null());
        base.page("POST", "/booking-recovery/" + links.recover);
        CHECK(base.read(id)["link_used_at"].is_string());
        REQUIRE(base.book(base.trip, 30, Value::object({{"contact_email", "ada@example.org"}})).status == 201);
        REQUIRE(base.assembly->hooks.drain());
        CHECK(base.read(id)["recovered_by"].text() == "link");
        CHECK(base.get("/abandoned-bookings/recover/" + links.recover).status == 410);
        CHECK(base.page("GET", "/booking-recovery/" + links.recover).find("You have booked this trip") !=
              std::string::npos);
    });
}

TEST_CASE("the other link ends the reminders for good, by a button alone") {
    with_each([](Unfinished& base) {
        const auto id = base.given(2);
        base.scan();
        const Links links = links_of(base);
        const std::string page = "/no-reminders/" + links.stop;
        CHECK(base.page("GET", page).find("ada@example.org") != std::string::npos);
        CHECK_FALSE(base.read(id)["unsubscribed"].boolean());
        CHECK(base.page("POST", page).find("no more reminders") != std::string::npos);
        CHECK(base.read(id)["unsubscribed"].boolean());
        CHECK(base.read(id)["end_reason"].text() == "unsubscribed");
        CHECK(base.page("GET", page).find("no more reminders") != std::string::npos);
        base.pass(100, id);
        CHECK(base.scan()["sent"].integer() == 0);
        CHECK(base.post("/abandoned-bookings/" + std::to_string(id) + "/send-email", Value::object(), base.admin())
                  .status == 409);
        // Nothing of that address is kept from now on.
        const auto rows = base.rows();
        const auto other = base.given_trip("Desert walk");
        base.given_departure(other, 30);
        CHECK(base.track(base.session(1, other)).status == 200);
        CHECK(base.rows() == rows);
        CHECK(base.number("SELECT COUNT(*) FROM svc_abandoned_stops WHERE email_digest LIKE '%ada%'") == 0);
    });
}

TEST_CASE("foreign, altered, swapped and ended links open nothing") {
    with_each([](Unfinished& base) {
        const auto id = base.given(2);
        base.scan();
        const Links links = links_of(base);
        std::string altered = links.recover;
        altered[altered.size() / 2] = altered[altered.size() / 2] == 'A' ? 'B' : 'A';
        for (const std::string& token : {std::string("nothing"), links.stop, altered, links.recover + "A"}) {
            CAPTURE(token);
            CHECK(base.get("/abandoned-bookings/recover/" + token).status == 404);
            base.page("GET", "/booking-recovery/" + token, {}, {}, 404);
        }
        base.page("GET", "/no-reminders/" + links.recover, {}, {}, 404);
        base.page("POST", "/no-reminders/nothing", {}, {}, 404);
        CHECK_FALSE(base.read(id)["unsubscribed"].boolean());
        base.pass(31 * 24, id);
        CHECK(base.get("/abandoned-bookings/recover/" + links.recover).status == 410);
        base.scan();
        CHECK(base.get("/abandoned-bookings/recover/" + links.recover).status == 410);
        base.page("GET", "/booking-recovery/" + links.recover, {}, {}, 410);
        CHECK(base.page("GET", "/no-reminders/" + links.stop).find("no more reminders") != std::string::npos);
        base.run("DELETE FROM svc_abandoned_bookings");
        CHECK(base.get("/abandoned-bookings/recover/" + links.recover).status == 404);
        base.turn(false);
        CHECK(base.get("/abandoned-bookings/recover/" + links.recover).status == 404);
        base.page("GET", "/no-reminders/" + links.stop, {}, {}, 404);
    });
}

TEST_CASE("a person's unfinished bookings are in the export and name nobody after the erasure, the module on or off") {
    with_each([](Unfinished& base) {
        const std::string person = "ada@example.org";
        const auto id = base.given(2);
        base.scan();
        const Links links = links_of(base);
        const auto exported = base.assembly->privacy.exported(person);
        REQUIRE(exported);
        CHECK((*exported)["more"]["abandoned_bookings"].size() == 1);
        CHECK((*exported)["more"]["abandoned_bookings"][std::size_t{0}]["consent"].text() == "opt_in");
        base.turn(false);
        const auto erased = base.assembly->privacy.erase(person);
        REQUIRE(erased);
        CHECK(base.number("SELECT COUNT(*) FROM svc_abandoned_bookings WHERE email <> '' OR customer_name <> ''"
                          " OR email_lower <> '' OR search <> ''") == 0);
        base.turn(true);
        CHECK(base.read(id)["status"].text() == "expired");
        CHECK(base.get("/abandoned-bookings/recover/" + links.recover).status == 410);
        CHECK(base.scan()["sent"].integer() == 0);
    });
}
