// Methods that customers let us keep: by whom, for whom, and charges by them without the customer there.
#include "tests/base/sales/payment/paying_site.hpp"

using namespace svc;
using namespace svc::tests;
using payment::Charge;

namespace {

// Ada, signed in, has paid a booking by a card that she let us keep; a second booking of hers owes 80.00.
struct Customer {
    explicit Customer(PayingSite& at, bool allowed = true) : site(at), user(site.given_user("ada")) {
        site.set("allow_save_payment_methods", allowed);
        caller.kind = api::Caller::Kind::user;
        caller.user_id = user;
        caller.email = "ada@example.org";
        site.gateway->on_confirm = [](const payment::Inquiry& inquiry) -> Result<Charge> {
            Charge charge = ScriptedGateway::paid(inquiry);
            charge.saved = payment::SavedMethod{.customer = "cus_1",
                                                .method = "pm_1",
                                                .brand = "visa",
                                                .last4 = "4242",
                                                .exp_month = 12,
                                                .exp_year = 2030};
            return charge;
        };
        first = booked(caller).id;
        pay(first);
        owing = booked(caller).id;
    }
    booking::Booking booked(const api::Caller& by) {
        const auto trip = site.given_trip({.price = "80"}).id;
        return site.bookings.creator.create(site.open_session(trip, 1, by), BookingSite::wanted(), by, {})->booking;
    }
    void pay(std::int64_t booking) {
        const auto offer = site.checkout.offers.offer(
            {.gateway = "scripted", .booking_id = booking, .save_method = true, .is_proven = true});
        REQUIRE(offer);
        REQUIRE(site.confirm(booking, offer->page["payment_id"].text()));
    }
    std::int64_t method() { return site.checkout.saved.of_user(user).at(0).id; }
    Result<payment::Outcome> charge(const std::string& key, std::optional<Money> amount = {}) {
        return site.checkout.saved.charge({.booking_id = owing, .method_id = method(), .amount = amount, .key = key});
    }

    PayingSite& site;
    std::int64_t user, first = 0, owing = 0;
    api::Caller caller;
};

}  // namespace

TEST_CASE("a method is kept once, for a signed-in customer who agreed, where the operator allows it") {
    each_paying_site([](PayingSite& site) {
        Customer ada(site);
        const auto kept = site.checkout.saved.of_user(ada.user);
        REQUIRE(kept.size() == 1);
        CHECK(kept[0].method.last4 == "4242");
        CHECK(kept[0].is_default);
        // A guest has nowhere to take it away again.
        const auto guest = ada.booked({});
        CHECK(site.offer(guest.id)->intent->save_method == false);
        ada.pay(guest.id);
        CHECK(site.rows("saved_payment_methods") == 1);
    });
    each_paying_site([](PayingSite& site) {
        Customer ada(site, false);
        CHECK(site.checkout.saved.of_user(ada.user).empty());
    });
}

TEST_CASE("a listener has a method kept though the page did not ask for it, of who is signed in alone") {
    each_paying_site([](PayingSite& site) {
        std::vector<json::Array> asked;
        REQUIRE(site.hooks.filter("svc_pass_gateway_ids_for_scheduled_payments", {.name = "test"},
                                  [&](store::Transaction*, const json::Array& passed) -> json::Value {
                                      asked.push_back(passed);
                                      return true;
                                  }));
        Customer ada(site);
        CHECK(asked.empty());  // she has asked for it herself
        const auto offer =
            site.checkout.offers.offer({.gateway = "scripted", .booking_id = ada.owing, .is_proven = true});
        REQUIRE(offer);
        CHECK(offer->intent->save_method);
        REQUIRE(asked.size() == 1);
        CHECK(asked[0].at(0).boolean() == false);
        CHECK(asked[0].at(1).integer() == ada.owing);
        CHECK(asked[0].at(2).text() == "scripted");
        const auto guest = site.offer(ada.booked({}).id);
        CHECK(!guest->intent->save_method);
        CHECK(asked.size() == 1);
    });
}

