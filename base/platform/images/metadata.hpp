// What a picture's file says beside its pixels: how it stands, its colour profile, and what nobody else should read.
// Pure functions over bytes from strangers; any thread. Only the parts that they know are read, nothing is decoded.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace svc::images {

struct Metadata {
    int orientation = 1;       // of EXIF, 1 to 8; 1 stands upright
    std::string profile = {};  // ICC, of JPEG and WebP; empty without one
};

// Of image/jpeg, image/png and image/webp. What is broken counts as missing.
Metadata metadata_of(std::string_view mime_type, std::string_view bytes);

// The same picture without EXIF, XMP, IPTC, comments and what lies behind its end, its colour profile kept. The bytes
// as they are where the file's frame cannot be followed.
std::string without_metadata(std::string_view mime_type, std::string_view bytes);

// Whether a JPEG ends as it should.
bool is_whole_jpeg(std::string_view bytes);
// Whether a JPEG comes in several scans: its decoder holds all of it in memory, whatever the scale.
bool has_many_scans(std::string_view bytes);

// The first picture of an animated WebP as a WebP of its own; nothing where there is none.
std::optional<std::string> first_frame(std::string_view webp);

// A JPEG or WebP that we wrote, with the colour profile put into it.
std::string with_profile(std::string_view mime_type, std::string encoded, std::string_view profile, int width,
                         int height);

}  // namespace svc::images
