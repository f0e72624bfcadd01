// The theme's custom properties, and the face of its headings.
#include "base/pages/colours.hpp"

#include "shared/core/colour.hpp"

namespace svc::pages {

using colour::contrast;
using colour::readable;

std::string font_face(std::string_view path) {
    return "@font-face{font-family:svc-heading;src:url(" + std::string(path) +
           ") format(\"woff2\");font-weight:100 900;font-display:swap;unicode-range:U+0000-00FF,U+0131,U+0152-0153,"
           "U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+2000-206F,U+20AC,U+2122,U+2191,U+2193,U+2212,U+2215}";
}

std::string look_style(std::string_view wanted, std::string_view width) {
    std::string whole(wanted);
    if (whole.size() == 4)
        whole = {'#', wanted[1], wanted[1], wanted[2], wanted[2], wanted[3], wanted[3]};
    const std::string light = readable(whole, "#ffffff", 4.8), dark = readable(whole, "#16181c", 6.2);
    std::string css = "@layer svc{:root{--brand:" + light + ";--brand-raw:" + whole + ";--on-brand:#fff";
    if (!width.empty())
        css += ";--page:" + std::string(width);
    css += "}@media(prefers-color-scheme:dark){:root{--brand:" + dark +
           ";--on-brand:" + std::string(contrast("#10131a", dark) > contrast("#ffffff", dark) ? "#10131a" : "#ffffff") +
           "}}}";
    return css;
}

}  // namespace svc::pages
