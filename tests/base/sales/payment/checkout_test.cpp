// Paying by a gateway: the amount is ours, the word is the provider's, and it counts once.
#include "tests/base/sales/payment/paying_site.hpp"

using namespace svc;
using namespace svc::tests;
using payment::Charge;

TEST_CASE("a browser that comes back by the provider's own names finds its charge, and a guess finds nothing") {
    each_paying_site([](PayingSite& site) {
        const auto made = site.priced_booking();
        const std::string charge = site.begun(made.id);
        const auto at = [&](payment::Confirmations::Return back) {
            return site.checkout.confirmations.returned("scripted", back).value();
        };
        const std::string page = "https://site.example/book/confirmation/" + made.reference;
        const std::string nowhere = "https://site.example/book?payment=failed";
        // A booking's number is guessed by anybody: it names nothing, and the provider is not even asked.
        CHECK(at({.booking_id = made.id}) == nowhere);
        CHECK(at({.charges = {"", "pi_guess"}, .booking_id = made.id}) == nowhere);
        CHECK(at({.charges = {charge}, .booking_id = made.id + 1}) == nowhere);
        CHECK(site.gateway->confirms == 0);
        // A payment of another order: the gateway says no.
        site.gateway->on_confirm = [](const payment::Inquiry&) -> Result<Charge> {
            return invalid("transaction_id", "This payment does not belong to the booking."_sentence);
        };
        CHECK(at({.payment = "pay_guess", .booking_id = made.id}) == nowhere);
        site.gateway->on_confirm = [](const payment::Inquiry& inquiry) -> Result<Charge> {
            return Charge{.progress = payment::Progress::waiting, .intent_id = inquiry.intent_id};
        };
        CHECK(at({.charges = {charge}}) == page + "?payment=failed");
        CHECK(site.rows("payments") == 0);
        site.gateway->on_confirm = nullptr;
        // The provider's word is about the charge, not about the payment that was guessed.
        const auto other = site.priced_booking();
        static_cast<void>(site.begun(other.id));
        CHECK(at({.payment = "pay_guess", .booking_id = other.id}) == nowhere);
        CHECK(at({.charges = {"", charge}, .booking_id = made.id}) == page + "?payment=success");
        CHECK(at({.charges = {"ch_" + charge}}) == page + "?payment=success");
        CHECK(at({.payment = "ch_" + charge, .booking_id = made.id}) == page + "?payment=success");
        CHECK(at({.payment = "ch_" + charge, .booking_id = other.id}) == nowhere);
        CHECK(site.emitted("svc_payment_completed") == 2);
    });
}

TEST_CASE("a balance is not asked for once the trip is over") {
    each_paying_site([](PayingSite& site) {
        const auto made = site.priced_booking();
        REQUIRE(site.pay(made.id, "10"));
        REQUIRE(site.to_status(made.id, "confirmed"));
        CHECK(site.checkout.balances.open(made.id));
        const auto token = site.checkout.balances.open(made.id).value().text_or("booking_token");
        CHECK(site.checkout.balances.booking_of(token).value() == made.id);
        CHECK(code_of(site.checkout.balances.booking_of("guess")) == "session_expired");
        REQUIRE(site.to_status(made.id, "completed"));
        CHECK(code_of(site.checkout.balances.open(made.id)) == "not_payable");
        CHECK(code_of(site.checkout.offers.offer(
                  {.gateway = "scripted", .booking_id = made.id, .remaining = true, .is_proven = true})) ==
              "not_payable");
    });
}

TEST_CASE("a payment that differs from the request is shown: the booking waits for staff, who are notified once") {
    each_paying_site([](PayingSite& site) {
        const auto made = site.priced_booking();
        const std::string charge = site.begun(made.id);
        site.gateway->on_confirm = [](const payment::Inquiry& inquiry) -> Result<Charge> {
            Charge paid = ScriptedGateway::paid(inquiry);
            paid.amount = Money{8001, Currency::usd()};
            return paid;
        };
        for (int turn = 0; turn < 2; ++turn)
            CHECK(code_of(site.confirm(made.id, charge)) == "payment_error");
        CHECK(site.booking_of(made.id).needs_attention);
        CHECK(site.emitted("svc_payment_needs_review") == 1);
        const auto counts = site.real->reading<json::Value>(
            [](store::Session& session) { return payment::Repository::counts(session); });
        CHECK(counts["in_review"].integer() == 1);
        CHECK(counts["parked"].integer() == 0);
        // A charge that nothing of ours knows any more is not forgotten either.
        CHECK(site.tell(PayingSite::event("evt_gone", "paid", "pi_gone", 8000)));
        CHECK(site.real
                  ->reading<json::Value>(
                      [](store::Session& session) { return payment::Repository::counts(session); })["parked"]
                  .integer() == 1);
    });
}

TEST_CASE(
    "what a provider refuses of our call is no word about the charge: nothing is recorded, and it is asked again") {
    each_paying_site([](PayingSite& site) {
        const auto made = site.priced_booking();
        const std::string charge = site.begun(made.id);
        site.gateway->on_confirm = [](const payment::Inquiry&) -> Result<Charge> { return errc::payment_error; };
        const auto refused = site.confirm(made.id, charge);
        CHECK(code_of(refused) == "svc_gateway_unavailable");
        site.clock.advance(std::chrono::hours(1));
        CHECK(site.checkout.reconcile(site.clock.now()).value()["unreachable"].integer() == 1);
        CHECK(site.rows("payments") == 0);
        CHECK(site.emitted("svc_payment_failed") == 0);
        CHECK(site.state_of(made.id) == "pending pending 0.00");
        site.gateway->on_confirm = nullptr;
        CHECK(site.confirm(made.id, charge)->progress == payment::Progress::paid);
    });
}

