// Texts from outside made clean: UTF-8, trimming, composed form, and their quoting as JSON. Pure functions, any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace svc::text {

bool is_utf8(std::string_view text);
// The text with each ill-formed sequence replaced by U+FFFD.
std::string made_utf8(std::string_view text);

// One line as people type it: valid UTF-8 in composed form (NFC), line breaks and tabs made blanks, other control
// characters removed, no white space at the ends.
std::string clean(std::string_view text);
// Several lines as people type them: as clean(), but line breaks stay (as \n) and tabs too.
std::string clean_lines(std::string_view text);
// For single words that people paste (an address, a code, a reference): as clean(), and without invisible characters
// anywhere (zero-width spaces and joiners, direction marks, soft hyphens, a byte-order mark).
std::string strip_invisible(std::string_view text);
// Whether a person's name holds an e-mail or web address, or what mail programs turn into a link.
bool holds_address(std::string_view name);
// Composed form alone. Ill-formed sequences become U+FFFD.
std::string composed(std::string_view text);

// For comparing without case: composed form, case folded by Unicode's full rules ("Straße" and "STRASSE" are equal).
std::string folded(std::string_view text);

// Code points; an ill-formed sequence counts as one.
std::size_t length(std::string_view text);
// The longest beginning of at most that many code points.
std::string_view first(std::string_view text, std::size_t count);

// Letters and digits of any script with their marks, hyphens and underscores: the last part of a page's address. False
// for the empty text.
bool is_slug(std::string_view text);

// The part of a page's address that a title gives: its letters and digits in lower case, everything else one hyphen
// between them, at most `longest` code points; empty when it has neither.
std::string slug_of(std::string_view title, std::size_t longest);

// Appends the text as a JSON string, quotes included; ill-formed sequences become U+FFFD.
void quote_json(std::string& out, std::string_view text);

}  // namespace svc::text
