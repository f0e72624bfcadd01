// Payment records: what was asked and what has come in; only completed ones count (spec 2.4, 3.2).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shared/core/date.hpp"
#include "shared/core/money.hpp"

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
    Money amount;
    std::string status = {}, type = {}, source = {}, notes = {};
    Date date = {};
    std::optional<Instant> processed_at = {};
    bool completed_event_fired = false;
    std::optional<std::int64_t> recorded_by = {};
    Instant created_at = {}, updated_at = {};

    [[nodiscard]] std::string reference() const;  // PAY-000123
};

// How a payment's status may be changed by hand (docs/rules.md, Payments).
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
