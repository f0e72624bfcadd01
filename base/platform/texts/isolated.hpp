// Keeps a name of another script from turning around what stands beside it in a text.
#pragma once

#include <string>
#include <string_view>

namespace svc::texts {

// Unicode's marks FSI and PDI; HTML has dir="auto" for them.
inline constexpr std::string_view isolate_begins = "\xe2\x81\xa8", isolate_ends = "\xe2\x81\xa9";

// A name within a text of that language: marked where it runs the other way.
std::string isolated(std::string_view locale, const std::string& name);

}  // namespace svc::texts
