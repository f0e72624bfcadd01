// Keyed requests of several writes whose process dies behind any of them: sent again they go on where they stopped.
#include "base/platform/idempotency/idempotency.hpp"
#include "base/platform/idempotency/kept_reply.hpp"
#include "base/sales/availability/routes.hpp"
#include "base/sales/booking/desk/routes.hpp"
#include "base/sales/payment/routes.hpp"
#include "tests/base/sales/payment/paying_site.hpp"
#include "tests/support/call_route.hpp"
#include "tests/support/mortal.hpp"

using namespace svc;
using namespace svc::tests;
using json::Value;

namespace {

struct Asked {
    std::string method, path;
    Value body, other = {};  // another request under the same key
};

// Routes of a site, called under a key by a process that dies and by the next one.
struct Resuming {
    explicit Resuming(PayingSite& at) : site(at) {
        payment::add_routes(routes, site.payments, site.bookings.records, site.store, site.settings,
                            booking::Ownership({site.bookings.records, site.store, limits, site.clock}), site.refunds);
        payment::add_refund_routes(routes, site.refunds);
        payment::add_saved_method_routes(
            routes, {site.checkout, site.refunds, site.gateways, site.bookings.records, {}, {}, limits});
        const booking::DeskRoutes desk{.records = site.bookings.records,
                                       .desk = site.bookings.desk,
                                       .lists = site.bookings.lists,
                                       .removal = site.bookings.removal,
                                       .creator = site.bookings.creator,
                                       .settings = site.settings};
        booking::add_removal_routes(routes, desk);
        booking::add_traveler_routes(routes, desk);
        availability::add_routes(routes, site.availability);
        site.store.watched_by(&mortal);
        staff.capabilities = {"manage_options"};
        staff.session_key = "password:1";
    }
    ~Resuming() { site.store.watched_by(nullptr); }
    Resuming(const Resuming&) = delete;
    Resuming& operator=(const Resuming&) = delete;

    api::Reply call(const Asked& asked, const Value& body, const std::string& key) {
        Call call{.caller = staff, .body = body, .headers = {{"Idempotency-Key", key}}};
        call.now = site.clock.now();
        // A process knows nothing of what another one had under way.
        idempotency::Keeper keeper(site.store, site.keyring, site.clock);
        return call_route(routes, asked.method, asked.path, call, [&](api::Request& request) {
            return keeper.run(request, [](const api::Request& checked) { return checked.route->handle(checked); });
        });
    }
    api::Reply call(const Asked& asked, const std::string& key) { return call(asked, asked.body, key); }

    // Behind each of its commits. `given` makes what the request is about, `check` looks at the answer and the effect.
    int die_behind_each(const std::function<Asked()>& given, const std::function<void(const api::Reply&)>& check) {
        int deaths = 0;
        for (bool died = true; died;) {
            const Asked asked = given();
            const std::string key = asked.path + std::to_string(deaths);
            mortal.die_behind(deaths + 1);
            died = false;
            api::Reply whole;
            try {
                whole = call(asked, key);
            } catch (const Died&) {
                died = true;
            }
            mortal.live();
            CAPTURE(deaths);
            if (!died) {
                check(whole);
                break;
            }
            ++deaths;
            site.clock.advance(std::chrono::seconds(61));
            if (deaths > 1) {  // it has begun
                const auto refused = call(asked, asked.other, key);
                REQUIRE(refused.error);
                CHECK(refused.error->code().name == errc::key_reused.name);
            }
            const auto reply = call(asked, key);
            check(reply);
            CHECK(idempotency::to_text(call(asked, key)) == idempotency::to_text(reply));
            check(reply);
        }
        return deaths;
    }

