// Asks the provider about unconfirmed charges until their outcome is known.
#include "base/sales/payment/checkout/checkout.hpp"
#include "base/sales/payment/record/intent_repository.hpp"
#include "shared/core/log.hpp"

namespace svc::payment {
namespace {

constexpr std::int64_t most_at_a_turn = 100;
constexpr std::chrono::hours events_kept{24 * 30};

struct Inquiries {
    std::int64_t sent = 0, found = 0, given_up = 0, unreachable = 0;
};

// Asks about a charge; what its reconciliation becomes, empty: it stays open.
std::string_view ending_of(Settlement& settlement, SavedMethods& saved, const PaymentIntent& intent, Instant now,
                           Inquiries& counts) {
    const bool was_last = intent.asks + 1 >= most_inquiries;
    if (intent.provider_id) {
        const auto outcome = settlement.look_into(intent, "", json::Value::object());
        const bool is_paid = outcome && outcome->progress == Progress::paid;
        counts.found += is_paid ? 1 : 0;
        if (!outcome && &outcome.error().code() == &errc::gateway_unavailable) {
            ++counts.unreachable;
            return was_last ? reconciliation::review : "";
        }
        if (!was_last || is_paid)
            return "";
        return !outcome || outcome->progress == Progress::processing ? reconciliation::review : reconciliation::settled;
    }
    if (intent.saved_method_id) {
        const auto outcome = saved.charge_again(intent);
        counts.found += outcome && outcome->progress == Progress::paid ? 1 : 0;
        counts.unreachable += outcome ? 0 : 1;
        return !outcome && was_last ? reconciliation::review : "";
    }
    // The provider never named it, so no page was sent there to pay.
    return now >= intent.expires_at ? reconciliation::settled : "";
}

}  // namespace

std::chrono::minutes pause_before_inquiry(std::int64_t asks) {
    // 10 minutes, then twice as long each time, 8 hours at most.
    return std::chrono::minutes(std::min<std::int64_t>(10LL << std::min<std::int64_t>(asks, 10), 480));
}

Result<json::Value> Checkout::reconcile(Instant now) {
    Inquiries counts;
    const auto due = parts_.store.reading<std::vector<std::int64_t>>(
        [&](store::Session& session) { return IntentRepository::due(session, now, most_at_a_turn); });
    for (const std::int64_t id : due) {
        const auto intent = parts_.store.reading<std::optional<PaymentIntent>>(
            [&](store::Session& session) { return IntentRepository::find(session, id); });
        if (!intent || intent->reconciliation != reconciliation::open)
            continue;
        // Its next turn first: one that brings this process down does not bring down every turn after it.
        const auto turned = parts_.store.write([&](store::Transaction& tx) -> Result<void> {
            IntentRepository::note_inquiry(tx, id, now.plus(pause_before_inquiry(intent->asks + 1)));
            return {};
        });
        if (!turned)
            return turned.error();
        ++counts.sent;
        const std::string_view ending = ending_of(settlement, saved, *intent, now, counts);
        if (ending.empty())
            continue;
        ++counts.given_up;
        const auto ended = parts_.store.write([&](store::Transaction& tx) -> Result<void> {
            const auto present = IntentRepository::find(tx, id);
            const auto booking = present ? parts_.bookings.lock(tx, present->booking_id) : std::nullopt;
            if (!present || present->reconciliation != reconciliation::open)
                return {};
            const bool is_settled = ending == reconciliation::settled;
            IntentRepository::advance(tx, id, is_settled ? intent_status::expired : std::string_view(present->status),
                                      ending, is_settled ? "" : "the provider does not say", now);
            return is_settled && booking ? settlement.no_longer_under_way(tx, *booking, "payment abandoned", now)
                                         : Result<void>{};
        });
        if (!ended)
            return ended.error();
    }
    SVC_ASSIGN_OR_RETURN(const auto of_held, held.reconcile(now));
    SVC_ASSIGN_OR_RETURN(const auto refunds, parts_.refunds.reconcile(now, most_at_a_turn));
    std::int64_t forgotten = 0;
    if (auto cleaned = parts_.store.write([&](store::Transaction& tx) -> Result<void> {
            forgotten = EventRepository::forget_before(tx, now.minus(events_kept));
            return {};
        });
        !cleaned)
        return cleaned.error();
    return json::Value::object({{"asked", counts.sent},
                                {"found_paid", counts.found},
                                {"unreachable", counts.unreachable},
                                {"given_up", counts.given_up},
                                {"held", of_held},
                                {"refunds", refunds},
                                {"events_forgotten", forgotten}});
}

}  // namespace svc::payment
