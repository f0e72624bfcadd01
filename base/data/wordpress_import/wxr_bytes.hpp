// Makes the bytes of an export ones that XML allows: plugins print blank lines before it and control characters into
// it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace svc::wordpress_import {

// Of one file, piece by piece; one thread.
class CleanBytes {
  public:
    // Appends to `out` what the piece has of allowed text. A character that the piece ends within waits for the next.
    void add(std::string_view piece, bool is_last, std::string& out);

    struct Dropped {
        std::int64_t blank_lines = 0;  // before the text
        std::int64_t characters = 0;  // control characters, ill-formed UTF-8, references to characters that XML forbids
    };
    [[nodiscard]] const Dropped& dropped() const { return dropped_; }

  private:
    void begin(std::string_view& text);
    // The character at the beginning of the text; not whole: the text ends within it.
    struct Taken {
        std::size_t bytes = 0;
        bool is_whole = true, is_allowed = true;
    };
    [[nodiscard]] Taken take(std::string_view text) const;

    std::string waiting_;
    bool has_begun_ = false, is_utf8_ = true;
    Dropped dropped_;
};

}  // namespace svc::wordpress_import
