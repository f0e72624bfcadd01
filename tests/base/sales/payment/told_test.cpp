// Payments by their routes: what staff list, write and send back, and the session of a balance.
#include <doctest/doctest.h>

#include "base/platform/store/migrate.hpp"
#include "tests/base/sales/payment/paying_site.hpp"
#include "tests/support/each_on.hpp"
#include "tests/support/test_base.hpp"

extern "C" const svc_plugin* svc_plugin_entry(void);

using namespace svc;
using namespace svc::tests;
using json::Value;

namespace {

struct Office : TestBase {
    explicit Office(Database& database) : TestBase(database) {
        trip = given_trip();
        given_departure(trip);
        booking = given_booking(trip).id;
    }
    // As if it had come at the start, after which none is added.
    void put_in(const std::shared_ptr<payment::Gateway>& gateway) {
        payment::Gateways all;
        for (const auto& known : assembly->payments.gateways.all())
            all.add(known);
        all.add(gateway);
        all.close();
        assembly->payments.gateways = all;
    }
    const Visitor& boss() { return user("administrator"); }
    Answered put(const std::string& path, const char* body) { return call("PUT", path, body, boss()); }
    Answered pay(const char* body) {
        Value wanted = json::parse(body).value();
        wanted.set("booking_id", booking);
        return post("/payments", wanted, boss());
    }
    // How many payments a list of that query has, by its page and by its count; else how it is refused.
    std::string listed(const std::string& query) {
        const auto answered = get("/payments?" + query, boss());
        if (answered.status != 200)
            return std::to_string(answered.status) + " " + answered.field();
        return std::to_string(answered.data().size()) + " of " +
               std::to_string(answered.body["meta"]["total"].integer());
    }
    // The part of the booking that a refund would change.
    std::string sums() {
        const auto detail = get("/bookings/" + std::to_string(booking), boss()).data();
        std::string told;
        for (const char* name : {"status", "payment_status", "amount_paid", "amount_due", "needs_attention"})
            told += detail[name].dump() + " ";
        return told;
    }
    // The payment status of a booking by its token alone: the answer's status.
    int status_by(const std::string& token, std::int64_t of) {
        return get("/payment/status/" + std::to_string(of), Visitor{}.with("X-Svc-Booking-Token", token)).status;
    }
    // A session for the booking's balance, of the customer whose it is.
    Value balance_of(std::int64_t of, const Visitor& customer) {
        return post("/payment/remaining/session", Value::object({{"booking_id", of}}), customer).data();
    }

    std::int64_t trip = 0, booking = 0;
};

const auto each_office = each_on<Office>;

}  // namespace

TEST_CASE("payments are listed by the days they were paid on, whenever they were recorded; a status in any case") {
    each_office([](Office& office) {
        for (const char* body : {R"({"amount":10,"gateway":"cash","status":"completed","date":"2026-01-31"})",
                                 R"({"amount":11,"gateway":"cash","status":"completed","date":"2026-02-01"})",
                                 R"({"amount":12,"gateway":"cash","date":"2026-02-28"})"})
            REQUIRE(office.pay(body).status == 201);
        CHECK(office.listed("") == "3 of 3");
        CHECK(office.listed("from=2026-02-01") == "2 of 2");
        CHECK(office.listed("from=2026-02-01&to=2026-02-01") == "1 of 1");
        CHECK(office.listed("date_to=2026-02-27") == "2 of 2");
        CHECK(office.listed("from=2026-02-01T12:00:00Z&to=2026-02-28T00:00:00Z") == "2 of 2");
        CHECK(office.listed("from=2026-03-01") == "0 of 0");
        CHECK(office.listed("from=2026-02-01&to=2026-01-31") == "400 from");
        const std::string of_it = "&booking_id=" + std::to_string(office.booking);
        CHECK(office.listed("from=2026-02-01" + of_it) == "2 of 2");
        CHECK(office.listed("from=2026-02-01&gateway=cash&search=lovelace") == "2 of 2");
        CHECK(office.listed("from=2026-02-01&status=completed") == "1 of 1");
        CHECK(office.listed("status=Pending") == "1 of 1");
        CHECK(office.listed("to=2026-01-31&status=PENDING" + of_it) == "0 of 0");
        CHECK(office.listed("status=Pendin") == "400 status");
        CHECK(office.get("/payments/pending?from=2026-02-28", office.boss()).data().size() == 1);
        CHECK(office.get("/payments/pending?from=2026-03-01", office.boss()).data().size() == 0);
    });
}

