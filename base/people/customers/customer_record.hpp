// The record of a customer, for staff and for the account's holder.
#pragma once

#include <memory>

#include "base/platform/crypto/crypto.hpp"
#include "base/settings/values/settings.hpp"
#include "shared/record/record.hpp"

namespace svc::customers {

// In the order of `statuses`. A blocked customer cannot book.
enum class Status : std::uint8_t { active, inactive, blocked };
inline constexpr std::string_view statuses[] = {"active", "inactive", "blocked"};

// The totals of a customer's bookings, without cancelled, failed, refunded and trashed ones.
struct Totals {
    std::int64_t bookings = 0, travelers = 0;
    std::int64_t spent_minor = 0;  // of the site's currency; paid in others is not part of it
    std::optional<Instant> last_booked_at{};
    std::optional<Date> last_travel_date{};
};

struct CustomerRecord : record::Audit {
    std::int64_t id = 0;
    std::optional<std::int64_t> user_id{};
    std::string first_name{}, last_name{}, full_name{}, email{}, phone{}, country{}, city{}, address{};
    std::optional<std::string> secondary_phone{}, state{}, postal_code{}, gender{}, nationality{};
    std::optional<Date> date_of_birth{};
    std::string emergency_name{}, emergency_phone{}, emergency_relationship{};
    std::string dietary_requirements{}, medical_conditions{}, special_needs{};
    std::string extra_fields{};  // JSON of texts by id; empty: none
    std::string preferred_language{"en"}, preferred_currency{"USD"};
    bool newsletter_optin = false, marketing_optin = false;
    std::optional<Instant> newsletter_optin_at{}, marketing_optin_at{}, erased_at{};
    std::string source{"admin"};
    Status status = Status::active;
    std::int64_t loyalty_points = 0;
    std::optional<std::string> notes{};
    std::vector<std::string> tags{};
    std::optional<Instant> registered_at{}, verified_at{}, last_login_at{};  // of the account
    Totals totals{};                                                         // as the bookings are now
};

// The search, sort and comparison keys of a row.
struct Keys {
    std::string full_name, search, name_order;
    std::string email;  // the mailbox behind an address: without its +part, on Gmail without dots; empty: none
    std::string phone;  // the last nine digits; empty with less than seven
};
Keys keys_of(const std::string& first_name, const std::string& last_name, const std::string& email,
             const std::string& phone);
std::string person_key_of(const std::string& full_name, const std::optional<Date>& date_of_birth);
// How a list's filter by a tag is compared.
std::string tag_pattern(std::string_view tag);

std::string_view tier_of(std::int64_t loyalty_points);  // bronze, silver, gold, platinum

// The values of the fields that the operator declares, by id.
json::Value extra_fields_of(const CustomerRecord& customer);
// An empty object is stored as the empty text.
void set_extra_fields(CustomerRecord& customer, const json::Value& fields);

// Both outlive the record.
record::Record<CustomerRecord> make_record(const settings::Settings& settings, const crypto::Keyring& keyring);

}  // namespace svc::customers
