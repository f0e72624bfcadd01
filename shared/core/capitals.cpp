// Capitals by ICU.
#include "shared/core/capitals.hpp"

#include <algorithm>

#include <unicode/locid.h>
#include <unicode/unistr.h>

#include "shared/core/text.hpp"

namespace svc::text {

std::string folded_capitals(std::string_view text) {
    std::string small = folded(text);
    if (std::all_of(small.begin(), small.end(), [](char c) { return (c & 0x80) == 0; })) {
        for (char& c : small)
            if (c >= 'a' && c <= 'z')
                c = static_cast<char>(c - 32);
        return small;
    }
    icu::UnicodeString units =
        icu::UnicodeString::fromUTF8(icu::StringPiece(small.data(), static_cast<std::int32_t>(small.size())));
    units.toUpper(icu::Locale::getRoot());
    std::string out;
    units.toUTF8String(out);
    return composed(out);
}

}  // namespace svc::text
