// Payment records: amounts requested and received; only completed ones count (spec 2.4, 3.2).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shared/core/date.hpp"
#include "shared/core/money.hpp"
#include "shared/json/value.hpp"

namespace svc::payment {

namespace status {
inline constexpr std::string_view pending = "pending", completed = "completed", failed = "failed",
                                  refunded = "refunded", cancelled = "cancelled";
inline constexpr std::string_view all[] = {pending, completed, failed, refunded, cancelled};
}  // namespace status

struct Payment {
    std::int64_t id = 0, booking_id = 0;
    std::string booking_reference = {}, customer_name = {}, customer_email = {},
                trip_title = {};  // read with the booking
    std::optional<std::string> transaction_id = {};
    std::string gateway = {}, method = {};
    Money amount = Money::zero(Currency::usd()), refunded = Money::zero(amount.currency());
    std::string status = {}, type = {}, source = {}, notes = {};
    Date date = {};
    std::optional<Instant> processed_at = {};
    std::optional<Instant> completed_event_at = {};  // its completion was reported
    std::optional<std::int64_t> recorded_by = {}, customer_id = {};
    Instant created_at = {}, updated_at = {};
    std::optional<std::int64_t> intent_id = {};
    std::optional<Money> fee = {};
    json::Value details = json::Value::object();  // data of the provider, without secrets
    std::string reconciliation = "manual";        // manual, matched, refund_due

    [[nodiscard]] std::string reference() const;  // PAY-000123
    [[nodiscard]] Money refundable() const { return status == status::completed ? amount - refunded : amount - amount; }
};

// The origin of a status change: staff, on any record or only on manual ones; or a refund.
enum class Mover : std::uint8_t { anyone, its_recorder, refund };
struct Transition {
    std::string_view from, to;
    Mover mover;
};
// The only way to know which change is allowed: docs/transitions.md prints it.
const std::vector<Transition>& transitions();
// By hand. The status it has already is no change.
bool may_change(std::string_view from, std::string_view to, std::string_view source);

// The channel decides whether a payment can confirm a booking under auto_confirm_mode `online`.
enum class Channel : std::uint8_t { online, offline, scheduled };

struct Confirmation {
    bool should = false;
    bool automatic = false;  // the hook's fourth argument: true for mode `all` alone
};
// The truth table of auto_confirm_mode (spec 3.1).
Confirmation confirmation(std::string_view mode, Channel channel, bool settles_balance);

}  // namespace svc::payment
