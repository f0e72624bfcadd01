// Charges begun by strangers: no personal data goes out, no secret and no reference comes back, and nothing is delayed.
#include "tests/base/sales/payment/paying_site.hpp"

using namespace svc;
using namespace svc::tests;
using payment::Checkout;

namespace {

// Answers with everything that it was told, as a careless gateway would.
void let_it_tell(ScriptedGateway& gateway) {
    gateway.on_intent = [](const payment::IntentRequest& wanted) -> Result<payment::Intent> {
        return payment::Intent{.id = ScriptedGateway::id_of(wanted.key),
                               .client_secret = "secret_" + wanted.key,
                               .payment_url = "https://pay.example/" + ScriptedGateway::id_of(wanted.key),
                               .client = json::Value::object({{"name", wanted.customer_name},
                                                              {"email", wanted.customer_email},
                                                              {"phone", wanted.customer_phone},
                                                              {"reference", wanted.booking_reference},
                                                              {"trip", wanted.description},
                                                              {"session_token", "token_" + wanted.key},
                                                              {"order", ScriptedGateway::id_of(wanted.key)},
                                                              {"amount", wanted.amount.minor()}})};
    };
}

std::string all_of(const payment::Offers::Offer& offer) { return offer.page.dump() + offer.instructions; }

}  // namespace

TEST_CASE("a stranger's charge carries no personal data to the gateway, and its answer holds no secret") {
    each_paying_site([](PayingSite& site) {
        let_it_tell(*site.gateway);
        const auto made = site.priced_booking();
        const std::vector<std::string> personal{made.first_name, made.last_name, made.email, made.reference};
        const auto strangers = site.checkout.offers.offer({.gateway = "scripted", .booking_id = made.id}).value();
        for (const std::string& word : personal) {
            REQUIRE_FALSE(word.empty());
            CHECK(all_of(strangers).find(word) == std::string::npos);
        }
        CHECK(all_of(strangers).find("secret_") == std::string::npos);
        CHECK(all_of(strangers).find("token_") == std::string::npos);
        CHECK(strangers.page["payment_url"].text().starts_with("https://pay.example/"));
        CHECK(strangers.page["gateway_data"]["order"] == strangers.page["payment_id"]);
        CHECK(strangers.page["gateway_data"]["amount"].is_null());
        // The same gateway, asked by its customer: another charge, with all of it.
        const auto own = site.offer(made.id).value();
        CHECK(own.page["payment_id"] != strangers.page["payment_id"]);
        CHECK(own.page["gateway_data"]["email"].text() == made.email);
        CHECK(own.page["client_secret"].text().starts_with("secret_"));
        // And by a stranger once more, who does not get that one.
        CHECK(all_of(site.checkout.offers.offer({.gateway = "scripted", .booking_id = made.id}).value())
                  .find(made.email) == std::string::npos);
        const auto later = site.checkout.offers.offer({.gateway = "pay_later", .booking_id = made.id}).value();
        CHECK(later.instructions.size() > 10);
        CHECK(later.instructions.find(made.reference) == std::string::npos);
        CHECK(site.offer(made.id, "pay_later")->instructions.find(made.reference) != std::string::npos);
    });
}

TEST_CASE("a charge by a pay link tells reference, trip and amount, and neither name nor address nor telephone") {
    each_paying_site([](PayingSite& site) {
        let_it_tell(*site.gateway);
        site.set("allow_save_payment_methods", true);
        const auto user = site.given_user("ada");
        api::Caller caller = signed_in(user);
        const auto trip = site.given_trip({.price = "80"}).id;
        const auto made =
            site.bookings.creator.create(site.open_session(trip, 1, caller), BookingSite::wanted(), caller, {})
                ->booking;
        // The customer's own charge comes first: its page is not shown to whoever holds the link.
        const auto own = site.offer(made.id).value();
        CHECK(own.page["gateway_data"]["email"].text() == made.email);
        const payment::Offers::Request by_link{
            .gateway = "scripted", .booking_id = made.id, .save_method = true, .is_proven = true, .by_pay_link = true};
        const auto linked = site.checkout.offers.offer(by_link).value();
        CHECK(linked.page["payment_id"] != own.page["payment_id"]);
        for (const std::string& word : {made.first_name, made.last_name, made.email, made.phone}) {
            REQUIRE_FALSE(word.empty());
            CAPTURE(word);
            CHECK(all_of(linked).find(word) == std::string::npos);
        }
        CHECK(linked.page["gateway_data"]["reference"].text() == made.reference);
        CHECK(linked.page["gateway_data"]["trip"].text() == made.trip_title);
        CHECK(linked.amount.decimal() == "80.00");
        CHECK(linked.page["client_secret"].text().starts_with("secret_"));
        CHECK_FALSE(linked.intent->save_method);  // a friend's card is nobody else's to charge
        CHECK(site.checkout.offers.offer(by_link)->page["payment_id"] == linked.page["payment_id"]);
        CHECK(site.confirm(made.id, linked.page["payment_id"].text())->progress == payment::Progress::paid);
        CHECK(site.state_of(made.id) == "confirmed paid 80.00");
    });
}

