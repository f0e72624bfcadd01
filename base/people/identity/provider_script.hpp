// The address of a provider's script, as an operator sets it.
#pragma once

#include <string>
#include <string_view>

namespace svc::identity {

// "https://www.google.com" of "https://www.google.com/recaptcha/api.js"; empty for a text that cannot be a script's
// address or part of a content security policy.
std::string origin_of_script(std::string_view address);

}  // namespace svc::identity
