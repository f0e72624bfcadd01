// Colours "#rrggbb" whose text can be read.
#pragma once

#include <string>
#include <string_view>

namespace svc::colour {

inline constexpr double least_of_text = 4.5;  // WCAG 2.2, 1.4.3

// WCAG 2's contrast of two colours, 1 to 21. Pure, any thread; so is the rest.
double contrast(std::string_view one, std::string_view other);
// The nearest shade of the colour, darker or lighter, whose contrast to `ground` is at least `least`.
std::string readable(std::string_view colour, std::string_view ground, double least);

struct Pair {
    std::string ground, text;
};
// A button of that colour: white text where it can be read, dark text on a bright colour, and a colour between them
// darkened until white text can be read.
Pair button(std::string_view colour);

}  // namespace svc::colour