TEST_CASE("a balance is charged by the saved method, once for a key, at most what is owed") {
    each_paying_site([](PayingSite& site) {
        Customer ada(site);
        for (const std::int64_t minor : {std::int64_t{0}, std::int64_t{-1}, std::int64_t{8001}})
            CHECK(code_of(ada.charge("none", Money{minor, Currency::usd()})) == "svc_validation_error");
        CHECK(site.gateway->saved_charges == 0);
        const auto part = ada.charge("part", Money{3000, Currency::usd()});
        REQUIRE(part);
        CHECK(site.state_of(ada.owing) == "pending partial 30.00");
        const auto again = ada.charge("part", Money{3000, Currency::usd()});
        REQUIRE(again);
        CHECK(again->repeated);
        CHECK(site.state_of(ada.owing) == "pending partial 30.00");
        REQUIRE(ada.charge("rest"));
        CHECK(site.state_of(ada.owing) == "confirmed paid 80.00");
        CHECK(code_of(ada.charge("more")) == "no_balance_due");
        CHECK(site.emitted("svc_payment_completed") == 3);
    });
}

TEST_CASE("a customer's method charges that customer's bookings alone, until it is taken away") {
    each_paying_site([](PayingSite& site) {
        Customer ada(site);
        const auto method = ada.method();
        auto other = BookingSite::wanted("bo@example.org");
        const auto trip = site.given_trip({.price = "80"}).id;
        const auto theirs = site.bookings.creator.create(site.open_session(trip), other, {}, {})->booking.id;
        // A guest who types her address is not her.
        const auto typed = ada.booked({}).id;
        CHECK(site.checkout.saved.chargeable(typed)->empty());
        CHECK(code_of(site.checkout.saved.charge({.booking_id = typed, .method_id = method, .key = "k"})) ==
              "payment_method_unavailable");
        CHECK(code_of(site.checkout.saved.charge({.booking_id = theirs, .method_id = method, .key = "k"})) ==
              "payment_method_unavailable");
        CHECK(site.checkout.saved.chargeable(ada.owing)->size() == 1);
        CHECK(site.checkout.saved.chargeable(theirs)->empty());
        CHECK(code_of(site.checkout.saved.forget(site.given_user("bo"), method)) == "svc_not_found");
        CHECK(site.checkout.saved.forget(ada.user, method));
        CHECK(site.gateway->forgotten == 1);
        CHECK(site.checkout.saved.of_user(ada.user).empty());
        CHECK(code_of(site.checkout.saved.charge({.booking_id = ada.owing, .method_id = method, .key = "k"})) ==
              "payment_method_unavailable");
        CHECK(code_of(site.checkout.saved.forget(ada.user, method)) == "svc_not_found");
        CHECK(site.gateway->saved_charges == 0);
    });
}

TEST_CASE("a charge that the bank declines or wants agreed is over; another one may follow") {
    each_paying_site([](PayingSite& site) {
        Customer ada(site);
        site.gateway->on_saved = [](const payment::SavedCharge&) -> Result<Charge> {
            return Error{errc::payment_failed, "Your card was declined."_sentence};
        };
        CHECK(ada.charge("one")->progress == payment::Progress::failed);
        site.gateway->on_saved = [](const payment::SavedCharge& wanted) -> Result<Charge> {
            return Charge{.progress = payment::Progress::waiting, .intent_id = ScriptedGateway::id_of(wanted.key)};
        };
        CHECK(ada.charge("two")->progress == payment::Progress::failed);
        CHECK(site.emitted("svc_payment_failed") == 2);
        CHECK(site.with("payment_intents", "status = 'failed' AND reconciliation = 'settled'") == 2);
        site.gateway->on_saved = nullptr;
        CHECK(ada.charge("three")->progress == payment::Progress::paid);
        CHECK(site.state_of(ada.owing) == "confirmed paid 80.00");
    });
}

