// Reviews: travelers' opinions of a trip, published once staff or the site's settings approve them.
#pragma once

#include "shared/record/record.hpp"

namespace svc::reviews {

// In the order of `statuses`. Each may follow each; approved ones alone are shown and counted.
enum class Status : std::uint8_t { pending, approved, rejected, spam, trash };
inline constexpr std::string_view statuses[] = {"pending", "approved", "rejected", "spam", "trash"};

struct Review : record::Audit, record::Trash {
    std::int64_t id = 0, trip_id = 0;
    std::optional<std::int64_t> user_id{}, customer_id{}, booking_id{};  // the booking proves that the author traveled
    std::string trip_title{}, trip_slug{};                               // of the trip as it is now
    std::int64_t rating = 0, helpful_count = 0;
    std::string title{}, content{};
    std::string author_name{}, author_email{};
    std::optional<std::string> author_location{}, reply{};
    std::string author_key{}, ip_hash{};  // author_key: of authors who wrote it themselves, one per trip
    Status status = Status::pending;
    bool is_verified = false, is_featured = false;
    std::optional<Instant> replied_at{}, moderated_at{};
    std::optional<std::int64_t> replied_by{}, moderated_by{};
};

// Whether its author may still change it: pending, and for 24 hours.
bool is_editable(const Review& review, Instant now);

// The trip's rating by its approved reviews now, for features that write reviews.
void rate_anew(store::Transaction& tx, std::int64_t trip_id);

// `clock` outlives the record.
record::Record<Review> make_record(const Clock& clock);

}  // namespace svc::reviews
