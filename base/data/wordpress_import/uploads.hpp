// Recognizes what was uploaded by its first bytes.
#pragma once

#include <string_view>

#include "shared/core/result.hpp"

namespace svc::wordpress_import {

enum class Upload : std::uint8_t { wordpress, table };

// A file of another kind is svc_validation_error of the field `file` with the way to the right one; a table of which
// nobody said what its rows are (`is_table` false) of the field `data_type`.
Result<Upload> recognize(std::string_view bytes, bool is_table);

}  // namespace svc::wordpress_import
