// The mailed links of a booking: what each proves, what it grants, and when it ends.
#include <doctest/doctest.h>

#include "base/sales/booking/record/pay_link.hpp"
#include "tests/support/each_on.hpp"
#include "tests/support/open_mails.hpp"
#include "tests/support/test_base.hpp"

using namespace svc;
using namespace svc::tests;
using json::Value;

namespace {

struct Guest {
    explicit Guest(Database& database) : base(database), admin(base.user("administrator")), trip(base.given_trip()) {
        base.given_departure(trip);
        booked = base.given_booking(trip);
    }
    [[nodiscard]] std::string link() const { return base.assembly->bookings.records.new_booking_link(booked.id); }
    [[nodiscard]] std::string pay_link() const { return base.assembly->bookings.records.new_pay_link(booked.id); }
    [[nodiscard]] std::string own(const char* more = "") const {
        return "/customers/my-bookings/" + std::to_string(booked.id) + more;
    }
    static Visitor with(const std::string& secret) { return Visitor{}.with("X-Svc-Booking-Token", secret); }
    int get(const std::string& target, const std::string& secret) { return base.get(target, with(secret)).status; }
    Answered cancel(const std::string& secret, const std::string& key = {}) {
        Visitor guest = with(secret);
        return base.call("POST", own("/cancel"), "{}", key.empty() ? guest : guest.with("Idempotency-Key", key));
    }
    Answered open(const std::string& link) { return base.post("/booking/open", Value::object({{"link", link}})); }
    Answered find(const std::string& reference, const std::string& email) {
        return base.post("/booking/find", Value::object({{"reference", reference}, {"email", email}}));
    }
    void put(const std::string& path, const char* body) {
        REQUIRE(base.call("PUT", "/bookings/" + std::to_string(booked.id) + path, body, admin).status == 200);
    }
    // The texts of the mails of that template, oldest first.
    std::vector<std::string> mails(const std::string& template_key) {
        REQUIRE(base.assembly->hooks.drain());
        open_mails(*base.assembly->store, *base.assembly->keyring);
        return base.assembly->store->reading<std::vector<std::string>>([&](store::Session& session) {
            return session.all<std::string>(
                "SELECT body_html FROM svc_email_outbox WHERE template_key = :key ORDER BY id", "t",
                {{"key", template_key}}, [](const store::Row& row) { return row.maybe_text(0).value_or(""); });
        });
    }

    TestBase base;
    Visitor admin;
    std::int64_t trip;
    GivenBooking booked{};
};

const auto each_guest = each_on<Guest>;

std::string token_in(const std::string& mail) {
    const auto at = mail.find("booking_token=");
    return at == std::string::npos ? std::string() : mail.substr(at + 14, mail.find_first_of("\"&<", at) - at - 14);
}

}  // namespace

TEST_CASE("a booking link reads the booking in any browser, and the token that it is exchanged for acts") {
    each_guest([](Guest& guest) {
        const std::string link = guest.link();
        CHECK(guest.get(guest.own(), link) == 200);
        CHECK(guest.get("/payment/status/" + std::to_string(guest.booked.id), link) == 200);
        CHECK(guest.get("/booking/" + std::to_string(guest.booked.id) + "/invoice", link) == 200);
        CHECK(guest.get("/bookings/" + std::to_string(guest.booked.id) + "/calendar", link) == 200);
        const Answered refused = guest.cancel(link);
        CHECK(refused.status == 403);
        CHECK(refused.text.find("POST /booking/open") != std::string::npos);
        CHECK(guest.base
                  .post("/payment/create-intent",
                        Value::object({{"booking_id", guest.booked.id}, {"gateway", "pay_later"}}), Guest::with(link))
                  .status == 403);
        const Answered opened = guest.open(link);
        REQUIRE(opened.status == 200);
        CHECK(opened.data()["reference"].text() == guest.booked.reference);
        const std::string token = opened.data().text_or("booking_token");
        REQUIRE_FALSE(token.empty());
        CHECK(guest.get(guest.own(), token) == 200);
        CHECK(guest.cancel(token).status == 200);
    });
}

TEST_CASE("a booking link reads on after the cancellation, and nothing acts by it any more") {
    each_guest([](Guest& guest) {
        const std::string link = guest.link(), token = guest.open(link).data().text_or("booking_token");
        guest.put("/status", R"({"status":"cancelled"})");
        CHECK(guest.get(guest.own(), token) == 403);
        const Answered read = guest.base.get(guest.own(), Guest::with(link));
        REQUIRE(read.status == 200);
        CHECK(read.data()["status"].text() == "cancelled");
        CHECK(read.data().find("payment_status"));
        CHECK(guest.get("/booking/" + std::to_string(guest.booked.id) + "/invoice", link) == 200);
        const Answered opened = guest.open(link);
        CHECK(opened.status == 200);
        CHECK(opened.data()["booking_token"].is_null());
    });
}

