// Changing a booking's status: seats, log, events and refusals.
#include "tests/base/sales/booking/booking_site.hpp"

using namespace svc;
using namespace svc::tests;

TEST_CASE("cancelling twice gives the seats back once") {
    each_booking_site([](BookingSite& site) {
        const auto trip = site.given_trip();
        const auto departure = site.given_departure(trip.id, 10);
        site.given_booking(trip.id, 3);
        const auto cancelled = site.given_booking(trip.id, 2);
        CHECK(site.seats_of(departure) == 5);
        for (int again = 0; again < 3; ++again)
            CHECK(site.to_status(cancelled.id, "cancelled"));
        CHECK(site.seats_of(departure) == 3);
        CHECK(site.emitted("svc_booking_cancelled") == 1);
        CHECK(site.number("SELECT COUNT(*) FROM svc_booking_status_log WHERE booking_id = :id",
                          {{"id", cancelled.id}}) == 1);
        CHECK(site.booking_of(cancelled.id).cancelled_at == site.clock.now());
    });
}

TEST_CASE("a cancelled booking comes back to life when there are seats and not otherwise") {
    each_booking_site([](BookingSite& site) {
        const auto trip = site.given_trip();
        const auto departure = site.given_departure(trip.id, 2);
        const auto first = site.given_booking(trip.id, 2);
        CHECK(site.to_status(first.id, "cancelled"));
        const auto second = site.given_booking(trip.id, 1);
        CHECK(code_of(site.to_status(first.id, "confirmed")) == "sold_out");
        CHECK(site.booking_of(first.id).status == "cancelled");
        CHECK(site.seats_of(departure) == 1);
        CHECK(site.to_status(second.id, "cancelled"));
        CHECK(site.to_status(first.id, "confirmed"));
        CHECK(site.seats_of(departure) == 2);
    });
}

TEST_CASE("every status that staff may not set is refused and changes nothing") {
    each_booking_site([](BookingSite& site) {
        const auto made = site.given_booking(site.given_trip().id);
        for (const char* never : {"pending_verification", "waitlist", "trash"})
            CHECK(code_of(site.to_status(made.id, never)) == "svc_invalid_transition");
        CHECK(site.to_status(made.id, "refunded"));
        for (const std::string_view status : booking::status::all)
            if (status != "refunded")
                CHECK(code_of(site.to_status(made.id, status)) == "svc_invalid_transition");
        CHECK(site.emitted("svc_booking_status_changed") == 1);
        CHECK(code_of(site.to_status(9999, "confirmed")) == "booking_not_found");
    });
}

TEST_CASE("the trash frees seats, and restoring brings back the status without telling of it anew") {
    each_booking_site([](BookingSite& site) {
        const auto trip = site.given_trip();
        const auto departure = site.given_departure(trip.id, 5);
        for (const char* before : {"confirmed", "cancelled", "pending"}) {
            CAPTURE(before);
            const auto made = site.given_booking(trip.id, 2);
            CHECK(site.to_status(made.id, before));
            const auto told = std::pair(site.emitted("svc_booking_confirmed"), site.emitted("svc_booking_cancelled"));
            const auto confirmed_at = site.booking_of(made.id).confirmed_at;
            const auto seats = site.seats_of(departure);
            site.clock.advance(std::chrono::hours(1));
            CHECK(site.bookings.removal.trash(made.id, site.staff));
            CHECK(site.booking_of(made.id).status == "trash");
            CHECK(code_of(site.bookings.removal.trash(made.id, site.staff)) == "svc_invalid_transition");
            CHECK(site.seats_of(departure) == 0);
            const auto back = site.bookings.removal.restore(made.id, site.staff);
            REQUIRE(back);
            CHECK(back->status == before);
            CHECK(back->confirmed_at == confirmed_at);
            CHECK(site.seats_of(departure) == seats);
            CHECK(code_of(site.bookings.removal.restore(made.id, site.staff)) == "svc_invalid_transition");
            CHECK(told == std::pair(site.emitted("svc_booking_confirmed"), site.emitted("svc_booking_cancelled")));
            static_cast<void>(site.to_status(made.id, "failed"));
        }
        CHECK(site.emitted("svc_booking_deleted") == 3);
    });
}

TEST_CASE("an edit with an old row_version is a conflict") {
    each_booking_site([](BookingSite& site) {
        const auto made = site.given_booking(site.given_trip().id);
        const auto edited =
            site.bookings.desk.edit(made.id, {.internal_notes = "vip", .row_version = made.row_version});
        REQUIRE(edited);
        CHECK(edited->row_version == made.row_version + 1);
        CHECK(code_of(site.bookings.desk.edit(made.id, {.internal_notes = "no", .row_version = made.row_version})) ==
              "svc_conflict");
        const auto person = json::Value::object({{"first_name", "Ada"}});
        CHECK(code_of(site.bookings.desk.edit(made.id, {.travelers = json::Value::array({person, person})})) ==
              "svc_validation_error");
    });
}

