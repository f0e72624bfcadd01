// The public members of a group discount as JSON.
#include "base/sales/discounts/wire.hpp"

#include "shared/api/named.hpp"

namespace svc::discounts {
namespace {

using json::Value;

std::string size_label(std::int64_t least, const std::optional<std::int64_t>& most) {
    if (!most)
        return std::to_string(least) + "+";
    return least == *most ? std::to_string(least) : std::to_string(least) + "-" + std::to_string(*most);
}

std::string cut_label(const Cut& cut, const settings::Look& look) {
    return cut.rate ? cut.rate->percent() + "%" : cut.flat ? look.amount(*cut.flat) : std::string();
}

std::string range_label(const Discount& discount) {
    std::string label;
    for (const Range& range : discount.ranges)
        label += (label.empty() ? "" : ", ") + size_label(range.least, range.most);
    return label.empty() ? size_label(discount.min_group_size.value_or(2), discount.max_group_size) : label;
}

std::string discount_label(const Discount& discount, const settings::Look& look) {
    std::string label;
    for (const Range& range : discount.ranges)
        label += (label.empty() ? "" : ", ") + cut_label(range.cut, look);
    return label.empty() ? cut_label(discount.group_cut, look) : label;
}

}  // namespace

Value to_public_json(const Discount& discount, const settings::Look& look) {
    const Value all = discount_record().to_json(discount);
    return Value::object({{"id", discount.id},
                          {"min_group_size", discount.min_group_size.value_or(2)},
                          {"max_group_size", discount.max_group_size},
                          {"discount_type", all["group_discount_type"]},
                          {"discount_amount", all["group_discount_amount"]},
                          {"discount_mode", all["group_discount_mode"]},
                          {"ranges", all["group_discount_ranges"]},
                          {"category_discounts", all["category_discounts"]},
                          {"range_label", range_label(discount)},
                          {"discount_label", discount_label(discount, look)}});
}

api::Type public_answer() {
    using namespace api;
    using api::text;
    const Type ranges = list(object(range_record().answer_schema()), 50);
    return object({{"id", id(), "", true},
                   {"min_group_size", integer(1)},
                   {"max_group_size", integer(1).or_null()},
                   {"discount_type", choice({"percentage", "fixed"}).or_null()},
                   {"discount_amount", decimal(0).or_null()},
                   {"discount_mode", choice({"total", "category_based"})},
                   {"ranges", ranges},
                   {"category_discounts", map(ranges)},
                   {"range_label", text(2000), "People, such as 5-9."},
                   {"discount_label", text(2000), "The discount, such as 12%."}});
}

}  // namespace svc::discounts
