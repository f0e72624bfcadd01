// Texts that may hold markup, made fit to be shown.
#pragma once

#include <string>
#include <string_view>

#include "shared/core/text.hpp"

namespace svc::catalog::trips {

inline std::string clean_rich(std::string_view given) { return text::clean_lines(given); }

}  // namespace svc::catalog::trips
