// The worked examples of prices, to the last minor unit.
#include "base/sales/booking/record/booking.hpp"
#include "tests/base/sales/pricing/filters.hpp"

using namespace svc;
using tests::cut;
using tests::money;
using tests::percent;
using tests::Priced;

TEST_CASE("example 1: two at 199.99 without tax are 399.98, all due") {
    const auto quote = Priced(money("199.99"), 2).quote();
    CHECK(quote.total == money("399.98"));
    CHECK(quote.amount_due == money("399.98"));
    tests::check_sums(quote);
}

TEST_CASE("example 2: three at 220 of 250, 10 % off, 7.5 % tax: 638.55, of which a 20 % deposit is 127.71") {
    Priced trip(money("250"), 3);
    trip.lowered(money("220"));
    trip.coupon(cut(percent("10")));
    trip.taxed({{"Tax", percent("7.5")}});
    trip.terms.flexible_payments = trip.terms.deposit = true;
    trip.terms.deposit_rate = percent("20");
    trip.request.payment_method = "deposit";
    const auto quote = trip.quote();
    CHECK(quote.subtotal == money("660.00"));
    CHECK(quote.coupon->amount == money("66.00"));
    CHECK(quote.discounted == money("594.00"));
    CHECK(quote.tax == money("44.55"));
    CHECK(quote.total == money("638.55"));
    CHECK(quote.amount_due == money("127.71"));
    REQUIRE(quote.options.size() == 2);
    CHECK(quote.options[1].balance == money("510.84"));
    tests::check_sums(quote);
}

TEST_CASE("example 3: adults at 99.90 and children at 59.95 with 13 % tax are 429.00") {
    Priced trip;
    trip.category(1, "Adult", money("120.00"), 2, money("99.90"));
    trip.category(2, "Child", money("59.95"), 3);
    trip.taxed({{"VAT", percent("13")}});
    const auto quote = trip.quote();
    CHECK(quote.lines[0].amount == money("199.80"));
    CHECK(quote.lines[1].amount == money("179.85"));
    CHECK(quote.tax == money("49.35"));
    CHECK(quote.total == money("429.00"));
    tests::check_sums(quote);
}

TEST_CASE("example 4a: a group of at most two pays 350.00 once, and a third is refused") {
    Priced two;
    two.category(1, "Group", money("350.00"), 2);
    two.grouped(2, false);
    CHECK(two.quote().total == money("350.00"));
    Priced three;
    three.category(1, "Group", money("350.00"), 3);
    three.grouped(2, false);
    CHECK(three.error() == "group_size");
}

TEST_CASE("example 4b: nine people in blocks of four at 500.00 pay 1500.00") {
    Priced trip;
    trip.category(1, "Group", money("500.00"), 9);
    trip.grouped(4, true);
    CHECK(trip.quote().total == money("1500.00"));
}

TEST_CASE("example 5: eight at 85.50, 12 % for groups, 50 off, 20 % tax held: 551.92 with 91.99 tax") {
    Priced trip(money("85.50"), 8);
    trip.group(1).ranges = {{.category_id = {}, .least = 5, .most = 9, .cut = cut(percent("12"))}};
    trip.coupon(cut(money("50")));
    trip.taxed({{"VAT", percent("20")}}, true);
    const auto quote = trip.quote();
    CHECK(quote.subtotal == money("684.00"));
    CHECK(quote.group->amount == money("82.08"));
    CHECK(quote.group->label == "Group Discount (12%)");
    CHECK(quote.coupon->amount == money("50.00"));
    CHECK(quote.taxable == money("551.92"));
    CHECK(quote.tax == money("91.99"));
    CHECK(quote.total == money("551.92"));
    tests::check_sums(quote);
}

TEST_CASE("example 6: discounts by category: 10 % of four adults and 15 flat for three children, 525.00") {
    Priced trip;
    trip.category(1, "Adult", money("100"), 4);
    trip.category(2, "Child", money("60"), 3);
    auto& discount = trip.group(1);
    discount.by_category = true;
    discount.ranges = {{.category_id = 1, .least = 4, .most = {}, .cut = cut(percent("10"))},
                       {.category_id = 2, .least = 3, .most = {}, .cut = cut(money("15"))}};
    const auto quote = trip.quote();
    CHECK(quote.subtotal == money("580.00"));
    CHECK(quote.group->amount == money("55.00"));
    CHECK(quote.total == money("525.00"));
    tests::check_sums(quote);
}

