// A booking that a visitor began and did not finish. Module abandoned_booking_recovery.
#pragma once

#include <map>

#include "shared/record/record.hpp"

namespace svc::pro::abandoned_bookings {

inline constexpr std::string_view module_slug = "abandoned_booking_recovery", capability = "manage_svc";
inline constexpr std::int64_t most_reminders = 3;
// What names the person is blanked after that; links end with it.
inline constexpr std::chrono::hours kept_for{24 * 30};

namespace status {
inline constexpr std::string_view abandoned = "abandoned", contacted = "contacted", recovered = "recovered",
                                  expired = "expired";
}
namespace recovered_by {
// By a link or a coupon of its e-mails; after an e-mail, without either; before any e-mail.
inline constexpr std::string_view link = "link", time = "time", self = "self";
}  // namespace recovered_by

// A row exists from the first address that may be kept. It is listed once it is abandoned: `abandoned_at`.
struct AbandonedBooking {
    std::int64_t id = 0;
    std::string uid;
    std::optional<std::int64_t> checkout_id;
    std::string email, email_lower, customer_name, customer_phone;
    std::string country;  // ISO 3166-1, two letters; empty: unknown
    std::string locale;
    std::optional<std::int64_t> trip_id;
    std::optional<Date> travel_date;
    std::optional<ClockTime> departure_time;
    std::int64_t travelers = 1;
    std::map<std::int64_t, std::int64_t> traveler_counts, services;
    std::string coupon_code;  // as the visitor typed it
    Currency currency = Currency::usd();
    std::optional<Money> total;
    std::string step, fault;
    std::string consent{"opt_in"};
    Instant consent_at{};
    std::string status{status::abandoned}, end_reason;
    std::int64_t stage = 1, emails_sent = 0;  // `stage`: the next reminder
    std::optional<Instant> last_email_at, next_email_at, link_used_at;
    bool unsubscribed = false;
    std::optional<std::int64_t> recovered_booking_id;
    std::optional<std::string> recovered_by;
    std::optional<Instant> recovered_at, abandoned_at, blanked_at;
    Instant last_activity_at{}, expires_at{}, created_at{}, updated_at{};
    std::optional<std::string> trip_name, trip_slug, recovered_reference;  // read alone
    std::optional<std::string> recovered_currency;
    std::optional<std::int64_t> recovered_minor;

    [[nodiscard]] bool is_open() const { return status == status::abandoned || status == status::contacted; }
    // The word before the last name, or all of it.
    [[nodiscard]] std::string first_name() const { return customer_name.substr(0, customer_name.find(' ')); }
};
const record::Record<AbandonedBooking>& abandoned_record();

// An address as rows of it are found.
std::string lower_case(std::string email);

// Its choices as POST /booking/summary takes them.
json::Value choice_of(const AbandonedBooking& row);

}  // namespace svc::pro::abandoned_bookings
