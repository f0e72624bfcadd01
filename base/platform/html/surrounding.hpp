// Checks markup that an operator wraps around pages. Pure functions, any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "shared/core/sentence.hpp"

namespace svc::html {

// The first fault of markup with `{{ tags }}`, as a sentence for its author; nothing when it is sound: listed elements
// and attributes alone, no comment, tags in texts and in attributes that take text, and `once` in exactly one place of
// a text.
std::optional<Sentence> surrounding_fault(std::string_view given, std::string_view once);

}  // namespace svc::html
