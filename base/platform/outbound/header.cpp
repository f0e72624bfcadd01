// Encoding and refusal of header values.
#include "base/platform/outbound/header.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

#include "shared/core/text.hpp"

namespace svc::outbound {
namespace {

constexpr std::size_t longest_plain = 600;  // a line of RFC 5322 ends at 998
constexpr std::size_t longest_word = 56;    // an encoded word has at most 75, less the header's name

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }
bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }
bool is_alnum(char c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

std::string quoted_printable(std::string_view character) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    std::string out;
    for (const char c : character) {
        if (is_alnum(c)) {
            out += c;
        } else if (c == ' ') {
            out += '_';
        } else {
            const auto byte = static_cast<unsigned char>(c);
            out += {'=', digits[byte >> 4], digits[byte & 15]};
        }
    }
    return out;
}

// Words of at most 75 characters, each of whole UTF-8 characters, one a line.
std::string encoded(std::string_view text) {
    std::string out, word;
    const auto finish = [&] {
        if (!out.empty())
            out += "\r\n ";
        out += "=?UTF-8?Q?" + word + "?=";
        word.clear();
    };
    while (!text.empty()) {
        const auto character = text::first(text, 1);
        const auto written = quoted_printable(character);
        if (word.size() + written.size() > longest_word)
            finish();
        word += written;
        text.remove_prefix(character.size());
    }
    finish();
    return out;
}

bool is_domain(std::string_view domain) {
    while (!domain.empty()) {
        const auto dot = std::min(domain.find('.'), domain.size());
        const auto label = domain.substr(0, dot);
        if (label.empty() || label.size() > 63 || label.front() == '-' || label.back() == '-')
            return false;
        if (!std::all_of(label.begin(), label.end(), [](char c) { return is_alnum(c) || c == '-'; }))
            return false;
        if (dot == domain.size())
            return true;
        domain.remove_prefix(dot + 1);
    }
    return false;
}

}  // namespace

Result<std::string> header_value(std::string_view field, std::string_view text) {
    if (std::any_of(text.begin(), text.end(), is_control) || !text::is_utf8(text))
        return invalid(std::string(field),
                       "This text contains characters that cannot be used in e-mail headers."_sentence);
    const bool plain = std::all_of(text.begin(), text.end(), is_ascii) && text.find("=?") == std::string_view::npos &&
                       text.size() <= longest_plain;
    return plain || text.empty() ? std::string(text) : encoded(text);
}

Result<std::string> mailbox(std::string_view field, std::string_view name, std::string_view address) {
    if (!is_address(address))
        return invalid(std::string(field), "Enter a valid e-mail address."_sentence);
    if (name.empty())
        return std::string(address);
    auto shown = header_value(field, name);
    if (!shown)
        return shown.error();
    if (*shown == name) {
        std::string quoted = "\"";
        for (const char c : name) {
            if (c == '"' || c == '\\')
                quoted += '\\';
            quoted += c;
        }
        shown = quoted + "\"";
    }
    return *shown + " <" + std::string(address) + ">";
}

bool is_address(std::string_view text) {
    const auto at = text.rfind('@');
    if (text.size() > 254 || at == std::string_view::npos || at == 0 || at > 64)
        return false;
    const auto local = text.substr(0, at);
    constexpr std::string_view marks = "!#$%&'*+-/=?^_`{|}~.";
    const auto fits = [&](char c) { return is_alnum(c) || marks.find(c) != std::string_view::npos; };
    return std::all_of(local.begin(), local.end(), fits) && local.front() != '.' && local.back() != '.' &&
           local.find("..") == std::string_view::npos && is_domain(text.substr(at + 1));
}

std::string mail_date(Instant instant) {
    constexpr std::array days{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
    constexpr std::array months{"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    const auto date = Zone::utc().date_at(instant);
    const auto seconds = instant.seconds() - std::int64_t{date.days()} * 86400;
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%s, %02u %s %04d %02d:%02d:%02d +0000", days[date.weekday()], date.day(),
                  months[date.month() - 1], date.year(), static_cast<int>(seconds / 3600),
                  static_cast<int>(seconds / 60 % 60), static_cast<int>(seconds % 60));
    return text.data();
}

}  // namespace svc::outbound
