// The members of an answer that is always complete.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <string_view>

#include "shared/api/schema.hpp"

namespace svc::api {

// The same fields, all required but those named: clients need not expect that one is missing. A required member may be
// null or empty where its type allows it.
inline Schema always_sent(const Schema& answer, std::initializer_list<std::string_view> but = {}) {
    return answer.changed([&](Field& field) {
        if (std::find(but.begin(), but.end(), field.name) == but.end())
            field.required = true;
    });
}

}  // namespace svc::api
