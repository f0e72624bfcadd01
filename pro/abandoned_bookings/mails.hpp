// The reminders: three of the base's templates, and one that shows a campaign's text.
#pragma once

#include "pro/abandoned_bookings/coupons.hpp"
#include "pro/abandoned_bookings/repository.hpp"

namespace svc::pro::abandoned_bookings {

// Declares the template of campaigns. [start-up]
void declare_mails(const Site& site);

struct Reminder {
    const AbandonedBooking& row;
    Trip trip;
    std::int64_t stage = 1;  // 1 to 3
    const Campaign* campaign = nullptr;
    Coupon coupon = {};
    std::optional<Money> total = {};  // now
    std::string site_url;
};

std::string template_of(const Reminder& reminder);
// The same for one reminder however often it is tried.
std::string occasion_of(const AbandonedBooking& row, std::int64_t number);
// In the transaction that counts it. One that the base refuses throws std::runtime_error.
void queue_reminder(const Site& site, store::Transaction& tx, const Reminder& reminder);

// What was sent about a row, oldest first: {"template", "subject", "status", "error", "created_at", "sent_at"}.
json::Value mails_about(const Site& site, const AbandonedBooking& row);

}  // namespace svc::pro::abandoned_bookings
