// Buyers, customers, staff, a provider and the clock's sweeps, each by the services that serve them.
#include "tests/schedules/actors.hpp"

namespace svc::tests {
namespace {

using test::Random;

class Cast {
  public:
    Cast(Stage& stage, std::uint64_t seed) : stage_(stage), site_(*stage.world.site), chance_(seed) {}

    void buy() {
        const auto travelers = chance_.between(1, 3);
        const Date day = chance_.one_of(stage_.world.days);
        auto wish = BookingSite::wanted();
        wish.join_waitlist = chance_.between(0, 2) == 0;
        std::string secret;
        if (!done("session", [&] {
                auto open = site_.bookings.sessions.open(
                    {.trip_id = stage_.world.trip.id, .travel_date = day, .travelers = travelers}, {});
                if (open)
                    secret = open->secret;
                return code_of(open);
            }))
            return;
        // Until it is answered: the same session is the same booking.
        ++stage_.promised.unanswered;
        for (int tries = 0; tries < 3; ++tries) {
            std::string told;
            const bool answered = done("book", [&] {
                auto made = site_.bookings.creator.create(secret, wish, {}, {});
                if (made)
                    stage_.promised.sold.push_back({made->booking.id, made->booking.reference});
                return told = code_of(made);
            });
            if (!answered)
                continue;
            // Of what became of an earlier try, a session that has ended meanwhile says nothing.
            if (tries == 0 || told != errc::session_expired.name)
                --stage_.promised.unanswered;
            return;
        }
    }

    void cancel() {
        const auto id = any_booking();
        done("cancel", [&] { return code_of(site_.bookings.guests.cancel_own(id, "", {.kind = "customer"})); });
    }

    void manage() {
        const auto id = any_booking();
        const auto what = chance_.between(0, 9);
        if (what < 4) {
            static constexpr std::string_view statuses[] = {"pending",   "confirmed", "processing", "on-hold",
                                                            "completed", "cancelled", "failed"};
            const auto to = chance_.one_of(statuses);
            done("status", [&] { return code_of(site_.to_status(id, to)); });
        } else if (what < 6) {
            done("trash", [&] { return code_of(site_.bookings.removal.trash(id, site_.staff)); });
            done("restore", [&] { return code_of(site_.bookings.removal.restore(id, site_.staff)); });
        } else {
            booking::Edit edit{.recalculate = true};
            if (what < 8)
                edit.choice.travelers = chance_.between(1, 4);
            else
                edit.choice.travel_date = chance_.one_of(stage_.world.days);
            done("edit", [&] { return code_of(site_.bookings.desk.edit(id, edit)); });
        }
    }

    void resize() {
        availability::DepartureChange change;
        change.capacity = static_cast<int>(chance_.between(1, 8));
        const auto departure = chance_.one_of(stage_.world.departures);
        done("resize", [&] {
            return code_of(site_.availability.departures.update(stage_.world.trip.id, departure, change, {{}, true}));
        });
    }

