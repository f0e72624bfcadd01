// Timed work on bookings, each in its own transaction: ends unpaid ones, sends reminders, completes past trips,
// encrypts answers and keeps lists fast.
#pragma once

#include <string>

#include "base/sales/booking/record/service.hpp"

namespace svc::booking {

// Any thread and process.
class Upkeep {
  public:
    Upkeep(const Parts& parts, const Ports& ports, Service& records)
        : parts_(parts), ports_(ports), records_(records), lifecycle_(records.lifecycle()), sealing_(parts.keyring) {}

    Result<json::Value> expire_unpaid(Instant now);
    // From when on unpaid bookings end, noted once: at the first start, so that the first hour's bookings count too. A
    // database that is away leaves it to the sweep.
    void note_expiry(Instant now);
    Result<json::Value> remind(Instant now);
    Result<json::Value> complete_ended(Instant now);
    // Offers waitlist seats that expired to the next in line.
    Result<json::Value> end_offers(Instant now);
    // Sends reminders of the deadline to who pays later.
    Result<json::Value> watch_deadlines(Instant now);
    // Columns that lists count and search by.
    Result<json::Value> add_up_counts();
    Result<json::Value> index_search(Instant now);
    Result<json::Value> seal_answers();   // sensitive ones stored before there was sealing
    Result<std::int64_t> renew_sealed();  // seals again the data sealed with older keys; returns the number of rows

  private:
    // The value of that setting; if it is empty, stores `fresh` there.
    Result<std::string> since_when(const char* key, const std::string& fresh);
    [[nodiscard]] bool is_late(store::Session& session, std::int64_t id, Instant now) const;

    Parts parts_;
    const Ports& ports_;
    const Service& records_;
    Lifecycle& lifecycle_;
    Sealing sealing_;
};

}  // namespace svc::booking
