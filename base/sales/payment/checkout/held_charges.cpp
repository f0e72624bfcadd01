// Charges before there is a booking: attached to the booking when it is created, else cancelled.
#include "base/sales/payment/checkout/held_charges.hpp"

#include "base/sales/payment/checkout/offers.hpp"
#include "base/sales/payment/record/intent_repository.hpp"
#include "shared/core/log.hpp"

namespace svc::payment {
namespace {

constexpr std::int64_t most_held_at_a_turn = 100;

}  // namespace

std::optional<PaymentIntent> HeldCharges::adopt(store::Transaction& tx, std::int64_t held_id,
                                                const booking::Booking& booking, Wants wants, Instant now) {
    const HeldCharge held = HeldRepository::find(tx, held_id).value();
    PaymentIntent charge = held.charge;
    if (charge.status == held_status::adopted) {
        auto taken = IntentRepository::by_key(tx, charge.key);
        return taken && taken->booking_id == booking.id ? taken : std::nullopt;
    }
    if (wants == Wants::by_itself &&
        (charge.gateway != booking.payment_gateway || charge.amount != booking.amount_due()))
        return std::nullopt;
    if (!charge.provider_id || calls_.is_foreign(tx, charge) || !is_payable(booking.status) ||
        charge.amount.currency() != booking.total.currency() || charge.amount > booking.balance() ||
        !HeldRepository::adopt(tx, held_id))
        return std::nullopt;
    charge.booking_id = booking.id;
    charge.schedule_inquiry = now;  // it may have been authorised long ago
    // Only saves a method for a user, who can delete it.
    charge.save_method = charge.save_method && booking.user_id;
    charge.id = IntentRepository::insert(tx, charge);
    IntentRepository::store_answer(tx, charge.id, *charge.provider_id, charge.status, charge.page.value_or(""), now);
    IntentRepository::supersede(tx, booking.id, charge.id, now);
    // The inquiry tells what has become of an attempt; what was paid is compared with the payment (Settlement).
    for (const Event& event : EventRepository::parked(tx, charge.gateway, *charge.provider_id, ""))
        if (event.kind == Event::Kind::processing || event.kind == Event::Kind::failed)
            EventRepository::store_outcome(tx, charge.gateway, event.id, "processed", "once it was booked", booking.id);
    return IntentRepository::find(tx, charge.id);
}

void HeldCharges::booked(std::int64_t booking_id) {
    const bool is_told = parts_.store.reading<bool>([&](store::Session& session) {
        for (const HeldCharge& held : HeldRepository::of_booking(session, booking_id))
            if (held.charge.provider_id &&
                !EventRepository::parked(session, held.charge.gateway, *held.charge.provider_id, "").empty())
                return true;
        return false;
    });
    // Not here: a provider that is slow would hold up the other listeners.
    if (is_told && parts_.wake_reconciliation)
        parts_.wake_reconciliation();
}

Result<std::optional<PaymentIntent>> HeldCharges::take_over(const HeldCharge& held, std::int64_t booking_id,
                                                            Wants wants) {
    return parts_.store.transact<std::optional<PaymentIntent>>(
        [&](store::Transaction& tx) -> Result<std::optional<PaymentIntent>> {
            const auto booking = parts_.bookings.lock(tx, booking_id);
            return booking ? adopt(tx, held.charge.id, *booking, wants, parts_.clock.now()) : std::nullopt;
        });
}

Result<std::optional<PaymentIntent>> HeldCharges::claimed(const Claim& claim, bool by_any_name) {
    std::optional<HeldCharge> held;
    bool fits = false;
    parts_.store.read([&](store::Session& session) {
        held = HeldRepository::by_provider(session, claim.gateway, claim.transaction_id);
        if (!held && by_any_name)  // the page may know its capture alone
            for (HeldCharge& one : HeldRepository::of_booking(session, claim.booking_id))
                if (!held && one.charge.gateway == claim.gateway)
                    held = std::move(one);
        if (held)
            fits = held->session_id ? HeldRepository::booking_of(session, *held) == claim.booking_id : claim.by_staff;
    });
    if (!held)
        return std::optional<PaymentIntent>();
    if (!fits)
        return errc::transaction_mismatch;
    return take_over(*held, claim.booking_id, Wants::by_name);
}

Result<json::Value> HeldCharges::reconcile(Instant now) {
    std::int64_t taken_over = 0, let_go_of = 0;
    const auto due = parts_.store.reading<std::vector<std::int64_t>>(
        [&](store::Session& session) { return HeldRepository::due(session, now, most_held_at_a_turn); });
    for (const std::int64_t id : due) {
        std::optional<std::int64_t> booking_id;
        const auto held = parts_.store.reading<std::optional<HeldCharge>>([&](store::Session& session) {
            auto found = HeldRepository::find(session, id);
            if (found)
                booking_id = HeldRepository::booking_of(session, *found);
            return found;
        });
        if (!held || held->charge.reconciliation != reconciliation::open)
            continue;
        if (booking_id && held->charge.status != held_status::released) {
            SVC_ASSIGN_OR_RETURN(const auto intent, take_over(*held, *booking_id, Wants::by_itself));
            if (intent) {
                ++taken_over;
                static_cast<void>(settlement_.look_into(*intent, "", json::Value::object()));
                continue;
            }
            if (now < held->charge.expires_at)
                continue;  // its booking may still become payable
        }
        SVC_RETURN_IF_ERROR(cancel_charge(*held, now));
        ++let_go_of;
    }
    return json::Value::object({{"taken_over", taken_over}, {"let_go", let_go_of}});
}

// No booking will use it. Cancels it with the provider, and refunds what was captured anyway.
Result<void> HeldCharges::cancel_charge(HeldCharge held, Instant now) {
    PaymentIntent& charge = held.charge;
    const auto noted = parts_.store.transact<bool>([&](store::Transaction& tx) -> Result<bool> {
        const bool is_ours = HeldRepository::release(tx, charge.id, now) || charge.status == held_status::released;
        HeldRepository::note_inquiry(tx, charge.id, now.plus(pause_before_inquiry(charge.asks + 1)));
        return is_ours;
    });
    if (!noted)
        return noted.error();
    if (!*noted)
        return {};  // a booking took it over a moment ago
    const auto settle_as = [&](std::string_view how, const std::string& why) {
        return parts_.store.write([&](store::Transaction& tx) -> Result<void> {
            HeldRepository::settle(tx, charge.id, held_status::released, how, why);
            // What was said of it waits for nothing any more; `parked` counts what staff should look at.
            if (how == reconciliation::settled && charge.provider_id)
                for (const Event& event : EventRepository::parked(tx, charge.gateway, *charge.provider_id, ""))
                    EventRepository::store_outcome(tx, charge.gateway, event.id, "ignored", "nothing was booked", {});
            return {};
        });
    };
    if (!charge.provider_id)
        return settle_as(reconciliation::settled, "");  // no page was ever sent there to pay
    const auto gateway = parts_.payments.gateways.find(charge.gateway);
    if (!gateway)
        return {};
    const Situation at = calls_.situation(*gateway, charge.is_test);
    const auto answer = gateway->gateway->confirm(at, {.key = charge.key,
                                                       .intent_id = *charge.provider_id,
                                                       .amount = charge.amount,
                                                       .may_capture = false,
                                                       .release = true});
    const bool last = charge.asks + 1 >= most_inquiries;
    if (!answer || answer->progress == Progress::processing)
        return last ? settle_as(reconciliation::review, "the provider does not say") : Result<void>{};
    if (answer->progress != Progress::paid)
        return settle_as(reconciliation::settled, answer->reason);
    // The provider captured it although no booking uses it.
    log::error("held_charge_was_paid", {{"gateway", charge.gateway}, {"charge", *charge.provider_id}});
    const Money amount = answer->amount.value_or(charge.amount);
    const auto back = gateway->gateway->refund(at, {.key = charge.key + "-back",
                                                    .intent_id = *charge.provider_id,
                                                    .transaction_id = answer->transaction_id,
                                                    .amount = amount,
                                                    .captured = amount,
                                                    .reason = "Nothing was booked."});
    if (back && back->progress != Progress::failed && back->progress != Progress::cancelled)
        return settle_as(reconciliation::settled, "paid without a booking and sent back");
    return last ? settle_as(reconciliation::review, "paid without a booking, and its refund fails") : Result<void>{};
}

}  // namespace svc::payment
