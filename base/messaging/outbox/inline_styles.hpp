// Gives each element of an e-mail its look by itself: some mail readers drop the style block.
#pragma once

#include <string>
#include <string_view>

namespace svc::messaging {

// The rules of the first style block as style attributes of the elements that they are for. Rules for a kind of screen
// or for a state, and those with other selectors than elements, classes and what lies within them, stay in the block
// alone.
std::string with_inline_styles(std::string_view html);

// Names that texts::isolated() has marked as elements with dir="auto", which all mail readers know.
std::string with_marked_names(std::string_view html);

}  // namespace svc::messaging
