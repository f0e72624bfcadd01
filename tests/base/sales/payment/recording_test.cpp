// Payments recorded by staff: what they do to their booking, once, whatever order they come in.
#include <future>
#include <thread>

#include "base/sales/payment/record/wire.hpp"
#include "tests/base/sales/payment/paying_site.hpp"

using namespace svc;
using namespace svc::tests;

namespace {

// On 80.00 by default.
booking::Booking given_booking(BookingSite& site, const char* price = "80") {
    return site.given_booking(site.given_trip({.price = price}).id);
}

}  // namespace

TEST_CASE("only completed payments count, and payment_status follows them") {
    each_booking_site([](BookingSite& site) {
        const auto made = given_booking(site);
        const auto state = [&] {
            const auto now = site.booking_of(made.id);
            return now.payment_status + " " + now.amount_paid.decimal() + " " + now.amount_due().decimal();
        };
        const auto failed = site.pay(made.id, "80", "failed");
        REQUIRE(failed);
        CHECK(state() == "failed 0.00 80.00");
        CHECK(site.emitted("svc_payment_failed") == 1);
        const auto pending = site.pay(made.id, "50", "pending");
        REQUIRE(pending);
        CHECK(state() == "pending 0.00 80.00");
        CHECK(site.pay(made.id, "30"));
        CHECK(state() == "partial 30.00 50.00");
        CHECK(site.payments.update(pending->id, {.status = "completed"}, 0));
        CHECK(state() == "paid 80.00 0.00");
        CHECK(site.emitted("svc_payment_status_changed") == 4);
        CHECK(site.payments.remove(pending->id));
        CHECK(state() == "partial 30.00 50.00");
        CHECK(site.emitted("svc_manual_payment_recorded") == 3);
    });
}

TEST_CASE("a payment emits each transition to completed once, and nothing when it is saved again") {
    each_booking_site([](BookingSite& site) {
        const auto made = given_booking(site);
        const auto paid = site.pay(made.id, "30").value();
        CHECK(site.payments.update(paid.id, {.status = "completed"}, 0));
        CHECK(site.payments.update(paid.id, {.notes = "seen"}, 0));
        CHECK(site.emitted("svc_payment_completed") == 1);
        CHECK(site.payments.update(paid.id, {.status = "pending"}, 0));
        CHECK(site.booking_of(made.id).needs_attention);
        CHECK(site.booking_of(made.id).payment_status == "pending");
        CHECK(site.payments.update(paid.id, {.status = "completed"}, 0));
        CHECK(site.emitted("svc_payment_completed") == 2);
        CHECK(site.booking_of(made.id).amount_paid.decimal() == "30.00");
    });
}

TEST_CASE("a payment's type follows from the order of completion, not of recording") {
    each_booking_site([](BookingSite& site) {
        const auto made = given_booking(site);
        const auto type = [&](std::int64_t id) { return site.payments.find(id).value().type; };
        const auto first = site.pay(made.id, "30", "pending").value(),
                   second = site.pay(made.id, "20", "pending").value(),
                   third = site.pay(made.id, "30", "pending").value();
        const auto complete = [&](std::int64_t id) {
            site.clock.advance(std::chrono::seconds(1));
            REQUIRE(site.payments.update(id, {.status = "completed"}, 0));
        };
        complete(third.id);
        CHECK(type(third.id) == "initial");
        complete(second.id);
        CHECK(type(second.id) == "partial");
        complete(first.id);
        CHECK(type(first.id) == "final");
        CHECK(type(third.id) == "initial");
        REQUIRE(site.payments.update(third.id, {.notes = "seen"}, 0));
        CHECK(type(third.id) == "initial");
        REQUIRE(site.payments.update(first.id, {.amount = "10"}, 0));
        CHECK(type(first.id) == "partial");
        // Taken back it was never completed; done after all, it is so from now on.
        REQUIRE(site.payments.update(first.id, {.status = "pending"}, 0));
        CHECK_FALSE(site.payments.find(first.id).value().processed_at);
        REQUIRE(site.payments.update(first.id, {.status = "completed"}, 0));
        CHECK(site.payments.find(first.id).value().processed_at);
    });
}

