// Every secret of a booking ends where its booking_token ends: with its cancellation and with another address.
#include <map>

#include <doctest/doctest.h>

#include "base/sales/booking/record/verification.hpp"
#include "tests/support/each_on.hpp"
#include "tests/support/test_base.hpp"

using namespace svc;
using namespace svc::tests;
using json::Value;

namespace {

constexpr const char* address = "ada@example.org";

struct Holder {
    explicit Holder(Database& database) : base(database), boss(base.user("administrator")), trip(base.given_trip()) {
        base.given_departure(trip);
    }
    // A guest's booking with all that proves it.
    void book() {
        session = base.post("/booking/session", Value::object({{"trip_id", trip}, {"travel_date", base.day(30)}}))
                      .data()
                      .text_or("session_id");
        const auto made = base.post("/booking/create", filled_in(Value::object({{"session_id", session}})));
        REQUIRE(made.status == 201);
        id = made.data()["booking_id"].integer();
        const auto& keyring = *base.assembly->keyring;
        invoice_token = made.data().text_or("invoice_token");
        REQUIRE_FALSE(invoice_token.empty());
        tokens = {{"booking_token", made.data().text_or("booking_token")},
                  {"session that became it", session},
                  {"pay link", base.assembly->bookings.records.new_pay_link(id)}};
        verification = booking::Verification(keyring, base.assembly->hooks)
                           .token(id, address, base.assembly->bookings.records.find(id)->created_at);
    }
    int read(const std::string& token) {
        return base.get("/payment/status/" + std::to_string(id), Visitor{}.with("X-Svc-Booking-Token", token)).status;
    }
    int cancel(const std::string& token) {
        return base
            .call("POST", "/customers/my-bookings/" + std::to_string(id) + "/cancel", "{}",
                  Visitor{}.with("X-Svc-Booking-Token", token))
            .status;
    }
    Answered create_again() {
        return base.post("/booking/create", filled_in(Value::object({{"session_id", session}})));
    }
    Answered read_session() { return base.get("/booking/session", Visitor{}.with("X-Svc-Session", session)); }
    bool verifies() {
        const auto proof = booking::Verification(*base.assembly->keyring, base.assembly->hooks)
                               .read(verification, Instant::parse(base.day(0) + "T00:00:00Z").value());
        REQUIRE(proof);
        return static_cast<bool>(base.assembly->bookings.guests.verify(*proof));
    }
    // It proves nothing but the invoice, which a cancelled booking's customer still has a claim to.
    int read_invoice() {
        return base.get("/booking/" + std::to_string(id) + "/invoice?invoice_token=" + invoice_token).status;
    }
    int put(const std::string& path, const char* body) {
        return base.call("PUT", "/bookings/" + std::to_string(id) + path, body, boss).status;
    }
    void check_open() {
        for (const auto& [name, token] : tokens) {
            CAPTURE(name);
            CHECK(read(token) == 200);
        }
        CHECK(create_again().status == 200);
        CHECK(read_session().status == 200);
        CHECK(read_invoice() == 200);
        CHECK(read(invoice_token) == 403);
    }
    void check_ended() {
        for (const auto& [name, token] : tokens) {
            CAPTURE(name);
            CHECK(read(token) == 403);
            CHECK(cancel(token) == 403);
        }
        CHECK(create_again().code() == "session_expired");
        CHECK(read_session().code() == "session_expired");
        CHECK_FALSE(verifies());
        CHECK(read(invoice_token) == 403);
        CHECK(cancel(invoice_token) == 403);
    }

    TestBase base;
    Visitor boss;
    std::int64_t trip = 0, id = 0;
    std::string session, verification, invoice_token;
    std::map<std::string, std::string> tokens;
};

const auto each_holder = each_on<Holder>;

}  // namespace

TEST_CASE("every secret of a booking ends with its cancellation, and those at rest stay ended when it is taken up") {
    each_holder([](Holder& holder) {
        holder.book();
        holder.base.run("UPDATE svc_bookings SET verified_at = 1");
        holder.check_open();
        REQUIRE(holder.put("/status", R"({"status":"cancelled"})") == 200);
        holder.check_ended();
        CHECK(holder.read_invoice() == 200);
        REQUIRE(holder.put("/status", R"({"status":"confirmed"})") == 200);
        for (const char* name : {"booking_token", "session that became it"})
            CHECK(holder.read(holder.tokens[name]) == 403);
        CHECK(holder.create_again().code() == "session_expired");
    });
}

TEST_CASE("every secret of a booking ends with another address") {
    each_holder([](Holder& holder) {
        holder.book();
        holder.base.run("UPDATE svc_bookings SET verified_at = 1");
        holder.check_open();
        REQUIRE(holder.put("", R"({"contact_email":"eve@example.org"})") == 200);
        holder.check_ended();
        CHECK(holder.read_invoice() == 403);
        // The holder of the new address pays by the link in its mail.
        CHECK(holder.read(holder.base.assembly->bookings.records.new_pay_link(holder.id)) == 200);
    });
}

TEST_CASE("the session of a booking's balance ends with its cancellation and with another address") {
    for (const bool cancels : {true, false})
        each_holder([&](Holder& holder) {
            const auto& customer = holder.base.user("svc_customer");
            const auto made = holder.base.post(
                "/booking/create",
                filled_in(Value::object({{"trip_id", holder.trip}, {"travel_date", holder.base.day(30)}})), customer);
            REQUIRE(made.status == 201);
            holder.id = made.data()["booking_id"].integer();
            const auto payment =
                Value::object({{"booking_id", holder.id}, {"amount", 1}, {"gateway", "cash"}, {"status", "completed"}});
            REQUIRE(holder.base.post("/payments", payment, holder.boss).status == 201);
            const auto opened =
                holder.base.post("/payment/remaining/session", Value::object({{"booking_id", holder.id}}), customer);
            REQUIRE(opened.data().find("booking_token"));
            const auto balance = Visitor{}.with("X-Svc-Session", opened.data().text_or("booking_token"));
            CHECK(holder.base.get("/booking/session", balance).status == 200);
            REQUIRE((cancels ? holder.put("/status", R"({"status":"cancelled"})")
                             : holder.put("", R"({"contact_email":"eve@example.org"})")) == 200);
            CHECK(holder.base.get("/booking/session", balance).code() == "session_expired");
        });
}

TEST_CASE("a proven use lengthens the token that it proves by and no other one of the booking") {
    each_holder([](Holder& holder) {
        holder.book();
        const std::string second = holder.create_again().data().text_or("booking_token");
        REQUIRE_FALSE(second.empty());
        holder.base.run("UPDATE svc_access_tokens SET expires_at = created_at + 7200000000");
        const auto lengthened = [&] {
            return holder.base.number(
                "SELECT COUNT(*) FROM svc_access_tokens WHERE expires_at > created_at + 36000000000");
        };
        CHECK(holder.read(second) == 200);
        CHECK(lengthened() == 1);
        holder.base.run("UPDATE svc_bookings SET status = 'pending_verification'");
        CHECK(holder.verifies());
        CHECK(lengthened() == 1);
    });
}
