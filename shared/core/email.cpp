// The syntax of e-mail addresses.
#include "shared/core/email.hpp"

#include <algorithm>

namespace svc {
namespace {

bool is_alphanumeric(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }

// Each part between the dots is not empty and fulfils `fine`.
template <class Fine>
bool dotted(std::string_view text, Fine fine) {
    while (true) {
        const auto dot = text.find('.');
        const auto part = text.substr(0, dot);
        if (part.empty() || !fine(part))
            return false;
        if (dot == std::string_view::npos)
            return true;
        text.remove_prefix(dot + 1);
    }
}

bool is_atom(std::string_view part) {
    return std::all_of(part.begin(), part.end(), [](char c) {
        return is_alphanumeric(c) || std::string_view("!#$%&'*+-/=?^_`{|}~").find(c) != std::string_view::npos;
    });
}

bool is_label(std::string_view part) {
    return part.size() <= 63 && part.front() != '-' && part.back() != '-' &&
           std::all_of(part.begin(), part.end(), [](char c) { return is_alphanumeric(c) || c == '-'; });
}

}  // namespace

bool is_email(std::string_view text) {
    const auto at = text.find('@');
    if (at == std::string_view::npos || text.size() > 254 || at > 64)
        return false;
    const auto local = text.substr(0, at), domain = text.substr(at + 1);
    const auto dot = domain.rfind('.');
    if (dot == std::string_view::npos || !dotted(local, is_atom) || !dotted(domain, is_label))
        return false;
    const auto top = domain.substr(dot + 1);
    return top.size() >= 2 && !std::all_of(top.begin(), top.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace svc