TEST_CASE("charges by the clock are found by their states as people read them") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        TestBase base(database, &svc_plugin_entry);
        base.given_license("agency");
        const Visitor& boss = base.user("administrator");
        REQUIRE(base.call("PUT", "/settings", R"({"enable_flexible_payments":true})", boss).status == 200);
        for (const char* module : {"flexible_payments", "scheduled_payments"})
            REQUIRE(base.post("/modules/" + std::string(module) + "/toggle", Value::object({{"enabled", true}}), boss)
                        .status == 200);
        for (const char* status : {"Scheduled", "Paid", "Failed", "cancelled", "scheduled", "all"}) {
            CAPTURE(status);
            CHECK(base.get("/scheduled-payments?status=" + std::string(status), boss).status == 200);
        }
        CHECK(base.get("/scheduled-payments?status=Done", boss).field() == "status");
    });
}

TEST_CASE("a payment's type and currency are checked by their words; those of a refund are none of a payment's") {
    each_office([](Office& office) {
        const auto made = office.pay(R"({"amount":10,"gateway":"cash","type":"final","currency":"usd"})");
        REQUIRE(made.status == 201);
        CHECK(made.data()["type"].text() == "final");
        CHECK(made.data()["currency"].text() == "USD");
        for (const char* type : {"refund", "deposit", ""})
            CHECK(
                office.pay((R"({"amount":10,"gateway":"cash","type":")" + std::string(type) + "\"}").c_str()).field() ==
                "type");
        CHECK(office.pay(R"({"amount":10,"gateway":"cash","currency":"eur"})").field() == "currency");
        const auto path = "/payments/" + std::to_string(made.data()["id"].integer());
        CHECK(office.put(path, R"({"type":"partial"})").data()["type"].text() == "partial");
        CHECK(office.put(path, R"({"status":"completed","type":"final"})").data()["type"].text() == "initial");
    });
}

TEST_CASE("a refund that the gateway refuses is told by PUT status refunded, and nothing changes") {
    each_office([](Office& office) {
        const auto gateway = std::make_shared<ScriptedGateway>();
        office.put_in(gateway);
        gateway->on_refund = [](const payment::RefundRequest&) -> Result<payment::Refund> {
            return Error(errc::payment_error, "Too old to refund."_sentence);
        };
        const auto made = office.pay(
            R"({"amount":40,"gateway":"scripted","status":"completed","transaction_id":"ch_1","date":"2026-01-31"})");
        REQUIRE(made.status == 201);
        office.run("UPDATE svc_payments SET source = 'gateway'");  // as a charge's
        const auto path = "/payments/" + std::to_string(made.data()["id"].integer());
        const auto payment = [&] {
            Value told = office.get(path, office.boss()).data();
            told.erase("updated_at");  // what else was sent, nothing, was written
            return told.dump();
        };
        const auto before = payment(), booking = office.sums();

        const auto refused = office.put(path, R"({"status":"refunded"})");
        CHECK(refused.status == 400);
        CHECK(refused.code() == "payment_error");
        CHECK(refused.body.text_or("message") == "Too old to refund.");
        CHECK(gateway->refunds == 1);
        CHECK(payment() == before);
        CHECK(office.sums() == booking);
        const auto rows = office.get(path + "/refunds", office.boss()).data();
        REQUIRE(rows.size() == 1);
        CHECK(rows[0]["status"].text() == "failed");
        CHECK(rows[0]["last_error"].text() == "Too old to refund.");
        CHECK(office.number("SELECT refunded_minor FROM svc_payments") == 0);

        gateway->on_refund = nullptr;
        CHECK(office.put(path, R"({"status":"refunded"})").data()["status"].text() == "refunded");
        CHECK(office.sums().find(R"("refunded")") != std::string::npos);
    });
}

