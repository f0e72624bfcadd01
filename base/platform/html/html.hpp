// Sanitizes HTML from outside: listed elements stay, everything else is removed. Pure functions, any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace svc::html {

// The text is cut off after so many bytes, more than any field takes.
inline constexpr std::size_t most_bytes = std::size_t{512} * 1024;

// Keeps the listed elements and attributes as a browser parses them and serializes them: balanced, quoted, UTF-8.
// Idempotent: clean_html(clean_html(x)) == clean_html(x). Text that is too expensive to parse is returned as plain
// text, its markup visible.
std::string clean_html(std::string_view given);

// The addresses of the videos, frames and other embedded things of the text that clean_html leaves out, at most 20,
// each once; "without an address" for one that has none.
std::vector<std::string> refused_embeds(std::string_view given);

// The visible text: no tags, no scripts, entities decoded, white space and block borders as one space.
std::string text_of_html(std::string_view given);

// Plain text as HTML, for text and for quoted attributes.
std::string escaped(std::string_view text);
void escape_to(std::string& out, std::string_view text);  // the same, appended

}  // namespace svc::html
