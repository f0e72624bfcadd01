// The syntax of e-mail addresses, and which of them are one mailbox.
#include "shared/core/email.hpp"

#include <algorithm>
#include <memory>

#include <unicode/bytestream.h>
#include <unicode/idna.h>

#include "shared/core/mailbox.hpp"
#include "shared/core/text.hpp"

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

bool is_ascii(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

// UTS 46, nontransitional; null when ICU lacks its data.
const icu::IDNA* names() {
    UErrorCode status = U_ZERO_ERROR;
    static const std::unique_ptr<const icu::IDNA> idna{
        icu::IDNA::createUTS46Instance(UIDNA_USE_STD3_RULES | UIDNA_CHECK_BIDI | UIDNA_CHECK_CONTEXTJ |
                                           UIDNA_NONTRANSITIONAL_TO_ASCII | UIDNA_NONTRANSITIONAL_TO_UNICODE,
                                       status)};
    return idna.get();
}

// A domain in ASCII, as name servers store it; nothing for a domain that cannot exist there.
std::optional<std::string> ascii_domain(std::string_view domain) {
    const icu::IDNA* idna = names();
    if (!idna || domain.size() > 1024)
        return std::nullopt;
    std::string out;
    icu::StringByteSink<std::string> sink(&out);
    icu::IDNAInfo info;
    UErrorCode status = U_ZERO_ERROR;
    idna->nameToASCII_UTF8(icu::StringPiece(domain.data(), static_cast<std::int32_t>(domain.size())), sink, info,
                           status);
    return U_FAILURE(status) || info.hasErrors() ? std::nullopt : std::optional(std::move(out));
}

}  // namespace

std::string domains_in_letters(std::string_view text) {
    constexpr std::string_view mark = "xn--";
    const icu::IDNA* idna = names();
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        const auto end = std::find_if_not(text.begin() + static_cast<std::ptrdiff_t>(at), text.end(),
                                          [](char c) { return is_alphanumeric(c) || c == '-'; });
        const std::string_view label = text.substr(at, static_cast<std::size_t>(end - text.begin()) - at);
        const bool is_marked = label.size() > mark.size() && label.size() <= 63 && (label[0] | 0x20) == 'x' &&
                               (label[1] | 0x20) == 'n' && label.substr(2, 2) == mark.substr(2);
        std::string letters;
        icu::StringByteSink<std::string> sink(&letters);
        icu::IDNAInfo info;
        UErrorCode status = U_ZERO_ERROR;
        if (idna && is_marked)
            idna->labelToUnicodeUTF8(icu::StringPiece(label.data(), static_cast<std::int32_t>(label.size())), sink,
                                     info, status);
        out += is_marked && U_SUCCESS(status) && !info.hasErrors() ? std::string_view(letters) : label;
        at += label.size();
        if (at < text.size())
            out += text[at++];
    }
    return out;
}

std::optional<std::string> email_address(std::string_view typed) {
    std::string address = text::strip_invisible(typed);
    if (const auto at = address.rfind('@'); at != std::string::npos && !is_ascii(address)) {
        const auto domain = ascii_domain(std::string_view(address).substr(at + 1));
        if (!domain)
            return std::nullopt;
        address.replace(at + 1, std::string::npos, *domain);
    }
    return is_email(address) ? std::optional(std::move(address)) : std::nullopt;
}

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
