// Prepares a charge with the provider for a page; returns the same one again while nothing has changed.
#include "base/sales/payment/checkout/offers.hpp"

#include <algorithm>
#include <stdexcept>

#include "base/sales/booking/record/payment_plan.hpp"
#include "base/sales/booking/record/wire.hpp"
#include "base/sales/payment/record/hooks.hpp"
#include "base/sales/payment/record/intent_repository.hpp"
#include "base/sales/payment/record/wire.hpp"
#include "shared/core/log.hpp"

namespace svc::payment {
namespace {

namespace state = booking::status;

constexpr std::string_view by_link = "link";  // the purpose of a charge that a pay link begins

bool is_visible_ascii(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c <= '~'; });
}

// Of the gateway's response, callers without proof only get the address for paying, the charge's id and public values:
// everything else may be secret or personal.
json::Value page_of_stranger(const json::Value& page, const OfferedGateway& gateway) {
    std::vector<json::Value> known{page["payment_id"]};
    for (const GatewayField& field : gateway.gateway->info().fields)
        if (field.is_public && !field.secret)
            known.push_back(gateway.config[field.id]);
    json::Value data = json::Value::object();
    const json::Value& page_value = page["gateway_data"];
    for (const auto& [name, value] : page_value.is_object() ? page_value.members() : json::Value::object().members())
        if (!value.is_null() && std::find(known.begin(), known.end(), value) != known.end())
            data.set(name, value);
    return json::Value::object({{"payment_id", page["payment_id"]},
                                {"client_secret", ""},
                                {"payment_url", page["payment_url"]},
                                {"gateway_data", std::move(data)}});
}

std::string place_of(const PaymentIntent& intent) { return "payment_intents/" + intent.key + "/page"; }

}  // namespace

bool is_payable(std::string_view status) {
    return status == state::pending || status == state::confirmed || status == state::processing ||
           status == state::on_hold || status == state::completed;
}

bool Offers::is_own_url(std::string_view url) const {
    const std::string& site = parts_.places.site_url;
    return url.starts_with(site) && (url.size() == site.size() || url[site.size()] == '/' || url[site.size()] == '?');
}

std::string Offers::seal_page(const PaymentIntent& intent, const json::Value& page) const {
    return parts_.keyring.seal(page.dump(), place_of(intent));
}

json::Value Offers::open_page(const PaymentIntent& intent) const {
    const auto text = parts_.keyring.open(intent.page.value(), place_of(intent));
    if (!text)
        throw std::runtime_error("the page of a payment intent cannot be opened");
    return json::parse(*text).value();
}

Result<void> Offers::own_urls(const Request& request) const {
    for (const auto& [field, url] : {std::pair{"return_url", &request.return_url}, {"cancel_url", &request.cancel_url}})
        if (!is_visible_ascii(*url))
            return invalid(field, "This address contains an invalid character; percent-encode it."_sentence);
        else if (!url->empty() && !is_own_url(*url))
            return invalid(field, "This must be an address of this site."_sentence);
    return {};
}

bool Offers::replace_addresses(PaymentIntent& charge, const Request& request) {
    bool is_changed = false;
    const auto replace = [&](std::string& stored, const std::string& named) {
        if (named.empty() || named == stored)
            return;
        stored = named;
        is_changed = true;
    };
    replace(charge.return_url, request.return_url);
    replace(charge.cancel_url, request.cancel_url);
    return is_changed;
}

Offers::Offer Offers::offer_page(PaymentIntent charge, json::Value page, const OfferedGateway& gateway) {
    const Money amount = charge.amount;
    if (!charge.is_proven)
        page = page_of_stranger(page, gateway);
    return {.intent = std::move(charge), .page = std::move(page), .amount = amount};
}

IntentRequest Offers::request_for(const PaymentIntent& charge, const booking::Booking& booking) {
    IntentRequest request{.key = charge.key, .amount = charge.amount};
    if (!charge.is_proven)
        return request;
    request.booking_reference = booking.reference;
    request.description = booking.trip_title;
    // Whoever pays by a link would read the customer's data on the provider's page.
    if (charge.purpose == by_link)
        return request;
    request.customer_name = booking.customer_name();
    request.customer_email = booking.email;
    request.customer_phone = booking.phone;
    return request;
}

PaymentIntent Offers::fresh_charge(const Request& request, const OfferedGateway& gateway, const Money& amount,
                                   Instant now) {
    return {.booking_id = request.booking_id,
            .gateway = request.gateway,
            .key = crypto::random_token(),
            .purpose = request.by_pay_link ? std::string(by_link)
                       : request.remaining ? "remaining"
                                           : "checkout",
            .amount = amount,
            .client_amount = request.client_amount,
            .status = std::string(intent_status::created),
            .return_url = request.return_url,
            .cancel_url = request.cancel_url,
            .save_method = request.save_method,
            .is_proven = request.is_proven,
            .is_test = gateway.test_mode,
            .schedule_inquiry = now.plus(pause_before_inquiry(0)),
            .expires_at = now.plus(intent_lifetime),
            .created_at = now};
}

