// Finds the line of a tag, for what people are told about a template.
#pragma once

#include <cstddef>
#include <string_view>

namespace svc::templates {

// The line where a text asks for that tag first, as a tag or as an argument of a text; 0: nowhere.
std::size_t line_of_tag(std::string_view text, std::string_view tag);

}  // namespace svc::templates
