// When and in which parts a balance is charged.
#include <doctest/doctest.h>

#include "pro/scheduled_payments/plan.hpp"

using namespace svc;
using namespace svc::pro::scheduled_payments;

namespace {

Date day(const char* text) { return Date::parse(text).value(); }
Money usd(std::int64_t minor) { return {minor, Currency::usd()}; }

const Date today = day("2026-05-04"), far_off = day("2027-05-04");

std::int64_t sum_of(const std::vector<Part>& parts) {
    std::int64_t sum = 0;
    for (const Part& part : parts)
        sum += part.amount.minor();
    return sum;
}

}  // namespace

TEST_CASE("by the booking, at once: the balance some days after it") {
    CHECK(plan_of(usd(6000), today, far_off, {.days = 15}) == std::vector<Part>{{day("2026-05-19"), usd(6000)}});
}

TEST_CASE("by the booking, in parts: each an interval after the other, the last takes what does not divide") {
    const auto parts = plan_of(usd(10000), today, far_off, {.installments = 3, .days = 15, .interval = 30});
    CHECK(parts == std::vector<Part>{
                       {day("2026-05-19"), usd(3333)}, {day("2026-06-18"), usd(3333)}, {day("2026-07-18"), usd(3334)}});
}

TEST_CASE("by the tour, at once: some days before it") {
    CHECK(plan_of(usd(6000), today, day("2026-08-20"), {.by_tour = true, .due_days = 14}) ==
          std::vector<Part>{{day("2026-08-06"), usd(6000)}});
}

TEST_CASE("by the tour, in parts: the last on its day, the others before it, those whose day is over are not there") {
    const Terms terms{.by_tour = true, .installments = 4, .interval = 30, .due_days = 14};
    const auto all = plan_of(usd(1003), today, day("2026-10-18"), terms);
    CHECK(all == std::vector<Part>{{day("2026-07-06"), usd(250)},
                                   {day("2026-08-05"), usd(250)},
                                   {day("2026-09-04"), usd(250)},
                                   {day("2026-10-04"), usd(253)}});
    // The first would be today, which is too late: three parts are left, and they hold the whole balance.
    const auto late = plan_of(usd(1003), today, day("2026-08-16"), terms);
    CHECK(late == std::vector<Part>{
                      {day("2026-06-03"), usd(334)}, {day("2026-07-03"), usd(334)}, {day("2026-08-02"), usd(335)}});
}

TEST_CASE("what would fall on the day of travel or later is charged the day before it, in one part") {
    const Terms terms{.installments = 4, .days = 10, .interval = 10};
    const auto parts = plan_of(usd(1000), today, day("2026-05-25"), terms);  // 14, 24, 24, 24
    CHECK(parts == std::vector<Part>{{day("2026-05-14"), usd(250)}, {day("2026-05-24"), usd(750)}});
    CHECK(plan_of(usd(1000), today, day("2026-05-19"), {.days = 15}) ==
          std::vector<Part>{{day("2026-05-18"), usd(1000)}});
    CHECK(plan_of(usd(1000), today, day("2026-06-01"), {.by_tour = true, .due_days = 0}) ==
          std::vector<Part>{{day("2026-05-31"), usd(1000)}});
}

TEST_CASE("there is no plan where the day of travel is too near") {
    CHECK(plan_of(usd(1000), today, today, {.days = 15}).empty());
    CHECK(plan_of(usd(1000), today, day("2026-05-18"), {.by_tour = true, .due_days = 14}).empty());
    CHECK(plan_of(usd(1000), today, day("2026-05-10"), {.by_tour = true, .installments = 3, .due_days = 14}).empty());
    // Tomorrow's tour is paid today.
    CHECK(plan_of(usd(1000), today, day("2026-05-05"), {.days = 15}) == std::vector<Part>{{today, usd(1000)}});
}