TEST_CASE("a stranger's charge takes the customer's page away from nobody; the customer's takes the stranger's") {
    each_paying_site([](PayingSite& site) {
        const auto made = site.priced_booking();
        const std::string own = site.begun(made.id);
        REQUIRE(site.checkout.offers.offer({.gateway = "scripted", .booking_id = made.id}));
        CHECK(site.with("payment_intents", "status = 'requires_action'") == 2);
        CHECK(site.begun(made.id) == own);
        REQUIRE(site.pay(made.id, "30"));
        CHECK(site.begun(made.id) != own);
        CHECK(site.with("payment_intents", "status = 'requires_action'") == 1);
    });
}

TEST_CASE("only a charge of its customer's delays a booking's end, by three hours in all") {
    each_paying_site([](PayingSite& site) {
        site.set("booking_expiry_hours", 24);
        REQUIRE(site.bookings.upkeep.expire_unpaid(site.clock.now()));
        const auto left = site.priced_booking(), paying = site.priced_booking();
        site.clock.advance(std::chrono::minutes(23 * 60 + 50));
        REQUIRE(site.checkout.offers.offer({.gateway = "scripted", .booking_id = left.id}));
        static_cast<void>(site.begun(paying.id));
        site.clock.advance(std::chrono::minutes(20));
        REQUIRE(site.bookings.upkeep.expire_unpaid(site.clock.now()));
        CHECK(site.booking_of(left.id).status == "cancelled");
        CHECK(site.booking_of(paying.id).status == "pending");
        // However often a charge is begun anew.
        for (int again = 0; again < 3; ++again) {
            site.clock.advance(std::chrono::minutes(50));
            static_cast<void>(site.begun(paying.id));
            REQUIRE(site.bookings.upkeep.expire_unpaid(site.clock.now()));
            CHECK(site.booking_of(paying.id).status == "pending");
        }
        site.clock.advance(std::chrono::minutes(15));
        REQUIRE(site.bookings.upkeep.expire_unpaid(site.clock.now()));
        CHECK(site.booking_of(paying.id).status == "cancelled");
    });
}

TEST_CASE("the addresses that a customer names replace those from before, and hold visible ASCII alone") {
    each_paying_site([](PayingSite& site) {
        const auto made = site.priced_booking();
        const std::string key = "https://site.example/";
        const auto wanted = [&](const std::string& page, bool is_proven) {
            return site.checkout.offers.offer(
                {.gateway = "scripted", .booking_id = made.id, .return_url = page, .is_proven = is_proven});
        };
        REQUIRE(wanted(key + "stranger", false));
        const auto first = wanted(key + "one", true).value();
        const auto second = wanted(key + "two", true).value();
        CHECK(second.intent->id == first.intent->id);
        CHECK(site.checkout.confirmations.returned("scripted", {.key = first.intent->key}).value() ==
              key + "two?payment=success");
        for (const char* bad : {"\r\nX: 1", "a b", "\t", "\x7f", "caf\xc3\xa9"}) {
            const auto refused = wanted(key + bad, true);
            CHECK(code_of(refused) == "svc_validation_error");
            CHECK(refused.error().fields().at(0).field == "return_url");
            const auto of_cancel = site.checkout.offers.offer(
                {.gateway = "scripted", .booking_id = made.id, .cancel_url = key + bad, .is_proven = true});
            CHECK(of_cancel.error().fields().at(0).field == "cancel_url");
        }
    });
}

