// Discounts by code, trip and status, and the bookings that use them.
#pragma once

#include "base/sales/discounts/discount.hpp"
#include "shared/store/store.hpp"

namespace svc::discounts {

// A booking that is made with a discount.
struct Redemption {
    std::int64_t booking_id = 0, customer_id = 0;
    std::string email_lower;
    bool is_coupon = true;
    Money amount;
};

namespace rows {

std::optional<Discount> by_code(store::Session& session, std::string_view code);
// Published group discounts, by id.
std::vector<Discount> groups(store::Session& session);
// In place of those that the discount had.
void write_ranges(store::Transaction& tx, const Discount& discount, const record::Writer& writer);
// Ends those whose last day is before `today`; how many.
std::int64_t expire(store::Transaction& tx, Date today, Instant now);

// Prevents its deletion until the transaction ends; false when it does not exist.
bool keep(store::Transaction& tx, std::int64_t id);
// Locks its uses until the transaction ends.
void lock(store::Transaction& tx, std::int64_t id);
std::int64_t uses(store::Session& session, std::int64_t id);
// Of that customer, address or account (0: none), whichever of them matches.
std::int64_t uses_of(store::Session& session, std::int64_t id, std::int64_t customer_id, std::string_view email_lower,
                     std::int64_t user_id);
bool was_used(store::Session& session, std::int64_t id);
void redeem(store::Transaction& tx, std::int64_t id, const Redemption& redemption, Instant now);
// A booking's redemptions that are not active, by discount.
struct Released {
    std::int64_t id = 0, discount_id = 0, customer_id = 0;
    std::string email_lower{};
    bool is_coupon = true;
    std::int64_t user_id = 0;  // of the booking's owner; 0: a guest's
};
std::vector<Released> released(store::Session& session, std::int64_t booking_id);
void release(store::Transaction& tx, std::int64_t booking_id, Instant now);
void revive(store::Transaction& tx, std::int64_t booking_id, std::int64_t discount_id, Instant now);

}  // namespace rows

}  // namespace svc::discounts
