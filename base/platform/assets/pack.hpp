// Files compiled into the program in the codings that browsers take, as svc_pack() of cmake/pack.cmake writes them.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace svc::assets {

// Where a body is in the pack; size 0: there is none in that coding.
struct Place {
    std::size_t at = 0, size = 0;
};

struct Packed {
    std::string_view name;  // as sources name it: "theme/style.css"
    std::string_view file;  // as it is served; a change of the content changes it: "theme/style.3f2a91c04d.css"
    std::string_view type;  // of the media
    std::string_view hash;  // of the plain content
    Place plain, gzip, brotli;
};

// Lives as long as the library is loaded.
struct Pack {
    std::span<const Packed> files;
    const char* bytes = nullptr;

    [[nodiscard]] std::string_view body(Place place) const { return {bytes + place.at, place.size}; }
};

}  // namespace svc::assets