TEST_CASE("a charge is of the booking's amount; another amount from a page is logged and not used") {
    each_paying_site([](PayingSite& site) {
        const auto made = site.priced_booking();
        const auto offer = site.checkout.offers.offer({.gateway = "scripted",
                                                       .booking_id = made.id,
                                                       .client_amount = "1.00",
                                                       .client_currency = "EUR",
                                                       .is_proven = true});
        REQUIRE(offer);
        CHECK(offer->amount == Money{8000, Currency::usd()});
        CHECK(offer->page.text_or("client_secret").starts_with("secret_"));
        CHECK(site.emitted("svc_payment_amount_mismatch") == 1);
        CHECK(site.in_place == std::vector<std::string>{"svc_before_payment_processing"});
        CHECK(site.emitted("svc_after_payment_processing") == 1);
        // Other pages cannot read the data of this one.
        CHECK(site.with("payment_intents", "page LIKE '%secret_%'") == 0);
        CHECK(site.state_of(made.id) == "pending pending 0.00");
        const auto other = site.priced_booking();
        REQUIRE(site.checkout.offers.offer({.gateway = "scripted",
                                            .booking_id = other.id,
                                            .client_amount = "80",
                                            .client_currency = "usd",
                                            .is_proven = true}));
        CHECK(site.emitted("svc_payment_amount_mismatch") == 1);
    });
}

TEST_CASE("the same open charge is answered again until amount, gateway or hour are others") {
    each_paying_site([](PayingSite& site) {
        const auto made = site.priced_booking();
        const std::string first = site.begun(made.id);
        CHECK(site.begun(made.id) == first);
        CHECK(site.gateway->intents == 1);
        CHECK(site.rows("payment_intents") == 1);
        CHECK(site.pay(made.id, "30"));
        const std::string second = site.begun(made.id);
        CHECK(second != first);
        CHECK(site.with("payment_intents", "status = 'cancelled' AND reconciliation = 'open'") == 1);
        site.clock.advance(std::chrono::minutes(61));
        CHECK(site.begun(made.id) != second);
    });
}

TEST_CASE("a payment that cannot be made is rejected before any gateway is called") {
    each_paying_site([](PayingSite& site) {
        const auto made = site.priced_booking();
        CHECK(code_of(site.offer(made.id, "nobody")) == "invalid_gateway");
        CHECK(code_of(site.offer(9999)) == "booking_not_found");
        for (const char* url : {"https://evil.example/", "https://site.example.evil/", "//evil", "javascript:x"})
            CHECK(code_of(site.checkout.offers.offer(
                      {.gateway = "scripted", .booking_id = made.id, .return_url = url, .is_proven = true})) ==
                  "svc_validation_error");
        CHECK(site.checkout.offers.offer({.gateway = "pay_later", .booking_id = made.id, .is_proven = true})
                  ->instructions.size() > 10);
        CHECK(code_of(site.checkout.offers.offer(
                  {.gateway = "pay_later", .booking_id = made.id, .remaining = true, .is_proven = true})) ==
              "offline_gateway_manual");
        CHECK(site.pay(made.id, "80"));
        CHECK(code_of(site.offer(made.id)) == "already_paid");
        CHECK(code_of(site.checkout.offers.offer(
                  {.gateway = "scripted", .booking_id = made.id, .remaining = true, .is_proven = true})) ==
              "no_balance_due");
        // That nothing is to be paid comes before what cannot be paid by.
        for (const char* gateway : {"nobody", "pay_later", "paypal"}) {
            CHECK(code_of(site.offer(made.id, gateway)) == "already_paid");
            CHECK(code_of(site.checkout.offers.offer(
                      {.gateway = gateway, .booking_id = made.id, .remaining = true, .is_proven = true})) ==
                  "no_balance_due");
        }
        for (const char* ended : {"cancelled", "refunded"}) {
            CHECK(site.to_status(made.id, ended));
            for (const char* gateway : {"scripted", "nobody", "pay_later"})
                CHECK(code_of(site.offer(made.id, gateway)) == "not_payable");
        }
        CHECK(site.gateway->intents == 0);
    });
}

TEST_CASE("a paid charge takes effect once, however often it is confirmed") {
    each_paying_site([](PayingSite& site) {
        const auto made = site.priced_booking();
        const std::string charge = site.begun(made.id);
        const auto first = site.confirm(made.id, charge);
        REQUIRE(first);
        CHECK(first->progress == payment::Progress::paid);
        CHECK_FALSE(first->repeated);
        CHECK(first->payment->transaction_id == "ch_" + charge);
        CHECK(first->payment->fee == Money{30, Currency::usd()});
        CHECK(first->payment->reconciliation == "matched");
        CHECK(site.state_of(made.id) == "confirmed paid 80.00");
        for (const std::string& name : {charge, "ch_" + charge}) {
            const auto again = site.confirm(made.id, name);
            REQUIRE(again);
            CHECK(again->repeated);
        }
        CHECK(site.gateway->confirms == 1);
        CHECK(site.rows("payments") == 1);
        CHECK(site.emitted("svc_payment_completed") == 1);
        CHECK(site.emitted("svc_booking_confirmed") == 1);
        CHECK(site.with("payment_intents", "status = 'succeeded' AND reconciliation = 'settled'") == 1);
        const auto other = site.priced_booking();
        CHECK(code_of(site.confirm(other.id, charge)) == "transaction_mismatch");
        CHECK(code_of(site.confirm(other.id, "ch_" + charge)) == "transaction_mismatch");
        CHECK(code_of(site.confirm(other.id, "ch_unheard")) == "payment_error");
        CHECK(code_of(site.confirm(9999, "ch_unheard")) == "booking_not_found");
        CHECK(site.state_of(other.id) == "pending pending 0.00");
    });
}

