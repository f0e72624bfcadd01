// Sentences in the language of their reader: the domain "error" of the catalogues.
#pragma once

#include <string>
#include <string_view>

#include "shared/core/sentence.hpp"

namespace svc::texts {

inline constexpr std::string_view sentences_domain = "error";

// The sentence in the language of the locale, else in English. Days are in words, decimals and amounts as that language
// writes them; in English they stay as programs read them. Any thread.
std::string say(std::string_view locale, const Sentence& sentence);

// The language that the header Accept-Language asks for first, among those that sentences have ("de" for "de-AT"), and
// the tests' language en-XA; "en" when none is there or the header is empty. Any thread.
std::string language_asked_for(std::string_view accept_language);

}  // namespace svc::texts
