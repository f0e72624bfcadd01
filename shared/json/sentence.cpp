// The form that sentences have between libraries.
#include "shared/json/sentence.hpp"

#include <algorithm>
#include <array>

namespace svc::json {
namespace {

constexpr std::array<std::string_view, 6> kinds{"text", "number", "decimal", "money", "date", "list"};
constexpr int deepest_sentence = 4;  // sentences within sentences

std::string text_in(const Value& given, std::string_view name) {
    return given[name].is_string() ? given[name].text() : std::string();
}

Sentence read(const Value& value, int depth) {
    if (value.is_string())
        return Sentence::verbatim(value.text());
    if (!value.is_object() || !value["id"].is_string() || depth > deepest_sentence)
        return {};
    std::vector<Sentence::Value> values;
    if (value["values"].is_object())
        for (const auto& [place, given] : value["values"].members()) {
            const auto kind = std::find(kinds.begin(), kinds.end(), text_in(given, "kind")) - kinds.begin();
            Sentence::Value one{.place = place, .text = text_in(given, "text")};
            if (kind < static_cast<std::ptrdiff_t>(kinds.size()))
                one.kind = static_cast<Sentence::Kind>(kind);
            if (given["parts"].is_array())
                for (const Value& part : given["parts"].items())
                    one.parts.push_back(read(part, depth + 1));
            values.push_back(std::move(one));
        }
    return Sentence::of(value["id"].text(), std::move(values));
}

}  // namespace

Value to_json(const Sentence& sentence) {
    if (!sentence.is_known())
        return sentence.key();
    Value made = Value::object({{"id", sentence.key()}});
    if (sentence.values().empty())
        return made;
    Value values = Value::object();
    for (const Sentence::Value& each : sentence.values()) {
        Value one = Value::object({{"kind", kinds.at(static_cast<std::size_t>(each.kind))}});
        if (each.kind == Sentence::Kind::list) {
            Value parts = Value::array();
            for (const Sentence& part : each.parts)
                parts.push(to_json(part));
            one.set("parts", std::move(parts));
        } else {
            one.set("text", each.text);
        }
        values.set(each.place, std::move(one));
    }
    made.set("values", std::move(values));
    return made;
}

Sentence sentence_from(const Value& value) { return read(value, 0); }

}  // namespace svc::json
