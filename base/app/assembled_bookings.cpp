// Bookings, put together with payments, e-mails and accounts.
#include "base/app/assembled_bookings.hpp"

#include <algorithm>

#include "base/app/assembled_documents.hpp"
#include "base/app/assembly.hpp"
#include "base/app/outgoing.hpp"
#include "base/app/paying.hpp"
#include "base/booking/record/pay_link.hpp"
#include "base/booking/record/wire.hpp"
#include "base/customers/service.hpp"
#include "base/identity/human_check.hpp"
#include "base/identity/registration.hpp"
#include "base/identity/routes.hpp"
#include "base/messaging/routes.hpp"
#include "base/payment/hooks.hpp"
#include "base/payment/repository.hpp"
#include "base/payment/wire.hpp"

namespace svc::app {
namespace {

// A trip as listeners of e-mails' texts see it; null when it is gone. Of a trip that is not published now, the
// categories are its own without those above them.
json::Value mailed_trip(Assembly& parts, std::int64_t id) {
    json::Value categories = json::Value::array();
    const auto told = [&](const catalog::trips::Trip& trip) {
        return json::Value::object({{"id", trip.id},
                                    {"title", trip.title},
                                    {"slug", trip.slug},
                                    {"trip_type", catalog::trips::name_of(trip.type)},
                                    {"categories", std::move(categories)}});
    };
    if (const auto shown = parts.trips.shown().published(id)) {
        for (const catalog::trips::ClassKey& each : shown->facts.classes)
            if (each.kind == catalog::trips::Kind::trip_category)
                categories.push(each.id);
        return told(shown->trip);
    }
    const auto read = parts.trips.read(id);
    if (!read)
        return {};
    for (const auto& [name, members] : read->members)
        if (name == "trip_category" && members.is_array())
            for (const json::Value& each : members.items())
                if (const auto category = each.maybe_integer("id"))
                    categories.push(*category);
    return told(read->trip);
}

}  // namespace

void connect_bookings(Assembly& parts) {
    parts.bookings.ports.payments = &parts.booking_payments;
    parts.bookings.ports.gateways = &parts.booking_gateways;
    parts.bookings.ports.pages = &parts.booking_pages;
    parts.identity.when_signed_in([&parts](std::int64_t user_id, const std::string& verified_email) {
        parts.bookings.guests.link_guest_bookings(user_id, verified_email);
    });
    parts.messaging.listen_to_bookings(
        [&parts, links = booking::Verification(*parts.keyring, parts.hooks)](const json::Value& booking) {
            return parts.options.site_url + parts.options.base_path + "/booking/verify-email?token=" +
                   links.token(booking["id"].integer(), booking.text_or("customer_email"),
                               Instant::parse(booking.text_or("asked_at", booking.text_or("created_at")))
                                   .value_or(parts.clock.now()));
        });
    const auto pay_link = [&parts](const json::Value& told) {
        const auto booking = parts.bookings.records.find(told["id"].integer());
        if (!booking)
            return parts.options.site_url;
        return parts.checkout.confirmation_page(*booking) +
               "?pay=remaining&booking_token=" + booking::PayLinks{*parts.keyring}.token(booking->id, booking->email);
    };
    parts.messaging.listen_to_departures(pay_link);
    const auto find = [&parts](std::int64_t id) -> std::optional<json::Value> {
        // As e-mails of a booking's own events have it: nothing that is told needs its form and its price anew.
        const auto found = parts.bookings.records.find(id);
        return found ? std::optional(booking::to_json(*found)) : std::nullopt;
    };
    parts.messaging.listen_to_payments(find);
    parts.messaging.listen_to_refunds(find, credit_notes(parts));
    parts.messaging.listen_to_scheduled_payments(find, pay_link);
    parts.messaging.ask(
        {.instructions = offline_instructions(parts),
         .gateway_title = [&parts](const std::string& gateway) -> std::string {
             // One that is no longer offered has its own name still.
             const auto offered = parts.payments.offered(gateway, Money::zero(parts.settings.currency()));
             const std::string title = offered ? offered->config.text_or("title") : std::string();
             const payment::Gateway* known = parts.gateways.find(gateway);
             return !title.empty() ? title : known ? known->info().title : gateway;
         },
         .trip_url =
             [&parts](const json::Value& booking) {
                 // Where its page is now, whatever it was called when it was booked.
                 const auto id = booking.maybe_integer("trip_id");
                 const auto trip = id ? parts.trips.published(*id) : nullptr;
                 return parts.trips.showing().trip_address() + (trip ? trip->slug : booking.text_or("trip_slug"));
             },
         .answers = [&parts](std::int64_t id) -> json::Value {
             const auto found = parts.bookings.records.find(id);
             return found ? parts.bookings.records.detail(*found, false) : json::Value();
         },
         .trip = [&parts](std::int64_t id) { return mailed_trip(parts, id); }});
    const auto sent_at = [&parts](const json::Value& account) {
        return Instant::parse(account.text_or("sent_at")).value_or(parts.clock.now());
    };
    parts.messaging.listen_to_accounts({
        .proof =
            [&parts, sent_at](std::int64_t user_id, const json::Value& account) {
                return parts.options.site_url + parts.options.base_path + "/auth/verify-email?token=" +
                       identity::AddressProof::token(*parts.keyring, user_id, account.text_or("email"),
                                                     sent_at(account));
            },
        .reset =
            [&parts, sent_at](std::int64_t user_id, const json::Value& account) {
                return parts.options.site_url + parts.options.base_path +
                       "/auth/password/reset?token=" + parts.address_proof->reset_token(user_id, sent_at(account));
            },
    });
    parts.messaging.name_travelers([&parts](std::int64_t id) {
        json::Array all;
        parts.store->read([&](store::Session& session) {
            for (booking::Traveler& traveler : booking::Service::travelers(session, id))
                all.push_back(std::move(traveler.fields));
        });
        return all;
    });
}

void add_registration(Assembly& parts) {
    parts.address_proof = std::make_unique<identity::AddressProof>(identity::AddressProof::Parts{
        .store = *parts.store,
        .keyring = parts.keyring,
        .hooks = parts.hooks,
        .limits = parts.limits,
        .clock = parts.clock,
        .identity = parts.identity,
        // The record of an address is its owner's once that is proven.
        .proven = [&parts](store::Transaction& tx, std::int64_t user_id, const std::string& email) {
            customers::Service::own(tx, parts.hooks, user_id, email, parts.clock.now());
        }});
    parts.registration = std::make_unique<identity::Registration>(identity::Registration::Parts{
        .store = *parts.store,
        .settings = parts.settings,
        .hooks = parts.hooks,
        .limits = parts.limits,
        .clock = parts.clock,
        .accounts = parts.identity.accounts(),
        .proof = *parts.address_proof,
        .made =
            [&parts](store::Transaction& tx, const identity::NewAccount& account) {
                customers::Service::of(tx, parts.hooks,
                                       {.first_name = account.first_name,
                                        .last_name = account.last_name,
                                        .email = account.email,
                                        .phone = account.phone},
                                       parts.clock.now());
            },
        .is_human =
            [human = std::make_shared<identity::HumanCheck>(parts.settings, parts.hooks, gateway_fetch(parts.options))](
                const std::string& token, const std::string& address) {
                return human->check("registration", token, address);
            }});
    parts.booking_accounts = std::make_unique<booking::RegisteredAccounts>(*parts.registration);
    parts.bookings.ports.accounts = parts.booking_accounts.get();
    parts.gatekeeper.take_account_passwords(
        [&parts](const std::string& name, const std::string& password, const std::string& address) {
            return parts.identity.by_account_password(name, password, address);
        });
    identity::add_me_route(parts.routes, parts.identity, parts.settings);
    identity::add_registration_routes(parts.routes, *parts.registration, parts.settings);
    identity::add_address_proof_routes(parts.routes, *parts.address_proof, parts.options.site_url);
}

void add_booking_routes(Assembly& parts) {
    messaging::add_routes(parts.routes, parts.messaging,
                          {.booking = [&parts](std::int64_t id) -> std::optional<json::Value> {
                               const auto found = parts.bookings.records.find(id);
                               return found ? std::optional(parts.bookings.records.detail(*found, true)) : std::nullopt;
                           },
                           .last_payment = [&parts](std::int64_t id) -> std::optional<json::Value> {
                               std::optional<json::Value> last;
                               parts.store->read([&](store::Session& session) {
                                   for (const payment::Payment& each : payment::Repository::of_booking(session, id))
                                       if (each.status == payment::status::completed)
                                           last = payment::to_json(each);
                               });
                               return last;
                           }});
}

}  // namespace svc::app
