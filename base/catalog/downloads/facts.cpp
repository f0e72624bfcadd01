// Facts of the tables of downloads.
#include "base/catalog/downloads/facts.hpp"

namespace svc::catalog::downloads {

std::vector<facts::Table> table_facts() {
    return {
        {.name = "svc_trip_downloads",
         .uses = {{facts::of_media, "svc_trips", "SELECT trip_id FROM svc_trip_downloads WHERE media_id = :id",
                   /*is_shown=*/false}}},
    };
}

}  // namespace svc::catalog::downloads