TEST_CASE("what is asked for at checkout follows the total by the terms that the booking was made on") {
    each_booking_site([](BookingSite& site) {
        site.set("enable_deposit", true);
        site.set("deposit_percentage", 10);
        const auto by_deposit = [&](const char* price, std::optional<std::string> flat = {}) {
            const auto trip = site.given_trip({.price = price});
            if (flat) {
                catalog::trips::TripChange change;
                change.deposit_amount = flat;
                REQUIRE(site.trips.editor().update(trip.id, change, {}));
            }
            const std::string secret = site.open_session(trip.id);
            REQUIRE(site.bookings.sessions.choose(secret, {.payment_method = "deposit"}, {}));
            return site.bookings.creator.create(secret, BookingSite::wanted(), {}, {}).value().booking;
        };
        const auto due_at = [&](std::int64_t id, const char* total) {
            REQUIRE(site.bookings.desk.edit(id, {.total = total}, site.staff));
            return site.booking_of(id).amount_due().decimal();
        };
        const auto share = by_deposit("100");
        CHECK(share.amount_due().decimal() == "10.00");
        CHECK(due_at(share.id, "10") == "1.00");
        CHECK(due_at(share.id, "200") == "20.00");
        site.set("deposit_percentage", 50);  // of others
        CHECK(due_at(share.id, "0.03") == "0.01");
        CHECK(due_at(share.id, "0") == "0.00");
        CHECK(due_at(share.id, "100") == "10.00");

        const auto flat = by_deposit("100", "60");
        CHECK(flat.amount_due().decimal() == "60.00");
        CHECK(due_at(flat.id, "40") == "40.00");
        CHECK(due_at(flat.id, "500") == "60.00");

        const auto capped = by_deposit("100", "150");
        CHECK(capped.amount_due().decimal() == "100.00");
        CHECK(due_at(capped.id, "400") == "150.00");
        const auto full = site.bookings.desk.edit(capped.id, {.choice = {.payment_method = "full"}}, site.staff);
        CHECK(full->amount_due().decimal() == "400.00");
        CHECK(site.bookings.desk.edit(capped.id, {.choice = {.payment_method = "deposit"}}, site.staff)
                  ->amount_due()
                  .decimal() == "150.00");
        REQUIRE(site.pay(capped.id, "150"));
        CHECK(due_at(capped.id, "500") == "350.00");
    });
}

TEST_CASE("a deposit booking priced anew after deposits were given up is asked for the whole, others keep their way") {
    each_booking_site([](BookingSite& site) {
        site.set("enable_deposit", true);
        site.set("deposit_percentage", 10);
        const auto trip = site.given_trip({.price = "100"});
        const std::string secret = site.open_session(trip.id);
        REQUIRE(site.bookings.sessions.choose(secret, {.payment_method = "deposit"}, {}));
        const auto made = site.bookings.creator.create(secret, BookingSite::wanted(), {}, {}).value().booking;
        const auto in_full = site.given_booking(trip.id);
        site.set("enable_deposit", false);
        const auto late = site.given_booking(trip.id);
        CHECK(code_of(site.bookings.desk.edit(late.id, {.choice = {.payment_method = "deposit"}}, site.staff)) ==
              "payment_method_unavailable");
        CHECK(code_of(site.bookings.desk.edit(made.id, {.choice = {.payment_method = "deposit"}, .recalculate = true},
                                              site.staff)) == "payment_method_unavailable");
        CHECK(site.booking_of(made.id).amount_due().decimal() == "10.00");
        const auto anew = site.bookings.desk.edit(made.id, {.recalculate = true}, site.staff);
        REQUIRE(anew);
        CHECK(anew->payment_method == "full");
        CHECK(anew->amount_due().decimal() == "100.00");
        CHECK(site.bookings.desk.edit(in_full.id, {.recalculate = true}, site.staff)->payment_method == "full");
    });
}

TEST_CASE("a booking whose status a listener takes out of the consuming ones leaves its seats to others") {
    each_booking_site([](BookingSite& site) {
        bool narrowed = true;
        REQUIRE(site.hooks.filter("svc_capacity_consuming_booking_statuses", {.name = "t"},
                                  [&](store::Transaction*, const json::Array& a) {
                                      if (!narrowed)
                                          return a.at(0);
                                      json::Value kept = json::Value::array();
                                      for (const json::Value& one : a.at(0).items())
                                          if (one.text() != "pending")
                                              kept.push(one);
                                      kept.push("cancelled");  // an ended booking holds none, whatever is said
                                      return kept;
                                  }));
        const auto trip = site.given_trip();
        const auto departure = site.given_departure(trip.id, 2);
        const auto first = site.given_booking(trip.id), second = site.given_booking(trip.id);
        CHECK(site.seats_of(departure) == 0);
        REQUIRE(site.to_status(first.id, "confirmed"));
        CHECK(site.seats_of(departure) == first.travelers_count);
        if (first.travelers_count == 2)
            CHECK_FALSE(site.to_status(second.id, "confirmed"));  // no seats are left for it
        REQUIRE(site.to_status(first.id, "pending"));
        CHECK(site.seats_of(departure) == 0);
        REQUIRE(site.to_status(second.id, "cancelled"));
        CHECK(site.seats_of(departure) == 0);
        narrowed = false;
        REQUIRE(site.to_status(first.id, "on-hold"));
        CHECK(site.seats_of(departure) == first.travelers_count);
        REQUIRE(site.to_status(first.id, "pending"));
        CHECK(site.seats_of(departure) == first.travelers_count);
        CHECK(site.given_booking(site.given_trip().id).departure_id);
    });
}
