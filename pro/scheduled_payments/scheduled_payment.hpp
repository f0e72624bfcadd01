// A scheduled charge: a part of a booking's balance and its result. Module scheduled_payments.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "shared/core/date.hpp"
#include "shared/core/error_codes.hpp"
#include "shared/core/money.hpp"
#include "shared/json/value.hpp"

namespace svc::pro::scheduled_payments {

inline constexpr std::string_view module_slug = "scheduled_payments";

inline constexpr ErrorCode link_already_sent{"link_already_sent", 409,
                                             "The payment link for this booking was already sent."};

namespace status {
inline constexpr std::string_view scheduled = "scheduled", processing = "processing", paid = "paid", failed = "failed",
                                  cancelled = "cancelled";
}
namespace kind {
inline constexpr std::string_view charge = "charge", link = "link";
}
namespace why {
inline constexpr std::string_view refund = "refund", cancelled = "cancelled", trashed = "trashed",
                                  paid_in_full = "paid_in_full", admin = "admin";
}
// The reason why nothing is scheduled for a booking that owes money.
namespace reason {
inline constexpr std::string_view guest_booking = "guest_booking", no_saved_method = "no_saved_method",
                                  gateway_unsupported = "gateway_unsupported", travel_too_soon = "travel_too_soon";
}

struct ScheduledPayment {
    std::int64_t id = 0, booking_id = 0, plan_no = 1, sequence_no = 1;
    std::string kind{kind::charge}, payment_type{"balance"};
    Currency currency = Currency::usd();  // of the amount; an insert takes the amount's
    Money amount = Money::zero(Currency::usd());
    std::int64_t planned_total = 0;  // of the booking when the amount was reckoned, in minor units
    Date date = {};
    std::optional<std::int64_t> days_before_tour = {};  // set: the due day moves with the tour
    std::string status{status::scheduled};
    std::int64_t attempts = 0, max_attempts = 3;  // those that failed; how many may
    std::optional<Instant> next_attempt_at = {}, last_attempt_at = {}, reminder_sent_at = {}, link_sent_at = {},
                           cancelled_at = {};
    std::optional<std::int64_t> attempted_minor = {};  // the amount of the current attempt
    std::optional<std::int64_t> owed_minor = {};       // what the booking owed when it began
    bool permanent = false;
    std::string last_error = {}, gateway = {};
    std::optional<std::int64_t> saved_method_id = {}, payment_id = {};
    std::optional<std::string> cancel_reason = {};
    std::string card_notice = {};  // the card and day that the customer was told of: card_key() of then
    Instant created_at = {}, updated_at = {};
    std::string booking_reference = {}, customer_name = {};  // read with it

    // Of the present attempt at the gateway: the same again while its outcome is not known.
    [[nodiscard]] std::string key() const { return "sched:" + std::to_string(id) + ":" + std::to_string(attempts + 1); }
    // Of its card and its day; empty: it has none.
    [[nodiscard]] std::string card_key() const {
        return saved_method_id ? std::to_string(*saved_method_id) + " " + date.text() : std::string();
    }
    // As people read it.
    [[nodiscard]] std::string status_label() const {
        return status == status::scheduled    ? "Scheduled"
               : status == status::processing ? "Processing"
               : status == status::paid       ? "Paid"
               : status == status::failed     ? "Failed"
                                              : "cancelled";
    }
    [[nodiscard]] std::string type_label() const { return payment_type == "installment" ? "Installment" : "Balance"; }
};

// The data of a booking that scheduling needs.
struct Owing {
    std::int64_t id = 0;
    std::string reference = {}, first_name = {}, last_name = {}, email = {}, status = {};
    std::optional<std::int64_t> user_id = {};
    Currency currency = Currency::usd();
    Money total = Money::zero(Currency::usd()), paid = total;
    Date travel_date = {};

    [[nodiscard]] Money balance() const { return max(total - paid, Money::zero(total.currency())); }
    [[nodiscard]] bool is_open() const {
        return status == "pending" || status == "confirmed" || status == "processing" || status == "on-hold";
    }
};

// A card that ends before a charge, as its customer knows it.
struct Card {
    std::int64_t id = 0;
    std::string brand = {}, last4 = {};
    std::int64_t exp_month = 0, exp_year = 0;  // its last month
};

// How routes answer it.
json::Value shown(const ScheduledPayment& payment);

}  // namespace svc::pro::scheduled_payments
