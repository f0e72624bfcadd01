// One person asked to sign one form for one traveler of a booking.
#pragma once

#include <map>
#include <span>

#include "pro/consent/consent.hpp"
#include "shared/record/record.hpp"

namespace svc::pro::consent {

inline constexpr std::size_t most_of_name = 200;

struct ConsentRequest {
    std::int64_t id = 0, form_id = 0, form_version = 1, booking_id = 0, traveler_index = 0;
    std::string booking_reference, name, email, email_lower, locale;
    std::string status{consent::status::pending}, end_reason;
    std::optional<Instant> sent_at{}, viewed_at{}, last_viewed_at{}, last_reminder_at{}, signed_at{};
    std::int64_t mails_sent = 0, reminders_sent = 0;
    Instant expires_at{};
    bool ends_with_trip = true;
    Instant created_at{}, updated_at{};
    // Read alone.
    std::string form_name, trip_title;
    std::optional<Date> travel_date{};
    std::optional<std::int64_t> signed_id{};

    [[nodiscard]] bool is_open() const { return status == consent::status::pending; }
};
const record::Record<ConsentRequest>& request_record();
// By booking, in the order of form and traveler: one statement for all of them.
std::map<std::int64_t, std::vector<ConsentRequest>> requests_of(store::Session& session,
                                                                std::span<const std::int64_t> booking_ids);

}  // namespace svc::pro::consent
