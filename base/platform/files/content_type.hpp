// What a file is, told by its bytes and never by its name.
#pragma once

#include <string>
#include <string_view>

namespace svc::files {

// The media type in lower case; "application/octet-stream" for what nobody knows. Any thread.
std::string content_type(std::string_view bytes);

}  // namespace svc::files
