// Lists the bookings of one customer.
#include "base/sales/booking/desk/customer_bookings.hpp"

#include "base/sales/booking/record/wire.hpp"

namespace svc::booking {

api::Reply CustomerBookings::of_customer(std::int64_t customer_id, const api::Page& page,
                                         const api::Period& period) const {
    const Listed found = lists_.list(
        {.customer_id = customer_id, .from = period.from, .to = period.to, .updated_since = period.updated_since},
        page);
    const settings::Look look = settings::look_of(settings_);
    auto items = json::array_of(found.bookings, [&](const Booking& each) { return to_json(each, look); });
    return api::list_reply(std::move(items), page, found.total);
}

api::Schema CustomerBookings::row_answer() const { return booking_row_answer().named("BookingRow"); }

}  // namespace svc::booking
