// Proofs of a guest's booking, their end, and the answers to each caller.
#include <doctest/doctest.h>

#include "tests/support/before_start.hpp"
#include "tests/support/each_on.hpp"
#include "tests/support/follow.hpp"
#include "tests/support/open_mails.hpp"
#include "tests/support/test_base.hpp"

using namespace svc;
using namespace svc::tests;
using json::Value;

namespace {

struct Guests {
    explicit Guests(Database& database) : base(database), admin(base.user("administrator")), trip(base.given_trip()) {
        base.given_departure(trip, 30, 9);
    }
    void set(const char* key, Value value) {
        REQUIRE(base.call("PUT", "/settings", Value::object({{key, std::move(value)}}).dump(), admin).status == 200);
    }
    std::string open() {
        return base.post("/booking/session", Value::object({{"trip_id", trip}, {"travel_date", base.day(30)}}))
            .data()
            .text_or("session_id");
    }
    Answered book(const std::string& session, Value more = Value::object()) {
        Value body = Value::object({{"session_id", session},
                                    {"contact_first_name", "Ada"},
                                    {"contact_last_name", "Lovelace"},
                                    {"contact_email", "ada@example.org"}});
        for (auto& [name, value] : more.members())
            body.set(name, value);
        return base.post("/booking/create", filled_in(std::move(body)));
    }
    Answered edit(std::int64_t id, const char* body) {
        return base.call("PUT", "/bookings/" + std::to_string(id), body, admin);
    }
    std::int64_t mails(const std::string& condition) {
        REQUIRE(base.assembly->hooks.drain());
        open_mails(*base.assembly->store, *base.assembly->keyring);
        return base.number(("SELECT COUNT(*) FROM svc_email_outbox WHERE " + condition).c_str());
    }
    std::string link() {
        REQUIRE(base.assembly->hooks.drain());
        open_mails(*base.assembly->store, *base.assembly->keyring);
        std::string html;
        base.assembly->store->read([&](store::Session& session) {
            session.each(
                "SELECT body_html FROM svc_email_outbox WHERE template_key = 'guest_email_verification'"
                " ORDER BY id DESC LIMIT 1",
                "t", {}, [&](const store::Row& row) { html = row.text(0); });
        });
        const auto from = html.find("/booking/verify-email?token=");
        REQUIRE(from != std::string::npos);
        return html.substr(from, html.find('"', from) - from);
    }
    static std::string own(std::int64_t id, const char* more = "") {
        return "/customers/my-bookings/" + std::to_string(id) + more;
    }

    TestBase base;
    Visitor admin;
    std::int64_t trip;
};

const auto each_guests = each_on<Guests>;

}  // namespace

TEST_CASE("who makes an account with the booking proves the address like any guest") {
    each_guests([](Guests& guests) {
        guests.set("require_guest_email_verification", true);
        const auto made =
            guests.book(guests.open(), Value::object({{"create_account", true}, {"account_password", "long enough"}}));
        REQUIRE(made.status == 201);
        CHECK(made.data()["status"].text() == "pending_verification");
        CHECK(made.data()["next"]["type"].text() == "verify");
        CHECK(guests.mails("template_key = 'booking_confirmation'") == 0);
        CHECK(follow(guests.base, guests.link()).data()["status"].text() == "pending");
    });
}

