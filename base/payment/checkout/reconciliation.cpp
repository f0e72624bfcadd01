// Asks the provider about unconfirmed charges until their outcome is known.
#include "base/payment/checkout/checkout.hpp"
#include "base/payment/checkout/intent_repository.hpp"
#include "shared/core/log.hpp"

namespace svc::payment {
namespace {

constexpr std::int64_t most_at_a_turn = 100;
constexpr std::chrono::hours events_kept{24 * 30};

}  // namespace

std::chrono::minutes pause_before_inquiry(std::int64_t asks) {
    // 10 minutes, then twice as long each time, 8 hours at most.
    return std::chrono::minutes(std::min<std::int64_t>(10LL << std::min<std::int64_t>(asks, 10), 480));
}

Result<json::Value> Checkout::reconcile(Instant now) {
    std::int64_t inquiries = 0, found = 0, given_up = 0, unreachable = 0;
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
        ++inquiries;
        std::string_view ending;
        if (intent->provider_id) {
            const auto outcome = settlement.look_into(*intent, "", json::Value::object());
            if (outcome && outcome->progress == Progress::paid)
                ++found;
            if (!outcome && &outcome.error().code() == &errc::gateway_unavailable) {
                ++unreachable;
                if (intent->asks + 1 >= most_inquiries)
                    ending = reconciliation::review;
            } else if (intent->asks + 1 >= most_inquiries && !(outcome && outcome->progress == Progress::paid)) {
                ending = !outcome || outcome->progress == Progress::processing ? reconciliation::review
                                                                               : reconciliation::settled;
            }
        } else if (intent->saved_method_id) {
            const auto outcome = saved.charge_again(*intent);
            if (outcome && outcome->progress == Progress::paid)
                ++found;
            if (!outcome)
                ++unreachable;
            if (!outcome && intent->asks + 1 >= most_inquiries)
                ending = reconciliation::review;
        } else if (now >= intent->expires_at) {
            // The provider never named it, so no page was sent there to pay.
            ending = reconciliation::settled;
        }
        if (ending.empty())
            continue;
        ++given_up;
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
    return json::Value::object({{"asked", inquiries},
                                {"found_paid", found},
                                {"unreachable", unreachable},
                                {"given_up", given_up},
                                {"held", of_held},
                                {"refunds", refunds},
                                {"events_forgotten", forgotten}});
}

}  // namespace svc::payment
