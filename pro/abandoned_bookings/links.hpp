// The links of reminders, and the mark by which a page of the booking names its checkout.
#pragma once

#include <optional>

#include "pro/abandoned_bookings/abandoned_booking.hpp"
#include "pro/common/site.hpp"

namespace svc::pro::abandoned_bookings {

// Sealed for their purpose: one that goes on with a booking does not end its reminders, and none is stored. Any thread.
enum class LinkKind : std::uint8_t { recover, stop };

// Of letters, digits, dots, dashes and underscores.
std::string link_token(const plugin::Secrets& secrets, LinkKind kind, const AbandonedBooking& row);

struct OpenedLink {
    std::int64_t id = 0;
    std::string uid;
};
// Nothing: it was not made here for that purpose. Whether the row still has that uid is for the caller to see.
std::optional<OpenedLink> open_link(const plugin::Secrets& secrets, LinkKind kind, std::string_view token);

// Stands for a checkout in place of its secret, which pages do not show: it can only report to this module.
std::string page_mark(const plugin::Secrets& secrets, std::int64_t checkout_id);
std::optional<std::int64_t> checkout_of_mark(const plugin::Secrets& secrets, std::string_view mark);
bool is_page_mark(std::string_view token);

}  // namespace svc::pro::abandoned_bookings