TEST_CASE("whose record a booking is reveals to nobody but its owner and staff whether an address was known") {
    each_guests([](Guests& guests) {
        const auto shows = [](const Answered& answer) {
            REQUIRE(answer.status < 300);
            return answer.data().find("customer_id") != nullptr;
        };
        const auto made = guests.book(guests.open());
        const auto id = made.data()["booking_id"].integer();
        const auto guest = Visitor{}.with("X-Svc-Booking-Token", made.data().text_or("booking_token"));
        CHECK_FALSE(shows(made));
        CHECK_FALSE(shows(guests.base.get(Guests::own(id), guest)));
        CHECK(shows(guests.base.get("/bookings/" + std::to_string(id), guests.admin)));
        CHECK_FALSE(shows(guests.base.post(Guests::own(id, "/cancel"), Value::object({{"reason", "ill"}}), guest)));

        const Visitor customer = guests.base.user("svc_customer");
        const auto address = guests.base.get("/auth/me", customer).data()["user"]["email"].text();
        const auto book = [&](const std::string& email) {
            return guests.base.post("/booking/create",
                                    filled_in(Value::object({{"trip_id", guests.trip},
                                                             {"travel_date", guests.base.day(30)},
                                                             {"contact_first_name", "Ada"},
                                                             {"contact_last_name", "Lovelace"},
                                                             {"contact_email", email}})),
                                    customer);
        };
        const auto own = book(address), for_another = book("ada@example.org");
        CHECK(shows(own));
        CHECK_FALSE(shows(for_another));
        CHECK(shows(guests.base.get(Guests::own(own.data()["booking_id"].integer()), customer)));
        CHECK_FALSE(shows(guests.base.get(Guests::own(for_another.data()["booking_id"].integer()), customer)));
        const auto listed = guests.base.get("/customers/my-bookings", customer);
        REQUIRE(listed.data().size() == 2);
        for (const Value& row : listed.data().items())
            CHECK((row.find("customer_id") != nullptr) == (row["customer_email"].text() == address));
    });
}

TEST_CASE("the mailed link lengthens no token that has run out, and a new address gets a link of its own") {
    each_guests([](Guests& guests) {
        guests.set("require_guest_email_verification", true);
        const auto made = guests.book(guests.open());
        const auto id = made.data()["booking_id"].integer();
        const auto guest = Visitor{}.with("X-Svc-Booking-Token", made.data().text_or("booking_token"));
        const auto link = guests.link();
        guests.base.run("UPDATE svc_access_tokens SET expires_at = 1");
        CHECK(guests.base.get(Guests::own(id), guest).status == 403);
        REQUIRE(follow(guests.base, link).status == 200);
        CHECK(guests.base.get(Guests::own(id), guest).status == 403);

        const auto other = guests.book(guests.open()).data()["booking_id"].integer();
        const auto old_link = guests.link();
        REQUIRE(guests.edit(other, R"({"contact_email":"eve@example.org"})").status == 200);
        CHECK(guests.mails("template_key = 'guest_email_verification' AND to_email = 'eve@example.org'") == 1);
        CHECK(follow(guests.base, old_link).code() == "email_changed");
        CHECK(follow(guests.base, guests.link()).data()["status"].text() == "pending");
    });
}

TEST_CASE("a session that is opened again under its Idempotency-Key is the same session") {
    each_guests([](Guests& guests) {
        const auto opened = [&](const Visitor& by, const char* date = nullptr) {
            return guests.base.post(
                "/booking/session",
                Value::object({{"trip_id", guests.trip}, {"travel_date", date ? date : guests.base.day(30)}}), by);
        };
        const auto ada = Visitor{}.from("203.0.113.9").with("Idempotency-Key", "5c1de1f2-6d5a-open");
        const auto first = opened(ada), again = opened(ada);
        REQUIRE(first.status == 201);
        CHECK(again.status == 201);
        CHECK(again.text == first.text);
        CHECK(again.header("Location") == first.header("Location"));
        CHECK(guests.base.number("SELECT COUNT(*) FROM svc_booking_sessions") == 1);
        // The stored reply contains the secret, sealed.
        const std::string secret = first.data().text_or("session_id");
        CHECK(guests.base.number(
                  ("SELECT COUNT(*) FROM svc_idempotency_keys WHERE answer LIKE '%" + secret + "%'").c_str()) == 0);
        CHECK(guests.book(secret).status == 201);

        CHECK(opened(ada, "2001-01-01").status == 422);
        const auto elsewhere = opened(Visitor{}.from("198.51.100.7").with("Idempotency-Key", "5c1de1f2-6d5a-open"));
        CHECK(elsewhere.data().text_or("session_id") != secret);
        const auto staff = guests.admin.from("203.0.113.9").with("Idempotency-Key", "5c1de1f2-6d5a-open");
        CHECK(opened(staff).data().text_or("session_id") != secret);
        CHECK(opened(ada.with("X-Svc-Session", guests.open())).data().text_or("session_id") != secret);
        const auto unkeyed = Visitor{}.from("203.0.113.9");
        CHECK(opened(unkeyed).text != opened(unkeyed).text);
        const auto empty = opened(unkeyed.with("Idempotency-Key", ""));
        CHECK(empty.status == 400);
        CHECK(empty.field() == "Idempotency-Key");
    });
}

