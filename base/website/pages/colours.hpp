// The site's colours as style sheets need it: shades that can be read on light and on dark ground.
#pragma once

#include <string>
#include <string_view>

namespace svc::pages {

// The rule for the face of headings, whose file is at `path`; other scripts than its own fall back to the system's.
std::string font_face(std::string_view path);
struct Look {
    std::string colour;  // setting frontend_primary_color
    std::string accent;  // frontend_accent_color; may be empty
    std::string width;   // frontend_container_max_width; may be empty
};
// Rules that set the theme's custom properties. A colour of three digits is taken as well. Links and buttons take
// shades of the colours whose text can be read on the theme's light and dark grounds.
std::string look_style(const Look& look);

}  // namespace svc::pages
