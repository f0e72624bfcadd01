// The strict gate, line by line.
#include "shell/http/gate.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

namespace svc::http {
namespace {

enum : std::uint8_t { token_char = 1, value_char = 2, target_char = 4, host_char = 8 };

constexpr bool in(std::string_view set, unsigned c) { return set.find(static_cast<char>(c)) != std::string_view::npos; }

constexpr std::array<std::uint8_t, 256> char_classes() {
    std::array<std::uint8_t, 256> classes{};
    for (unsigned c = 0; c < 256; ++c) {
        const bool alnum = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        unsigned found = 0;
        if (alnum || (c < 128 && c != 0 && in("!#$%&'*+-.^_`|~", c)))
            found |= token_char;
        if (c == '\t' || (c >= 0x20 && c != 0x7f))
            found |= value_char;
        if (c > 0x20 && c < 0x7f)
            found |= target_char;
        if (alnum || (c < 128 && c != 0 && in("-._~!$&'()*+,;=%", c)))
            found |= host_char;
        classes[c] = static_cast<std::uint8_t>(found);
    }
    return classes;
}

constexpr auto classes = char_classes();

bool all(std::string_view text, std::uint8_t flags) {
    for (const char c : text)
        if ((classes[static_cast<unsigned char>(c)] & flags) == 0)
            return false;
    return true;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// `line` is without its CRLF; 0 when it may pass.
int check_request_line(std::string_view line, const Limits& limits) {
    const auto first = line.find(' ');
    const auto last = line.rfind(' ');
    if (first == std::string_view::npos || first == last)
        return 400;
    const auto target = line.substr(first + 1, last - first - 1);
    const auto version = line.substr(last + 1);
    if (!is_token(line.substr(0, first)) || target.empty() || !all(target, target_char))
        return 400;
    if (version.size() != 8 || !version.starts_with("HTTP/") || !is_digit(version[5]) || version[6] != '.' ||
        !is_digit(version[7]))
        return 400;
    if (version != "HTTP/1.1" && version != "HTTP/1.0")
        return 505;
    return target.size() > limits.target ? 414 : 0;
}

// A folded line begins with a blank, so its name is no token.
int check_field(std::string_view line) {
    std::size_t colon = 0;
    while (colon < line.size() && (classes[static_cast<unsigned char>(line[colon])] & token_char) != 0)
        ++colon;
    if (colon == 0 || colon == line.size() || line[colon] != ':')
        return 400;
    return all(line.substr(colon + 1), value_char) ? 0 : 400;
}

}  // namespace

bool is_token(std::string_view text) { return !text.empty() && all(text, token_char); }

bool breaks_line(std::string_view text) {
    constexpr std::uint64_t ones = 0x0101010101010101, tops = 0x8080808080808080;
    // Eight bytes at once, since it checks every header of every answer: all three are below 0x0E.
    for (std::uint64_t eight = 0; text.size() >= sizeof eight; text.remove_prefix(sizeof eight)) {
        std::memcpy(&eight, text.data(), sizeof eight);
        if (((eight - ones * 0x0E) & ~eight & tops) != 0)
            break;
    }
    return std::any_of(text.begin(), text.end(), [](char c) { return c == '\r' || c == '\n' || c == '\0'; });
}

bool valid_host(std::string_view host) {
    std::string_view port;
    if (host.starts_with('[')) {
        const auto end = host.find(']');
        if (end == std::string_view::npos || end < 3 ||
            !std::all_of(host.begin() + 1, host.begin() + static_cast<std::ptrdiff_t>(end), [](char c) {
                return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F') || c == ':' || c == '.';
            }))
            return false;
        port = host.substr(end + 1);
    } else {
        const auto colon = std::min(host.find(':'), host.size());
        if (colon == 0 || !all(host.substr(0, colon), host_char))
            return false;
        port = host.substr(colon);
    }
    if (port.empty())
        return true;
    if (port[0] != ':' || port.size() > 6)
        return false;
    unsigned number = 0;
    for (const char c : port.substr(1)) {
        if (!is_digit(c))
            return false;
        number = number * 10 + static_cast<unsigned>(c - '0');
    }
    return number <= 65535;
}

Gate::Verdict Gate::scan(std::string_view bytes) {
    // A TLS greeting holds no line end to wait for; its first byte already gives it away.
    if (lines_ == 0 && seen_ == 0 && !bytes.empty() &&
        (classes[static_cast<unsigned char>(bytes[0])] & token_char) == 0)
        return {0, 400};
    while (seen_ < bytes.size()) {
        const void* found = std::memchr(bytes.data() + seen_, '\n', bytes.size() - seen_);
        if (!found)
            break;
        const auto end = static_cast<std::size_t>(static_cast<const char*>(found) - bytes.data());
        if (end == line_ || bytes[end - 1] != '\r')
            return {0, 400};
        if (end >= limits_.head)
            return {0, lines_ == 0 ? 414 : 431};
        const auto line = bytes.substr(line_, end - 1 - line_);
        line_ = seen_ = end + 1;
        if (lines_ > 0 && line.empty())
            return {line_, 0};
        if (lines_ > limits_.fields)
            return {0, 431};
        if (const int refusal = lines_ == 0 ? check_request_line(line, limits_) : check_field(line))
            return {0, refusal};
        ++lines_;
    }
    seen_ = bytes.size();
    // 64 bytes are room for the method and the version around the longest target.
    if (lines_ == 0 && bytes.size() > limits_.target + 64)
        return {0, 414};
    if (bytes.size() >= limits_.head)
        return {0, 431};
    return {};
}

}  // namespace svc::http
