// The site's colour as style sheets need it: shades that can be read on light and on dark ground.
#pragma once

#include <string>
#include <string_view>

namespace svc::pages {

// WCAG 2's contrast of two colours "#rrggbb", 1 to 21. Pure, any thread.
double contrast(std::string_view one, std::string_view other);
// The nearest shade of the colour, darker or lighter, whose contrast to `ground` is at least `least`.
std::string readable(std::string_view colour, std::string_view ground, double least);
// Rules that set the theme's custom properties from settings frontend_primary_color and
// frontend_container_max_width. A colour of three digits is taken as well.
std::string look_style(std::string_view colour, std::string_view width);

}  // namespace svc::pages
