// Secrets taken out of a text by their patterns; each pass looks for one kind.
#include "shared/core/redact.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "shared/core/log.hpp"
#include "shared/core/luhn.hpp"
#include "shared/core/text.hpp"

namespace svc::log {
namespace {

constexpr auto none = std::string_view::npos;
constexpr std::size_t fewest_card_digits = 13, most_card_digits = 19;
constexpr std::size_t shortest_random_word = 11;  // a known beginning and eight characters

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_letter(char c) { return is_upper(c) || (c >= 'a' && c <= 'z'); }
bool is_blank(char c) { return c == ' ' || c == '\t'; }
bool is_word(char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '-'; }
char lowered(char c) { return is_upper(c) ? static_cast<char>(c + ('a' - 'A')) : c; }

std::string lowered(std::string_view text) {
    std::string low(text);
    std::transform(low.begin(), low.end(), low.begin(), [](char c) { return lowered(c); });
    return low;
}

bool starts_with_word(std::string_view text, std::string_view low_word) {
    return text.size() >= low_word.size() && lowered(text.substr(0, low_word.size())) == low_word;
}

std::size_t run(std::string_view text, std::size_t at, bool (*belongs)(char)) {
    while (at < text.size() && belongs(text[at]))
        ++at;
    return at;
}

// ---- "Bearer abc", "Basic abc" ----

bool is_credential(char c) { return is_letter(c) || is_digit(c) || std::string_view("-._~+/=").find(c) != none; }

std::string without_credentials(std::string_view text) {
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        const bool word_start = at == 0 || !is_word(text[at - 1]);
        std::size_t scheme = 0;
        if (word_start && (lowered(text[at]) == 'b' || lowered(text[at]) == 'd'))
            for (const std::string_view name : {"bearer", "basic", "digest"})
                if (starts_with_word(text.substr(at), name))
                    scheme = name.size();
        const std::size_t gap = scheme ? run(text, at + scheme, is_blank) : 0;
        const std::size_t end = scheme ? run(text, gap, is_credential) : 0;
        if (scheme && gap > at + scheme && end > gap) {
            out.append(text, at, gap - at);
            out += removed;
            at = end;
        } else {
            out += text[at++];
        }
    }
    return out;
}

// ---- name=value, name: value, "name":"value" ----

bool ends_value(char c) { return std::string_view(" \t\r\n&\"'<>;,)}]|").find(c) != none; }

// Where the value that starts at `at` ends; header values of cookies and credentials reach to the end of the line.
std::size_t value_end(std::string_view text, std::size_t at, char separator, std::string_view low_name) {
    if (at < text.size() && (text[at] == '"' || text[at] == '\'')) {
        const char quote = text[at];
        for (++at; at < text.size() && text[at] != quote; ++at)
            if (text[at] == '\\' && at + 1 < text.size())
                ++at;
        return std::min(at, text.size());
    }
    const bool header = low_name.find("cookie") != none || low_name.find("authorization") != none;
    if (separator == ':' && header)
        return std::min(text.find_first_of("\r\n", at), text.size());
    while (at < text.size() && !ends_value(text[at]))
        ++at;
    return at;
}

std::string without_named_values(std::string_view text) {
    std::string out;
    std::size_t copied = 0;
    for (std::size_t at = text.find_first_of("=:"); at != none; at = text.find_first_of("=:", at + 1)) {
        std::size_t name_end = at;
        while (name_end > copied && is_blank(text[name_end - 1]))
            --name_end;
        if (name_end > copied && (text[name_end - 1] == '"' || text[name_end - 1] == '\''))
            --name_end;
        std::size_t name = name_end;
        while (name > copied && (is_word(text[name - 1]) || text[name - 1] == '[' || text[name - 1] == ']'))
            --name;
        const std::string_view called = text.substr(name, name_end - name);
        if (!is_secret_name(called) || text.substr(at, 3) == "://")
            continue;
        std::size_t value = run(text, at + 1, is_blank);
        const std::size_t end = value_end(text, value, text[at], lowered(called));
        if (value < end && (text[value] == '"' || text[value] == '\''))
            ++value;
        if (end <= value)
            continue;
        out.append(text, copied, value - copied);
        out += removed;
        copied = end;
        at = end - 1;
    }
    out.append(text, copied);
    return out;
}

// ---- scheme://user:password@host ----

std::string without_url_passwords(std::string_view text) {
    std::string out;
    std::size_t copied = 0;
    for (std::size_t at = text.find("://"); at != none; at = text.find("://", at + 3)) {
        const std::size_t user = at + 3;
        const std::size_t end = std::min(text.find_first_of("/?# \t\r\n\"'", user), text.size());
        const std::size_t host = text.substr(0, end).rfind('@');
        if (host == none || host < user)
            continue;
        out.append(text, copied, user - copied);
        out += removed;
        copied = host;
    }
    out.append(text, copied);
    return out;
}

// ---- long random words, and keys with known prefixes ----

bool looks_random(std::string_view word) {
    for (const std::string_view start : {"sk_", "rk_", "whsec_", "sk-", "xoxb-", "ghp_"})
        if (word.size() >= start.size() + 8 && word.substr(0, start.size()) == start)
            return true;
    constexpr std::size_t shortest = 40;  // 256 bits are 43 characters of base64url or 64 of hex
    constexpr auto unlike_words = 8;      // digits and capitals; names in snake_case hardly have that many
    return word.size() >= shortest &&
           std::count_if(word.begin(), word.end(), [](char c) { return is_digit(c) || is_upper(c); }) >= unlike_words;
}

std::string without_random_words(std::string_view text) {
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = run(text, at, is_word);
        if (end == at) {
            out += text[at++];
            continue;
        }
        const std::string_view word = text.substr(at, end - at);
        out += looks_random(word) ? removed : word;
        at = end;
    }
    return out;
}