TEST_CASE("a charge that has become a payment becomes no second one, whatever its transaction is called by then") {
    each_paying_site([](PayingSite& site) {
        const auto made = site.priced_booking();
        const std::string charge = site.begun(made.id);
        CHECK(site.confirm(made.id, charge));
        // As a release of before let staff write it.
        CHECK(site.real->write([](store::Transaction& tx) -> Result<void> {
            tx.run("UPDATE svc_payments SET transaction_id = 'other'", {});
            return {};
        }));
        CHECK(site.tell(PayingSite::event("ev_1", "paid", charge, 8000)));
        CHECK(site.state_of(made.id) == "confirmed paid 80.00");
        CHECK(site.rows("payments") == 1);
        CHECK(site.emitted("svc_payment_completed") == 1);
    });
}

TEST_CASE("a transaction that staff had noted as pending becomes the charge's own payment, its note kept") {
    each_paying_site([](PayingSite& site) {
        const auto made = site.priced_booking();
        const std::string charge = site.begun(made.id);
        const auto noted = site.payments.record({.booking_id = made.id,
                                                 .amount = "80",
                                                 .gateway = "other",
                                                 .transaction_id = "ch_" + charge,
                                                 .notes = "Rang up to say that it is on its way."},
                                                0);
        REQUIRE(noted);
        CHECK(site.confirm(made.id, charge)->payment->id == noted->id);
        CHECK(site.rows("payments") == 1);
        const auto paid = site.payments.find(noted->id).value();
        CHECK(paid.status == "completed");
        CHECK(paid.source == "gateway");
        CHECK(paid.gateway == "scripted");
        CHECK(paid.notes == "Rang up to say that it is on its way.");
        CHECK(paid.fee == Money{30, Currency::usd()});
        CHECK(site.with("payments", "intent_id = (SELECT id FROM svc_payment_intents WHERE status = 'succeeded')") ==
              1);
        std::string asked_of;
        site.gateway->on_refund = [&](const payment::RefundRequest& wanted) -> Result<payment::Refund> {
            asked_of = wanted.intent_id;
            return payment::Refund{.progress = payment::Progress::paid, .id = "re_1", .amount = wanted.amount};
        };
        REQUIRE(site.refunds.refund({.payment_id = noted->id}));
        CHECK(asked_of == charge);
    });
}

TEST_CASE("while a bank works on a charge no other one begins; it ends by the provider's word") {
    each_paying_site([](PayingSite& site) {
        const auto made = site.priced_booking();
        site.gateway->on_confirm = [](const payment::Inquiry& inquiry) {
            return payment::Charge{.progress = payment::Progress::processing, .intent_id = inquiry.intent_id};
        };
        const std::string charge = site.begun(made.id);
        CHECK(site.confirm(made.id, charge)->progress == payment::Progress::processing);
        CHECK(code_of(site.offer(made.id)) == "charge_in_progress");
        CHECK(site.gateway->intents == 1);
        CHECK(site.tell(PayingSite::event("ev_1", "failed", charge, 0)));
        CHECK(site.offer(made.id));
        CHECK(site.gateway->intents == 2);
    });
}

TEST_CASE("a capture that is abandoned frees its booking to be paid again, cancelled and swept") {
    each_paying_site([](PayingSite& site) {
        for (const payment::Progress ends : {payment::Progress::cancelled, payment::Progress::waiting}) {
            CAPTURE(static_cast<int>(ends));
            payment::Progress help = payment::Progress::processing;
            site.gateway->on_confirm = [&](const payment::Inquiry& inquiry) {
                return payment::Charge{.progress = help, .intent_id = inquiry.intent_id};
            };
            const auto made = site.priced_booking();
            const std::string charge = site.begun(made.id);
            REQUIRE(site.confirm(made.id, charge));
            CHECK(site.booking_of(made.id).status == "processing");
            help = ends;
            REQUIRE(site.confirm(made.id, charge));
            CHECK(site.booking_of(made.id).status == "pending");
            CHECK(site.to_status(made.id, "cancelled"));
        }
        // One of two is under way still.
        site.gateway->on_confirm = [&](const payment::Inquiry& inquiry) {
            return payment::Charge{.progress = payment::Progress::processing, .intent_id = inquiry.intent_id};
        };
        const auto made = site.priced_booking();
        const std::string charge = site.begun(made.id);
        REQUIRE(site.confirm(made.id, charge));
        REQUIRE(site.real->write([&](store::Transaction& tx) -> Result<void> {
            tx.run(
                "INSERT INTO svc_payment_intents (booking_id, gateway, call_key, purpose, amount_minor, currency,"
                " status, ask_at, expires_at, created_at, updated_at) SELECT booking_id, gateway, 'other', purpose,"
                " amount_minor, currency, 'processing', ask_at, expires_at, created_at, updated_at FROM"
                " svc_payment_intents WHERE booking_id = :id",
                {{"id", made.id}});
            return {};
        }));
        site.gateway->on_confirm = [](const payment::Inquiry& inquiry) {
            return payment::Charge{.progress = payment::Progress::cancelled, .intent_id = inquiry.intent_id};
        };
        REQUIRE(site.confirm(made.id, charge));
        CHECK(site.booking_of(made.id).status == "processing");
    });
}

