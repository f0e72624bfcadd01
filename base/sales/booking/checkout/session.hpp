// A checkout session: a visitor's choices so far. It holds no seats and no price (docs/rules.md, Sessions).
#pragma once

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <string>

#include "base/sales/pricing/by_hand.hpp"
#include "shared/core/date.hpp"

namespace svc::booking {

struct CheckoutSession {
    std::int64_t id = 0;
    std::optional<std::int64_t> user_id = {}, trip_id = {};
    std::optional<Date> travel_date = {};
    std::optional<ClockTime> departure_time = {};
    std::int64_t travelers = 1;
    bool travelers_chosen = false;                              // else as many as are named travel
    std::map<std::int64_t, std::int64_t> traveler_counts = {};  // by category; empty or adding up to travelers
    std::string payment_method = "full";
    std::string payment_gateway = {};                    // empty: none is chosen
    bool method_chosen = false;                          // sent explicitly, so that no other method replaces it
    std::string coupon_code = {};                        // as typed
    std::string country = {};                            // of the customer
    std::map<std::int64_t, std::int64_t> services = {};  // how many of each additional service
    std::string draft = {};                              // the form half filled in, sealed; empty: nothing of it
    std::string token_hash = {};                         // of its secret
    std::string email = {};                              // of the customer, once it is known; not stored
    pricing::ByHand by_hand = {};                        // by staff, while they make a booking; not stored
    std::string status = "open";                         // open, converted, closed
    std::optional<std::int64_t> booking_id = {};
    Instant created_at = {}, expires_at = {};
};

inline constexpr std::chrono::minutes session_idle{30};
inline constexpr std::chrono::hours session_longest{24};
// How long a guest's booking_token counts, from its making and from each renewal.
inline constexpr std::chrono::hours guest_token_lifetime{24};
// A renewal is written at most once in this time, so that reads rarely cost a write; it is stored that much later, so
// that no session ends before its thirty minutes.
inline constexpr std::chrono::seconds session_renewal{60};
// The expiry of a session that is used now.
inline Instant session_expiry(Instant created_at, Instant now) {
    return std::min(now.plus(session_idle + session_renewal), created_at.plus(session_longest));
}

}  // namespace svc::booking