TEST_CASE("a session that is sent again returns nothing where the booking's tokens have ended") {
    each_guests([](Guests& guests) {
        const auto again = [&](const char* path, const char* body) {
            const auto session = guests.open();
            const auto made = guests.book(session);
            REQUIRE(made.status == 201);
            CHECK_FALSE(guests.book(session).data().text_or("booking_token").empty());
            const auto id = std::to_string(made.data()["booking_id"].integer());
            REQUIRE(guests.base.call("PUT", "/bookings/" + id + path, body, guests.admin).status == 200);
            const auto repeated = guests.book(session);
            CHECK(repeated.code() == "session_expired");
            CHECK(repeated.text.find("example.org") == std::string::npos);
        };
        again("/status", R"({"status":"cancelled"})");
        again("", R"({"contact_email":"eve@example.org"})");
    });
}

TEST_CASE("a guest's proof counts in body and query alike, and shows what was paid without what is the staff's") {
    each_guests([](Guests& guests) {
        const auto session = guests.open();
        const auto made = guests.book(session);
        const auto id = made.data()["booking_id"].integer();
        const auto token = made.data().text_or("booking_token");
        CHECK(made.header("Location").ends_with(Guests::own(id)));
        REQUIRE(guests.base
                    .post("/bookings/" + std::to_string(id) + "/payments",
                          json::parse(R"({"amount":10,"method":"cash","status":"completed","transaction_id":"T-1",
                              "notes":"in a coffee tin"})")
                              .value(),
                          guests.admin)
                    .status == 201);
        const auto mine = guests.base.get(Guests::own(id) + "?session_id=" + session);
        REQUIRE(mine.status == 200);
        REQUIRE(mine.data()["payments"].size() == 1);
        CHECK(mine.data()["payment_transaction_id"].text() == "T-1");
        CHECK(mine.text.find("coffee") == std::string::npos);
        CHECK(guests.base.get("/bookings/" + std::to_string(id) + "/invoice?session_id=" + session).status == 200);
        CHECK(guests.base.post(Guests::own(id, "/cancel"), Value::object({{"reason", "ill"}})).status == 401);
        CHECK(guests.base.post(Guests::own(id, "/cancel"), Value::object({{"booking_token", token}})).status == 200);
        const auto second = guests.open();
        const auto other = guests.book(second).data()["booking_id"].integer();
        CHECK(guests.base.post(Guests::own(other, "/cancel"), Value::object({{"session_id", second}})).status == 200);
    });
}

TEST_CASE("a booking in the trash is hidden from its guest, and no e-mail about it is sent") {
    each_guests([](Guests& guests) {
        const auto made = guests.book(guests.open());
        const auto id = std::to_string(made.data()["booking_id"].integer());
        const auto guest = Visitor{}.with("X-Svc-Booking-Token", made.data().text_or("booking_token"));
        const std::string invoice = "/booking/" + id + "/invoice?invoice_token=" + made.data().text_or("invoice_token");
        CHECK(guests.base.get(invoice).status == 200);
        REQUIRE(guests.base.call("DELETE", "/bookings/" + id, {}, guests.admin).status == 200);
        const auto before = guests.mails("1 = 1");
        for (const std::string& path :
             {"/payment/status/" + id, "/bookings/" + id + "/invoice", "/customers/my-bookings/" + id})
            CHECK(guests.base.get(path, guest).code() == "booking_not_found");
        CHECK(guests.base.get(invoice).code() == "booking_not_found");
        CHECK(guests.base.post("/bookings/" + id + "/email", Value::object(), guests.admin).field() == "type");
        CHECK(guests.mails("1 = 1") == before);
        CHECK(guests.base.get("/payment/status/" + id, guests.admin).status == 200);
    });
}

