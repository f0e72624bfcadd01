// The widths of the pictures on cards.
#include "base/website/pages/card_sizes.hpp"

namespace svc::pages {

std::string card_sizes(std::string_view layout, std::string_view column) {
    // A compact card's picture fills its height and is cut at the sides.
    if (layout == "compact")
        return "16rem";
    return std::string(layout == "compact_mobile" ? "(max-width: 40rem) 16rem, " : "(max-width: 40rem) 100vw, ")
        .append("(max-width: 60rem) 50vw, ")
        .append(column);
}

}  // namespace svc::pages
