// Discount rows with their trips and ranges, and which bookings hold them.
#pragma once

#include "base/discounts/discount.hpp"
#include "shared/store/store.hpp"

namespace svc::discounts {

// What the staff's list is narrowed by; empty members do not narrow.
struct Query {
    std::string status = {};  // empty and "all": all but the trash
    std::string type = {};    // percentage, fixed
    std::string search = {};
    std::optional<Instant> from = {}, to = {};  // when they were made; `to` is beyond
    std::string order_by = "created_at";
    bool ascending = false;
    std::int64_t limit = 20, offset = 0;
};

// The values of orderby, the default first.
std::vector<std::string> sort_keys();

struct Counts {
    std::int64_t all = 0, publish = 0, draft = 0, trash = 0, expired = 0;  // all: without the trash
};

// A booking that is made with a discount.
struct Redemption {
    std::int64_t booking_id = 0, customer_id = 0;
    std::string email_lower;
    bool is_coupon = true;
    Money amount;
};

namespace rows {

std::optional<Discount> find(store::Session& session, std::int64_t id);
std::optional<Discount> by_code(store::Session& session, std::string_view code);
std::vector<Discount> list(store::Session& session, const Query& query);
std::int64_t count(store::Session& session, const Query& query);
Counts counts(store::Session& session);
// Published group discounts, by id.
std::vector<Discount> groups(store::Session& session);

// UniqueViolation when the code is taken.
std::int64_t insert(store::Transaction& tx, const Discount& discount, Instant now);
// False when it is no longer of that row_version.
bool update(store::Transaction& tx, const Discount& discount, Instant now);
bool remove(store::Transaction& tx, std::int64_t id);
// The first of the ids that is no trip.
std::optional<std::int64_t> unknown_trip(store::Session& session, const std::vector<std::int64_t>& ids);
// Ends those whose last day is before `today`; how many.
std::int64_t expire(store::Transaction& tx, Date today, Instant now);

// Until the transaction's end nobody deletes it; false when somebody did.
bool keep(store::Transaction& tx, std::int64_t id);
// Until the transaction's end nobody else counts uses of it.
void lock(store::Transaction& tx, std::int64_t id);
std::int64_t uses(store::Session& session, std::int64_t id);
// Of that customer, address or account (0: none), whichever of them a use tells.
std::int64_t uses_of(store::Session& session, std::int64_t id, std::int64_t customer_id, std::string_view email_lower,
                     std::int64_t user_id);
bool was_used(store::Session& session, std::int64_t id);
void redeem(store::Transaction& tx, std::int64_t id, const Redemption& redemption, Instant now);
// A booking's redemptions that are not active, by discount.
struct Released {
    std::int64_t discount_id = 0, customer_id = 0;
    std::string email_lower;
    bool is_coupon = true;
    std::int64_t user_id = 0;  // whose booking it is; 0: a guest's
};
std::vector<Released> released(store::Session& session, std::int64_t booking_id);
void release(store::Transaction& tx, std::int64_t booking_id, Instant now);
void revive(store::Transaction& tx, std::int64_t booking_id, std::int64_t discount_id, Instant now);

}  // namespace rows

}  // namespace svc::discounts