    PayingSite& site;
    Mortal mortal;
    limits::RateLimits limits{site.clock};
    api::RouteTable routes;
    api::Caller staff = signed_in(site.given_user("staff"));
};

void each_resuming_site(const std::function<void(Resuming&, PayingSite&)>& body) {
    each_paying_site([&](PayingSite& site) {
        Resuming resuming(site);
        body(resuming, site);
    });
}

// Ada, who has let us keep a card.
struct Card {
    explicit Card(PayingSite& at) : site(at), caller(proven(site.given_user("ada"))) {
        site.set("allow_save_payment_methods", true);
        site.gateway->on_confirm = [](const payment::Inquiry& inquiry) -> Result<payment::Charge> {
            auto charge = ScriptedGateway::paid(inquiry);
            charge.saved = payment::SavedMethod{.customer = "cus_1", .method = "pm_1", .exp_year = 2030};
            return charge;
        };
        const auto offer = site.checkout.offers.offer(
            {.gateway = "scripted", .booking_id = owing(), .save_method = true, .is_proven = true});
        if (!site.confirm(offer->intent->booking_id, offer->page["payment_id"].text()))
            throw std::logic_error("no card was saved");
        method = site.checkout.saved.of_user(caller.user_id).at(0).id;
        site.gateway->on_saved = [this](const payment::SavedCharge& wanted) -> Result<payment::Charge> {
            keys.insert(wanted.key);
            const std::string id = ScriptedGateway::id_of(wanted.key);
            return payment::Charge{.progress = payment::Progress::paid,
                                   .intent_id = id,
                                   .transaction_id = "ch_" + id,
                                   .amount = wanted.amount};
        };
    }
    ~Card() { site.gateway->on_saved = nullptr; }
    Card(const Card&) = delete;
    Card& operator=(const Card&) = delete;
    // A booking of hers that owes 80.00.
    std::int64_t owing() {
        const auto trip = site.given_trip({.price = "80"}).id;
        return site.bookings.creator.create(site.open_session(trip, 1, caller), BookingSite::wanted(), caller, {})
            ->booking.id;
    }
    Asked charge(std::int64_t booking) const {
        const auto of = [&](const char* amount) {
            return Value::object({{"saved_method_id", method}, {"amount", json::Number{amount}}});
        };
        return {"POST", "/bookings/" + std::to_string(booking) + "/charge", of("80"), of("70")};
    }

    PayingSite& site;
    static api::Caller proven(std::int64_t user) {
        api::Caller one = signed_in(user);
        one.email = "ada@example.org";
        return one;
    }
    const api::Caller caller;
    std::int64_t method = 0;
    std::set<std::string> keys;  // by which the provider was asked to charge
};

}  // namespace

TEST_CASE("a saved card is charged once, whichever write of it was the last before its process died") {
    each_resuming_site([](Resuming& resuming, PayingSite& site) {
        Card card(site);
        std::int64_t booking = 0;
        const int deaths = resuming.die_behind_each(
            [&] {
                booking = card.owing();
                card.keys.clear();
                return card.charge(booking);
            },
            [&](const api::Reply& reply) {
                REQUIRE(!reply.error);
                CHECK(reply.data["status"].text() == "completed");
                CHECK(reply.data["amount"].number_text() == "80.00");
                CHECK(card.keys.size() == 1);
                CHECK(site.state_of(booking) == "confirmed paid 80.00");
                const std::string own = "booking_id = " + std::to_string(booking);
                CHECK(site.with("payments", own) == 1);
                CHECK(site.with("payment_intents", own) == 1);
            });
        CHECK(deaths == 4);  // claimed, begun, settled, kept
    });
}

TEST_CASE("a charge that nobody answered goes on by its key when it is sent again, and by no other content") {
    each_resuming_site([](Resuming& resuming, PayingSite& site) {
        Card card(site);
        const auto booking = card.owing();
        const auto answers = site.gateway->on_saved;
        site.gateway->on_saved = [&](const payment::SavedCharge& wanted) -> Result<payment::Charge> {
            card.keys.insert(wanted.key);
            return errc::upstream_error;
        };
        const auto lost = resuming.call(card.charge(booking), "k");
        REQUIRE(lost.error);
        CHECK(lost.error->code().name == errc::gateway_unavailable.name);
        site.gateway->on_saved = answers;
        const auto other = resuming.call(card.charge(booking), card.charge(booking).other, "k");
        REQUIRE(other.error);
        CHECK(other.error->code().name == errc::key_reused.name);
        const auto paid = resuming.call(card.charge(booking), "k");
        REQUIRE(!paid.error);
        CHECK(card.keys.size() == 1);
        CHECK(site.state_of(booking) == "confirmed paid 80.00");
    });
}

