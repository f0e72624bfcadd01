// Trash, restore, permanent deletion, and bulk actions on bookings.
#pragma once

#include <string_view>
#include <vector>

#include "base/sales/booking/desk/lists.hpp"
#include "base/sales/booking/record/service.hpp"

namespace svc::booking {

// Any thread.
class Removal {
  public:
    Removal(const Parts& parts, const Ports& ports, Service& records)
        : parts_(parts), ports_(ports), records_(records), lifecycle_(records.lifecycle()) {}

    Result<void> trash(std::int64_t id, const Actor& actor);
    Result<Booking> restore(std::int64_t id, const Actor& actor, bool forced = false);
    // Deletes the booking and its data permanently; svc_in_use if it has a completed payment. Only by force if it is
    // not in the trash.
    Result<void> remove(std::int64_t id, const Actor* forced_by = nullptr);
    // One action on many, each by itself: mark_{status}, trash, restore, delete.
    std::vector<Outcome> bulk(std::string_view action, const std::vector<std::int64_t>& ids, const Actor& actor);

  private:
    Parts parts_;
    const Ports& ports_;
    Service& records_;
    Lifecycle& lifecycle_;
};

}  // namespace svc::booking
