// The strict gate: refuses every request head whose framing two readers could understand in two ways.
#pragma once

#include <cstddef>
#include <string_view>

#include "shell/http/server.hpp"

namespace svc::http {

// Looks at raw bytes before the parser does, so that what Beast 1.74 repairs or lets through (folded lines,
// blanks before the colon, control characters, lone CR or LF) is refused instead.
class Gate {
  public:
    struct Verdict {
        std::size_t head = 0;  // length of the whole head with its empty line, 0 while more is needed
        int refusal = 0;       // the status to refuse with, 0 for none
    };

    explicit Gate(const Limits& limits) : limits_(limits) {}

    // Called with all bytes of the head so far; continues at its previous position.
    Verdict scan(std::string_view bytes);
    void reset() { line_ = seen_ = lines_ = 0; }

  private:
    const Limits& limits_;
    std::size_t line_ = 0;   // where the line being read begins
    std::size_t seen_ = 0;   // no line end before this
    std::size_t lines_ = 0;  // whole lines before it
};

// True for a reg-name, an IPv4 address or an IPv6 literal, with an optional port up to 65535.
[[nodiscard]] bool valid_host(std::string_view host);

// True when the bytes hold CR, LF or NUL, which would end or cut a header line (S15).
[[nodiscard]] bool breaks_line(std::string_view text);

// True for a field name of RFC 9110.
[[nodiscard]] bool is_token(std::string_view text);

}  // namespace svc::http