void Offers::compare(store::Transaction& tx, const Request& request, const Money& amount,
                     const json::Value& booking_id) {
    const auto prepared_answer =
        request.client_amount ? Money::parse(*request.client_amount, amount.currency()) : Result<Money>(amount);
    if (!prepared_answer || *prepared_answer != amount ||
        (request.client_currency && currency_named(*request.client_currency) != amount.currency()))
        parts_.hooks.emit(
            tx, amount_mismatch,
            {booking_id, prepared_answer ? json::Value(*prepared_answer) : json::Value(), json::Value(amount)});
}

// The amount due now; an error when nothing can be charged.
Result<Money> Offers::amount_requested(const Request& request, const booking::Booking& booking,
                                       store::Transaction* tx) const {
    if (!is_payable(booking.status) || (request.remaining && booking.status == state::completed))
        return errc::not_payable;
    Money amount = request.remaining ? balance_requested(booking, tx) : booking.amount_due();
    // By a fixed plan also who asks for all that is left pays the next installment.
    if (const auto next = installment_of(booking, tx); next && (request.next_installment || next->binds))
        amount = min(amount, next->amount);
    if (amount.is_zero())
        return request.remaining ? errc::no_balance_due : errc::already_paid;
    return amount;
}

std::optional<Offers::Installment> Offers::installment_of(const booking::Booking& booking,
                                                          store::Transaction* tx) const {
    const auto money = booking::planned(parts_.hooks, booking::money_terms_of(booking), {.booking_id = booking.id}, tx);
    if (!money.due_now.is_zero() || money.parts.empty())
        return std::nullopt;
    return Installment{.amount = money.parts.front().amount, .binds = money.binds};
}

Money Offers::balance_requested(const booking::Booking& booking, store::Transaction* tx) const {
    const Money balance = booking.amount_owed();
    if (balance.is_zero() || !parts_.hooks.filtered(remaining_amount.name))
        return balance;
    const auto answer = parts_.hooks.apply(remaining_amount, balance, {booking::to_json(booking)}, tx);
    const auto less = Money::parse(answer.number_text(), balance.currency());
    return less && *less < balance && Money::zero(balance.currency()) < *less ? *less : balance;
}

bool Offers::pays_balance_offline(const booking::Booking& booking) const {
    return parts_.hooks.apply(remaining_offline, false, {booking::to_json(booking)}).boolean();
}

Result<Offers::Offer> Offers::offer(const Request& request) {
    SVC_RETURN_IF_ERROR(own_urls(request));
    const auto booking = parts_.bookings.find(request.booking_id);
    if (!booking)
        return errc::booking_not_found;
    // Checked before the gateway, so that a paid booking is reported as paid and not as a missing method.
    SVC_ASSIGN_OR_RETURN(const auto due, amount_requested(request, *booking));
    SVC_ASSIGN_OR_RETURN(const auto gateway, request.remaining
                                                 ? parts_.payments.gateways.available(request.gateway, due)
                                                 : parts_.payments.gateways.bookable(request.gateway, due));
    const bool offline = gateway.gateway->info().is_offline;
    if (offline && request.remaining && !pays_balance_offline(*booking))
        return errc::offline_gateway_manual;
    Request kept = request;
    // Only saves a method for a user, who can delete it.
    kept.save_method =
        !request.by_pay_link && booking->user_id && saved_.may_save(gateway) &&
        (request.save_method || parts_.hooks.apply(pass_gateway_ids, false, {booking->id, request.gateway}).boolean());
    SVC_ASSIGN_OR_RETURN(auto prepared, prepare(kept, gateway));
    if (offline)
        return Offer{.amount = prepared.intent.amount,
                     .instructions = parts_.payments.gateways.instructions(
                         gateway,
                         request.is_proven ? booking::to_json(prepared.booking, settings::look_of(parts_.settings))
                                           : json::Value(),
                         booking->locale.empty() ? parts_.settings.text("site_language") : booking->locale)};
    if (prepared.intent.page) {
        auto page = open_page(prepared.intent);
        return offer_page(std::move(prepared.intent), std::move(page), gateway);
    }
    return ask_for(gateway, std::move(prepared));
}

