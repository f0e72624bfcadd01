// Our tables hold no personal data; the calendar may. The events of the person's bookings are sent anew without it.
#include "pro/google_calendar/privacy.hpp"

#include "pro/common/tables.hpp"
#include "pro/google_calendar/google_calendar.hpp"

namespace svc::pro::google_calendar {
namespace {

using json::Value;

// A module that was never on has no tables.
bool has_tables(store::Session& session) { return has_table(session, "svc_google_calendar_items"); }

}  // namespace

void take_part_in_privacy(const Site& site) {
    // Whether the module is enabled or not: what was sent belongs to the person. It waits for the connection.
    site.filter_if_known(
        "svc_person_erasure", {.name = "svc_google_calendar", .module = {}},
        [&site](store::Transaction* tx, const json::Array& given) {
            constexpr std::size_t bookings = 4;  // rows, email, user_id, customer_id, booking_ids
            if (!tx || given.size() <= bookings || !given[bookings].is_array() || !has_tables(*tx))
                return given.front();
            std::int64_t rows = given.front().integer();
            for (const Value& id : given[bookings].items())
                if (id.is_number())
                    rows += tx->run(
                        "UPDATE svc_google_calendar_items SET due_at = :now, revision = revision + 1, attempts = 0,"
                        " last_error = '', updated_at = :now WHERE kind = 'booking' AND subject_id = :id"
                        " AND calendar_id <> ''",
                        {{"now", site.clock.now()}, {"id", id.integer()}});
            return Value(rows);
        });
}

}  // namespace svc::pro::google_calendar
