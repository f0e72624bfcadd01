// Prices the travelers, takes discounts off, and chooses where dynamic prices and discounts exclude each other.
#include "base/sales/pricing/travelers.hpp"

#include <algorithm>

#include "base/sales/pricing/category_lines.hpp"
#include "base/sales/pricing/hooks.hpp"

namespace svc::pricing {
namespace {

using json::Value;

std::vector<discounts::Share> party_of(const Way& way) {
    std::vector<discounts::Share> party;
    for (const Line& line : way.lines)
        party.push_back({line.category_id, line.category_id > 0 ? line.people : line.quantity, line.amount});
    return party;
}

Value lines_so_far(const std::vector<Line>& lines) {
    return json::array_of(lines, [&](const Line& line) {
        return Value::object({{"kind", line.kind},
                              {"label", line.label},
                              {"quantity", line.quantity},
                              {"unit_price", line.unit_price},
                              {"amount", line.amount}});
    });
}

// Labels of the listeners' reductions.
constexpr const char *group_label = "Group Discount", *other_label = "Discount";

std::string coupon_label(const Coupon& coupon) { return "Coupon " + coupon.code; }

}  // namespace

Money sum_of(const std::vector<Line>& lines, Currency currency) {
    Money sum = Money::zero(currency);
    for (const Line& line : lines)
        sum += line.amount;
    return sum;
}

void spread(std::vector<Line>& lines, const Money& sum) {
    std::vector<std::int64_t> weights;
    weights.reserve(lines.size());
    for (const Line& line : lines)
        weights.push_back(line.amount.minor());
    const auto parts = sum.split(weights);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        lines[i].amount = parts[i];
        lines[i].unit_price = parts[i].share(1, std::max<std::int64_t>(1, lines[i].quantity));
    }
}

Money Way::left() const {
    Money left = subtotal;
    for (const auto& taken : {group, coupon})
        if (taken)
            left -= taken->amount;
    return left;
}

Money Travelers::unit_price(const catalog::trips::PricePair& listed, std::int64_t category_id, bool dynamic) const {
    const auto filtered = [&](const hooks::Filter& filter, const Money& ours) {
        if (!listeners_.has_listener(filter))
            return ours;
        Value about = listeners_.context();
        if (category_id > 0)
            about.set("category_id", category_id);
        about.set("regular_price", listed.regular);
        return listeners_.amount(filter, ours, {std::move(about), listeners_.result()});
    };
    const Money unit = filtered(availability_price, listed.effective());
    return dynamic ? filtered(booking_trip_price, unit) : unit;
}

// One line for everybody, or one a category.
Result<std::vector<Line>> Travelers::lines(bool dynamic) const {
    const auto price = [&](const catalog::trips::PricePair& listed, std::int64_t category_id) {
        return unit_price(listed, category_id, dynamic);
    };
    if (request_.traveler_based.value_or(trip_.traveler_based))
        return category_lines(trip_, request_, price);
    const Money unit = price(request_.price, 0);
    return std::vector<Line>{{.kind = "traveler",
                              .label = trip_.title,
                              .quantity = request_.travelers,
                              .unit_price = unit,
                              .amount = unit.times(request_.travelers),
                              .regular = request_.price.regular}};
}

Result<Way> Travelers::priced() {
    SVC_ASSIGN_OR_RETURN(auto dynamic, lines(true));
    if (!listeners_.has_listener(booking_trip_price)) {
        listed_ = dynamic;
        return way(std::move(dynamic), true);
    }
    SVC_ASSIGN_OR_RETURN(auto listed, lines(false));
    listed_ = listed;
    const bool moved = !std::equal(listed_.begin(), listed_.end(), dynamic.begin(), dynamic.end(),
                                   [](const Line& a, const Line& b) { return a.unit_price == b.unit_price; });
    const bool may_exclude = terms_.advanced_discount && terms_.dynamic_pricing;
    const Stacking mode = may_exclude && moved ? terms_.stacking : Stacking::both;
    if (mode == Stacking::both)
        return way(std::move(dynamic), true);
    if (mode == Stacking::dynamic_pricing_only)
        return way(std::move(dynamic), false);
    Way by_discount = way(std::move(listed), true);
    if (by_discount.left() == by_discount.subtotal)
        return way(std::move(dynamic), true);  // no discount, so the dynamic price stays
    if (mode == Stacking::discount_only)
        return by_discount;
    Way by_price = way(std::move(dynamic), false);
    return by_price.left() < by_discount.left() ? by_price : by_discount;
}

