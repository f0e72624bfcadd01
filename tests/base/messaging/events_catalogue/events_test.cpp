// Automation events (spec 6.3): one for each transition, whatever brings it about.
#include <mutex>

#include <doctest/doctest.h>

#include "base/messaging/events_catalogue/catalogue.hpp"
#include "base/messaging/events_catalogue/hooks.hpp"
#include "base/sales/booking/record/hooks.hpp"
#include "base/sales/payment/record/hooks.hpp"
#include "tests/support/before_start.hpp"
#include "tests/support/each_on.hpp"
#include "tests/support/open_mails.hpp"
#include "tests/support/test_base.hpp"

using namespace svc;
using namespace svc::tests;
using json::Value;

namespace {

// An installation whose automation events are written down.
struct Automated {
    explicit Automated(Database& database)
        : listening([this](app::Assembly& assembly) {
              const auto heard = assembly.hooks.on(events_catalogue::automation_event.name, {.name = "test"},
                                                   [this](const json::Array& told) { happened.push_back(told); });
              REQUIRE(heard);
          }),
          base(database),
          admin(base.user("administrator")),
          trip(base.given_trip()) {
        base.given_departure(trip);
        set("admin_email", "office@example.org");
    }
    void set(const char* key, Value value) {
        REQUIRE(base.call("PUT", "/settings", Value::object({{key, std::move(value)}}).dump(), admin).status == 200);
    }
    // The keys since the last call, in order.
    std::string keys() {
        for (int deep = 0; deep < 4; ++deep)  // events that events bring
            REQUIRE(base.assembly->hooks.drain());
        std::string all;
        for (const json::Array& told : happened)
            all += (all.empty() ? "" : " ") + told.at(0).text();
        last = happened.empty() ? json::Array() : happened.back();
        happened.clear();
        return all;
    }
    std::int64_t mails(const std::string& template_key) {
        REQUIRE(base.assembly->hooks.drain());
        return base.number(
            ("SELECT COUNT(*) FROM svc_email_outbox WHERE template_key = '" + template_key + "'").c_str());
    }
    int set_status(std::int64_t id, const char* status) {
        return base
            .call("PUT", "/bookings/" + std::to_string(id) + "/status", Value::object({{"status", status}}).dump(),
                  admin)
            .status;
    }
    int pay(std::int64_t id, const json::Value& amount) {
        return base
            .post("/payments",
                  Value::object({{"booking_id", id}, {"amount", amount}, {"gateway", "cash"}, {"status", "completed"}}),
                  admin)
            .status;
    }
    // As Pro tells it.
    void emit(const hooks::Action& action, json::Array arguments) {
        REQUIRE(base.assembly->store->write([&](store::Transaction& tx) -> Result<void> {
            base.assembly->hooks.emit(tx, action, std::move(arguments));
            return {};
        }));
    }

    std::vector<json::Array> happened;
    json::Array last;
    BeforeStart listening;
    TestBase base;
    Visitor admin;
    std::int64_t trip;
};

const auto each_automated = each_on<Automated>;

}  // namespace

TEST_CASE("6.3.1 booking.confirmed and booking.completed come with the transition they name alone, once") {
    each_automated([](Automated& site) {
        const auto id = site.base.given_booking(site.trip).id;
        CHECK(site.keys() == "booking.created");
        CHECK(site.last.at(1) == Value(id));
        CHECK(site.last.at(2)["booking"]["id"] == Value(id));
        CHECK(site.last.at(2).text_or("key") == "booking.created");
        REQUIRE(site.set_status(id, "confirmed") == 200);
        CHECK(site.keys() == "booking.confirmed");
        site.set_status(id, "confirmed");
        CHECK(site.keys().empty());
        REQUIRE(site.set_status(id, "completed") == 200);
        CHECK(site.keys() == "booking.completed");
    });
}

TEST_CASE("6.3.2 booking.cancelled follows svc_booking_cancelled and booking.expired svc_booking_expired") {
    each_automated([](Automated& site) {
        const auto id = site.base.given_booking(site.trip).id;
        static_cast<void>(site.keys());
        REQUIRE(site.set_status(id, "cancelled") == 200);
        CHECK(site.keys() == "booking.cancelled");
        for (const events_catalogue::EventKind& kind : events_catalogue::event_kinds()) {
            if (kind.key == "booking.cancelled")
                CHECK(kind.action == "svc_booking_cancelled");
            if (kind.key == "booking.expired")
                CHECK(kind.action == "svc_booking_expired");
        }
        const auto other = site.base.given_booking(site.trip).id;
        static_cast<void>(site.keys());
        site.emit(booking::booking_expired, {other, Value::object({{"id", other}, {"status", "cancelled"}})});
        CHECK(site.keys() == "booking.expired");
    });
}