TEST_CASE("a decline is not kept: the same request tries the card again") {
    each_resuming_site([](Resuming& resuming, PayingSite& site) {
        Card card(site);
        const auto booking = card.owing();
        const auto answers = site.gateway->on_saved;
        site.gateway->on_saved = [](const payment::SavedCharge&) -> Result<payment::Charge> {
            return Error{errc::payment_failed, "Your card was declined."_sentence};
        };
        CHECK(resuming.call(card.charge(booking), "k").error);
        site.gateway->on_saved = answers;
        CHECK(!resuming.call(card.charge(booking), "k").error);
        CHECK(site.state_of(booking) == "confirmed paid 80.00");
    });
}

TEST_CASE("money goes back once, whichever write of its refund was the last before its process died") {
    each_resuming_site([](Resuming& resuming, PayingSite& site) {
        std::set<std::string> keys;
        site.gateway->on_refund = [&](const payment::RefundRequest& wanted) -> Result<payment::Refund> {
            keys.insert(wanted.key);
            return payment::Refund{
                .progress = payment::Progress::paid, .id = "re_" + wanted.key.substr(0, 20), .amount = wanted.amount};
        };
        std::int64_t payment = 0;
        const auto fresh = [&] {
            keys.clear();
            payment = site.paid_payment(site.priced_booking().id).id;
        };
        const auto refunds = [&] { return site.with("refunds", "payment_id = " + std::to_string(payment)); };
        const auto path = [&] { return "/payments/" + std::to_string(payment); };
        for (const bool by_hand : {false, true}) {
            CAPTURE(by_hand);
            const int deaths = resuming.die_behind_each(
                [&] {
                    fresh();
                    return Asked{"POST", path() + "/refunds",
                                 Value::object({{"amount", json::Number{"30"}}, {"by_hand", by_hand}}),
                                 Value::object({{"amount", json::Number{"31"}}, {"by_hand", by_hand}})};
                },
                [&](const api::Reply& reply) {
                    REQUIRE(!reply.error);
                    CHECK(reply.data["status"].text() == "completed");
                    CHECK(refunds() == 1);
                    CHECK(keys.size() == (by_hand ? 0 : 1));
                    CHECK(site.payments.find(payment)->refunded.decimal() == "30.00");
                });
            CHECK(deaths == (by_hand ? 2 : 4));
        }
        const int deaths = resuming.die_behind_each(
            [&] {
                fresh();
                return Asked{"PUT", path(), Value::object({{"status", "refunded"}, {"notes", "all of it"}}),
                             Value::object({{"status", "refunded"}, {"notes", "another"}})};
            },
            [&](const api::Reply& reply) {
                REQUIRE(!reply.error);
                CHECK(reply.data["status"].text() == "refunded");
                CHECK(reply.data["notes"].text() == "all of it");
                CHECK(refunds() == 1);
                CHECK(keys.size() == 1);
            });
        CHECK(deaths == 5);  // claimed, noted, begun, ended, kept
        site.gateway->on_refund = nullptr;
    });
}

