// Money that goes back: never more than came, once, and the sums follow.
#include "tests/base/sales/payment/paying_site.hpp"

using namespace svc;
using namespace svc::tests;
using payment::Refund;

TEST_CASE("a payment goes back in parts until it is refunded, and the sums follow each") {
    each_paying_site([](PayingSite& site) {
        const auto made = site.priced_booking();
        const auto paid = site.paid_payment(made.id);
        const auto part =
            site.refunds.refund({.payment_id = paid.id, .amount = "27.71", .reason = "rain", .reduces_total = false});
        REQUIRE(part);
        CHECK(part->status == "completed");
        CHECK(part->reference() == "CN-000001");
        CHECK(site.state_of(made.id) == "confirmed partial 52.29");
        CHECK(site.booking_of(made.id).amount_due().decimal() == "27.71");
        for (const char* amount : {"0", "-1", "52.30", "x"})
            CHECK(code_of(site.refunds.refund({.payment_id = paid.id, .amount = amount})) == "svc_validation_error");
        CHECK(site.refunds.refund({.payment_id = paid.id, .reduces_total = false}));
        CHECK(site.state_of(made.id) == "confirmed refunded 0.00");
        CHECK(site.booking_of(made.id).amount_due().decimal() == "80.00");
        CHECK(site.payments.find(paid.id)->status == "refunded");
        CHECK(code_of(site.refunds.refund({.payment_id = paid.id})) == "svc_invalid_transition");
        CHECK(code_of(site.payments.update(paid.id, {.status = "completed"}, 0)) == "svc_invalid_transition");
        CHECK(code_of(site.payments.remove(paid.id)) == "svc_conflict");
        CHECK(site.gateway->refunds == 2);
        CHECK(site.rows("refunds") == 2);
    });
}

TEST_CASE("a booking ends as refunded when all was refunded and staff chose it, and its seats are free") {
    each_paying_site([](PayingSite& site) {
        const auto trip = site.given_trip({.price = "80"});
        const auto departure = site.given_departure(trip.id, 3);
        const auto made = site.given_booking(trip.id);
        const auto paid = site.paid_payment(made.id);
        CHECK(site.refunds.refund({.payment_id = paid.id, .amount = "10", .close = true}));
        CHECK(site.booking_of(made.id).status == "confirmed");
        CHECK(site.refunds.refund({.payment_id = paid.id, .close = true}));
        CHECK(site.state_of(made.id) == "refunded refunded 0.00");
        CHECK(site.seats_of(departure) == 0);
    });
}

TEST_CASE("what our staff recorded or send back by hand asks no gateway") {
    each_paying_site([](PayingSite& site) {
        const auto made = site.priced_booking();
        const auto cash = site.pay(made.id, "30").value();
        const auto pending = site.pay(made.id, "1", "pending").value();
        CHECK(site.refunds.refund({.payment_id = cash.id, .amount = "5"})->by_hand);
        CHECK(code_of(site.refunds.refund({.payment_id = pending.id})) == "svc_invalid_transition");
        CHECK(code_of(site.refunds.refund({.payment_id = 9999})) == "payment_not_found");
        CHECK(code_of(site.payments.update(cash.id, {.status = "cancelled"}, 0)) == "svc_conflict");
        CHECK(code_of(site.payments.update(cash.id, {.amount = "4"}, 0)) == "svc_validation_error");
        const auto paid = site.paid_payment(made.id);
        CHECK(site.refunds.refund({.payment_id = paid.id, .amount = "1", .by_hand = true})->status == "completed");
        CHECK(site.gateway->refunds == 0);
        CHECK(site.booking_of(made.id).amount_paid.decimal() == "74.00");
    });
}

