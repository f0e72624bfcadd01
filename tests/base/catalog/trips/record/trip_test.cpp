// Rules between a trip's fields, as tables.
#include <doctest/doctest.h>

#include "base/catalog/trips/record/change.hpp"

using namespace svc;
using namespace svc::catalog::trips;

namespace {

// A trip made of these fields, or the fields at fault.
struct Saved {
    std::optional<Trip> trip;
    std::string faults;
};

Saved saved(Trip before, const TripChange& change, bool fresh) {
    auto result = changed(std::move(before), change, fresh);
    if (result)
        return {std::move(*result), {}};
    std::string fields;
    for (const FieldError& each : result.error().fields())
        fields += (fields.empty() ? "" : " ") + each.field;
    return {std::nullopt, fields};
}

Saved created(TripChange change) {
    if (!change.title)
        change.title = "Trip";
    return saved(Trip{}, change, true);
}

std::string duration(const Saved& result) {
    if (!result.trip)
        return "400 " + result.faults;
    const Trip& trip = *result.trip;
    return std::string(name_of(trip.type)) + " " + std::to_string(trip.duration_days) + "/" +
           std::to_string(trip.duration_nights) + " " +
           (trip.duration_hours ? std::to_string(*trip.duration_hours) + "h" : "-");
}

TripChange made(const char* type, Sent<int> days, Sent<int> nights = {}, Sent<int> hours = {},
                const char* status = "draft") {
    TripChange change;
    if (*type)
        change.trip_type = type;
    change.duration = days;
    change.duration_nights = nights;
    change.duration_hours = hours;
    change.status = status;
    change.regular_price = "10";
    return change;
}

}  // namespace

TEST_CASE("a single day is one day without nights, whatever the days sent, and may have hours") {
    CHECK(duration(created(made("single_day", 1))) == "single_day 1/0 -");
    CHECK(duration(created(made("single_day", 0, 0, 4))) == "single_day 1/0 4h");
    CHECK(duration(created(made("single_day", 9, 3))) == "single_day 1/0 -");
    CHECK(duration(created(made("single_day", {}, {}, 24))) == "single_day 1/0 24h");
    CHECK(duration(created(made("single_day", {}, {}, 25))) == "400 duration_hours");
    for (const int nothing : {0, -3})
        CHECK(duration(created(made("single_day", 1, {}, nothing))) == "single_day 1/0 -");
    CHECK(duration(created(made("single_day", 1, {}, Sent<int>(std::in_place, std::nullopt)))) == "single_day 1/0 -");
}

TEST_CASE("hours are cleared whenever a trip is of several days or more than one day is sent") {
    CHECK(duration(created(made("single_day", 3, {}, 5))) == "single_day 1/0 -");
    const auto walk = created(made("single_day", 1, {}, 5));
    CHECK(duration(walk) == "single_day 1/0 5h");
    TripChange longer;
    longer.duration = 3;
    CHECK(duration(saved(walk.trip.value(), longer, false)) == "single_day 1/0 -");
    longer.duration_hours = 0;
    CHECK(duration(saved(walk.trip.value(), longer, false)) == "single_day 1/0 -");
    CHECK(duration(created(made("multi_day", 3, {}, 5))) == "multi_day 3/2 -");
    CHECK(duration(created(made("", 3, {}, 5))) == "multi_day 3/2 -");
    CHECK(duration(created(made("", 3, {}, 0))) == "multi_day 3/2 -");
    CHECK(duration(created(made("", 1, {}, 5))) == "single_day 1/0 5h");
    TripChange hours;
    hours.duration_hours = 5;
    CHECK(duration(saved(created(made("multi_day", 3)).trip.value(), hours, false)) == "multi_day 3/2 -");
}

TEST_CASE("several days have one night less unless nights are sent, and never as many nights as days") {
    CHECK(duration(created(made("multi_day", 5))) == "multi_day 5/4 -");
    CHECK(duration(created(made("multi_day", 5, 2))) == "multi_day 5/2 -");
    CHECK(duration(created(made("multi_day", 5, 5))) == "400 duration_nights");
    CHECK(duration(created(made("multi_day", 5, -1))) == "400 duration_nights");
}

TEST_CASE("a trip of several days with fewer than two stays a draft and cannot be published") {
    CHECK(duration(created(made("multi_day", 1))) == "multi_day 1/0 -");
    CHECK(duration(created(made("multi_day", {}))) == "multi_day 0/0 -");
    CHECK(duration(created(made("multi_day", 1, {}, {}, "publish"))) == "400 duration");
    CHECK(duration(created(made("multi_day", 2, {}, {}, "publish"))) == "multi_day 2/1 -");
}

TEST_CASE("without a type a new trip's type follows its duration; flexible is read as multi_day") {
    CHECK(duration(created(made("", {}, {}, 3))) == "single_day 1/0 3h");
    CHECK(duration(created(made("", 1))) == "single_day 1/0 -");
    CHECK(duration(created(made("", 2, {}, 3))) == "multi_day 2/1 -");
    CHECK(duration(created(made("flexible", 3))) == "multi_day 3/2 -");
}

