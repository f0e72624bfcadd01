// The words a text is searched by. Pure functions, any thread.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace svc::text {

// Calls `take` for each word in its order: letters and digits with case and accents folded ("Łódź" gives "lodz").
// A letter of a script that is written without blanks is a word of its own. A word holds nothing but letters, digits
// and marks, at most 40 code points; the rest of a longer one is dropped. `take` answers false to hear no more.
void each_word(std::string_view text, const std::function<bool(std::string_view word)>& take);

// What a list that staff search is searched by, of texts and of what they type alike: without case, accents and
// strokes ("Díaz" gives "diaz", "Łódź İstanbul ß" "lodz istanbul ss"), typographic apostrophes, quotes and dashes as
// those of a keyboard, what shows nothing left out, international domains by their letters. Blanks and line breaks
// stay. Folding twice changes nothing, and what folded() gave before gives the same.
std::string search_key(std::string_view text);

// What titles are put in order by, byte by byte: the words without case and accents ("Äpple" beside "apple"), then the
// title as it is compared without case.
std::string title_order(std::string_view title);

// The distinct words of what a person typed, at most `most` of them.
std::vector<std::string> search_words(std::string_view text, std::size_t most);

}  // namespace svc::text
