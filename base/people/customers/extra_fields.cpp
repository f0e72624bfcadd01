// The setting customer_fields and the check of values against it.
#include "base/people/customers/extra_fields.hpp"

#include <algorithm>
#include <set>

#include "shared/api/named.hpp"
#include "shared/core/country.hpp"
#include "shared/core/text.hpp"
#include "shared/core/words.hpp"

namespace svc::customers {
namespace {

using json::Value;

constexpr std::size_t most_fields = 30, most_options = 100, longest_value = 2'000, longest_id = 64;

bool is_id(std::string_view id) {
    return !id.empty() && std::all_of(id.begin(), id.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
    });
}

// `number`: its place in the list, for a label without any of these letters.
std::string id_of(const Value& field, std::size_t number) {
    std::string id = field.text_or("id");
    if (!id.empty())
        return id;
    id = text::slug_of(text::search_key(field.text_or("label")), longest_id);
    std::replace(id.begin(), id.end(), '-', '_');
    return is_id(id) ? id : "field_" + std::to_string(number);
}

// Its message names the field: errors of settings carry one sentence.
Result<void> check_declared(const Value& fields) {
    std::set<std::string> seen;
    std::size_t number = 0;
    for (const Value& field : fields.items()) {
        const std::string named = "\"" + field.text_or("label") + "\"", id = id_of(field, ++number);
        if (!is_id(id))
            return Error{
                errc::validation_error,
                "{field}: The id must have lower-case letters, digits and _ only."_sentence.with("field", named)};
        if (!seen.insert(id).second)
            return Error{errc::validation_error,
                         "{field}: Two fields have the id {id}."_sentence.with("field", named).with("id", id)};
        if (field.text_or("type") == "select" && field["options"].size() == 0)
            return Error{errc::validation_error, "{field}: A select needs options."_sentence.with("field", named)};
    }
    return {};
}

Value cleaned(const Value& fields) {
    std::size_t number = 0;
    return json::array_of(fields.items(), [&](const Value& field) {
        const std::string type = field.text_or("type", "text");
        Value clean = Value::object(
            {{"id", id_of(field, ++number)}, {"label", text::clean(field.text_or("label"))}, {"type", type}});
        clean.set("options", type == "select" ? field["options"] : Value::array());
        return clean;
    });
}

api::Schema members() {
    return {{.name = "id",
             .type = api::text(longest_id),
             .help = "Lower-case letters, digits and _; made of the label if absent. Values are stored under it."},
            {.name = "label", .type = api::text(200, 1), .required = true},
            {.name = "type",
             .type = api::choice({"text", "textarea", "number", "date", "select", "checkbox", "email", "country"}),
             .help = "text if absent."},
            {.name = "options", .type = api::list(api::text(200, 1), most_options), .help = "The values of a select."}};
}

// Why the value is refused; none: it is valid.
SentenceId fault_of(const Value& field, const std::string& value) {
    const std::string type = field.text_or("type");
    if (type == "number" && !api::decimal().check(Value(value), "number"))
        return "Enter a number."_sentence;
    if (type == "date" && !Date::parse(value))
        return "Enter the date as YYYY-MM-DD."_sentence;
    if (type == "email" && !api::email().check(Value(value), "email"))
        return "Enter a valid e-mail address."_sentence;
    if (type == "country" && country_code(value).empty())
        return not_a_country;
    if (type == "checkbox" && value != "true" && value != "false")
        return "This must be true or false."_sentence;
    const auto& options = field["options"];
    if (type == "select" && std::none_of(options.items().begin(), options.items().end(),
                                         [&](const Value& option) { return option.text() == value; }))
        return "Choose one of the options."_sentence;
    return {};
}

const Value* find(const Value& declared, std::string_view id) {
    for (const Value& field : declared.items())
        if (field.text_or("id") == id)
            return &field;
    return nullptr;
}

Result<std::string> text_of(const Value& sent) {
    if (sent.is_null())
        return std::string();
    if (sent.is_boolean())
        return std::string(sent.boolean() ? "true" : "false");
    if (sent.is_number())
        return sent.number_text();
    SVC_ASSIGN_OR_RETURN(const auto text, api::raw_text(longest_value).check(sent, "value"));
    return text::clean_lines(text.text());
}

}  // namespace

void declare_settings(settings::Settings& settings) {
    settings.declare({.key = "customer_fields",
                      .type = api::list(api::object("CustomerField", members()), most_fields),
                      .initial = Value::array(),
                      .help = "Further fields of customers, which staff and account holders fill in.",
                      .group = "customer",
                      .also_checks = check_declared,
                      .cleans = cleaned});
}

api::Type extra_fields_type() {
    return api::list(
        api::object("AskedCustomerField", members().changed([](api::Field& field) { field.required = true; })),
        most_fields);
}

Value with_extra_fields(Value stored, const Value& given, const Value& declared, Faults& faults) {
    for (const auto& [id, sent] : given.members()) {
        const std::string at = "fields." + id;
        const Value* field = find(declared, id);
        const auto value = text_of(sent);
        if (!value)
            faults.at(at, value.error().message());
        else if (value->empty())
            stored.erase(id);
        else if (stored.text_or(id) == *value)
            continue;
        else if (!field)
            faults.at(at, "Unknown field. The setting customer_fields lists the fields of customers."_sentence);
        else if (const SentenceId fault = fault_of(*field, *value))
            faults.at(at, fault);
        else
            stored.set(id, field->text_or("type") == "country" ? country_code(*value) : *value);
    }
    return stored;
}

}  // namespace svc::customers
