// Parts of an answer that hold sentences, in the language of the caller.
#pragma once

#include <string_view>

#include "shared/api/route.hpp"
#include "shared/json/sentence.hpp"

namespace svc::api {

// Rows, each with the sentence of that member (shared/json/sentence.hpp) as the text that the caller reads; null stays.
inline json::Value said_rows(const json::Value& rows, std::string_view member, const Request& request) {
    return json::array_of(rows.is_array() ? rows.items() : json::Array{}, [&](const json::Value& row) {
        json::Value said = row;
        if (!row[member].is_null())
            said.set(std::string(member), request.say(json::sentence_from(row[member])));
        return said;
    });
}

}  // namespace svc::api