TEST_CASE("example 7: 25 % off up to 150, taxes of 13 % and 10 %: 922.50, of which 30 % is 276.75") {
    Priced trip(money("900.00"));
    auto& coupon = trip.coupon(cut(percent("25")));
    coupon.most = money("150");
    coupon.min_amount = money("500");
    trip.taxed({{"VAT", percent("13")}, {"Service", percent("10")}});
    trip.terms.flexible_payments = true;
    trip.terms.partial_rate = percent("30");
    trip.request.payment_method = "partial";
    const auto quote = trip.quote();
    CHECK(quote.coupon->amount == money("150.00"));
    CHECK(quote.taxable == money("750.00"));
    CHECK(quote.taxes[0].amount == money("97.50"));
    CHECK(quote.taxes[1].amount == money("75.00"));
    CHECK(quote.total == money("922.50"));
    CHECK(quote.amount_due == money("276.75"));
    tests::check_sums(quote);
}

TEST_CASE("example 8: services by person, percentage and day, one included: 917.70, flat deposit 200") {
    Priced trip(money("300"), 2);
    trip.trip.duration_days = 5;
    trip.trip.deposit_amount = money("200");
    trip.taxed({{"Tax", percent("5")}});
    trip.terms.flexible_payments = trip.terms.deposit = true;
    trip.terms.deposit_rate = percent("20");
    trip.request.payment_method = "deposit";
    REQUIRE(trip.filters.filter(
        "svc_booking_additional_services", {.name = "additional_services"},
        [](auto*, const json::Array& given) -> json::Value {
            const json::Value& about = given[1];
            const Money base = Money::parse(about["base_amount"].number_text(), Currency::usd()).value();
            const auto service = [](const char* name, const Money& price) {
                return json::Value::object({{"name", name}, {"calculated_price", price}});
            };
            return json::Value::array({service("Transfer", money("25").times(about["travelers_count"].integer())),
                                       service("Insurance", base.share(percent("4"))),
                                       service("Guide", money("40").times(about["duration_days"].integer())),
                                       service("Kit", money("0"))});
        }));
    const auto quote = trip.quote();
    CHECK(quote.subtotal == money("600.00"));
    CHECK(quote.services == money("274.00"));
    CHECK(quote.taxable == money("874.00"));
    CHECK(quote.tax == money("43.70"));
    CHECK(quote.total == money("917.70"));
    CHECK(quote.amount_due == money("200.00"));
    CHECK(quote.options[1].balance == money("717.70"));
    tests::check_sums(quote);
}

namespace {

// Adults at 180.00 and a child at 95.55, 15 % early bird and a 10 % coupon.
pricing::Quote stacked(pricing::Stacking mode) {
    Priced trip;
    trip.category(1, "Adult", money("180.00"), 2);
    trip.category(2, "Child", money("95.55"), 1);
    trip.coupon(cut(percent("10")));
    trip.early_bird(15);
    trip.terms.advanced_discount = true;
    trip.terms.stacking = mode;
    auto quote = trip.quote();
    tests::check_sums(quote);
    return quote;
}

}  // namespace

TEST_CASE("example 9: dynamic prices and a coupon, both: 387.22 - 38.72 = 348.50") {
    const auto quote = stacked(pricing::Stacking::both);
    CHECK(quote.lines[0].unit_price == money("153.00"));
    CHECK(quote.lines[1].unit_price == money("81.22"));
    CHECK(quote.base_before == money("455.55"));
    CHECK(quote.shown["dp_total_adjustment"].number_text() == "-68.33");
    CHECK(quote.coupon->amount == money("38.72"));
    CHECK(quote.total == money("348.50"));
}
TEST_CASE("example 9b: the discount alone: 455.55 - 45.56 = 409.99") {
    const auto quote = stacked(pricing::Stacking::discount_only);
    CHECK(quote.coupon->amount == money("45.56"));
    CHECK(quote.total == money("409.99"));
}
TEST_CASE("example 9c: the dynamic price alone: 387.22") {
    const auto quote = stacked(pricing::Stacking::dynamic_pricing_only);
    CHECK_FALSE(quote.coupon);
    CHECK(quote.coupon_error->code().name == "coupon_not_applicable");
    CHECK(quote.total == money("387.22"));
}
TEST_CASE("example 9d: what is best for the customer: 387.22") {
    CHECK(stacked(pricing::Stacking::best_for_customer).total == money("387.22"));
}

