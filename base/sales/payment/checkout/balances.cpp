// Sessions for paying a balance: a token valid for half an hour and the data of the page.
#include "base/sales/payment/checkout/balances.hpp"

#include "base/sales/booking/checkout/session.hpp"
#include "base/sales/booking/record/wire.hpp"
#include "base/sales/payment/gateways/wire.hpp"
#include "shared/api/named.hpp"

namespace svc::payment {
namespace {

// Marks a guest's token as a session; the guest's own token, which opens the same, is none.
constexpr std::string_view session_payload = R"({"session":"balance"})";

Result<void> owes_balance(const booking::Booking& booking) {
    namespace state = booking::status;
    if (!booking::holds_seats(booking.status) || booking.status == state::pending_verification ||
        booking.status == state::completed)
        return errc::not_payable;
    return booking.balance().is_zero() ? Result<void>(errc::no_balance_due) : Result<void>{};
}

}  // namespace

json::Value Balances::session_json(const booking::Booking& booking, Instant opened_at, Instant expires_at) const {
    const Money balance = offers_.balance_requested(booking);
    json::Value gateways = json::Value::array();
    for (const OfferedGateway& one :
         parts_.payments.gateways.available(balance, !offers_.pays_balance_offline(booking)))
        gateways.push(to_json(one));
    return json::Value::object({{"is_remaining_payment", true},
                                {"existing_booking_id", booking.id},
                                {"booking_reference", booking.reference},
                                {"remaining_amount", balance},
                                {"amount_paid", booking.amount_paid},
                                {"total_amount", booking.total},
                                {"trip_id", booking.trip_id},
                                {"trip_title", booking.trip_title},
                                {"trip_slug", booking.trip_slug},
                                {"travel_date", booking.travel_date},
                                {"departure_time", booking.departure_time},
                                {"availability_id", booking.departure_id},
                                {"travelers", booking.travelers_count},
                                {"traveler_counts", booking.traveler_counts},
                                {"payment_method", "full"},
                                {"enabled_gateways", std::move(gateways)},
                                {"currency", booking.total.currency().code()},
                                {"timestamp", opened_at.seconds()},
                                {"expires_at", expires_at}});
}

Result<json::Value> Balances::open(std::int64_t booking_id) {
    const auto booking = parts_.bookings.find(booking_id);
    if (!booking)
        return errc::booking_not_found;
    SVC_RETURN_IF_ERROR(owes_balance(*booking));
    const Instant now = parts_.clock.now();
    const auto token = parts_.store.transact<std::string>([&](store::Transaction& tx) -> Result<std::string> {
        return identity::tokens::issue(tx, "booking_guest", "booking", booking_id, now,
                                       booking::session_idle + booking::session_renewal, session_payload);
    });
    if (!token)
        return token.error();
    const std::string page = confirmation_page(parts_, *booking);
    json::Value opened = session_json(*booking, now, now.plus(booking::session_idle));
    opened.set("checkout_url", page + "?pay=remaining");
    opened.set("return_url", page);
    opened.set("booking_token", *token);
    json::Value record = booking::to_json(*booking, settings::look_of(parts_.settings));
    record.erase("customer_id");  // the contact may be another person
    opened.set("booking", std::move(record));
    opened.set("balance", booking->balance());
    opened.set("gateways", opened["enabled_gateways"]);
    return opened;
}

std::optional<std::pair<identity::Token, booking::Booking>> Balances::find(std::string_view token,
                                                                           const api::Caller& caller) {
    const auto open = parts_.store.reading<std::optional<identity::Token>>([&](store::Session& session) {
        return identity::tokens::open(session, token, "booking_guest", "booking", parts_.clock.now());
    });
    auto booking = open && open->payload == session_payload ? parts_.bookings.find(open->subject_id) : std::nullopt;
    // A guest's booking has none; nor is a stolen secret of use to another account.
    if (!booking || !booking->user_id || (caller.is_user() && caller.user_id != *booking->user_id) ||
        !owes_balance(*booking))
        return std::nullopt;
    return std::pair(*open, std::move(*booking));
}

Result<json::Value> Balances::read(std::string_view token, const api::Caller& caller) {
    auto found = find(token, caller);
    if (!found)
        return errc::session_expired;
    auto& [open, booking] = *found;
    const Instant now = parts_.clock.now();
    const Instant expiry = booking::session_expiry(open.created_at, now);
    if (open.expires_at < now.plus(booking::session_idle) && open.expires_at < expiry) {
        // A lost renewal only shortens the session.
        const auto renewed = parts_.store.write_relaxed([&, id = open.id](store::Transaction& tx) -> Result<void> {
            identity::tokens::renew(tx, id, expiry);
            return {};
        });
        if (renewed)
            open.expires_at = expiry;
    }
    return session_json(booking, open.created_at, std::min(open.expires_at, now.plus(booking::session_idle)));
}

Result<void> Balances::close(std::string_view token, const api::Caller& caller) {
    const auto found = find(token, caller);
    if (!found)
        return errc::session_expired;
    return parts_.store.write([&](store::Transaction& tx) -> Result<void> {
        identity::tokens::revoke(tx, found->first.id, parts_.clock.now());
        return {};
    });
}

Result<std::int64_t> Balances::booking_of(std::string_view token) {
    const auto open = parts_.store.reading<std::optional<identity::Token>>([&](store::Session& session) {
        return identity::tokens::open(session, token, "booking_guest", "booking", parts_.clock.now());
    });
    return open ? Result<std::int64_t>(open->subject_id) : errc::session_expired;
}

api::Type balance_session_answer() {
    using namespace api;
    using api::text;
    return object(
        "RemainingSession",
        {{.name = "checkout_url", .type = text(2000), .help = "Redirect the customer to this page.", .required = true},
         {.name = "return_url", .type = text(2000), .required = true},
         {.name = "is_remaining_payment", .type = boolean(), .help = "Always true.", .required = true},
         {.name = "existing_booking_id", .type = id(), .required = true},
         {.name = "remaining_amount",
          .type = money(),
          .help = "The amount charged: the balance, unless a listener reduces it.",
          .required = true},
         {.name = "amount_paid", .type = money(), .required = true},
         {.name = "total_amount", .type = money(), .required = true},
         {.name = "trip_id", .type = id()},
         {.name = "trip_title", .type = text(255)},
         {.name = "trip_slug", .type = text(255)},
         {.name = "travel_date", .type = date()},
         {.name = "departure_time", .type = time().or_null()},
         {.name = "availability_id", .type = id().or_null()},
         {.name = "travelers", .type = integer(1)},
         {.name = "traveler_counts", .type = map(integer(0))},
         {.name = "payment_method", .type = choice({"full"}), .help = "A balance is paid in full."},
         {.name = "enabled_gateways", .type = list(gateway_answer()), .help = "Same as gateways.", .required = true},
         {.name = "timestamp", .type = integer(0), .help = "Creation time in seconds since 1970."},
         {.name = "booking_reference", .type = text(32), .required = true},
         {.name = "booking_token", .type = text(60), .help = "Returned only here.", .required = true},
         {.name = "booking", .type = object("BookingRow", booking::booking_row_answer()), .required = true},
         {.name = "balance", .type = money(), .required = true},
         {.name = "currency", .type = text(3), .required = true},
         {.name = "gateways", .type = list(gateway_answer()), .required = true},
         {.name = "expires_at", .type = instant(), .required = true}});
}

}  // namespace svc::payment
