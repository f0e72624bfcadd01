// A provider's world for tests and the live one: each charge stays in its own, and test money counts on no live site.
#include "base/sales/payment/gateways/wire.hpp"
#include "tests/base/sales/payment/paying_site.hpp"

using namespace svc;
using namespace svc::tests;

TEST_CASE("a payment started in test mode pays for nothing once the site is live") {
    each_paying_site([](PayingSite& site) {
        const auto made = site.priced_booking();
        const std::string charge = site.begun(made.id);
        CHECK(site.gateway->asked_in_test);
        site.set("payment_test_mode", false);
        CHECK(site.tell(PayingSite::event("e1", "paid", charge, 8000)));
        CHECK(site.state_of(made.id) == "pending pending 0.00");
        CHECK(site.with("gateway_events", "status = 'parked'") == 1);
        CHECK(code_of(site.confirm(made.id, charge)) == "payment_error");
        site.clock.advance(std::chrono::minutes(11));
        CHECK(site.checkout.reconcile(site.clock.now()));
        CHECK(site.gateway->confirms == 0);
        CHECK(site.rows("payments") == 0);
        CHECK(site.state_of(made.id) == "pending pending 0.00");
        // The same booking is paid by a live charge, not by the test's that lay open.
        const std::string live = site.begun(made.id);
        CHECK(live != charge);
        CHECK_FALSE(site.gateway->asked_in_test);
        CHECK(site.confirm(made.id, live));
        CHECK(site.state_of(made.id) == "confirmed paid 80.00");
    });
}

TEST_CASE("a live charge is asked about, and sent back, in the live world whatever the site is in") {
    each_paying_site([](PayingSite& site) {
        site.set("payment_test_mode", false);
        const auto made = site.priced_booking();
        const std::string charge = site.begun(made.id);
        site.set("payment_test_mode", true);
        const auto paid = site.confirm(made.id, charge);
        REQUIRE(paid);
        CHECK_FALSE(site.gateway->asked_in_test);
        CHECK(site.state_of(made.id) == "confirmed paid 80.00");
        CHECK(site.refunds.refund({.payment_id = paid->payment->id}));
        CHECK_FALSE(site.gateway->asked_in_test);
    });
}

TEST_CASE("a held charge and a saved method stay in the world they were made in") {
    each_paying_site([](PayingSite& site) {
        const auto trip = site.given_trip({.price = "80"}).id;
        const auto secret = site.open_session(trip);
        const auto session = site.bookings.sessions.resume(secret, {})->session.id;
        const auto offer = site.checkout.offers.hold({.gateway = "scripted"},
                                                     {.session_id = session, .amount = Money{8000, Currency::usd()}});
        REQUIRE(offer);
        const auto made = site.bookings.creator.create(secret, BookingSite::wanted(), {}, {})->booking;
        site.set("payment_test_mode", false);
        CHECK_FALSE(site.confirm(made.id, offer->page["payment_id"].text()));
        CHECK(site.state_of(made.id) == "pending pending 0.00");

        const auto user = std::to_string(site.given_user("ada"));
        const std::string kept =
            "INSERT INTO svc_saved_payment_methods (user_id, customer_id, gateway, gateway_method_id, is_test,"
            " created_at) VALUES (" +
            user + ", " + std::to_string(made.customer_id) + ", 'scripted', 'pm_test', 1, 0)";
        const std::string owned = "UPDATE svc_bookings SET user_id = " + user;
        tests::execute(*site.real, {owned.c_str(), kept.c_str()});
        CHECK(site.checkout.saved.chargeable(made.id)->empty());
        const auto id = site.number("SELECT id FROM svc_saved_payment_methods");
        CHECK(code_of(site.checkout.saved.charge({.booking_id = made.id, .method_id = id, .key = "k"})) ==
              "payment_method_unavailable");
        CHECK(site.gateway->saved_charges == 0);
    });
}

TEST_CASE("a proof that cannot be right is refused by its field, and the charge goes on") {
    each_paying_site([](PayingSite& site) {
        const auto made = site.priced_booking();
        const std::string charge = site.begun(made.id);
        site.gateway->on_confirm = [](const payment::Inquiry&) -> Result<payment::Charge> {
            return invalid("gateway_data.signature", "This payment does not belong to the booking."_sentence);
        };
        const auto refused = site.confirm(made.id, charge);
        REQUIRE(code_of(refused) == "payment_error");
        CHECK(refused.error().fields().at(0).field == "gateway_data.signature");
        site.gateway->on_confirm = [](const payment::Inquiry&) -> Result<payment::Charge> { return errc::bad_request; };
        CHECK(site.confirm(made.id, charge).error().fields().at(0).field == "transaction_id");
        CHECK(site.rows("payments") == 0);
        site.gateway->on_confirm = nullptr;
        CHECK(site.confirm(made.id, charge)->progress == payment::Progress::paid);
    });
}

TEST_CASE("a gateway in test mode asks the provider's world for tests on a live site, and the others do not") {
    each_paying_site([](PayingSite& site) {
        site.set("payment_test_mode", false);
        const auto set_test_mode = [&](const char* name, bool on) {
            return site.payments.gateways.configure("scripted", json::Value::object({{name, on}}));
        };
        REQUIRE(set_test_mode("sandbox", true));  // its other name
        CHECK(site.payments.gateways.find("scripted").value().config["test_mode"].boolean());
        CHECK(payment::to_definition(site.payments.gateways.find("scripted").value())["test_mode"].boolean());
        CHECK_FALSE(payment::to_definition(site.payments.gateways.find("pay_later").value())["test_mode"].boolean());
        const auto made = site.priced_booking();
        const std::string charge = site.begun(made.id);
        CHECK(site.gateway->asked_in_test);
        CHECK(site.confirm(made.id, charge));
        CHECK(site.gateway->asked_in_test);
        CHECK(site.state_of(made.id) == "confirmed paid 80.00");

        // A charge begun in test mode pays for nothing once the gateway is live.
        const auto other = site.priced_booking();
        const std::string left_open = site.begun(other.id);
        REQUIRE(set_test_mode("test_mode", false));
        CHECK(code_of(site.confirm(other.id, left_open)) == "payment_error");
        CHECK(site.tell(PayingSite::event("e1", "paid", left_open, 8000)));
        CHECK(site.with("gateway_events", "status = 'parked'") == 1);
        CHECK(site.state_of(other.id) == "pending pending 0.00");
        site.begun(other.id);
        CHECK_FALSE(site.gateway->asked_in_test);
    });
}

TEST_CASE("a site in test mode keeps every gateway in it") {
    each_paying_site([](PayingSite& site) {
        REQUIRE(site.payments.gateways.configure("scripted", json::Value::object({{"test_mode", false}})));
        site.begun(site.priced_booking().id);
        CHECK(site.gateway->asked_in_test);
        CHECK(code_of(site.payments.gateways.configure("scripted", json::Value::object({{"test_mode", "often"}}))) ==
              "svc_validation_error");
    });
}
