// The row as it was, then what only changes of a booking write.
#include "base/sales/booking/record/imported.hpp"

#include "base/sales/booking/record/repository.hpp"

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

std::optional<Booking> find_imported(store::Transaction& tx, std::int64_t id) { return Repository::lock(tx, id); }

void settle_imported(store::Transaction& tx, const Booking& booking, Instant now) {
    const auto sum = [&](const char* statement) {
        return Money{tx.number(statement, {{"id", booking.id}}), booking.currency};
    };
    const Money completed =
        sum("SELECT COALESCE(SUM(amount_minor), 0) FROM svc_payments WHERE booking_id = :id"
            " AND status IN ('completed', 'refunded')");
    const Money refunded =
        sum("SELECT COALESCE(SUM(refunded_minor), 0) FROM svc_payments WHERE booking_id = :id"
            " AND status IN ('completed', 'refunded')");
    const Money net = max(Money::zero(booking.currency), completed - refunded);
    Repository::set_paid(tx, booking.id, net, payment_status_of(booking.total, completed, refunded, false), now);
    if (net > booking.total && !booking.needs_attention)
        Repository::flag(tx, booking.id, "overpaid", now);
}

void know_all_payments(store::Transaction& tx, const std::vector<std::string>& still, Instant now) {
    for (const std::string& reference : still)
        tx.run("UPDATE svc_bookings SET payments_unknown = 2 WHERE reference = :reference AND payments_unknown = 1",
               {{"reference", reference}});
    tx.run(
        "UPDATE svc_bookings SET payments_unknown = payments_unknown / 2, row_version = row_version + 1,"
        " updated_at = :now WHERE payments_unknown <> 0",
        {{"now", now}});
}

std::int64_t count_unknown_payments(store::Session& session) {
    return session.number("SELECT COUNT(*) FROM svc_bookings WHERE payments_unknown = 1", {});
}

}  // namespace svc::booking
