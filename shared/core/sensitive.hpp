// Which questions of a form are about health, papers or an insurance. Pure, any thread.
#pragma once

#include <string_view>

namespace svc {

// By the words of the field's id or slug, parted by underscores: answers to it are sealed (docs/rules.md, forms).
bool is_sensitive(std::string_view field_id);

}  // namespace svc
