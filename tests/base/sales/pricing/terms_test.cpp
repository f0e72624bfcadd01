// Taxes by country, what may be paid at checkout, discounts that exclude each other: the rules beside the examples.
#include "base/sales/pricing/settings.hpp"
#include "tests/base/sales/pricing/filters.hpp"
#include "tests/support/shop.hpp"

using namespace svc;
using json::Value;
using tests::cut;
using tests::money;
using tests::percent;
using tests::Priced;

namespace {

std::string ids(const pricing::Quote& quote) {
    std::string all;
    for (const auto& option : quote.options)
        all += option.id + " " + option.amount.decimal() + ";";
    return all;
}

Priced flexible(const char* price) {
    Priced trip(money(price));
    trip.terms.flexible_payments = true;
    return trip;
}

}  // namespace

TEST_CASE("a deposit is the trip's amount, else its percentage, else the site's; an explicit 0 takes it away") {
    Priced trip = flexible("200");
    trip.terms.deposit = true;
    trip.terms.deposit_amount = money("30");
    CHECK(ids(trip.quote()) == "full 200.00;deposit 30.00;");
    trip.terms.deposit_rate = percent("33.5");
    CHECK(ids(trip.quote()) == "full 200.00;deposit 67.00;");
    trip.trip.deposit_percentage = percent("10");
    CHECK(ids(trip.quote()) == "full 200.00;deposit 20.00;");
    trip.trip.deposit_amount = money("45");
    CHECK(ids(trip.quote()) == "full 200.00;deposit 45.00;");
    trip.trip.deposit_amount = money("0");
    CHECK(ids(trip.quote()) == "full 200.00;");
    trip.request.payment_method = "deposit";
    CHECK(trip.error() == "payment_method_unavailable");
}

TEST_CASE("a share of less than the smallest unit asks for that unit, a share of nothing is not offered") {
    Priced trip = flexible("0.20");
    trip.terms.deposit = true;
    trip.terms.deposit_rate = percent("1");
    trip.terms.partial_rate = percent("2");
    CHECK(ids(trip.quote()) == "full 0.20;deposit 0.01;partial 0.01;");
    trip.terms.deposit_rate = trip.terms.partial_rate = percent("0");
    CHECK(ids(trip.quote()) == "full 0.20;");
}

TEST_CASE("a payment option returns the formatted balance and its terms") {
    Priced trip = flexible("12345.5");
    trip.terms.deposit = true;
    trip.terms.deposit_rate = percent("20");
    auto options = trip.quote().shown["payment_methods"];
    CHECK(options[0]["description"].text().empty());
    CHECK(options[0]["percentage"].is_null());
    CHECK(options[1]["description"].text() == "USD 9,876.40 later");
    CHECK(options[1]["percentage"].number_text() == "20");
    CHECK(options[1]["fixed_amount"].is_null());
    trip.trip.deposit_amount = money("20000");
    options = trip.quote().shown["payment_methods"];
    CHECK(options[1]["amount"].number_text() == "12345.50");
    CHECK(options[1]["fixed_amount"].number_text() == "20000.00");
    CHECK(options[1]["percentage"].is_null());
}

TEST_CASE("deposits and parts end when the module is off, and on the day the rest falls due") {
    Priced trip = flexible("200");
    trip.terms.deposit = true;
    trip.terms.deposit_rate = percent("20");
    trip.terms.partial_rate = percent("30");
    CHECK(ids(trip.quote()) == "full 200.00;deposit 40.00;partial 60.00;");
    trip.terms.balance_days = 37;  // 2026-05-04 is 37 days before 2026-06-10
    CHECK(ids(trip.quote()) == "full 200.00;");
    trip.terms.balance_days = 36;
    CHECK(ids(trip.quote()) == "full 200.00;deposit 40.00;partial 60.00;");
    trip.terms.flexible_payments = false;
    CHECK(ids(trip.quote()) == "full 200.00;");
    trip.request.payment_method = "partial";
    CHECK(trip.error() == "payment_method_unavailable");
}

TEST_CASE("a required deposit hides the full amount and is what is paid unless something else is chosen") {
    Priced trip = flexible("200");
    trip.terms.deposit = trip.terms.deposit_required = true;
    trip.terms.deposit_rate = percent("20");
    const auto quote = trip.quote();
    CHECK(ids(quote) == "deposit 40.00;");
    CHECK(quote.payment_method == "deposit");
    CHECK(quote.amount_due == money("40"));
    trip.request.method_chosen = true;  // all of it was asked for, and is not offered
    CHECK(trip.error() == "payment_method_unavailable");
    trip.trip.deposit_amount = money("0");  // nothing to require
    CHECK(ids(trip.quote()) == "full 200.00;");
}