TEST_CASE("a charge nobody answered blocks others, and the reconciliation learns of it by its key") {
    each_paying_site([](PayingSite& site) {
        Customer ada(site);
        site.gateway->on_saved = [](const payment::SavedCharge&) -> Result<Charge> { return errc::upstream_error; };
        CHECK(code_of(ada.charge("lost")) == "svc_gateway_unavailable");
        CHECK(code_of(ada.charge("second")) == "charge_in_progress");
        CHECK(code_of(site.checkout.offers.offer(
                  {.gateway = "scripted", .booking_id = ada.owing, .remaining = true, .is_proven = true})) ==
              "charge_in_progress");
        std::string asked;
        site.gateway->on_saved = [&](const payment::SavedCharge& wanted) -> Result<Charge> {
            asked = wanted.key;
            return Charge{.progress = payment::Progress::paid,
                          .intent_id = "pi_lost",
                          .transaction_id = "ch_lost",
                          .amount = wanted.amount};
        };
        site.clock.advance(std::chrono::minutes(11));
        CHECK(site.checkout.reconcile(site.clock.now()).value()["found_paid"].integer() == 1);
        CHECK(asked == "lost");
        CHECK(site.state_of(ada.owing) == "confirmed paid 80.00");
    });
}

TEST_CASE("a charge nobody answered is not made anew once nothing wants it") {
    each_paying_site([](PayingSite& site) {
        Customer ada(site);
        site.gateway->on_saved = [](const payment::SavedCharge&) -> Result<Charge> { return errc::upstream_error; };
        CHECK(code_of(ada.charge("lost")) == "svc_gateway_unavailable");
        CHECK(site.to_status(ada.owing, "cancelled"));
        site.gateway->on_saved = nullptr;
        for (int day = 0; day < 6; ++day) {
            site.clock.advance(std::chrono::hours(24));
            for (int turn = 0; turn < 4; ++turn)
                CHECK(site.checkout.reconcile(site.clock.now()));
        }
        for (int turn = 0; turn < 14; ++turn) {
            site.clock.advance(std::chrono::hours(9));
            CHECK(site.checkout.reconcile(site.clock.now()));
        }
        CHECK(site.gateway->saved_charges == 1);
        CHECK(site.with("payment_intents", "reconciliation = 'review'") == 1);
    });
}

TEST_CASE("a charge that is asked for again under its key is told as it ended, and never made twice") {
    each_paying_site([](PayingSite& site) {
        Customer ada(site);
        const auto method = ada.method();
        const auto again = [&](const std::string& key) {
            return site.checkout.saved.charge(
                {.booking_id = ada.owing, .method_id = method, .amount = Money{3000, Currency::usd()}, .key = key});
        };
        REQUIRE(again("paid"));
        site.gateway->on_saved = [](const payment::SavedCharge&) -> Result<Charge> {
            return Error{errc::payment_failed, "Your card was declined."_sentence};
        };
        REQUIRE(again("declined"));
        CHECK(site.gateway->saved_charges == 2);
        // The method is gone, and the provider has forgotten its keys.
        CHECK(site.checkout.saved.forget(ada.user, method));
        site.gateway->on_saved = nullptr;
        CHECK(again("paid")->progress == payment::Progress::paid);
        CHECK(again("paid")->payment->amount == Money{3000, Currency::usd()});
        CHECK(again("declined")->progress == payment::Progress::failed);
        CHECK(again("declined")->payment->notes == "Your card was declined.");
        CHECK(site.gateway->saved_charges == 2);
        CHECK(site.state_of(ada.owing) == "pending partial 30.00");
        CHECK(code_of(again("new")) == "payment_method_unavailable");
        CHECK(code_of(site.checkout.saved.charge({.booking_id = ada.first, .method_id = method, .key = "paid"})) ==
              "transaction_mismatch");
    });
}

TEST_CASE("nothing is charged where the booking owes another amount than its caller reckoned with") {
    each_paying_site([](PayingSite& site) {
        Customer ada(site);
        const auto charge = [&](const char* key, std::int64_t owed) {
            return site.checkout.saved.charge({.booking_id = ada.owing,
                                               .method_id = ada.method(),
                                               .amount = Money{3000, Currency::usd()},
                                               .balance = Money{owed, Currency::usd()},
                                               .key = key});
        };
        CHECK(code_of(charge("stale", 9000)) == "charge_in_progress");
        CHECK(site.gateway->saved_charges == 0);
        CHECK(charge("present", 8000)->progress == payment::Progress::paid);
        // The same key is the same charge, whatever was paid since.
        CHECK(charge("present", 8000)->payment->amount == Money{3000, Currency::usd()});
        CHECK(site.gateway->saved_charges == 1);
    });
}

