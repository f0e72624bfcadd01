// Walks type and value together.
#include "tests/support/answer_faults.hpp"

namespace svc::tests {

static bool expected = false;

SpoiledAnswers::SpoiledAnswers() { expected = true; }
SpoiledAnswers::~SpoiledAnswers() { expected = false; }
bool SpoiledAnswers::are_expected() { return expected; }

std::set<std::string> answer_faults(const api::Type& type, const json::Value& value, const std::string& place) {
    std::set<std::string> faults;
    if (value.is_null() && !type.nullable && type.shape != api::Shape::anything)
        faults.insert(place + " is null");
    const auto below = [&](const api::Type& inner, const json::Value& part, const std::string& name) {
        faults.merge(answer_faults(inner, part, place + "." + name));
    };
    const auto has_members = [](const json::Value& part) { return part.is_object() && part.size() > 0; };
    if (type.shape == api::Shape::anything) {
        bool hidden = has_members(value);
        if (value.is_array())
            for (const auto& item : value.items())
                hidden = hidden || has_members(item);
        if (hidden)
            faults.insert(place + " has members that nothing declares");
    } else if (type.shape == api::Shape::list && value.is_array()) {
        for (const auto& item : value.items())
            below(*type.item, item, "*");
    } else if (type.shape == api::Shape::map && value.is_object()) {
        if (type.item->shape != api::Shape::anything)
            for (const auto& [name, part] : value.members())
                below(*type.item, part, name);
    } else if (type.shape == api::Shape::object && value.is_object()) {
        for (const auto& [name, part] : value.members())
            if (const auto* field = type.members->find(name))
                below(field->type, part, name);
            else
                faults.insert(place + "." + name + " is not declared");
        for (const auto& field : type.members->fields())
            if (field.required && !value.find(field.name))
                faults.insert(place + "." + field.name + " is missing");
    }
    return faults;
}

}  // namespace svc::tests
