// Files compiled into a library by svc_embed() of cmake/embed.cmake.
#pragma once

#include <string_view>

namespace svc {

// Lives as long as the library is loaded.
struct Embedded {
    std::string_view name;  // "0001_settings.sql"; of a tree with its folders: "mail/de.po"
    std::string_view text;
};

}  // namespace svc
