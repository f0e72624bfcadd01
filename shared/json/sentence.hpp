// Sentences as JSON: from Pro to the base and between parts of a page, so that the last one says them in a language.
#pragma once

#include "shared/core/sentence.hpp"
#include "shared/json/value.hpp"

namespace svc::json {

// Words without a translation are a text; others {"id": English text, "values": {place: {"kind", "text"} or
// {"kind": "list", "parts": [sentence, …]}}}.
Value to_json(const Sentence& sentence);
// The other way. What is neither a text nor such an object is an empty sentence.
Sentence sentence_from(const Value& value);

}  // namespace svc::json