TEST_CASE("a booking link is of one booking, one address and one counter, and no other text opens anything") {
    each_guest([](Guest& guest) {
        const GivenBooking other = guest.base.given_booking(guest.trip, 30, "Babbage");
        const std::string link = guest.link();
        CHECK(guest.get("/customers/my-bookings/" + std::to_string(other.id), link) == 403);
        for (const std::string& wrong :
             {link.substr(0, link.size() - 1) + (link.back() == '0' ? "1" : "0"),
              "b1." + std::to_string(other.id) + link.substr(link.rfind('.')), std::string("b1.1."), std::string("b1."),
              std::string("b1.x.y"), "b1.-" + link.substr(3), "b1.+" + link.substr(3), "b1.0" + link.substr(3)}) {
            CAPTURE(wrong);
            CHECK(guest.get(guest.own(), wrong) == 403);
            CHECK(guest.open(wrong).code() == "invalid_token");
        }
        guest.put("", R"({"contact_email":"eve@example.org"})");
        CHECK(guest.get(guest.own(), link) == 403);
        const std::string second = guest.link();
        CHECK(guest.get(guest.own(), second) == 200);
        // Changed back, the address does not bring its links back.
        guest.put("", R"({"contact_email":"ada@example.org"})");
        CHECK(guest.get(guest.own(), link) == 403);
        CHECK(guest.get(guest.own(), second) == 403);
        CHECK(guest.get(guest.own(), guest.link()) == 200);
    });
}

TEST_CASE("a booking link ends sixty days after the trip") {
    each_guest([](Guest& guest) {
        const std::string link = guest.link();
        const auto ended = [&](int days_ago) {
            const auto done = guest.base.assembly->store->write([&](store::Transaction& tx) -> Result<void> {
                tx.run("UPDATE svc_bookings SET end_date = :day WHERE id = :id",
                       {{"day", Date::parse(guest.base.day(-days_ago)).value()}, {"id", guest.booked.id}});
                return {};
            });
            REQUIRE(done);
        };
        ended(60);
        CHECK(guest.get(guest.own(), link) == 200);
        ended(61);
        CHECK(guest.get(guest.own(), link) == 403);
        CHECK(guest.open(link).code() == "token_expired");
    });
}

TEST_CASE("a pay link shows amounts and takes the payment, nothing else, and ends") {
    each_guest([](Guest& guest) {
        const std::string link = guest.pay_link(), id = std::to_string(guest.booked.id);
        const Answered status = guest.base.get("/payment/status/" + id, Guest::with(link));
        REQUIRE(status.status == 200);
        CHECK(status.data()["payment"].is_null());
        for (const std::string& target : {guest.own(), "/bookings/" + id + "/voucher", "/booking/" + id + "/invoice",
                                          "/bookings/" + id + "/calendar"}) {
            CAPTURE(target);
            CHECK(guest.get(target, link) == 403);
        }
        CHECK(guest.cancel(link).status == 403);
        CHECK(guest.open(link).code() == "invalid_token");
        // Not before an end: after sixty days it is over, however far the trip is.
        const auto& keyring = *guest.base.assembly->keyring;
        const Instant now = SystemClock().now();
        const auto issued = [&](int days_ago) {
            return booking::PayLinks{keyring}.token({guest.booked.id, "ada@example.org", 0},
                                                    now.minus(std::chrono::hours(24 * days_ago)));
        };
        CHECK(guest.get("/payment/status/" + id, issued(59)) == 200);
        CHECK(guest.get("/payment/status/" + id, issued(61)) == 403);
        guest.put("", R"({"contact_email":"eve@example.org"})");
        guest.put("", R"({"contact_email":"ada@example.org"})");
        CHECK(guest.get("/payment/status/" + id, link) == 403);
        CHECK(guest.get("/payment/status/" + id, guest.pay_link()) == 200);
    });
}

