// A style sheet without its comments and without white space that browsers ignore, so that the theme's file may be
// written for readers. Texts in quotes and addresses in url() stay as they are.
#pragma once

#include <string>
#include <string_view>

namespace svc::pages {

std::string compact_css(std::string_view css);

}  // namespace svc::pages