TEST_CASE("a charge nobody answered is asked about under its key while it is wanted; what a person looks into is not") {
    each_paying_site([](PayingSite& site) {
        Customer ada(site);
        site.gateway->on_saved = [](const payment::SavedCharge&) -> Result<Charge> { return errc::upstream_error; };
        CHECK(code_of(ada.charge("lost")) == "svc_gateway_unavailable");
        CHECK(code_of(ada.charge("lost")) == "svc_gateway_unavailable");
        site.gateway->on_saved = nullptr;
        CHECK(ada.charge("lost")->progress == payment::Progress::paid);
        CHECK(site.state_of(ada.owing) == "confirmed paid 80.00");
    });
    each_paying_site([](PayingSite& site) {
        Customer ada(site);
        site.gateway->on_saved = [](const payment::SavedCharge& wanted) -> Result<Charge> {
            return Charge{.progress = payment::Progress::paid,
                          .intent_id = "pi_odd",
                          .transaction_id = "ch_odd",
                          .amount = wanted.amount + wanted.amount};
        };
        CHECK(code_of(ada.charge("odd")) == "payment_error");
        site.gateway->on_saved = nullptr;
        CHECK(code_of(ada.charge("odd")) == "payment_error");
        CHECK(site.gateway->saved_charges == 1);
        CHECK(site.state_of(ada.owing) == "pending pending 0.00");
    });
}

TEST_CASE("only a method that the customer agreed to as they paid is told as kept with that payment") {
    each_paying_site([](PayingSite& site) {
        Customer ada(site);
        const auto payment_of = [&](std::int64_t booking) {
            return site.store.reading<std::int64_t>(
                [&](store::Session& session) { return payment::Service::of_booking(session, booking).back().id; });
        };
        const auto kept = site.checkout.saved.agreed_with(payment_of(ada.first));
        REQUIRE(kept);
        CHECK(kept->method_id == ada.method());
        CHECK(kept->gateway == "scripted");
        CHECK(kept->keeps_methods);
        // Paid without that: an older card of hers is not meant.
        const auto offer =
            site.checkout.offers.offer({.gateway = "scripted", .booking_id = ada.owing, .is_proven = true});
        REQUIRE(site.confirm(ada.owing, offer->page["payment_id"].text()));
        CHECK_FALSE(site.checkout.saved.agreed_with(payment_of(ada.owing))->method_id);
        CHECK(site.checkout.saved.forget(ada.user, ada.method()));
        CHECK_FALSE(site.checkout.saved.agreed_with(payment_of(ada.first))->method_id);
        CHECK(code_of(site.checkout.saved.agreed_with(999999)) == "svc_not_found");
    });
}

TEST_CASE("listeners of svc_flexible_payment_setting decide whether methods are kept") {
    each_paying_site([](PayingSite& site) {
        const auto may_save = [&] { return site.checkout.saved.may_save(*site.payments.gateways.find("scripted")); };
        json::Value answer;
        REQUIRE(site.hooks.filter("svc_flexible_payment_setting", {.name = "test"},
                                  [&](store::Transaction*, const json::Array& given) -> json::Value {
                                      const bool is_asked = given.at(1).text() == "allow_save_payment_methods";
                                      return is_asked && !answer.is_null() ? answer : given.at(0);
                                  }));
        for (const bool stored : {true, false}) {
            CAPTURE(stored);
            site.set("allow_save_payment_methods", stored);
            answer = json::Value();
            CHECK(may_save() == stored);
            answer = !stored;
            CHECK(may_save() == !stored);
            answer = "perhaps";  // could not be stored
            CHECK(may_save() == stored);
        }
    });
}