TEST_CASE("who pays by a pay link gets no token of the invoice, which has the customer's name") {
    each_guest([](Guest& guest) {
        const auto paid = guest.base.post("/payments",
                                          json::Value::object({{"booking_id", guest.booked.id},
                                                               {"amount", 10},
                                                               {"gateway", "pay_later"},
                                                               {"transaction_id", "T-1"},
                                                               {"status", "completed"}}),
                                          guest.base.user("administrator"));
        REQUIRE(paid.status == 201);
        const auto confirmed = [&](const std::string& token) {
            return guest.base.post(
                "/payment/confirm",
                json::Value::object(
                    {{"gateway", "pay_later"}, {"booking_id", guest.booked.id}, {"transaction_id", "T-1"}}),
                Guest::with(token));
        };
        const auto linked = confirmed(guest.pay_link()), own = confirmed(guest.booked.token);
        CAPTURE(linked.text);
        REQUIRE(linked.status == 200);
        REQUIRE(own.status == 200);
        CHECK(linked.data()["status"].text() == "completed");
        CHECK(linked.data()["invoice_token"].is_null());
        CHECK_FALSE(own.data()["invoice_token"].text().empty());
    });
}

TEST_CASE("staff's new link ends every link and token before it and is mailed") {
    each_guest([](Guest& guest) {
        const std::string link = guest.link(), pay = guest.pay_link(), id = std::to_string(guest.booked.id);
        const std::string path = "/bookings/" + id + "/new-link";
        CHECK(guest.base.post(path, Value::object(), Guest::with(link)).status == 401);
        CHECK(guest.base.post(path, Value::object(), guest.base.user("svc_customer")).status == 403);
        const Answered renewed = guest.base.post(path, Value::object(), guest.admin);
        REQUIRE(renewed.status == 200);
        CHECK(renewed.data()["email"].text() == "ada@example.org");
        CHECK(guest.get(guest.own(), link) == 403);
        CHECK(guest.get("/payment/status/" + id, pay) == 403);
        CHECK(guest.get(guest.own(), guest.booked.token) == 403);
        const auto mails = guest.mails("booking_link");
        REQUIRE(mails.size() == 1);
        CHECK(guest.get(guest.own(), token_in(mails.front())) == 200);
        CHECK(guest.base.post(path, Value::object({{"notify", false}}), guest.admin).status == 200);
        CHECK(guest.mails("booking_link").size() == 1);
        CHECK(guest.base.post("/bookings/999999/new-link", Value::object(), guest.admin).status == 404);
    });
}

TEST_CASE("the link is mailed again to reference and address that belong together, and the answer does not say so") {
    each_guest([](Guest& guest) {
        const Answered right = guest.find(guest.booked.reference, "ADA@example.org"),
                       wrong = guest.find(guest.booked.reference, "eve@example.org"),
                       unknown = guest.find("SVC-00000000", "ada@example.org");
        CHECK(right.status == 200);
        CHECK(right.text == wrong.text);
        CHECK(right.text == unknown.text);
        const auto mails = guest.mails("booking_link");
        REQUIRE(mails.size() == 1);
        CHECK(guest.get(guest.own(), token_in(mails.front())) == 200);
        CHECK(guest.find("", "ada@example.org").field() == "reference");
        CHECK(guest.find(guest.booked.reference, "no address").field() == "email");
        // The mailbox is not flooded, whoever asks: the fourth within half an hour is refused.
        CHECK(guest.find("SVC-00000000", "ada@example.org").status == 200);
        CHECK(guest.find(guest.booked.reference, "ada@example.org").status == 429);
        CHECK(guest.find(guest.booked.reference, "ADA+1@example.org").status == 429);
    });
}

TEST_CASE("a request repeated after the right to it ended gets its stored answer again") {
    each_guest([](Guest& guest) {
        const std::string key = "11111111-2222-3333-4444-555555555555";
        const Answered first = guest.cancel(guest.booked.token, key);
        REQUIRE(first.status == 200);
        const Answered second = guest.cancel(guest.booked.token, key);
        CHECK(second.status == 200);
        CHECK(second.text == first.text);
        // Another key, another body or another caller gets nothing of it.
        CHECK(guest.cancel(guest.booked.token, key + "6").status == 403);
        CHECK(guest.cancel(guest.booked.token).status == 403);
        CHECK(guest.cancel(std::string(43, 'x'), key).status == 403);
        CHECK(guest.base
                  .call("POST", guest.own("/cancel"), R"({"reason":"ill"})",
                        Guest::with(guest.booked.token).with("Idempotency-Key", key))
                  .status == 403);
    });
}

