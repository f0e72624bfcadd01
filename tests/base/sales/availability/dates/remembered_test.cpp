// Answers kept in memory: of the same dates alone, and no more than there is room for.
#include "base/sales/availability/dates/remembered.hpp"

#include <doctest/doctest.h>

using namespace svc;
using namespace svc::availability;

namespace {

Dates some_dates() { return std::make_shared<const TripDates>(); }

// Of about a kilobyte a date.
RememberedAnswer answer(const Dates& dates, std::size_t count) {
    RememberedAnswer made;
    made.dates = dates;
    const catalog::trips::PricePair price{Money{1, Currency::usd()}, std::nullopt};
    const Bookable one{{}, {}, {}, {}, {}, {}, {}, 0, 0, false, 5, price, {}, false, false, {}, {}};
    std::vector<Bookable> found(count, one);
    made.found = std::make_shared<const HeldDates>(HeldDates::Offer{.trip_id = 1, .dates = std::move(found)}, true);
    return made;
}
const std::size_t room = 40 * answer({}, 1).found->bytes();

}  // namespace

TEST_CASE("an answer is found again for the dates it was made from, and for no others") {
    RememberedAnswers kept(room);
    const Dates dates = some_dates();
    CHECK_FALSE(kept.find(1, dates).found);
    kept.keep(1, answer(dates, 1));
    CHECK(kept.find(1, dates).found->size() == 1);
    CHECK_FALSE(kept.find(1, some_dates()).found);
    CHECK_FALSE(kept.find(2, dates).found);
    kept.keep(1, answer(dates, 2));
    CHECK(kept.find(1, dates).found->size() == 2);
    CHECK(kept.bytes() < room / 3);
}

TEST_CASE("answers take no more than their room, and those asked for longest ago leave first") {
    RememberedAnswers kept(room);
    const Dates dates = some_dates();
    for (int trip = 1; trip <= 10; ++trip)
        kept.keep(trip, answer(dates, 4));
    CHECK(kept.find(1, dates).found);  // asked for just now
    for (int trip = 11; trip <= 15; ++trip)
        kept.keep(trip, answer(dates, 4));
    CHECK(kept.bytes() <= room);
    CHECK(kept.find(1, dates).found);
    CHECK_FALSE(kept.find(2, dates).found);
    CHECK(kept.find(15, dates).found);
}

TEST_CASE("an answer that would push out many others is not kept") {
    RememberedAnswers kept(room);
    const Dates dates = some_dates();
    kept.keep(1, answer(dates, 1));
    kept.keep(2, answer(dates, 10));
    CHECK_FALSE(kept.find(2, dates).found);
    CHECK(kept.find(1, dates).found);
    kept.keep(1, answer(dates, 10));  // and what it would replace is not true any more
    CHECK_FALSE(kept.find(1, dates).found);
    CHECK(kept.bytes() == 0);
}
