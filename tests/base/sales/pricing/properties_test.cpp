// Properties of every price, for any parts.
#include <algorithm>

#include "tests/base/sales/pricing/filters.hpp"
#include "tests/support/random.hpp"

using namespace svc;
using tests::cut;
using tests::Priced;

namespace {

struct Dice {
    test::Random random;
    Currency currency = Currency::usd();

    bool often() { return random.between(0, 1) == 1; }
    Money amount(std::int64_t most = 900'000) { return {random.between(0, most), currency}; }
    Rate rate() { return {random.between(0, 100) * 10'000 + random.between(0, 99) * 100}; }
    discounts::Cut any_cut() { return often() ? cut(rate()) : cut(amount(50'000)); }
};

void add_categories(Dice& dice, Priced& trip) {
    for (std::int64_t id = 1, most = dice.random.between(1, 4); id <= most; ++id) {
        trip.category(id, "Category", dice.amount(), dice.random.between(1, 6));
        if (dice.random.between(0, 3) == 0)
            trip.grouped(static_cast<int>(dice.random.between(1, 4)), true);
        if (dice.often())
            trip.request.by_category.push_back({id, dice.amount(), {}});
    }
}

void add_discounts(Dice& dice, Priced& trip) {
    for (std::int64_t id = 1, most = dice.random.between(0, 4); id <= most; ++id) {
        auto& group = trip.group(id);
        group.by_category = trip.trip.traveler_based && dice.often();
        for (std::int64_t category = 1; category <= 4; ++category)
            group.ranges.push_back({.category_id = group.by_category ? std::optional(category) : std::nullopt,
                                    .least = dice.random.between(1, 6),
                                    .most = {},
                                    .cut = dice.any_cut()});
    }
    if (dice.often()) {
        auto& coupon = trip.coupon(dice.any_cut());
        if (dice.often())
            coupon.most = dice.amount(50'000);
        if (dice.often())
            coupon.min_amount = dice.amount();
    }
}

void add_extras(Dice& dice, Priced& trip) {
    for (std::int64_t n = dice.random.between(0, 3); n > 0; --n)
        trip.trip.charges.push_back({.entry_id = n,
                                     .day_number = n,
                                     .title = "Ferry",
                                     .cost = dice.amount(20'000),
                                     .per_person = dice.often()});
    json::Value services = json::Value::array();
    for (std::int64_t n = dice.random.between(0, 3); n > 0; --n)
        services.push(json::Value::object(
            {{"name", "Service"}, {"calculated_price", dice.amount(20'000)}, {"taxable", dice.often()}}));
    if (dice.often())
        trip.filters.answering("svc_booking_additional_services", services);
}

Priced any_price(Dice& dice) {
    dice.currency = Currency::parse(dice.random.one_of(std::vector<std::string>{"JPY", "USD", "KWD"})).value();
    Priced trip(dice.amount(), dice.random.between(1, 20));
    if (dice.often())
        add_categories(dice, trip);
    add_discounts(dice, trip);
    add_extras(dice, trip);
    if (dice.often()) {
        std::vector<pricing::Tax> taxes;
        for (std::int64_t n = dice.random.between(0, 4); n > 0; --n)
            taxes.push_back({"Tax " + std::to_string(n), dice.rate()});
        trip.taxed(std::move(taxes), dice.often());
    }
    trip.terms.flexible_payments = dice.often();
    trip.terms.deposit = trip.terms.deposit_required = dice.often();
    trip.terms.deposit_rate = dice.rate();
    trip.terms.partial_rate = dice.rate();
    return trip;
}

}  // namespace

TEST_CASE("a price's lines, discounts, taxes and options add up to the last unit in 0, 2 and 3 decimals") {
    Dice dice;
    CAPTURE(dice.random.seed);
    for (int round = 0; round < 3000; ++round) {
        const Priced trip = any_price(dice);
        const auto quote = trip.quote();
        CAPTURE(quote.shown.dump());
        tests::check_sums(quote);
        const Money exclusive = quote.tax_inclusive ? Money::zero(dice.currency) : quote.tax;
        CHECK(quote.discounted + quote.services + quote.itinerary + exclusive == quote.total);
        const Money nothing = Money::zero(dice.currency);
        CHECK((quote.group ? quote.group->amount : nothing) + (quote.coupon ? quote.coupon->amount : nothing) ==
              quote.discount());
    }
}

TEST_CASE("a price does not depend on the order of what it is made of") {
    Dice dice;
    CAPTURE(dice.random.seed);
    for (int round = 0; round < 1000; ++round) {
        Priced trip = any_price(dice);
        const auto before = trip.quote();
        std::reverse(trip.groups.begin(), trip.groups.end());
        std::reverse(trip.trip.price_types.begin(), trip.trip.price_types.end());
        std::reverse(trip.trip.charges.begin(), trip.trip.charges.end());
        std::reverse(trip.request.by_category.begin(), trip.request.by_category.end());
        std::reverse(trip.terms.taxes.begin(), trip.terms.taxes.end());
        const auto after = trip.quote();
        CHECK(after.total == before.total);
        CHECK(after.tax == before.tax);
        CHECK(after.discount() == before.discount());
        CHECK(after.amount_due == before.amount_due);
        CHECK((after.group ? after.group->discount->id : 0) == (before.group ? before.group->discount->id : 0));
        CHECK(after.lines.size() == before.lines.size());
    }
}

TEST_CASE("the same is priced twice the same") {
    Dice dice;
    CAPTURE(dice.random.seed);
    for (int round = 0; round < 200; ++round) {
        const Priced trip = any_price(dice);
        CHECK(trip.quote().shown == trip.quote().shown);
    }
}
