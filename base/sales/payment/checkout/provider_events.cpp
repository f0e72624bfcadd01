// Processes providers' events: each once, in any order.
#include "base/sales/payment/checkout/provider_events.hpp"

#include "base/sales/booking/record/locks.hpp"
#include "base/sales/payment/record/hooks.hpp"
#include "base/sales/payment/record/intent_repository.hpp"
#include "shared/core/log.hpp"

namespace svc::payment {

Result<ProviderEvents::Received> ProviderEvents::receive(std::string_view gateway, const WebhookCall& call) {
    SVC_ASSIGN_OR_RETURN(const auto known, parts_.payments.gateways.find(gateway));
    const std::string& id = known.gateway->info().id;
    const std::string body_hash = crypto::sha256_hex(call.body);
    Situation at = calls_.situation(known);
    at.limit_inquiries = [&](const Event& claimed, bool is_recent) {
        return limit_inquiries(id, claimed, is_recent, body_hash);
    };
    const auto events = known.gateway->webhook(at, call);
    if (!events && &events.error().code() == &errc::rate_limited) {
        calls_.count("svc_webhooks_total", id, "limited");
        return events.error();
    }
    if (!events) {
        // The same response for every reason, so that forgers learn nothing; the reason is logged.
        const bool rejected = &events.error().code() == &errc::webhook_rejected;
        const std::string& cause = events.error().cause();
        calls_.count("svc_webhooks_total", id, rejected ? "rejected" : "unreachable");
        if (rejected)
            log::warning("webhook_rejected", {{"gateway", id}, {"cause", cause}});
        else
            log::error("webhook_not_verified", {{"gateway", id}, {"cause", cause}});
        return rejected ? Error{errc::webhook_rejected} : Error{errc::gateway_unavailable};
    }
    Received received{.duplicate = !events->empty()};
    bool wants_look = false;
    for (const Event& event : *events) {
        const Taken taken = take_event(id, event, body_hash);
        received.duplicate = received.duplicate && taken.duplicate;
        wants_look = wants_look || taken.wants_look;
    }
    if (wants_look && parts_.wake_reconciliation)
        parts_.wake_reconciliation();
    return received;
}

// Fetching an unknown certificate costs a request of ours. Events about a known charge have their own limit, so that
// forged ones cannot use up that of another charge; all others share one.
Result<Proof> ProviderEvents::limit_inquiries(const std::string& gateway, const Event& claimed, bool is_recent,
                                              std::string_view body_hash) {
    bool is_proven = false, is_ours = false;
    parts_.store.read([&](store::Session& session) {
        const auto before = EventRepository::find(session, gateway, claimed.id);
        is_proven = before && before->body_hash == body_hash;
        if (is_proven)
            return;
        const auto payment = claimed.transaction_id.empty()
                                 ? std::nullopt
                                 : Repository::find_transaction(session, claimed.transaction_id);
        is_ours = (payment && payment->gateway == gateway) ||
                  (!claimed.intent_id.empty() && (IntentRepository::by_provider(session, gateway, claimed.intent_id) ||
                                                  HeldRepository::by_provider(session, gateway, claimed.intent_id)));
    });
    if (is_proven)
        return Proof::given;
    constexpr std::chrono::hours hour{1};
    const std::string charge = claimed.intent_id.empty() ? claimed.transaction_id : claimed.intent_id;
    const auto verdict = is_ours && is_recent ? parts_.limits.take("webhook_proof", gateway + ":" + charge, {4, hour})
                                              : parts_.limits.take("webhook_proof_unknown", gateway, {2, hour});
    SVC_RETURN_IF_ERROR(limits::answer_of(verdict));
    return Proof::needed;
}

ProviderEvents::Taken ProviderEvents::take_event(const std::string& gateway, const Event& event,
                                                 std::string_view body_hash) {
    Effect effect;
    bool is_new = true, is_altered = false;
    const auto work = [&](store::Transaction& tx) -> Result<void> {
        const Instant now = parts_.clock.now();
        const bool is_first = EventRepository::insert(tx, gateway, event, body_hash, now);
        is_new = is_first;
        is_altered = false;
        if (!is_first) {
            const auto before = EventRepository::find(tx, gateway, event.id).value();
            is_altered = before.body_hash != body_hash;
            if (before.status != "failed" || is_altered)
                return {};
            is_new = true;  // it failed here before and is sent again
        }
        effect = effect_of(tx, gateway, event, now);
        if (!event.action.empty())
            emit_if_declared(parts_.hooks, tx, event.action, event.object);
        if (!is_first || !effect.equals_kept)
            EventRepository::store_outcome(tx, gateway, event.id, effect.status, effect.note, effect.booking_id);
        return {};
    };
    try {
        if (auto done = parts_.store.write(work); !done)
            throw std::runtime_error(std::string(done.error().code().name));
    } catch (const std::exception& e) {
        calls_.count("svc_webhooks_total", gateway, "failed");
        // Optional, since the provider repeats the event.
        try {
            static_cast<void>(parts_.store.write([&](store::Transaction& tx) -> Result<void> {
                EventRepository::failed(tx, gateway, event, body_hash, e.what(), parts_.clock.now());
                return {};
            }));
        } catch (const std::exception& lost) {
            log::error("webhook_failure_not_kept", {{"gateway", gateway}, {"cause", lost.what()}});
        }
        throw;
    }
    if (is_altered) {
        calls_.count("svc_webhooks_total", gateway, "altered");
        log::error("webhook_event_altered", {{"gateway", gateway}, {"event", event.id}});
        return {.duplicate = true};
    }
    calls_.count("svc_webhooks_total", gateway, is_new ? effect.status : std::string_view("duplicate"));
    if (is_new && effect.status == "parked" && !effect.waits_for)
        log::warning("webhook_parked", {{"gateway", gateway}, {"event", event.id}, {"cause", effect.note}});
    // Where the booking was made in the same moment, neither saw the other before its own commit.
    const bool is_booked = is_new && effect.waits_for && parts_.store.reading<bool>([&](store::Session& session) {
        const auto held = HeldRepository::find(session, *effect.waits_for);
        return held && HeldRepository::booking_of(session, *held);
    });
    return {.duplicate = !is_new, .wants_look = is_new && (effect.wants_look || is_booked)};
}

namespace {

// Why the refund of the event is not taken over; empty: it was.
std::string refund_fault(store::Transaction& tx, Refunds& refunds, const std::optional<PaymentIntent>& charge,
                         std::int64_t booking_id, const Event& event, Instant now) {
    auto payment = event.transaction_id.empty() ? std::nullopt : Repository::find_transaction(tx, event.transaction_id);
    if (!payment && charge)
        payment = Repository::of_intent(tx, charge->id);
    if (!payment || payment->booking_id != booking_id ||
        (payment->status != status::completed && payment->status != status::refunded))
        return "it came before its payment";
    return refunds.apply_event(tx, *payment, event, now);
}

// 0: there is no such payment by the gateway.
std::int64_t booking_of_payment(store::Session& session, std::string_view gateway, const std::string& transaction_id) {
    const auto payment = Repository::find_transaction(session, transaction_id);
    return payment && payment->gateway == gateway ? payment->booking_id : 0;
}

Charge failed_charge(const Event& event) {
    return {.progress = Progress::failed,
            // The charge's own id does not name an attempt to pay it.
            .transaction_id = event.transaction_id == event.intent_id ? "" : event.transaction_id,
            .reason = event.reason,
            .details = json::Value::object({{"event", event.id}})};
}

}  // namespace

ProviderEvents::Effect ProviderEvents::effect_of(store::Transaction& tx, std::string_view gateway, const Event& event,
                                                 Instant now) {
    if (event.kind == Event::Kind::other)
        return {.equals_kept = true};
    // A refund may end the booking, which takes the lock of its seats first.
    const bool is_refund = event.kind == Event::Kind::refunded;
    auto known_charge = event.intent_id.empty() ? std::nullopt
                        : is_refund             ? IntentRepository::by_provider(tx, gateway, event.intent_id)
                                                : IntentRepository::locked(tx, gateway, event.intent_id);
    const bool is_kept = known_charge.has_value();
    if (!known_charge && !event.intent_id.empty() && !is_refund)
        if (const auto held = HeldRepository::by_provider(tx, gateway, event.intent_id)) {
            const auto booked = HeldRepository::booking_of(tx, *held);
            const auto booking = booked ? parts_.bookings.lock(tx, *booked) : std::nullopt;
            const auto wants =
                event.kind == Event::Kind::paid ? HeldCharges::Wants::by_name : HeldCharges::Wants::by_itself;
            known_charge = booking ? held_.adopt(tx, held->charge.id, *booking, wants, now) : std::nullopt;
            if (!known_charge && !booking)  // remembered: HeldCharges::booked
                return {.status = "parked", .note = "its session has booked nothing yet", .waits_for = held->charge.id};
            if (!known_charge)
                return {.status = "parked", .note = "nothing is booked by it yet", .booking_id = booked};
        }
    if (known_charge && calls_.is_foreign(tx, *known_charge))
        return {.status = "parked", .note = "it was started in test mode", .booking_id = known_charge->booking_id};
    std::int64_t booking_id = known_charge ? known_charge->booking_id : 0;
    if (is_refund && !known_charge)
        booking_id = booking_of_payment(tx, gateway, event.transaction_id);
    if (booking_id == 0)
        return {.status = "parked", .note = "it is about a charge that is not ours"};
    if (known_charge && event.booking_id && *event.booking_id != known_charge->booking_id)
        return {.status = "parked", .note = "it names another booking", .booking_id = known_charge->booking_id};
    // The charge has locked its booking.
    const auto found = is_refund ? booking::lock_with_seats(tx, booking_id) : parts_.bookings.read(tx, booking_id);
    if (!found)
        return {.status = "parked", .note = "its booking is deleted"};
    const booking::Booking& booking = *found;
    Effect effect{.status = "processed", .booking_id = booking.id, .equals_kept = is_kept};
    if (is_refund) {
        if (std::string why = refund_fault(tx, parts_.refunds, known_charge, booking.id, event, now); !why.empty())
            effect = {.status = "parked", .note = std::move(why), .booking_id = booking.id};
        return effect;
    }
    const PaymentIntent& intent = *known_charge;
    if (event.kind == Event::Kind::paid) {
        effect = paid_event(tx, booking, intent, event, now);
        effect.equals_kept = is_kept && effect.status == "processed";
        return effect;
    }
    if (event.kind == Event::Kind::processing) {
        // The provider or a bank is waiting: asks for the status at once.
        if (intent.status != intent_status::succeeded)
            IntentRepository::schedule_inquiry(tx, intent.id, now);
        effect.wants_look = intent.status != intent_status::succeeded;
        return effect;
    }
    const auto settled = settlement_.settle(tx, booking, intent, failed_charge(event), channel_of(intent), now);
    if (!settled)
        throw std::runtime_error(settled.error().message().english());
    return effect;
}

ProviderEvents::Effect ProviderEvents::paid_event(store::Transaction& tx, const booking::Booking& booking,
                                                  const PaymentIntent& intent, const Event& event, Instant now) {
    Effect effect{.status = "processed", .booking_id = booking.id};
    const Charge charge{.progress = Progress::paid,
                        .intent_id = event.intent_id,
                        .transaction_id = event.transaction_id,
                        .amount = event.amount,
                        .details = event.object};
    std::string why = misfit(intent, charge);
    if (why.empty() && *charge.amount != intent.amount)
        why = "paid " + charge.amount->decimal() + " instead of " + intent.amount.decimal();
    if (!why.empty()) {
        // An event alone does not move money that we did not request: asks the provider server to server.
        if (intent.status != intent_status::succeeded) {
            IntentRepository::schedule_inquiry(tx, intent.id, now);
            effect.wants_look = true;
        }
        effect.status = "parked";
        effect.note = why;
        return effect;
    }
    const auto settled = settlement_.settle(tx, booking, intent, charge, channel_of(intent), now);
    if (settled)
        return effect;
    if (&settled.error().code() == &errc::transaction_mismatch)
        return {.status = "parked", .note = "its transaction belongs to another booking", .booking_id = booking.id};
    throw std::runtime_error(settled.error().message().english());
}

}  // namespace svc::payment
