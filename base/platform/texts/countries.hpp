// Countries by their names in a language.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace svc::texts {

using Countries = std::vector<std::pair<std::string, std::string>>;  // name, and the two letters of ISO 3166-1

// All of them, sorted as that language sorts; a language without names for them has the English ones. Any thread.
std::shared_ptr<const Countries> countries(std::string_view locale);

// The name of a country in that language, by what country_code reads; anything else as it is. Any thread.
std::string country_name(std::string_view written, std::string_view locale);

}  // namespace svc::texts