TEST_CASE("every mail to the contact has the booking's link, and no mail to staff has it") {
    each_guest([](Guest& guest) {
        REQUIRE(guest.base.call("PUT", "/settings", R"({"admin_email":"office@example.org"})", guest.admin).status ==
                200);
        guest.put("/status", R"({"status":"confirmed"})");
        guest.put("/status", R"({"status":"cancelled"})");
        for (const char* key : {"booking_confirmation", "booking_confirmed", "booking_cancelled"}) {
            CAPTURE(key);
            const auto mails = guest.mails(key);
            REQUIRE_FALSE(mails.empty());
            CHECK(guest.get(guest.own(), token_in(mails.back())) == 200);
        }
        for (const char* key : {"admin_new_booking", "admin_booking_cancelled"})
            for (const std::string& mail : guest.mails(key)) {
                CAPTURE(key);
                CHECK(mail.find("booking_token") == std::string::npos);
            }
        // A preview for staff shows the page's address alone.
        const Answered preview = guest.base.post(
            "/email-template-preview",
            Value::object({{"template_key", "booking_confirmed"}, {"booking_id", guest.booked.id}}), guest.admin);
        CHECK(preview.text.find("booking_token") == std::string::npos);
    });
}

TEST_CASE("a calendar file has the trip's hours on the site's clock, its place and a lasting name") {
    each_guest([](Guest& guest) {
        guest.base.run("UPDATE svc_bookings SET departure_time = '08:00', end_date = travel_date");
        const std::string trip = "/trips/" + std::to_string(guest.trip);
        REQUIRE(
            guest.base
                .call(
                    "PUT", trip,
                    R"({"starting_location":"Aswan, pier 2","trip_type":"single_day","duration":1,"duration_hours":7})",
                    guest.admin)
                .status == 200);
        REQUIRE(guest.base.call("PUT", "/settings", R"({"timezone":"Africa/Cairo"})", guest.admin).status == 200);
        const Answered file = guest.base.get("/bookings/" + std::to_string(guest.booked.id) + "/calendar",
                                             Guest::with(guest.booked.token));
        REQUIRE(file.status == 200);
        CHECK(file.header("Content-Type").find("text/calendar") == 0);
        CAPTURE(file.text);
        const auto line = [&](const std::string& begin) {
            const auto at = file.text.find("\r\n" + begin);
            return at == std::string::npos ? std::string()
                                           : file.text.substr(at + 2, file.text.find("\r\n", at + 2) - at - 2);
        };
        const std::string starts = line("DTSTART"), ends = line("DTEND");
        CHECK(starts.find("VALUE=DATE") == std::string::npos);
        const auto hour = [](const std::string& text) {
            return std::stoi(text.substr(text.find('T', text.find(':')) + 1, 2));
        };
        CHECK(hour(ends) - hour(starts) == 7);
        CHECK((hour(starts) == 5 || hour(starts) == 6));  // 08:00 in Cairo
        CHECK(line("LOCATION").find("Aswan\\, pier 2") != std::string::npos);
        CHECK(line("UID").find(guest.booked.reference + "@") != std::string::npos);
        CHECK(line("UID").find("@svc") == std::string::npos);
        CHECK(line("URL").find("/confirmation/" + guest.booked.reference) != std::string::npos);
        CHECK(file.text.find("booking_token") == std::string::npos);
    });
}

TEST_CASE("who waits for a sold-out date gives name, address and telephone, and is charged nothing") {
    each_guest([](Guest& guest) {
        const auto trip = guest.base.given_trip("Desert walk");
        guest.base.given_departure(trip, 30, 1);
        guest.base.given_booking(trip);
        Value form = Value::object({{"trip_id", trip},
                                    {"travel_date", guest.base.day(30)},
                                    {"travelers_count", 1},
                                    {"join_waitlist", true},
                                    {"contact_first_name", "Mia"},
                                    {"contact_email", "mia@example.org"},
                                    {"contact_phone", "+44 20 7946 0003"}});
        const auto send = [&] {
            const Answered opened = guest.base.post("/booking/session", Value::object({{"trip_id", trip}}));
            REQUIRE(opened.status == 201);
            form.set("session_id", opened.data()["session_id"]);
            return guest.base.post("/booking/create", form);
        };
        const Answered joined = send();
        CAPTURE(joined.text);
        REQUIRE(joined.status == 201);
        CHECK(joined.data()["status"].text() == "waitlist");
        form.set("contact_email", "mia");
        CHECK(send().field() == "contact_email");
        // Seats are free: it is a booking like any other, and the whole form counts.
        form.set("contact_email", "mia@example.org");
        form.set("travel_date", guest.base.day(31));
        guest.base.given_departure(trip, 31, 5);
        CHECK(send().status == 400);
    });
}
