// Providers' events: applied once, in any order, and only if they fit a charge.
#include "tests/base/sales/payment/paying_site.hpp"

using namespace svc;
using namespace svc::tests;
using json::Value;
using payment::Charge;

TEST_CASE("an event takes effect once, and a forged one never") {
    each_paying_site([](PayingSite& site) {
        const auto made = site.priced_booking();
        const std::string charge = site.begun(made.id);
        const Value paid = PayingSite::event("evt_1", "paid", charge, 8000);
        for (const char* signature : {"", "forged"})
            CHECK(code_of(site.tell(paid, signature)) == "svc_webhook_rejected");
        CHECK(code_of(site.checkout.events.receive("nobody", {})) == "invalid_gateway");
        CHECK(code_of(site.checkout.events.receive("pay_later", {})) == "svc_webhook_rejected");
        CHECK(site.rows("gateway_events") == 0);
        CHECK(site.state_of(made.id) == "pending pending 0.00");
        CHECK_FALSE(site.tell(paid)->duplicate);
        CHECK(site.state_of(made.id) == "confirmed paid 80.00");
        CHECK(site.tell(paid)->duplicate);
        CHECK(site.confirm(made.id, charge)->repeated);
        CHECK_FALSE(site.tell(PayingSite::event("evt_2", "paid", charge, 8000))->duplicate);
        CHECK(site.rows("payments") == 1);
        CHECK(site.emitted("svc_payment_completed") == 1);
        CHECK(site.gateway->confirms == 0);
    });
}

TEST_CASE("an event's id with other content is an alarm and does nothing") {
    each_paying_site([](PayingSite& site) {
        const auto made = site.priced_booking();
        const std::string charge = site.begun(made.id);
        CHECK_FALSE(site.tell(PayingSite::event("evt_1", "ping", charge, 0))->duplicate);
        CHECK(site.with("gateway_events", "status = 'ignored'") == 1);
        CHECK(site.tell(PayingSite::event("evt_1", "paid", charge, 8000))->duplicate);
        CHECK(site.rows("payments") == 0);
        CHECK(site.metrics.text().find("outcome=\"altered\"") != std::string::npos);
    });
}

TEST_CASE("what does not fit its booking is parked for a person, and the provider is asked") {
    each_paying_site([](PayingSite& site) {
        const auto made = site.priced_booking();
        const std::string charge = site.begun(made.id);
        Value euros = PayingSite::event("e1", "paid", charge, 8000);
        euros.set("currency", "EUR");
        Value nameless = PayingSite::event("e2", "paid", charge, 8000);
        nameless.set("transaction", "");
        Value amountless = PayingSite::event("e3", "paid", charge, 8000);
        amountless.erase("minor");
        Value elsewhere = PayingSite::event("e4", "paid", charge, 8000);
        elsewhere.set("booking", made.id + 1);
        for (const Value& event :
             {euros, nameless, amountless, elsewhere, PayingSite::event("e5", "paid", charge, 7999),
              PayingSite::event("e6", "paid", charge, 8001), PayingSite::event("e7", "paid", "pi_unknown", 8000),
              PayingSite::event("e8", "failed", "pi_unknown", 0), PayingSite::event("e9", "refunded", charge, 100)}) {
            CAPTURE(event.text_or("id"));
            CHECK(site.tell(event));
            CHECK(site.with("gateway_events", "status = 'parked' AND event_id = '" + event.text_or("id") + "'") == 1);
        }
        CHECK(site.state_of(made.id) == "pending pending 0.00");
        CHECK_FALSE(site.booking_of(made.id).needs_attention);
        CHECK(site.woken == 5);
        // Its own word, server to server, is that less was captured: that much is stored.
        site.gateway->on_confirm = [](const payment::Inquiry& inquiry) -> Result<Charge> {
            Charge paid = ScriptedGateway::paid(inquiry);
            paid.amount = Money{7999, Currency::usd()};
            return paid;
        };
        CHECK(site.checkout.reconcile(site.clock.now()).value()["found_paid"].integer() == 1);
        CHECK(site.booking_of(made.id).amount_paid.decimal() == "79.99");
        CHECK(site.with("gateway_events", "status = 'processed' AND event_id = 'e5'") == 1);  // it had said so
        CHECK(site.with("gateway_events", "status = 'parked'") == 8);
    });
}

TEST_CASE("a failure on our side is the provider's to send again, and then it takes effect") {
    each_paying_site([](PayingSite& site) {
        int failures = 0;
        for (int k = 1;; ++k) {
            CAPTURE(k);
            const auto made = site.priced_booking();
            const std::string charge = site.begun(made.id);
            const Value paid = PayingSite::event(("evt_" + std::to_string(k)).c_str(), "paid", charge, 8000);
            site.store.reset();
            site.store.fail_statement(k);
            bool done = false;
            try {
                done = static_cast<bool>(site.tell(paid));
            } catch (const store::Unavailable&) {
                ++failures;
            }
            site.store.reset();
            if (done)
                break;
            CHECK(site.rows("payments") == k - 1);
            CHECK(site.state_of(made.id) == "pending pending 0.00");
            CHECK_FALSE(site.tell(paid)->duplicate);
            CHECK(site.state_of(made.id) == "confirmed paid 80.00");
            CHECK(site.tell(paid)->duplicate);
        }
        CHECK(failures > 12);
        CHECK(site.with("gateway_events", "status = 'failed'") == 0);
    });
}