TEST_CASE("example 10: yen have no decimals: 37,887, of which a deposit is 7,577") {
    Priced trip(money("12345", "JPY"), 3);
    trip.coupon(cut(percent("7")));
    trip.taxed({{"Tax", percent("10")}});
    trip.terms.flexible_payments = trip.terms.deposit = true;
    trip.terms.deposit_rate = percent("20");
    trip.request.payment_method = "deposit";
    const auto quote = trip.quote();
    CHECK(quote.subtotal == money("37035", "JPY"));
    CHECK(quote.coupon->amount == money("2592", "JPY"));
    CHECK(quote.taxable == money("34443", "JPY"));
    CHECK(quote.tax == money("3444", "JPY"));
    CHECK(quote.total == money("37887", "JPY"));
    CHECK(quote.amount_due == money("7577", "JPY"));
    const Money balance = quote.options[1].balance;
    CHECK(balance == money("30310", "JPY"));
    // Installments: what does not divide goes to the last ones.
    const auto parts = balance.split({1, 1, 1});
    CHECK(parts[0] + parts[1] + parts[2] == balance);
    tests::check_sums(quote);
}

TEST_CASE("example 11: a coupon of 100 % leaves nothing to pay") {
    Priced trip(money("120.00"));
    trip.coupon(cut(percent("100")));
    const auto quote = trip.quote();
    CHECK(quote.coupon->amount == money("120.00"));
    CHECK(quote.total.is_zero());
    CHECK(quote.amount_due.is_zero());
    tests::check_sums(quote);
}

TEST_CASE("example 12: taxes of 13 % and 10 % held by 100.00 are 10.57 and 8.13") {
    Priced trip(money("100.00"));
    trip.taxed({{"VAT", percent("13")}, {"City", percent("10")}}, true);
    const auto quote = trip.quote();
    CHECK(quote.tax == money("18.70"));
    CHECK(quote.taxes[0].amount == money("10.57"));
    CHECK(quote.taxes[1].amount == money("8.13"));
    CHECK(quote.total == money("100.00"));
    tests::check_sums(quote);
}

TEST_CASE("example 13: a deposit of 500 on a total of 320 is all of it") {
    Priced trip(money("320.00"));
    trip.trip.deposit_amount = money("500");
    trip.terms.flexible_payments = trip.terms.deposit = true;
    trip.request.payment_method = "deposit";
    const auto quote = trip.quote();
    CHECK(quote.amount_due == money("320.00"));
    CHECK(quote.options[1].balance.is_zero());
    tests::check_sums(quote);
}

TEST_CASE("example 14: dinars have three decimals: 83.616") {
    Priced trip(money("45.505", "KWD"), 2);
    trip.coupon(cut(percent("12.5")));
    trip.taxed({{"Tax", percent("5")}});
    const auto quote = trip.quote();
    CHECK(quote.subtotal == money("91.010", "KWD"));
    CHECK(quote.coupon->amount == money("11.376", "KWD"));
    CHECK(quote.taxable == money("79.634", "KWD"));
    CHECK(quote.tax == money("3.982", "KWD"));
    CHECK(quote.total == money("83.616", "KWD"));
    tests::check_sums(quote);
}

TEST_CASE("example 15: a departure's list price of 260 replaces both 200 and 150 of the trip") {
    Priced trip(money("200"), 2);
    trip.trip.sale_price = money("150");
    trip.request.price = {.regular = money("260"), .lowered = {}};
    CHECK(trip.quote().total == money("520.00"));
}

TEST_CASE("example 16: after the deposit of example 2 510.84 are due, after 27.71 came back 538.55") {
    const Money total = money("638.55"), nothing = money("0");
    booking::Booking booking{.subtotal = money("660.00"),
                             .discount = money("66.00"),
                             .services = nothing,
                             .itinerary = nothing,
                             .tax = money("44.55"),
                             .total = total,
                             .pay_now = money("127.71"),
                             .amount_paid = money("127.71"),
                             .payment_status = "partial",
                             .status = "pending"};
    CHECK(booking.amount_due() == money("510.84"));
    CHECK(booking::payment_status_of(total, booking.amount_paid, nothing, false) == "partial");
    booking.amount_paid = money("100.00");
    CHECK(booking.amount_due() == money("538.55"));
    CHECK(booking::payment_status_of(total, money("127.71"), money("27.71"), false) == "partial");
}
