// Waiting for seats of a full departure: who may, in which order seats are given, and for how long they are kept.
#include "base/messaging/templates/templates.hpp"
#include "tests/base/sales/booking/booking_site.hpp"

using namespace svc;
using namespace svc::tests;

namespace {

struct Queue {
    explicit Queue(BookingSite& of) : site(of), trip(of.given_trip()), departure(of.given_departure(trip.id, 4)) {}

    Result<booking::CreatedBooking> ask(std::int64_t travelers, bool join = true) {
        booking::NewBooking wanted = BookingSite::wanted("guest" + std::to_string(++guests) + "@example.org");
        wanted.join_waitlist = join;
        return site.bookings.creator.create(site.open_session(trip.id, travelers), wanted, {}, {});
    }
    std::int64_t given(std::int64_t travelers) { return ask(travelers).value().booking.id; }
    std::string status(std::int64_t id) { return site.booking_of(id).status; }
    void cancel(std::int64_t id) { REQUIRE(site.to_status(id, "cancelled")); }

    BookingSite& site;
    catalog::trips::Trip trip;
    std::int64_t departure;
    int guests = 0;
};

void each_queue(const std::function<void(Queue&)>& body) {
    each_booking_site([&](BookingSite& site) {
        Queue queue(site);
        body(queue);
    });
}

}  // namespace

TEST_CASE("a party joins the waitlist only if it asks to and seats are missing; the rejection says that it could") {
    each_queue([](Queue& queue) {
        const auto early = queue.ask(3);
        CHECK(early->booking.status == "pending");
        const auto refused = queue.ask(2, false);
        CHECK(code_of(refused) == "sold_out");
        CHECK(refused.error().data() ==
              std::vector<std::pair<std::string, std::string>>{{"available", "1"}, {"waitlist", "true"}});
        const auto waits = queue.ask(2);
        REQUIRE(waits);
        CHECK(waits->booking.status == "waitlist");
        CHECK(waits->booking.payment_gateway == "pay_later");
        CHECK(waits->booking.payment_method == "full");
        CHECK(waits->booking.amount_due().is_zero());
        CHECK_FALSE(waits->booking.departure_id);
        CHECK(queue.site.seats_of(queue.departure) == 3);
        CHECK(queue.ask(1)->booking.status == "pending");
        CHECK(queue.site.emitted("svc_booking_created") == 3);
    });
}

TEST_CASE("who waits is to pay in full, also where others must pay a deposit first") {
    each_queue([](Queue& queue) {
        for (const char* key : {"enable_deposit", "deposit_required"})
            queue.site.set(key, true);
        queue.site.set("deposit_percentage", 20);
        const auto early = queue.ask(4);
        REQUIRE(early);
        CHECK(early->booking.payment_method == "deposit");
        const auto waits = queue.given(1);
        CHECK(queue.site.booking_of(waits).payment_method == "full");
        queue.cancel(early->booking.id);
        const auto promoted = queue.site.booking_of(waits);
        CHECK(promoted.status == "pending");
        CHECK(promoted.payment_method == "full");
        CHECK(promoted.amount_due() == promoted.total);
    });
}

TEST_CASE("no one waits where waiting is off, nor for more seats than there are") {
    each_queue([](Queue& queue) {
        queue.given(4);
        queue.site.set("allow_waitlist", false);
        const auto refused = queue.ask(1);
        CHECK(code_of(refused) == "sold_out");
        CHECK(refused.error().data().back().second == "false");
        // The site's word and the trip's must both allow it.
        const auto trip_says = [&](std::optional<bool> word) {
            catalog::trips::TripChange change;
            change.waitlist_enabled = catalog::trips::Sent<bool>(std::in_place, word);
            REQUIRE(queue.site.trips.editor().update(queue.trip.id, change, {}));
        };
        trip_says(true);
        CHECK(code_of(queue.ask(1)) == "sold_out");
        queue.site.set("allow_waitlist", true);
        trip_says(false);
        CHECK(code_of(queue.ask(1)) == "sold_out");
        trip_says({});
        CHECK(code_of(queue.ask(5)) == "sold_out");
        static bool open = false;
        open = false;
        REQUIRE(queue.site.hooks.filter("svc_can_join_waitlist", {.name = "test"},
                                        [](auto*, const auto&) { return json::Value(open); }));
        CHECK(code_of(queue.ask(1)) == "sold_out");
        open = true;
        CHECK(queue.ask(1));
    });
}

