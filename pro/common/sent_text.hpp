// What a visitor sent under a name, in the form or the query of a page.
#pragma once

#include <string>

#include "shared/json/value.hpp"

namespace svc::pro {

// Empty where nothing was sent or the name was sent twice, which makes it a list.
inline std::string sent_text(const json::Value& sent, std::string_view name) {
    const json::Value& value = sent[name];
    return value.is_string() ? value.text() : std::string();
}

}  // namespace svc::pro
