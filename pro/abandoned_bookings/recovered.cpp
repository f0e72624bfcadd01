// A booking that was made ends the reminders of the one that was not finished, and says what brought it.
#include "pro/abandoned_bookings/reminders.hpp"
#include "shared/store/typed.hpp"

namespace svc::pro::abandoned_bookings {
namespace {

using json::Value;

bool is_own_code(const AbandonedBooking& row, const std::string& code) {
    for (std::int64_t number = 1; number <= row.emails_sent; ++number)
        if (code == own_code(row, number))
            return true;
    return false;
}

}  // namespace

void Reminders::settle(store::Transaction& tx, const AbandonedBooking& row, std::int64_t booking_id,
                       const std::string& code, Instant now) const {
    if (!row.abandoned_at) {  // it was finished in one go: there is nothing to keep
        Repository::remove(tx, row.id);
        return;
    }
    const auto by = row.link_used_at || is_own_code(row, code) ? recovered_by::link
                    : row.emails_sent > 0                      ? recovered_by::time
                                                               : recovered_by::self;
    Repository::recover(tx, row, booking_id, by, now);
}

void Reminders::booked(const Value& booking, Instant now) const {
    const auto id = booking.maybe_integer("id"), trip_id = booking.maybe_integer("trip_id");
    if (!id || !trip_id)
        return;
    const std::string email = lower_case(booking.text_or("customer_email")), code = booking.text_or("discount_code");
    const auto written = site_.store.write([&](store::Transaction& tx) -> Result<void> {
        auto of_person = Repository::of_person(tx, email, *trip_id);
        std::optional<AbandonedBooking> of_checkout;
        for (const std::int64_t checkout : store::values<std::int64_t>(
                 tx, "SELECT id FROM svc_checkout_v1 WHERE booking_id = :id LIMIT 1", {{"id", *id}}))
            of_checkout = Repository::of_checkout(tx, checkout);
        if (of_checkout && !of_checkout->is_open())
            of_checkout.reset();
        if (of_person && of_checkout && of_person->id != of_checkout->id) {
            // One booking is recovered once: by the row that was reminded of.
            const bool takes_person = of_person->emails_sent > 0 || !of_checkout->abandoned_at;
            const AbandonedBooking& other = takes_person ? *of_checkout : *of_person;
            Repository::remove(tx, other.id);
            (takes_person ? of_checkout : of_person).reset();
        }
        if (of_person || of_checkout)
            settle(tx, of_person ? *of_person : *of_checkout, *id, code, now);
        return {};
    });
    if (!written)
        throw std::runtime_error("A recovered booking was not noted: " + written.error().message().english());
}

bool Reminders::has_booked(const AbandonedBooking& row, Instant now) const {
    const auto bookings = site_.store.reading<std::vector<std::int64_t>>(
        [&](store::Session& session) { return Repository::bookings_since(session, row.email_lower, row.created_at); });
    for (const std::int64_t id : bookings) {
        const auto read = calls_({.path = "/bookings/" + std::to_string(id), .as = plugin::Calls::As::system});
        if (!read || !read->is_good() || read->data().maybe_integer("trip_id") != row.trip_id)
            continue;
        booked(read->data(), now);
        return true;
    }
    return false;
}

}  // namespace svc::pro::abandoned_bookings
