// Facts of the tables of trips.
#include "base/catalog/trips/facts.hpp"

namespace svc::catalog::trips {

std::vector<facts::Table> table_facts() {
    return {
        {.name = "svc_trips",
         .refers = {{"difficulty_level_id", "svc_classifications"}, {"featured_image_id", "svc_media"}},
         .listed = {{.type = "'trip'", .title = "r.title", .is_first = true}},
         .uses = {{facts::of_media, "svc_trips", "SELECT id FROM svc_trips WHERE featured_image_id = :id"},
                  {facts::of_classification, "svc_trips", "SELECT id FROM svc_trips WHERE difficulty_level_id = :id"}},
         .carried = {{.name = "trips",
                      .kinds = {"trips"},
                      .key = {"slug"},
                      .left_out = {"featured_image_id", "created_by", "updated_by", "deleted_by"}}}},
        {.name = "svc_trip_price_types",
         .refers = {{"trip_id", "svc_trips"}, {"category_id", "svc_classifications"}},
         .uses = {{facts::of_classification, "svc_trips",
                   "SELECT trip_id FROM svc_trip_price_types WHERE category_id = :id"}},
         .carried = {{.name = "trip_price_types", .kinds = {"trip_content"}, .parent = "trip_id"}}},
        {.name = "svc_trip_classifications",
         .refers = {{"trip_id", "svc_trips"}, {"classification_id", "svc_classifications"}},
         .uses = {{facts::of_classification, "svc_trips",
                   "SELECT trip_id FROM svc_trip_classifications WHERE classification_id = :id"},
                  {facts::of_media, "svc_trips",
                   "SELECT l.trip_id FROM svc_classifications c JOIN svc_trip_classifications l ON l.classification_id "
                   "= c.id"
                   " WHERE c.type = 'attribute' AND c.field_type = 'file' AND l.attribute_value = :number"}},
         .carried = {{.name = "trip_classifications", .kinds = {"trip_content"}, .parent = "trip_id"}}},
        {.name = "svc_trip_faqs",
         .refers = {{"trip_id", "svc_trips"}},
         .carried = {{.name = "trip_faqs", .kinds = {"trip_content"}, .parent = "trip_id"}}},
        {.name = "svc_trip_highlights",
         .refers = {{"trip_id", "svc_trips"}},
         .carried = {{.name = "trip_highlights", .kinds = {"trip_content"}, .parent = "trip_id"}}},
        {.name = "svc_trip_time_slots",
         .refers = {{"trip_id", "svc_trips"}},
         .carried = {{.name = "trip_time_slots", .kinds = {"trip_content"}, .parent = "trip_id"}}},
        {.name = "svc_trip_seasons",
         .refers = {{"trip_id", "svc_trips"}},
         .carried = {{.name = "trip_seasons", .kinds = {"trip_content"}, .parent = "trip_id"}}},
        // Its categories are among those of svc_trip_price_types, which says who uses them.
        {.name = "svc_trip_season_prices",
         .refers = {{"trip_id", "svc_trips"}, {"category_id", "svc_classifications"}},
         .carried = {{.name = "trip_season_prices", .kinds = {"trip_content"}, .parent = "trip_id"}}},
        {.name = "svc_trip_gallery",
         .refers = {{"trip_id", "svc_trips"}, {"media_id", "svc_media"}},
         .uses = {{facts::of_media, "svc_trips", "SELECT trip_id FROM svc_trip_gallery WHERE media_id = :id"}},
         .carried = {{.name = "trip_gallery",
                      .kinds = {"trip_content"},
                      .parent = "trip_id",
                      .left_out = {"media_id"},
                      .condition = "media_id IS NULL"}}},
        {.name = "svc_trip_revisions",
         .refers = {{"trip_id", "svc_trips"}, {"restored_from_id", "svc_trip_revisions"}},
         .carried =
             {{.name = "trip_revisions", .kinds = {"trip_content"}, .parent = "trip_id", .left_out = {"created_by"}}}},
        {.name = "svc_trip_mentions",
         .uses = {{facts::of_media, "svc_trips",
                   "SELECT trip_id FROM svc_trip_mentions WHERE media_id = :id AND root IN (:root, :path)"}}},
    };
}

}  // namespace svc::catalog::trips
