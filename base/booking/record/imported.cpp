// The row as it was, then what only changes of a booking write.
#include "base/booking/record/imported.hpp"

#include "base/booking/record/repository.hpp"

namespace svc::booking {

bool insert_imported(store::Transaction& tx, Booking& booking, const std::vector<Line>& lines, const Money& paid) {
    if (!Repository::insert(tx, booking, json::Value::object(), std::nullopt))
        return false;
    Repository::insert_lines(tx, booking.id, lines);
    Repository::log_creation(tx, booking, {.kind = "system"});
    const bool completed = booking.status == status::completed, cancelled = booking.status == status::cancelled;
    tx.run(
        "UPDATE svc_bookings SET completed_at = :completed, cancelled_at = :cancelled, cancelled_via = :via WHERE id ="
        " :id",
        {{"completed", completed ? std::optional(booking.created_at) : std::nullopt},
         {"cancelled", cancelled ? std::optional(booking.created_at) : std::nullopt},
         {"via", cancelled ? std::optional<std::string>("system") : std::nullopt},
         {"id", booking.id}});
    Repository::set_paid(tx, booking.id, paid, booking.payment_status, booking.created_at);
    return true;
}

}  // namespace svc::booking
