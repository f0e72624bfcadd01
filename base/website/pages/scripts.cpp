// The embedded scripts by their names.
#include "base/website/pages/scripts.hpp"

#include <map>
#include <span>

#include "base/platform/crypto/crypto.hpp"
#include "base/website/pages/pages.hpp"
#include "shared/core/embedded.hpp"

namespace svc::embedded {
std::span<const Embedded> page_scripts();
std::span<const Embedded> page_sheets();
}  // namespace svc::embedded

namespace svc::pages {
namespace {

const std::map<std::string, Script, std::less<>>& scripts() {
    static const auto all = [] {
        std::map<std::string, Script, std::less<>> made;
        for (const Embedded& each : embedded::page_scripts()) {
            const std::string name(each.name.substr(0, each.name.find('.')));
            made[name] = {
                .path = std::string(theme_root) + name + "." + crypto::sha256_hex(each.text).substr(0, 12) + ".js",
                .text = std::make_shared<const std::string>(each.text)};
        }
        return made;
    }();
    return all;
}

}  // namespace

const Script& script_of(std::string_view name) { return scripts().find(name)->second; }

bool is_choices_sheet(std::string_view path) {
    return path.starts_with(theme_root) && path.ends_with(".css") &&
           path.substr(theme_root.size()).starts_with("choices.");
}

const Script& choices_sheet() {
    static const Script sheet = [] {
        const Embedded& only = embedded::page_sheets().front();
        return Script{
            .path = std::string(theme_root) + "choices." + crypto::sha256_hex(only.text).substr(0, 12) + ".css",
            .text = std::make_shared<const std::string>(only.text)};
    }();
    return sheet;
}

const Script* script_at(std::string_view path) {
    if (is_choices_sheet(path))
        return &choices_sheet();
    if (path == "/embed.js")
        return &script_of("embed");
    if (!path.starts_with(theme_root) || !path.ends_with(".js"))
        return nullptr;
    path.remove_prefix(theme_root.size());
    const auto found = scripts().find(path.substr(0, path.find('.')));
    return found == scripts().end() ? nullptr : &found->second;
}

}  // namespace svc::pages
