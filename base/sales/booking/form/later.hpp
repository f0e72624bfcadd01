// Which fields of a form customers may answer, and answer anew, after booking.
#pragma once

#include "shared/json/value.hpp"

namespace svc::booking::form {

// Files unless the field says otherwise, other fields where it says so. Names and other locked fields never.
inline bool answers_later(std::string_view type, const json::Value& given) {
    return given.is_boolean() ? given.boolean() : type == "file";
}

inline bool may_answer_later(const json::Value& field) {
    return field["enabled"].boolean() && !field["locked"].boolean() && field.text_or("type") != "text_block" &&
           answers_later(field.text_or("type"), field["after_booking"]);
}

}  // namespace svc::booking::form
