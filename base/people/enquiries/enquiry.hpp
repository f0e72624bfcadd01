// Enquiries: questions that visitors send before they book, with or without a trip (spec 2.5).
#pragma once

#include "shared/record/record.hpp"

namespace svc::enquiries {

// In the order of `statuses`. Each may follow each (spec 3.5).
enum class Status : std::uint8_t {
    fresh,
    pending,
    responded,
    completed,
    converted,
    closed,
    spam,
    trash,
    read,
    archived
};
inline constexpr std::string_view statuses[] = {"new",    "pending", "responded", "completed", "converted",
                                                "closed", "spam",    "trash",     "read",      "archived"};

struct Enquiry : record::Audit, record::Trash {
    std::int64_t id = 0;
    std::optional<std::int64_t> trip_id{}, customer_id{}, booking_id{};
    std::optional<std::string> trip_title{}, trip_slug{};  // of the trip as it is now
    std::string name{}, email{}, phone{}, message{};
    std::optional<Date> travel_date{};
    std::optional<std::int64_t> travelers_count{};
    json::Value traveler_counts{};  // [{id, title, count}] or null
    Status status = Status::fresh;
    std::optional<std::string> response_notes{};  // the last response
    std::optional<std::string> locale{};          // of the e-mails to the sender, "de-AT"; none: the site's
    std::optional<Instant> responded_at{};
    std::optional<std::int64_t> responded_by{};
    std::string source{"website"}, referrer{}, ip_hash{}, user_agent{};
};

const record::Record<Enquiry>& enquiry_record();

}  // namespace svc::enquiries
