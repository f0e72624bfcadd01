// MD5, where a partner names records by it. It protects nothing.
#pragma once

#include <string>
#include <string_view>

namespace svc::pro::crypto {

std::string md5_hex(std::string_view text);  // 32 lower-case hex digits; any thread

}  // namespace svc::pro::crypto
