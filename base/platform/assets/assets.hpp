// Embedded style sheets, scripts, fonts and pictures, served by names that change with their content.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/platform/assets/pack.hpp"
#include "shared/api/route.hpp"

namespace svc::assets {

// The prefix of all paths of assets.
inline constexpr std::string_view root = "/svc-assets/";

// Names and bodies of all packs, which are part of the library and take memory once they are requested. Immutable; any
// thread.
class Assets {
  public:
    // Throws std::logic_error when two files have one name.
    explicit Assets(std::vector<Pack> packs);

    // The path to write into a page, "/svc-assets/theme/style.3f2a91c04d.css"; empty for an unknown name.
    [[nodiscard]] std::string path(std::string_view name) const;
    [[nodiscard]] bool has(std::string_view name) const { return by_name_.contains(name); }
    // The uncoded content, such as a page's frame; empty for an unknown name.
    [[nodiscard]] std::string_view text(std::string_view name) const;

    // Answers GET of a path under `root`: the body in the coding the client likes best, or 304. Under the present name
    // caches keep it for a year without asking; under the plain name, or that of another release, they ask each time
    // and get the present content, so that a page older than this process still finds its style. Nothing: no such file.
    [[nodiscard]] std::optional<api::Reply> answer(
        std::string_view path, const std::function<std::string_view(std::string_view name)>& header) const;

  private:
    struct Asset {
        const Pack* pack = nullptr;
        const Packed* packed = nullptr;
    };
    const std::vector<Pack> packs_;
    std::unordered_map<std::string_view, Asset> by_name_, by_file_;
    [[nodiscard]] const Asset* named_without_hash(std::string_view file) const;
};

// The packs that this build embeds: the site's theme and, unless built with SVC_WEB=OFF, the admin.
const Assets& built_in();

}  // namespace svc::assets
