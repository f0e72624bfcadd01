// The metadata of a picture's file: orientation, colour profile, and private data. Pure functions
// over untrusted bytes; any thread. Only known segments are read, nothing is decoded.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace svc::images {

struct Metadata {
    int orientation = 1;       // of EXIF, 1 to 8; 1 is upright
    std::string profile = {};  // ICC, of JPEG and WebP; empty without one
};

// For image/jpeg, image/png and image/webp. Broken metadata counts as missing.
Metadata metadata_of(std::string_view mime_type, std::string_view bytes);

// The same picture without EXIF, XMP, IPTC, comments and trailing data, with its colour profile. Unchanged bytes if the
// file's structure is invalid.
std::string without_metadata(std::string_view mime_type, std::string_view bytes);

// Whether a JPEG ends as it should.
bool is_whole_jpeg(std::string_view bytes);
// Whether a JPEG has several scans: its decoder holds the whole picture in memory, at any scale.
bool has_many_scans(std::string_view bytes);

// The first frame of an animated WebP as a WebP; empty when there is none.
std::optional<std::string> first_frame(std::string_view webp);

// A JPEG or WebP that we wrote, with the colour profile put into it.
std::string with_profile(std::string_view mime_type, std::string encoded, std::string_view profile, int width,
                         int height);

}  // namespace svc::images
