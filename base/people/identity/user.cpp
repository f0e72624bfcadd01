// How names and tokens are read.
#include "base/people/identity/user.hpp"

#include <algorithm>

#include "shared/core/email.hpp"
#include "shared/core/text.hpp"

namespace svc::identity {

std::string folded(std::string_view name) {
    const auto address = email_address(name);
    std::string text = address ? *address : text::strip_invisible(name);
    for (char& c : text)
        if (c >= 'A' && c <= 'Z')
            c = static_cast<char>(c - 'A' + 'a');
    return text;
}

bool is_token(std::string_view text) {
    return text.size() == 43 && std::all_of(text.begin(), text.end(), [](char c) {
               return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
                      c == '_';
           });
}

}  // namespace svc::identity