TEST_CASE("the token of a balance opens its session: what is owed, for as long as it is owed") {
    each_office([](Office& office) {
        const Visitor customer = office.user("svc_customer");
        office.run(("UPDATE svc_bookings SET user_id = " + std::to_string(customer.user_id)).c_str());
        REQUIRE(office.pay(R"({"amount":40,"gateway":"cash","status":"completed"})").status == 201);
        const auto opened =
            office.post("/payment/remaining/session", Value::object({{"booking_id", office.booking}}), customer);
        REQUIRE(opened.status == 200);
        const std::string token = opened.data()["booking_token"].text(),
                          path = "/booking/session?booking_token=" + token;
        for (const Visitor& who : {customer, Visitor{}}) {
            const auto read = office.get(path, who);
            CAPTURE(read.text);
            REQUIRE(read.status == 200);
            CHECK(read.data()["is_remaining_payment"].boolean());
            CHECK(read.data()["existing_booking_id"].integer() == office.booking);
            for (const char* name : {"booking_reference", "remaining_amount", "amount_paid", "total_amount", "trip_id",
                                     "travel_date", "travelers", "enabled_gateways", "currency", "timestamp"}) {
                CAPTURE(name);
                CHECK(read.data()[name] == opened.data()[name]);
            }
            CHECK(read.data()["expires_at"].text() >= opened.data()["expires_at"].text());
            CHECK(read.data()["status"].text() == "open");
            CHECK(read.data()["quote"].is_null());
        }
        // By the header as well; of no use to another account, nor is a guess.
        CHECK(office.get("/booking/session", Visitor{}.with("X-Svc-Booking-Token", token)).status == 200);
        CHECK(office.get(path, office.boss()).code() == "session_expired");
        CHECK(office.get("/booking/session?booking_token=" + token + "x").code() == "session_expired");
        // A guest's own token proves the booking and is no session.
        const auto guest = office.given_booking(office.trip);
        CHECK(office.get("/booking/session?booking_token=" + guest.token).code() == "session_expired");
        const auto rest = opened.data()["remaining_amount"].number_text();
        REQUIRE(office.pay((R"({"gateway":"cash","status":"completed","amount":)" + rest + "}").c_str()).status == 201);
        CHECK(office.get(path, customer).code() == "session_expired");
    });
}

TEST_CASE("the session of a balance is renewed by each call, changes nothing that was booked, and ends when told so") {
    each_office([](Office& office) {
        const Visitor customer = office.user("svc_customer");
        office.run(("UPDATE svc_bookings SET user_id = " + std::to_string(customer.user_id)).c_str());
        const auto open = [&] { return office.balance_of(office.booking, customer); };
        const auto opened = open();
        const std::string token = opened["booking_token"].text();
        const auto call = [&](const char* method, Value more = Value::object(), const Visitor& who = {}) {
            return office.call(method, "/booking/session", more.set("booking_token", token).dump(), who);
        };
        const auto ends_in = [&](const char* seconds) {
            office.run((std::string("UPDATE svc_access_tokens SET expires_at = expires_at - ") + seconds +
                        "000000, created_at = created_at - " + seconds + "000000")
                           .c_str());
        };
        // As twenty minutes later.
        const auto before = office.get("/booking/session?booking_token=" + token).data()["expires_at"].text();
        for (const bool writes : {false, true}) {
            CAPTURE(writes);
            ends_in("1200");
            const auto again = writes ? call("PUT") : office.get("/booking/session?booking_token=" + token, customer);
            REQUIRE(again.status == 200);
            CHECK(again.data()["expires_at"].text() >= before);
            CHECK(again.data()["is_remaining_payment"].boolean());
            CHECK(again.data()["session_id"].text() == token);
        }
        // As it is is no change.
        CHECK(call("PUT", Value::object({{"trip_id", opened["trip_id"]},
                                         {"travel_date", opened["travel_date"]},
                                         {"travelers", opened["travelers"]},
                                         {"payment_method", "full"},
                                         {"coupon_code", ""},
                                         {"additional_services", Value::array()}}))
                  .status == 200);
        for (const auto& [name, value] :
             std::vector<std::pair<const char*, Value>>{{"travelers", opened["travelers"].integer() + 1},
                                                        {"travel_date", "2030-01-01"},
                                                        {"payment_method", "deposit"},
                                                        {"coupon_code", "CHEAP"},
                                                        {"payment_gateway", "pay_later"},
                                                        {"form_data", Value::object({{"a", "b"}})},
                                                        {"country", "FR"}}) {
            CAPTURE(name);
            CHECK(call("PUT", Value::object({{name, value}})).code() == "svc_conflict");
        }
        CHECK(call("PUT", Value::object(), office.boss()).code() == "session_expired");
        CHECK(call("DELETE", Value::object(), office.boss()).code() == "session_expired");
        // A day at most in all.
        ends_in("86400");
        CHECK(call("PUT").code() == "session_expired");
        const auto last = open();
        const auto ended = office.call("DELETE", "/booking/session?booking_token=" + last["booking_token"].text());
        REQUIRE(ended.status == 200);
        CHECK(ended.data()["deleted"].boolean());
        for (const char* method : {"GET", "DELETE"})
            CHECK(office.call(method, "/booking/session?booking_token=" + last["booking_token"].text()).code() ==
                  "session_expired");
        CHECK(office
                  .post("/payment/remaining", Value::object({{"session", last["booking_token"]}, {"method", "cash"}}),
                        customer)
                  .code() == "session_expired");
    });
}

