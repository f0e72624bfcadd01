// Whose booking it is. Checked in the gate, before any handler sees the request (spec 5.2, promise S6).
#include "base/booking/routes.hpp"
#include "base/identity/tokens.hpp"

namespace svc::booking {
namespace {

namespace tokens = identity::tokens;

constexpr std::chrono::hours lifetime{24}, renewed_every{1};

// What proves a booking for a guest, and how often it may be guessed at.
struct GuestTokens {
    store::Store& store;
    limits::RateLimits& limits;
    const Clock& clock;

    [[nodiscard]] Result<void> prove(std::string_view secret, std::int64_t booking_id, std::string_view address) const {
        if (auto may = tokens::may_try(limits, address); !may)
            return may.error();
        const Instant now = clock.now();
        bool is_old = false;
        const auto token = store.reading<std::optional<identity::Token>>([&](store::Session& session) {
            auto found = tokens::find(session, secret, "booking_guest", "booking", booking_id, now);
            is_old = !found && tokens::was_issued(session, secret, "booking_guest", "booking", booking_id);
            return found;
        });
        if (token) {
            renew(*token, now);
            return {};
        }
        // A foreign, a wrong and a missing booking answer alike, so that ids cannot be probed.
        if (!is_old)
            if (auto may = tokens::wrong_guess(limits, address); !may)
                return may.error();
        return errc::forbidden;
    }

    // A use proves that the token is still wanted; one write an hour tells as much as one a use.
    void renew(const identity::Token& token, Instant now) const {
        if (token.expires_at >= now.plus(lifetime - renewed_every))
            return;
        // A lost renewal only ends the token sooner; the answer does not depend on it.
        static_cast<void>(store.write([&](store::Transaction& tx) -> Result<void> {
            tokens::renew(tx, token.id, now.plus(lifetime));
            return {};
        }));
    }
};

}  // namespace

std::function<Result<void>(const api::Request&, std::int64_t)> ownership(Service& bookings, store::Store& store,
                                                                         limits::RateLimits& limits,
                                                                         const Clock& clock) {
    return [&bookings, guests = GuestTokens{store, limits, clock}](const api::Request& request,
                                                                   std::int64_t id) -> Result<void> {
        std::string secret{request.header("X-Svc-Booking-Token")};
        if (secret.empty())
            secret = request.query.text_or("booking_token");
        if (secret.empty() && request.body.is_object())
            secret = request.body.text_or("booking_token");
        const api::Caller& caller = request.caller;
        if (!caller.is_user() && secret.empty())
            return errc::unauthorized;
        if (caller.can("svc_view_bookings"))
            return {};  // staff learn from the handler whether it exists
        if (caller.is_user())
            if (const auto booking = bookings.find(id); booking && booking->user_id == caller.user_id)
                return {};
        return secret.empty() ? Result<void>{errc::forbidden} : guests.prove(secret, id, request.address);
    };
}

api::Permission owner_or_staff(Service& bookings, store::Store& store, limits::RateLimits& limits, const Clock& clock,
                               std::string path_name) {
    const auto check = [owned = ownership(bookings, store, limits, clock), name = std::move(path_name)](
                           const api::Request& request) { return owned(request, request.path_id(name)); };
    return api::Permission::decided_by("staff, the booking's owner, or a guest with its booking_token", check);
}

}  // namespace svc::booking