TEST_CASE("a refund the provider did not answer stays pending and is asked again under its key, once in effect") {
    each_paying_site([](PayingSite& site) {
        const auto made = site.priced_booking();
        const auto paid = site.paid_payment(made.id);
        std::vector<std::string> keys;
        site.gateway->on_refund = [&](const payment::RefundRequest& wanted) -> Result<Refund> {
            keys.push_back(wanted.key);
            if (keys.size() < 3)
                return errc::upstream_error;
            return Refund{.progress = payment::Progress::paid, .id = "re_1", .amount = wanted.amount};
        };
        CHECK(site.refunds.refund({.payment_id = paid.id, .amount = "50"})->status == "pending");
        CHECK(site.state_of(made.id) == "confirmed paid 80.00");
        // An amount that is being refunded cannot be refunded again.
        CHECK(code_of(site.refunds.refund({.payment_id = paid.id, .amount = "30.01"})) == "svc_validation_error");
        for (int turn = 0; turn < 4; ++turn) {
            site.clock.advance(std::chrono::hours(1));
            CHECK(site.checkout.reconcile(site.clock.now()));
        }
        REQUIRE(keys.size() == 3);
        CHECK(keys[0] == keys[2]);
        CHECK(site.state_of(made.id) == "confirmed paid 30.00");
        CHECK(site.rows("refunds") == 1);
    });
}

TEST_CASE("a refund the provider refuses changes nothing but its own row") {
    each_paying_site([](PayingSite& site) {
        const auto made = site.priced_booking();
        const auto paid = site.paid_payment(made.id);
        site.gateway->on_refund = [](const payment::RefundRequest&) -> Result<Refund> {
            return Error(errc::payment_error, "Too old to refund."_sentence);
        };
        const auto refused = site.refunds.refund({.payment_id = paid.id});
        REQUIRE(refused);
        CHECK(refused->status == "failed");
        CHECK(refused->last_error == "Too old to refund.");
        CHECK(site.state_of(made.id) == "confirmed paid 80.00");
        site.gateway->on_refund = nullptr;
        CHECK(site.refunds.refund({.payment_id = paid.id})->status == "completed");
    });
}

TEST_CASE("an amount that is mended stays above what was refunded of it: the whole goes back by refunds alone") {
    each_paying_site([](PayingSite& site) {
        const auto made = site.priced_booking();
        const auto paid = site.pay(made.id, "40").value();
        REQUIRE(site.refunds.refund({.payment_id = paid.id, .amount = "15", .by_hand = true}));
        for (const char* amount : {"14.99", "15"})
            CHECK(code_of(site.payments.update(paid.id, {.amount = amount}, 0)) == "svc_validation_error");
        CHECK(site.payments.update(paid.id, {.amount = "15.01"}, 0)->status == "completed");
        CHECK(site.booking_of(made.id).amount_paid.decimal() == "0.01");
        REQUIRE(site.refunds.refund({.payment_id = paid.id, .by_hand = true}));
        CHECK(site.payments.update(paid.id, {.amount = "15.01", .notes = "seen"}, 0)->status == "refunded");
    });
}

TEST_CASE("the provider's report of a refund is matched with ours, whichever comes first") {
    each_paying_site([](PayingSite& site) {
        const auto made = site.priced_booking();
        const auto paid = site.paid_payment(made.id);
        const std::string charge = paid.transaction_id->substr(3);
        int told = 0;
        const auto tell = [&](std::int64_t minor, const char* refund, std::optional<std::int64_t> total = {}) {
            json::Value event = PayingSite::event(("evt_" + std::to_string(++told)).c_str(), "refunded", charge, minor);
            event.set("refund", refund);
            if (total)
                event.set("total", *total);
            CHECK(site.tell(event));
        };
        // The event while our own call is still under way.
        site.gateway->on_refund = [&](const payment::RefundRequest& wanted) -> Result<Refund> {
            tell(1000, "re_1");
            return Refund{.progress = payment::Progress::paid, .id = "re_1", .amount = wanted.amount};
        };
        CHECK(site.refunds.refund({.payment_id = paid.id, .amount = "10"})->status == "completed");
        tell(1000, "re_1");  // and again
        tell(500, "re_2");   // made at the provider
        tell(0, "", 1500);   // a total that says nothing new
        tell(0, "", 2000);   // and one that does
        CHECK(site.state_of(made.id) == "confirmed paid 60.00");
        CHECK(site.rows("refunds") == 3);
        tell(7000, "re_3");  // more than was paid: a person looks
        CHECK(site.state_of(made.id) == "confirmed paid 60.00");
        CHECK(site.with("gateway_events", "status = 'parked'") == 1);
    });
}

