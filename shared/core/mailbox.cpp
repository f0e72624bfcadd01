// Folds the spellings of an address.
#include "shared/core/mailbox.hpp"

#include <algorithm>

#include "shared/core/text.hpp"

namespace svc {

std::string mailbox_key(std::string_view address) {
    const std::string folded = text::folded(address);
    const auto at = folded.rfind('@');
    if (at == std::string::npos)
        return {};
    std::string domain = folded.substr(at);
    std::string mailbox = folded.substr(0, std::min(folded.find('+'), at));
    if (domain == "@googlemail.com")
        domain = "@gmail.com";
    if (domain == "@gmail.com")
        mailbox.erase(std::remove(mailbox.begin(), mailbox.end(), '.'), mailbox.end());
    return mailbox.empty() ? folded : mailbox + domain;
}

}  // namespace svc
