// The form's structure, made safe.
#include "base/sales/booking/form/form.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "base/platform/html/html.hpp"
#include "base/sales/booking/form/pattern.hpp"
#include "base/sales/booking/form/show_if.hpp"
#include "shared/api/schema.hpp"

namespace svc::booking::form {
namespace {

using json::Value;

constexpr std::size_t most_fields = 100, most_conditions = 50, most_options = 300, most_targets = 500;
constexpr std::array types{"text",    "email",    "tel",      "date",   "select", "radio",     "checkboxes",
                           "country", "textarea", "checkbox", "number", "file",   "text_block"};
constexpr std::array kinds_of_files{"pdf", "picture"};
constexpr std::array widths{"full", "half", "third"};
constexpr std::array sections{"contact_form", "emergency_contact_form", "traveler_form"};

template <std::size_t n>
std::string one_of(const std::array<const char*, n>& known, const std::string& given, const char* otherwise) {
    return std::find(known.begin(), known.end(), given) != known.end() ? given : otherwise;
}

// Reads a text member; any other value counts as empty.
std::string written(const Value& given, std::string_view name) {
    return given[name].is_string() ? given[name].text() : std::string();
}

std::string plain(const Value& given, std::string_view name, std::size_t longest) {
    const auto clean = api::text(longest).check(Value(html::text_of_html(written(given, name))), "text");
    return clean ? clean->text() : std::string();
}

bool flag(const Value& given, std::string_view name, bool otherwise) {
    const auto clean = api::boolean().check(given[name], "flag");
    return given.find(name) && clean && clean->is_boolean() ? clean->boolean() : otherwise;
}

bool is_id(const std::string& id) {
    return !id.empty() && id.size() <= 64 && std::all_of(id.begin(), id.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
    });
}

Value field(const char* id, const char* type, const char* label, bool required, bool locked,
            const std::vector<const char*>& options = {}) {
    Value built = Value::object({{"id", id},
                                 {"type", type},
                                 {"label", label},
                                 {"placeholder", ""},
                                 {"required", required},
                                 {"enabled", true},
                                 {"locked", locked},
                                 {"width", "half"}});
    if (!options.empty()) {
        Value choices = Value::array();
        for (const char* option : options)
            choices.push(Value::object({{"value", option}, {"label", option}}));
        built.set("options", std::move(choices));
    }
    return built;
}

Value section(const char* title, std::initializer_list<Value> fields) {
    Value all = Value::array();
    int order = 0;
    for (const Value& each : fields) {
        Value one = each;
        one.set("order", ++order);
        all.push(std::move(one));
    }
    return Value::object({{"enabled", true}, {"title", title}, {"description", ""}, {"fields", std::move(all)}});
}

// `several`: the answer is a list of them, so that none has a comma.
Value options_of(const Value& given, bool several = false) {
    Value options = Value::array();
    if (given.is_array())
        for (const Value& one : given.items()) {
            std::string value = plain(one, "value", 200);
            if (several)
                std::replace(value.begin(), value.end(), ',', ' ');
            if (value.empty() || options.size() >= most_options)
                continue;
            const std::string label = plain(one, "label", 200);
            options.push(Value::object({{"value", value}, {"label", label.empty() ? value : label}}));
        }
    return options;
}

// The smallest and the largest answer: of numbers, or days that may be today or the day of travel.
void add_bounds(const Value& given, std::string_view type, Value& clean) {
    for (const char* name : {"min", "max"}) {
        const Value& bound = given[name];
        if (type == "number" && (bound.is_number() || (bound.is_string() && !bound.text().empty()))) {
            if (const auto number = api::decimal().check(bound, name))
                clean.set(name, *number);
        } else if (type == "date" && bound.is_string() &&
                   (bound.text() == "today" || bound.text() == "travel_date" || Date::parse(bound.text()))) {
            clean.set(name, bound);
        }
    }
}

// What only some fields have; absent in all others, so that stored forms stay as they are.
void add_own(const Value& given, const std::string& type, bool locked, Value& clean) {
    if (std::string help = plain(given, "help", 500); !help.empty())
        clean.set("help", std::move(help));
    add_bounds(given, type, clean);
    const std::string pattern = written(given, "pattern");
    if (!pattern.empty() && (type == "text" || type == "textarea" || type == "tel") && is_pattern(pattern))
        clean.set("pattern", pattern);
    if (type != "text_block" && !locked)
        if (const bool later = flag(given, "after_booking", type == "file"); later != (type == "file"))
            clean.set("after_booking", later);
    if (type == "file") {
        Value accepts = Value::array();
        for (const char* kind : kinds_of_files)
            if (!given["accepts"].is_array() || given["accepts"].size() == 0 ||
                std::any_of(given["accepts"].items().begin(), given["accepts"].items().end(),
                            [&](const Value& each) { return each.is_string() && each.text() == kind; }))
                accepts.push(kind);
        clean.set("accepts", std::move(accepts));
    }
    if (Value rule = clean_show_if(given["show_if"]); !locked && !rule.is_null())
        clean.set("show_if", std::move(rule));
}

// Empty for an unknown field.
Value field_of(const Value& given, bool of_travelers) {
    const std::string id = written(given, "id"), type = one_of(types, written(given, "type"), "");
    if (!is_id(id) || type.empty())
        return {};
    const bool locked = flag(given, "locked", false);
    Value clean = Value::object({{"id", id},
                                 {"type", type},
                                 {"label", plain(given, "label", 200)},
                                 {"placeholder", plain(given, "placeholder", 200)},
                                 // One name suffices, whatever a form said.
                                 {"required", locked ? id != "last_name" : flag(given, "required", false)},
                                 {"enabled", locked || flag(given, "enabled", true)},
                                 {"locked", locked}});
    const auto order = api::integer(-100'000, 100'000).check(given["order"], "order");
    clean.set("order", given.find("order") && order && order->is_number() ? *order : Value(0));
    clean.set("width", one_of(widths, written(given, "width"), "full"));
    if (type == "select" || type == "radio" || type == "checkboxes")
        clean.set("options", options_of(given["options"], type == "checkboxes"));
    if (type == "text_block")
        clean.set("content", html::clean_html(written(given, "content").substr(0, 20'000)));
    if (type == "tel")
        clean.set("show_country_code", flag(given, "show_country_code", false));
    if (of_travelers)
        clean.set("applies_to", written(given, "applies_to") == "lead" ? "lead" : "all");
    add_own(given, type, locked, clean);
    return clean;
}

// Locked fields of the standard form stay in every version; the operator may only change their appearance.
Value fields_of(const Value& given, const Value& standard_fields, bool of_travelers) {
    Value fields = Value::array();
    std::set<std::string> seen;
    std::map<std::string, Value> locked_types;
    for (const Value& one : standard_fields.items())
        if (one["locked"].boolean())
            locked_types.emplace(one["id"].text(), one["type"]);
    if (given.is_array())
        for (Value one : given.items()) {
            if (!one.is_object())
                continue;
            const auto type = locked_types.find(written(one, "id"));
            one.set("locked", type != locked_types.end());
            if (type != locked_types.end())
                one.set("type", type->second);
            Value clean = field_of(one, of_travelers);
            if (clean.is_null() || fields.size() >= most_fields || !seen.insert(clean["id"].text()).second)
                continue;
            fields.push(std::move(clean));
        }
    for (const Value& one : standard_fields.items())
        if (one["locked"].boolean() && !seen.contains(one["id"].text()))
            fields.push(field_of(one, of_travelers));
    return fields;
}

Value targets_of(const Value& given) {
    Value targets = Value::object();
    for (const char* name : {"trips", "categories"}) {
        Value ids = Value::array();
        if (given[name].is_array())
            for (const Value& id : given[name].items())
                if (const auto clean = api::id().check(id, name); clean && ids.size() < most_targets)
                    ids.push(*clean);
        targets.set(name, std::move(ids));
    }
    Value trip_types = Value::array();
    if (given["trip_types"].is_array())
        for (const Value& type : given["trip_types"].items())
            if (type.is_string() && (type.text() == "single_day" || type.text() == "multi_day"))
                trip_types.push(type);
    targets.set("trip_types", std::move(trip_types));
    return targets;
}

Value section_of(const Value& given, const Value& standard_section, bool of_travelers) {
    if (!given.is_object())
        return section_of(standard_section, standard_section, of_travelers);
    Value clean = Value::object({{"enabled", flag(given, "enabled", true)},
                                 {"title", plain(given, "title", 200)},
                                 {"description", plain(given, "description", 2000)}});
    const Value& locked = standard_section["fields"];
    clean.set("fields", fields_of(given.find("fields") ? given["fields"] : locked, locked, of_travelers));
    Value conditions = Value::array();
    if (given["conditions"].is_array())
        for (const Value& one : given["conditions"].items()) {
            if (!one.is_object() || conditions.size() >= most_conditions)
                continue;
            conditions.push(Value::object({{"id", plain(one, "id", 64)},
                                           {"targets", targets_of(one["targets"])},
                                           {"title", plain(one, "title", 200)},
                                           {"description", plain(one, "description", 2000)},
                                           {"fields", fields_of(one["fields"], locked, of_travelers)}}));
        }
    clean.set("conditions", std::move(conditions));
    return clean;
}

// As it is written here; standard() has the shape of any other.
const Value& written_standard() {
    static const Value form = Value::object(
        {{"contact_form",
          section(default_text("Contact"), {field("first_name", "text", default_text("First name"), true, true),
                                            field("last_name", "text", default_text("Last name"), false, true),
                                            field("email", "email", default_text("E-mail"), true, true),
                                            field("phone", "tel", default_text("Phone"), true, true),
                                            field("country", "country", default_text("Country"), true, true),
                                            field("nationality", "text", default_text("Nationality"), false, false),
                                            field("address", "textarea", default_text("Address"), false, false)})},
         {"emergency_contact_form", section(default_text("Emergency contact"),
                                            {field("name", "text", default_text("Name"), true, false),
                                             field("phone", "tel", default_text("Phone"), true, false),
                                             field("relationship", "select", default_text("Relationship"), false, false,
                                                   {"spouse", "parent", "sibling", "child", "friend", "other"})})},
         {"traveler_form",
          section(default_text("Travelers"),
                  {field("first_name", "text", default_text("First name"), true, true),
                   field("last_name", "text", default_text("Last name"), false, true),
                   field("date_of_birth", "date", default_text("Date of birth"), true, false),
                   field("gender", "select", default_text("Gender"), true, false,
                         {"female", "male", "other", "prefer_not_to_say"}),
                   field("nationality", "text", default_text("Nationality"), true, false),
                   field("dietary_requirements", "select", default_text("Diet"), false, false,
                         {"none", "vegetarian", "vegan", "halal", "kosher", "gluten_free", "lactose_free", "other"}),
                   field("medical_conditions", "textarea", default_text("Medical conditions"), false, false)})}});
    return form;
}

Value shaped(const Value& given) {
    Value clean = Value::object();
    for (const char* name : sections)
        clean.set(name, section_of(given[name], written_standard()[name], std::string_view(name) == "traveler_form"));
    return clean;
}

// Keeps the listener's own members where the structure allows them.
void add_missing(Value& clean, const Value& original) {
    for (const auto& [name, member] : original.members())
        if (!clean.find(name))
            clean.set(name, member);
}

Value completed_field(const Value& given, bool of_travelers) {
    Value clean = field_of(given, of_travelers);
    if (clean.is_null()) {
        // A type of the listener's own: answered as text.
        Value as_text = given;
        const std::string type = written(given, "type");
        if (type.empty())
            return {};
        clean = field_of(as_text.set("type", "text"), of_travelers);
        if (clean.is_null())
            return {};
        clean.set("type", type);
        if (given["options"].is_array())
            clean.set("options", options_of(given["options"]));
    }
    if (const std::string width = written(given, "width"); !width.empty())
        clean.set("width", width);
    // The rules by which answers are read are those that field_of() knows, or none.
    Value rest = given;
    rest.erase("show_if");
    if (const std::string type = written(clean, "type"); type == "number" || type == "date")
        for (const char* bound : {"min", "max"})
            rest.erase(bound);
    add_missing(clean, rest);
    return clean;
}

Value completed_fields(const Value& given, const Value& standard_fields, bool of_travelers) {
    // The clean form decides which fields are locked, and that they are there.
    Value clean = fields_of(given, standard_fields, of_travelers), fields = Value::array();
    std::set<std::string> seen;
    const auto clean_of = [&](const std::string& id) -> const Value* {
        for (const Value& each : clean.items())
            if (each["id"].text() == id)
                return &each;
        return nullptr;
    };
    for (const Value& one : given.items()) {
        if (!one.is_object() || fields.size() >= most_fields)
            continue;
        Value field = completed_field(one, of_travelers);
        if (field.is_null() || !seen.insert(field["id"].text()).second)
            continue;
        if (const Value* ours = clean_of(field["id"].text()))
            for (const char* name : {"locked", "required", "enabled", "type"})
                field.set(name, (*ours)[name]);
        fields.push(std::move(field));
    }
    for (const Value& one : clean.items())
        if (seen.insert(one["id"].text()).second)
            fields.push(one);
    return fields;
}

Value completed_section(const Value& given, const Value& known, const Value& standard_section, bool of_travelers) {
    if (!given.is_object())
        return known;
    Value clean = section_of(given, standard_section, of_travelers);
    const Value& locked = standard_section["fields"];
    if (given["fields"].is_array())
        clean.set("fields", completed_fields(given["fields"], locked, of_travelers));
    if (given["conditions"].is_array()) {
        Value conditions = Value::array();
        std::size_t at = 0;
        const Value cleaned = clean["conditions"];
        for (const Value& one : given["conditions"].items()) {
            if (!one.is_object() || at >= cleaned.size())
                continue;
            Value condition = cleaned.items()[at++];
            if (one["fields"].is_array())
                condition.set("fields", completed_fields(one["fields"], locked, of_travelers));
            add_missing(condition, one);
            conditions.push(std::move(condition));
        }
        clean.set("conditions", std::move(conditions));
    }
    add_missing(clean, given);
    return clean;
}

}  // namespace

Value completed(const Value& given, const Value& known) {
    if (!given.is_object())
        return known;
    Value whole = Value::object();
    for (const char* name : sections)
        whole.set(name, completed_section(given[name], known[name], written_standard()[name],
                                          std::string_view(name) == "traveler_form"));
    for (const auto& [name, section] : given.members())
        if (!whole.find(name) && section.is_object())
            whole.set(name, section);
    return whole;
}

const Value& standard() {
    static const Value form = shaped(written_standard());
    return form;
}

Value sanitized(const Value& given) { return given.is_object() && given.size() > 0 ? shaped(given) : standard(); }

}  // namespace svc::booking::form