TEST_CASE("a refund that staff recorded by hand is matched with the provider's event, once") {
    each_paying_site([](PayingSite& site) {
        const auto made = site.priced_booking();
        const auto paid = site.paid_payment(made.id);
        REQUIRE(site.refunds.refund({.payment_id = paid.id, .amount = "30", .by_hand = true}));
        const auto told = [&](const char* id, const char* refund, std::int64_t minor,
                              std::optional<std::int64_t> total) {
            return site.tell(json::Value::object({{"id", id},
                                                  {"type", "refunded"},
                                                  {"transaction", paid.transaction_id},
                                                  {"refund", refund},
                                                  {"minor", minor},
                                                  {"total", total}}));
        };
        CHECK(told("ev_1", "RF1", 3000, 3000));
        CHECK(told("ev_2", "RF1", 3000, 3000));  // the same refund in another event
        CHECK(site.state_of(made.id) == "confirmed paid 50.00");
        CHECK(site.rows("refunds") == 1);
        CHECK(told("ev_3", "RF2", 3000, 6000));  // another one, of as much
        CHECK(site.state_of(made.id) == "confirmed paid 20.00");
        REQUIRE(site.refunds.refund({.payment_id = paid.id, .by_hand = true}));
        CHECK(told("ev_4", "RF3", 2000, {}));  // of all that was left, and no total told
        CHECK(site.state_of(made.id) == "confirmed refunded 0.00");
        CHECK(site.rows("refunds") == 3);
        CHECK(site.with("refunds", "gateway_refund_id IS NULL") == 0);
    });
}

TEST_CASE("a total that overtakes our own refund counts it once, whichever way that ends") {
    each_paying_site([](PayingSite& site) {
        for (const bool succeeds : {true, false}) {
            CAPTURE(succeeds);
            const auto made = site.priced_booking("200");
            const auto paid = site.paid_payment(made.id);
            const std::string charge = paid.transaction_id->substr(3);
            const auto tell = [&](std::int64_t total) {
                static int told = 0;
                json::Value event =
                    PayingSite::event(("total_" + std::to_string(++told)).c_str(), "refunded", charge, 0);
                event.erase("minor");
                event.set("total", total);
                CHECK(site.tell(event));
            };
            site.gateway->on_refund = [&](const payment::RefundRequest&) -> Result<Refund> {
                return Refund{.progress = payment::Progress::processing, .id = "re_" + charge};
            };
            const auto ours = site.refunds.refund({.payment_id = paid.id, .amount = "50"});
            REQUIRE(ours);
            CHECK(ours->status == "pending");
            tell(8000);  // ours, and 30 sent back at the provider
            tell(5000);
            tell(8000 - 1);
            CHECK(site.booking_of(made.id).amount_paid.decimal() == "170.00");
            site.gateway->on_refund = [&](const payment::RefundRequest& wanted) -> Result<Refund> {
                return Refund{.progress = succeeds ? payment::Progress::paid : payment::Progress::failed,
                              .id = "re_" + charge,
                              .amount = wanted.amount};
            };
            site.clock.advance(std::chrono::hours(1));
            CHECK(site.checkout.reconcile(site.clock.now()));
            CHECK(site.booking_of(made.id).amount_paid.decimal() == "120.00");
            tell(8000);
            CHECK(site.booking_of(made.id).amount_paid.decimal() == "120.00");
            api::Caller staff = signed_in(900);
            staff.capabilities = {"manage_options"};
            const auto rows = site.refunds.of_payment(paid.id, staff).value();
            REQUIRE(rows.size() == (succeeds ? 2 : 3));
            CHECK(rows[0].gateway_refund_id == "re_" + charge);
            CHECK(rows[0].status == (succeeds ? "completed" : "failed"));
            CHECK(rows[0].last_error == (succeeds ? "" : "The provider rejected the refund."));
        }
    });
}

TEST_CASE("a late payment is due for refund until it is refunded, and staff are notified of it") {
    each_paying_site([](PayingSite& site) {
        const auto made = site.priced_booking();
        REQUIRE(site.to_status(made.id, "cancelled"));
        const auto cash = site.pay(made.id, "30").value();
        CHECK(cash.reconciliation == "refund_due");
        CHECK(site.booking_of(made.id).needs_attention);
        CHECK(site.refunds.refund({.payment_id = cash.id, .amount = "10"}));
        CHECK(site.payments.find(cash.id)->reconciliation == "refund_due");
        CHECK(site.refunds.refund({.payment_id = cash.id}));
        CHECK(site.payments.find(cash.id)->reconciliation == "manual");
        // More than the balance of a live booking is the staff's own doing.
        const auto live = site.priced_booking();
        CHECK(site.pay(live.id, "90")->reconciliation == "manual");
    });
}