TEST_CASE("the provider is told at once to let the charges of a booking go that is called off") {
    each_paying_site([](PayingSite& site) {
        const auto made = site.priced_booking();
        const std::string charge = site.begun(made.id);
        bool released = false;
        site.gateway->on_confirm = [&](const payment::Inquiry& inquiry) {
            released = inquiry.release;
            return payment::Charge{
                .progress = inquiry.release ? payment::Progress::cancelled : payment::Progress::waiting,
                .intent_id = inquiry.intent_id};
        };
        REQUIRE(site.confirm(made.id, charge));
        CHECK_FALSE(released);
        REQUIRE(site.to_status(made.id, "cancelled"));
        REQUIRE(site.checkout.reconcile(site.clock.now()));
        CHECK(released);
        CHECK(site.with("payment_intents", "status = 'cancelled' AND reconciliation = 'settled'") == 1);
    });
}

TEST_CASE("a booking is looked at for money that came too late until it is back") {
    each_paying_site([](PayingSite& site) {
        const auto made = site.priced_booking();
        const std::string charge = site.begun(made.id);
        REQUIRE(site.to_status(made.id, "cancelled"));
        const auto paid = site.confirm(made.id, charge);
        REQUIRE(paid);
        CHECK(site.booking_of(made.id).attention_reason == "paid while cancelled");
        REQUIRE(site.refunds.refund({.payment_id = paid->payment->id, .amount = "30"}));
        CHECK(site.booking_of(made.id).needs_attention);
        REQUIRE(site.refunds.refund({.payment_id = paid->payment->id}));
        CHECK_FALSE(site.booking_of(made.id).needs_attention);
    });
}

TEST_CASE("a declined payment that staff say has come is theirs, and theirs to take back") {
    each_paying_site([](PayingSite& site) {
        const auto made = site.priced_booking();
        site.gateway->on_confirm = [](const payment::Inquiry& inquiry) {
            return payment::Charge{
                .progress = payment::Progress::failed, .intent_id = inquiry.intent_id, .reason = "No."};
        };
        const auto declined = site.confirm(made.id, site.begun(made.id))->payment.value();
        CHECK(declined.source == "gateway");
        const auto done = site.payments.update(declined.id, {.status = "completed"}, 0);
        REQUIRE(done);
        CHECK(done->source == "manual");
        CHECK(done->reconciliation == "manual");
        CHECK(site.state_of(made.id) == "pending paid 80.00");
        CHECK(site.payments.update(done->id, {.status = "pending"}, 0)->status == "pending");
        CHECK(site.state_of(made.id) == "pending pending 0.00");
    });
}

TEST_CASE("a fee that the provider keeps in another currency is not recorded as one of the payment's") {
    each_paying_site([](PayingSite& site) {
        site.gateway->on_confirm = [](const payment::Inquiry& inquiry) {
            auto charge = ScriptedGateway::paid(inquiry);
            charge.fee = Money{999, Currency::parse("JPY").value()};
            return charge;
        };
        CHECK_FALSE(site.paid_payment(site.priced_booking().id).fee);
    });
}

TEST_CASE("another booking's transaction is told as such whatever gateway it is claimed by") {
    each_paying_site([](PayingSite& site) {
        const auto made = site.priced_booking();
        const auto other = site.priced_booking();
        const std::string transaction = site.paid_payment(made.id).transaction_id.value();
        const auto claim = [&](std::int64_t booking) {
            return code_of(site.checkout.confirmations.confirm(
                {.gateway = "pay_later", .booking_id = booking, .transaction_id = transaction}));
        };
        CHECK(claim(other.id) == "transaction_mismatch");
        CHECK(claim(made.id).empty());  // recorded already: nothing is done
        CHECK(site.rows("payments") == 1);
    });
}

TEST_CASE("a gateway that cannot take the amount is there all the same") {
    each_paying_site([](PayingSite& site) {
        const auto made = site.priced_booking();
        site.gateway->can_take = false;
        CHECK(code_of(site.offer(made.id)) == "payment_method_unavailable");
        CHECK(site.payments.gateways.configure("scripted", json::Value::object({{"enabled", false}})));
        CHECK(code_of(site.offer(made.id)) == "invalid_gateway");
        CHECK(site.gateway->intents == 0);
    });
}

