// One check a field type.
#include "base/catalog/attributes/value.hpp"

#include <algorithm>

#include "base/catalog/attributes/pattern.hpp"
#include "shared/api/schema.hpp"
#include "shared/core/ascii.hpp"
#include "shared/core/decimal.hpp"
#include "shared/core/faults.hpp"
#include "shared/core/text.hpp"

namespace svc::catalog::attributes {
namespace {

using json::Value;

constexpr std::size_t longest_line = 1000, longest_text = 10'000, longest_address = 2000;
constexpr int number_decimals = 6;
constexpr std::int64_t largest_number = 1'000'000'000'000;  // its millionths fit 64 bits

// The decimal in millionths; it has at most six decimals.
std::int64_t millionths(const std::string& number) {
    const auto parts = Decimal::parse(number).value();
    std::string digits(parts.whole);
    std::string fraction(parts.fraction);
    fraction.resize(number_decimals, '0');
    const std::int64_t size = std::stoll(digits + fraction);
    return parts.negative ? -size : size;
}

Result<Typed> number_value(const Definition& attribute, const Value& given, const std::string& field) {
    api::Type type = api::decimal(-largest_number, largest_number);
    type.decimals = number_decimals;
    SVC_ASSIGN_OR_RETURN(const auto clean, type.check(given, field));
    const auto size = millionths(clean.number_text());
    const Value& rules = attribute.details["validation_rules"];
    const auto bound = [&](const char* name) -> std::optional<std::int64_t> {
        const Value& limit = rules[name];
        const auto fits = type.check(limit, field);
        return limit.is_number() && fits ? std::optional(millionths(fits->number_text())) : std::nullopt;
    };
    if (const auto least = bound("min"); least && size < *least)
        return invalid(field,
                       "This must be at least {least}."_sentence.with_decimal("least", rules["min"].number_text()));
    if (const auto most = bound("max"); most && size > *most)
        return invalid(field, "This must be at most {most}."_sentence.with_decimal("most", rules["max"].number_text()));
    return Typed{.value = clean, .number = size, .date = {}, .file = {}};
}

Result<void> check_text(const Definition& attribute, const std::string& text, const std::string& field) {
    const Value& rules = attribute.details["validation_rules"];
    const auto length = static_cast<std::int64_t>(text::length(text));
    if (const auto least = rules.maybe_integer("min_length"); least && length < *least)
        return invalid(field, "This needs at least {least} characters."_sentence.with("least", *least));
    if (const auto most = rules.maybe_integer("max_length"); most && length > *most)
        return invalid(field, "This may have at most {most} characters."_sentence.with("most", *most));
    if (const auto pattern = rules.maybe_text("pattern"); pattern && !pattern->empty() && !matches(*pattern, text))
        return invalid(field, "Invalid format."_sentence);
    return {};
}

Result<Typed> of_type(const api::Type& type, const Definition& attribute, const Value& given,
                      const std::string& field) {
    SVC_ASSIGN_OR_RETURN(const auto clean, type.check(given, field));
    SVC_RETURN_IF_ERROR(check_text(attribute, clean.text(), field));
    return Typed{.value = clean, .number = {}, .date = {}, .file = {}};
}

Result<Typed> text_value(const Definition& attribute, const Value& given, const std::string& field, bool lines) {
    if (!lines)
        return of_type(api::text(longest_line), attribute, given, field);
    if (!given.is_string())
        return invalid(field, "This must be a text."_sentence);
    return of_type(api::raw_text(longest_text), attribute, Value(text::clean_lines(given.text())), field);
}

Result<Typed> url_value(const Definition& attribute, const Value& given, const std::string& field) {
    auto typed = of_type(api::text(longest_address), attribute, given, field);
    if (!typed)
        return typed;
    const std::string& address = typed->value.text();
    const auto scheme = address.starts_with("https://") ? 8U : address.starts_with("http://") ? 7U : 0U;
    if (scheme == 0 || address.size() <= scheme || address.find_first_of(" \"<>\\") != std::string::npos)
        return invalid(field, "This must be an address that begins with https:// or http://."_sentence);
    return typed;
}

Result<std::string> option_of(const Definition& attribute, const Value& given, const std::string& field) {
    SVC_ASSIGN_OR_RETURN(const auto clean,
                         api::text(longest_line).check(given.is_number() ? Value(given.number_text()) : given, field));
    const Value& options = attribute.details["field_options"];
    for (std::size_t i = 0; i < options.size(); ++i)
        if (options[i].text_or("value") == clean.text())
            return clean.text();
    return invalid(field, "Choose one of the options."_sentence);
}

Result<Typed> options_value(const Definition& attribute, const Value& given, const std::string& field) {
    Value chosen = Value::array();
    Faults faults;
    const Value list = given.is_array() ? given : Value::array({given});
    for (std::size_t i = 0; i < list.size(); ++i) {
        const std::string place = given.is_array() ? field + "." + std::to_string(i + 1) : field;
        const auto option = option_of(attribute, list[i], place);
        if (!option)
            faults.at(place, option.error().message());
        else if (std::find(chosen.items().begin(), chosen.items().end(), Value(*option)) == chosen.items().end())
            chosen.push(*option);
    }
    SVC_RETURN_IF_ERROR(faults.outcome());
    return Typed{.value = std::move(chosen), .number = {}, .date = {}, .file = {}};
}

Result<Typed> color_value(const Value& given, const std::string& field) {
    SVC_ASSIGN_OR_RETURN(const auto clean, api::text(7).check(given, field));
    if (!ascii::is_color(clean.text()))
        return invalid(field, "This must be a color of the form #rrggbb."_sentence);
    return Typed{.value = clean, .number = {}, .date = {}, .file = {}};
}

}  // namespace

bool is_empty(const Value& value) {
    return value.is_null() || (value.is_string() && text::clean(value.text()).empty()) ||
           (value.is_array() && value.size() == 0);
}

Result<Typed> typed(const Definition& attribute, const Value& given, const std::string& field) {
    const std::string type = attribute.field_type();
    if (type == "number")
        return number_value(attribute, given, field);
    if (type == "email")
        return of_type(api::email(), attribute, given, field);
    if (type == "url")
        return url_value(attribute, given, field);
    if (type == "select" || type == "radio") {
        SVC_ASSIGN_OR_RETURN(auto option, option_of(attribute, given, field));
        return Typed{.value = std::move(option), .number = {}, .date = {}, .file = {}};
    }
    if (type == "checkbox")
        return options_value(attribute, given, field);
    if (type == "date") {
        auto day = of_type(api::date(), attribute, given, field);
        if (day)
            day->date = day->value.text();
        return day;
    }
    if (type == "time")
        return of_type(api::time(), attribute, given, field);
    if (type == "color")
        return color_value(given, field);
    if (type == "file") {
        SVC_ASSIGN_OR_RETURN(const auto id, api::id().check(given, field));
        return Typed{.value = id, .number = {}, .date = {}, .file = id.integer()};
    }
    return text_value(attribute, given, field, type == "textarea");
}

}  // namespace svc::catalog::attributes