TEST_CASE("the way back names the booking to its customer alone, and not by what staff have typed") {
    each_paying_site([](PayingSite& site) {
        const auto made = site.priced_booking();
        const auto strangers = site.checkout.offers.offer({.gateway = "scripted", .booking_id = made.id}).value();
        const auto at = [&](const char* gateway, const payment::Confirmations::Return& back) {
            return site.checkout.confirmations.returned(gateway, back).value();
        };
        CHECK(at("scripted", {.key = strangers.intent->key}) == "https://site.example/book?payment=success");
        CHECK(site.booking_of(made.id).payment_status == "paid");
        const std::string capture = "ch_" + strangers.page["payment_id"].text();
        CHECK(at("scripted", {.charges = {capture}}) == "https://site.example/book?payment=success");
        const auto other = site.priced_booking();
        for (const char* by : {"scripted", "pay_later"})
            REQUIRE(site.payments.record({.booking_id = other.id,
                                          .amount = "1",
                                          .gateway = by,
                                          .transaction_id = std::string("4711") + by,
                                          .status = "completed"},
                                         0));
        for (const char* by : {"scripted", "pay_later"})
            CHECK(at(by, {.charges = {std::string("4711") + by}}) == "https://site.example/book?payment=failed");
        CHECK(code_of(site.checkout.confirmations.returned("nobody", {.key = "x"})) == "invalid_gateway");
    });
}

TEST_CASE("a confirmation of a payment that staff recorded returns it unchanged") {
    each_paying_site([](PayingSite& site) {
        const auto made = site.priced_booking(), other = site.priced_booking();
        const auto confirm = [&](std::int64_t booking, const char* transaction) {
            return site.checkout.confirmations.confirm(
                {.gateway = "pay_later", .booking_id = booking, .transaction_id = transaction});
        };
        for (const auto& [name, status] : {std::pair{"T-1", "completed"}, {"T-2", "pending"}})
            REQUIRE(site.payments.record({.booking_id = made.id,
                                          .amount = "10",
                                          .gateway = "pay_later",
                                          .transaction_id = name,
                                          .status = status},
                                         0));
        const auto events = site.emitted("svc_payment_completed");
        const auto paid = confirm(made.id, "T-1").value();
        CHECK(paid.progress == payment::Progress::paid);
        CHECK(paid.repeated);
        CHECK(confirm(made.id, "T-2")->progress == payment::Progress::waiting);
        CHECK(code_of(confirm(other.id, "T-1")) == "transaction_mismatch");
        CHECK(code_of(confirm(9999, "T-1")) == "booking_not_found");
        CHECK(code_of(confirm(made.id, "T-3")) == "offline_gateway_manual");
        CHECK(site.emitted("svc_payment_completed") == events);
        CHECK(site.rows("payments") == 2);
    });
}

TEST_CASE("each transition to completed is told and confirms; saving a completed payment again is none") {
    each_paying_site([](PayingSite& site) {
        const auto made = site.priced_booking();
        site.set("auto_confirm_mode", "all");
        const auto cash = site.pay(made.id, "80").value();
        CHECK(site.emitted("svc_payment_completed") == 1);
        REQUIRE(site.payments.update(cash.id, {.status = "completed", .notes = "again"}, 0));
        CHECK(site.emitted("svc_payment_completed") == 1);
        REQUIRE(site.payments.update(cash.id, {.status = "pending"}, 0));
        REQUIRE(site.to_status(made.id, "pending"));
        REQUIRE(site.payments.update(cash.id, {.status = "completed"}, 0));
        CHECK(site.emitted("svc_payment_completed") == 2);
        CHECK(site.booking_of(made.id).status == "confirmed");
    });
}

TEST_CASE("the provider is asked for a charge after the listeners of svc_before_payment_processing have returned") {
    each_paying_site([](PayingSite& site) {
        const auto made = site.priced_booking();
        std::size_t heard_before = 0;
        site.gateway->on_intent = [&](const payment::IntentRequest& wanted) -> Result<payment::Intent> {
            heard_before = site.in_place.size();
            return payment::Intent{.id = ScriptedGateway::id_of(wanted.key)};
        };
        REQUIRE(site.offer(made.id));
        CHECK(heard_before == 1);
        CHECK(site.in_place.front() == "svc_before_payment_processing");
        REQUIRE(site.offer(made.id));  // the same open charge: nobody is asked
        CHECK(site.in_place.size() == 1);
    });
}
