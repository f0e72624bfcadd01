// Hooks without a database, and the trips, terms and discounts that prices are tried on.
#pragma once

#include <doctest/doctest.h>

#include "base/sales/pricing/hooks.hpp"
#include "base/sales/pricing/quote.hpp"
#include "shared/hooks/registry.hpp"

namespace svc::tests {

class Filters final : public hooks::Hooks {
  public:
    Filters() { pricing::declare_hooks(*this); }
    void declare(const hooks::Action& action) override { registry_.declare(action); }
    void declare(const hooks::Filter& filter) override { registry_.declare(filter); }
    Result<void> on(std::string_view action, hooks::Listener listener, hooks::ActionCall call) override {
        return registry_.on(action, std::move(listener), std::move(call));
    }
    Result<void> filter(std::string_view name, hooks::Listener listener, hooks::FilterCall call) override {
        return registry_.filter(name, std::move(listener), std::move(call));
    }
    [[nodiscard]] bool knows(std::string_view name) const override { return registry_.knows(name); }
    void emit(store::Transaction&, const hooks::Action&, json::Array) override {
        throw std::logic_error("a price tells nothing");
    }
    json::Value apply(const hooks::Filter& filter, json::Value value, json::Array arguments,
                      store::Transaction* tx) const override {
        asked.emplace_back(filter.name);
        return registry_.apply(filter, std::move(value), std::move(arguments), tx);
    }
    [[nodiscard]] std::vector<hooks::Action> actions() const override { return registry_.actions(); }
    [[nodiscard]] std::vector<hooks::Filter> filters() const override { return registry_.filters(); }

    // A listener that answers the same whatever it is asked.
    void answering(std::string_view name, json::Value value) {
        REQUIRE(filter(name, {.name = "test"}, [value = std::move(value)](auto*, const auto&) { return value; }));
    }

    mutable std::vector<std::string> asked;

  private:
    hooks::Registry registry_{{}};
};

inline Money money(const char* decimal, const char* currency = "USD") {
    return Money::parse(decimal, Currency::parse(currency).value()).value();
}
inline Rate percent(const char* decimal) { return Rate::parse_percent(decimal).value(); }

// The parts of a price; each case changes those that it is about.
struct Priced {
    Filters filters;
    catalog::trips::Trip trip;
    pricing::Request request{
        .price = {.regular = money("0"), .lowered = {}}, .travel_date = Date::from(2026, 6, 10), .departure_time = {}};
    pricing::Terms terms;
    std::vector<std::shared_ptr<const discounts::Discount>> groups;

    explicit Priced(const Money& price = money("100"), std::int64_t travelers = 1) {
        trip.id = 1;
        trip.title = "Nile cruise";
        trip.currency = price.currency();
        trip.regular_price = price;
        request.price = {.regular = price, .lowered = {}};
        request.travelers = travelers;
        terms.today = Date::from(2026, 5, 4);
    }

    void lowered(const Money& price) { request.price.lowered = price; }
    void category(std::int64_t id, const char* label, const Money& price, std::int64_t people,
                  std::optional<Money> discounted = {}) {
        if (!trip.traveler_based)
            request.travelers = 0;
        trip.traveler_based = true;
        trip.price_types.push_back({.category_id = id,
                                    .regular = price,
                                    .discounted = discounted,
                                    .sale = {},
                                    .min_quantity = {},
                                    .max_quantity = {},
                                    .valid_from = {},
                                    .valid_to = {},
                                    .category = {}});
        trip.price_types.back().category.label = label;
        request.traveler_counts[id] = people;
        request.travelers += people;
    }
    // One group's price for at most so many people; `per_block`: more pay it again.
    void grouped(int most, bool per_block) {
        auto& rules = trip.price_types.back().category;
        rules.per_group = true;
        rules.max_pax = most;
        rules.per_block = per_block;
    }
    void taxed(std::vector<pricing::Tax> taxes, bool inclusive = false) {
        terms.taxed = true;
        terms.tax_inclusive = inclusive;
        terms.taxes = std::move(taxes);
    }
    discounts::Discount& coupon(discounts::Cut cut) {
        auto discount = std::make_shared<discounts::Discount>();
        discount->id = 900;
        discount->code = "SAVE";
        discount->cut = cut;
        discount->currency = trip.currency;
        discount->status = "publish";
        request.coupon = pricing::Coupon{.code = "SAVE", .discount = discount, .error = {}};
        return *discount;
    }
    discounts::Discount& group(std::int64_t id) {
        auto discount = std::make_shared<discounts::Discount>();
        discount->id = id;
        discount->mode = "group";
        discount->currency = trip.currency;
        discount->status = "publish";
        groups.push_back(discount);
        terms.advanced_discount = true;
        return *discount;
    }
    // The dynamic price of the Pro edition, as its listener answers it: so many percent less, not rounded.
    void early_bird(std::int64_t percent_off) {
        terms.dynamic_pricing = true;
        REQUIRE(filters.filter("svc_booking_trip_price", {.name = "dynamic_pricing"},
                               [percent_off](auto*, const json::Array& given) -> json::Value {
                                   const auto cents = Money::parse(given[0].number_text(), Currency::usd()).value();
                                   std::string digits = std::to_string(cents.minor() * (100 - percent_off));
                                   digits.insert(0, digits.size() < 5 ? 5 - digits.size() : 0, '0');
                                   return json::Number{digits.substr(0, digits.size() - 4) + "." +
                                                       digits.substr(digits.size() - 4)};
                               }));
    }

    [[nodiscard]] Result<pricing::Quote> tried(store::Transaction* tx = nullptr) const {
        const pricing::Pricing pricing(filters, {.filtered = {},
                                                 .terms = [this](const pricing::TermsFor&) { return terms; },
                                                 .group_discounts = [this](const auto&, auto*) { return groups; }});
        return pricing.quote(trip, request, tx);
    }
    [[nodiscard]] pricing::Quote quote() const { return tried().value(); }
    [[nodiscard]] std::string error() const {
        const auto quote = tried();
        return quote ? "" : std::string(quote.error().code().name);
    }
};

inline discounts::Cut cut(Rate rate) { return {.rate = rate, .flat = {}}; }
inline discounts::Cut cut(const Money& flat) { return {.rate = {}, .flat = flat}; }

// Invariants of every quote.
inline void check_sums(const pricing::Quote& quote) {
    const Money nothing = Money::zero(quote.total.currency());
    Money sum = nothing, taxes = nothing;
    for (const auto& line : quote.lines)
        sum += line.amount;
    for (const auto& tax : quote.taxes)
        taxes += tax.amount;
    CHECK(sum == quote.total);
    CHECK(taxes == quote.tax);
    CHECK_FALSE(quote.total.is_negative());
    CHECK_FALSE(quote.discounted.is_negative());
    CHECK(quote.amount_due <= quote.total);
    CHECK(quote.amount_due.is_zero() == quote.total.is_zero());
    for (const auto& option : quote.options)
        CHECK(option.amount + option.balance == quote.total);
    CHECK(quote.shown["final_total"] == json::Value(quote.total));
    CHECK(quote.shown["amount_due"] == json::Value(quote.amount_due));
    CHECK(quote.shown["total_discount_amount"] == json::Value(quote.discount()));
}

}  // namespace svc::tests
