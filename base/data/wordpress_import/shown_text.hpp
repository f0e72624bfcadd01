// Texts of the classic editor as WordPress shows them: it stores lines, and makes paragraphs, pictures with captions
// and the like of them when a page is shown. Pure functions, any thread.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace svc::wordpress_import {

// What a text had that this site has no counterpart of.
struct TextRemains {
    std::set<std::string> shortcodes;   // names, of which only the words between them stay
    std::vector<std::string> pictures;  // numbers of the pictures of galleries
};

// Captions become <figure>; of other shortcodes the words between them stay. Brackets that are no shortcode stay.
std::string without_shortcodes(std::string_view text, TextRemains& remains);

// Paragraphs at blank lines and line breaks at the ends of lines, outside of what is a block already. A text of the
// block editor has its own.
std::string with_paragraphs(std::string_view text);

// Both.
std::string shown_text(std::string_view text, TextRemains& remains);

}  // namespace svc::wordpress_import