TEST_CASE("a refund that is told before its payment ends as if it had come after") {
    each_paying_site([](PayingSite& site) {
        const auto refund = [](const std::string& charge) {
            Value event = PayingSite::event("evt_back", "refunded", charge, 1000);
            event.set("refund", "re_1");
            return event;
        };
        std::vector<std::string> ends;
        for (const bool in_order : {true, false}) {
            const auto made = site.priced_booking();
            const std::string charge = site.begun(made.id);
            Value paid = PayingSite::event(in_order ? "evt_a" : "evt_b", "paid", charge, 8000);
            Value back = refund(charge);
            back.set("id", in_order ? "evt_c" : "evt_d");
            back.set("refund", in_order ? "re_1" : "re_2");
            for (const Value& event : in_order ? std::vector{paid, back} : std::vector{back, paid})
                CHECK(site.tell(event));
            ends.push_back(site.state_of(made.id));
        }
        CHECK(ends[0] == "confirmed paid 70.00");
        CHECK(ends[1] == ends[0]);
        CHECK(site.with("refunds", "status = 'completed' AND source = 'gateway_event'") == 2);
        CHECK(site.with("gateway_events", "status = 'parked'") == 0);
    });
}

TEST_CASE("an old word about a charge does not undo a newer one") {
    each_paying_site([](PayingSite& site) {
        const auto made = site.priced_booking();
        const std::string charge = site.begun(made.id);
        CHECK(site.tell(PayingSite::event("e1", "paid", charge, 8000)));
        CHECK(site.tell(PayingSite::event("e2", "failed", charge, 0)));
        CHECK(site.tell(PayingSite::event("e3", "processing", charge, 0)));
        CHECK(site.woken == 0);
        CHECK(site.state_of(made.id) == "confirmed paid 80.00");
        CHECK(site.emitted("svc_payment_failed") == 0);
        CHECK(site.with("payment_intents", "status = 'succeeded'") == 1);
    });
}

TEST_CASE("an approval that nobody came back from is captured by asking") {
    each_paying_site([](PayingSite& site) {
        const auto made = site.priced_booking();
        const std::string charge = site.begun(made.id);
        CHECK(site.tell(PayingSite::event("e1", "processing", charge, 8000)));
        CHECK(site.woken == 1);
        CHECK(site.checkout.reconcile(site.clock.now()).value()["found_paid"].integer() == 1);
        CHECK(site.state_of(made.id) == "confirmed paid 80.00");
    });
}

TEST_CASE("equal declines are counted by their events or tries") {
    each_paying_site([](PayingSite& site) {
        const auto declined = [&](const std::string& charge, const char* event, const char* attempt) {
            Value told = PayingSite::event(event, "failed", charge, 0);
            told.set("reason", "Your card was declined.").set("transaction", attempt);
            REQUIRE(site.tell(told));
            return site.emitted("svc_payment_failed");
        };
        const auto made = site.priced_booking();
        const std::string charge = site.begun(made.id);
        CHECK(declined(charge, "e1", "") == 1);
        CHECK(declined(charge, "e1", "") == 1);
        CHECK(declined(charge, "e2", "") == 2);
        CHECK(declined(charge, "e3", charge.c_str()) == 3);  // the charge's name is no try's
        CHECK(declined(charge, "e4", charge.c_str()) == 4);
        CHECK(site.with("payments", "status = 'failed' AND notes = 'Your card was declined.'") == 4);

        // By the tries' names, whoever tells: two events of one are one decline.
        const std::string other = site.begun(site.priced_booking().id);
        CHECK(declined(other, "t1", "try_1") == 5);
        CHECK(declined(other, "t2", "try_2") == 6);
        CHECK(declined(other, "t3", "try_1") == 6);

        // The page told of it first, and of nothing else.
        const auto third = site.priced_booking();
        const std::string seen = site.begun(third.id);
        site.gateway->on_confirm = [](const payment::Inquiry&) -> Result<Charge> {
            return Charge{.progress = payment::Progress::failed, .reason = "Your card was declined."};
        };
        REQUIRE(site.confirm(third.id, seen));
        CHECK(site.emitted("svc_payment_failed") == 7);
        CHECK(declined(seen, "p1", "") == 7);
        CHECK(site.confirm(third.id, seen)->repeated);
        CHECK(declined(seen, "p2", "") == 8);
        CHECK(declined(seen, "p1", "") == 8);
    });
}
