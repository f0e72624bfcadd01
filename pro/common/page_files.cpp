// Finds the embedded files of pro/pages.
#include "pro/common/page_files.hpp"

#include <span>

#include "shared/core/embedded.hpp"

namespace svc::embedded {
std::span<const Embedded> pro_pages();
std::span<const Embedded> pro_page_scripts();
}  // namespace svc::embedded

namespace svc::pro {
namespace {

std::string file_in(std::span<const Embedded> files, std::string_view name) {
    for (const Embedded& each : files)
        if (each.name == name)
            return std::string(each.text);
    throw plugin::Refused("The file " + std::string(name) + " of pages is missing.");
}

}  // namespace

std::string page_template(std::string_view name) { return file_in(embedded::pro_pages(), name); }

void add_page_script(plugin::Pages& pages, std::string_view name) { add_page_script(pages, name, {name}); }

void add_page_script(plugin::Pages& pages, std::string_view name, std::initializer_list<std::string_view> parts) {
    std::string text;
    for (const std::string_view part : parts)
        text += file_in(embedded::pro_page_scripts(), part);
    pages.add(pages::OfferedAsset{.name = std::string(name), .text = std::move(text)});
}

}  // namespace svc::pro
