// Reads gettext's .po files, as far as texts use them.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "shared/core/by_text.hpp"

namespace svc::texts {

// The translations of a .po file by their originals, without the header and obsolete, fuzzy and empty entries. Does not
// read plural forms of gettext: texts contain their plurals. Throws std::runtime_error with the line of the first
// error.
ByText<std::string> read_po(std::string_view file);

// The text of such a file, at most 4 MiB. Throws std::runtime_error when it cannot be read or is larger.
std::string text_of_catalogue(const std::filesystem::path& path);

}  // namespace svc::texts
