// Scripts of the pages that are no islands: of themselves, for other sites, for counting visitors.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace svc::pages {

struct Script {
    std::string path;  // by the name of its content, "/svc-theme/track.0123456789ab.js"
    std::shared_ptr<const std::string> text;
};

// Of "track", "embed", "frame" or "human"; there are no others.
const Script& script_of(std::string_view name);
// The one at a path: by its present name, by a former one, or "/embed.js". Null: there is none.
const Script* script_at(std::string_view path);

}  // namespace svc::pages