TEST_CASE("a listener asks for less than the balance, never for more, and lets it be paid offline") {
    each_paying_site([](PayingSite& site) {
        const auto made = site.priced_booking();
        json::Value word = 30;
        REQUIRE(site.hooks.filter("svc_remaining_payment_amount", {.name = "test"},
                                  [&](store::Transaction*, const json::Array& arguments) {
                                      CHECK(arguments[1]["id"] == json::Value(made.id));
                                      return word;
                                  }));
        const auto asked = [&] {
            return site.checkout.offers
                .offer({.gateway = "scripted", .booking_id = made.id, .remaining = true, .is_proven = true})
                ->amount.decimal();
        };
        CHECK(asked() == "30.00");
        CHECK(site.checkout.balances.open(made.id).value()["remaining_amount"].number_text() == "30.00");
        CHECK(site.checkout.balances.open(made.id).value()["balance"].number_text() == "80.00");
        for (const json::Value& outside :
             {json::Value(Money{8001, Currency::usd()}), json::Value(0), json::Value(-5), json::Value("x")}) {
            word = outside;
            CHECK(asked() == "80.00");
        }
        const auto offers_offline = [&] {
            bool found = false;
            const json::Value opened = site.checkout.balances.open(made.id).value();
            for (const json::Value& one : opened["gateways"].items())
                found = found || one["id"].text() == "pay_later";
            return found;
        };
        CHECK_FALSE(offers_offline());
        REQUIRE(site.hooks.filter("svc_remaining_payment_allow_offline_gateway", {.name = "test"},
                                  [](store::Transaction*, const json::Array&) { return json::Value(true); }));
        CHECK(offers_offline());
        CHECK(site.checkout.offers.offer(
            {.gateway = "pay_later", .booking_id = made.id, .remaining = true, .is_proven = true}));
    });
}

TEST_CASE("which online payment confirms, mode by mode") {
    each_paying_site([](PayingSite& site) {
        struct Row {
            const char* mode;
            const char* price;
            std::int64_t minor;
            const char* status;
        };
        for (const Row& row : {Row{"none", "80", 8000, "pending"}, Row{"none", "80", 100, "pending"},
                               Row{"online", "80", 8000, "confirmed"}, Row{"online", "80", 100, "pending"},
                               Row{"all", "80", 8000, "confirmed"}, Row{"all", "80", 100, "confirmed"}}) {
            CAPTURE(row.mode);
            CAPTURE(row.minor);
            site.set("auto_confirm_mode", "none");
            const auto made = site.priced_booking(row.price);
            site.set("auto_confirm_mode", row.mode);
            site.gateway->on_confirm = [&](const payment::Inquiry& inquiry) -> Result<Charge> {
                Charge charge = ScriptedGateway::paid(inquiry);
                charge.amount = Money{row.minor, Currency::usd()};
                return charge;
            };
            CHECK(site.confirm(made.id, site.begun(made.id)));
            CHECK(site.booking_of(made.id).status == row.status);
            CHECK(site.booking_of(made.id).amount_paid.minor() == row.minor);
        }
    });
}

TEST_CASE("another card declined on the same charge is told with its own reason, each decline once by whatever way") {
    each_paying_site([](PayingSite& site) {
        const auto made = site.priced_booking();
        const std::string charge = site.begun(made.id);
        std::string reason = "Not enough money.", name;
        site.gateway->on_confirm = [&](const payment::Inquiry&) -> Result<Charge> {
            return Charge{.progress = payment::Progress::failed,
                          .reason = reason,
                          .details = json::Value::object({{"status", "declined"}, {"charge", name}})};
        };
        const auto told = [&] {
            const auto outcome = site.confirm(made.id, charge);
            REQUIRE(outcome);
            return outcome->payment->notes + (outcome->repeated ? " again" : "");
        };
        CHECK(told() == "Not enough money.");
        CHECK(told() == "Not enough money. again");
        reason = "This card has expired.";
        CHECK(told() == "This card has expired.");
        CHECK(told() == "This card has expired. again");
        CHECK(site.emitted("svc_payment_failed") == 2);
        // Events of either that come late, with and without a reason, tell nothing new.
        for (const char* late : {"Not enough money.", "This card has expired.", ""}) {
            json::Value event = PayingSite::event((std::string("ev") + late).c_str(), "failed", charge, 0);
            CHECK(site.tell(event.set("reason", late)));
        }
        CHECK(site.emitted("svc_payment_failed") == 2);
        // The provider's own names tell tries apart that end alike.
        name = "ch_3";
        reason = "Call your bank.";
        CHECK(told() == "Call your bank.");
        name = "ch_4";
        CHECK(told() == "Call your bank.");
        CHECK(told() == "Call your bank. again");
        name = "ch_3";
        CHECK(told() == "Call your bank. again");
        CHECK(site.emitted("svc_payment_failed") == 4);
        CHECK(site.state_of(made.id) == "pending failed 0.00");
    });
}

TEST_CASE("a declined charge leaves the booking to be paid again, and is told once") {
    each_paying_site([](PayingSite& site) {
        const auto made = site.priced_booking();
        const std::string charge = site.begun(made.id);
        site.gateway->on_confirm = [](const payment::Inquiry&) -> Result<Charge> {
            return Charge{.progress = payment::Progress::failed, .reason = "Not enough money."};
        };
        for (int i = 0; i < 3; ++i)
            CHECK(site.confirm(made.id, charge)->progress == payment::Progress::failed);
        CHECK(site.state_of(made.id) == "pending failed 0.00");
        CHECK(site.with("payments", "status = 'failed' AND notes = 'Not enough money.'") == 1);
        CHECK(site.emitted("svc_payment_failed") == 1);
        site.gateway->on_confirm = nullptr;
        CHECK(site.confirm(made.id, charge)->progress == payment::Progress::paid);  // another card on the same charge
        CHECK(site.state_of(made.id) == "confirmed paid 80.00");
        CHECK(site.emitted("svc_payment_completed") == 1);
    });
}

