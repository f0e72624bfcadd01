// Charges before there is a booking: nothing is taken by them, and what is booked takes its charge over.
#include "tests/base/sales/payment/paying_site.hpp"

using namespace svc;
using namespace svc::tests;
using payment::Charge;

namespace {

// A session on a trip of 80.00 and the charge prepared for it.
struct Held {
    explicit Held(PayingSite& at) : site(at), trip(site.given_trip({.price = "80"}).id) {
        secret = site.open_session(trip);
        session = site.bookings.sessions.resume(secret, {})->session.id;
        charge = hold()->page["payment_id"].text();
        key = site.gateway->keys.back();
    }
    Result<payment::Offers::Offer> hold(std::int64_t minor = 8000) {
        return site.checkout.offers.hold({.gateway = "scripted"},
                                         {.session_id = session, .amount = Money{minor, Currency::usd()}});
    }
    booking::Booking booked(const char* gateway = "scripted", const char* method = "full") {
        booking::NewBooking wanted = BookingSite::wanted();
        wanted.gateway = gateway;
        wanted.choice.payment_method = method;
        return site.bookings.creator.create(secret, wanted, {}, {})->booking;
    }
    json::Value reconcile() { return site.checkout.reconcile(site.clock.now()).value(); }

    PayingSite& site;
    std::int64_t trip, session = 0;
    std::string secret, charge, key;
};

}  // namespace

TEST_CASE("a session's charge is prepared once, takes nothing, and makes no payment") {
    each_paying_site([](PayingSite& site) {
        bool was_held = false;
        std::int64_t named = 1;
        site.gateway->on_intent = [&](const payment::IntentRequest& wanted) -> Result<payment::Intent> {
            was_held = wanted.hold;
            named = wanted.booking_id;
            return payment::Intent{.id = ScriptedGateway::id_of(wanted.key), .client_secret = "secret_x"};
        };
        Held held(site);
        CHECK(was_held);
        CHECK(named == 0);
        CHECK(held.hold()->page["payment_id"].text() == held.charge);
        CHECK(site.gateway->intents == 1);
        CHECK(site.with("held_charges", "page LIKE '%secret_%'") == 0);
        CHECK(site.rows("payments") + site.rows("payment_intents") + site.rows("bookings") == 0);
        CHECK(site.gateway->confirms == 0);
        // Another amount is another charge; the one before is let go.
        CHECK(held.hold(9000)->page["payment_id"].text() != held.charge);
        CHECK(site.with("held_charges", "status = 'released'") == 1);
    });
}

TEST_CASE("the booking that a session becomes is paid by the charge its page was given") {
    each_paying_site([](PayingSite& site) {
        Held held(site);
        const auto made = held.booked();
        CHECK(site.state_of(made.id) == "pending pending 0.00");
        const auto paid = site.confirm(made.id, held.charge);
        REQUIRE(paid);
        CHECK(paid->progress == payment::Progress::paid);
        CHECK(site.state_of(made.id) == "confirmed paid 80.00");
        CHECK(site.confirm(made.id, held.charge)->repeated);
        CHECK(site.rows("payments") == 1);
        CHECK(site.emitted("svc_payment_completed") == 1);
        CHECK(site.with("held_charges", "status = 'adopted' AND reconciliation = 'settled'") == 1);
    });
}

TEST_CASE("an event, the way back and the reconciliation find the booking too") {
    each_paying_site([](PayingSite& site) {
        for (const char* door : {"event", "return", "reconciliation"}) {
            CAPTURE(door);
            Held held(site);
            const auto early = PayingSite::event((std::string(door) + "_early").c_str(), "paid", held.charge, 8000);
            CHECK(site.tell(early));  // nothing is booked yet: it is kept aside
            CHECK(site.checkout.confirmations.returned("scripted", {.key = held.key})
                      .value()
                      .ends_with("/book?payment=pending"));
            CHECK(held.reconcile()["held"]["taken_over"].integer() == 0);
            const auto made = held.booked();
            if (door == std::string_view("event")) {
                CHECK(site.tell(PayingSite::event("event_late", "paid", held.charge, 8000)));
            } else if (door == std::string_view("return")) {
                CHECK(site.checkout.confirmations.returned("scripted", {.key = held.key})
                          .value()
                          .ends_with("?payment=success"));
            } else {
                CHECK(held.reconcile()["held"]["taken_over"].integer() == 1);
            }
            CHECK(site.state_of(made.id) == "confirmed paid 80.00");
        }
        CHECK(site.rows("payments") == 3);
    });
}

TEST_CASE("what a provider says of a charge before its booking is applied when the booking is made") {
    each_paying_site([](PayingSite& site) {
        for (const char* word : {"processing", "paid", "failed"}) {
            CAPTURE(word);
            Held held(site);
            const int before = site.woken;
            CHECK(site.tell(PayingSite::event((std::string(word) + "_early").c_str(), word, held.charge, 8000)));
            CHECK(site.woken == before);  // there is nothing to capture for
            CHECK(site.with("gateway_events", "status = 'parked'") == 1);
            const auto made = held.booked();
            site.checkout.held.booked(made.id);  // as its listener does
            CHECK(site.woken == before + 1);
            CHECK(held.reconcile()["held"]["taken_over"].integer() == 1);
            CHECK(site.state_of(made.id) == "confirmed paid 80.00");
            CHECK(site.with("gateway_events", "status = 'parked'") == 0);
            CHECK(site.number("SELECT COUNT(*) FROM svc_gateway_events WHERE status = 'processed' AND booking_id = :id",
                              {{"id", made.id}}) == 1);
        }
        // Of whose charge nobody said a word: its page reports it, and no provider is asked.
        Held quiet(site);
        const int before = site.woken;
        site.checkout.held.booked(quiet.booked().id);
        CHECK(site.woken == before);
    });
}

