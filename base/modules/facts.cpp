// Facts of the tables of modules.
#include "base/modules/facts.hpp"

namespace svc::modules {

std::vector<facts::Table> table_facts() {
    return {
        {.name = "svc_modules",
         .listed = {{.type = "'module'", .title = "r.slug", .key = "slug"}},
         .uses = {{facts::of_media, "svc_modules", "SELECT slug FROM svc_modules WHERE " SVC_SHOWS_MEDIA("settings")}}},
    };
}

}  // namespace svc::modules
