// Turns a provider's result into a payment.
#include "base/sales/payment/checkout/settlement.hpp"

#include "base/sales/payment/checkout/method_repository.hpp"
#include "base/sales/payment/record/hooks.hpp"
#include "base/sales/payment/record/intent_repository.hpp"
#include "base/sales/payment/record/wire.hpp"
#include "shared/core/log.hpp"

namespace svc::payment {
namespace {

// A payment has one currency: ignores a provider's fee in another one, as for an account that settles in it.
std::optional<Money> fee_of(const Charge& charge) {
    return charge.fee && charge.fee->currency() == charge.amount->currency() ? charge.fee : std::nullopt;
}

// The provider's id of one attempt at a charge, if it has one.
std::string try_of(const Charge& charge) {
    return charge.transaction_id.empty() ? charge.details.text_or("charge") : charge.transaction_id;
}

// A known decline reported again: by the page and an event, or late. Another card on the same charge is another attempt
// and may fail for the same reason: where the provider has no ids of attempts, each event with a reason is a separate
// attempt, which the page may have reported before.
std::optional<Payment> known_decline(store::Session& session, const PaymentIntent& intent, const Charge& charge) {
    if (intent.status != intent_status::failed)
        return std::nullopt;
    auto rows = Repository::of_booking(session, intent.booking_id);
    std::erase_if(rows, [&](const Payment& row) { return row.intent_id != intent.id; });
    const std::string name = try_of(charge), event = charge.details.text_or("event");
    for (auto row = rows.rbegin(); row != rows.rend(); ++row) {
        const std::string its = row->details.text_or("charge"), its_event = row->details.text_or("event");
        const bool adds_nothing = charge.reason.empty() || row->notes.empty() || row->notes == charge.reason ||
                                  (row == rows.rbegin() && intent.last_error == charge.reason);
        const bool is_others = !charge.reason.empty() && !event.empty() && !its_event.empty() && event != its_event;
        if (name.empty() || its.empty() ? adds_nothing && !is_others : name == its)
            return std::move(*row);
    }
    return std::nullopt;
}

// Adds to a known decline the attempt's id and its event.
void note_more(store::Transaction& tx, Payment& known, const Charge& charge, Instant now) {
    bool is_more = false;
    const auto note = [&](const char* member, const std::string& text_value) {
        if (text_value.empty() || !known.details.text_or(member).empty())
            return;
        known.details.set(member, text_value);
        is_more = true;
    };
    note("charge", try_of(charge));
    note("event", charge.details.text_or("event"));
    if (is_more)
        Repository::update(tx, known, now);
}

}  // namespace

Channel channel_of(const PaymentIntent& intent) {
    return intent.purpose == "scheduled" ? Channel::scheduled : Channel::online;
}

Result<Outcome> Settlement::look_into(const PaymentIntent& intent, std::string_view transaction_id,
                                      const json::Value& proof) {
    SVC_ASSIGN_OR_RETURN(const auto gateway, parts_.payments.gateways.find(intent.gateway));
    if (intent.is_test.value_or(false) && !gateway.test_mode)
        return refuse_foreign(intent);
    const auto booking = parts_.bookings.find(intent.booking_id);
    const auto charge = gateway.gateway->confirm(
        calls_.situation(gateway, intent.is_test),
        {.key = intent.key,
         .intent_id = intent.provider_id.value_or(""),
         .transaction_id = is_named(intent, transaction_id) ? std::string() : std::string(transaction_id),
         .amount = intent.amount,
         .booking_id = intent.booking_id,
         .proof = proof,
         // Does not capture for a booking that has ended or is paid; keeps what the customer paid already.
         .may_capture = booking && booking::holds_seats(booking->status) && !booking->balance().is_zero(),
         // Cancels it then, so that an open page cannot pay it.
         .release = booking && !booking::holds_seats(booking->status)});
    calls_.count("svc_gateway_confirmations_total", intent.gateway, charge ? "answered" : charge.error().code().name);
    if (charge)
        return settle(intent.id, *charge);
    const Error& error = charge.error();
    // An error about our request, such as an unknown key, does not reveal the charge's status.
    if (&error.code() == &errc::payment_failed)
        return settle(intent.id, {.progress = Progress::failed, .reason = error.message().english()});
    if (&error.code() == &errc::bad_request || &error.code() == &errc::validation_error) {
        // The page's word, not the provider's: nothing is known of the charge by it.
        log::info("payment_proof_refused", {{"gateway", intent.gateway}, {"cause", error.cause()}});
        Error refused{errc::payment_error, error.message()};
        if (error.fields().empty())
            return refused.at("transaction_id", error.message());
        for (const FieldError& fault : error.fields())
            refused.at(fault.field, fault.sentence);
        return refused;
    }
    log::warning("gateway_unreachable", {{"gateway", intent.gateway}, {"cause", error.cause()}});
    return errc::gateway_unavailable;
}

// Payments in a provider's test mode do not count on a live site.
Result<Outcome> Settlement::refuse_foreign(const PaymentIntent& intent) {
    const auto noted = parts_.store.write([&](store::Transaction& tx) -> Result<void> {
        if (const auto now = IntentRepository::find(tx, intent.id); now && now->status != intent_status::succeeded)
            IntentRepository::advance(tx, intent.id, intent_status::cancelled, reconciliation::settled,
                                      "started in test mode", parts_.clock.now());
        return {};
    });
    if (!noted)
        return noted.error();
    return Error{errc::payment_error, "This payment was made in test mode and is not recorded."_sentence};
}

Result<Outcome> Settlement::settle(std::int64_t intent_id, const Charge& charge) {
    bool in_review = false;
    auto outcome = parts_.store.transact<Outcome>([&](store::Transaction& tx) -> Result<Outcome> {
        const auto known_intent = IntentRepository::find(tx, intent_id);
        if (!known_intent)
            return errc::not_found;
        const auto booking = parts_.bookings.lock(tx, known_intent->booking_id);
        const auto intent = IntentRepository::find(tx, intent_id);  // again, under the booking's lock
        if (!booking || !intent)
            return errc::not_found;
        auto settled = settle(tx, *booking, *intent, charge, channel_of(*intent), parts_.clock.now());
        // The note for staff is a change too: it is committed, and the caller gets an error.
        in_review = !settled && &settled.error().code() == &errc::payment_error;
        return in_review ? Outcome{.booking_id = booking->id} : std::move(settled);
    });
    if (in_review)
        return Error{errc::payment_error, "The payment does not match the charge. Our staff will review it."_sentence};
    return outcome;
}

std::string Settlement::title_of(std::string_view gateway) const {
    const Gateway* known = parts_.gateways.find(gateway);
    return known ? known->info().title : std::string(gateway);
}

bool is_named(const PaymentIntent& intent, std::string_view transaction_id) {
    return intent.provider_id && *intent.provider_id == transaction_id;
}

std::string misfit(const PaymentIntent& intent, const Charge& charge) {
    if (charge.transaction_id.empty() || !charge.amount)
        return "the provider named no transaction or no amount";
    if (!charge.intent_id.empty() && intent.provider_id != charge.intent_id)
        return "the provider spoke of another charge";
    if (charge.amount->currency() != intent.amount.currency())
        return "paid in " + std::string(charge.amount->currency().code());
    if (charge.amount->is_zero() || charge.amount->is_negative() || *charge.amount > intent.amount)
        return "paid " + charge.amount->decimal() + " instead of " + intent.amount.decimal();
    return {};
}

Result<Outcome> Settlement::settle(store::Transaction& tx, const booking::Booking& booking, const PaymentIntent& intent,
                                   const Charge& charge, Channel channel, Instant now) {
    if (charge.progress == Progress::paid)
        return paid(tx, booking, intent, charge, channel, now);
    Outcome outcome{.progress = charge.progress, .booking_id = booking.id};
    if (intent.status == intent_status::succeeded) {
        // The result is older than the recorded one.
        outcome.payment = Repository::of_intent(tx, intent.id);
        outcome.progress = Progress::paid;
        outcome.repeated = true;
        return outcome;
    }
    if (charge.progress == Progress::failed)
        return declined(tx, booking, intent, charge, now);
    if (charge.progress == Progress::cancelled)
        IntentRepository::advance(tx, intent.id, intent_status::cancelled, reconciliation::settled, charge.reason, now);
    if (charge.progress == Progress::waiting && intent.status == intent_status::processing)
        IntentRepository::advance(tx, intent.id, intent_status::requires_action, reconciliation::open, charge.reason,
                                  now);
    if (charge.progress == Progress::cancelled || charge.progress == Progress::waiting)
        SVC_RETURN_IF_ERROR(no_longer_under_way(tx, booking, "payment abandoned", now));
    if (charge.progress == Progress::processing) {
        IntentRepository::advance(tx, intent.id, intent_status::processing, reconciliation::open, "", now);
        if (booking.status == booking::status::pending)
            if (auto moved =
                    parts_.bookings.change(tx, booking, booking::status::processing, booking::Cause::payment,
                                           {.kind = "gateway", .through = "payment"}, "payment under way", now);
                !moved)
                return moved.error();
    }
    return outcome;
}

Result<Outcome> Settlement::paid(store::Transaction& tx, const booking::Booking& booking, const PaymentIntent& intent,
                                 const Charge& charge, Channel channel, Instant now) {
    if (const std::string why = misfit(intent, charge); !why.empty()) {
        log::error("payment_in_review", {{"gateway", intent.gateway}, {"intent", intent.id}, {"cause", why}});
        const bool is_told = intent.reconciliation == reconciliation::review && intent.last_error == why;
        IntentRepository::advance(tx, intent.id, intent.status, reconciliation::review, why, now);
        if (!is_told) {
            parts_.bookings.flag(tx, booking.id, "a payment differs from the requested amount", now);
            parts_.hooks.emit(
                tx, payment_in_review,
                {json::Value::object(
                    {{"booking_id", booking.id},
                     {"gateway", intent.gateway},
                     {"method", title_of(intent.gateway)},
                     {"transaction_id", charge.transaction_id},
                     {"amount", charge.amount ? json::Value(*charge.amount) : json::Value()},
                     {"currency", charge.amount ? charge.amount->currency().code() : intent.amount.currency().code()},
                     {"asked", intent.amount},
                     {"reason", why}})});
        }
        return Error{errc::payment_error}.because(why);
    }
    // One charge is one payment, whatever its record's id is now.
    if (intent.status == intent_status::succeeded)
        if (auto known = Repository::of_intent(tx, intent.id);
            known && (known->status == status::completed || known->status == status::refunded))
            return Outcome{
                .progress = Progress::paid, .payment = std::move(known), .repeated = true, .booking_id = booking.id};
    Payment payment{.booking_id = booking.id,
                    .transaction_id = charge.transaction_id,
                    .gateway = intent.gateway,
                    .method = title_of(intent.gateway),
                    .amount = *charge.amount,
                    .source = channel == Channel::scheduled ? "scheduled" : "gateway",
                    .date = parts_.settings.zone().date_at(now),
                    .created_at = now,
                    .updated_at = now,
                    .intent_id = intent.id,
                    .fee = fee_of(charge),
                    .details = charge.details,
                    .reconciliation = std::string(reconciliation::matched)};
    SVC_ASSIGN_OR_RETURN(auto captured, parts_.payments.capture(tx, booking, std::move(payment), channel, now));
    if (!captured.repeated) {
        IntentRepository::succeeded(tx, intent, now);
        if (charge.saved && intent.save_method && booking.user_id)
            if (const auto saved = SavedRepository::keep(tx, *booking.user_id, booking.customer_id, intent.gateway,
                                                         *charge.saved, intent.is_test, now))
                IntentRepository::store_saved_method(tx, intent.id, *saved);
        if (apply_parked(tx, captured.payment, intent, now))
            captured.payment = Repository::find(tx, captured.payment.id).value();
    } else if (intent.status != intent_status::succeeded) {
        IntentRepository::advance(tx, intent.id, intent_status::cancelled, reconciliation::settled,
                                  "its transaction was recorded before", now);
    }
    return Outcome{.progress = Progress::paid,
                   .payment = std::move(captured.payment),
                   .repeated = captured.repeated,
                   .booking_id = booking.id};
}

Outcome Settlement::declined(store::Transaction& tx, const booking::Booking& booking, const PaymentIntent& intent,
                             const Charge& charge, Instant now) {
    Outcome outcome{.progress = Progress::failed, .booking_id = booking.id};
    outcome.payment = known_decline(tx, intent, charge);
    // The same charge may be tried again with a card, so requests continue.
    IntentRepository::advance(tx, intent.id, intent_status::failed, reconciliation::open, charge.reason, now);
    if (outcome.payment) {
        note_more(tx, *outcome.payment, charge, now);
        outcome.repeated = true;
        return outcome;
    }
    Payment payment{.booking_id = booking.id,
                    .gateway = intent.gateway,
                    .method = title_of(intent.gateway),
                    .amount = intent.amount,
                    .status = std::string(status::failed),
                    .type = "initial",
                    .source = "gateway",
                    .notes = charge.reason,
                    .date = parts_.settings.zone().date_at(now),
                    .created_at = now,
                    .updated_at = now,
                    .intent_id = intent.id,
                    .details = charge.details,
                    .reconciliation = std::string(reconciliation::matched)};
    if (const std::string name = try_of(charge); !name.empty())
        payment.details.set("charge", name);
    const auto id = Repository::insert(tx, payment, booking.customer_id);
    outcome.payment = Repository::find(tx, id.value());
    parts_.hooks.emit(tx, payment_failed, {to_json(*outcome.payment)});
    static_cast<void>(parts_.payments.recompute(tx, booking, now));
    static_cast<void>(no_longer_under_way(tx, booking, "payment failed", now));
    return outcome;
}

// A booking waits for a capture while one is under way, and no longer.
Result<void> Settlement::no_longer_under_way(store::Transaction& tx, const booking::Booking& booking,
                                             std::string_view why, Instant now) {
    if (booking.status != booking::status::processing || IntentRepository::is_processing(tx, booking.id))
        return {};
    return parts_.bookings.change(tx, parts_.bookings.read(tx, booking.id).value(), booking::status::pending,
                                  booking::Cause::payment, {.kind = "gateway", .through = "payment"}, why, now);
}

bool Settlement::apply_parked(store::Transaction& tx, const Payment& payment, const PaymentIntent& intent,
                              Instant now) {
    const auto parked = EventRepository::parked(tx, payment.gateway, intent.provider_id.value_or(""),
                                                payment.transaction_id.value_or(""));
    for (const Event& event : parked) {
        // The provider confirmed it server to server.
        if (event.kind == Event::Kind::paid && event.transaction_id == payment.transaction_id &&
            event.amount == payment.amount && event.booking_id.value_or(payment.booking_id) == payment.booking_id)
            EventRepository::store_outcome(tx, payment.gateway, event.id, "processed", "by asking", payment.booking_id);
        if (event.kind == Event::Kind::refunded) {
            const auto present = Repository::find(tx, payment.id).value();
            if (const std::string why = parts_.refunds.apply_event(tx, present, event, now); why.empty())
                EventRepository::store_outcome(tx, payment.gateway, event.id, "processed", "after its payment",
                                               payment.booking_id);
        }
    }
    return !parked.empty();
}

}  // namespace svc::payment
