// Resolves references of the OpenAPI document.
#include "tests/routes/openapi.hpp"

#include <algorithm>
#include <sstream>

namespace svc::tests {
namespace {

using json::Value;

const Value& pointed_at(const Value& document, const std::string& pointer) {
    const Value* at = &document;
    std::istringstream names(pointer.substr(2));
    for (std::string name; std::getline(names, name, '/');)
        at = &(*at)[name];
    return *at;
}

// Of two schemas of one object: the properties and required names of both.
Value joined(Value first, const Value& second) {
    for (const auto& [name, member] : second.members()) {
        const Value* known = first.find(name);
        if (name == "properties" && known) {
            Value properties = *known;
            for (const auto& [field, property] : member.members())
                properties.set(field, properties.find(field) ? joined(properties[field], property) : property);
            first.set(name, std::move(properties));
        } else if (name == "required" && known) {
            Value required = *known;
            for (const Value& field : member.items())
                required.push(field);
            first.set(name, std::move(required));
        } else
            first.set(name, member);
    }
    return first;
}

}  // namespace

Value written_out(const Value& document, Value value) {
    if (value.is_array())
        for (auto& item : value.items())
            item = written_out(document, std::move(item));
    if (!value.is_object())
        return value;
    const bool nullable = value["oneOf"].is_array();
    const Value& referring = nullable ? value["oneOf"][std::size_t{0}] : value;
    if (const Value* pointer = referring.find("$ref"); pointer && pointer->is_string()) {
        auto whole = written_out(document, pointed_at(document, pointer->text()));
        if (nullable)
            whole.set("type", Value::array({"object", "null"}));
        for (const auto& [name, own] : value.members())
            if (name != "$ref" && name != "oneOf")
                whole.set(name, own);
        return whole;
    }
    for (auto& [name, member] : value.members())
        member = written_out(document, std::move(member));
    if (!value["allOf"].is_array())
        return value;
    Value whole = Value::object();
    for (const Value& part : value["allOf"].items())
        whole = joined(std::move(whole), part);
    value.erase("allOf");
    return joined(std::move(whole), value);
}

Value canonical(Value schema) {
    if (schema.is_array())
        for (auto& item : schema.items())
            item = canonical(std::move(item));
    if (!schema.is_object())
        return schema;
    if (schema.find("properties") && schema["title"].is_string())
        schema.erase("title");
    for (auto& [name, member] : schema.members()) {
        member = canonical(std::move(member));
        if (name == "required" && member.is_array())
            std::sort(member.items().begin(), member.items().end(),
                      [](const Value& a, const Value& b) { return a.dump() < b.dump(); });
    }
    std::sort(schema.members().begin(), schema.members().end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    return schema;
}

Value response_of(const Value& document, const std::string& path, const std::string& method, int status) {
    const Value& responses = document["paths"][path][method]["responses"];
    const std::string exact = std::to_string(status);
    for (const std::string& name : {exact, exact.substr(0, 1) + "XX", std::string("default")})
        if (const Value* response = responses.find(name))
            return written_out(document, *response);
    return {};
}

}  // namespace svc::tests
