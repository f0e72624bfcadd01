// Dates as values are those of their text, and have a version for as long as they are the same.
#include "base/sales/availability/dates/held_dates.hpp"

#include <doctest/doctest.h>

#include "base/sales/availability/dates/wire.hpp"
#include "tests/support/random.hpp"

using namespace svc;
using namespace svc::availability;

namespace {

Bookable date_of(test::Random& random, int day, int minutes) {
    const Money list{random.between(1, 3) * 1000, Currency::usd()};
    Bookable date{{}, {}, {}, {}, {}, {}, {}, 0, 0, false, 5, {list, std::nullopt}, {}, false, false, {}, {}};
    date.date = date.end_date = Date::from_days(20'000 + day);
    if (minutes > 0)
        date.time = ClockTime::parse(std::to_string(10 + minutes / 60) + ":" + std::to_string(10 + minutes % 50));
    if (random.between(0, 1) == 1)
        date.departure_id = random.between(1, 9);
    if (random.between(0, 1) == 1)
        date.rule_id = random.between(1, 9);
    if (random.between(0, 1) == 1)
        date.price.lowered = Money{list.minor() - 101, Currency::usd()};
    date.capacity = static_cast<int>(random.between(1, 9));
    date.booked = static_cast<int>(random.between(0, 10));
    date.own_price = random.between(0, 1) == 1;
    date.waitlist_full = random.between(0, 1) == 1;
    date.traveler_based = random.between(0, 1) == 1;
    if (date.traveler_based)
        date.by_category.push_back({.category_id = 3, .regular = list, .lowered = std::nullopt});
    date.cutoff_at =
        Instant::from_micros((20'000LL + day) * 86'400'000'000LL + random.between(0, 86'000) * 1'000'000LL);
    return date;
}

}  // namespace

TEST_CASE("each date as a value has the members of its text, days of many times included") {
    test::Random random;
    CAPTURE(random.seed);
    for (int round = 0; round < 50; ++round) {
        std::vector<Bookable> dates;
        for (int day = 0; day < 4; ++day) {
            const auto times = random.between(0, 2) == 0 ? 14 : random.between(0, 3);
            for (int time = 0; time < std::max<int>(1, static_cast<int>(times)); ++time)
                dates.push_back(date_of(random, day, times == 0 ? 0 : time * 7 + 1));
        }
        const bool waitlist = random.between(0, 1) == 1;
        const HeldDates held({.trip_id = 7, .dates = dates, .goes_on = Date::from_days(21'000), .waitlist = waitlist},
                             true);
        const auto text = json::parse(dates_json(dates, waitlist)).value();
        CHECK(held.data().dump() == text.dump());
        CHECK(json::parse(*held.text().body).value()["data"] == text);
        constexpr std::string_view few[] = {"price", "date"};
        const auto partly = held.read(0, few);
        CHECK(partly.size() == 2);
        CHECK(partly["price"] == text[0]["price"]);
    }
}

TEST_CASE("the same dates keep their version, others have another, and what listeners may change has none") {
    test::Random random;
    const HeldDates::Offer offer{.trip_id = 7, .dates = {date_of(random, 1, 0), date_of(random, 2, 0)}};
    const HeldDates first(offer, true), same(offer, true, &first), apart(offer, true);
    CHECK(first.whole().id == 7);
    CHECK(!first.whole().version.empty());
    CHECK(same.whole().version == first.whole().version);
    CHECK(apart.whole().version != first.whole().version);
    auto changed = offer;
    ++changed.dates[1].booked;
    CHECK(HeldDates(changed, true, &first).whole().version != first.whole().version);
    changed = offer;
    changed.waitlist = true;
    CHECK(HeldDates(changed, true, &first).whole().version != first.whole().version);
    CHECK(HeldDates(offer, false, &first).whole().version.empty());
}