TEST_CASE("every plan holds the whole balance in parts above zero, whatever the terms") {
    for (const std::int64_t balance : {1LL, 2LL, 23LL, 100LL, 9'999LL, 1'000'000'007LL})
        for (const bool by_tour : {false, true})
            for (std::int32_t installments = 1; installments <= 24; ++installments)
                for (const std::int32_t interval : {1, 30, 365})
                    for (const std::int32_t ahead : {1, 2, 16, 100, 3000}) {
                        const auto parts = plan_of(
                            usd(balance), today, today.plus_days(ahead),
                            {.by_tour = by_tour, .installments = installments, .interval = interval, .due_days = 14});
                        if (parts.empty())
                            continue;
                        REQUIRE(sum_of(parts) == balance);
                        for (std::size_t at = 0; at < parts.size(); ++at) {
                            REQUIRE(parts[at].amount.minor() > 0);
                            REQUIRE(parts[at].date >= today);
                            REQUIRE(parts[at].date < today.plus_days(ahead));
                            REQUIRE((at == 0 || parts[at - 1].date < parts[at].date));
                        }
                    }
}

TEST_CASE("on another day of travel a part that hangs on the tour goes with it, and all stay before that day") {
    const Date charge = day("2026-08-06");  // of a tour on 2026-08-20
    CHECK(day_of(charge, 14, day("2026-08-20"), today) == charge);
    CHECK(day_of(charge, 14, day("2026-09-20"), today) == day("2026-09-06"));
    CHECK(day_of(charge, 14, day("2026-06-20"), today) == day("2026-06-06"));
    // Its day is over: tomorrow, and looked at again tomorrow it is that day still.
    CHECK(day_of(charge, 14, day("2026-05-12"), today) == day("2026-05-05"));
    CHECK(day_of(day("2026-05-05"), 14, day("2026-05-12"), day("2026-05-05")) == day("2026-05-05"));
    CHECK(day_of(day("2026-05-05"), 14, day("2026-05-12"), day("2026-05-07")) == day("2026-05-05"));
    CHECK(day_of(charge, 14, day("2026-05-05"), today) == today);
    CHECK(day_of(charge, {}, day("2026-09-20"), today) == charge);
    CHECK(day_of(charge, {}, day("2026-08-06"), today) == day("2026-08-05"));
}

TEST_CASE("another total splits what is left in proportion, the last takes the rest") {
    CHECK(split_in_proportion(usd(9000), {usd(3333), usd(3333), usd(3334)}) ==
          std::vector<Money>{usd(2999), usd(2999), usd(3002)});
    CHECK(split_in_proportion(usd(100), {usd(1), usd(3)}) == std::vector<Money>{usd(25), usd(75)});
    CHECK(split_in_proportion(usd(1), {usd(500), usd(500)}) == std::vector<Money>{usd(0), usd(1)});
    CHECK(split_in_proportion(usd(7), {usd(100)}) == std::vector<Money>{usd(7)});
    // Beyond what two factors of 64 bits hold.
    const std::int64_t most = 999'999'999'999'999;
    CHECK(split_in_proportion(usd(most), {usd(most), usd(most)}) ==
          std::vector<Money>{usd(most / 2), usd(most - most / 2)});
}

TEST_CASE("what was paid before its day settles the first parts, a higher rest is divided in proportion") {
    const std::vector<Money> parts{usd(2666), usd(2666), usd(2668)};
    CHECK(left_of(usd(8000), parts) == parts);
    CHECK(left_of(usd(5334), parts) == std::vector<Money>{usd(0), usd(2666), usd(2668)});
    CHECK(left_of(usd(5000), parts) == std::vector<Money>{usd(0), usd(2332), usd(2668)});
    CHECK(left_of(usd(1), parts) == std::vector<Money>{usd(0), usd(0), usd(1)});
    CHECK(left_of(usd(0), parts) == std::vector<Money>{usd(0), usd(0), usd(0)});
    CHECK(left_of(usd(16000), parts) == std::vector<Money>{usd(5332), usd(5332), usd(5336)});
    for (std::int64_t rest = 1; rest <= 9000; ++rest) {
        std::int64_t sum = 0;
        for (const Money& part : left_of(usd(rest), parts))
            sum += part.minor();
        REQUIRE(sum == rest);
    }
}
