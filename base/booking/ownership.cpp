// Whose booking it is. Checked in the gate, before any handler sees the request (spec 5.2, promise S6).
#include "base/booking/checkout_parts.hpp"
#include "base/booking/pay_link.hpp"
#include "base/booking/repository.hpp"
#include "base/identity/tokens.hpp"

namespace svc::booking {
namespace {

namespace tokens = identity::tokens;

constexpr std::chrono::hours renewed_every{1};

// What proves a booking for a guest, and how often it may be guessed at.
struct GuestTokens {
    Service& bookings;
    store::Store& store;
    limits::RateLimits& limits;
    const Clock& clock;

    [[nodiscard]] Result<void> prove(std::string_view secret, std::int64_t booking_id,
                                     const api::Request& request) const {
        const std::string_view address = request.address;
        if (auto may = tokens::may_try(limits, address); !may)
            return may.error();
        const Instant now = clock.now();
        bool is_old = false;
        if (secret.starts_with(PayLinks::mark)) {
            const auto said = bookings.pay_link(secret, booking_id);
            if (said == Service::PayLink::proves)
                return {};
            is_old = said == Service::PayLink::ended;
        }
        const auto token = store.reading<std::optional<identity::Token>>([&](store::Session& session) {
            auto found = tokens::find(session, secret, "booking_guest", "booking", booking_id, now);
            is_old = is_old || (!found && tokens::was_issued(session, secret, "booking_guest", "booking", booking_id));
            return found;
        });
        if (token) {
            renew(*token, now);
            return {};
        }
        if (const auto session = session_of(secret_of(request))) {
            if (session->booking_id == booking_id && session->status != "closed" && session->expires_at > now &&
                session->user_id.value_or(request.caller.user_id) == request.caller.user_id)
                return {};
            is_old = is_old || secret_of(request) == secret;  // beside a session of one's own, a token is still a guess
        }
        // A foreign, a wrong and a missing booking answer alike, so that ids cannot be probed.
        if (!is_old)
            if (auto may = tokens::wrong_guess(limits, address); !may)
                return may.error();
        return errc::forbidden;
    }

    // The session that made a booking proves it too, as long as it lives.
    [[nodiscard]] std::optional<CheckoutSession> session_of(const std::string& secret) const {
        if (secret.empty())
            return {};
        return store.reading<std::optional<CheckoutSession>>(
            [&](store::Session& session) { return SessionRepository::find(session, crypto::sha256_hex(secret)); });
    }

    // A use proves that the token is still wanted; one write an hour tells as much as one a use.
    void renew(const identity::Token& token, Instant now) const {
        if (token.expires_at >= now.plus(guest_token_lifetime - renewed_every))
            return;
        // A lost renewal only ends the token sooner; the answer does not depend on it.
        static_cast<void>(store.write([&](store::Transaction& tx) -> Result<void> {
            tokens::renew(tx, token.id, now.plus(guest_token_lifetime));
            return {};
        }));
    }
};

}  // namespace

const api::Field& booking_token_field() {
    static const api::Field field{"booking_token", api::raw_text(200),
                                  "A guest's token; the header X-Svc-Booking-Token is kinder."};
    return field;
}

const api::Field& session_id_field() {
    static const api::Field field{"session_id", api::raw_text(200),
                                  "The secret of the session that made it; or X-Svc-Session."};
    return field;
}

namespace {

using Owned = std::function<Result<void>(const api::Request&, std::int64_t)>;

// Staff with that right count as owners, empty: they do not. Who is signed in and no owner is told `not_theirs`.
Owned owned(Service& bookings, const GuestTokens& guests, std::string staff_right, const ErrorCode& not_theirs) {
    return [&bookings, guests, right = std::move(staff_right), &not_theirs](const api::Request& request,
                                                                            std::int64_t id) -> Result<void> {
        std::string secret{request.header("X-Svc-Booking-Token")};
        if (secret.empty())
            secret = request.query.text_or("booking_token");
        if (secret.empty() && request.body.is_object())
            secret = request.body.text_or("booking_token");
        if (secret.empty())
            secret = secret_of(request);
        const api::Caller& caller = request.caller;
        if (!caller.is_user() && secret.empty())
            return errc::unauthorized;
        if (!right.empty() && caller.can(right))
            return {};  // staff learn from the handler whether it exists
        const auto booking = bookings.find(id);
        const bool owns = caller.is_user() && booking && booking->user_id == caller.user_id;
        if (auto proven = owns             ? Result<void>{}
                          : secret.empty() ? Result<void>{not_theirs}
                                           : guests.prove(secret, id, request);
            !proven)
            return proven;
        // What lies in the trash is gone for those whose it was.
        return booking && booking->status == status::trash ? Result<void>{errc::booking_not_found} : Result<void>{};
    };
}

}  // namespace

std::function<Result<void>(const api::Request&, std::int64_t)> ownership(Service& bookings, store::Store& store,
                                                                         limits::RateLimits& limits, const Clock& clock,
                                                                         std::string staff_right) {
    return owned(bookings, {bookings, store, limits, clock}, std::move(staff_right), errc::forbidden);
}

api::Permission owner_or_staff(Service& bookings, store::Store& store, limits::RateLimits& limits, const Clock& clock,
                               std::string path_name, std::string staff_right) {
    const auto check = [owned = ownership(bookings, store, limits, clock, std::move(staff_right)),
                        name = std::move(path_name)](const api::Request& request) {
        return owned(request, request.path_id(name));
    };
    return api::Permission::decided_by("staff, the booking's owner, or a guest with its booking_token", check);
}

api::Permission owner_alone(Service& bookings, store::Store& store, limits::RateLimits& limits, const Clock& clock) {
    const auto check = [whose = owned(bookings, {bookings, store, limits, clock}, {}, errc::booking_not_found)](
                           const api::Request& request) { return whose(request, request.path_id()); };
    return api::Permission::decided_by("the booking's owner, or a guest with its booking_token", check);
}

}  // namespace svc::booking
