// Charges that nobody came back from: the provider is asked until it has said how they ended.
#include "base/payment/checkout.hpp"
#include "shared/core/log.hpp"

namespace svc::payment {
namespace {

constexpr std::int64_t most_at_a_turn = 100;
constexpr std::chrono::hours events_kept{24 * 30};

}  // namespace

std::chrono::minutes pause_before_ask(std::int64_t asks) {
    // 10 minutes, then twice as long each time, 8 hours at most.
    return std::chrono::minutes(std::min<std::int64_t>(10LL << std::min<std::int64_t>(asks, 10), 480));
}

Result<json::Value> Checkout::reconcile(Instant now) {
    std::int64_t asked = 0, found = 0, given_up = 0, unreachable = 0;
    const auto due = parts_.store.reading<std::vector<std::int64_t>>(
        [&](store::Session& session) { return IntentRepository::due(session, now, most_at_a_turn); });
    for (const std::int64_t id : due) {
        const auto intent = parts_.store.reading<std::optional<PaymentIntent>>(
            [&](store::Session& session) { return IntentRepository::find(session, id); });
        if (!intent || intent->reconciliation != reconciliation::open)
            continue;
        // Its next turn first: one that brings this process down does not bring down every turn after it.
        const auto turned = parts_.store.write([&](store::Transaction& tx) -> Result<void> {
            IntentRepository::asked(tx, id, now.plus(pause_before_ask(intent->asks + 1)));
            return {};
        });
        if (!turned)
            return turned.error();
        ++asked;
        std::string_view ending;
        if (intent->provider_id) {
            const auto outcome = look_into(*intent, "", json::Value::object());
            if (outcome && outcome->progress == Progress::paid)
                ++found;
            if (!outcome && &outcome.error().code() == &errc::gateway_unavailable) {
                ++unreachable;
                if (intent->asks + 1 >= most_asks)
                    ending = reconciliation::review;
            } else if (intent->asks + 1 >= most_asks && outcome && outcome->progress != Progress::paid) {
                ending = outcome->progress == Progress::processing ? reconciliation::review : reconciliation::settled;
            }
        } else if (now >= intent->expires_at) {
            // The provider never named it, so no page was sent there to pay.
            ending = reconciliation::settled;
        }
        if (ending.empty())
            continue;
        ++given_up;
        const auto ended = parts_.store.write([&](store::Transaction& tx) -> Result<void> {
            const auto present = IntentRepository::find(tx, id);
            if (present && present->reconciliation == reconciliation::open)
                IntentRepository::advance(
                    tx, id,
                    ending == reconciliation::settled ? intent_status::expired : std::string_view(present->status),
                    ending, ending == reconciliation::review ? "the provider does not say" : "", now);
            return {};
        });
        if (!ended)
            return ended.error();
    }
    const auto refunds = parts_.refunds.reconcile(now, most_at_a_turn);
    if (!refunds)
        return refunds.error();
    std::int64_t forgotten = 0;
    if (auto cleaned = parts_.store.write([&](store::Transaction& tx) -> Result<void> {
            forgotten = EventRepository::forget_before(tx, now.minus(events_kept));
            return {};
        });
        !cleaned)
        return cleaned.error();
    return json::Value::object({{"asked", asked},
                                {"found_paid", found},
                                {"unreachable", unreachable},
                                {"given_up", given_up},
                                {"refunds", *refunds},
                                {"events_forgotten", forgotten}});
}

Result<Checkout::Outcome> Checkout::charge_saved(std::int64_t booking_id, std::int64_t saved_method_id,
                                                 const Money& amount, std::string_view key) {
    struct Stored {
        std::string gateway;
        std::int64_t customer_id;
        SavedMethod method;
    };
    const auto stored = parts_.store.reading<std::optional<Stored>>([&](store::Session& session) {
        return session.first<Stored>(
            "SELECT gateway, customer_id, gateway_customer_id, gateway_method_id, brand, last4, exp_month, exp_year"
            " FROM svc_saved_payment_methods WHERE id = :id AND status = 'active'",
            "tittttii", {{"id", saved_method_id}}, [](const store::Row& row) {
                return Stored{.gateway = row.text(0),
                              .customer_id = row.integer(1),
                              .method = {.customer = row.text(2),
                                         .method = row.text(3),
                                         .brand = row.text(4),
                                         .last4 = row.text(5),
                                         .exp_month = row.integer(6),
                                         .exp_year = row.integer(7)}};
            });
    });
    const auto booking = parts_.bookings.find(booking_id);
    if (!booking)
        return errc::booking_not_found;
    if (!stored || stored->customer_id != booking->customer_id)
        return errc::payment_method_unavailable;
    const auto gateway = parts_.payments.known(stored->gateway);
    if (!gateway)
        return gateway.error();
    // The intent first: what the provider does from here on is found again, whatever becomes of this process.
    const auto intent = parts_.store.transact<PaymentIntent>([&](store::Transaction& tx) -> Result<PaymentIntent> {
        const Instant now = parts_.clock.now();
        const auto locked = parts_.bookings.lock(tx, booking_id).value();
        if (auto known = IntentRepository::by_key(tx, key))
            return std::move(*known);
        if (!booking::holds_seats(locked.status))
            return errc::not_payable;
        if (amount > locked.balance() || amount.is_zero())
            return errc::no_balance_due;
        PaymentIntent fresh{.booking_id = booking_id,
                            .gateway = stored->gateway,
                            .key = std::string(key),
                            .purpose = "scheduled",
                            .amount = amount,
                            .status = std::string(intent_status::processing),
                            .ask_at = now.plus(pause_before_ask(0)),
                            .expires_at = now.plus(intent_lifetime),
                            .created_at = now};
        fresh.id = IntentRepository::insert(tx, fresh);
        return fresh;
    });
    if (!intent)
        return intent.error();
    if (intent->booking_id != booking_id)
        return errc::transaction_mismatch;
    const auto charge = gateway->gateway->charge_saved(situation(*gateway), {.key = intent->key,
                                                                             .method = stored->method,
                                                                             .amount = intent->amount,
                                                                             .booking_id = booking_id,
                                                                             .booking_reference = booking->reference,
                                                                             .description = booking->trip_title});
    const bool said_no =
        !charge && (&charge.error().code() == &errc::payment_error || &charge.error().code() == &errc::payment_failed);
    if (!charge && !said_no)
        return errc::gateway_unavailable;
    return parts_.store.transact<Outcome>([&](store::Transaction& tx) -> Result<Outcome> {
        const Instant now = parts_.clock.now();
        const auto locked = parts_.bookings.lock(tx, booking_id).value();
        if (charge && !charge->intent_id.empty())
            IntentRepository::named(tx, intent->id, charge->intent_id);
        const auto present = IntentRepository::find(tx, intent->id).value();
        return settle(tx, locked, present,
                      charge ? *charge : Charge{.progress = Progress::failed, .reason = charge.error().message()},
                      Channel::scheduled, now);
    });
}

}  // namespace svc::payment
