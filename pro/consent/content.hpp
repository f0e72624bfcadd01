// The text of a consent form: its blocks, its fields, and what answers to them must be.
#pragma once

#include <string>

#include "shared/api/schema.hpp"
#include "shared/core/faults.hpp"
#include "shared/json/value.hpp"

namespace svc::pro::consent {

api::Type fields_type();
api::Type blocks_type();

// Each with all its members, in its order; `health` follows from the words of id and label where it is not said.
json::Value with_defaults_of_fields(const json::Value& given);
json::Value with_defaults_of_blocks(const json::Value& given);
void check_fields(const json::Value& fields, Faults& faults);
void check_blocks(const json::Value& blocks, Faults& faults);

// What is frozen with a version: {"title", "description", "require_signature", "require_initials", "fields",
// "content_blocks"}.
struct Content {
    std::string title, description;
    bool require_signature = true, require_initials = false;
    json::Value fields = json::Value::array(), blocks = json::Value::array();

    [[nodiscard]] std::string snapshot() const;  // the JSON text that is hashed
    static Content of_snapshot(std::string_view text);
    // The fields that are asked: enabled ones in their order.
    [[nodiscard]] json::Value asked() const;
    // As who signs it sees it.
    [[nodiscard]] json::Value shown() const;
};
api::Type content_type();  // of shown()

// Answers to the fields that are asked, as they are stored. Every fault is named "form_data.FIELD", those to fields
// that the form does not have too.
json::Value checked_answers(const Content& content, const json::Value& given, Faults& faults);
// The ids of fields whose answers are sealed.
bool is_about_health(const Content& content, std::string_view field_id);
// An answer as people read it: "Yes" for a tick.
std::string answer_text(const json::Value& answer, std::string_view yes, std::string_view no);

}  // namespace svc::pro::consent
