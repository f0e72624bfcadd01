// Bookings that a plugin makes, confirms and cancels: by the writers of everybody's bookings (svc.bookings/1).
#pragma once

#include <functional>
#include <string>

#include "base/sales/booking/desk/desk.hpp"

namespace svc::booking {

// Any thread.
class PartnerBookings {
  public:
    struct Needs {
        Service& records;
        const Offers& offers;
        Creator& creator;
        const Desk& desk;
    };
    PartnerBookings(const Needs& needs, const Clock& clock)
        : records_(needs.records), offers_(needs.offers), creator_(needs.creator), desk_(needs.desk), clock_(clock) {}

    struct By {
        Cause cause = Cause::channel;  // staff, customer or channel
        std::string name, reason;      // of the channel, or of what acts
    };
    // `wanted` has the members of a choice, as the body of /booking/summary. The price that a customer would pay now,
    // or why nobody can book it.
    Result<json::Value> quote(const json::Value& wanted) const;
    // `wanted` has the members of a new booking, as the body of /booking/create. `also` runs last in the transaction
    // and may run more than once; its error ends the transaction and is returned.
    using Also = std::function<Result<void>(store::Transaction&, const json::Value& booking)>;
    Result<json::Value> hold(const json::Value& wanted, const By& by, const Also& also);
    // Inside the caller's transaction; repeated they change nothing. booking_not_found, svc_invalid_transition.
    Result<json::Value> confirm(store::Transaction& tx, std::int64_t id, const By& by);
    Result<json::Value> cancel(store::Transaction& tx, std::int64_t id, const By& by);

  private:
    Result<json::Value> change(store::Transaction& tx, std::int64_t id, std::string_view to, Cause cause, const By& by);
    [[nodiscard]] json::Value described(store::Session& session, const Booking& booking) const;

    Service& records_;
    const Offers& offers_;
    Creator& creator_;
    const Desk& desk_;
    const Clock& clock_;
};

}  // namespace svc::booking
