// JSON from outside: whatever the bytes, they are refused or read, and what was read is written and read again alike.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "shared/json/value.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto value = svc::json::parse(text);
    if (!value)
        return 0;
    const auto again = svc::json::parse(value->dump());
    if (!again || again->dump() != value->dump())
        std::abort();
    return 0;
}
