// The port of departures to their bookings, a higher feature: booking implements it, the assembly connects it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/sales/availability/record/departure.hpp"
#include "shared/json/value.hpp"
#include "shared/store/store.hpp"

namespace svc::availability {

// The travelers of a departure and the payments for it.
struct Party {
    std::int64_t departure_id = 0;
    json::Value travelers;  // array, as the departure shows them
    std::int64_t people = 0;
    Money paid;
};

class Bookings {
  public:
    virtual ~Bookings() = default;

    // -- inside the write's transaction, the departure's row locked
    // Its days or its time changed: updates the bookings and notifies their customers.
    virtual void follow(store::Transaction& tx, const std::vector<std::int64_t>& ids, const Departure& departure,
                        Instant now) = 0;
    // They need a person.
    virtual void flag(store::Transaction& tx, const std::vector<std::int64_t>& ids, std::string_view reason,
                      Instant now) = 0;
    // They do not any more, if that was why.
    virtual void unflag(store::Transaction& tx, const std::vector<std::int64_t>& ids, std::string_view reason,
                        Instant now) = 0;
    // The head of the waitlist has its seats; it is the booking's turn to leave the status waitlist. False: a listener
    // holds it back, and nothing has happened.
    virtual bool may_promote(store::Transaction& tx, std::int64_t id) = 0;
    virtual void promoted(store::Transaction& tx, std::int64_t id, std::int64_t trip_id, std::int64_t departure_id,
                          bool confirm, Instant now) = 0;

    // -- in its own transaction
    // Cancels one in any status; false if it failed or was not necessary.
    virtual bool cancel(std::int64_t id, std::string_view reason, std::optional<std::int64_t> user_id) = 0;

    // -- reading
    // The live bookings of departures with ids from `least` to `most`, one party each.
    [[nodiscard]] virtual std::vector<Party> parties(store::Session& session, std::int64_t least,
                                                     std::int64_t most) const = 0;
};

}  // namespace svc::availability
