// The statements of pages.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string_view>

#include "shared/store/store.hpp"

namespace svc::pages {

// The booking of a reference, which an address names; whose it is, the interface decides.
std::optional<std::int64_t> booking_of_reference(store::Session& session, std::string_view reference);

// The trip with that slug, in any status but the trash.
std::optional<std::int64_t> trip_of_slug(store::Session& session, std::string_view slug);

// Which of these bookings ended since they were not paid in time.
std::set<std::int64_t> expired_among(store::Session& session, std::span<const std::int64_t> bookings);
// Which of these bookings came from the waitlist and are offered to their holders.
std::set<std::int64_t> offered_among(store::Session& session, std::span<const std::int64_t> bookings);

}  // namespace svc::pages
