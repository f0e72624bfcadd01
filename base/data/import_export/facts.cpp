// Facts of the tables of imports.
#include "base/data/import_export/facts.hpp"

namespace svc::import_export {

std::vector<facts::Table> table_facts() {
    using facts::By;
    return {
        {.name = "svc_task_rows",
         // Sealed answers that an import replaced.
         .erased = {{.of = {{By::booking, "(SELECT t.booking_id FROM svc_booking_travelers t WHERE t.id = new_id)",
                             "entity = 'booking_travelers' AND before IS NOT NULL"}},
                     .blanked = {{"before", facts::null}}}},
         .naming = {{.column = "before", .value = facts::null}}},
    };
}

}  // namespace svc::import_export
