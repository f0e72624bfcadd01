// Refunds: created here, executed by the gateway, completed by its response or event.
#include "base/sales/payment/refunds/refunds.hpp"

#include "base/platform/crypto/crypto.hpp"
#include "base/sales/booking/record/locks.hpp"
#include "base/sales/booking/record/lowered_total.hpp"
#include "base/sales/payment/record/hooks.hpp"
#include "base/sales/payment/record/intent_repository.hpp"
#include "shared/api/steps.hpp"
#include "shared/core/exact_money.hpp"
#include "shared/core/log.hpp"

namespace svc::payment {
namespace {

constexpr std::string_view pending = "pending", completed = "completed", ended_badly = "failed";

// Refunds that our staff requested and that have no result yet.
Money under_way(store::Session& session, const Payment& payment) {
    Money sum = Money::zero(payment.amount.currency());
    for (const Refunded& refund : RefundRepository::of_payment(session, payment.id))
        if (refund.status == pending)
            sum += refund.amount;
    return sum;
}

}  // namespace

std::string Refunded::reference() const {
    std::string digits = std::to_string(id);
    if (digits.size() < 6)
        digits.insert(0, 6 - digits.size(), '0');
    return "CN-" + digits;
}

json::Value to_json(const Refunded& refund) { return refund_record().to_json(refund); }

Result<std::vector<Refunded>> Refunds::of_payment(std::int64_t payment_id, const api::Caller& staff) {
    SVC_RETURN_IF_ERROR(parts_.payments.seen(payment_id, staff));
    return parts_.store.reading<std::vector<Refunded>>(
        [&](store::Session& session) { return RefundRepository::of_payment(session, payment_id); });
}

std::vector<Refunded> Refunds::of_payment(store::Session& session, std::int64_t payment_id) {
    return RefundRepository::of_payment(session, payment_id);
}

std::optional<Refunded> Refunds::find(store::Session& session, std::int64_t id) {
    return RefundRepository::find(session, id);
}

Result<Refunded> Refunds::refund(const Request& request) {
    // A manual refund ends with the write that begins it: that one stores the reply with the step.
    const store::LastWork reply = store::last_of(typeid(Refunded));
    const store::LastOfAll::Not apart;
    // Begun by the same request: the same refund, whose key the provider knows.
    const auto step =
        api::Step::of<Refunded>(first_step, [](const Refunded& refund) { return json::Value(refund.id); });
    if (step.before()) {
        const auto known = parts_.store.reading<std::optional<Refunded>>(
            [&](store::Session& session) { return RefundRepository::find(session, step.before()->integer()); });
        if (!known)
            return errc::not_found;
        return known->status == pending && !known->by_hand ? ask(*known) : *known;
    }
    SVC_ASSIGN_OR_RETURN(const auto payment, parts_.payments.find(request.payment_id));
    const auto gateway = parts_.payments.gateways.find(payment.gateway);
    const bool by_gateway = !request.by_hand && gateway && payment.transaction_id && payment.source != "manual" &&
                            gateway->gateway->info().can(ability::refunds);
    auto started = begin(request, by_gateway, reply);
    if (!started || !by_gateway)
        return started;
    return ask(*started);
}

Result<Refunded> Refunds::begin(const Request& request, bool by_gateway, const store::LastWork& reply) {
    const std::string key = crypto::random_token();
    return parts_.store.transact<Refunded>([&](store::Transaction& tx) -> Result<Refunded> {
        const Instant now = parts_.clock.now();
        const auto known = Repository::find(tx, request.payment_id);
        if (!known)
            return errc::payment_not_found;
        const auto locked = booking::lock_with_seats(tx, known->booking_id);
        const auto found = Repository::find(tx, request.payment_id);  // again, under the booking's lock
        if (!locked || !found)
            return errc::payment_not_found;
        const booking::Booking& booking = *locked;
        const Payment& payment = *found;
        if (payment.status != status::completed)
            return Error{errc::invalid_transition, "Only a completed payment can be refunded."_sentence};
        const Money left = payment.refundable() - under_way(tx, payment);
        const auto amount = request.amount ? parse_exact(*request.amount, left.currency()) : Result<Money>(left);
        if (!amount)
            return invalid("amount", amount.error().message());
        if (amount->is_zero() || amount->is_negative())
            return request.amount
                       ? invalid("amount", "Enter an amount above zero."_sentence)
                       : Error{errc::conflict, "The rest of this payment is already being refunded."_sentence};
        if (*amount > left)
            return invalid("amount", "At most {left} of this payment can still be refunded."_sentence.with_decimal(
                                         "left", left.decimal()));
        Refunded refund{.payment_id = payment.id,
                        .booking_id = booking.id,
                        .gateway = payment.gateway,
                        .key = key,
                        .amount = *amount,
                        .status = std::string(pending),
                        .by_hand = !by_gateway,
                        .closes = request.close,
                        .reduces_total = request.reduces_total,
                        .reason = request.reason,
                        .source = "admin",
                        .initiated_by = request.user_id ? std::optional(request.user_id) : std::nullopt,
                        .schedule_inquiry = now.plus(pause_before_inquiry(0)),
                        .created_at = now};
        refund.id = RefundRepository::insert(tx, refund);
        if (!by_gateway)
            SVC_RETURN_IF_ERROR(complete(tx, booking, refund, now));
        refund = RefundRepository::find(tx, refund.id).value();
        if (!by_gateway && reply)
            reply(tx, &refund);
        return refund;
    });
}

Result<Refunded> Refunds::ask(const Refunded& refund) {
    SVC_ASSIGN_OR_RETURN(const auto payment, parts_.payments.find(refund.payment_id));
    const auto gateway = parts_.payments.gateways.find(refund.gateway);
    if (!gateway)
        return refund;
    const auto intent = parts_.store.reading<std::optional<PaymentIntent>>([&](store::Session& session) {
        return payment.intent_id ? IntentRepository::find(session, *payment.intent_id) : std::nullopt;
    });
    const auto answer =
        gateway->gateway->refund(parts_.situation(*gateway, intent ? intent->is_test : std::nullopt),
                                 {.key = refund.key,
                                  .intent_id = intent ? intent->provider_id.value_or("") : std::string(),
                                  .transaction_id = payment.transaction_id.value_or(""),
                                  .amount = refund.amount,
                                  .captured = payment.amount,
                                  .reason = refund.reason});
    if (answer)
        return store_answer(refund.id, *answer);
    const Error& error = answer.error();
    if (&error.code() == &errc::payment_error || &error.code() == &errc::payment_failed)
        return failed(refund.id, error.message().english());
    // The outcome is unknown: it stays pending, and the same key tries again.
    log::warning("refund_unanswered", {{"gateway", refund.gateway}, {"cause", error.cause()}});
    return refund;
}

Result<Refunded> Refunds::store_answer(std::int64_t refund_id, const Refund& answer) {
    if (answer.progress == Progress::failed || answer.progress == Progress::cancelled)
        return failed(refund_id, answer.reason, answer);
    return parts_.store.transact<Refunded>([&](store::Transaction& tx) -> Result<Refunded> {
        const Instant now = parts_.clock.now();
        const auto known = RefundRepository::find(tx, refund_id);
        const auto locked = known ? booking::lock_with_seats(tx, known->booking_id) : std::nullopt;
        auto found = RefundRepository::find(tx, refund_id);  // again, under the booking's lock
        if (!locked || !found)
            return errc::not_found;
        const booking::Booking& booking = *locked;
        Refunded refund = std::move(*found);
        if (refund.status != pending)
            return refund;
        if (!answer.id.empty()) {
            const auto other = RefundRepository::by_provider(tx, refund.gateway, answer.id);
            if (!other)
                refund.gateway_refund_id = answer.id;
            else if (other->id != refund.id) {
                // The provider's event came before its response and has its own row: this one is the same refund.
                refund.status = std::string(ended_badly);
                refund.last_error = "It is recorded as " + other->reference() + ".";
                RefundRepository::update(tx, refund, now);
                return *other;
            }
        }
        refund.details = answer.details;
        if (answer.amount && *answer.amount != refund.amount) {
            refund.last_error = "The provider reported a different amount: " + answer.amount->decimal() + ".";
            parts_.bookings.flag(tx, booking.id, "a refund differs from the requested amount", now);
            RefundRepository::update(tx, refund, now);
            return refund;
        }
        if (answer.progress != Progress::paid) {
            RefundRepository::update(tx, refund, now);
            return refund;
        }
        SVC_RETURN_IF_ERROR(complete(tx, booking, refund, now));
        return RefundRepository::find(tx, refund_id).value();
    });
}

Result<Refunded> Refunds::failed(std::int64_t refund_id, const std::string& why, const Refund& answer) {
    return parts_.store.transact<Refunded>([&](store::Transaction& tx) -> Result<Refunded> {
        const auto known = RefundRepository::find(tx, refund_id);
        if (known)
            static_cast<void>(booking::lock_with_seats(tx, known->booking_id));
        auto found = RefundRepository::find(tx, refund_id);
        if (!found)
            return errc::not_found;
        Refunded refund = std::move(*found);
        if (refund.status != pending)
            return refund;
        const Instant now = parts_.clock.now();
        refund.status = std::string(ended_badly);
        refund.last_error = why.empty() ? "The provider rejected the refund." : why;
        if (!answer.id.empty()) {
            refund.details = answer.details;
            if (!RefundRepository::by_provider(tx, refund.gateway, answer.id))
                refund.gateway_refund_id = answer.id;
        }
        RefundRepository::update(tx, refund, now);
        // While in progress it accounted for a part of the provider's refunded total.
        const Payment payment = Repository::find(tx, refund.payment_id).value();
        if (const auto total =
                EventRepository::refunded_total(tx, payment.gateway, payment.transaction_id.value_or("")))
            if (const std::string odd = apply_event(tx, payment, {.id = {}, .type = {}, .refunded_total = total}, now);
                !odd.empty())
                parts_.bookings.flag(tx, payment.booking_id, "a refund differs from the one that the provider reports",
                                     now);
        return refund;
    });
}

// Money above the total was never due; the total of a booking that has ended or ends with this refund stays as a
// record.
Result<booking::Booking> Refunds::owing_after(store::Transaction& tx, const booking::Booking& booking, Refunded& refund,
                                              Instant now) {
    const Money nothing = Money::zero(refund.amount.currency());
    const bool ends = refund.closes && booking.amount_paid <= refund.amount;
    const Money above = max(nothing, booking.amount_paid - booking.total);
    const Money due_again = min(booking.total, max(nothing, refund.amount - above));
    if (!refund.reduces_total || ends || !booking::holds_seats(booking.status) || due_again.is_zero())
        return booking;
    refund.total_reduced = due_again;
    const booking::Actor actor{
        .kind = refund.source == "admin" ? "admin" : "gateway", .id = refund.initiated_by, .through = "refund"};
    return booking::lower_total(tx, booking, due_again, actor, now);
}

Result<void> Refunds::complete(store::Transaction& tx, const booking::Booking& booking, Refunded refund, Instant now) {
    Payment payment = Repository::find(tx, refund.payment_id).value();
    payment.refunded += refund.amount;
    if (payment.refunded == payment.amount)
        payment.status = std::string(status::refunded);
    Repository::set_refunded(tx, payment, now);
    // Nothing of it is left to be sent back.
    if (payment.status == status::refunded && payment.reconciliation == reconciliation::refund_due)
        Repository::reconcile(tx, payment.id,
                              payment.source == "manual" ? reconciliation::manual : reconciliation::matched);
    refund.status = std::string(completed);
    refund.processed_at = now;
    SVC_ASSIGN_OR_RETURN(const auto owing, owing_after(tx, booking, refund, now));
    RefundRepository::update(tx, refund, now);
    SVC_RETURN_IF_ERROR(parts_.payments.recompute(tx, owing, now));
    parts_.hooks.emit(tx, credit_note_due, {to_json(refund)});
    emit_if_declared(parts_.hooks, tx, "svc_" + refund.gateway + "_payment_refunded", to_json(refund));
    emit_if_declared(parts_.hooks, tx, "svc_" + refund.gateway + "_refund_created", to_json(refund));
    const auto after = parts_.bookings.read(tx, booking.id).value();
    if (refund.closes && after.amount_paid.is_zero() &&
        booking::may_change(after.status, booking::status::refunded, booking::Cause::staff))
        return parts_.bookings.change(tx, after, booking::status::refunded, booking::Cause::staff,
                                      {.kind = "admin", .id = refund.initiated_by, .through = "refund"}, refund.reason,
                                      now);
    return {};
}

namespace {

// Whether staff have recorded that refund by hand, which then has the provider's id.
bool is_noted(store::Transaction& tx, std::int64_t payment_id, const Money& amount, const std::string& refund_id,
              Instant now) {
    for (Refunded& noted : RefundRepository::of_payment(tx, payment_id))
        if (noted.by_hand && noted.status == completed && noted.amount == amount && !noted.gateway_refund_id) {
            noted.gateway_refund_id = refund_id;
            RefundRepository::update(tx, noted, now);
            return true;
        }
    return false;
}

}  // namespace

std::string Refunds::apply_event(store::Transaction& tx, const Payment& payment, const Event& event, Instant now) {
    if (!event.refund_id.empty())
        if (const auto known = RefundRepository::by_provider(tx, payment.gateway, event.refund_id);
            known && known->status != pending)
            return {};
    // The total of all refunds so far, or this one alone: reduced to the part that is new.
    Money amount = Money::zero(payment.amount.currency());
    const bool is_total = !event.amount || event.refund_id.empty();
    if (!is_total)
        amount = *event.amount;
    else if (event.refunded_total && event.refunded_total->currency() == amount.currency())
        amount = *event.refunded_total - payment.refunded;
    else
        return "it has no amount";
    if (amount.currency() != payment.amount.currency())
        return "refunded in another currency";
    if (amount.is_zero() || amount.is_negative())
        return {};
    std::optional<Refunded> ours;
    for (const Refunded& one : RefundRepository::of_payment(tx, payment.id))
        if (!ours && one.status == pending && !one.by_hand && one.amount == amount &&
            (!one.gateway_refund_id || event.refund_id.empty() || *one.gateway_refund_id == event.refund_id))
            ours = one;
    // Refunds that staff recorded were mostly made on the provider's site, and this event reports them.
    const bool reports_more = event.refunded_total && event.refunded_total->currency() == amount.currency() &&
                              *event.refunded_total > payment.refunded;
    if (!ours && !is_total && !reports_more && is_noted(tx, payment.id, amount, event.refund_id, now))
        return {};
    if (amount > payment.refundable())
        return "more went back than was paid";
    const auto booking = parts_.bookings.read(tx, payment.booking_id).value();
    // A total includes refunds in progress: only the rest is new.
    if (!ours && is_total)
        amount -= under_way(tx, payment);
    if (amount.is_zero() || amount.is_negative())
        return {};
    if (!ours) {
        Refunded refund{.payment_id = payment.id,
                        .booking_id = payment.booking_id,
                        .gateway = payment.gateway,
                        .key = crypto::random_token(),
                        .amount = amount,
                        .status = std::string(pending),
                        .reason = event.reason,
                        .source = "gateway_event",
                        .schedule_inquiry = now,
                        .created_at = now};
        refund.id = RefundRepository::insert(tx, refund);
        ours = refund;
    }
    if (!event.refund_id.empty())
        ours->gateway_refund_id = event.refund_id;
    if (const auto done = complete(tx, booking, *ours, now); !done)
        return done.error().message().english();
    return {};
}

Result<json::Value> Refunds::reconcile(Instant now, std::int64_t most) {
    std::int64_t inquiries = 0;
    const auto due = parts_.store.reading<std::vector<std::int64_t>>(
        [&](store::Session& session) { return RefundRepository::due(session, now, most); });
    for (const std::int64_t id : due) {
        const auto refund = parts_.store.reading<std::optional<Refunded>>(
            [&](store::Session& session) { return RefundRepository::find(session, id); });
        if (!refund || refund->status != pending)
            continue;
        const auto turned = parts_.store.write([&](store::Transaction& tx) -> Result<void> {
            RefundRepository::note_inquiry(tx, id, now.plus(pause_before_inquiry(refund->asks + 1)));
            if (refund->asks + 1 == most_inquiries)
                parts_.bookings.flag(tx, refund->booking_id, "a refund was never answered", now);
            return {};
        });
        if (!turned)
            return turned.error();
        ++inquiries;
        SVC_RETURN_IF_ERROR(ask(*refund));
    }
    return json::Value::object({{"asked", inquiries}});
}

}  // namespace svc::payment
