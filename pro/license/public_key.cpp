// The key that the build was given.
#include "pro/license/public_key.hpp"

namespace svc::pro::license {

std::string_view public_key() { return SVC_LICENSE_PUBLIC_KEY; }

}  // namespace svc::pro::license
