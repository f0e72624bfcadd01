// The site's colour as style sheets need it: shades that can be read on light and on dark ground.
#pragma once

#include <string>
#include <string_view>

namespace svc::pages {

// The rule for the face of headings, whose file is at `path`; other scripts than its own fall back to the system's.
std::string font_face(std::string_view path);
// Rules that set the theme's custom properties from settings frontend_primary_color and
// frontend_container_max_width. A colour of three digits is taken as well.
std::string look_style(std::string_view colour, std::string_view width);

}  // namespace svc::pages
