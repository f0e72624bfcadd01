// Bookings: a party on a date of a trip, its price, its payments, and its statuses (spec 2.3, 3.1).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shared/core/date.hpp"
#include "shared/core/money.hpp"
#include "shared/json/value.hpp"

namespace svc::booking {

namespace status {
inline constexpr std::string_view pending = "pending", pending_verification = "pending_verification",
                                  confirmed = "confirmed", processing = "processing", on_hold = "on-hold",
                                  completed = "completed", cancelled = "cancelled", refunded = "refunded",
                                  failed = "failed", waitlist = "waitlist", trash = "trash";
inline constexpr std::string_view all[] = {
    pending, pending_verification, confirmed, processing, on_hold, completed, cancelled, refunded, failed, waitlist,
    trash};
}  // namespace status

// Whether a booking in that status holds seats.
bool holds_seats(std::string_view status);
// Whether it was not given up: then it counts as a use of its discounts.
bool is_active(std::string_view status);

// Why a status may change; each cause has its rows in the table.
enum class Cause : std::uint8_t {
    staff,
    payment,
    customer,
    sweep,
    channel,
    promotion,
    removal,
    restoring,
    verification,
    clock
};

struct Transition {
    std::string_view from, to;
    Cause cause;
};

// The only way to know which change is allowed: docs/rules.md prints it, a test walks every pair.
const std::vector<Transition>& transitions();
bool may_change(std::string_view from, std::string_view to, Cause cause);

// The author of a change, for the status log.
struct Actor {
    std::string_view kind;  // system, admin, customer, gateway, channel
    std::optional<std::int64_t> id = {};
    // checkout, cookie, application_password, token, link, payment, refund, departure, job
    std::string_view through = {};
};

struct Traveler {
    std::int64_t id = 0, index = 1;
    bool is_lead = false;
    json::Value fields = {};                       // {"first_name": "Ada", …}
    std::optional<std::int64_t> category_id = {};  // the traveler category, if known
};

// A traveler with the booking, for lists over all bookings.
struct ListedTraveler {
    Traveler traveler;
    std::int64_t booking_id = 0, trip_id = 0;
    std::string booking_reference = {}, booking_status = {}, trip_title = {};
    Date travel_date = {};
};

// A traveler on a departure with data of the booking. A booking without names of travelers only has its lead.
struct Passenger {
    std::int64_t departure_id = 0, booking_id = 0;
    std::optional<std::int64_t> traveler_id = {};
    bool is_lead = false;
    std::string reference = {}, first_name = {}, last_name = {}, email = {}, phone = {};  // the contact's
    json::Value fields = {};
    std::int64_t party = 0;
    Money paid;
};

// A priced line, immutable: sums and invoices are made of these.
struct Line {
    std::string kind, label;
    std::int64_t quantity = 1;
    Money unit, amount;
    std::optional<std::int64_t> people = {};  // that a price per group covers; `quantity` counts the groups
};

// The amounts from which the debt of a booking follows.
struct Account {
    std::string status = {}, payment_status = {};
    Money total, pay_now, amount_paid;
    bool payments_unknown = false;

    [[nodiscard]] Money balance() const;  // never below zero
    // The balance while it is active or on the waitlist, else nothing; nothing while its payments are not known.
    [[nodiscard]] Money amount_owed() const;
    [[nodiscard]] Money amount_due() const;  // the amount due now, by status (docs/rules.md, Payments)
};

struct Booking {
    std::int64_t id = 0;
    std::string reference = {};
    std::int64_t trip_id = 0;
    std::string trip_title = {}, trip_slug = {};
    std::int64_t customer_id = 0;
    std::optional<std::int64_t> user_id = {};
    std::string first_name = {}, last_name = {}, email = {}, phone = {}, country = {};
    Date travel_date = {}, end_date = {};
    std::optional<ClockTime> departure_time = {};
    std::int64_t travelers_count = 1;
    json::Value traveler_counts = {};
    Currency currency = Currency::usd();  // of all its amounts
    Money subtotal = Money::zero(currency), discount = Money::zero(currency), services = Money::zero(currency),
          itinerary = Money::zero(currency), tax = Money::zero(currency), total = Money::zero(currency),
          pay_now = Money::zero(currency), amount_paid = Money::zero(currency);
    bool tax_inclusive = false;
    Rate tax_rate = {};            // of all taxes together
    std::string coupon_code = {};  // that counted; empty: none
    std::string payment_method = {}, payment_gateway = {}, payment_status = {}, status = {};
    std::optional<std::string> cancellation_reason = {}, attention_reason = {};
    std::optional<Instant> confirmed_at = {}, completed_at = {}, cancelled_at = {};
    bool needs_attention = false;
    std::string special_requests = {}, internal_notes = {}, source = {};
    std::string locale = {};  // of its e-mails, "de-AT"; empty: its account's, else the site's
    std::int64_t row_version = 1;
    Instant created_at = {}, updated_at = {};
    std::optional<Instant> payable_since = {};      // when it became payable, if later than its creation
    std::optional<Instant> pay_by = {};             // fixed then; empty: Service::pay_by
    std::optional<Date> rest_on = {};               // when what is left after a part is due
    std::optional<std::int64_t> departure_id = {};  // of the live seat link
    bool entered_afterwards = false;                // by staff, when its first day was over
    // It was migrated without its payments: nothing is asked for, and it does not expire, until they are known.
    bool payments_unknown = false;

    [[nodiscard]] std::string customer_name() const;
    [[nodiscard]] Account account() const;
    [[nodiscard]] Money balance() const { return account().balance(); }
    [[nodiscard]] Money amount_due() const { return account().amount_due(); }
    [[nodiscard]] Money amount_owed() const { return account().amount_owed(); }
};

// Members read with a single booking only.
struct Particulars {
    json::Value contact_data = {}, emergency_contact = {};  // answers by field
    bool newsletter_optin = false;
    std::optional<Instant> terms_accepted_at = {}, verified_at = {}, expired_at = {}, reminder_sent_at = {};
    std::optional<std::string> cancelled_via = {};
    json::Value quote = {};  // the price as it was made
    json::Value form = {};   // the form as used; null: created by staff, or before forms were stored
};

// The payment_status that follows from the ledger (docs/rules.md, Payments).
std::string_view payment_status_of(const Money& total, const Money& paid, const Money& refunded, bool last_failed);

}  // namespace svc::booking