TEST_CASE("a charge under way keeps the booking from the sweep until it has ended") {
    each_paying_site([](PayingSite& site) {
        for (const auto& [ending, status] :
             {std::pair{payment::Progress::paid, "confirmed"}, {payment::Progress::failed, "pending"}}) {
            const auto made = site.priced_booking();
            const std::string charge = site.begun(made.id);
            site.gateway->on_confirm = [](const payment::Inquiry&) -> Result<Charge> {
                return Charge{.progress = payment::Progress::processing};
            };
            CHECK(site.confirm(made.id, charge)->progress == payment::Progress::processing);
            CHECK(site.booking_of(made.id).status == "processing");
            site.gateway->on_confirm = [ending = ending](const payment::Inquiry& inquiry) -> Result<Charge> {
                return ending == payment::Progress::paid ? ScriptedGateway::paid(inquiry) : Charge{.progress = ending};
            };
            CHECK(site.confirm(made.id, charge));
            CHECK(site.booking_of(made.id).status == status);
        }
    });
}

TEST_CASE("a gateway that lies about amount, currency or charge moves nothing, and a person is told") {
    each_paying_site([](PayingSite& site) {
        const auto lies =
            std::vector<std::function<void(Charge&)>>{[](Charge& c) {
                                                          c.amount = Money{8001, Currency::usd()};
                                                      },
                                                      [](Charge& c) {
                                                          c.amount = Money{8000, Currency::parse("EUR").value()};
                                                      },
                                                      [](Charge& c) {
                                                          c.amount = Money{0, Currency::usd()};
                                                      },
                                                      [](Charge& c) {
                                                          c.amount = Money{-8000, Currency::usd()};
                                                      },
                                                      [](Charge& c) { c.amount.reset(); },
                                                      [](Charge& c) { c.transaction_id.clear(); },
                                                      [](Charge& c) { c.intent_id = "pi_of_somebody_else"; }};
        std::int64_t in_review = 0;
        for (const auto& lie : lies) {
            CAPTURE(in_review);
            const auto made = site.priced_booking();
            site.gateway->on_confirm = [&](const payment::Inquiry& inquiry) -> Result<Charge> {
                Charge charge = ScriptedGateway::paid(inquiry);
                lie(charge);
                return charge;
            };
            CHECK(code_of(site.confirm(made.id, site.begun(made.id))) == "payment_error");
            CHECK(site.state_of(made.id) == "pending pending 0.00");
            CHECK(site.with("payment_intents", "reconciliation = 'review' AND last_error <> ''") == ++in_review);
        }
        CHECK(site.rows("payments") == 0);
        CHECK(site.emitted("svc_payment_completed") == 0);
    });
}

TEST_CASE("a charge that two bookings' gateways answer with is refused, and so is one without a name") {
    each_paying_site([](PayingSite& site) {
        site.gateway->on_intent = [](const payment::IntentRequest&) -> Result<payment::Intent> {
            return payment::Intent{.id = "pi_always"};
        };
        CHECK(site.offer(site.priced_booking().id));
        CHECK(code_of(site.offer(site.priced_booking().id)) == "svc_gateway_unavailable");
        site.gateway->on_intent = [](const payment::IntentRequest&) -> Result<payment::Intent> {
            return payment::Intent{};
        };
        CHECK(code_of(site.offer(site.priced_booking().id)) == "svc_gateway_unavailable");
    });
}

TEST_CASE("a gateway that answers one question twice with two charges is held to the first") {
    each_paying_site([](PayingSite& site) {
        const auto made = site.priced_booking();
        std::string first;
        // Another page asks for the same while the first is still waiting for its answer.
        site.gateway->on_intent = [&](const payment::IntentRequest&) -> Result<payment::Intent> {
            if (site.gateway->intents > 1)
                return payment::Intent{.id = "pi_second"};
            first = "pi_first";
            CHECK(site.offer(made.id)->page.text_or("payment_id") == "pi_second");
            return payment::Intent{.id = first};
        };
        CHECK(code_of(site.offer(made.id)) == "svc_gateway_unavailable");
        CHECK(site.with("payment_intents", "provider_id = 'pi_second'") == 1);
        CHECK(site.begun(made.id) == "pi_second");
    });
}

TEST_CASE("a dead gateway is asked again under the same key, so that no second charge is made") {
    each_paying_site([](PayingSite& site) {
        const auto made = site.priced_booking();
        site.gateway->on_intent = [](const payment::IntentRequest&) -> Result<payment::Intent> {
            return Error(errc::upstream_error).because("timed out");
        };
        CHECK(code_of(site.offer(made.id)) == "svc_gateway_unavailable");
        site.gateway->on_intent = [](const payment::IntentRequest&) -> Result<payment::Intent> {
            return Error(errc::gateway_unavailable);
        };
        CHECK(code_of(site.offer(made.id)) == "svc_gateway_unavailable");
        site.gateway->on_intent = nullptr;
        const std::string charge = site.begun(made.id);
        REQUIRE(site.gateway->keys.size() == 3);
        CHECK(site.gateway->keys[0] == site.gateway->keys[2]);
        CHECK(site.rows("payment_intents") == 1);
        site.gateway->on_confirm = [](const payment::Inquiry&) -> Result<Charge> {
            return Error(errc::upstream_error).because("timed out");
        };
        CHECK(code_of(site.confirm(made.id, charge)) == "svc_gateway_unavailable");
        CHECK(site.state_of(made.id) == "pending pending 0.00");
        CHECK(site.with("payment_intents", "reconciliation = 'open'") == 1);
        site.gateway->on_intent = [](const payment::IntentRequest&) -> Result<payment::Intent> {
            return Error(errc::payment_error, "No such currency."_sentence);
        };
        CHECK(code_of(site.offer(site.priced_booking().id)) == "payment_error");
        CHECK(site.with("payment_intents", "status = 'failed' AND reconciliation = 'settled'") == 1);
    });
}

