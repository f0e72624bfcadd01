// The widths of the pictures on cards.
#pragma once

#include <string>
#include <string_view>

namespace svc::pages {

// How wide the cards' pictures of that layout are, for an <img>; `column`: on a wide screen.
std::string card_sizes(std::string_view layout, std::string_view column);

}  // namespace svc::pages
