// Facts of the tables of settings.
#include "base/settings/facts.hpp"

namespace svc::settings {

std::vector<facts::Table> table_facts() {
    return {
        {.name = "svc_settings",
         .listed = {{.type = "'setting'", .title = "r.key", .key = "key"}},
         .uses = {{facts::of_media, "svc_settings",
                   "SELECT key FROM svc_settings WHERE is_secret = 0 AND ((key = 'seo_trip_meta_image' AND value = "
                   ":number) OR " SVC_SHOWS_MEDIA("value") ")"}},
         .carried = {{.name = "settings",
                      .kinds = {"settings"},
                      .key = {"key"},
                      .left_out = {"created_by", "updated_by", "deleted_by"},
                      .condition = "is_secret = 0"}}},
    };
}

}  // namespace svc::settings
