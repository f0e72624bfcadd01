// The eight kinds, and the rules between members that only one of them has.
#include "base/catalog/classifications/kinds.hpp"

#include <algorithm>
#include <set>
#include <tuple>

#include "shared/api/named.hpp"
#include "shared/api/sometimes_sent.hpp"
#include "shared/core/country.hpp"
#include "shared/core/date.hpp"
#include "shared/core/decimal.hpp"
#include "shared/core/exact_money.hpp"

namespace svc::catalog::classifications {
namespace {

using json::Value;

bool has(const Value& details, std::string_view name) { return !details[name].is_null(); }

void destination_rule(Value& details, const Value& sent, Currency /*site*/, Faults& faults) {
    if (const auto code = sent.maybe_text("country_code"); code && !code->empty()) {
        std::string upper = *code;
        for (char& c : upper)
            c = static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
        if (country_code(upper) != upper)
            faults.at("country_code", "Enter a country code of two letters."_sentence);
        details.set("country_code", upper);
    }
    if (const auto zone = details.maybe_text("time_zone"); zone && !zone->empty() && !Zone::named(*zone))
        faults.at("time_zone", "Unknown time zone."_sentence);
    if (const auto code = details.maybe_text("currency"); code && !code->empty() && !Currency::parse(*code))
        faults.at("currency", "Unknown currency."_sentence);
    if (has(details, "latitude") != has(details, "longitude"))
        faults.at(has(details, "latitude") ? "longitude" : "latitude", "Enter both latitude and longitude."_sentence);
}

void traveler_rule(Value& details, const Value& /*sent*/, Currency /*site*/, Faults& faults) {
    const auto rules = traveler_rules(details);
    if (rules.age_min && rules.age_max && *rules.age_max <= *rules.age_min)
        faults.at("age_max", "This must be above age_min."_sentence);
    if (rules.min_pax && rules.max_pax && *rules.max_pax < *rules.min_pax)
        faults.at("max_pax", "This must not be below min_pax."_sentence);
    if (rules.another_group && !rules.max_pax)
        faults.at("max_pax", "Enter max_pax for group_overflow per_block."_sentence);
}

// A cost is in the site's currency on the day it was given.
void item_rule(Value& details, const Value& sent, Currency site, Faults& faults) {
    if (!sent.find("default_cost"))
        return;
    details.erase("currency");
    if (!has(details, "default_cost"))
        return;
    const auto cost = parse_exact(details["default_cost"].number_text(), site);
    if (!cost)
        return faults.at("default_cost", cost.error().message());
    details.set("default_cost", *cost);
    details.set("currency", site.code());
}

// Compares two decimals; 1.50 equals 1.5.
bool is_above(const Value& one, const Value& other) {
    const std::string &first = one.number_text(), &second = other.number_text();
    const auto a = Decimal::parse(first), b = Decimal::parse(second);
    if (!a || !b || a->negative != b->negative)
        return a && b && b->negative;
    const auto digits = std::max(a->fraction.size(), b->fraction.size());
    const auto padded = [&](const Decimal& decimal) {
        std::string fraction(decimal.fraction);
        fraction.resize(digits, '0');
        return std::tuple(decimal.whole.size(), std::string(decimal.whole), fraction);
    };
    return a->negative ? padded(*a) < padded(*b) : padded(*a) > padded(*b);
}

void attribute_rule(Value& details, const Value& /*sent*/, Currency /*site*/, Faults& faults) {
    const std::string field_type = details.text_or("field_type", "text_field");
    const Value& options = details["field_options"];
    if (has_options(field_type)) {
        if (options.size() == 0)
            faults.at("field_options", "Enter options for this field type."_sentence);
        std::set<std::string> values;
        for (std::size_t i = 0; i < options.size(); ++i)
            if (!values.insert(options[i].text_or("value")).second)
                faults.at("field_options." + std::to_string(i + 1) + ".value", "This value is listed twice."_sentence);
    }
    if (details.text_or("filter_type") == "range" && field_type != "number" && field_type != "date")
        faults.at("filter_type", "Ranges are only possible for numbers and dates."_sentence);
    const Value& limits = details["validation_rules"];
    const auto least = limits.maybe_integer("min_length"), most = limits.maybe_integer("max_length");
    if (least && most && *most < *least)
        faults.at("validation_rules.max_length", "This must not be below min_length."_sentence);
    if (limits["min"].is_number() && limits["max"].is_number() && is_above(limits["min"], limits["max"]))
        faults.at("validation_rules.max", "This must not be below min."_sentence);
}

api::Schema destination_members() {
    using namespace api;
    using api::text;
    return {{.name = "country", .type = text(100).or_null()},
            {.name = "country_code", .type = text(2).or_null(), .help = "ISO 3166-1 alpha-2."},
            {.name = "state", .type = text(100).or_null()},
            {.name = "city", .type = text(100).or_null()},
            {.name = "address", .type = text(300).or_null()},
            {.name = "postal_code", .type = text(20).or_null()},
            {.name = "time_zone", .type = text(64).or_null(), .help = "IANA name of the time zone."},
            {.name = "currency", .type = text(3).or_null()},
            {.name = "language", .type = text(100).or_null()},
            {.name = "latitude", .type = decimal(-90, 90).or_null()},
            {.name = "longitude", .type = decimal(-180, 180).or_null()},
            {.name = "altitude", .type = integer(-500, 9000).or_null(), .help = "Metres above the sea."},
            {.name = "best_time_to_visit", .type = text(500).or_null()},
            {.name = "attractions", .type = list(text(200), 100), .otherwise = Value::array()},
            {.name = "activities", .type = list(text(200), 100), .otherwise = Value::array()},
            {.name = "climate_info", .type = raw_text(5000).or_null(), .help = "Plain text."}};
}

api::Schema traveler_members() {
    using namespace api;
    using api::text;
    return {{.name = "age_min", .type = integer(0, 150).or_null(), .help = "Minimum age, inclusive."},
            {.name = "age_max", .type = integer(0, 150).or_null(), .help = "Maximum age, inclusive."},
            {.name = "pricing_mode",
             .type = choice({"per_person", "per_group"}),
             .help = "Whether a price applies per person or per group.",
             .otherwise = "per_person"},
            {.name = "min_pax", .type = integer(1, 100'000).or_null(), .help = "Minimum group size."},
            {.name = "max_pax", .type = integer(1, 100'000).or_null(), .help = "Maximum group size."},
            {.name = "group_overflow",
             .type = choice({"block", "per_block"}),
             .help = "Whether more than max_pax people are rejected or form another group.",
             .otherwise = "block"}};
}

api::Schema item_members() {
    using namespace api;
    using api::text;
    return {{.name = "default_cost", .type = money().or_null(), .help = "Usual cost; informational."},
            {.name = "default_duration_minutes", .type = integer(1, 525'600).or_null()}};
}

api::Schema attribute_members() {
    using namespace api;
    using api::text;
    const Schema option{{.name = "label", .type = text(255), .required = true},
                        {.name = "value", .type = text(255), .required = true}};
    const Schema limits{
        {.name = "min_length", .type = integer(0, 10'000).or_null()},
        {.name = "max_length", .type = integer(0, 10'000).or_null()},
        {.name = "min", .type = decimal().or_null()},
        {.name = "max", .type = decimal().or_null()},
        {.name = "pattern", .type = text(500).or_null(), .help = "Pattern in RE2 syntax; must match the whole value."}};
    return {{.name = "field_type",
             .type = choice({"text_field", "number", "email", "url", "textarea", "select", "radio", "checkbox", "date",
                             "time", "color", "file"}),
             .help = "Type of the values; cannot be changed once trips have values.",
             .otherwise = "text_field"},
            {.name = "field_options",
             .type = list(object("AttributeOption", option), 200),
             .help = "Options of select, radio and checkbox.",
             .otherwise = Value::array()},
            {.name = "default_value", .type = text(1000).or_null()},
            {.name = "placeholder", .type = text(255).or_null()},
            {.name = "unit", .type = text(50).or_null()},
            {.name = "required", .type = boolean(), .otherwise = false},
            {.name = "validation_rules",
             .type = object("ValidationRules",
                            sometimes_sent(limits, {"min_length", "max_length", "min", "max", "pattern"}))
                         .or_null(),
             .also = {"validation"}},
            {.name = "show_on_frontend", .type = boolean(), .otherwise = true},
            {.name = "show_in_filters", .type = boolean(), .otherwise = false},
            {.name = "filter_type",
             .type = choice({"exact", "partial", "range", "dropdown"}),
             .help = "range is only possible for numbers and dates.",
             .otherwise = "exact"},
            {.name = "searchable",
             .type = boolean(),
             .help = "Whether searches of trips match its values.",
             .otherwise = true}};
}

std::vector<Kind> all_kinds() {
    const std::vector<std::string> trip_writers{"svc_edit_trips", "svc_manage_trip_taxonomies"};
    const std::vector<std::string> usual{"id",      "name",       "slug",       "status",
                                         "sorting", "trip_count", "created_at", "updated_at"};
    const std::vector<std::string> item_order{"id", "name", "status", "created_at"};
    const auto rank =
        api::Schema{{.name = "rank", .type = api::integer(1, 10).or_null(), .help = "Difficulty, 10 is hardest."}};
    return {
        {.type = Type::destination,
         .path = "/destinations",
         .one = "destination",
         .many = "destinations",
         .writers = trip_writers,
         .sortable = usual,
         .own = destination_members(),
         .rule = destination_rule,
         .tree = true,
         .has_page = true,
         .bulk = true},
        {.type = Type::activity,
         .path = "/activities",
         .one = "activity",
         .many = "activities",
         .writers = trip_writers,
         .sortable = usual,
         .tree = true,
         .has_page = true,
         .bulk = true},
        {.type = Type::trip_category,
         .path = "/trip-categories",
         .one = "trip category",
         .many = "trip categories",
         .writers = trip_writers,
         .sortable = usual,
         .tree = true,
         .has_page = true,
         .bulk = true},
        {.type = Type::difficulty,
         .path = "/difficulty-levels",
         .one = "difficulty level",
         .many = "difficulty levels",
         .writers = trip_writers,
         .sortable = {"sorting", "id", "name", "status", "created_at"},
         .ascending = true,
         .own = rank,
         .bulk = true},
        {.type = Type::traveler_type,
         .path = "/traveler-categories",
         .one = "traveler category",
         .many = "traveler categories",
         .writers = trip_writers,
         .sortable = usual,
         .own = traveler_members(),
         .rule = traveler_rule,
         .also_called = {"label"},
         .bulk = true},
        {.type = Type::attribute,
         .path = "/attributes",
         .one = "attribute",
         .many = "attributes",
         .writers = {"svc_manage_trip_taxonomies"},
         .sortable = {"display_order", "id", "name", "field_type", "status", "created_at"},
         .ascending = true,
         .order_member = "display_order",
         .initial = Status::publish,
         .own = attribute_members(),
         .rule = attribute_rule,
         .plain = true,
         .bulk = true,
         .most = 1000},
        {.type = Type::item_type,
         .path = "/item-types",
         .one = "item type",
         .many = "item types",
         .writers = {"svc_edit_trips"},
         .sortable = item_order,
         .uses_member = "items_count",
         .plain = true,
         .most = 1000},
        {.type = Type::item,
         .path = "/items",
         .one = "item",
         .many = "items",
         .writers = {"svc_edit_trips"},
         .sortable = item_order,
         .uses_member = "usage_count",
         .own = item_members(),
         .rule = item_rule,
         .plain = true},
    };
}

}  // namespace

bool has_options(std::string_view field_type) {
    return field_type == "select" || field_type == "radio" || field_type == "checkbox";
}

const std::vector<Kind>& kinds() {
    static const std::vector<Kind> all = all_kinds();
    return all;
}

const Kind& kind_of(Type type) { return kinds().at(static_cast<std::size_t>(type)); }

}  // namespace svc::catalog::classifications