TEST_CASE("what was paid while nobody looked is found by asking, once, and sooner or later asking ends") {
    each_paying_site([](PayingSite& site) {
        const auto made = site.priced_booking();
        const auto left = site.priced_booking();
        const auto begun = site.priced_booking();
        site.begun(made.id);
        const std::string left_charge = site.begun(left.id);
        site.gateway->on_intent = [](const payment::IntentRequest&) -> Result<payment::Intent> {
            return errc::gateway_unavailable;
        };
        CHECK_FALSE(site.offer(begun.id));
        site.gateway->on_confirm = [&](const payment::Inquiry& inquiry) -> Result<Charge> {
            return inquiry.intent_id == left_charge ? Charge{} : ScriptedGateway::paid(inquiry);
        };
        CHECK(site.checkout.reconcile(site.clock.now()).value()["asked"].integer() == 0);
        site.clock.advance(std::chrono::minutes(11));
        const auto counts = site.checkout.reconcile(site.clock.now()).value();
        CHECK(counts["asked"].integer() == 3);
        CHECK(counts["found_paid"].integer() == 1);
        CHECK(site.state_of(made.id) == "confirmed paid 80.00");
        for (int turn = 0; turn < 40; ++turn) {
            site.clock.advance(std::chrono::hours(8));
            CHECK(site.checkout.reconcile(site.clock.now()));
        }
        CHECK(site.with("payment_intents", "reconciliation = 'open'") == 0);
        CHECK(site.with("payment_intents", "status = 'expired' AND reconciliation = 'settled'") == 2);
        CHECK(site.gateway->confirms <= 1 + payment::most_inquiries);
        CHECK(site.rows("payments") == 1);
        CHECK(site.emitted("svc_payment_completed") == 1);
    });
}

TEST_CASE("a process that dies between charge and record leaves the record to the next who asks") {
    each_paying_site([](PayingSite& site) {
        for (int k = 1;; ++k) {
            CAPTURE(k);
            const auto made = site.priced_booking();
            const std::string charge = site.begun(made.id);
            const auto before = site.emitted("svc_payment_completed");
            bool answered = false;
            // From the moment the provider has charged, the k-th statement is the last.
            site.gateway->on_confirm = [&](const payment::Inquiry& inquiry) -> Result<Charge> {
                site.store.reset();
                site.store.fail_statement(k);
                answered = true;
                return ScriptedGateway::paid(inquiry);
            };
            bool done = false;
            try {
                done = static_cast<bool>(site.confirm(made.id, charge));
            } catch (const store::Unavailable&) {
            }
            site.store.reset();
            site.gateway->on_confirm = nullptr;
            REQUIRE(answered);
            if (done) {
                CHECK(k > 10);
                break;
            }
            CHECK(site.state_of(made.id) == "pending pending 0.00");
            site.clock.advance(std::chrono::minutes(11));
            CHECK(site.checkout.reconcile(site.clock.now()));
            CHECK(site.state_of(made.id) == "confirmed paid 80.00");
            CHECK(site.emitted("svc_payment_completed") == before + 1);
        }
    });
}

TEST_CASE("money that comes after a booking has ended is kept, flagged and listed for refund") {
    each_paying_site([](PayingSite& site) {
        const auto trip = site.given_trip({.price = "80"});
        const auto departure = site.given_departure(trip.id, 3);
        const auto made = site.given_booking(trip.id);
        const std::string charge = site.begun(made.id);
        CHECK(site.to_status(made.id, "cancelled"));
        bool may_capture = true;
        site.gateway->on_confirm = [&](const payment::Inquiry& inquiry) -> Result<Charge> {
            may_capture = inquiry.may_capture;
            return ScriptedGateway::paid(inquiry);
        };
        CHECK(site.confirm(made.id, charge)->progress == payment::Progress::paid);
        CHECK_FALSE(may_capture);
        CHECK(site.state_of(made.id) == "cancelled paid 80.00");
        CHECK(site.booking_of(made.id).attention_reason == "paid while cancelled");
        CHECK(site.seats_of(departure) == 0);
        CHECK(site.with("payments", "reconciliation = 'refund_due'") == 1);
        const auto counts = site.real->reading<json::Value>(
            [](store::Session& session) { return payment::Repository::counts(session); });
        CHECK(counts["refund_due"].integer() == 1);
        CHECK(site.emitted("svc_booking_confirmed") == 0);
    });
}

TEST_CASE("a booking paid twice is flagged as overpaid, and the second payment is listed for refund") {
    each_paying_site([](PayingSite& site) {
        const auto made = site.priced_booking();
        const std::string charge = site.begun(made.id);
        CHECK(site.pay(made.id, "80"));
        CHECK(site.confirm(made.id, charge)->progress == payment::Progress::paid);
        CHECK(site.booking_of(made.id).attention_reason == "overpaid");
        CHECK(site.with("payments", "reconciliation = 'refund_due' AND source = 'gateway'") == 1);
    });
}

