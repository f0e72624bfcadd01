// Days in the words of a language, for texts that the base does not write.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "pro/common/look.hpp"

namespace svc::pro {

// Pro's own texts are in these.
constexpr std::array<const char*, 4> languages{"en", "de", "es", "fr"};

// The index of a locale's language ("de-AT" is that of "de"); of another one that of English.
std::size_t language_of(std::string_view locale);

// As the site's setting says, else in words: "4 May 2027".
std::string day_in(std::size_t language, Date day, const Look& look);

}  // namespace svc::pro
