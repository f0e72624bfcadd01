// The licence server of tests: its key stands in the test binaries instead of the build's.
#pragma once

#include <string>
#include <string_view>

namespace svc::tests {

// The value of X-Svc-Signature for an answer of that text.
std::string license_signature(std::string_view text);

}  // namespace svc::tests
