// HTML from outside made harmless: what may stay is listed, everything else goes. Pure functions, any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace svc::html {

// More bytes than this are not read: what follows is cut off. No field of ours takes as much.
inline constexpr std::size_t most_bytes = std::size_t{512} * 1024;

// The listed elements and attributes of the text as a browser reads it, written anew: balanced, quoted, UTF-8. Reading
// the result gives the same again, so clean_html(clean_html(x)) == clean_html(x). What costs more to read than any
// honest text comes back as plain text, its markup visible.
std::string clean_html(std::string_view given);

// The addresses of the videos, frames and other embedded things of the text that clean_html leaves out, at most 20,
// each once; "without an address" for one that has none.
std::vector<std::string> refused_embeds(std::string_view given);

// What a reader sees: no tags, no scripts, entities read, runs of white space as one blank, blocks one blank apart.
std::string text_of_html(std::string_view given);

// Plain text as HTML, for text and for quoted attributes.
std::string escaped(std::string_view text);

}  // namespace svc::html
