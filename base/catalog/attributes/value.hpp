// An attribute's definition, and a value in the form of its field type.
#pragma once

#include <optional>
#include <string>

#include "shared/core/result.hpp"
#include "shared/json/value.hpp"

namespace svc::catalog::attributes {

struct Definition {
    std::int64_t id = 0;
    std::string name{};
    json::Value details = json::Value::object();  // as in the classification
    bool is_published = false;

    [[nodiscard]] std::string field_type() const { return details.text_or("field_type", "text_field"); }
    [[nodiscard]] bool is_required() const { return details.maybe_boolean("required").value_or(false); }
    // Whether trips are found by it.
    [[nodiscard]] bool is_searchable() const { return details.maybe_boolean("searchable").value_or(true); }
    [[nodiscard]] bool is_shown() const {
        return is_published && details.maybe_boolean("show_on_frontend").value_or(true);
    }
    [[nodiscard]] bool is_in_filters() const {
        return is_published && details.maybe_boolean("show_in_filters").value_or(false);
    }
};

// The clean value, with the numbers that range filters compare.
struct Typed {
    json::Value value;                   // text, number or list of texts
    std::optional<std::int64_t> number;  // of a number, in millionths
    std::optional<std::string> date;     // of a date
    std::optional<std::int64_t> file;    // of a file: the media row that must be there
};

// Null, the empty text and the empty list.
bool is_empty(const json::Value& value);

// The value against field type, options and rules; the error names `field`. Not for empty values.
Result<Typed> typed(const Definition& attribute, const json::Value& given, const std::string& field);

}  // namespace svc::catalog::attributes
