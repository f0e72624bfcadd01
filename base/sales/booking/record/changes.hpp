// The history of what was changed in a booking: values before and after, by field, stored in the transaction of the
// change. The status has a log of its own.
#pragma once

#include "base/sales/booking/record/booking.hpp"
#include "base/sales/booking/record/sealing.hpp"
#include "shared/store/store.hpp"

namespace svc::booking {

// A booking with its travelers and answers at one moment.
class Snapshot {
  public:
    Snapshot(store::Session& session, const Booking& booking, const Sealing& sealing);

    [[nodiscard]] std::int64_t booking_id() const { return booking_id_; }
    // By kind of change ("date", "contact" …): the values by field.
    [[nodiscard]] const json::Value& kinds() const { return kinds_; }
    // The fields of each traveler, in order.
    [[nodiscard]] const json::Value& travelers() const { return travelers_; }

  private:
    std::int64_t booking_id_;
    json::Value kinds_ = json::Value::object(), travelers_ = json::Value::array();
};

// Stores what differs, one row a kind; nothing where nothing does. Answers about health or papers are named without
// their values.
void log_changes(store::Transaction& tx, const Snapshot& before, const Snapshot& after, const Actor& actor,
                 Instant now);
// The same for changes of the booking's own row alone.
void log_changes(store::Transaction& tx, const Booking& before, const Booking& after, const Actor& actor, Instant now);

// {kind, fields, actor, actor_name, at}, oldest first.
json::Value changes_of(store::Session& session, std::int64_t booking_id);

}  // namespace svc::booking
