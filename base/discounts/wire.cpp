// Discounts from and to JSON.
#include "base/discounts/wire.hpp"

#include "shared/api/named.hpp"

namespace svc::discounts {
namespace {

using json::Value;

constexpr std::size_t longest_moment = 40;

Value amount_of(const std::optional<Cut>& cut) {
    if (!cut)
        return {};
    return cut->rate ? Value(*cut->rate) : cut->flat ? Value(*cut->flat) : Value();
}

Value type_of(const std::optional<Cut>& cut) { return cut && !cut->type().empty() ? Value(cut->type()) : Value(); }

Value range_json(const Range& range) {
    return Value::object({{"min_size", range.least},
                          {"max_size", range.most},
                          {"type", type_of(range.cut)},
                          {"amount", amount_of(range.cut)},
                          {"discount_type", type_of(range.cut)},
                          {"discount_amount", amount_of(range.cut)}});
}

api::Type range_answer() {
    using namespace api;
    using api::text;
    return object("GroupDiscountRange", {{"min_size", integer(1), "", true},
                                         {"max_size", integer(1).or_null()},
                                         {"type", choice({"percentage", "fixed"})},
                                         {"amount", decimal(0)},
                                         {"discount_type", choice({"percentage", "fixed"}), "Same as type."},
                                         {"discount_amount", decimal(0), "Same as amount."}});
}

Value ranges_json(const Discount& discount) {
    Value ranges = Value::array();
    for (const Range& range : discount.ranges)
        if (!range.category_id)
            ranges.push(range_json(range));
    return ranges;
}

Value categories_json(const Discount& discount) {
    Value categories = Value::object();
    for (const Range& range : discount.ranges)
        if (range.category_id) {
            const std::string category = std::to_string(*range.category_id);
            Value ranges = categories[category].is_array() ? categories[category] : Value::array();
            ranges.push(range_json(range));
            categories.set(category, std::move(ranges));
        }
    return categories;
}

api::Type range_type() {
    using namespace api;
    using api::text;
    return object(
        "GroupDiscountRangeInput",
        {{"min_size", integer(1, 10'000), "Minimum number of people.", true, {"min", "min_group_size"}},
         {"max_size", integer(1, 10'000).or_null(), "Maximum number of people.", false, {"max", "max_group_size"}},
         {"discount_type", choice({"percentage", "fixed"}), "", true, {"type"}},
         {"discount_amount", decimal(0), "", true, {"amount"}}});
}

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
    return label.empty() && discount.group_cut ? cut_label(*discount.group_cut, look) : label;
}

template <class T>
std::optional<std::optional<T>> sent(const Value& body, std::string_view name) {
    const Value* value = body.find(name);
    if (!value)
        return std::nullopt;
    if (value->is_null())
        return std::optional<std::optional<T>>(std::in_place, std::nullopt);
    if constexpr (std::is_same_v<T, std::int64_t>)
        return std::optional<T>(value->integer());
    else
        return std::optional<T>(value->number_text());
}

// A day, or the site's day that a moment lies on: what is stored is days, both of them inclusive.
Sent<Date> sent_day(const Value& body, const char* name, const Zone& zone, std::vector<std::string>& unreadable) {
    const Value* value = body.find(name);
    if (!value)
        return std::nullopt;
    if (value->is_null() || value->text().empty())
        return Sent<Date>(std::in_place, std::nullopt);
    if (const auto day = Date::parse(value->text()))
        return std::optional(*day);
    if (const auto moment = Instant::parse(value->text()))
        if (const auto day = Date::parse(zone.date_at(*moment).text()))  // the calendar ends with the year 9999
            return std::optional(*day);
    unreadable.emplace_back(name);
    return std::nullopt;
}

RangeChange range_of(const Value& given, std::optional<std::int64_t> category_id) {
    return {.category_id = category_id,
            .least = given["min_size"].integer(),
            .most = given.maybe_integer("max_size"),
            .type = given["discount_type"].text(),
            .amount = given["discount_amount"].number_text()};
}

}  // namespace

Value to_json(const Discount& discount) {
    Value trips = Value::array();
    for (const std::int64_t trip : discount.trip_ids)
        trips.push(trip);
    return Value::object({{"id", discount.id},
                          {"code", discount.code.empty() ? Value() : Value(discount.code)},
                          {"name", discount.name},
                          {"description", discount.description},
                          {"discount_mode", discount.mode},
                          {"is_group_discount", discount.is_group()},
                          {"type", type_of(discount.cut)},
                          {"amount", amount_of(discount.cut)},
                          {"currency", discount.currency.code()},
                          {"max_discount_amount", discount.most},
                          {"min_amount", discount.min_amount},
                          {"usage_limit", discount.usage_limit},
                          {"usage_limit_per_customer", discount.usage_limit_per_customer},
                          {"usage_count", discount.usage_count},
                          {"valid_from", discount.valid_from},
                          {"expiry_date", discount.expiry_date},
                          {"first_time_customer_only", discount.first_time_customer_only},
                          {"applicable_to", discount.for_all_trips ? "all" : "specific_trips"},
                          {"trip_ids", std::move(trips)},
                          {"status", discount.status},
                          {"group_discount_mode", discount.by_category ? "category_based" : "total"},
                          {"min_group_size", discount.min_group_size},
                          {"max_group_size", discount.max_group_size},
                          {"group_discount_type", type_of(discount.group_cut)},
                          {"group_discount_amount", amount_of(discount.group_cut)},
                          {"group_discount_ranges", ranges_json(discount)},
                          {"category_discounts", categories_json(discount)},
                          {"row_version", discount.row_version},
                          {"created_at", discount.created_at},
                          {"updated_at", discount.updated_at},
                          {"created_by", discount.created_by},
                          {"updated_by", discount.updated_by},
                          {"created_by_name", discount.created_by_name},
                          {"updated_by_name", discount.updated_by_name}});
}

api::Schema written_fields(bool is_new) {
    using namespace api;
    using api::text;
    const auto otherwise = [&](Value value) { return is_new ? std::optional(std::move(value)) : std::nullopt; };
    Schema fields{
        {"code", text(50).or_null(), "Code that customers enter; required except for group discounts.", false},
        {"name", text(190), ""},
        {"description", raw_text(2000), "Notes for staff."},
        {"discount_mode", choice({"promo", "group", "both"}),
         "promo: by code; group: by party size without a code; both: either."},
        {"is_group_discount", boolean(), "Whether it is a group discount; used when discount_mode is absent."},
        {"type",
         choice({"percentage", "fixed"}).or_null(),
         "Type of the amount.",
         false,
         {"discount_type"},
         otherwise("percentage")},
        {"amount",
         decimal(0).or_null(),
         "Percentage, or amount in the site's currency; 0 for none.",
         false,
         {"discount_amount"}},
        {"max_discount_amount", money().or_null(), "Maximum discount of a percentage."},
        {"min_amount", money().or_null(), "Minimum price after group discounts."},
        {"usage_limit", integer(0, 1'000'000'000), "Maximum number of bookings; 0: no limit."},
        {"usage_limit_per_customer", integer(0, 1'000'000), "Maximum number of bookings per customer; 0: no limit."},
        {"valid_from", text(longest_moment).or_null(), "First day; an instant is converted to the site's date."},
        {"expiry_date", text(longest_moment).or_null(), "Last day; an instant is converted to the site's date."},
        {"first_time_customer_only", boolean(), "Only for customers without earlier bookings."},
        {"applicable_to", choice({"all", "specific_trips"}), "Trips that the discount applies to."},
        {"trip_ids", list(id(), 1000), "Trips for specific_trips; empty means no trip."},
        {"status", choice({"draft", "publish", "expired", "trash"}), "Status; only published discounts apply."},
        {"group_discount_mode", choice({"total", "category_based"}),
         "total: by party size; category_based: by number per traveler category."},
        {"min_group_size", integer(1, 10'000).or_null(), "Default 2; only without ranges."},
        {"max_group_size", integer(1, 10'000).or_null(), ""},
        {"group_discount_type", choice({"percentage", "fixed"}).or_null(), ""},
        {"group_discount_amount", decimal(0).or_null(), "Group discount without ranges."},
        {"group_discount_ranges", list(range_type(), 50), "Discounts by party size; the first matching range applies."},
        {"category_discounts", map(list(range_type(), 50)),
         "Ranges by traveler category id; key 0 without categories."}};
    if (!is_new)
        fields = fields.plus(
            {{"row_version", integer(1).or_null(), "The version that was read; svc_conflict when it is another."}});
    return fields;
}

api::Type discount_answer() {
    using namespace api;
    using api::text;
    const Type range = range_answer();
    return object("Discount", {{"id", id(), "", true},
                               {"code", text(50).or_null(), "", true},
                               {"name", text(190)},
                               {"description", raw_text(2000)},
                               {"discount_mode", choice({"promo", "group", "both"})},
                               {"is_group_discount", boolean()},
                               {"type", choice({"percentage", "fixed"}).or_null()},
                               {"amount", decimal(0).or_null()},
                               {"currency", text(3), "Currency of the amounts."},
                               {"max_discount_amount", money().or_null()},
                               {"min_amount", money().or_null()},
                               {"usage_limit", integer(0)},
                               {"usage_limit_per_customer", integer(0)},
                               {"usage_count", integer(0), "Number of bookings that use it."},
                               {"valid_from", date().or_null()},
                               {"expiry_date", date().or_null()},
                               {"first_time_customer_only", boolean()},
                               {"applicable_to", choice({"all", "specific_trips"})},
                               {"trip_ids", list(id(), 1000)},
                               {"status", choice({"draft", "publish", "expired", "trash"}), "", true},
                               {"group_discount_mode", choice({"total", "category_based"})},
                               {"min_group_size", integer(1).or_null()},
                               {"max_group_size", integer(1).or_null()},
                               {"group_discount_type", choice({"percentage", "fixed"}).or_null()},
                               {"group_discount_amount", decimal(0).or_null()},
                               {"group_discount_ranges", list(range, 50)},
                               {"category_discounts", map(list(range, 50))},
                               {"row_version", integer(1)},
                               {"created_at", instant()},
                               {"updated_at", instant()},
                               {"created_by", id().or_null()},
                               {"updated_by", id().or_null()},
                               {"created_by_name", text(255).or_null()},
                               {"updated_by_name", text(255).or_null()}});
}

Change change_of(const Value& body, const Zone& zone) {
    const Value* code = body.find("code");
    Change change{.code = code ? std::optional(code->is_null() ? std::string() : code->text()) : std::nullopt,
                  .name = body.maybe_text("name"),
                  .description = body.maybe_text("description"),
                  .mode = body.maybe_text("discount_mode"),
                  .type = body.maybe_text("type"),
                  .status = body.maybe_text("status"),
                  .applicable_to = body.maybe_text("applicable_to"),
                  .group_mode = body.maybe_text("group_discount_mode"),
                  .group_type = body.maybe_text("group_discount_type"),
                  .amount = sent<std::string>(body, "amount"),
                  .most = sent<std::string>(body, "max_discount_amount"),
                  .min_amount = sent<std::string>(body, "min_amount"),
                  .group_amount = sent<std::string>(body, "group_discount_amount"),
                  .usage_limit = body.maybe_integer("usage_limit"),
                  .usage_limit_per_customer = body.maybe_integer("usage_limit_per_customer"),
                  .row_version = body.maybe_integer("row_version"),
                  .min_group_size = sent<std::int64_t>(body, "min_group_size"),
                  .max_group_size = sent<std::int64_t>(body, "max_group_size"),
                  .first_time_customer_only = body.maybe_boolean("first_time_customer_only"),
                  .is_group = body.maybe_boolean("is_group_discount")};
    change.valid_from = sent_day(body, "valid_from", zone, change.unreadable);
    change.expiry_date = sent_day(body, "expiry_date", zone, change.unreadable);
    if (const Value& trips = body["trip_ids"]; trips.is_array())
        for (change.trip_ids.emplace(); const Value& trip : trips.items())
            change.trip_ids->push_back(trip.integer());
    if (const Value& ranges = body["group_discount_ranges"]; ranges.is_array())
        for (change.ranges.emplace(); const Value& range : ranges.items())
            change.ranges->push_back(range_of(range, std::nullopt));
    if (const Value& categories = body["category_discounts"]; categories.is_object())
        for (change.category_ranges.emplace(); const auto& [category, ranges] : categories.members()) {
            const auto known = category == "0" ? Result<Value>(Value(0)) : api::id().check(Value(category), category);
            for (const Value& range : ranges.items())
                change.category_ranges->push_back(range_of(range, known ? known->integer() : -1));
        }
    return change;
}

Value to_public_json(const Discount& discount, const settings::Look& look) {
    return Value::object({{"id", discount.id},
                          {"min_group_size", discount.min_group_size.value_or(2)},
                          {"max_group_size", discount.max_group_size},
                          {"discount_type", type_of(discount.group_cut)},
                          {"discount_amount", amount_of(discount.group_cut)},
                          {"discount_mode", discount.by_category ? "category_based" : "total"},
                          {"ranges", ranges_json(discount)},
                          {"category_discounts", categories_json(discount)},
                          {"range_label", range_label(discount)},
                          {"discount_label", discount_label(discount, look)}});
}

api::Type public_answer() {
    using namespace api;
    using api::text;
    const Type range = range_answer();
    return object({{"id", id(), "", true},
                   {"min_group_size", integer(1)},
                   {"max_group_size", integer(1).or_null()},
                   {"discount_type", choice({"percentage", "fixed"}).or_null()},
                   {"discount_amount", decimal(0).or_null()},
                   {"discount_mode", choice({"total", "category_based"})},
                   {"ranges", list(range, 50)},
                   {"category_discounts", map(list(range, 50))},
                   {"range_label", text(2000), "Number of people, such as 5-9."},
                   {"discount_label", text(2000), "The discount, such as 12%."}});
}

}  // namespace svc::discounts
