// Rendering that few requests need and that loads many libraries, in libsvc-press.so next to the base library.
#pragma once

#include "base/platform/ical/ical.hpp"
#include "base/platform/images/images.hpp"
#include "base/platform/pdf/pdf.hpp"
#include "base/platform/sheets/sheets.hpp"

namespace svc::printing {

// The functions of those headers and of files/content_type.hpp in libsvc-press.so. Both libraries are built and shipped
// together: this is no public interface. Callers do not see it: opened.cpp defines each function in the base and loads
// the library with the first call, on any thread.
struct Crafts {
    const char* version;
    pdf::Rendered (*rendered)(const pdf::Document&);
    std::string (*csv)(const sheets::Table&);
    std::string (*xlsx)(const sheets::Table&);
    void (*save)(const sheets::Rows&, sheets::Format, const std::string& path);
    std::string (*calendar)(const ical::Calendar&);
    Result<images::Seen> (*look_at)(std::string_view mime_type, std::string_view bytes);
    Result<images::Shown> (*shown_of)(std::string_view mime_type, std::string_view bytes);
    Result<std::vector<images::Copy>> (*copies_of)(std::string_view mime_type, std::string_view bytes);
    std::string (*to_jpeg)(const images::Picture&, int quality);
    std::string (*content_type)(std::string_view bytes);
};

inline constexpr const char* entry = "svc_press";
using Entry = const Crafts*();

// Throws std::runtime_error when the library is not in the base library's folder: at the start rather than at the first
// voucher.
void require();

}  // namespace svc::printing