TEST_CASE("6.3.3 scheduled-payment events take the booking from the context, never from the first argument") {
    each_automated([](Automated& site) {
        const auto booking = site.base.given_booking(site.trip).id;
        static_cast<void>(site.keys());
        const auto context = Value::object(
            {{"booking_id", booking}, {"scheduled_amount_formatted", "USD 10.00"}, {"failure_reason", "declined"}});
        site.emit(payment::scheduled_success, {std::int64_t{99'999}, Value::object(), context});
        CHECK(site.keys() == "scheduled.payment.succeeded");
        CHECK(site.last.at(1) == Value(booking));
        CHECK(site.last.at(2)["booking"]["id"] == Value(booking));
        CHECK(site.last.at(2)["scheduled_payment"]["scheduled_payment_id"] == Value(99'999));
        site.emit(payment::scheduled_failed, {std::int64_t{99'999}, Value::object(), context});
        CHECK(site.keys() == "scheduled.payment.failed");
        CHECK(site.last.at(2)["scheduled_payment"].text_or("failure_reason") == "declined");
        // Of a booking that is gone there is nothing to tell.
        site.emit(payment::scheduled_success,
                  {booking, Value::object(), Value::object({{"booking_id", std::int64_t{424'242}}})});
        CHECK(site.keys().empty());
    });
}

TEST_CASE("6.3.4 a part fires payment.partial_received, the payment that settles payment.received") {
    each_automated([](Automated& site) {
        const auto id = site.base.given_booking(site.trip).id;
        static_cast<void>(site.keys());
        REQUIRE(site.pay(id, 1) == 201);
        CHECK(site.keys() == "payment.partial_received");
        CHECK(site.last.at(1) == Value(id));
        CHECK(site.last.at(2)["payment"]["booking_id"] == Value(id));
        const auto booking = site.base.get("/bookings/" + std::to_string(id), site.admin).data();
        REQUIRE(site.pay(id, booking["amount_due"]) == 201);
        const std::string keys = site.keys();
        CHECK(keys.find("payment.received") != std::string::npos);
        CHECK(keys.find("partial") == std::string::npos);
    });
}

TEST_CASE("6.3.5 the customer's mail of a payment is the partial one where it is on and a balance remains") {
    each_automated([](Automated& site) {
        REQUIRE(site.pay(site.base.given_booking(site.trip).id, 1) == 201);
        CHECK(site.mails("payment_received") == 1);
        CHECK(site.mails("partial_payment_received") == 0);
        site.set("email_template_partial_payment", true);
        const auto id = site.base.given_booking(site.trip).id;
        REQUIRE(site.pay(id, 1) == 201);
        CHECK(site.mails("partial_payment_received") == 1);
        const auto booking = site.base.get("/bookings/" + std::to_string(id), site.admin).data();
        REQUIRE(site.pay(id, booking["amount_due"]) == 201);
        CHECK(site.mails("partial_payment_received") == 1);
        CHECK(site.mails("payment_received") == 2);
    });
}

TEST_CASE("6.3.6 a booking that its payment confirms is mailed as confirmed and fires booking.confirmed") {
    each_automated([](Automated& site) {
        const auto id = site.base.given_booking(site.trip).id;
        site.set("auto_confirm_mode", "all");
        static_cast<void>(site.keys());
        const auto before = site.mails("booking_confirmed");
        const auto booking = site.base.get("/bookings/" + std::to_string(id), site.admin).data();
        REQUIRE(booking.text_or("status") == "pending");
        REQUIRE(site.pay(id, booking["amount_due"]) == 201);
        const std::string keys = site.keys();
        CHECK(keys.find("booking.confirmed") != std::string::npos);
        CHECK(keys.find("payment.received") != std::string::npos);
        CHECK(site.mails("booking_confirmed") == before + 1);
    });
}

TEST_CASE("account events name the user and hold no link that proves anything") {
    each_automated([](Automated& site) {
        const auto made = site.base.post("/auth/register", Value::object({{"first_name", "New"},
                                                                          {"last_name", "Person"},
                                                                          {"email", "new@example.org"},
                                                                          {"phone", "+44 20 1"},
                                                                          {"password", TestBase::password},
                                                                          {"confirm_password", TestBase::password}}));
        REQUIRE(made.status < 300);
        CHECK(site.keys() == "account.email_verification");
        CHECK(site.last.at(2)["account"].text_or("email") == "new@example.org");
        CHECK(site.last.at(2).dump().find("token") == std::string::npos);
        CHECK(site.last.at(2).dump().find("sent_at") == std::string::npos);
    });
}

TEST_CASE("every automation event of the contract is in the catalogue, and the raw action behind it is declared") {
    std::vector<std::string> expected{"booking.created",
                                      "booking.confirmed",
                                      "booking.completed",
                                      "booking.cancelled",
                                      "booking.expired",
                                      "payment.received",
                                      "payment.partial_received",
                                      "scheduled.payment.succeeded",
                                      "scheduled.payment.failed",
                                      "account.email_verification",
                                      "account.email_change_request",
                                      "account.email_changed"};
    for (const events_catalogue::EventKind& kind : events_catalogue::event_kinds())
        std::erase(expected, kind.key);
    CHECK(expected.empty());
}