Way Travelers::way(std::vector<Line> lines, bool discounts) const {
    const Money computed = sum_of(lines, trip_.currency);
    Way way{.lines = std::move(lines),
            .base = computed,
            .subtotal = computed,
            .group = {},
            .coupon = {},
            .coupon_error = {}};
    listeners_.note("lines", [&] { return lines_so_far(way.lines); });
    listeners_.note("base_amount", computed);
    way.base = listeners_.amount(calculate_base_amount, computed);
    listeners_.note("base_amount", way.base);
    listeners_.note("subtotal", way.base);
    way.subtotal = listeners_.amount(calculate_subtotal, way.base);
    listeners_.note("subtotal", way.subtotal);
    if (way.subtotal != computed)
        spread(way.lines, way.subtotal);
    if (!discounts) {
        way.code_set_aside = request_.coupon && !request_.coupon->error;
        if (way.code_set_aside)
            way.coupon_error = Error{errc::coupon_not_applicable, "This price is reduced already."_sentence};
        else if (request_.coupon)
            way.coupon_error = request_.coupon->error;
        return way;
    }
    take_group(way);
    take_coupon(way);
    let_stack(way);
    return way;
}

void Travelers::take_group(Way& way) const {
    std::vector<const discounts::Discount*> candidates;
    for (const auto& each : groups_)
        candidates.push_back(each.get());
    const auto party = party_of(way);
    const auto* best = discounts::best_group(candidates, party, way.subtotal);
    const Money ours = best ? best->group_amount(party, way.subtotal) : Money::zero(trip_.currency);
    const Money amount = min(listeners_.amount(calculate_group_discount, ours), way.subtotal);
    listeners_.note("group_discount", [&] { return Value::object({{"amount", amount}}); });
    if (amount.is_zero())
        return;
    way.group = Applied{.discount = {}, .code = {}, .label = group_label, .amount = amount};
    if (!best)
        return;
    way.group->discount =
        *std::find_if(groups_.begin(), groups_.end(), [&](const auto& each) { return each.get() == best; });
    way.group->label = best->group_label(party, terms_.written(amount));
    way.group->categories = best->group_categories(party);
}

std::optional<Error> Travelers::coupon_fault(const Way& way, const Money& rest) const {
    const Coupon& coupon = *request_.coupon;
    if (coupon.error)
        return coupon.error;
    if (way.group && way.group->discount && way.group->discount->id == coupon.discount->id)
        return Error{errc::coupon_not_applicable, "This discount is in the price already."_sentence};
    if (coupon.discount->min_amount && rest < *coupon.discount->min_amount)
        return Error{errc::coupon_min_amount}.with("required", coupon.discount->min_amount->decimal());
    return std::nullopt;
}

void Travelers::take_coupon(Way& way) const {
    const Money rest = way.left();
    Money amount = Money::zero(trip_.currency);
    if (request_.coupon) {
        way.coupon_error = coupon_fault(way, rest);
        if (!way.coupon_error)
            amount = request_.coupon->discount->coupon_amount(rest);
    }
    const bool applies = request_.coupon && !way.coupon_error;
    amount = min(listeners_.amount(calculate_coupon_discount, amount), rest);
    listeners_.note("coupon_discount", [&] {
        return Value::object(
            {{"code", applies ? Value(request_.coupon->code) : Value()}, {"calculated_amount", amount}});
    });
    if (applies)
        way.coupon = Applied{.discount = request_.coupon->discount,
                             .code = request_.coupon->code,
                             .label = coupon_label(*request_.coupon),
                             .amount = amount};
    else if (!amount.is_zero())
        way.coupon = Applied{.discount = {}, .code = {}, .label = other_label, .amount = amount};
}

// Listeners may change the discounts, or add one.
void Travelers::let_stack(Way& way) const {
    if (!listeners_.has_listener(after_discount_stack))
        return;
    const Money nothing = Money::zero(trip_.currency);
    const Money group = way.group ? way.group->amount : nothing, coupon = way.coupon ? way.coupon->amount : nothing;
    const Value answer = listeners_.value(
        after_discount_stack,
        Value::object({{"subtotal", way.subtotal}, {"group_discount", group}, {"coupon_discount", coupon}}));
    const auto take = [](std::optional<Applied>& discount, const char* label, const Money& amount) {
        if (discount)
            discount->amount = amount;
        else if (!amount.is_zero())
            discount = Applied{.discount = {}, .code = {}, .label = label, .amount = amount};
    };
    take(way.group, group_label, min(taken_back(answer["group_discount"], group), way.subtotal));
    take(way.coupon, other_label,
         min(taken_back(answer["coupon_discount"], coupon), way.subtotal - (way.group ? way.group->amount : nothing)));
}

}  // namespace svc::pricing
