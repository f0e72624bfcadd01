// Rows of intents and of providers' events.
#pragma once

#include "base/sales/payment/record/intent.hpp"
#include "shared/payment/gateway.hpp"
#include "shared/store/store.hpp"

namespace svc::payment {

class IntentRepository {
  public:
    static std::optional<PaymentIntent> find(store::Session& session, std::int64_t id);
    static std::optional<PaymentIntent> by_key(store::Session& session, std::string_view key);
    static std::optional<PaymentIntent> by_provider(store::Session& session, std::string_view gateway,
                                                    std::string_view provider_id);
    // With the lock of its booking, which is taken first.
    static std::optional<PaymentIntent> locked(store::Transaction& tx, std::string_view gateway,
                                               std::string_view provider_id);
    // The newest charge of the booking at that gateway, in any status.
    static std::optional<PaymentIntent> latest(store::Session& session, std::int64_t booking_id,
                                               std::string_view gateway);
    // Those of the booking that a page may still pay by.
    static std::vector<PaymentIntent> open_of(store::Session& session, std::int64_t booking_id, Instant now);

    // Whether a provider works on a charge of the booking, or its customer has been at paying it within the last hour
    // and began to within the last hours (longest_charge_delay).
    static bool is_under_way(store::Session& session, std::int64_t booking_id, Instant now);
    static bool is_processing(store::Session& session, std::int64_t booking_id);

    static std::int64_t insert(store::Transaction& tx, const PaymentIntent& intent);
    // The provider's answer to our asking for it.
    static void store_answer(store::Transaction& tx, std::int64_t id, std::string_view provider_id,
                             std::string_view status, std::string_view page, Instant now);
    // Stores its current status. `settled`: no further requests.
    static void advance(store::Transaction& tx, std::int64_t id, std::string_view status,
                        std::string_view reconciliation, std::string_view error, Instant now);
    // The provider's name of a charge that no page was needed for.
    static void named(store::Transaction& tx, std::int64_t id, std::string_view provider_id);
    // Stores the method that was saved with it.
    static void store_saved_method(store::Transaction& tx, std::int64_t id, std::int64_t saved_method_id);
    // Schedules the next request about it.
    static void schedule_inquiry(store::Transaction& tx, std::int64_t id, Instant when);
    // Whether a charge of it is under way that only its provider can end: without the customer there, or at a bank.
    static bool is_charging(store::Session& session, std::int64_t booking_id);
    // Pages no longer offer it; the provider is still asked, since it may have been paid meanwhile.
    static void succeeded(store::Transaction& tx, const PaymentIntent& paid, Instant now);  // and supersedes the others
    static void supersede(store::Transaction& tx, std::int64_t booking_id, std::int64_t but, Instant now);
    // The same of strangers' charges alone.
    static void supersede_strangers(store::Transaction& tx, std::int64_t booking_id, std::int64_t but, Instant now);
    // Stores the charge's return_url and cancel_url.
    static void return_to(store::Transaction& tx, const PaymentIntent& intent, Instant now);
    // Closes all charges of a cancelled booking and makes the inquiries about them due now.
    static void call_off(store::Transaction& tx, std::int64_t booking_id, Instant now);

    // Charges due for a request, the longest due first.
    static std::vector<std::int64_t> due(store::Session& session, Instant now, std::int64_t most);
    static void note_inquiry(store::Transaction& tx, std::int64_t id, Instant next);
};

// An event in the inbox.
struct InboxEvent {
    std::int64_t id = 0;
    std::string status = {}, body_hash = {};
    std::int64_t attempts = 1;
};

class EventRepository {
  public:
    static std::optional<InboxEvent> find(store::Session& session, std::string_view gateway, std::string_view event_id);
    // False when another call stored it already. Stored as processed, with its charge's booking; as ignored when it has
    // no subject.
    static bool insert(store::Transaction& tx, std::string_view gateway, const Event& event, std::string_view body_hash,
                       Instant now);
    static void store_outcome(store::Transaction& tx, std::string_view gateway, std::string_view event_id,
                              std::string_view status, std::string_view note, std::optional<std::int64_t> booking_id);
    static void failed(store::Transaction& tx, std::string_view gateway, const Event& event, std::string_view body_hash,
                       std::string_view note, Instant now);
    // Events that arrived before their charge, in order of arrival.
    static std::vector<Event> parked(store::Session& session, std::string_view gateway, std::string_view intent_id,
                                     std::string_view transaction_id);
    // The highest refunded total that events reported for that transaction; none: no event had one.
    static std::optional<Money> refunded_total(store::Session& session, std::string_view gateway,
                                               std::string_view transaction_id);
    // Events are remembered for that long.
    static std::int64_t forget_before(store::Transaction& tx, Instant before);
};

}  // namespace svc::payment
