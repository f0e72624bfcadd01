// The same payment by every door at once, from three processes: it takes effect once (promise R2).
#include <array>
#include <thread>

#include "tests/base/sales/payment/paying_site.hpp"

using namespace svc;
using namespace svc::tests;

TEST_CASE("a hundred confirmations over three processes, with events, returns and reconciling: effects 1.000") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        constexpr int payments = 8, confirmations = 100, threads = 6;
        std::vector<std::unique_ptr<PayingSite>> sites;
        for (int i = 0; i < 3; ++i)
            sites.push_back(std::make_unique<PayingSite>(database));
        PayingSite& first = *sites.front();
        const auto trip = first.given_trip({.price = "80"});
        for (auto& site : sites)
            site->trips.public_trips().reload_changed();
        for (int round = 0; round < payments; ++round) {
            const auto made = first.given_booking(trip.id);
            const std::string charge = first.begun(made.id);
            const std::string key = first.gateway->keys.back(), event = "evt_" + std::to_string(round);
            std::atomic<int> ready = 0, first_effects = 0, wrong = 0;
            std::vector<std::thread> running;
            for (int thread = 0; thread < threads; ++thread)
                running.emplace_back([&, thread] {
                    PayingSite& site = *sites[static_cast<std::size_t>(thread % 3)];
                    ++ready;
                    while (ready < threads)
                        std::this_thread::yield();
                    for (int i = thread; i < confirmations; i += threads)
                        try {
                            const auto outcome = site.confirm(made.id, i % 2 ? charge : "ch_" + charge);
                            if (outcome && !outcome->repeated)
                                ++first_effects;
                            if (!outcome)
                                ++wrong;
                            if (i % 7 == 0 && !site.tell(PayingSite::event(event.c_str(), "paid", charge, 8000)))
                                ++wrong;
                            if (i % 11 == 0)
                                static_cast<void>(site.checkout.confirmations.returned("scripted", {.key = key}));
                            if (i % 13 == 0)
                                static_cast<void>(
                                    site.checkout.reconcile(site.clock.now().plus(std::chrono::minutes(11))));
                        } catch (const store::Failure&) {
                            ++wrong;  // counted: nothing here may fail for the others' sake
                        }
                });
            for (auto& one : running)
                one.join();
            CHECK(wrong == 0);
            CHECK(first_effects <= 1);  // none when an event or the way back was first
            CHECK(first.with("payments", "booking_id = " + std::to_string(made.id)) == 1);
            CHECK(first.state_of(made.id) == "confirmed paid 80.00");
        }
        CHECK(first.rows("payments") == payments);
        CHECK(first.emitted("svc_payment_completed") == payments);
        CHECK(first.emitted("svc_booking_confirmed") == payments);
        CHECK(first.with("payment_intents", "status = 'succeeded'") == payments);
        CHECK(first.with("bookings", "needs_attention = 1") == 0);
    });
}

TEST_CASE("refunds by three processes at once never give back more than came") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        std::vector<std::unique_ptr<PayingSite>> sites;
        for (int i = 0; i < 3; ++i)
            sites.push_back(std::make_unique<PayingSite>(database));
        PayingSite& first = *sites.front();
        const auto made = first.priced_booking();
        const auto paid = first.paid_payment(made.id);
        std::atomic<int> done = 0, wrong = 0;
        std::vector<std::thread> running;
        for (int thread = 0; thread < 6; ++thread)
            running.emplace_back([&, thread] {
                for (int i = 0; i < 6; ++i) {
                    const auto refund = sites[static_cast<std::size_t>(thread % 3)]->refunds.refund(
                        {.payment_id = paid.id, .amount = "7"});
                    if (refund && refund->status == "completed")
                        ++done;
                    else if (refund ||
                             (code_of(refund) != "svc_validation_error" && code_of(refund) != "svc_invalid_transition"))
                        ++wrong;
                }
            });
        for (auto& one : running)
            one.join();
        CHECK(wrong == 0);
        CHECK(done == 11);
        CHECK(first.booking_of(made.id).amount_paid.decimal() == "3.00");
        CHECK(first.number("SELECT CAST(SUM(amount_minor) AS BIGINT) FROM svc_refunds WHERE status = 'completed'") ==
              7700);
    });
}
