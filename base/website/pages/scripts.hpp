// Scripts of the pages that are no islands: of themselves, for other sites, for counting visitors.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace svc::pages {

struct Script {
    std::string path;  // by the name of its content, "/svc-theme/human.0123456789ab.js"
    std::shared_ptr<const std::string> text;
};

// The style of the banner that asks for consent, apart from the theme's, since few pages have it.
const Script& choices_sheet();
bool is_choices_sheet(std::string_view path);  // also by a former name
// Of "embed", "frame", "human", "consent", "count-analytics" or "count-pixel"; there are no others.
const Script& script_of(std::string_view name);
// The one at a path: by its present name, by a former one, or "/embed.js". Null: there is none.
const Script* script_at(std::string_view path);

}  // namespace svc::pages
