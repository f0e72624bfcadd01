// Codes that are made for one reminder and count once.
#pragma once

#include "pro/abandoned_bookings/campaign.hpp"
#include "pro/abandoned_bookings/configuration.hpp"
#include "shared/plugin/host_calls.hpp"

namespace svc::pro::abandoned_bookings {

struct Coupon {
    std::string code;  // empty: the reminder has none
    std::optional<Rate> rate = {};
    std::optional<Money> amount = {};
    std::optional<Date> until = {};  // set where it was made for this reminder
};

// The code of that row's e-mail of that number, from 1: nobody can guess it, and it is the same when it is asked for
// again.
std::string own_code(const AbandonedBooking& row, std::int64_t number);

// Makes the coupon of the row's next e-mail as a discount of the base, once however often it is called; `campaign`
// null: of the standard reminder of the row's stage. Waits for the base; outside of transactions.
Result<Coupon> make_coupon(const Site& site, const plugin::Calls& calls, const AbandonedBooking& row,
                           const Campaign* campaign, Instant now);

}  // namespace svc::pro::abandoned_bookings
