// Reads gettext's .po files, as far as texts use them.
#pragma once

#include <string>
#include <string_view>

#include "shared/core/by_text.hpp"

namespace svc::texts {

// The translations of a .po file by their originals. Left out: the header, obsolete, fuzzy and empty entries. Plural
// forms of gettext are not read: a text has its plurals in itself. Throws std::runtime_error with the line of what is
// no .po file.
ByText<std::string> read_po(std::string_view file);

}  // namespace svc::texts
