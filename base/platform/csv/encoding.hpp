// The encoding of a text file from another program: by its mark, its bytes, the words that they would be, and where its
// writer lives.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace svc::csv {

// What is known of a file before it is looked at.
struct Origin {
    std::string encoding = {};  // of encoding_names(), chosen by a person; empty: it is found out
    std::string language = {};  // of the site, such as "cs"
    std::string country = {};   // of the site, such as "CZ"
};

struct Encoding {
    std::string name;      // of encoding_names()
    std::size_t mark = 0;  // bytes before the text
    bool is_sure = true;   // by a mark or since it is UTF-8; false: guessed
};

// The encodings that a person can choose: those that spreadsheet programs write.
const std::vector<std::string>& encoding_names();
// A byte order mark says it. Else the chosen one; else UTF-8 where the whole file is; else, of languages without Latin
// letters, what ICU is sure of; else the encoding in which the letters beyond ASCII stand best among their neighbours,
// and of equal ones the usual one of the country and language, then Windows-1252. A file that cannot be read is UTF-8.
Encoding encoding_of(const std::string& path, const Origin& origin);

}  // namespace svc::csv