TEST_CASE("seats that come back go to the oldest that waits, and nobody is skipped") {
    each_queue([](Queue& queue) {
        const auto one = queue.given(1), three = queue.given(3);
        const auto first = queue.given(2), second = queue.given(1), third = queue.given(1);
        queue.cancel(one);
        // One seat is free, and the head wants two.
        CHECK(queue.status(first) == "waitlist");
        CHECK(queue.status(second) == "waitlist");
        queue.cancel(three);
        CHECK(queue.status(first) == "pending");
        CHECK(queue.status(second) == "pending");
        CHECK(queue.status(third) == "pending");
        CHECK(queue.site.seats_of(queue.departure) == 4);
        CHECK(queue.site.emitted("svc_waitlist_booking_promoted") == 3);
        CHECK(queue.site.number("SELECT COUNT(*) FROM svc_waitlist WHERE ended_at IS NULL") == 0);
        CHECK(queue.site.booking_of(first).amount_due().decimal() == "399.98");
    });
}

TEST_CASE("under waitlist_auto_confirm a promoted booking is confirmed") {
    each_queue([](Queue& queue) {
        queue.site.set("waitlist_auto_confirm", true);
        const auto sitting = queue.given(4), waiting = queue.given(2);
        queue.cancel(sitting);
        CHECK(queue.status(waiting) == "confirmed");
        CHECK(queue.site.emitted("svc_booking_confirmed") == 1);
        CHECK(queue.site.number("SELECT COUNT(*) FROM svc_waitlist WHERE offer_expires_at IS NOT NULL") == 0);
    });
}

TEST_CASE("an offered seat that is not taken in time goes to the next") {
    each_queue([](Queue& queue) {
        queue.site.set("waitlist_offer_hours", 24);
        const auto sitting = queue.given(4), first = queue.given(4), second = queue.given(4), third = queue.given(1);
        queue.cancel(sitting);
        CHECK(queue.status(first) == "pending");
        const auto later = [&](const char* now) {
            queue.site.clock.set(now);
            return queue.site.bookings.upkeep.end_offers(queue.site.clock.now())->dump();
        };
        CHECK(later("2027-01-11T09:59:59Z") == R"({"ended":0,"cancelled":0,"seats_given":0})");
        CHECK(queue.status(first) == "pending");
        CHECK(later("2027-01-11T10:00:00Z") == R"({"ended":1,"cancelled":1,"seats_given":0})");
        CHECK(queue.status(first) == "cancelled");
        CHECK(queue.status(second) == "pending");
        // A booking that is confirmed in time keeps its seats.
        REQUIRE(queue.site.to_status(second, "confirmed"));
        CHECK(later("2027-01-12T10:00:00Z") == R"({"ended":1,"cancelled":0,"seats_given":0})");
        CHECK(queue.status(second) == "confirmed");
        CHECK(queue.status(third) == "waitlist");
        CHECK(later("2027-01-13T10:00:00Z") == R"({"ended":0,"cancelled":0,"seats_given":0})");
    });
}

TEST_CASE("an offered seat is not taken from who is paying for it, nor from whose payment staff await") {
    each_queue([](Queue& queue) {
        queue.site.set("waitlist_offer_hours", 24);
        const auto sitting = queue.given(4), first = queue.given(4);
        queue.cancel(sitting);
        const auto pending = queue.site.pay(first, "10", "pending");
        REQUIRE(pending);
        queue.site.clock.set("2027-01-12T10:00:00Z");
        REQUIRE(queue.site.bookings.upkeep.end_offers(queue.site.clock.now()));
        CHECK(queue.status(first) == "pending");
        // It did not come.
        REQUIRE(queue.site.payments.update(pending->id, {.status = "failed"}, 0));
        REQUIRE(queue.site.bookings.upkeep.end_offers(queue.site.clock.now()));
        CHECK(queue.status(first) == "cancelled");
    });
}

