// Answers kept in memory: of the same dates alone, and no more than there is room for.
#include "base/availability/dates/remembered.hpp"

#include <doctest/doctest.h>

using namespace svc;
using namespace svc::availability;

namespace {

Dates some_dates() { return std::make_shared<const TripDates>(); }

RememberedAnswer answer(const Dates& dates, std::size_t size) {
    RememberedAnswer made;
    made.dates = dates;
    made.body = std::make_shared<const std::string>(size, 'x');
    return made;
}

}  // namespace

TEST_CASE("an answer is found again for the dates it was made from, and for no others") {
    RememberedAnswers kept(10'000);
    const Dates dates = some_dates();
    CHECK_FALSE(kept.find(1, dates).body);
    kept.keep(1, answer(dates, 100));
    CHECK(kept.find(1, dates).body->size() == 100);
    CHECK_FALSE(kept.find(1, some_dates()).body);
    CHECK_FALSE(kept.find(2, dates).body);
    kept.keep(1, answer(dates, 200));
    CHECK(kept.find(1, dates).body->size() == 200);
    CHECK(kept.bytes() < 300);
}

TEST_CASE("answers take no more than their room, and those asked for longest ago leave first") {
    RememberedAnswers kept(10'000);
    const Dates dates = some_dates();
    for (int trip = 1; trip <= 10; ++trip)
        kept.keep(trip, answer(dates, 900));
    CHECK(kept.find(1, dates).body);  // asked for just now
    for (int trip = 11; trip <= 15; ++trip)
        kept.keep(trip, answer(dates, 900));
    CHECK(kept.bytes() <= 10'000);
    CHECK(kept.find(1, dates).body);
    CHECK_FALSE(kept.find(2, dates).body);
    CHECK(kept.find(15, dates).body);
}

TEST_CASE("an answer that would push out many others is not kept") {
    RememberedAnswers kept(10'000);
    const Dates dates = some_dates();
    kept.keep(1, answer(dates, 100));
    kept.keep(2, answer(dates, 5'000));
    CHECK_FALSE(kept.find(2, dates).body);
    CHECK(kept.find(1, dates).body);
    kept.keep(1, answer(dates, 5'000));  // and what it would replace is not true any more
    CHECK_FALSE(kept.find(1, dates).body);
    CHECK(kept.bytes() == 0);
}
