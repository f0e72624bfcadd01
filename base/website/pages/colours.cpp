// The theme's custom properties, and the face of its headings.
#include "base/website/pages/colours.hpp"

#include "shared/core/colour.hpp"

namespace svc::pages {

using colour::contrast;
using colour::readable;

namespace {

constexpr const char *light_ground = "#ffffff", *dark_ground = "#16181c";

std::string with_six_digits(const std::string& colour) {
    if (colour.size() != 4)
        return colour;
    return {'#', colour[1], colour[1], colour[2], colour[2], colour[3], colour[3]};
}

std::string accent_of(const std::string& colour, const char* ground, double least) {
    if (colour.empty())
        return {};
    const std::string shade = readable(with_six_digits(colour), ground, least);
    return ";--accent:" + shade + ";--star:" + shade;
}

}  // namespace

std::string font_face(std::string_view path) {
    return "@font-face{font-family:svc-heading;src:url(" + std::string(path) +
           ") format(\"woff2\");font-weight:100 900;font-display:swap;unicode-range:U+0000-00FF,U+0131,U+0152-0153,"
           "U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+2000-206F,U+20AC,U+2122,U+2191,U+2193,U+2212,U+2215}";
}

std::string look_style(const Look& look) {
    const std::string whole = with_six_digits(look.colour);
    const std::string light = readable(whole, light_ground, 4.8), dark = readable(whole, dark_ground, 6.2);
    std::string css = "@layer svc{:root{--brand:" + light + ";--brand-raw:" + whole + ";--on-brand:#fff";
    if (!look.width.empty())
        css += ";--page:" + look.width;
    css += accent_of(look.accent, light_ground, 5.2);  // links are also read on sunk ground, which is darker
    css += "}@media(prefers-color-scheme:dark){:root{--brand:" + dark +
           ";--on-brand:" + std::string(contrast("#10131a", dark) > contrast("#ffffff", dark) ? "#10131a" : "#ffffff") +
           accent_of(look.accent, dark_ground, 6.2) + "}}}";
    return css;
}

}  // namespace svc::pages
