// Whose booking it is. Checked in the gate, before any handler sees the request (spec 5.2, reliability S6).
#include "base/booking/routes.hpp"
#include "base/identity/tokens.hpp"

namespace svc::booking {

api::Permission owner_or_staff(Service& bookings, store::Store& store, const Clock& clock, std::string path_name) {
    const auto check = [&bookings, &store, &clock,
                        name = std::move(path_name)](const api::Request& request) -> Result<void> {
        const std::int64_t id = request.path_id(name);
        std::string secret{request.header("X-Svc-Booking-Token")};
        if (secret.empty())
            secret = request.query.text_or("booking_token");
        const api::Caller& caller = request.caller;
        if (!caller.is_user() && secret.empty())
            return errc::unauthorized;
        if (caller.can("svc_view_bookings"))
            return {};  // staff learn from the handler whether it exists
        const auto booking = bookings.find(id);
        if (caller.is_user() && booking && booking->user_id == caller.user_id)
            return {};
        if (!secret.empty()) {
            const auto token = store.reading<std::optional<identity::Token>>([&](store::Session& session) {
                return identity::tokens::find(session, secret, "booking_guest", "booking", id, clock.now());
            });
            if (token)
                return {};
        }
        // A foreign, a wrong and a missing booking answer alike, so that ids cannot be probed.
        return errc::forbidden;
    };
    return api::Permission::decided_by("staff, the booking's owner, or a guest with its booking_token", check);
}

}  // namespace svc::booking