TEST_CASE("a promoted booking with nothing to pay is what it would have been without the wait") {
    each_queue([](Queue& queue) {
        const auto sitting = queue.given(4), first = queue.given(4);
        queue.site.leaves_what_holds = false;  // a total without the lines of it
        REQUIRE(queue.site.real->write([&](store::Transaction& tx) -> Result<void> {
            tx.run(
                "UPDATE svc_bookings SET total_minor = 0, pay_now_minor = 0, payment_status = 'paid' WHERE id = "
                ":id",
                {{"id", first}});
            return {};
        }));
        queue.cancel(sitting);
        CHECK(queue.status(first) == "confirmed");
        CHECK(queue.site.emitted("svc_booking_confirmed") == 1);
    });
}

TEST_CASE("without waitlist_offer_hours, as at first, an offered seat is kept without end") {
    each_queue([](Queue& queue) {
        const auto sitting = queue.given(4), first = queue.given(4);
        queue.cancel(sitting);
        queue.site.clock.set("2027-02-20T10:00:00Z");
        CHECK(queue.site.bookings.upkeep.end_offers(queue.site.clock.now())->dump() ==
              R"({"ended":0,"cancelled":0,"seats_given":0})");
        CHECK(queue.status(first) == "pending");
    });
}

TEST_CASE("at most twenty-five are served at a time, and the job goes on") {
    each_booking_site([](BookingSite& site) {
        const auto trip = site.given_trip();
        const auto departure = site.given_departure(trip.id, 31);
        const auto ask = [&](std::int64_t travelers) {
            booking::NewBooking wanted = BookingSite::wanted();
            wanted.join_waitlist = true;
            return site.bookings.creator.create(site.open_session(trip.id, travelers), wanted, {}, {})
                .value()
                .booking.id;
        };
        site.set("waitlist_offer_hours", 0);
        ask(1);
        const auto many = ask(30);
        for (int i = 0; i < 30; ++i)
            ask(1);
        CHECK(site.to_status(many, "cancelled"));
        CHECK(site.seats_of(departure) == 26);
        CHECK(site.bookings.upkeep.end_offers(site.clock.now())->dump() ==
              R"({"ended":0,"cancelled":0,"seats_given":5})");
        CHECK(site.seats_of(departure) == 31);
    });
}

TEST_CASE("more seats, and a departure back on sale, serve who waits; one that is over does not") {
    each_queue([](Queue& queue) {
        queue.given(4);
        const auto first = queue.given(2), second = queue.given(1);
        const auto put = [&](availability::DepartureChange change) {
            return queue.site.availability.departures.update(queue.trip.id, queue.departure, change, {});
        };
        CHECK(put({.capacity = std::optional(5)}));
        CHECK(queue.status(first) == "waitlist");
        CHECK(put({.sale_state = "closed"}));
        CHECK(put({.capacity = std::optional(6)}));
        CHECK(queue.status(first) == "waitlist");
        const auto opened = put({.sale_state = "open"});
        CHECK(queue.status(first) == "pending");
        CHECK(opened->booked == 6);
        CHECK(opened->waiting == 1);
        queue.site.clock.set("2027-03-02T10:00:00Z");
        CHECK(put({.capacity = std::optional(20)}));
        CHECK(queue.status(second) == "waitlist");
    });
}

TEST_CASE(
    "who stops waiting leaves the queue, by cancelling, the trash or staff; out of the trash the queue is joined "
    "anew") {
    each_queue([](Queue& queue) {
        const auto sitting = queue.given(4);
        const auto first = queue.given(1), second = queue.given(1), third = queue.given(1), fourth = queue.given(1);
        queue.cancel(first);
        REQUIRE(queue.site.bookings.removal.trash(second, queue.site.staff));
        CHECK(queue.site.number("SELECT COUNT(*) FROM svc_waitlist WHERE ended_at IS NULL") == 2);
        REQUIRE(queue.site.bookings.removal.restore(second, queue.site.staff));
        CHECK(queue.status(second) == "waitlist");
        CHECK(code_of(queue.site.bookings.records.lifecycle().set_status(third, "confirmed", "", queue.site.staff)) ==
              "sold_out");
        CHECK(queue.status(third) == "waitlist");
        queue.cancel(sitting);
        for (const auto id : {second, third, fourth})
            CHECK(queue.status(id) == "pending");
        CHECK(queue.site.number("SELECT MAX(id) FROM svc_waitlist") ==
              queue.site.number("SELECT id FROM svc_waitlist WHERE outcome = 'promoted' AND booking_id = :id",
                                {{"id", second}}));
    });
}