TEST_CASE("bookings that hold money to be sent back are a list of their own, until it is sent back") {
    each_paying_site([](PayingSite& site) {
        const auto listed = [&](booking::Filter filter) {
            std::string ids;
            const auto found = site.bookings.lists.list(filter, {.ascending = true, .order_by = "created_at"});
            for (const auto& one : found.bookings)
                ids += std::to_string(one.id) + " ";
            CHECK(found.total == static_cast<std::int64_t>(found.bookings.size()));
            return ids;
        };
        const auto due = [&] { return listed({.refund_due = true}); };
        const auto counted = [&](const char* name) { return site.bookings.lists.stats({})[name].integer(); };
        const auto plain = site.priced_booking(), late = site.priced_booking(), twice = site.priced_booking(),
                   dear = site.priced_booking();
        CHECK(site.pay(plain.id, "80"));
        CHECK(site.to_status(plain.id, "cancelled"));  // paid before: what is kept of it is for the policy to say
        CHECK(due().empty());
        CHECK(counted("refund_due") == 0);

        const std::string of_late = site.begun(late.id), of_twice = site.begun(twice.id);
        CHECK(site.to_status(late.id, "cancelled"));
        const auto came = site.confirm(late.id, of_late);
        REQUIRE(came);
        CHECK(site.pay(twice.id, "80"));
        CHECK(site.confirm(twice.id, of_twice));
        CHECK(site.pay(dear.id, "100"));
        const auto id = [](const booking::Booking& one) { return std::to_string(one.id) + " "; };
        CHECK(due() == id(late) + id(twice) + id(dear));
        CHECK(listed({.status = "cancelled", .refund_due = true}) == id(late));
        CHECK(listed({.search = late.reference, .refund_due = true}) == id(late));
        CHECK(listed({.needs_attention = true}) == id(late) + id(twice) + id(dear));
        CHECK(counted("refund_due") == 3);
        CHECK(counted("needs_attention") == 3);

        CHECK(site.refunds.refund({.payment_id = came->payment->id}));
        CHECK(due() == id(twice) + id(dear));
        CHECK(counted("refund_due") == 2);
    });
}

TEST_CASE("money that came unasked is none to be sent back once the booking wants it") {
    each_paying_site([](PayingSite& site) {
        const auto due = [&] { return site.with("payments", "reconciliation = 'refund_due'"); };
        // 50 in cash while a charge of 80 was under way: 130 of 80.
        const auto overpaid = [&] {
            const auto made = site.priced_booking();
            const std::string charge = site.begun(made.id);
            const auto cash = site.pay(made.id, "50").value().id;
            const auto came = site.confirm(made.id, charge)->payment->id;
            CHECK(due() == 1);
            return std::tuple(made.id, cash, came);
        };
        const auto [first, first_cash, first_charge] = overpaid();
        CHECK(site.refunds.refund({.payment_id = first_charge, .amount = "20"}));
        CHECK(due() == 1);
        CHECK(site.refunds.refund({.payment_id = first_charge, .amount = "30"}));
        CHECK(due() == 0);
        CHECK(site.state_of(first) == "confirmed paid 80.00");
        const auto [second, second_cash, second_charge] = overpaid();
        CHECK(site.payments.remove(second_cash));
        CHECK(due() == 0);
        const auto [third, third_cash, third_charge] = overpaid();
        CHECK(site.bookings.desk.edit(third, {.total = "130"}, site.staff));
        CHECK(due() == 0);

        const auto late = site.priced_booking();
        const std::string charge = site.begun(late.id);
        CHECK(site.to_status(late.id, "cancelled"));
        CHECK(site.confirm(late.id, charge));
        CHECK(due() == 1);
        CHECK(site.booking_of(late.id).needs_attention);
        CHECK(site.to_status(late.id, "pending"));
        CHECK(due() == 0);
        CHECK_FALSE(site.booking_of(late.id).needs_attention);
    });
}

TEST_CASE("the way back from a provider believes nothing but the provider") {
    each_paying_site([](PayingSite& site) {
        const auto made = site.priced_booking();
        site.begun(made.id);
        const std::string key = site.gateway->keys.at(0);
        const std::string page = "https://site.example/book/confirmation/" + made.reference;
        site.gateway->on_confirm = [](const payment::Inquiry&) -> Result<Charge> { return errc::upstream_error; };
        CHECK(site.checkout.confirmations.returned("scripted", {.key = key}).value() == page + "?payment=pending");
        site.gateway->on_confirm = [](const payment::Inquiry&) -> Result<Charge> {
            return Charge{.progress = payment::Progress::failed};
        };
        CHECK(site.checkout.confirmations.returned("scripted", {.key = key, .cancelled = true}).value() ==
              page + "?payment=failed");
        CHECK(site.checkout.confirmations.returned("scripted", {.key = key}).value() == page + "?payment=failed");
        site.gateway->on_confirm = nullptr;
        CHECK(site.checkout.confirmations.returned("scripted", {.key = key}).value() == page + "?payment=success");
        CHECK(site.checkout.confirmations.returned("scripted", {.key = "guess"}).value().ends_with("?payment=failed"));
        CHECK(site.checkout.confirmations.returned("pay_later", {.key = key}).value().ends_with("?payment=failed"));
        CHECK(code_of(site.checkout.confirmations.returned("nobody", {.key = key})) == "invalid_gateway");
        CHECK(site.state_of(made.id) == "confirmed paid 80.00");
    });
}