    void record() {
        const auto id = any_booking();
        const auto minor = chance_.between(1, 4) * 4000;
        const std::string amount = Money{minor, Currency::usd()}.decimal(),
                          transaction = "T" + std::to_string(chance_.between(1, 1'000'000'000));
        // Told again until it is answered; the transaction is one.
        for (int tries = 0; tries < 3; ++tries)
            if (done("record", [&] {
                    const auto made = site_.pay(id, amount.c_str(), "completed", transaction);
                    if (made)
                        stage_.promised.paid.push_back({id, transaction, minor});
                    return code_of(made);
                }))
                return;
    }

    void charge() {
        const auto id = any_booking();
        std::string charge;
        std::int64_t minor = 0;
        if (!done("offer",
                  [&] {
                      auto offer = site_.offer(id);
                      if (offer) {
                          charge = offer->page["payment_id"].text();
                          minor = offer->amount.minor();
                      }
                      return code_of(offer);
                  }) ||
            charge.empty())
            return;
        const bool by_page = chance_.between(0, 1) == 0;
        const int times = static_cast<int>(chance_.between(1, 3));
        for (int time = 0; time < times; ++time)
            if (by_page)
                done("confirm", [&] {
                    auto outcome = site_.confirm(id, charge);
                    if (outcome && outcome->payment && outcome->payment->transaction_id)
                        stage_.promised.paid.push_back(
                            {id, *outcome->payment->transaction_id, outcome->payment->amount.minor()});
                    return code_of(outcome);
                });
            else
                done("event", [&] {
                    return code_of(site_.tell(PayingSite::event(("evt_" + charge).c_str(), "paid", charge, minor)));
                });
    }

    void give_back() {
        std::int64_t payment = 0;
        if (!done("payments",
                  [&] {
                      const auto id = any_booking();
                      site_.store.read([&](store::Session& session) {
                          for (const auto& each : payment::Service::of_booking(session, id))
                              payment = each.id;
                      });
                      return std::string();
                  }) ||
            payment == 0)
            return;
        const bool by_hand = chance_.between(0, 1) == 0;
        done("refund", [&] {
            return code_of(site_.refunds.refund({.payment_id = payment, .amount = "10", .by_hand = by_hand}));
        });
    }

    void sweep() {
        using Sweep = std::function<Result<json::Value>(Instant)>;
        static const std::vector<std::pair<const char*, Sweep (*)(PayingSite&)>> sweeps{
            {"expire",
             [](PayingSite& s) -> Sweep { return [&s](Instant now) { return s.bookings.upkeep.expire_unpaid(now); }; }},
            {"complete",
             [](PayingSite& s) -> Sweep {
                 return [&s](Instant now) { return s.bookings.upkeep.complete_ended(now); };
             }},
            {"offers",
             [](PayingSite& s) -> Sweep { return [&s](Instant now) { return s.bookings.upkeep.end_offers(now); }; }},
            {"deadlines",
             [](PayingSite& s) -> Sweep {
                 return [&s](Instant now) { return s.bookings.upkeep.watch_deadlines(now); };
             }},
            {"remind",
             [](PayingSite& s) -> Sweep { return [&s](Instant now) { return s.bookings.upkeep.remind(now); }; }},
            {"counts",
             [](PayingSite& s) -> Sweep { return [&s](Instant) { return s.bookings.upkeep.add_up_counts(); }; }},
            {"statuses",
             [](PayingSite& s) -> Sweep {
                 return [&s](Instant now) { return s.availability.upkeep.refresh_statuses(now); };
             }},
            {"audit",
             [](PayingSite& s) -> Sweep {
                 return [&s](Instant now) { return s.availability.upkeep.audit_seats(now); };
             }},
            {"lapsed",
             [](PayingSite& s) -> Sweep {
                 return [&s](Instant now) { return s.availability.upkeep.release_lapsed(now); };
             }},
            {"reconcile",
             [](PayingSite& s) -> Sweep { return [&s](Instant now) { return s.checkout.reconcile(now); }; }}};
        const auto& [name, sweep] = chance_.one_of(sweeps);
        done(name, [&, work = sweep(site_)] { return code_of(work(site_.clock.now())); });
    }

    std::int64_t between(std::int64_t least, std::int64_t most) { return chance_.between(least, most); }

  private:
    // Does one thing and notes how it ended; false when nobody was told.
    bool done(const char* what, const std::function<std::string()>& work) {
        std::string told;
        bool answered = true;
        try {
            told = work();
            // Too busy is no answer either.
            answered = told != errc::unavailable.name;
        } catch (const Killed&) {
            told = "killed";
            answered = false;
        } catch (const store::Unavailable&) {
            told = "unavailable";
            answered = false;
        } catch (const std::exception& thrown) {
            told = thrown.what();
            stage_.wrong.push_back(std::string(what) + " threw: " + told);
        }
        stage_.baton.note(std::string(what) + ": " + (told.empty() ? "done" : told));
        return answered;
    }

    // Of the last few, so that several meet at one; 0, which no booking has, where there is none yet.
    std::int64_t any_booking() {
        const auto& sold = stage_.promised.sold;
        const auto count = static_cast<std::int64_t>(sold.size());
        const auto back = chance_.between(0, 3);
        return count == 0 ? 0 : sold[static_cast<std::size_t>(std::max<std::int64_t>(0, count - 1 - back))].id;
    }

    Stage& stage_;
    PayingSite& site_;
    Random chance_;
};

}  // namespace

std::vector<std::function<void()>> actors_of(Stage& stage, std::uint64_t seed) {
    static constexpr void (Cast::*parts[])() = {&Cast::buy,    &Cast::cancel, &Cast::manage,    &Cast::manage,
                                                &Cast::resize, &Cast::record, &Cast::charge,    &Cast::charge,
                                                &Cast::sweep,  &Cast::sweep,  &Cast::give_back, &Cast::buy};
    Random chance(seed);
    std::vector<std::function<void()>> actors;
    const auto count = chance.between(4, 7);
    for (std::int64_t number = 0; number < count; ++number) {
        const auto part = number < 2 ? &Cast::buy : chance.one_of(parts);
        actors.emplace_back([&stage, part, own = seed * 16 + static_cast<std::uint64_t>(number)] {
            Cast actor(stage, own);
            for (auto left = actor.between(2, 3); left > 0; --left)
                (actor.*part)();
        });
    }
    return actors;
}

std::function<void()> careless(Stage& stage) {
    return [&stage] {
        try {
            for (const std::int64_t departure : stage.world.departures) {
                std::int64_t seats = 0;
                stage.world.site->store.read([&](store::Session& session) {
                    seats =
                        session.number("SELECT booked_count FROM svc_departures WHERE id = :id", {{"id", departure}});
                });
                static_cast<void>(stage.world.site->store.write([&](store::Transaction& tx) -> Result<void> {
                    tx.run(
                        "UPDATE svc_departures SET booked_count = :seats, status = CASE WHEN :seats >= capacity THEN"
                        " 'full' ELSE 'upcoming' END WHERE id = :id AND status IN ('full', 'upcoming') AND :seats <="
                        " capacity",
                        {{"seats", seats}, {"id", departure}});
                    return {};
                }));
            }
        } catch (const store::Unavailable&) {
        } catch (const Killed&) {
        }
    };
}

}  // namespace svc::tests