TEST_CASE("money that went back is not owed again: the total goes down with it, unless staff say that it stays") {
    each_paying_site([](PayingSite& site) {
        const auto made = site.priced_booking("100");
        const auto paid = site.paid_payment(made.id);
        const auto back = site.refunds.refund({.payment_id = paid.id, .amount = "30"}).value();
        CHECK(back.reduces_total);
        CHECK(back.total_reduced.decimal() == "30.00");
        CHECK(site.state_of(made.id) == "confirmed paid 70.00");
        CHECK(site.booking_of(made.id).total.decimal() == "70.00");
        CHECK(site.booking_of(made.id).amount_due().is_zero());
        CHECK(code_of(site.offer(made.id)) == "already_paid");
        CHECK(code_of(site.checkout.balances.open(made.id)) == "no_balance_due");
        const auto kept = site.refunds.refund({.payment_id = paid.id, .amount = "20", .reduces_total = false}).value();
        CHECK(kept.total_reduced.is_zero());
        CHECK(site.state_of(made.id) == "confirmed partial 50.00");
        CHECK(site.booking_of(made.id).amount_due().decimal() == "20.00");
        CHECK(site.offer(made.id)->amount.decimal() == "20.00");
        // All of the rest: nothing is paid and nothing is owed but what was left open.
        REQUIRE(site.refunds.refund({.payment_id = paid.id}));
        CHECK(site.state_of(made.id) == "confirmed refunded 0.00");
        CHECK(site.booking_of(made.id).total.decimal() == "20.00");
        CHECK(site.emitted("svc_credit_note_due") == 3);
    });
}

TEST_CASE("all of a payment that goes back leaves nothing to pay, and the booking is refunded, not paid") {
    each_paying_site([](PayingSite& site) {
        const auto made = site.priced_booking();
        const auto paid = site.paid_payment(made.id);
        REQUIRE(site.refunds.refund({.payment_id = paid.id}));
        CHECK(site.state_of(made.id) == "confirmed refunded 0.00");
        CHECK(site.booking_of(made.id).total.is_zero());
        CHECK(code_of(site.offer(made.id)) == "already_paid");
    });
}

TEST_CASE("money above the total and money of a booking that has ended go back without a change of the total") {
    each_paying_site([](PayingSite& site) {
        const auto overpaid = site.priced_booking();
        const auto cash = site.pay(overpaid.id, "100").value();
        REQUIRE(site.refunds.refund({.payment_id = cash.id, .amount = "25"}));
        CHECK(site.booking_of(overpaid.id).total.decimal() == "75.00");  // 20 of it were never owed
        CHECK(site.state_of(overpaid.id).ends_with(" paid 75.00"));
        const auto ended = site.priced_booking();
        const auto paid = site.paid_payment(ended.id);
        REQUIRE(site.to_status(ended.id, "cancelled"));
        REQUIRE(site.refunds.refund({.payment_id = paid.id}));
        CHECK(site.booking_of(ended.id).total.decimal() == "80.00");
    });
}

TEST_CASE("a refund that fails leaves the total as it was, and one the provider reports lowers it") {
    each_paying_site([](PayingSite& site) {
        const auto made = site.priced_booking();
        const auto paid = site.paid_payment(made.id);
        site.gateway->on_refund = [](const payment::RefundRequest&) -> Result<Refund> { return errc::payment_error; };
        CHECK(site.refunds.refund({.payment_id = paid.id, .amount = "30"})->status == "failed");
        CHECK(site.booking_of(made.id).total.decimal() == "80.00");
        CHECK(site.emitted("svc_credit_note_due") == 0);
        CHECK(site.tell(json::Value::object({{"id", "ev_1"},
                                             {"type", "refunded"},
                                             {"transaction", paid.transaction_id},
                                             {"refund", "RF1"},
                                             {"minor", 3000}})));
        CHECK(site.booking_of(made.id).total.decimal() == "50.00");
        CHECK(site.state_of(made.id) == "confirmed paid 50.00");
    });
}
