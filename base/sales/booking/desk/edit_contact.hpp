// Who a booking is of, as staff change it.
#pragma once

#include "base/sales/booking/desk/desk.hpp"

namespace svc::booking {

// Fills in the contact, the customer's record, the account, and the gateway that is asked for. Another address ends the
// links that the former one has. invalid_gateway; an error of customer_id.
Result<void> set_contact(store::Transaction& tx, const Parts& parts, const Ports& ports, Lifecycle& lifecycle,
                         Booking& booking, const Edit& edit, Instant now);

}  // namespace svc::booking
