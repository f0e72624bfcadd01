// Markup from outside: what is kept is kept again alike, and no script is left in it.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/platform/html/html.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size > 4096)
        return 0;
    const std::string clean = svc::html::clean_html({reinterpret_cast<const char*>(data), size});
    if (svc::html::clean_html(clean) != clean || clean.find("<script") != std::string::npos)
        std::abort();
    return 0;
}