TEST_CASE("what a payment is among others follows when those before it, or the total, are others") {
    each_paying_site([](PayingSite& site) {
        const auto made = site.priced_booking();
        const auto types = [&] {
            std::string all;
            for (const payment::Payment& one : site.store.reading<std::vector<payment::Payment>>(
                     [&](store::Session& session) { return payment::Service::of_booking(session, made.id); }))
                all += (all.empty() ? "" : " ") + one.type;
            return all;
        };
        const auto pay = [&](const char* amount) {
            site.clock.advance(std::chrono::seconds(1));
            return site.pay(made.id, amount).value().id;
        };
        const auto first = pay("30"), second = pay("20");
        pay("30");
        CHECK(types() == "initial partial final");
        REQUIRE(site.payments.update(first, {.amount = "10"}, 0));
        CHECK(types() == "initial partial partial");
        CHECK(site.booking_of(made.id).payment_status == "partial");
        REQUIRE(site.payments.update(first, {.amount = "30"}, 0));
        CHECK(types() == "initial partial final");
        REQUIRE(site.refunds.refund({.payment_id = second, .amount = "5", .by_hand = true, .reduces_total = false}));
        CHECK(types() == "initial partial partial");
        pay("5");
        CHECK(types() == "initial partial partial final");
        REQUIRE(site.payments.update(first, {.status = "failed"}, 0));
        CHECK(types() == "initial initial partial partial");
        REQUIRE(site.payments.remove(first));
        CHECK(types() == "initial partial partial");
        // 50.00 are left of what came.
        REQUIRE(site.bookings.desk.edit(made.id, {.total = "50"}, site.staff));
        CHECK(types() == "initial partial final");
        REQUIRE(site.bookings.desk.edit(made.id, {.total = "60"}, site.staff));
        CHECK(types() == "initial partial partial");
        CHECK(site.emitted("svc_payment_completed") == 4);
    });
}

TEST_CASE("staff say what a payment is to be until it is completed; a currency's code is told in any case") {
    each_booking_site([](BookingSite& site) {
        const auto made = given_booking(site);
        payment::Draft draft{.booking_id = made.id, .amount = "30", .currency = "usd", .gateway = "cash"};
        draft.type = "final";
        const auto waiting = site.payments.record(draft, 0);
        REQUIRE(waiting);
        CHECK(waiting->type == "final");
        CHECK(site.payments.update(waiting->id, {.type = "partial"}, 0)->type == "partial");
        CHECK(site.payments.update(waiting->id, {.status = "completed"}, 0)->type == "initial");
        CHECK(site.payments.update(waiting->id, {.type = "final"}, 0)->type == "initial");
        draft.status = "completed";
        draft.amount = "50";
        draft.type = "partial";
        CHECK(site.payments.record(draft, 0)->type == "final");
        draft.currency = "eur";
        CHECK(code_of(site.payments.record(draft, 0)) == "svc_validation_error");
    });
}

TEST_CASE("a transaction belongs to one payment") {
    each_booking_site([](BookingSite& site) {
        const auto first = given_booking(site);
        const auto second = given_booking(site);
        CHECK(site.pay(first.id, "30", "completed", "T-1"));
        CHECK(code_of(site.pay(first.id, "30", "completed", "T-1")) == "duplicate_transaction");
        CHECK(code_of(site.pay(second.id, "30", "completed", "T-1")) == "transaction_mismatch");
        const auto other = site.pay(second.id, "30", "completed", "T-2").value();
        CHECK(code_of(site.payments.update(other.id, {.transaction_id = "T-1"}, 0)) == "transaction_mismatch");
        CHECK(site.payments.update(other.id, {.transaction_id = "T-2"}, 0));
        CHECK(site.booking_of(first.id).amount_paid.decimal() == "30.00");
        CHECK(site.pay(first.id, "1", "completed", ""));
        CHECK(site.pay(first.id, "1", "completed", ""));  // without a transaction there is nothing to compare
    });
}

TEST_CASE("money for a cancelled booking is kept and shown to a person, and brings nothing back") {
    each_booking_site([](BookingSite& site) {
        const auto trip = site.given_trip({.price = "80"});
        const auto departure = site.given_departure(trip.id, 3);
        site.set("auto_confirm_mode", "all");
        const auto made = site.given_booking(trip.id);
        const auto told = site.emitted("svc_booking_confirmed");
        for (const char* ended : {"cancelled", "failed", "refunded"}) {
            CAPTURE(ended);
            CHECK(site.to_status(made.id, ended));
            CHECK(site.pay(made.id, "10"));
            const auto after = site.booking_of(made.id);
            CHECK(after.status == ended);
            CHECK(after.needs_attention);
            CHECK(after.attention_reason == "paid while " + std::string(ended));
        }
        CHECK(site.booking_of(made.id).amount_paid.decimal() == "30.00");
        CHECK(site.seats_of(departure) == 0);
        CHECK(site.emitted("svc_booking_confirmed") == told);
        CHECK(site.emitted("svc_payment_completed") == 3);
    });
}