TEST_CASE("an event of a charge that nothing was booked by does not wait for staff") {
    each_paying_site([](PayingSite& site) {
        Held held(site);
        CHECK(site.tell(PayingSite::event("evt_1", "processing", held.charge, 8000)));
        site.gateway->on_confirm = [](const payment::Inquiry& inquiry) -> Result<Charge> {
            return Charge{.progress = payment::Progress::cancelled, .intent_id = inquiry.intent_id};
        };
        site.clock.advance(std::chrono::minutes(61));
        CHECK(held.reconcile()["held"]["let_go"].integer() == 1);
        CHECK(site.with("gateway_events", "status = 'ignored'") == 1);
    });
}

TEST_CASE("nobody but its page takes a charge that is not what the booking asks for") {
    each_paying_site([](PayingSite& site) {
        // Paid later by choice, and a first part of what was authorised.
        site.set("deposit_percentage", 25);
        site.set("enable_deposit", true);
        for (const auto& [gateway, method] : {std::pair("pay_later", "full"), std::pair("scripted", "deposit")}) {
            CAPTURE(gateway);
            Held held(site);
            const auto made = held.booked(gateway, method);
            CHECK(held.reconcile()["held"]["taken_over"].integer() == 0);
            CHECK(site.state_of(made.id) == "pending pending 0.00");
            CHECK(site.with("held_charges", "status = 'adopted'") == 0);
            // An explicit id counts.
            if (gateway == std::string_view("pay_later")) {
                CHECK(site.confirm(made.id, held.charge)->progress == payment::Progress::paid);
                CHECK(site.state_of(made.id) == "confirmed paid 80.00");
                REQUIRE(site.real->write([](store::Transaction& tx) -> Result<void> {
                    tx.run("DELETE FROM svc_held_charges", {});
                    return {};
                }));
            }
        }
    });
}

TEST_CASE("a charge pays its own session's booking and no other") {
    each_paying_site([](PayingSite& site) {
        Held held(site);
        const auto other = site.priced_booking();
        CHECK(code_of(site.confirm(other.id, held.charge)) == "transaction_mismatch");
        CHECK(site.state_of(other.id) == "pending pending 0.00");
        // A charge above what the booking costs is not taken: it asks for another one.
        Held dear(site);
        const std::string above = dear.hold(9000)->page["payment_id"].text();
        const auto made = dear.booked();
        CHECK(code_of(site.confirm(made.id, above)) == "payment_error");
        CHECK(site.state_of(made.id) == "pending pending 0.00");
        CHECK(site.rows("payments") == 0);
    });
}

TEST_CASE("what is never booked is let go, and money that came all the same goes back") {
    each_paying_site([](PayingSite& site) {
        Held quiet(site);
        bool was_released = false;
        site.gateway->on_confirm = [&](const payment::Inquiry& inquiry) -> Result<Charge> {
            was_released = inquiry.release && !inquiry.may_capture;
            return Charge{.progress = payment::Progress::cancelled, .intent_id = inquiry.intent_id};
        };
        site.clock.advance(std::chrono::minutes(61));
        CHECK(quiet.reconcile()["held"]["let_go"].integer() == 1);
        CHECK(was_released);
        CHECK(quiet.reconcile()["held"]["let_go"].integer() == 0);
        CHECK(site.gateway->refunds == 0);

        Held taken(site);
        site.gateway->on_confirm = nullptr;  // a provider that took the money at once
        site.gateway->on_refund = [](const payment::RefundRequest&) -> Result<payment::Refund> {
            return errc::gateway_unavailable;
        };
        site.clock.advance(std::chrono::minutes(61));
        taken.reconcile();
        CHECK(site.with("held_charges", "reconciliation = 'open'") == 1);
        site.gateway->on_refund = nullptr;
        site.clock.advance(std::chrono::hours(1));
        taken.reconcile();
        CHECK(site.gateway->refunds == 2);
        CHECK(site.with("held_charges", "status = 'released' AND reconciliation = 'settled'") == 2);
        CHECK(site.rows("payments") == 0);
    });
}

TEST_CASE("a gateway that cannot hold a charge is paid by once there is a booking") {
    each_paying_site([](PayingSite& site) {
        const Money amount{8000, Currency::usd()};
        CHECK(site.checkout.offers.hold({.gateway = "pay_later"}, {.session_id = 1, .amount = amount})
                  ->instructions.size() > 10);
        CHECK(code_of(site.checkout.offers.hold({.gateway = "nobody"}, {.session_id = 1, .amount = amount})) ==
              "invalid_gateway");
        site.gateway->forget_ability("holds");
        CHECK(code_of(site.checkout.offers.hold({.gateway = "scripted"}, {.session_id = 1, .amount = amount})) ==
              "payment_method_unavailable");
        CHECK(site.rows("held_charges") == 0);
    });
}

TEST_CASE("staff prepare a charge of their own and name its booking when they confirm it") {
    each_paying_site([](PayingSite& site) {
        const auto user = site.given_user("clerk");
        const auto offer = site.checkout.offers.hold({.gateway = "scripted"},
                                                     {.user_id = user, .amount = Money{3000, Currency::usd()}});
        REQUIRE(offer);
        const std::string charge = offer->page["payment_id"].text();
        const auto made = site.priced_booking();
        CHECK(code_of(site.confirm(made.id, charge)) == "transaction_mismatch");  // not by a customer
        const auto paid = site.checkout.confirmations.confirm(
            {.gateway = "scripted", .booking_id = made.id, .transaction_id = charge, .by_staff = true});
        REQUIRE(paid);
        CHECK(site.state_of(made.id) == "pending partial 30.00");
    });
}
