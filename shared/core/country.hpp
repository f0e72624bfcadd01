// Countries as people write them.
#pragma once

#include <string>
#include <string_view>

#include "shared/core/sentence.hpp"

namespace svc {

// The two capital letters of ISO 3166-1 for a code of two or three letters or a name in English, German, Spanish,
// French, Italian, Dutch or Portuguese, in any case; empty for an unknown one. Any thread.
std::string country_code(std::string_view written);
// The same, but an unknown one as it is.
std::string country_as_code(std::string_view written);
inline constexpr SentenceId not_a_country =
    "This is not a country. Enter its name or its two letters, such as DE."_sentence;

// The English name for a code of two letters: "GB" is "United Kingdom". Anything else as it is. Any thread.
std::string country_name(std::string_view code);

}  // namespace svc
