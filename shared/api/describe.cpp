// Types and schemas shown: as JSON Schema for OpenAPI, and by sample values.
#include <algorithm>

#include "shared/api/deprecation.hpp"
#include "shared/api/meaning.hpp"
#include "shared/api/schema.hpp"

namespace svc::api {
namespace {

using json::Value;

std::string_view json_type(Shape shape) {
    switch (shape) {
        case Shape::boolean:
            return "boolean";
        case Shape::integer:
            return "integer";
        case Shape::decimal:
            return "number";
        case Shape::list:
            return "array";
        case Shape::object:
        case Shape::map:
            return "object";
        default:
            return "string";
    }
}

Value count(std::size_t number) { return std::uint64_t{number}; }

void add_bounds(const Type& type, Value& schema) {
    if (type.least != INT64_MIN)
        schema.set("minimum", type.least);
    if (type.most != INT64_MAX)
        schema.set("maximum", type.most);
}

void add_details(const Type& type, Value& schema) {
    switch (type.shape) {
        case Shape::integer:
        case Shape::decimal:
            add_bounds(type, schema);
            break;
        case Shape::text:
            if (type.shortest > 0)
                schema.set("minLength", count(type.shortest));
            schema.set("maxLength", count(type.longest));
            break;
        case Shape::email:
            schema.set("format", "email").set("maxLength", 254);
            break;
        case Shape::date:
            schema.set("format", "date");
            break;
        case Shape::time:
            schema.set("pattern", "^([01][0-9]|2[0-3]):[0-5][0-9]$");
            break;
        case Shape::instant:
            schema.set("format", "date-time");
            break;
        case Shape::choice: {
            Value values = Value::array();
            for (const std::string& each : type.values)
                values.push(each);
            if (type.nullable)
                values.push(nullptr);
            schema.set("enum", std::move(values));
            break;
        }
        case Shape::list:
            schema.set("items", type.item->json_schema());
            if (type.shortest > 0)
                schema.set("minItems", count(type.shortest));
            schema.set("maxItems", count(type.longest));
            break;
        case Shape::map:
            schema.set("additionalProperties", type.item->json_schema()).set("maxProperties", count(type.longest));
            break;
        case Shape::boolean:
        case Shape::object:
        case Shape::anything:
            break;
    }
}

std::int64_t inside(const Type& type) { return std::clamp(std::int64_t{1}, type.least, type.most); }

}  // namespace

Value Type::json_schema() const {
    if (shape == Shape::anything)
        return Value::object();
    Value schema = shape == Shape::object ? members->json_schema() : Value::object();
    const Value name = json_type(shape);
    schema.set("type", nullable ? Value::array({name, "null"}) : name);
    add_details(*this, schema);
    return schema;
}

Value Schema::json_schema() const {
    Value properties = Value::object(), required = Value::array();
    for (const Field& field : fields()) {
        Value property = field.type.json_schema();
        const std::string old = deprecation_sentence(field.deprecated_since, field.instead);
        if (!field.help.empty() || !old.empty())
            property.set("description", field.help + (field.help.empty() || old.empty() ? "" : " ") + old);
        if (field.otherwise && !field.otherwise->is_null())
            property.set("default", *field.otherwise);
        add_meaning(field.name, field.type, property);
        if (field.ignored || !field.deprecated_since.empty())
            property.set("deprecated", true);
        if (!field.also.empty()) {
            Value names = json::array_of(field.also);
            property.set("x-also", std::move(names));
        }
        properties.set(field.name, std::move(property));
        if (field.required)
            required.push(field.name);
    }
    Value schema = Value::object({{"type", "object"}, {"properties", std::move(properties)}});
    if (required.size() > 0)
        schema.set("required", std::move(required));
    if (!name_.empty())
        schema.set("title", name_);
    return schema;
}

Value Type::sample() const {
    switch (shape) {
        case Shape::boolean:
            return true;
        case Shape::integer:
            return inside(*this);
        case Shape::decimal:
            return json::Number{std::to_string(inside(*this))};
        case Shape::text: {
            std::string words = std::string("Sample").substr(0, longest);
            if (words.size() < shortest)
                words.append(shortest - words.size(), 'x');
            return words;
        }
        case Shape::email:
            return "ada@example.org";
        case Shape::date:
            return "2030-06-10";
        case Shape::time:
            return "09:00";
        case Shape::instant:
            return "2030-06-10T09:00:00Z";
        case Shape::choice:
            return values.empty() ? Value{} : Value{values.front()};
        case Shape::list: {
            Value items = Value::array();
            for (std::size_t i = 0; i < std::min(longest, std::max(shortest, std::size_t{1})); ++i)
                items.push(item->sample());
            return items;
        }
        case Shape::object:
            return members->sample();
        case Shape::map:
            return longest == 0 ? Value::object() : Value::object({{"sample", item->sample()}});
        case Shape::anything:
            break;
    }
    return "Sample";
}

Value Schema::sample(std::string_view left_out) const {
    Value object = Value::object();
    for (const Field& field : fields())
        if (!field.ignored && field.name != left_out)
            object.set(field.name, field.type.sample());
    return object;
}

}  // namespace svc::api
