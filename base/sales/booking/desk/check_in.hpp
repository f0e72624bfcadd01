// Check-in: staff note that a traveler has arrived at the start of the trip. A traveler whose name is not known yet has
// no row, and is checked in once it is.
#pragma once

#include <optional>
#include <vector>

#include "base/sales/booking/record/service.hpp"
#include "shared/api/route.hpp"

namespace svc::booking {

inline const hooks::Filter check_in_allowed{
    "svc_check_in_allowed",
    "Whether travelers of a booking may be checked in; \"allowed\": false refuses it with \"reason\", an English"
    " sentence for staff. Applied in the transaction of the check-in.",
    json::Kind::object,
    {"booking_id", "traveler_indexes"},
    R"({"allowed": true, "reason": ""})"};

struct CheckedIn {
    std::int64_t traveler_id = 0, booking_id = 0, index = 1;
    std::optional<Instant> at = {};  // empty: not checked in
    std::optional<std::int64_t> by = {};
};

// Any thread.
class CheckIns {
  public:
    CheckIns(store::Store& store, const hooks::Hooks& hooks, const Clock& clock)
        : store_(store), hooks_(hooks), clock_(clock) {}

    [[nodiscard]] std::optional<CheckedIn> find(std::int64_t traveler_id) const;
    // Whoever asks: routes ask may_check_in() first. svc_not_found; svc_conflict for a booking without seats, and with
    // the reason of a listener of svc_check_in_allowed. What is so already stays as it is, with its first time.
    [[nodiscard]] Result<CheckedIn> set(std::int64_t traveler_id, bool is_in, std::int64_t user_id) const;
    // Those with seats on the departure who are checked in; with a guide, nobody of departures that others guide.
    [[nodiscard]] std::vector<CheckedIn> of_departure(std::int64_t departure_id,
                                                      std::optional<std::int64_t> guide_id) const;

  private:
    store::Store& store_;
    const hooks::Hooks& hooks_;
    const Clock& clock_;
};

// Guides, on the departures that they guide, and those who may change bookings or departures.
bool may_check_in(const api::Caller& staff);
void add_check_in_routes(api::RouteTable& routes, const Service& records, const CheckIns& check_ins);

}  // namespace svc::booking
