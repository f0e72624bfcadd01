// Named schemas become components.
#include "base/app/named_schemas.hpp"

namespace svc::app {

json::Value NamedSchemas::moved(json::Value value) {
    if (value.is_array()) {
        for (json::Value& item : value.items())
            item = moved(std::move(item));
        return value;
    }
    if (!value.is_object())
        return value;
    for (auto& [name, member] : value.members())
        member = moved(std::move(member));
    const json::Value* title = value.find("title");
    return title && title->is_string() && value.find("properties") ? referred(std::move(value)) : value;
}

// The place keeps its own description; a second schema of the same name and another content stays where it is.
json::Value NamedSchemas::referred(json::Value schema) {
    const std::string name = schema["title"].text();
    const std::string pointer = "#/components/schemas/" + name;
    json::Value place = json::Value::object();
    for (const char* own : {"description", "default", "deprecated", "x-also"})
        if (const json::Value* said = schema.find(own)) {
            place.set(own, *said);
            schema.erase(own);
        }
    const bool nullable = schema["type"].is_array();
    schema.set("type", "object");
    schema.erase("title");
    const json::Value* known = all_.find(name);
    if (taken_.find(name) || (known && !(*known == schema))) {
        if (nullable)
            schema.set("type", json::Value::array({"object", "null"}));
        for (const auto& [own, said] : place.members())
            schema.set(own, said);
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

}  // namespace svc::app