TEST_CASE("a change of a payment that waits for its booking is judged by what is there when it goes on") {
    each_booking_site([](BookingSite& site) {
        // The change begins while another transaction holds the booking, and goes on when that is done.
        const auto meanwhile = [&](std::int64_t booking, const auto& deed, const auto& change) {
            std::promise<void> holds;
            std::thread holder([&] {
                CHECK(site.store.write([&](store::Transaction& tx) -> Result<void> {
                    CHECK(booking::Repository::lock(tx, booking));
                    holds.set_value();
                    std::this_thread::sleep_for(std::chrono::milliseconds(200));
                    deed(tx);
                    return {};
                }));
            });
            holds.get_future().wait();
            const auto told = code_of(change());
            holder.join();
            return told;
        };
        const auto made = given_booking(site);
        const auto open = site.pay(made.id, "80", "pending").value();
        site.leaves_what_holds = false;  // of what is captured by hand nothing else is told
        const auto captured = [&](store::Transaction& tx) {
            tx.run("UPDATE svc_payments SET status = 'completed', source = 'gateway' WHERE id = :id",
                   {{"id", open.id}});
        };
        CHECK(meanwhile(made.id, captured, [&] { return site.payments.remove(open.id); }) == "svc_conflict");
        for (const bool deletes : {true, false}) {
            const auto doomed = given_booking(site);
            const auto payment = site.pay(doomed.id, "80", "pending").value().id;
            const auto removed = [&](store::Transaction& tx) {
                tx.run("DELETE FROM svc_payments WHERE id = :id", {{"id", payment}});
                availability::Seats::forget(tx, doomed.id);
                booking::Repository::remove(tx, doomed.id);
            };
            const auto change = [&]() -> Result<void> {
                if (deletes)
                    return site.payments.remove(payment);
                const auto updated = site.payments.update(payment, {.status = "completed"}, 0);
                return updated ? Result<void>() : Result<void>(updated.error());
            };
            CHECK(meanwhile(doomed.id, removed, change) == "payment_not_found");
        }
    });
}

TEST_CASE("more than the total is taken and shown to a person, also when an amount is mended") {
    each_booking_site([](BookingSite& site) {
        const auto made = given_booking(site);
        CHECK(site.pay(made.id, "80.01"));
        CHECK(site.booking_of(made.id).attention_reason == "overpaid");
        CHECK(site.booking_of(made.id).payment_status == "paid");
        CHECK(site.booking_of(made.id).amount_due().is_zero());

        const auto mended = given_booking(site);
        const auto paid = site.pay(mended.id, "80").value();
        CHECK_FALSE(site.booking_of(mended.id).needs_attention);
        CHECK(site.payments.update(paid.id, {.amount = "800"}, 0));
        CHECK(site.booking_of(mended.id).attention_reason == "overpaid");
    });
}

TEST_CASE("a record that is sent back as it was read changes nothing but what was written into it") {
    each_booking_site([](BookingSite& site) {
        const auto made = given_booking(site);
        const auto paid = site.pay(made.id, "80").value();
        const auto as_read = [&](const char* notes) {
            const auto now = site.payments.find(paid.id).value();
            return payment::Draft{.amount = now.amount.decimal(),
                                  .currency = std::string(now.amount.currency().code()),
                                  .gateway = now.gateway,
                                  .transaction_id = now.transaction_id.value_or(""),
                                  .status = now.status,
                                  .notes = notes,
                                  .date = now.date};
        };
        const auto change = [&](std::string_view what) {
            REQUIRE(site.real->write([&](store::Transaction& tx) -> Result<void> {
                tx.run(what, {});
                return {};
            }));
        };
        site.leaves_what_holds = false;  // of what is refunded by hand there is no refund
        change("UPDATE svc_payments SET source = 'gateway'");
        CHECK(site.payments.update(paid.id, as_read("memo"), 0).value().notes == "memo");
        auto other = as_read("more");
        other.amount = "79";
        CHECK(code_of(site.payments.update(paid.id, other, 0)) == "svc_conflict");
        other = as_read("more");
        other.gateway = "cheque";
        CHECK(code_of(site.payments.update(paid.id, other, 0)) == "svc_conflict");
        other = as_read("more");
        other.transaction_id = "another";
        CHECK(code_of(site.payments.update(paid.id, other, 0)) == "svc_conflict");
        change("UPDATE svc_payments SET status = 'refunded', refunded_minor = amount_minor");
        CHECK(site.payments.update(paid.id, as_read("sent back"), 0).value().notes == "sent back");
        other = as_read("more");
        other.gateway = "cheque";
        CHECK(code_of(site.payments.update(paid.id, other, 0)) == "svc_conflict");
        CHECK(site.payments.find(paid.id).value().status == "refunded");
        CHECK(site.emitted("svc_payment_completed") == 1);
    });
}

