// Picks words by the names of fields: a sample of a schema alone says "Sample" everywhere.
#include "base/app/examples.hpp"

#include <algorithm>

#include "shared/api/list_meta.hpp"

namespace svc::app {
namespace {

using api::Shape;
using json::Value;

struct Word {
    std::string_view name, text;
};
constexpr Word words[] = {
    {"first_name", "Ada"},
    {"contact_first_name", "Ada"},
    {"last_name", "Lovelace"},
    {"contact_last_name", "Lovelace"},
    {"name", "Ada Lovelace"},
    {"display_name", "Ada Lovelace"},
    {"customer_name", "Ada Lovelace"},
    {"login", "ada"},
    {"phone", "+44 20 7946 0001"},
    {"contact_phone", "+44 20 7946 0001"},
    {"city", "London"},
    {"title", "Nile cruise"},
    {"trip_title", "Nile cruise"},
    {"trip_name", "Nile cruise"},
    {"slug", "nile-cruise"},
    {"trip_slug", "nile-cruise"},
    {"currency", "EUR"},
    {"locale", "en"},
    {"reference", "SVC-7K2M9QX4"},
    {"booking_reference", "SVC-7K2M9QX4"},
    {"booking_number", "SVC-7K2M9QX4"},
    {"payment_gateway", "pay_later"},
    {"gateway", "bank_transfer"},
    {"coupon_code", "SPRING"},
    {"code", "SPRING"},
    {"message", "Is the cruise suitable for a child of six?"},
    {"subject", "A question"},
    {"comment", "A calm week on the river."},
    {"description", "Seven days on the river, from Luxor to Aswan."},
    {"summary", "Seven days on the river."},
    {"special_requests", "A cabin on the upper deck, please."},
    {"reason", "The customer fell ill."},
    {"notes", "Called back on Monday."},
    {"url", "https://example.org/nile-cruise"},
    {"transaction_id", "TX-20300610-1"},
};

Value example_of(const api::Type& type, std::string_view name);

Value example_of(const api::Schema& schema) {
    Value object = Value::object();
    for (const api::Field& field : schema.fields())
        if (!field.ignored)
            object.set(field.name, example_of(field.type, field.name));
    return object;
}

Value example_of(const api::Type& type, std::string_view name) {
    switch (type.shape) {
        case Shape::text: {
            const auto* const found = std::ranges::find(words, name, &Word::name);
            const bool fits =
                found != std::end(words) && found->text.size() >= type.shortest && found->text.size() <= type.longest;
            return fits ? Value{std::string(found->text)} : type.sample();
        }
        case Shape::list: {
            Value items = Value::array();
            for (std::size_t i = 0; i < std::min(type.longest, std::max(type.shortest, std::size_t{1})); ++i)
                items.push(example_of(*type.item, name));
            return items;
        }
        case Shape::object:
            return example_of(*type.members);
        default:
            return type.sample();
    }
}

}  // namespace

Value example_body(const api::RouteSpec& route) {
    return route.body.empty() || route.raw_body_only ? Value() : example_of(route.body);
}

Value example_answer(const api::RouteSpec& route) {
    if (!route.enveloped)
        return {};
    Value answer = Value::object({{"success", true}, {"data", example_of(route.answer, {})}});
    if (route.is_list)
        answer.set("meta", Value::object({{"page", 1}, {"per_page", 20}, {"total", 1}, {"total_pages", 1}}));
    return answer;
}

}  // namespace svc::app
