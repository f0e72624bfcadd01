// A charge requested from a gateway, until the provider reports its outcome.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "shared/core/date.hpp"
#include "shared/core/money.hpp"
#include "shared/json/value.hpp"

namespace svc::payment {

namespace intent_status {
inline constexpr std::string_view created = "created", requires_action = "requires_action", processing = "processing",
                                  succeeded = "succeeded", failed = "failed", cancelled = "cancelled",
                                  expired = "expired";
}  // namespace intent_status

namespace reconciliation {
inline constexpr std::string_view open = "open", settled = "settled", review = "review",  // of intents
    manual = "manual", matched = "matched", refund_due = "refund_due";                    // of payments
}  // namespace reconciliation

struct PaymentIntent {
    std::int64_t id = 0, booking_id = 0;
    std::string gateway = {};
    std::optional<std::string> provider_id = {};
    std::string key = {};      // names it in calls to the provider and in the way back
    std::string purpose = {};  // checkout, remaining, scheduled, link
    Money amount = Money::zero(Currency::usd());
    std::optional<std::string> client_amount = {};
    std::string status = {};
    std::optional<std::string> page = {};  // sealed
    std::string return_url = {}, cancel_url = {};
    bool save_method = false;
    bool is_proven = true;             // the caller who began it had proven the booking; false: an anonymous caller
    std::optional<bool> is_test = {};  // live or test mode; none: created before this was stored
    // the saved method that is charged without the customer, or was saved with the charge
    std::optional<std::int64_t> saved_method_id = {};
    std::string last_error = {}, reconciliation = "open";
    std::int64_t asks = 0;
    Instant schedule_inquiry = {}, expires_at = {}, created_at = {}, updated_at = {};

    // Whether a page may still pay by it.
    [[nodiscard]] bool is_open(Instant now) const {
        return (status == intent_status::created || status == intent_status::requires_action) && now < expires_at;
    }
};

// A charge prepared before there is a booking: it takes nothing until the booking takes it over.
struct HeldCharge {
    PaymentIntent charge = {.purpose = "checkout"};  // of no booking
    std::optional<std::int64_t> session_id = {};     // of the checkout session with the quote,
    std::optional<std::int64_t> user_id = {};        // of staff, who name the booking when they confirm it; else empty
};

namespace held_status {
inline constexpr std::string_view created = "created", requires_action = "requires_action", adopted = "adopted",
                                  released = "released";
}  // namespace held_status

inline constexpr std::chrono::hours intent_lifetime{1};
// An unpaid booking waits for its customer from the first charge of a day on, however many they begin after it.
inline constexpr std::chrono::hours longest_charge_delay{3}, charge_delay_day{24};

// The pause before the n-th request about an unconfirmed charge: short at first, then longer.
std::chrono::minutes pause_before_inquiry(std::int64_t asks);
inline constexpr std::int64_t most_inquiries = 14;  // some four days; then a person looks

// Money that went back, or is about to.
struct Refunded {
    std::int64_t id = 0, payment_id = 0, booking_id = 0;
    std::string gateway = {};
    std::optional<std::string> gateway_refund_id = {};
    std::string key = {};
    Money amount = Money::zero(Currency::usd());
    std::string status = {};  // pending, completed, failed
    bool by_hand = false, closes = false;
    bool reduces_total = true;                             // the booking does not owe it again
    Money total_reduced = Money::zero(amount.currency());  // by how much the total went down, once completed
    std::string reason = {}, last_error = {}, source = {};
    std::optional<std::int64_t> initiated_by = {};
    json::Value details = json::Value::object();
    std::int64_t asks = 0;
    Instant schedule_inquiry = {};
    std::optional<Instant> processed_at = {};
    Instant created_at = {}, updated_at = {};

    [[nodiscard]] std::string reference() const;  // CN-000123, the number of its credit note
};

}  // namespace svc::payment