TEST_CASE("listeners choose the percentages of deposits and parts, by trip") {
    Priced trip = flexible("200");
    trip.terms.deposit = true;
    trip.terms.deposit_rate = percent("20");
    trip.terms.partial_rate = percent("30");
    REQUIRE(trip.filters.filter("svc_deposit_percentage", {.name = "test"}, [](auto*, const json::Array& given) {
        return given[1]["trip_id"].integer() == 1 ? Value(json::Number{"12.5"}) : given[0];
    }));
    trip.filters.answering("svc_partial_payment_percentage", json::Number{"250"});
    CHECK(ids(trip.quote()) == "full 200.00;deposit 25.00;partial 200.00;");
}

TEST_CASE("of group discounts the largest counts, of equal ones the oldest") {
    Priced trip(money("100"), 4);
    trip.group(7).group_cut = cut(percent("10"));
    trip.group(3).group_cut = cut(money("40"));
    trip.group(9).group_cut = cut(percent("9"));
    const auto quote = trip.quote();
    CHECK(quote.group->discount->id == 3);
    CHECK(quote.group->label == "Group Discount (USD 40.00)");
    CHECK(quote.total == money("360"));
}

TEST_CASE("without ranges a group is two or the discount's minimum, up to its maximum") {
    for (const auto& [people, total] :
         {std::pair(1, "100.00"), std::pair(2, "180.00"), std::pair(5, "450.00"), std::pair(6, "600.00")}) {
        Priced trip(money("100"), people);
        auto& discount = trip.group(1);
        discount.group_cut = cut(percent("10"));
        discount.max_group_size = 5;
        CHECK(trip.quote().total.decimal() == total);
    }
}

TEST_CASE("where everybody pays the same, discounts by category take the party as category 0") {
    Priced trip(money("100"), 4);
    auto& discount = trip.group(1);
    discount.by_category = true;
    discount.ranges = {{.category_id = 0, .least = 3, .most = {}, .cut = cut(percent("5"))}};
    CHECK(trip.quote().total == money("380"));
}

TEST_CASE("a coupon that does not count is told and takes nothing off") {
    Priced trip(money("100"));
    trip.coupon(cut(percent("10"))).min_amount = money("100.01");
    auto quote = trip.quote();
    CHECK(quote.total == money("100"));
    CHECK(quote.coupon_error->code().name == "coupon_min_amount");
    CHECK(quote.shown["coupon_discount"]["error"]["code"].text() == "coupon_min_amount");
    CHECK(quote.shown["coupon_discount"]["code"].text() == "SAVE");
    CHECK(quote.shown["coupon_error"].is_string());
    trip.request.coupon = pricing::Coupon{.code = "NONE", .discount = {}, .error = Error{errc::coupon_not_found}};
    quote = trip.quote();
    CHECK(quote.total == money("100"));
    CHECK(quote.shown["coupon_discount"]["error"]["code"].text() == "coupon_not_found");
}

TEST_CASE("a code that is the applied group discount counts once") {
    Priced trip(money("100"), 2);
    auto& discount = trip.group(5);
    discount.mode = "both";
    discount.cut = cut(percent("10"));
    discount.group_cut = cut(percent("20"));
    trip.request.coupon = pricing::Coupon{.code = "SAVE", .discount = trip.groups.front(), .error = {}};
    const auto quote = trip.quote();
    CHECK(quote.total == money("160"));
    CHECK(quote.coupon_error->code().name == "coupon_not_applicable");
}

TEST_CASE("where no discount counts the dynamic price stays, in every stacking mode") {
    for (const auto mode : {pricing::Stacking::both, pricing::Stacking::discount_only,
                            pricing::Stacking::dynamic_pricing_only, pricing::Stacking::best_for_customer}) {
        Priced trip(money("100"));
        trip.early_bird(20);
        trip.terms.advanced_discount = true;
        trip.terms.stacking = mode;
        CHECK(trip.quote().total == money("80"));
    }
}

TEST_CASE("of two ways that cost the same the discount's is taken") {
    Priced trip(money("100"));
    trip.early_bird(10);
    trip.coupon(cut(percent("10")));
    trip.terms.advanced_discount = true;
    trip.terms.stacking = pricing::Stacking::best_for_customer;
    const auto quote = trip.quote();
    CHECK(quote.total == money("90"));
    CHECK(quote.coupon);
}

