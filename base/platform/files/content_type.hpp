// The type of a file by its bytes, never by its name.
#pragma once

#include <string>
#include <string_view>

namespace svc::files {

// The media type in lower case; "application/octet-stream" for an unknown one. Any thread.
std::string content_type(std::string_view bytes);

}  // namespace svc::files