TEST_CASE("a note on what was paid before a cancellation makes it no money to be sent back") {
    each_booking_site([](BookingSite& site) {
        const auto made = given_booking(site);
        const auto paid = site.pay(made.id, "80").value();
        CHECK(site.to_status(made.id, "cancelled"));
        CHECK(site.payments.update(paid.id, {.notes = "memo"}, 0).value().reconciliation == "manual");
        CHECK(site.pay(made.id, "5").value().reconciliation == "refund_due");
    });
}

TEST_CASE("what staff record confirms under mode all alone, unless a listener has another word") {
    each_booking_site([](BookingSite& site) {
        std::optional<bool> word;
        json::Array asked;
        REQUIRE(site.hooks.filter("svc_confirm_booking_on_payment", {.name = "test"},
                                  [&](store::Transaction*, const json::Array& arguments) {
                                      asked = arguments;
                                      return word ? json::Value(*word) : arguments[0];
                                  }));
        const auto status_after = [&](const char* mode, const char* amount, std::optional<bool> answer) {
            site.set("auto_confirm_mode", "none");
            word.reset();
            const auto made = given_booking(site);
            site.set("auto_confirm_mode", mode);
            word = answer;
            CHECK(site.pay(made.id, amount));
            return site.booking_of(made.id).status;
        };
        CHECK(status_after("none", "80", {}) == "pending");
        CHECK(status_after("online", "80", {}) == "pending");
        REQUIRE(asked.size() == 4);
        CHECK(asked[0] == json::Value(false));
        CHECK(asked[1] == json::Value(true));  // fully paid
        CHECK(asked[3] == json::Value(false));
        CHECK(status_after("all", "80", {}) == "confirmed");
        CHECK(status_after("all", "1", {}) == "confirmed");
        CHECK(asked[0] == json::Value(true));
        CHECK(asked[1] == json::Value(false));
        CHECK(asked[3] == json::Value(true));
        CHECK(status_after("none", "1", true) == "confirmed");
        CHECK(status_after("all", "80", false) == "pending");
        CHECK(site.emitted("svc_booking_confirmed") == 3);
    });
}

TEST_CASE("a payment leaves alone what a person has decided of the booking") {
    each_booking_site([](BookingSite& site) {
        const auto made = given_booking(site);
        site.set("auto_confirm_mode", "all");
        for (const char* decided : {"on-hold", "completed"}) {
            CHECK(site.to_status(made.id, decided));
            CHECK(site.pay(made.id, "1"));
            CHECK(site.booking_of(made.id).status == decided);
            CHECK_FALSE(site.booking_of(made.id).needs_attention);
        }
        CHECK(site.to_status(made.id, "processing"));
        CHECK(site.pay(made.id, "1"));
        CHECK(site.booking_of(made.id).status == "confirmed");
    });
}

TEST_CASE("what cannot be a payment is refused with its field, and nothing is written") {
    each_booking_site([](BookingSite& site) {
        const auto made = given_booking(site);
        const auto field_of = [](const Result<payment::Payment>& result) {
            return result || result.error().fields().empty() ? "" : result.error().fields()[0].field;
        };
        payment::Service& payments = site.payments;
        using payment::Draft;
        CHECK(field_of(payments.record(Draft{.booking_id = 9999, .amount = "1", .gateway = "cash"}, 0)) ==
              "booking_id");
        for (const char* amount : {"0", "-1", "0.001", "1e3", "x", ""})
            CHECK(field_of(payments.record(Draft{.booking_id = made.id, .amount = amount, .gateway = "cash"}, 0)) ==
                  "amount");
        CHECK(field_of(payments.record(Draft{.booking_id = made.id, .gateway = "cash"}, 0)) == "amount");
        CHECK(field_of(payments.record(Draft{.booking_id = made.id, .amount = "1"}, 0)) == "gateway");
        CHECK(field_of(payments.record(
                  Draft{.booking_id = made.id, .amount = "1", .currency = "EUR", .gateway = "cash"}, 0)) == "currency");
        for (const char* status : {"refunded", "partial", "paid"})
            CHECK(field_of(site.pay(made.id, "1", status)) == "status");
        for (const char* day : {"2027-01-11", "1999-12-31", "0001-01-01"})
            CHECK(field_of(payments.record(
                      Draft{.booking_id = made.id, .amount = "1", .gateway = "cash", .date = Date::parse(day)}, 0)) ==
                  "date");
        CHECK(site.number("SELECT COUNT(*) FROM svc_payments") == 0);
    });
}