TEST_CASE("a booking's own token is no session of its balance: none of its calls renews or ends it") {
    each_office([](Office& office) {
        const auto guest = office.given_booking(office.trip);
        office.run("UPDATE svc_bookings SET user_id = 1");  // whose a balance's session may be
        const auto with_token = [&](const char* method) {
            return office.call(method, "/booking/session", Value::object({{"booking_token", guest.token}}).dump());
        };
        const char* const ends = "SELECT MIN(expires_at) FROM svc_access_tokens";
        const auto before = office.number(ends);
        CHECK(office.get("/booking/session?booking_token=" + guest.token).code() == "session_expired");
        CHECK(with_token("PUT").code() == "session_expired");
        CHECK(with_token("DELETE").code() == "session_expired");
        CHECK(office.number(ends) == before);
        CHECK(office.status_by(guest.token, guest.id) == 200);
    });
}

TEST_CASE("the token of a balance opens its booking; its end ends no other token, and lets others be given") {
    each_office([](Office& office) {
        const auto session = office.post(
            "/booking/session",
            Value::object({{"trip_id", office.trip}, {"travel_date", office.day(30)}, {"travelers_count", 1}}));
        const Value wanted = filled_in(Value::object({{"session_id", session.data()["session_id"]}}));
        const auto made = office.post("/booking/create", wanted);
        REQUIRE(made.status == 201);
        const auto id = made.data()["booking_id"].integer();
        const Visitor customer = office.user("svc_customer");
        office.run(("UPDATE svc_bookings SET user_id = " + std::to_string(customer.user_id)).c_str());
        const auto token = office.balance_of(id, customer)["booking_token"].text();
        CHECK(office.status_by(token, id) == 200);
        REQUIRE(office.call("DELETE", "/booking/session?booking_token=" + token).status == 200);
        CHECK(office.status_by(token, id) == 403);
        CHECK(office.status_by(made.data()["booking_token"].text(), id) == 200);
        // As a page does that lost the answer.
        const auto again = office.post("/booking/create", wanted);
        REQUIRE(again.status == 200);
        CHECK(office.status_by(again.data().text_or("booking_token"), id) == 200);
    });
}

TEST_CASE("the token of a balance lives as its session does where it opens its booking too, a guest's own for a day") {
    each_office([](Office& office) {
        const auto guest = office.given_booking(office.trip);
        const Visitor customer = office.user("svc_customer");
        office.run(("UPDATE svc_bookings SET user_id = " + std::to_string(customer.user_id)).c_str());
        const auto token = office.balance_of(guest.id, customer)["booking_token"].text();
        const auto minutes_left = [&](bool is_session) {
            return (office.number(is_session ? "SELECT MAX(expires_at) FROM svc_access_tokens WHERE payload <> '{}'"
                                             : "SELECT MAX(expires_at) FROM svc_access_tokens WHERE payload = '{}'") -
                    office.assembly->clock.now().micros()) /
                   60'000'000;
        };
        const char* const twenty_minutes_on =
            "UPDATE svc_access_tokens SET expires_at = expires_at - 1200000000,"
            " created_at = created_at - 1200000000";
        office.run(twenty_minutes_on);
        CHECK(office.status_by(token, guest.id) == 200);
        CHECK(minutes_left(true) == 30);
        // A guest's is written once an hour.
        for (int times = 0; times < 4; ++times)
            office.run(twenty_minutes_on);
        CHECK(office.status_by(guest.token, guest.id) == 200);
        CHECK(minutes_left(false) == 24 * 60 - 1);
    });
}

TEST_CASE("a balance's token of the release before stays one, and a guest's of it becomes none") {
    each_office([](Office& office) {
        const auto guest = office.given_booking(office.trip);
        const Visitor customer = office.user("svc_customer");
        office.run(("UPDATE svc_bookings SET user_id = " + std::to_string(customer.user_id)).c_str());
        const auto token = office.balance_of(guest.id, customer)["booking_token"].text();
        office.run("UPDATE svc_access_tokens SET payload = '{}'");
        for (const auto& step : embedded::base_steps())
            if (step.name.starts_with("0077_"))
                for (const auto& statement : store::statements_of(step, office.assembly->store->dialect()))
                    office.run(statement.c_str());
        CHECK(office.get("/booking/session?booking_token=" + guest.token).code() == "session_expired");
        CHECK(office.get("/booking/session?booking_token=" + token).status == 200);
        CHECK(office.call("DELETE", "/booking/session?booking_token=" + token).status == 200);
        CHECK(office.status_by(token, guest.id) == 403);
        CHECK(office.status_by(guest.token, guest.id) == 200);
    });
}
