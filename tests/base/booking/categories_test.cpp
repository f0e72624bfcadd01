// Bookings of a trip that is priced by traveler category.
#include "tests/base/booking/booking_site.hpp"

using namespace svc;
using namespace svc::tests;

namespace {

std::int64_t category(BookingSite& site, const char* slug) {
    return site.number("SELECT id FROM svc_classifications WHERE slug = :slug AND type = 'traveler_type'",
                       {{"slug", slug}});
}

}  // namespace

TEST_CASE("a session keeps how many of each category travel, and the booking is priced and seated by them") {
    each_booking_site([](BookingSite& site) {
        const auto adult = category(site, "adult"), child = category(site, "child");
        catalog::trips::TripChange change;
        change.title = "Nile cruise";
        change.duration = 4;
        change.status = "publish";
        change.pricing_type = "traveler_based";
        change.price_types = {{.category_id = adult, .regular_price = "100"},
                              {.category_id = child, .regular_price = "60"}};
        const auto trip = site.trips.create(change, {}).value();
        const auto departure = site.given_departure(trip.id, 10);

        const std::string secret = site.open_session(trip.id);
        CHECK(code_of(site.bookings.create(secret, BookingSite::wanted(), {}, {})) == "svc_validation_error");
        booking::Choice choice;
        choice.travelers = 5;
        choice.traveler_counts = {{adult, 2}, {child, 3}};
        const auto chosen = site.bookings.choose(secret, choice, {});
        REQUIRE(chosen);
        CHECK(chosen->quote->total.decimal() == "380.00");
        CHECK(site.bookings.resume(secret, {})->session.traveler_counts == choice.traveler_counts);
        const auto made = site.bookings.create(secret, BookingSite::wanted(), {}, {});
        REQUIRE(made);
        CHECK(made->booking.total.decimal() == "380.00");
        CHECK(made->booking.travelers_count == 5);
        CHECK(made->booking.traveler_counts.size() == 2);
        CHECK(site.seats_of(departure) == 5);
        CHECK(site.number("SELECT COUNT(*) FROM svc_booking_lines") == 2);
        // Another number without categories forgets them.
        const std::string other = site.open_session(trip.id);
        choice.travelers = 2;
        choice.traveler_counts = {};
        CHECK(site.bookings.choose(other, choice, {})->session.traveler_counts.empty());
    });
}
