// Proof of ownership of a booking. Checked before any handler acts on the request (spec 5.2, promise S6).
#include "base/people/identity/proven.hpp"
#include "base/sales/booking/checkout/access.hpp"
#include "base/sales/booking/checkout/checkout_parts.hpp"
#include "base/sales/booking/checkout/repository.hpp"
#include "base/sales/booking/record/pay_link.hpp"
#include "shared/api/guided.hpp"

namespace svc::booking {
namespace {

namespace tokens = identity::tokens;

constexpr std::chrono::hours renewed_every{1};

// The proof that a guest sent; empty: none.
std::string secret_shown(const api::Request& request) {
    std::string secret{request.header("X-Svc-Booking-Token")};
    if (secret.empty())
        secret = request.query.text_or("booking_token");
    if (secret.empty() && request.body.is_object())
        secret = request.body.text_or("booking_token");
    if (secret.empty())
        secret = secret_of(request);
    return secret;
}

}  // namespace

bool shows_pay_link(const api::Request& request) { return secret_shown(request).starts_with(PayLinks::mark); }

Access read_access(const store::Row& row, std::size_t at) {
    return {.status = row.maybe_text(at).value_or(std::string()),
            .user_id = row.maybe_integer(at + 1),
            .guest = tokens::read_joined(row, at + 2)};
}

store::Params access_params(std::int64_t booking_id, std::string_view secret, Instant now) {
    store::Params params = tokens::joined_params(secret, now);
    params.emplace_back("id", booking_id);
    return params;
}

Result<void> Ownership::prove(std::string_view secret, std::int64_t booking_id, const Access& access,
                              const api::Request& request) const {
    const std::string_view address = request.address;
    SVC_RETURN_IF_ERROR(tokens::may_try(parts_.limits, address));
    const Instant now = parts_.clock.now();
    bool is_old = access.guest.id != 0;
    if (auto linked = by_link(secret, booking_id, request, is_old))
        return *linked;
    if (access.guest.proves(secret)) {
        renew(access.guest, now);
        return {};
    }
    // The session that made a booking proves it too, as long as it lives.
    if (const std::string own = secret_of(request); !own.empty()) {
        const auto session = parts_.store.reading<std::optional<CheckoutSession>>(
            [&](store::Session& reads) { return SessionRepository::find(reads, crypto::sha256_hex(own)); });
        if (session) {
            if (session->booking_id == booking_id && session->status != "closed" && session->expires_at > now &&
                session->user_id.value_or(request.caller.user_id) == request.caller.user_id)
                return {};
            is_old = is_old || own == secret;  // a token counts as a guess even if the caller also has a session
        }
    }
    // A foreign, a wrong and a missing booking answer alike, so that ids cannot be probed.
    if (!is_old)
        SVC_RETURN_IF_ERROR(tokens::wrong_guess(parts_.limits, address));
    return errc::forbidden;
}

std::optional<Result<void>> Ownership::by_link(std::string_view secret, std::int64_t booking_id,
                                               const api::Request& request, bool& is_old) const {
    const bool is_pay_link = secret.starts_with(PayLinks::mark);
    if (!is_pay_link && !secret.starts_with(BookingLinks::mark))
        return std::nullopt;
    const auto proof =
        is_pay_link ? parts_.bookings.pay_link(secret, booking_id) : parts_.bookings.booking_link(secret, booking_id);
    is_old = is_old || proof != Service::LinkProof::foreign;
    if (proof != Service::LinkProof::proves)
        return std::nullopt;
    if (is_pay_link)
        return takes_pay_links_
                   ? Result<void>{}
                   : Error{errc::forbidden, "A pay link pays. Open the booking's own link to see it."_sentence};
    if (request.route && request.route->method == api::Method::get)
        return Result<void>{};
    return Error{errc::forbidden,
                 "This link reads the booking. Exchange it for a booking_token: POST /booking/open."_sentence};
}

// Use renews a token, with at most one write per hour. A session's token, marked in its payload, expires with the
// session.
void Ownership::renew(const tokens::Joined& token, Instant now) const {
    const bool is_session = token.has_payload;
    const Instant expiry = is_session ? session_expiry(token.created_at, now) : now.plus(guest_token_lifetime);
    const Instant enough = is_session ? std::min(expiry, now.plus(session_idle)) : expiry.minus(renewed_every);
    if (token.expires_at >= enough)
        return;
    // A lost renewal only ends the token sooner; the answer does not depend on it.
    static_cast<void>(parts_.store.write([&](store::Transaction& tx) -> Result<void> {
        tokens::renew(tx, token.id, expiry);
        return {};
    }));
}

Result<void> Ownership::operator()(const api::Request& request, std::int64_t booking_id) const {
    return (*this)(request, booking_id, [this](const store::Params& params) {
        return parts_.store.reading<Access>([&](store::Session& session) {
            return session
                .first<Access>("SELECT " SVC_ACCESS_COLUMNS SVC_ACCESS_FROM, SVC_ACCESS_TYPES, params,
                               [](const store::Row& row) { return read_access(row); })
                .value();
        });
    });
}

Result<void> Ownership::operator()(const api::Request& request, std::int64_t booking_id, const Read& read) const {
    const std::string secret = secret_shown(request);
    const api::Caller& caller = request.caller;
    if (!caller.is_user() && secret.empty())
        return errc::unauthorized;
    if (!staff_right_.empty() && caller.can(staff_right_) &&
        (!api::guided_by(caller) || parts_.bookings.seen(booking_id, caller)))
        return {};
    const Access access = read(access_params(booking_id, secret, parts_.clock.now()));
    const bool owns = identity::is_proven(caller) && access.user_id == caller.user_id;
    if (auto proven = owns             ? Result<void>{}
                      : secret.empty() ? Result<void>{*not_theirs_}
                                       : prove(secret, booking_id, access, request);
        !proven)
        return proven;
    // For its owner a booking in the trash does not exist.
    return access.status == status::trash ? Result<void>{errc::booking_not_found} : Result<void>{};
}

std::string Ownership::help() const {
    return std::string(staff_right_.empty() ? "" : "staff, ") +
           "the booking's owner, or a guest with its booking_token";
}

api::Permission Ownership::permission(std::string path_name) const {
    return api::Permission::decided_by(help(),
                                       [owns = *this, name = std::move(path_name)](const api::Request& request) {
                                           return owns(request, request.path_id(name));
                                       });
}

api::Permission Ownership::permission_of_handler() const {
    return api::Permission::decided_by(help(), [](const api::Request& request) -> Result<void> {
        return request.caller.is_user() || !secret_shown(request).empty() ? Result<void>{} : errc::unauthorized;
    });
}

const api::Field& booking_token_field() {
    static const api::Field field{.name = "booking_token",
                                  .type = api::raw_text(200),
                                  .help = "The guest's token; preferably sent as header X-Svc-Booking-Token."};
    return field;
}

const api::Field& session_id_field() {
    static const api::Field field{.name = "session_id",
                                  .type = api::raw_text(200),
                                  .help = "The secret of the session that created it; or send X-Svc-Session."};
    return field;
}

}  // namespace svc::booking
