// A session for the balance: a token of half an hour and what the page shows.
#include "base/booking/wire.hpp"
#include "base/identity/tokens.hpp"
#include "base/payment/checkout.hpp"
#include "base/payment/wire.hpp"

namespace svc::payment {

Result<json::Value> Checkout::open_remaining(std::int64_t booking_id) {
    namespace state = booking::status;
    constexpr std::chrono::minutes lifetime{30};
    const auto booking = parts_.bookings.find(booking_id);
    if (!booking)
        return errc::booking_not_found;
    if (!booking::holds_seats(booking->status) || booking->status == state::pending_verification)
        return errc::not_payable;
    if (booking->balance().is_zero())
        return errc::no_balance_due;
    const Instant now = parts_.clock.now();
    const auto token = parts_.store.transact<std::string>([&](store::Transaction& tx) -> Result<std::string> {
        return identity::tokens::issue(tx, "booking_guest", "booking", booking_id, now, lifetime);
    });
    if (!token)
        return token.error();
    json::Value gateways = json::Value::array();
    for (const OfferedGateway& one : parts_.payments.offered(booking->balance(), true))
        gateways.push(to_json(one));
    const std::string page = confirmation_page(*booking);
    return json::Value::object({{"checkout_url", page + "?pay=remaining"},
                                {"return_url", page},
                                {"booking_reference", booking->reference},
                                {"booking_token", *token},
                                {"booking", booking::to_json(*booking)},
                                {"balance", booking->balance()},
                                {"currency", booking->total.currency().code()},
                                {"gateways", std::move(gateways)},
                                {"expires_at", now.plus(lifetime)}});
}

}  // namespace svc::payment
