// The functions of libsvc-press.so for libsvc-base.so: some forty libraries (Pango, Cairo, X11, libical, image formats)
// are mapped and relocated only when a document, a sheet, a calendar or a picture is made.
#include <dlfcn.h>
#include <filesystem>
#include <stdexcept>
#include <unistd.h>

#include "base/platform/files/content_type.hpp"
#include "base/platform/printing/press.hpp"

namespace svc {
namespace printing {
namespace {

// Canonical, so that the library is loaded from the base's own folder, behind any link.
std::string beside_the_base() {
    Dl_info info{};
    if (dladdr(reinterpret_cast<const void*>(&require), &info) == 0 || !info.dli_fname)
        throw std::runtime_error("The base library does not know where it lies.");
    return (std::filesystem::canonical(info.dli_fname).parent_path() / "libsvc-press.so").string();
}

const Crafts& opened() {
    const std::string path = beside_the_base();
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library)
        throw std::runtime_error("libsvc-press.so cannot be opened: " +
                                 std::string(dlerror()));  // NOLINT(concurrency-mt-unsafe): of this thread
    auto* give = reinterpret_cast<Entry*>(dlsym(library, entry));
    const Crafts* crafts = give ? give() : nullptr;
    if (!crafts || std::string_view(crafts->version) != SVC_VERSION)
        throw std::runtime_error(path + " is not of version " SVC_VERSION ".");
    return *crafts;
}

const Crafts& crafts() {
    static const Crafts& once = opened();  // tried again by the next caller when it throws
    return once;
}

}  // namespace

void require() {
    if (const std::string path = beside_the_base(); access(path.c_str(), R_OK) != 0)
        throw std::runtime_error("The base library lacks a part of its own: " + path + " cannot be read.");
}

}  // namespace printing

pdf::Rendered pdf::rendered(const Document& document) { return printing::crafts().rendered(document); }
std::string sheets::csv(const Table& table) { return printing::crafts().csv(table); }
std::string sheets::xlsx(const Table& table) { return printing::crafts().xlsx(table); }
void sheets::save(const Rows& rows, Format format, const std::string& path) {
    printing::crafts().save(rows, format, path);
}
std::string ical::text_of(const Calendar& calendar) { return printing::crafts().calendar(calendar); }
std::string images::to_jpeg(const Picture& picture, int quality) {
    return printing::crafts().to_jpeg(picture, quality);
}
std::string files::content_type(std::string_view bytes) { return printing::crafts().content_type(bytes); }

// An error's code is known by its address, which is another one in each library.
Result<images::Seen> images::look_at(std::string_view mime_type, std::string_view bytes) {
    auto seen = printing::crafts().look_at(mime_type, bytes);
    if (!seen)
        return Error{errc::validation_error, seen.error().message()};
    return seen;
}
Result<images::Shown> images::shown_of(std::string_view mime_type, std::string_view bytes) {
    auto shown = printing::crafts().shown_of(mime_type, bytes);
    if (!shown)
        return Error{errc::validation_error, shown.error().message()};
    return shown;
}
Result<std::vector<images::Copy>> images::copies_of(std::string_view mime_type, std::string_view bytes) {
    auto copies = printing::crafts().copies_of(mime_type, bytes);
    if (!copies)
        return Error{errc::validation_error, copies.error().message()};
    return copies;
}

}  // namespace svc