// ---- card numbers ----

struct Group {
    std::size_t start, end;
};

// Groups of digits separated by a single space, hyphen or dot.
std::vector<Group> digit_groups(std::string_view text, std::size_t at) {
    std::vector<Group> groups;
    while (true) {
        const std::size_t end = run(text, at, is_digit);
        if (end == at)
            return groups;
        groups.push_back({at, end});
        if (end >= text.size() || std::string_view(" -.").find(text[end]) == none)
            return groups;
        at = end + 1;
    }
}

// The end of a card number that starts with the first of the groups, or none.
std::size_t card_end(std::string_view text, const std::vector<Group>& groups, std::size_t first) {
    std::string digits;
    std::size_t found = none;
    for (std::size_t i = first; i < groups.size() && digits.size() <= most_card_digits; ++i) {
        digits.append(text, groups[i].start, groups[i].end - groups[i].start);
        if (digits.size() >= fewest_card_digits && digits.size() <= most_card_digits && passes_luhn(digits))
            found = groups[i].end;
    }
    return found;
}

std::string without_cards(std::string_view text) {
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        if (!is_digit(text[at])) {
            out += text[at++];
            continue;
        }
        const auto groups = digit_groups(text, at);
        for (std::size_t i = 0; i < groups.size(); ++i) {
            if (groups[i].start < at)
                continue;
            out.append(text, at, groups[i].start - at);
            const std::size_t end = card_end(text, groups, i);
            out += end == none ? text.substr(groups[i].start, groups[i].end - groups[i].start) : removed;
            at = end == none ? groups[i].end : end;
        }
    }
    return out;
}

// ---- e-mail addresses ----

bool is_mailbox(char c) {
    return is_word(c) || static_cast<unsigned char>(c) >= 0x80 || std::string_view(".+!#$*/?^`{|}~").find(c) != none;
}
bool is_host(char c) { return is_word(c) || c == '.' || static_cast<unsigned char>(c) >= 0x80; }

std::string without_addresses(std::string_view text) {
    std::string out;
    std::size_t copied = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const std::size_t sign = text[at] == '@' ? 1 : text.substr(at, 3) == "%40" ? 3 : 0;
        if (sign == 0)
            continue;
        std::size_t start = at;
        while (start > copied && is_mailbox(text[start - 1]))
            --start;
        if (start == at || at + sign >= text.size() || !is_host(text[at + sign]))
            continue;
        const std::string_view letter = text::first(text.substr(start, at - start), 1);
        out.append(text, copied, start - copied);
        out.append(letter);
        out += "***";
        copied = at;
    }
    out.append(text, copied);
    return out;
}

}  // namespace

bool is_secret_name(std::string_view name) {
    // Names that hold one of these anywhere, then whole words of a name.
    static constexpr std::string_view parts[] = {"authorization", "cookie", "passw",      "passphrase",
                                                 "secret",        "token",  "credential", "apikey",
                                                 "signature",     "nonce",  "session"};
    static constexpr std::string_view words[] = {"key",  "keys", "pass", "pwd", "sig",
                                                 "auth", "pan",  "cvc",  "cvv", "otp"};
    if (name.empty())
        return false;
    const std::string low = lowered(name);
    if (std::any_of(std::begin(parts), std::end(parts), [&](auto part) { return low.find(part) != none; }))
        return true;
    std::string word;
    const auto is_secret_word = [&] { return std::find(std::begin(words), std::end(words), word) != std::end(words); };
    for (std::size_t i = 0; i < name.size(); ++i) {
        const bool hump = i > 0 && is_upper(name[i]) && !is_upper(name[i - 1]);
        if (!is_letter(name[i]) || hump) {
            if (is_secret_word())
                return true;
            word.clear();
        }
        if (is_letter(name[i]))
            word += low[i];
    }
    return is_secret_word();
}

std::string redacted(std::string_view text) {
    // Most values contain nothing to redact; one pass decides which others are necessary.
    std::size_t digits = 0;
    bool blank = false, named = false, address = false;
    for (const char c : text) {
        digits += is_digit(c) ? 1U : 0U;
        blank = blank || is_blank(c);
        named = named || c == '=' || c == ':';
        address = address || c == '@' || c == '%';
    }
    std::string out = blank ? without_credentials(text) : std::string(text);
    if (named)
        out = without_url_passwords(without_named_values(out));
    if (out.size() >= shortest_random_word)
        out = without_random_words(out);
    if (digits >= fewest_card_digits)
        out = without_cards(out);
    if (address)
        out = without_addresses(out);
    return out;
}

}  // namespace svc::log
