// Numbers in millionths and days as numbers are compared; everything else by its text.
#include "base/catalog/attributes/filter.hpp"

#include "shared/core/date.hpp"
#include "shared/core/text.hpp"

namespace svc::catalog::attributes {
namespace {

using json::Value;
using trips::FactFilter;
using trips::FactKind;
using trips::TripFact;

constexpr std::size_t most_texts = 50;

bool has_amounts(const Definition& attribute) {
    return attribute.field_type() == "number" || attribute.field_type() == "date";
}

FactKind kind_of(const Definition& attribute) {
    const std::string by = attribute.details.text_or("filter_type");
    if (has_amounts(attribute))
        return by == "range" ? FactKind::amount : FactKind::value;
    return by == "partial" ? FactKind::words : FactKind::value;
}

// "8848.86" of 8848860000.
std::string decimal_of(std::int64_t millionths) {
    constexpr std::int64_t one = 1'000'000;
    const std::int64_t size = millionths < 0 ? -millionths : millionths;
    std::string text = millionths < 0 ? "-" : "";
    text += std::to_string(size / one);
    std::string fraction = std::to_string(one + size % one);  // with a leading digit for the part before the point
    fraction.front() = '.';
    while (fraction.back() == '0')
        fraction.pop_back();
    return fraction == "." ? text : text + fraction;
}

struct Amount {
    std::int64_t size = 0;
    std::string text;
};
// Parsed by field type, ignoring the attribute's own limits.
Result<Amount> amount_of(const Definition& attribute, const Value& given, const std::string& field) {
    const Definition plain{.id = attribute.id,
                           .name = attribute.name,
                           .details = Value::object({{"field_type", attribute.field_type()}}),
                           .is_published = true};
    SVC_ASSIGN_OR_RETURN(const auto value, typed(plain, given, field));
    if (value.number)
        return Amount{*value.number, decimal_of(*value.number)};
    return Amount{Date::parse(*value.date).value().days(), *value.date};
}

Result<FactFilter> between(const Definition& attribute, const Value& range, const std::string& field) {
    if (!has_amounts(attribute))
        return invalid(field, "Ranges are only possible for numbers and dates."_sentence);
    FactFilter filter{.about = attribute.id};
    for (const auto& [name, bound] : {std::pair("min", &filter.least), std::pair("max", &filter.most)}) {
        if (is_empty(range[name]))
            continue;
        SVC_ASSIGN_OR_RETURN(const auto amount, amount_of(attribute, range[name], field + "." + name));
        *bound = amount.size;
    }
    return filter;
}

}  // namespace

void add_facts(const Definition& attribute, const Value& value, std::vector<TripFact>& facts) {
    TripFact fact{.about = attribute.id, .kind = kind_of(attribute), .text = {}};
    if (has_amounts(attribute)) {
        const auto amount = amount_of(attribute, value, "");
        if (!amount)
            return;  // stored before the attribute got this type
        fact.text = amount->text;
        fact.amount = amount->size;
        facts.push_back(std::move(fact));
        return;
    }
    const auto add = [&](const Value& one) {
        fact.text = one.is_string() ? one.text() : one.dump();
        if (fact.kind == FactKind::words)
            fact.text = text::folded(fact.text);
        facts.push_back(fact);
    };
    if (!value.is_array())
        return add(value);
    for (const Value& one : value.items())
        add(one);
}

Result<std::optional<FactFilter>> filter_of(const Definition& attribute, const Value& given, const std::string& field) {
    using Wished = std::optional<FactFilter>;
    if (given.is_object()) {
        SVC_ASSIGN_OR_RETURN(auto filter, between(attribute, given, field));
        return filter.least || filter.most ? Wished(std::move(filter)) : Wished();
    }
    const Value several = given.is_array() ? given : Value::array({given});
    if (several.size() > most_texts)
        return invalid(field, "Too many values."_sentence);
    FactFilter filter{.about = attribute.id};
    for (const Value& one : several.items()) {
        if (is_empty(one))
            continue;
        if (!one.is_string() && !one.is_number())
            return invalid(field, "This must be a text."_sentence);
        if (has_amounts(attribute)) {
            SVC_ASSIGN_OR_RETURN(const auto amount, amount_of(attribute, one, field));
            filter.texts.push_back(amount.text);
            continue;
        }
        std::string word = text::clean(one.is_string() ? one.text() : one.number_text());
        filter.texts.push_back(kind_of(attribute) == FactKind::words ? text::folded(word) : std::move(word));
    }
    return filter.texts.empty() ? Wished() : Wished(std::move(filter));
}

}  // namespace svc::catalog::attributes
