// Named schemas become components.
#include "base/app/named_schemas.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

namespace svc::app {
namespace {

// A schema's properties and required names as sorted texts, for comparing.
struct Parts {
    const std::string* name;
    const json::Value* schema;
    std::vector<std::string> properties, required;
};

std::vector<Parts> parts_of(const json::Value& schemas) {
    std::vector<Parts> all;
    for (const auto& [name, schema] : schemas.members()) {
        Parts parts{&name, &schema, {}, {}};
        for (const auto& [field, property] : schema["properties"].members())
            parts.properties.push_back(field + ' ' + property.dump());
        if (schema["required"].is_array())
            for (const json::Value& field : schema["required"].items())
                parts.required.push_back(field.text());
        std::sort(parts.properties.begin(), parts.properties.end());
        std::sort(parts.required.begin(), parts.required.end());
        all.push_back(std::move(parts));
    }
    return all;
}

// Whether it pays to write the first schema as the second one and some more. Of two with the same properties the one
// with more required fields, or the later name, refers to the other, so that no two refer to each other.
bool extends(const Parts& whole, const Parts& part) {
    constexpr std::size_t worthwhile = 5;
    if (part.properties.size() < worthwhile || part.properties.size() * 2 < whole.properties.size() ||
        part.properties.size() > whole.properties.size())
        return false;
    if (part.properties.size() == whole.properties.size() &&
        std::pair(part.required.size(), *part.name) >= std::pair(whole.required.size(), *whole.name))
        return false;
    return std::includes(whole.required.begin(), whole.required.end(), part.required.begin(), part.required.end()) &&
           std::includes(whole.properties.begin(), whole.properties.end(), part.properties.begin(),
                         part.properties.end());
}

// Required fields of the part are listed next to allOf, where type generators look for them; own ones with their
// properties.
json::Value extension(const json::Value& whole, const Parts& part) {
    json::Value properties = json::Value::object(), own = json::Value::array(), inherited = json::Value::array();
    for (const auto& [field, property] : whole["properties"].members())
        if (!(*part.schema)["properties"].find(field))
            properties.set(field, property);
    if (whole["required"].is_array())
        for (const json::Value& field : whole["required"].items())
            if (!std::binary_search(part.required.begin(), part.required.end(), field.text()))
                (properties.find(field.text()) ? own : inherited).push(field);
    json::Value all = json::Value::array({json::Value::object({{"$ref", "#/components/schemas/" + *part.name}})});
    if (properties.size() > 0) {
        json::Value rest = json::Value::object({{"type", "object"}, {"properties", std::move(properties)}});
        if (own.size() > 0)
            rest.set("required", std::move(own));
        all.push(std::move(rest));
    }
    json::Value extended = json::Value::object({{"allOf", std::move(all)}});
    if (inherited.size() > 0)
        extended.set("required", std::move(inherited));
    return extended;
}

// "CreateTripBody" for "UpdateTripBody", "DiscountCreate" for "DiscountUpdate"; empty for other names.
std::string name_for_create(std::string name) {
    constexpr std::string_view update = "Update", create = "Create";
    if (name.starts_with(update) || name.ends_with(update))
        return name.replace(name.starts_with(update) ? 0 : name.size() - update.size(), update.size(), create);
    return {};
}

// "TripFields" for "CreateTripBody", "DiscountFields" for "DiscountCreate".
std::string name_for_fields(std::string name) {
    name.erase(name.find("Create"), std::string_view("Create").size());
    return (name.ends_with("Body") ? name.substr(0, name.size() - 4) : name) + "Fields";
}

// Bodies that create and bodies that update have most fields in common but require others: those fields by the name
// of a schema that both can extend.
json::Value common_fields(const json::Value& schemas) {
    json::Value all = json::Value::object();
    for (const auto& [name, update] : schemas.members()) {
        const std::string other = name_for_create(name);
        const json::Value* create = other.empty() ? nullptr : schemas.find(other);
        if (!create)
            continue;
        json::Value common = json::Value::object();
        for (const auto& [field, property] : update["properties"].members())
            if (const json::Value* same = (*create)["properties"].find(field); same && *same == property)
                common.set(field, property);
        all.set(name_for_fields(other), json::Value::object({{"type", "object"}, {"properties", std::move(common)}}));
    }
    return all;
}

}  // namespace

json::Value NamedSchemas::move_to_components(json::Value value) {
    if (value.is_array()) {
        for (json::Value& item : value.items())
            item = move_to_components(std::move(item));
        return value;
    }
    if (!value.is_object())
        return value;
    for (auto& [name, member] : value.members())
        member = move_to_components(std::move(member));
    const json::Value* title = value.find("title");
    return title && title->is_string() && value.find("properties") ? referred(std::move(value)) : value;
}

// The place keeps its own description; a second schema with the same name and other content stays inline.
json::Value NamedSchemas::referred(json::Value schema) {
    const std::string name = schema["title"].text();
    const std::string pointer = "#/components/schemas/" + name;
    json::Value place = json::Value::object();
    for (const char* own : {"description", "default", "deprecated", "x-also"})
        if (const json::Value* own_member = schema.find(own)) {
            place.set(own, *own_member);
            schema.erase(own);
        }
    const bool nullable = schema["type"].is_array();
    schema.set("type", "object");
    schema.erase("title");
    const json::Value* known = all_.find(name);
    if (taken_.find(name) || (known && !(*known == schema))) {
        if (nullable)
            schema.set("type", json::Value::array({"object", "null"}));
        for (const auto& [own, own_member] : place.members())
            schema.set(own, own_member);
        return schema;
    }
    all_.set(name, std::move(schema));
    if (nullable)
        place.set("oneOf", json::Value::array(
                               {json::Value::object({{"$ref", pointer}}), json::Value::object({{"type", "null"}})}));
    else
        place.set("$ref", pointer);
    return place;
}

json::Value NamedSchemas::composed() const {
    json::Value schemas = all_;
    for (auto& [name, fields] : common_fields(all_).members())
        if (!schemas.find(name) && !taken_.find(name))
            schemas.set(name, std::move(fields));
    const std::vector<Parts> all = parts_of(schemas);
    json::Value composed = json::Value::object();
    const std::function<void(const Parts&)> compose = [&](const Parts& whole) {
        const Parts* best = nullptr;
        for (const Parts& part : all)
            if (extends(whole, part) && (!best || part.properties.size() > best->properties.size()))
                best = &part;
        composed.set(*whole.name, best ? extension(*whole.schema, *best) : *whole.schema);
        if (best && !composed.find(*best->name))
            compose(*best);
    };
    for (const Parts& whole : all)
        if (all_.find(*whole.name) && !composed.find(*whole.name))
            compose(whole);
    return composed;
}

}  // namespace svc::app
