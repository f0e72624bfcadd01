// What every gateway's form has, and the checks of single fields.
#include "base/sales/payment/gateways/fields.hpp"

#include <algorithm>

#include "base/sales/payment/gateways/service.hpp"
#include "shared/api/schema.hpp"

namespace svc::payment {

using json::Value;

namespace {

const std::vector<GatewayField>& common_fields() {
    static const std::vector<GatewayField> fields{
        {.id = "title", .type = "text", .label = "Title", .description = "Title shown to customers.", .fallback = ""},
        {.id = "description",
         .type = "textarea",
         .label = "Description",
         .description = "Description shown under the title.",
         .fallback = ""},
        {.id = "icon",
         .type = "text",
         .label = "Icon",
         .description = "Address of an icon beside the title; empty for the default.",
         .fallback = ""},
        {.id = "test_mode",
         .type = "boolean",
         .label = "Test mode",
         .description = "Use the provider's test environment even if the site does not.",
         .fallback = false}};
    return fields;
}

// Days before a deadline, such as 7,3,1.
bool is_day_list(std::string_view text) {
    while (!text.empty()) {
        const auto end = std::min(text.find(','), text.size());
        std::string_view day = text.substr(0, end);
        while (day.starts_with(' '))
            day.remove_prefix(1);
        while (day.ends_with(' '))
            day.remove_suffix(1);
        const bool digits = day.find_first_not_of("0123456789") == day.npos;
        if (day.empty() || day.size() > 2 || !digits || end + 1 == text.size())
            return false;
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return true;
}

}  // namespace

bool has_common_secret(const GatewayInfo& info) {
    return std::none_of(info.fields.begin(), info.fields.end(),
                        [](const GatewayField& field) { return field.id == common_secret; });
}

std::vector<GatewayField> fields_of(const GatewayInfo& info) {
    std::vector<GatewayField> fields = common_fields();
    if (has_common_secret(info))
        fields.push_back(
            {.id = common_secret,
             .type = "password",
             .label = "Secret of events",
             .description = "For services that forward events; the provider's own events are verified differently.",
             .secret = true});
    fields.insert(fields.end(), info.fields.begin(), info.fields.end());
    return fields;
}

bool is_retired(std::string_view name) { return name == "auto_cancel_days"; }

bool is_blank(const Value& given) {
    return given.is_null() || (given.is_string() && given.text().find_first_not_of(" \t\r\n") == std::string::npos);
}

Result<Value> checked(const GatewayField& field, const Value& given) {
    // An empty text removes the stored one.
    const bool is_text = field.options.empty() && field.type != "boolean" && field.type != "number";
    const bool is_list = field.type == "multiselect";
    if (is_text && given.is_string() && given.text().find_first_not_of(" \t\r\n") == std::string::npos)
        return Value("");
    constexpr std::int64_t longest = 2000;
    api::Type type = api::text(static_cast<std::size_t>(field.type == "text" ? field.most.value_or(longest) : longest));
    if (field.type == "boolean")
        type = api::boolean();
    else if (field.type == "number")
        type = api::integer(field.least.value_or(INT64_MIN), field.most.value_or(INT64_MAX));
    else if (field.type == "textarea")
        type = api::raw_text(10'000);
    else if (is_list)
        type = api::list(api::choice(field.options), field.options.size());
    else if (field.type == "email")
        type = api::email();
    else if (!field.options.empty())
        type = api::choice(field.options);
    const api::Schema one{{.name = field.id, .type = type, .required = true}};
    SVC_ASSIGN_OR_RETURN(auto clean, one.check(Value::object({{field.id, given}})));
    if (!field.begins.empty() && std::none_of(field.begins.begin(), field.begins.end(), [&](const std::string& begin) {
            return clean[field.id].text().starts_with(begin);
        })) {
        std::string all;
        for (const std::string& begin : field.begins)
            all += (all.empty() ? "" : " or ") + begin;
        return invalid(field.id, "This key must begin with {all}."_sentence.with("all", all));
    }
    if (field.id == "reminder_days" && !is_day_list(clean[field.id].text()))
        return invalid(field.id, "Enter days separated by commas, such as 7,3,1."_sentence);
    return clean[field.id];
}

bool empties_required(const std::vector<GatewayField>& fields, const Value& changes) {
    return std::any_of(fields.begin(), fields.end(), [&](const GatewayField& field) {
        const Value* given = changes.find(field.id);
        return field.required && given && is_blank(*given);
    });
}

Result<void> take_proposals(const std::vector<GatewayField>& fields, const Value& changes, Value& config) {
    for (const GatewayField& field : fields) {
        if (!field.proposed || config.find(field.id))
            continue;
        if (changes.find(field.id))
            return invalid(field.id, "{label} is missing. Enter it to switch this way of paying on."_sentence.with(
                                         "label", field.label));
        config.set(field.id, field.fallback);
    }
    return {};
}

const GatewayField* field_named(const std::vector<GatewayField>& fields, std::string_view name) {
    for (const GatewayField& field : fields)
        if (field.id == name)
            return &field;
    return nullptr;
}

}  // namespace svc::payment