TEST_CASE("charges of the itinerary are paid beside discounts, by person or booking, and taxed") {
    Priced trip(money("100"), 3);
    trip.trip.charges = {{.entry_id = 1, .day_number = 1, .title = "Ferry", .cost = money("10.05"), .per_person = true},
                         {.entry_id = 2, .day_number = 2, .title = "Boat", .cost = money("50"), .per_person = false}};
    trip.coupon(cut(percent("50")));
    trip.taxed({{"Tax", percent("10")}});
    const auto quote = trip.quote();
    CHECK(quote.itinerary == money("80.15"));
    CHECK(quote.taxable == money("230.15"));
    CHECK(quote.tax == money("23.02"));
    CHECK(quote.total == money("253.17"));
    CHECK(quote.shown["itinerary_costs"][0]["total_cost"].number_text() == "30.15");
    tests::check_sums(quote);
}

TEST_CASE("services that are not taxable are left out of what is taxed") {
    Priced trip(money("100"));
    trip.taxed({{"Tax", percent("10")}});
    trip.filters.answering(
        "svc_booking_additional_services",
        Value::array({Value::object({{"name", "Visa"}, {"calculated_price", 40}, {"taxable", false}}),
                      Value::object({{"name", "Kit"}, {"calculated_price", 20}})}));
    const auto quote = trip.quote();
    CHECK(quote.taxable == money("120"));
    CHECK(quote.total == money("172"));
    tests::check_sums(quote);
}

TEST_CASE("listeners give payments other settings, but none that could not be stored") {
    tests::each_shop([](tests::Shop& shop) {
        const auto terms = [&](const char* key, Value value) {
            return pricing::terms_of(
                shop.settings, [](std::string_view) { return true; }, {}, shop.clock.now(),
                [&](std::string_view asked, const Value& stored) { return asked == key ? value : stored; });
        };
        CHECK(terms("enable_deposit", true).deposit);
        CHECK_FALSE(terms("enable_deposit", "perhaps").deposit);
        CHECK(terms("deposit_percentage", json::Number{"12.5"}).deposit_rate == percent("12.5"));
        CHECK(terms("deposit_percentage", 250).deposit_rate == percent("20"));
        CHECK(terms("deposit_percentage", Value()).deposit_rate == percent("20"));
        CHECK(terms("deposit_type", "fixed").deposit_amount == money("20"));
    });
}

TEST_CASE("taxes are those of the country, where it is listed, else the site's, else none") {
    tests::each_shop([](tests::Shop& shop) {
        const auto taxes = [&](const char* contact, const char* trip = "") {
            const auto terms = pricing::terms_of(
                shop.settings, [](std::string_view) { return false; }, {contact, trip}, shop.clock.now());
            std::string all;
            for (const auto& tax : terms.taxes)
                all += tax.name + " " + tax.rate.percent() + ";";
            return all;
        };
        const auto set = [&](const char* json) { REQUIRE(shop.settings.write(json::parse(json).value(), 0)); };
        set(R"({"tax_rate":7.5,"tax_label":"VAT","tax_rates":{"NP":13,"DE":19}})");
        CHECK(taxes("NP").empty());  // tax is off
        set(R"({"enable_tax":true})");
        CHECK(taxes("NP") == "VAT 7.5;");
        set(R"({"tax_by_country":true})");
        for (const char* nepal : {"np", "NPL", "Nepal", "NEPAL "})
            CHECK(taxes(nepal) == "VAT 13;");
        CHECK(taxes("Atlantis") == "VAT 7.5;");
        CHECK(taxes("FR") == "VAT 7.5;");
        CHECK(taxes("") == "VAT 7.5;");
        set(R"({"tax_country_source":"destination"})");
        CHECK(taxes("NP", "DE") == "VAT 19;");
        set(R"({"multiple_taxes_enabled":true,"multiple_taxes":[{"name":"A","rate":5},{"name":"B","rate":2}],
                "multiple_taxes_by_country":{"DE":[{"name":"C","rate":1}]}})");
        CHECK(taxes("", "DE") == "C 1;");
        CHECK(taxes("", "FR") == "A 5;B 2;");
        CHECK_FALSE(shop.settings.write(
            json::parse(R"({"multiple_taxes":[{"name":"A","rate":60},{"name":"B","rate":41}]})").value(), 0));
        CHECK_FALSE(shop.settings.write(
            json::parse(R"({"multiple_taxes":[{"name":"A","rate":6},{"name":"A","rate":4}]})").value(), 0));
        CHECK_FALSE(shop.settings.write(json::parse(R"({"tax_rates":{"Nepal":13}})").value(), 0));
    });
}
