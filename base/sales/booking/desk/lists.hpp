// Staff's reads of all bookings: lists, counts, sums and travelers; and a guest's own list.
#pragma once

#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "base/sales/booking/record/booking.hpp"
#include "base/sales/booking/record/parts.hpp"
#include "base/sales/booking/record/sealing.hpp"
#include "shared/api/period.hpp"
#include "shared/api/route.hpp"

namespace svc::booking {

// The values of orderby, the default first.
std::vector<std::string> sort_keys();
// The filters of staff's list; empty members do not filter.
struct Filter {
    std::string status = {};  // empty: all but the trash
    std::string payment_status = {}, search = {};
    std::optional<std::int64_t> trip_id = {}, customer_id = {};
    std::optional<Instant> from = {}, to = {};  // created_at, from inclusive, to exclusive
    std::optional<Instant> updated_since = {};
    std::optional<std::int64_t> user_id = {};
    bool needs_attention = false;               // those alone that wait for a person
    bool refund_due = false;                    // only those with money to refund
    std::optional<std::int64_t> guide_id = {};  // those alone whose seats are on a departure that this user guides
};

struct TravelerFilter {
    std::string search = {};
    std::optional<std::int64_t> trip_id = {}, booking_id = {}, departure_id = {};
    std::optional<Date> travel_date = {};
    std::string booking_status = {};
    bool ended_too = false;  // includes cancelled, refunded and failed bookings when neither status nor booking is sent
    std::optional<Instant> from = {}, to = {};  // when their bookings were made
    std::optional<std::int64_t> guide_id = {};  // as of bookings
};
std::vector<std::string> traveler_sort_keys();

struct QueueFilter {
    std::string search = {};
    std::optional<std::int64_t> departure_id = {}, guide_id = {};
    api::Period joined = {};
};
// A booking that waits for seats of a departure.
struct Queued {
    Booking booking;
    std::int64_t departure_id = 0;
    Instant joined_at;
};

// A page, and how many there are of each status by the filter's other conditions; `all` is without the trash.
struct Listed {
    std::vector<Booking> bookings;
    json::Value counts;
    std::int64_t total = 0;
};

// The outcome for one of many.
struct Outcome {
    std::int64_t id = 0;
    std::optional<Error> error = {};
};

// Runs `done` for each id in its own write; a request that resumes an interrupted one skips those already done.
std::vector<Outcome> each_of_many(const std::vector<std::int64_t>& ids,
                                  const std::function<Result<void>(std::int64_t id)>& done);

// Any thread.
class Lists {
  public:
    explicit Lists(const Parts& parts) : parts_(parts), sealing_(parts.keyring) {}

    [[nodiscard]] Listed list(const Filter& filter, const api::Page& page) const;
    // Counts and sums over bookings made in the filter's period.
    [[nodiscard]] json::Value stats(const Filter& filter) const;
    [[nodiscard]] std::pair<std::vector<ListedTraveler>, std::int64_t> travelers(const TravelerFilter& filter,
                                                                                 const api::Page& page) const;
    // A page of the waiting bookings, and how many there are.
    [[nodiscard]] std::pair<std::vector<Queued>, std::int64_t> queues(const QueueFilter& filter,
                                                                      const api::Page& page) const;
    // The contacts of their bookings, by the booking's id.
    struct Contact {
        std::string email, phone;
    };
    [[nodiscard]] std::map<std::int64_t, Contact> contacts(const std::vector<ListedTraveler>& travelers) const;
    // Runs `work`, whose reads show one state of the database.
    void in_one_state(const std::function<void()>& work) const;
    [[nodiscard]] std::vector<std::pair<std::int64_t, std::string>> booked_trips() const;
    // svc_in_use for the lead of a live booking.
    std::vector<Outcome> remove_travelers(const std::vector<std::int64_t>& ids) const;
    // The zone of the days in the lists' from and to.
    [[nodiscard]] Zone zone() const { return parts_.settings.zone(); }

  private:
    Parts parts_;
    Sealing sealing_;
};

}  // namespace svc::booking
