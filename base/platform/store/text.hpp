// Parses a statement's text: the positions of its named values, and that it is a single statement.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "shared/store/store.hpp"

namespace svc::store {

// Made once a text and session. Any thread once made.
class StatementText {
  public:
    // Throws std::logic_error when a second statement follows or a quote or comment does not end.
    explicit StatementText(std::string_view sql);

    // Each name once, in order of first use.
    [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

    // The text for the driver, without comments but the mark of SVC_ONE_PLAN. `kinds` has a character a name: 'i'
    // integer, 't' text, '0' NULL. Names become :v1, :v2 ... or $1, $2 ..., NULL is written out. PostgreSQL gets each
    // value's type, since it cannot always infer it (`:x IS NULL OR a = :x`).
    [[nodiscard]] std::string for_driver(Dialect dialect, std::string_view kinds) const;

  private:
    struct Piece {
        std::string text;         // passed unchanged
        std::size_t name = npos;  // then this name, npos: none
    };
    static constexpr std::size_t npos = std::string_view::npos;
    std::size_t index_of(std::string_view name);

    const bool one_plan_;
    std::vector<std::string> names_;
    std::vector<Piece> pieces_;
};

}  // namespace svc::store
