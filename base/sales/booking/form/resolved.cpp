// The form of a trip: the first condition that matches, and what the module of form fields adds.
#include <algorithm>

#include "base/sales/booking/form/form.hpp"

namespace svc::booking::form {

using json::Value;

namespace {

// A condition without targets never applies.
bool names(const Value& targets, const Subject& subject) {
    const auto has = [&](const char* list, const auto& matches) {
        const Value& all = targets[list];
        return all.is_array() && std::any_of(all.items().begin(), all.items().end(), matches);
    };
    return has("trips", [&](const Value& id) { return id.integer() == subject.trip_id; }) ||
           has("categories",
               [&](const Value& id) {
                   return std::find(subject.categories.begin(), subject.categories.end(), id.integer()) !=
                          subject.categories.end();
               }) ||
           has("trip_types", [&](const Value& type) { return type.text() == subject.trip_type; });
}

}  // namespace

bool has_conditions(const Value& config) {
    return std::any_of(config.members().begin(), config.members().end(), [](const auto& each) {
        return each.second.is_object() && each.second["conditions"].is_array() && each.second["conditions"].size() > 0;
    });
}

namespace {

// Without the module every field is asked, but for files, which there is no way to send.
void leave_out_module(Value& section) {
    if (!section["fields"].is_array())
        return;
    const auto& all = section["fields"].items();
    if (std::none_of(all.begin(), all.end(), [](const Value& field) {
            return field.is_object() && (field.find("show_if") || field.text_or("type") == "file");
        }))
        return;
    Value fields = Value::array();
    for (Value field : all)
        if (field.text_or("type") != "file") {
            field.erase("show_if");
            fields.push(std::move(field));
        }
    section.set("fields", std::move(fields));
}

}  // namespace

Value resolved(Value config, const Subject* subject) {
    return resolved(std::move(config), subject, subject != nullptr);
}

Value resolved(Value config, const Subject* subject, bool module) {
    for (auto& [name, section] : config.members()) {
        if (const Value* conditions = section.find("conditions"); subject && conditions && conditions->is_array()) {
            const auto& all = conditions->items();
            const auto first = std::find_if(all.begin(), all.end(),
                                            [&](const Value& each) { return names(each["targets"], *subject); });
            if (first != all.end()) {
                // Setting members moves their container.
                const Value chosen = *first;  // NOLINT(performance-unnecessary-copy-initialization)
                for (const char* part : {"title", "description", "fields"})
                    section.set(part, chosen[part]);
            }
        }
        section.erase("conditions");
        if (!module)
            leave_out_module(section);
    }
    return config;
}

}  // namespace svc::booking::form