TEST_CASE("staff take somebody out of the queue when there are seats, past who is before them") {
    each_queue([](Queue& queue) {
        const auto one = queue.given(1);
        queue.given(3);
        const auto first = queue.given(2), second = queue.given(1);
        queue.cancel(one);
        REQUIRE(queue.site.bookings.records.lifecycle().set_status(second, "confirmed", "", queue.site.staff));
        CHECK(queue.status(second) == "confirmed");
        CHECK(queue.status(first) == "waitlist");
        CHECK(queue.site.seats_of(queue.departure) == 4);
        CHECK(queue.site.emitted("svc_waitlist_booking_promoted") == 0);
    });
}

TEST_CASE("staff see the queues in the order in which seats are given, which is not that of the bookings") {
    each_queue([](Queue& queue) {
        const auto sitting = queue.given(4), first = queue.given(4), second = queue.given(4);
        // As a booking that waited elsewhere before and was moved to this date.
        REQUIRE(queue.site.real->write([&](store::Transaction& tx) -> Result<void> {
            tx.run("UPDATE svc_waitlist SET joined_at = joined_at + 1000000 WHERE booking_id = :id", {{"id", first}});
            return {};
        }));
        const api::Page page{.page = 1, .per_page = 20, .ascending = true, .order_by = "travel_date"};
        const auto listed = [&](const booking::QueueFilter& filter) {
            const auto [queued, total] = queue.site.bookings.lists.queues(filter, page);
            CHECK(total == static_cast<std::int64_t>(queued.size()));
            std::vector<std::int64_t> ids;
            for (const booking::Queued& one : queued)
                ids.push_back(one.booking.id);
            return ids;
        };
        CHECK(listed({}) == std::vector{second, first});
        CHECK(listed({.departure_id = queue.departure}) == std::vector{second, first});
        CHECK(listed({.departure_id = queue.departure + 1}).empty());
        CHECK(listed({.search = "guest2@example.org"}) == std::vector{first});
        CHECK(listed({.guide_id = queue.site.given_user("guide")}).empty());
        const auto [queued, total] = queue.site.bookings.lists.queues({}, page);
        CHECK(queued[0].departure_id == queue.departure);
        CHECK(queued[1].joined_at > queued[0].joined_at);
        queue.cancel(sitting);
        CHECK(queue.status(second) == "pending");
        CHECK(listed({}) == std::vector{first});
    });
}

TEST_CASE("a listener may hold the head of the queue back, and everybody behind it") {
    each_queue([](Queue& queue) {
        static std::int64_t held = 0;
        REQUIRE(
            queue.site.hooks.filter("svc_waitlist_before_promote_booking", {.name = "test"},
                                    [](auto*, const auto& given) { return json::Value(given[1].integer() != held); }));
        const auto sitting = queue.given(4), first = queue.given(1), second = queue.given(1);
        held = first;
        queue.cancel(sitting);
        CHECK(queue.status(first) == "waitlist");
        CHECK(queue.status(second) == "waitlist");
        CHECK(queue.site.seats_of(queue.departure) == 0);
    });
}

TEST_CASE("who joins the waiting list and who is given seats of it gets a mail with a subject of its own") {
    each_queue([](Queue& queue) {
        const auto sitting = queue.given(4);
        queue.given(2);
        queue.cancel(sitting);
        CHECK(messaging::template_of("waitlist_joined").subject !=
              messaging::template_of("booking_confirmation").subject);
        CHECK(messaging::template_of("waitlist_offer").subject != messaging::template_of("waitlist_joined").subject);
    });
}