Result<Offers::Prepared> Offers::prepare(const Request& request, const OfferedGateway& gateway) {
    PaymentIntent fresh = fresh_charge(request, gateway, Money::zero(parts_.settings.currency()), parts_.clock.now());
    return parts_.store.transact<Prepared>([&](store::Transaction& tx) -> Result<Prepared> {
        const Instant now = fresh.created_at;
        const auto booking = parts_.bookings.lock(tx, request.booking_id);
        if (!booking)
            return errc::booking_not_found;
        const auto due = amount_requested(request, *booking, &tx);  // again, under the booking's lock
        if (!due)
            return due.error();
        const Money amount = *due;
        if (!gateway.takes(amount))
            return not_for(amount);
        if (IntentRepository::is_charging(tx, booking->id))
            return errc::charge_in_progress;
        compare(tx, request, amount, json::Value(booking->id));
        PaymentIntent intent = fresh;
        intent.amount = amount;
        if (gateway.gateway->info().is_offline)
            return Prepared{.intent = std::move(intent), .booking = *booking};
        for (PaymentIntent& open : IntentRepository::open_of(tx, booking->id, now))
            if (open.gateway == request.gateway && open.amount == amount && open.save_method == request.save_method &&
                open.is_proven == request.is_proven && (open.purpose == by_link) == request.by_pay_link &&
                open.is_test.value_or(*fresh.is_test) == *fresh.is_test) {
                if (replace_addresses(open, request))
                    IntentRepository::return_to(tx, open, now);
                return Prepared{.intent = std::move(open), .booking = *booking};
            }
        intent.id = IntentRepository::insert(tx, intent);
        // A stranger's charge takes no page away from the customer.
        if (request.is_proven)
            IntentRepository::supersede(tx, booking->id, intent.id, now);
        else
            IntentRepository::supersede_strangers(tx, booking->id, intent.id, now);
        return Prepared{.intent = std::move(intent), .booking = *booking};
    });
}

Result<Intent> Offers::ask(const OfferedGateway& gateway, const PaymentIntent& charge, IntentRequest request,
                           const json::Value& booking) {
    parts_.run_in_place(before_processing, {booking, json::Value(charge.gateway), json::Value(charge.amount)});
    const std::string back = parts_.places.root + "/payment/callback/" + charge.gateway + "?intent=" + charge.key;
    request.booking_id = charge.booking_id;
    request.return_url = back;
    request.cancel_url = back + "&cancelled=1";
    request.save_method = charge.save_method;
    auto answer = gateway.gateway->intent(calls_.situation(gateway, charge.is_test), request);
    calls_.count("svc_gateway_intents_total", charge.gateway, answer ? "asked" : answer.error().code().name);
    if (answer)
        return answer;
    const Error& error = answer.error();
    if (&error.code() == &errc::payment_error || &error.code() == &errc::payment_failed)
        return Error{errc::payment_error, error.message()};
    // The outcome is unknown: the same key requests the same charge again.
    log::warning("gateway_unreachable", {{"gateway", charge.gateway}, {"cause", error.cause()}});
    return errc::gateway_unavailable;
}

json::Value page_of(const Intent& intent) {
    return json::Value::object({{"payment_id", intent.id},
                                {"client_secret", intent.client_secret},
                                {"payment_url", intent.payment_url},
                                {"gateway_data", intent.client}});
}

Result<Offers::Offer> Offers::ask_for(const OfferedGateway& gateway, Prepared prepared) {
    PaymentIntent& intent = prepared.intent;
    IntentRequest request = request_for(intent, prepared.booking);
    if (intent.save_method)
        request.gateway_customer = saved_.customer_at(prepared.booking, intent);
    const auto answer = ask(gateway, intent, std::move(request), booking::to_json(prepared.booking));
    if (!answer) {
        if (&answer.error().code() == &errc::payment_error)
            if (auto noted = parts_.store.write([&](store::Transaction& tx) -> Result<void> {
                    IntentRepository::advance(tx, intent.id, intent_status::failed, reconciliation::settled,
                                              answer.error().message().english(), parts_.clock.now());
                    return {};
                });
                !noted)
                return noted.error();
        return answer.error();
    }
    json::Value page = page_of(*answer);
    const std::string sealed = seal_page(intent, page);
    auto written = parts_.store.write([&](store::Transaction& tx) -> Result<void> {
        const auto other = IntentRepository::by_provider(tx, intent.gateway, answer->id);
        const auto present = IntentRepository::find(tx, intent.id).value();
        if (present.provider_id && *present.provider_id != answer->id)
            return Error{errc::gateway_unavailable}.because("the gateway made a second charge for one key");
        if (answer->id.empty() || (other && other->id != intent.id))
            return Error{errc::gateway_unavailable}.because("the gateway named no charge or one that it gave before");
        const Instant now = parts_.clock.now();
        IntentRepository::store_answer(tx, intent.id, answer->id, intent_status::requires_action, sealed, now);
        if (!other)
            parts_.hooks.emit(tx, after_processing,
                              {booking::to_json(prepared.booking), json::Value::object({{"payment_id", answer->id},
                                                                                        {"gateway", intent.gateway},
                                                                                        {"amount", intent.amount}})});
        return {};
    });
    if (!written) {
        log::error("gateway_answer_refused", {{"gateway", intent.gateway}, {"cause", written.error().cause()}});
        return written.error();
    }
    intent.provider_id = answer->id;
    return offer_page(std::move(intent), std::move(page), gateway);
}

}  // namespace svc::payment
