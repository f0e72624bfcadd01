// Bookings, put together with payments, e-mails and accounts.
#include "base/app/assembled_bookings.hpp"

#include <algorithm>

#include "base/app/assembly.hpp"
#include "base/booking/checkout/routes.hpp"
#include "base/booking/guest/invoice_token.hpp"
#include "base/booking/record/access.hpp"
#include "base/payment/gateways/wire.hpp"
#include "base/payment/hooks.hpp"

namespace svc::app {
namespace {

// What registration refuses, by the names that a booking has for the fields.
Error by_booking_fields(const Error& error) {
    if (error.fields().empty())
        return error;
    Error renamed{error.code(), error.message()};
    for (const FieldError& fault : error.fields()) {
        const std::string name = fault.field == "password" ? "account_password" : "contact_" + fault.field;
        renamed.at(name, fault.sentence);
    }
    return renamed;
}

}  // namespace

void connect_bookings(Assembly& parts) {
    parts.bookings.set_gateway_check([&parts](std::string_view gateway, const Money& amount) -> Result<void> {
        const auto one = parts.payments.service.gateways.bookable(gateway, amount);
        return one ? Result<void>{} : one.error();
    });
    parts.bookings.set_confirmation([&parts](store::Transaction& tx, const booking::Booking& booking) {
        return parts.payments.service.confirms_new(tx, booking);
    });
    parts.availability.services.followed_by(&parts.departure_bookings);
    parts.identity.service.when_signed_in([&parts](std::int64_t user_id, const std::string& verified_email) {
        parts.bookings.link_guest_bookings(user_id, verified_email);
    });
    parts.bookings.set_accounts([&parts](const customers::Contact& contact, const std::string& password) {
        auto makes = parts.identity.registration->prepare({.first_name = contact.first_name,
                                                           .last_name = contact.last_name,
                                                           .email = contact.email,
                                                           .phone = contact.phone,
                                                           .password = password});
        return makes ? std::move(makes) : Result<identity::Registration::Makes>(by_booking_fields(makes.error()));
    });
}

void add_booking_routes(Assembly& parts) {
    const booking::Checkout checkout{
        .bookings = parts.bookings,
        .store = *parts.store,
        .settings = parts.settings,
        .keyring = *parts.keyring,
        .limits = parts.limits,
        .site_url = parts.options.site_url,
        .gateways =
            [&parts](const Money& amount) {
                json::Value usable = json::Value::array();
                for (const payment::OfferedGateway& one : parts.payments.service.gateways.bookable(amount))
                    usable.push(payment::to_json(one));
                return usable;
            },
        .gateway_answer = payment::gateway_answer(),
        .instructions = [&parts]() -> booking::Checkout::Instructions {
            const auto offered = parts.payments.service.gateways.offered(Money::zero(parts.settings.currency()), false);
            return [&parts, offered](std::string_view gateway, const json::Value& booking) {
                const auto one = std::find_if(offered.begin(), offered.end(), [&](const payment::OfferedGateway& each) {
                    return each.gateway->info().id == gateway;
                });
                if (one == offered.end())
                    return booking::Checkout::HowToPay{};
                if (!one->gateway->info().is_offline)
                    return booking::Checkout::HowToPay{.online = true};
                return booking::Checkout::HowToPay{.instructions =
                                                       parts.payments.service.gateways.instructions(*one, booking)};
            };
        },
        .verification = {*parts.keyring, parts.hooks},
        // A proxy that does not tell whom it speaks for is everybody.
        .client_of =
            [&parts](const std::string& address) {
                const auto known = limits::Address::parse(address);
                return !known || parts.site.installation.trusted_proxies.contains(*known)
                           ? std::string()
                           : crypto::base64(parts.keyring->mac("booking-client", limits::network_of(address)));
            },
        .is_human = [&parts](
                        const std::string& token,
                        const std::string& address) { return parts.identity.human.check("booking", token, address); },
        .may_make_account =
            [&parts](const std::string& token, const std::string& address) {
                // A token is good once: where booking is protected it has been used.
                return parts.identity.registration->admit(token, address, parts.identity.human.protects("booking"));
            },
        .balance = [&parts](
                       const std::string& secret,
                       const api::Caller& caller) { return parts.payments.checkout.balances.read(secret, caller); },
        .end_balance =
            [&parts](const std::string& secret, const api::Caller& caller) {
                return parts.payments.checkout.balances.close(secret, caller);
            }};
    booking::add_checkout_routes(parts.routes, checkout);
    booking::add_form_routes(parts.routes, checkout);
    booking::add_admin_routes(parts.routes, parts.bookings, parts.settings);
    booking::add_edit_routes(parts.routes, parts.bookings);
    booking::add_traveler_routes(parts.routes, parts.bookings);
    const booking::Ownership::Parts doors{parts.bookings, *parts.store, parts.limits, parts.clock};
    booking::add_own_routes(
        parts.routes, parts.bookings, parts.settings,
        // To anybody else who is signed in it is not there; staff have routes of their own.
        booking::Ownership(doors, {}, errc::booking_not_found).permission("id"),
        booking::Ownership(doors, "svc_change_booking_status").permission("id"),
        [&parts](const booking::Booking& booking) {
            return booking::InvoiceTokens{*parts.keyring}.issue({0, booking.id, booking.email}, parts.clock.now());
        });
}

}  // namespace svc::app
