// A template as a list of steps, which a rendering runs over the data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/platform/templates/source.hpp"

namespace svc::templates {

enum class Does : std::uint8_t { text, line_end, value, raw_value, say, section, inverted };

struct Step {
    Does does;
    std::string text;                // text; line_end: whole lines after it; say: the English
    std::vector<std::string> names;  // "a.b" is two; "." is none
    std::size_t break_size = 0;      // line_end: of the line break that its text begins with
    std::size_t after = 0;           // sections: the step after their last one
    std::uint64_t section = 0;       // sections: its number among those of all templates
};

// "a.b" is two names, "." none.
std::vector<std::string> names_in(std::string_view tag);

// `source` is well-formed: prepare() wrote it.
std::vector<Step> compiled(const Source& source);

}  // namespace svc::templates