TEST_CASE("a date of another trip is refused wherever a session is held, and another trip clears what was chosen") {
    each_guests([](Guests& guests) {
        const auto other = guests.base.given_trip("Desert");
        const auto departure = guests.base.given_departure(other, 31, 5);
        const auto session = guests.open();
        const Value wish = Value::object({{"session_id", session}, {"availability_id", departure}});
        CHECK(guests.base.call("PUT", "/booking/session", wish.dump()).field() == "availability_id");
        CHECK(guests.base.post("/booking/summary", wish).field() == "availability_id");
        CHECK(guests.book(session, wish).field() == "availability_id");
        CHECK(guests.book(session, Value::object({{"trip_id", other}})).field() == "travel_date");
        const auto made = guests.book(session, Value::object({{"trip_id", other}, {"availability_id", departure}}));
        REQUIRE(made.status == 201);
        CHECK(made.data()["trip_id"].integer() == other);
    });
}

TEST_CASE("a session lists the gateways before there is a price") {
    each_guests([](Guests& guests) {
        for (const Value& wish : {Value::object({{"trip_id", guests.trip}}), Value::object(),
                                  Value::object({{"trip_id", guests.trip}, {"travel_date", guests.base.day(-1)}})}) {
            CAPTURE(wish.dump());
            const auto opened = guests.base.post("/booking/session", wish);
            REQUIRE(opened.status == 201);
            CHECK(opened.data()["quote"].is_null());
            REQUIRE(opened.data()["enabled_gateways"].size() == 1);
            CHECK(opened.data()["enabled_gateways"][0]["id"].text() == "pay_later");
        }
    });
}

TEST_CASE("a session has the currency of its trip, even if the site's changed since") {
    each_guests([](Guests& guests) {
        const auto session = guests.open();
        guests.set("currency", "JPY");
        for (const auto& told : {guests.base.get("/booking/session?session_id=" + session),
                                 guests.base.post("/booking/session", Value::object({{"trip_id", guests.trip}}))})
            CHECK(told.data()["currency"].text() == "USD");
        CHECK(guests.base.post("/booking/session", Value::object()).data()["currency"].text() == "JPY");
    });
}

TEST_CASE("a listener chooses which of the offered gateways customers may book with") {
    static bool speaks = false;
    const BeforeStart listening([](app::Assembly& parts) {
        speaks = false;
        REQUIRE(parts.hooks.filter("svc_valid_booking_payment_gateway_ids", {.name = "test"},
                                   [](store::Transaction*, const json::Array& given) {
                                       return speaks ? Value::array({Value("barter")}) : given[0];
                                   }));
    });
    each_guests([](Guests& guests) {
        const auto session = guests.open();
        const auto offered = [&] {
            return guests.base.get("/booking/session?session_id=" + session).data()["enabled_gateways"].size();
        };
        CHECK(offered() == 1);
        speaks = true;
        CHECK(offered() == 0);
        CHECK(guests.book(session).code() == "invalid_gateway");
    });
}