TEST_CASE("each booking of a bulk action is acted on once, whichever was the last before its process died") {
    each_resuming_site([](Resuming& resuming, PayingSite& site) {
        const auto trip = site.given_trip();
        std::vector<std::int64_t> ids;
        const int deaths = resuming.die_behind_each(
            [&] {
                ids = {site.given_booking(trip.id).id, site.given_booking(trip.id).id, 999'999};
                auto list = Value::array();
                for (const auto id : ids)
                    list.push(id);
                // Done twice it would be to the trash first, and then for good.
                return Asked{"PUT", "/bookings/bulk", Value::object({{"action", "delete"}, {"ids", list}}),
                             Value::object({{"action", "trash"}, {"ids", list}})};
            },
            [&](const api::Reply& reply) {
                REQUIRE(!reply.error);
                CHECK(reply.data["affected"].integer() == 2);
                CHECK(reply.data["failed"].integer() == 1);
                for (const auto id : {ids[0], ids[1]})
                    CHECK(site.bookings.records.find(id)->status == "trash");
            });
        CHECK(deaths == 4);
    });
}

TEST_CASE("each traveler of a bulk action is removed once, whichever was the last before its process died") {
    each_resuming_site([](Resuming& resuming, PayingSite& site) {
        const auto trip = site.given_trip();
        std::int64_t booking = 0, told = 0;
        const int deaths = resuming.die_behind_each(
            [&] {
                auto wanted = BookingSite::wanted();
                wanted.travelers =
                    Value::array({BookingSite::traveler("Ada", "Lovelace"), BookingSite::traveler("Anne", "Byron"),
                                  BookingSite::traveler("Ralph", "Byron")});
                booking = site.bookings.creator.create(site.open_session(trip.id, 3), wanted, {}, {})->booking.id;
                auto ids = Value::array();
                site.store.read([&](store::Session& session) {
                    session.each("SELECT id FROM svc_booking_travelers WHERE booking_id = :id ORDER BY id", "i",
                                 {{"id", booking}}, [&](const store::Row& row) { ids.push(row.integer(0)); });
                });
                told = site.emitted("svc_booking_updated") + 2;
                Value other = Value::array({ids[1]});
                return Asked{"PUT", "/travelers/bulk", Value::object({{"action", "delete"}, {"ids", std::move(ids)}}),
                             Value::object({{"action", "delete"}, {"ids", std::move(other)}})};
            },
            [&](const api::Reply& reply) {
                REQUIRE(!reply.error);
                CHECK(reply.data["affected"].integer() == 2);
                CHECK(reply.data["failed"].integer() == 1);  // the lead
                CHECK(site.with("booking_travelers", "booking_id = " + std::to_string(booking)) == 1);
                CHECK(site.emitted("svc_booking_updated") == told);
            });
        CHECK(deaths == 4);
    });
}

TEST_CASE("a departure ends with each of its bookings once, whichever write was the last before its process died") {
    each_resuming_site([](Resuming& resuming, PayingSite& site) {
        std::vector<std::int64_t> ids;
        std::int64_t departure = 0, told = 0;
        const int deaths = resuming.die_behind_each(
            [&] {
                const auto trip = site.given_trip();
                departure = site.given_departure(trip.id, 4);
                ids = {site.given_booking(trip.id).id, site.given_booking(trip.id).id};
                told += 2;
                const auto wanted = [&](const char* reason) {
                    return Value::object(
                        {{"status", "cancelled"},
                         {"cancel_bookings", true},
                         {"reason", reason},
                         {"row_version", site.availability.departures.find({}, departure)->row_version}});
                };
                return Asked{"PUT", "/trips/" + std::to_string(trip.id) + "/departures/" + std::to_string(departure),
                             wanted("Storm."), wanted("Rain.")};
            },
            [&](const api::Reply& reply) {
                REQUIRE(!reply.error);
                CHECK(reply.data["cancelled_bookings"].integer() == 2);
                REQUIRE(reply.data["affected_bookings"].size() == 2);
                for (const auto id : ids)
                    CHECK(site.bookings.records.find(id)->status == "cancelled");
                CHECK(site.seats_of(departure) == 0);
                CHECK(site.emitted("svc_booking_cancelled") == told);
            });
        CHECK(deaths == 5);  // claimed, ended, two cancelled, kept
    });
}
