// The words a text is searched by. Pure functions, any thread.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace svc::text {

// Calls `take` for each word in order: letters and digits with case and accents folded ("Łódź" gives "lodz"). In
// scripts written without spaces each letter is a word. A word has only letters, digits and marks, at most 40 code
// points; the rest of a longer one is dropped. `take` returns false to stop.
void each_word(std::string_view text, const std::function<bool(std::string_view word)>& take);

// The search key of text and of user input for staff's lists: without case, accents and strokes ("Díaz" gives "diaz",
// "Łódź İstanbul ß" "lodz istanbul ss"), with the keyboard's apostrophes, quotes and dashes, without invisible
// characters, international domains decoded. Spaces and line breaks stay. Idempotent, also for text that folded()
// produced earlier.
std::string search_key(std::string_view text);

// The sort key of titles, compared byte by byte: the words without case and accents ("Äpple" beside "apple"), then the
// title as it is compared without case.
std::string title_order(std::string_view title);

// The distinct words of user input, at most `most` of them.
std::vector<std::string> search_words(std::string_view text, std::size_t most);

}  // namespace svc::text