TEST_CASE("a listener assigns a visitor's booking to a user; unknown users and staff's bookings are ignored") {
    static Value answer;
    const BeforeStart listening([](app::Assembly& parts) {
        answer = Value();
        REQUIRE(parts.hooks.filter("svc_user_id", {.name = "test"}, [](store::Transaction*, const json::Array& given) {
            return answer.is_null() ? given[0] : answer;
        }));
    });
    each_guests([](Guests& guests) {
        const Visitor& customer = guests.base.user("svc_customer");
        const auto owner = [&](const Answered& made) {
            const auto id = std::to_string(made.data()["id"].integer());
            const std::string sql = "SELECT COALESCE(user_id, 0) FROM svc_bookings WHERE id = " + id;
            return guests.base.number(sql.c_str());
        };
        CHECK(owner(guests.book(guests.open())) == 0);
        answer = customer.user_id;
        const auto theirs = guests.book(guests.open());
        CHECK(owner(theirs) == customer.user_id);
        // A guest proves the booking by its token, its owner by signing in.
        const auto own = Guests::own(theirs.data()["id"].integer());
        CHECK(guests.base.get(own, customer).status == 200);
        CHECK(guests.base.get(own + "?booking_token=" + theirs.data()["booking_token"].text()).status == 200);
        CHECK(guests.base.get(own).status == 401);
        answer = 987'654;
        CHECK(owner(guests.book(guests.open())) == 0);
        answer = json::Number{"1.5"};
        CHECK(owner(guests.book(guests.open())) == 0);

        const auto signed_in = [&] {
            Value body = filled_in(Value::object({{"trip_id", guests.trip}, {"travel_date", guests.base.day(30)}}));
            return guests.base.post("/booking/create", body, customer);
        };
        answer = Value();
        const auto plain = signed_in();
        CHECK(owner(plain) == customer.user_id);
        CHECK(plain.data().find("booking_token") == nullptr);
        answer = 0;
        const auto nobodys = signed_in();
        CHECK(owner(nobodys) == 0);
        CHECK(guests.base.get(Guests::own(nobodys.data()["id"].integer()), customer).status == 404);
        CHECK_FALSE(nobodys.data().text_or("booking_token").empty());
        answer = customer.user_id;
        const Value desk = Value::object({{"trip_id", guests.trip},
                                          {"travel_date", guests.base.day(30)},
                                          {"contact_first_name", "Ada"},
                                          {"contact_email", "ada@example.org"}});
        CHECK(owner(guests.base.post("/bookings", desk, guests.admin)) == 0);
    });
}

TEST_CASE("e-mails lead to the trip's page where the site has it, by the name it has now") {
    each_guests([](Guests& guests) {
        guests.set("trip_base", "tours");
        REQUIRE(guests.base
                    .call("PUT", "/trips/" + std::to_string(guests.trip), R"({"slug":"down-the-nile"})", guests.admin)
                    .status == 200);
        REQUIRE(guests.book(guests.open()).status == 201);
        const auto permalink =
            guests.base.get("/trips/" + std::to_string(guests.trip), guests.admin).data()["permalink"].text();
        CHECK(permalink.ends_with("/tours/down-the-nile"));
        CHECK(guests.mails("template_key = 'booking_confirmation' AND body_html LIKE '%href=\"" + permalink + "\"%'") ==
              1);
        CHECK(guests.mails("body_html LIKE '%/trip/%'") == 0);
    });
}

TEST_CASE("a session's price has the shape of the summary") {
    each_guests([](Guests& guests) {
        const auto session = guests.open();
        const Visitor holder = Visitor{}.with("X-Svc-Session", session);
        const auto summary = guests.base.get("/booking/summary", holder).data();
        CHECK(summary["total_amount_formatted"].text() == "USD 100.00");
        CHECK(guests.base.get("/booking/session", holder).data()["quote"] == summary);
        const auto put = guests.base.call("PUT", "/booking/session", R"({"travelers":2})", holder);
        CHECK(put.data()["quote"] == guests.base.get("/booking/summary", holder).data());
        const auto changed = guests.book(session, Value::object({{"expected_total", 1}}));
        REQUIRE(changed.code() == "price_changed");
        CHECK(changed.body["data"]["quote"]["total_amount_formatted"].text() == "USD 200.00");
    });
}

TEST_CASE("who owes nothing gets no payment instructions") {
    each_guests([](Guests& guests) {
        REQUIRE(guests.base
                    .post("/discounts",
                          json::parse(R"({"code":"FREE","type":"percentage","amount":100,"status":"publish"})").value(),
                          guests.admin)
                    .status == 201);
        const auto made = guests.book(guests.open(), Value::object({{"coupon_code", "FREE"}}));
        REQUIRE(made.status == 201);
        CHECK(made.data()["status"].text() == "confirmed");
        CHECK(made.data()["next"]["type"].text() == "done");
        CHECK(made.data()["payment_instructions"].text().empty());
        CHECK(guests.base.number("SELECT COUNT(*) FROM svc_domain_events WHERE name = 'svc_booking_updated'") == 1);
    });
}
