// Facts of the tables of itineraries.
#include "base/catalog/itineraries/facts.hpp"

namespace svc::catalog::itineraries {

std::vector<facts::Table> table_facts() {
    return {
        {.name = "svc_itinerary_days",
         .refers = {{"trip_id", "svc_trips"}, {"image_id", "svc_media"}},
         .uses = {{facts::of_media, "svc_trips", "SELECT trip_id FROM svc_itinerary_days WHERE image_id = :id"}},
         .carried =
             {{.name = "itinerary_days", .kinds = {"trip_content"}, .parent = "trip_id", .left_out = {"image_id"}}}},
        {.name = "svc_itinerary_entries",
         .refers = {{"day_id", "svc_itinerary_days"},
                    {"item_type_id", "svc_classifications"},
                    {"item_id", "svc_classifications"}},
         .uses = {{facts::of_classification, "svc_trips",
                   "SELECT d.trip_id FROM svc_itinerary_entries e JOIN svc_itinerary_days d ON d.id = e.day_id WHERE"
                   " e.item_type_id = :id OR e.item_id = :id"},
                  {facts::of_trip_currency, "svc_trips",
                   "SELECT d.trip_id FROM svc_itinerary_entries e JOIN svc_itinerary_days d ON d.id = e.day_id WHERE "
                   "d.trip_id ="
                   " :id AND e.cost_minor IS NOT NULL"}},
         .carried = {{.name = "itinerary_entries", .kinds = {"trip_content"}, .parent = "day_id"}}},
        {.name = "svc_itinerary_media",
         .uses = {{facts::of_media, "svc_trips",
                   "SELECT d.trip_id FROM svc_itinerary_media m JOIN svc_itinerary_entries e ON e.id = m.entry_id"
                   " JOIN svc_itinerary_days d ON d.id = e.day_id WHERE m.media_id = :id"}}},
    };
}

}  // namespace svc::catalog::itineraries
