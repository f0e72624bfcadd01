// Bookings as departures see them: the other side of base/sales/availability/bookings.hpp.
#pragma once

#include "base/sales/availability/record/bookings.hpp"
#include "base/sales/booking/record/lifecycle.hpp"

namespace svc::booking {

class DepartureBookings final : public availability::Bookings {
  public:
    DepartureBookings(const Parts& parts, const Ports& ports, Lifecycle& lifecycle)
        : parts_(parts), ports_(ports), lifecycle_(lifecycle) {}

    void follow(store::Transaction& tx, const std::vector<std::int64_t>& ids, const availability::Departure& departure,
                Instant now) override;
    void flag(store::Transaction& tx, const std::vector<std::int64_t>& ids, std::string_view reason,
              Instant now) override;
    void unflag(store::Transaction& tx, const std::vector<std::int64_t>& ids, std::string_view reason,
                Instant now) override;
    bool may_promote(store::Transaction& tx, std::int64_t id) override;
    void promoted(store::Transaction& tx, std::int64_t id, std::int64_t trip_id, std::int64_t departure_id,
                  bool confirm, Instant now) override;
    bool cancel(std::int64_t id, std::string_view reason, std::optional<std::int64_t> user_id) override;
    [[nodiscard]] std::vector<availability::Party> parties(store::Session& session, std::int64_t least,
                                                           std::int64_t most) const override;

  private:
    void follow_one(store::Transaction& tx, std::int64_t id, const availability::Departure& departure, Instant now);

    Parts parts_;
    const Ports& ports_;
    Lifecycle& lifecycle_;
};

}  // namespace svc::booking