TEST_CASE("a partial update looks at the merged values") {
    const Trip week = created(made("multi_day", 7, 5)).trip.value();
    CHECK(duration(saved(week, {}, false)) == "multi_day 7/5 -");
    TripChange shorter;
    shorter.duration = 3;
    CHECK(duration(saved(week, shorter, false)) == "multi_day 3/2 -");
    TripChange day;
    day.trip_type = "single_day";
    CHECK(duration(saved(week, day, false)) == "single_day 1/0 -");
    const Trip walk = created(made("single_day", 1, {}, 4)).trip.value();
    TripChange longer;
    longer.trip_type = "multi_day";
    CHECK(duration(saved(walk, longer, false)) == "multi_day 1/0 -");
    longer.status = "publish";
    CHECK(duration(saved(walk, longer, false)) == "400 duration");
}

TEST_CASE("publishing needs a price above zero, a draft does not") {
    TripChange change;
    change.title = "Trip";
    CHECK(created(change).faults.empty());
    change.status = "publish";
    CHECK(created(change).faults == "regular_price");
    change.regular_price = "0.01";
    CHECK(created(change).faults.empty());
}

TEST_CASE("a free trip is published with allow_free, and edited as any other then") {
    TripChange change;
    change.title = "Trip";
    change.status = "publish";
    change.allow_free = true;
    const auto free_trip = created(change);
    REQUIRE(free_trip.faults.empty());
    TripChange renamed;
    renamed.title = "Walk";
    CHECK(saved(free_trip.trip.value(), renamed, false).faults.empty());
    renamed.pricing_type = "traveler_based";  // it offers nobody a place
    CHECK(saved(free_trip.trip.value(), renamed, false).faults == "price_types");

    TripChange draft;
    draft.title = "Trip";
    TripChange published;
    published.status = "publish";
    CHECK(saved(created(draft).trip.value(), published, false).faults == "regular_price");
    published.allow_free = true;
    CHECK(saved(created(draft).trip.value(), published, false).faults.empty());
}

TEST_CASE("a lowered price is below the list price, and the discounted one counts before the sale price") {
    TripChange change;
    change.regular_price = "100";
    change.discounted_price = "100";
    change.sale_price = "120";
    CHECK(created(change).faults == "discounted_price sale_price");
    change.discounted_price = "90";
    change.sale_price = "80";
    CHECK(price_of(*created(change).trip).effective().decimal() == "90.00");
    change.discounted_price = "0";
    CHECK(price_of(*created(change).trip).effective().decimal() == "80.00");
    CHECK(price_of(*created(change).trip).discount_percent() == 20);
    change.sale_price = Sent<std::string>(std::in_place, std::nullopt);
    CHECK(price_of(*created(change).trip).effective().decimal() == "100.00");
    CHECK(price_of(*created(change).trip).discount_percent() == 0);
}

TEST_CASE("an empty deposit is null and inherits, zero is kept") {
    TripChange change;
    change.deposit_amount = "0";
    change.deposit_percentage = "33.5";
    auto trip = created(change).trip.value();
    CHECK(trip.deposit_amount->is_zero());
    CHECK(trip.deposit_percentage->percent() == "33.5");
    TripChange cleared;
    cleared.deposit_amount = cleared.deposit_percentage = Sent<std::string>(std::in_place, std::nullopt);
    trip = saved(trip, cleared, false).trip.value();
    CHECK_FALSE(trip.deposit_amount);
    CHECK_FALSE(trip.deposit_percentage);
    change.deposit_amount = "-1";
    change.deposit_percentage = "100.01";
    CHECK(created(change).faults == "deposit_amount deposit_percentage");
}

TEST_CASE("limits of travelers and of the season are in order") {
    TripChange change;
    change.min_travelers = 4;
    change.max_travelers = 3;
    change.available_from = Date::from(2026, 6, 2);
    change.available_to = Date::from(2026, 6, 1);
    CHECK(created(change).faults == "max_travelers available_to");
}

TEST_CASE("a slug is made of the letters and digits of any script") {
    const auto slug = [](const char* title, const char* wished = nullptr) {
        TripChange change;
        change.title = title;
        if (wished)
            change.slug = wished;
        const auto result = created(change);
        return result.trip ? result.trip->slug : "400 " + result.faults;
    };
    CHECK(slug("  Nile -- Cruise: 4 days! ") == "nile-cruise-4-days");
    CHECK(slug("Ägypten & Zürich") == "ägypten-zürich");
    CHECK(slug("東京 ツアー") == "東京-ツアー");
    CHECK(slug("?!") == "trip");
    CHECK(slug("Trip", "My Own Address") == "my-own-address");
    CHECK(slug("Trip", "?!") == "400 slug");
}

TEST_CASE("descriptions hold harmless markup alone, without control characters") {
    TripChange change;
    change.description = "  First <b>line</b>\r\nsecond\ttab\x1B[0m\n<script>alert(1)</script> ";
    change.payment_terms = "a\r\n<b>";
    const auto trip = created(change).trip;
    CHECK(trip->description.rfind("First <b>line</b>\nsecond\ttab[0m", 0) == 0);
    CHECK(trip->description.find("script") == std::string::npos);
    CHECK(trip->payment_terms == "a\n<b>");
}
