// Sentences about merge tags, by their keys.
#pragma once

#include <string_view>

namespace svc::messaging {

// Empty for an unknown key.
std::string_view description_of_tag(std::string_view key);

}  // namespace svc::messaging
