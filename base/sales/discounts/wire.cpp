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
    return object({{.name = "id", .type = id(), .required = true},
                   {.name = "min_group_size", .type = integer(1)},
                   {.name = "max_group_size", .type = integer(1).or_null()},
                   {.name = "discount_type", .type = choice({"percentage", "fixed"}).or_null()},
                   {.name = "discount_amount", .type = decimal(0).or_null()},
                   {.name = "discount_mode", .type = choice({"total", "category_based"})},
                   {.name = "ranges", .type = ranges},
                   {.name = "category_discounts", .type = map(ranges)},
                   {.name = "range_label", .type = text(2000), .help = "People, such as 5-9."},
                   {.name = "discount_label", .type = text(2000), .help = "The discount, such as 12%."}});
}

}  // namespace svc::discounts