TEST_CASE("whichever statement of a payment fails, sums and records go together") {
    each_booking_site([](BookingSite& site) {
        site.set("auto_confirm_mode", "none");
        const auto made = given_booking(site);
        site.set("auto_confirm_mode", "all");
        for (int k = 1;; ++k) {
            CAPTURE(k);
            site.store.reset();
            site.store.fail_statement(k);
            bool done = false;
            try {
                done = static_cast<bool>(site.pay(made.id, "80"));
            } catch (const store::Unavailable&) {
                done = false;
            }
            site.store.reset();
            if (done) {
                CHECK(k > 8);
                break;
            }
            CHECK(site.number("SELECT COUNT(*) FROM svc_payments") == 0);
            CHECK(site.booking_of(made.id).payment_status == "pending");
            CHECK(site.booking_of(made.id).status == "pending");
        }
        CHECK(site.booking_of(made.id).status == "confirmed");
        CHECK(site.emitted("svc_payment_completed") == 1);
    });
}

TEST_CASE("a payment by hand is of a gateway that there is, by either name, and keeps a label of its own") {
    each_booking_site([](BookingSite& site) {
        const auto made = given_booking(site);
        const auto record = [&](std::optional<std::string> gateway, std::optional<std::string> method,
                                std::optional<std::string> label = {}) {
            return site.payments.record({.booking_id = made.id,
                                         .amount = "1",
                                         .gateway = std::move(gateway),
                                         .method = std::move(method),
                                         .method_label = std::move(label)},
                                        0);
        };
        const auto field = [](const Result<payment::Payment>& refused) {
            return refused ? std::string() : refused.error().fields().at(0).field;
        };
        CHECK(field(record("barter", {})) == "gateway");
        CHECK(field(record({}, "barter")) == "method");
        CHECK(field(record("barter", "cash")) == "gateway");
        CHECK(field(record({}, {})) == "gateway");
        CHECK(field(record("Cash", {})) == "gateway");
        for (const char* known : {"pay_later", "cash", "cheque", "other", "card", "wallet", "regional"})
            CHECK(record(known, {})->gateway == known);
        const auto labelled = record("other", "Western Union").value();
        CHECK(labelled.gateway == "other");
        CHECK(labelled.method == "Western Union");
        CHECK(record("cash", "bar", "at the office")->method == "at the office");
        const auto wire = payment::to_json(labelled);
        CHECK(wire["method"].text() == "other");
        CHECK(wire["method_label"].text() == "Western Union");
        const auto by_method = record({}, "pay_later").value();
        CHECK(by_method.gateway == "pay_later");
        CHECK(by_method.method == "Pay later");

        const auto update = [&](payment::Draft draft) { return site.payments.update(labelled.id, draft, 0); };
        CHECK(update({.method = "Money order"})->gateway == "other");
        CHECK(update({.method = "Money order"})->method == "Money order");
        CHECK(field(update({.gateway = "barter"})) == "gateway");
        CHECK(update({.method = "cheque"})->gateway == "cheque");
        // A gateway that is gone stays in what was recorded by it.
        REQUIRE(site.real->write([&](store::Transaction& tx) -> Result<void> {
            tx.run("UPDATE svc_payments SET gateway = 'gone' WHERE id = :id", {{"id", labelled.id}});
            return {};
        }));
        CHECK(update({.gateway = "gone", .notes = "seen"})->gateway == "gone");
        CHECK(field(update({.gateway = "lost"})) == "gateway");
    });
}

TEST_CASE("what is paid with a booking is recorded, be its gateway none that we know") {
    each_booking_site([](BookingSite& site) {
        const auto made = given_booking(site);
        CHECK(code_of(site.bookings.desk.edit(made.id, {.gateway = "barter"}, site.staff)) == "invalid_gateway");
        execute(*site.real, {"UPDATE svc_bookings SET payment_gateway = 'barter'"});  // one that is gone since
        REQUIRE(site.bookings.desk.edit(made.id, {.payment_status = "paid"}, site.staff));
        CHECK(site.booking_of(made.id).payment_status == "paid");
        CHECK(site.number("SELECT COUNT(*) FROM svc_payments WHERE gateway = 'other'") == 1);
    });
}
