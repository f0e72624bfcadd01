// Facts of the tables of classifications.
#include "base/catalog/classifications/facts.hpp"

namespace svc::catalog::classifications {

std::vector<facts::Table> table_facts() {
    return {
        {.name = "svc_classifications",
         .refers = {{"parent_id", "svc_classifications"},
                    {"item_type_id", "svc_classifications"},
                    {"featured_image_id", "svc_media"}},
         .listed = {{.type = "r.type", .title = "r.name"}},
         .uses = {{facts::of_media, "svc_classifications",
                   "SELECT id FROM svc_classifications WHERE featured_image_id = :id OR (icon <> '' "
                   "AND " SVC_SHOWS_MEDIA("icon") ") OR (description <> '' AND " SVC_SHOWS_MEDIA(
                       "description") ") OR " SVC_SHOWS_MEDIA("details")},
                  {facts::of_classification, "svc_classifications",
                   "SELECT id FROM svc_classifications WHERE parent_id = :id"},
                  {facts::of_classification, "svc_classifications",
                   "SELECT id FROM svc_classifications WHERE item_type_id = :id"}},
         .carried = {{.name = "classifications",
                      .kinds = {"classifications"},
                      .key = {"type", "slug"},
                      .left_out = {"featured_image_id", "created_by", "updated_by", "deleted_by"},
                      .condition = "parent_id IS NULL AND item_type_id IS NULL"},
                     {.name = "classifications_below",
                      .kinds = {"classifications"},
                      .key = {"type", "slug"},
                      .left_out = {"featured_image_id", "created_by", "updated_by", "deleted_by"},
                      .condition = "(parent_id IS NOT NULL OR item_type_id IS NOT NULL)"}}},
        {.name = "svc_classification_gallery",
         .uses = {{facts::of_media, "svc_classifications",
                   "SELECT classification_id FROM svc_classification_gallery WHERE media_id = :id"}}},
    };
}

}  // namespace svc::catalog::classifications
