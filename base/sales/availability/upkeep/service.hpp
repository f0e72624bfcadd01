// Timed work on departures: updates statuses, checks seat counts by the ledger, releases expired holds.
#pragma once

#include "base/sales/availability/waitlist/service.hpp"

namespace svc::availability {

// Any thread. Each returns a summary for its job.
class Upkeep {
  public:
    Upkeep(const Parts& parts, Calendar& calendar, Seats& seats, Waitlist& waitlist)
        : parts_(parts), calendar_(calendar), seats_(seats), waitlist_(waitlist) {}

    // Statuses by today's date.
    Result<json::Value> refresh_statuses(Instant now);
    // Counts that are not their ledger's are logged, counted and set right.
    Result<json::Value> audit_seats(Instant now);
    // Releases expired soft holds.
    Result<json::Value> release_lapsed(Instant now);

  private:
    const Parts parts_;
    Calendar& calendar_;
    Seats& seats_;
    Waitlist& waitlist_;
};

}  // namespace svc::availability
