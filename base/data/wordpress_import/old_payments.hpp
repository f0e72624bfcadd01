// Payments of a former installation; for the sources of this folder alone.
#pragma once

#include <optional>
#include <string>

#include "base/sales/booking/record/booking.hpp"
#include "shared/store/store.hpp"

namespace svc::wordpress_import {

struct OldPayment {
    Money amount;
    Date day = {};
    std::string gateway = {};
    std::optional<std::string> transaction = {};  // unique among all payments
};

// Stores it; causes no notification.
void insert_payment(store::Transaction& tx, const booking::Booking& booking, const OldPayment& payment, Instant made);

}  // namespace svc::wordpress_import
