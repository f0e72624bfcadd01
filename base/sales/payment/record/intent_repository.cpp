// SQL of intents and of the inbox of providers' events.
#include "base/sales/payment/record/intent_repository.hpp"

#include "base/sales/payment/record/charge_columns.hpp"
#include "shared/store/later.hpp"
#include "shared/store/read_rows.hpp"

namespace svc::payment {
namespace {

const record::Rows<PaymentIntent>& intent_record() {
    using record::by_server_on_create, record::stored;
    static const record::Rows<PaymentIntent> record{
        {.table = "svc_payment_intents"},
        {charge_columns<PaymentIntent>([]<class M>(M PaymentIntent::*member) { return record::Member(member); }),
         stored("booking_id", &PaymentIntent::booking_id, by_server_on_create),
         stored("purpose", &PaymentIntent::purpose, by_server_on_create),
         stored("updated_at", &PaymentIntent::updated_at), stored("saved_method_id", &PaymentIntent::saved_method_id),
         stored("is_proven", &PaymentIntent::is_proven, by_server_on_create)}};
    return record;
}

json::Value money_json(const std::optional<Money>& money) {
    return money ? json::Value::object({{"minor", money->minor()}, {"currency", money->currency().code()}})
                 : json::Value();
}

std::optional<Money> money_from(const json::Value& value) {
    return value.is_null()
               ? std::nullopt
               : std::optional(Money{value["minor"].integer(), Currency::parse(value["currency"].text()).value()});
}

// The parts of an event needed for processing it again.
std::string stored_json(const Event& event) {
    return json::Value::object({{"kind", static_cast<int>(event.kind)},
                                {"refund_id", event.refund_id},
                                {"amount", money_json(event.amount)},
                                {"refunded_total", money_json(event.refunded_total)},
                                {"reason", event.reason},
                                {"booking_id", event.booking_id},
                                {"object", event.object}})
        .dump();
}

std::vector<Event> kept_events(store::Session& session, std::string_view statement, const store::Params& params) {
    return store::all_rows(session, statement, params,
                           [](const std::string& id, const std::string& type, const std::string& intent_id,
                              const std::string& transaction_id, const std::string& payload) {
                               const json::Value stored = json::parse(payload).value();
                               return Event{.id = id,
                                            .type = type,
                                            .kind = static_cast<Event::Kind>(stored["kind"].integer()),
                                            .intent_id = intent_id,
                                            .transaction_id = transaction_id,
                                            .refund_id = stored.text_or("refund_id"),
                                            .booking_id = stored.maybe_integer("booking_id"),
                                            .amount = money_from(stored["amount"]),
                                            .refunded_total = money_from(stored["refunded_total"]),
                                            .reason = stored.text_or("reason"),
                                            .object = stored["object"]};
                           });
}

}  // namespace

std::optional<PaymentIntent> IntentRepository::find(store::Session& session, std::int64_t id) {
    return intent_record().find(session, id);
}

std::optional<PaymentIntent> IntentRepository::by_key(store::Session& session, std::string_view key) {
    static const std::string statement = intent_record().select("WHERE r.call_key = :key");
    return intent_record().first(session, statement, {{"key", key}});
}

std::optional<PaymentIntent> IntentRepository::by_provider(store::Session& session, std::string_view gateway,
                                                           std::string_view provider_id) {
    static const std::string statement =
        intent_record().select("WHERE r.gateway = :gateway AND r.provider_id = :provider_id");
    return intent_record().first(session, statement, {{"gateway", gateway}, {"provider_id", provider_id}});
}

std::optional<PaymentIntent> IntentRepository::locked(store::Transaction& tx, std::string_view gateway,
                                                      std::string_view provider_id) {
    if (tx.dialect() == store::Dialect::postgresql)  // SQLite has one writer at a time
        store::run_later(tx,
                         "SELECT 1 FROM svc_bookings WHERE id = (SELECT booking_id FROM svc_payment_intents"
                         " WHERE gateway = :gateway AND provider_id = :provider_id) FOR NO KEY UPDATE",
                         {{"gateway", gateway}, {"provider_id", provider_id}});
    return by_provider(tx, gateway, provider_id);
}

std::optional<PaymentIntent> IntentRepository::latest(store::Session& session, std::int64_t booking_id,
                                                      std::string_view gateway) {
    static const std::string statement =
        intent_record().select("WHERE r.booking_id = :booking_id AND r.gateway = :gateway ORDER BY r.id DESC LIMIT 1");
    return intent_record().first(session, statement, {{"booking_id", booking_id}, {"gateway", gateway}});
}

std::vector<PaymentIntent> IntentRepository::open_of(store::Session& session, std::int64_t booking_id, Instant now) {
    static const std::string statement = intent_record().select(
        "WHERE r.booking_id = :booking_id AND r.status IN ('created', 'requires_action') AND r.expires_at > :now"
        " ORDER BY r.id DESC");
    return intent_record().all(session, statement, {{"booking_id", booking_id}, {"now", now}});
}

bool IntentRepository::is_under_way(store::Session& session, std::int64_t booking_id, Instant now) {
    return session.number(
               "SELECT COUNT(*) FROM svc_payment_intents i WHERE i.booking_id = :booking_id AND i.updated_at > :since"
               " AND (i.status = 'processing' OR (i.is_proven = 1 AND i.status IN ('created', 'requires_action')"
               " AND NOT EXISTS (SELECT 1 FROM svc_payment_intents f WHERE f.booking_id = :booking_id"
               " AND f.is_proven = 1 AND f.created_at > :day AND f.created_at <= :longest)))",
               {{"booking_id", booking_id},
                {"since", now.minus(std::chrono::hours(1))},
                {"day", now.minus(charge_delay_day)},
                {"longest", now.minus(longest_charge_delay)}}) > 0;
}

bool IntentRepository::is_processing(store::Session& session, std::int64_t booking_id) {
    return session.number(
               "SELECT COUNT(*) FROM svc_payment_intents WHERE booking_id = :booking_id AND status = 'processing'",
               {{"booking_id", booking_id}}) > 0;
}

std::int64_t IntentRepository::insert(store::Transaction& tx, const PaymentIntent& intent) {
    PaymentIntent stored = intent;
    intent_record().insert(tx, stored, {.now = intent.created_at});
    return stored.id;
}

void IntentRepository::store_answer(store::Transaction& tx, std::int64_t id, std::string_view provider_id,
                                    std::string_view status, std::string_view page, Instant now) {
    tx.run(
        "UPDATE svc_payment_intents SET provider_id = :provider_id, page = :page, updated_at = :now,"
        " status = CASE WHEN status = 'created' THEN :status ELSE status END WHERE id = :id",
        {{"provider_id", provider_id}, {"status", status}, {"page", page}, {"now", now}, {"id", id}});
}

void IntentRepository::advance(store::Transaction& tx, std::int64_t id, std::string_view status,
                               std::string_view reconciliation, std::string_view error, Instant now) {
    tx.run(
        "UPDATE svc_payment_intents SET status = :status, reconciliation = :reconciliation, last_error = :error,"
        " updated_at = :now WHERE id = :id",
        {{"status", status}, {"reconciliation", reconciliation}, {"error", error}, {"now", now}, {"id", id}});
}

void IntentRepository::named(store::Transaction& tx, std::int64_t id, std::string_view provider_id) {
    tx.run("UPDATE svc_payment_intents SET provider_id = :provider_id WHERE id = :id AND provider_id IS NULL",
           {{"provider_id", provider_id}, {"id", id}});
}

void IntentRepository::store_saved_method(store::Transaction& tx, std::int64_t id, std::int64_t saved_method_id) {
    tx.run("UPDATE svc_payment_intents SET saved_method_id = :saved_method_id WHERE id = :id",
           {{"saved_method_id", saved_method_id}, {"id", id}});
}

void IntentRepository::schedule_inquiry(store::Transaction& tx, std::int64_t id, Instant when) {
    tx.run(
        "UPDATE svc_payment_intents SET ask_at = :when, asks = 0,"
        " reconciliation = CASE WHEN reconciliation = 'settled' THEN 'open' ELSE reconciliation END WHERE id = :id",
        {{"when", when}, {"id", id}});
}

bool IntentRepository::is_charging(store::Session& session, std::int64_t booking_id) {
    return !store::numbers(session,
                           "SELECT id FROM svc_payment_intents WHERE booking_id = :booking_id AND status ="
                           " 'processing' AND reconciliation = 'open' LIMIT 1",
                           {{"booking_id", booking_id}})
                .empty();
}

void IntentRepository::succeeded(store::Transaction& tx, const PaymentIntent& paid, Instant now) {
    store::run_later(tx,
                     "UPDATE svc_payment_intents SET updated_at = :now,"
                     " status = CASE WHEN id = :id THEN 'succeeded' ELSE 'cancelled' END,"
                     " reconciliation = CASE WHEN id = :id THEN 'settled' ELSE reconciliation END,"
                     " last_error = CASE WHEN id = :id THEN '' ELSE last_error END"
                     " WHERE booking_id = :booking_id AND (id = :id OR status IN ('created', 'requires_action'))",
                     {{"now", now}, {"id", paid.id}, {"booking_id", paid.booking_id}});
}

void IntentRepository::return_to(store::Transaction& tx, const PaymentIntent& intent, Instant now) {
    tx.run(
        "UPDATE svc_payment_intents SET return_url = :return_url, cancel_url = :cancel_url, updated_at = :now"
        " WHERE id = :id",
        {{"return_url", intent.return_url}, {"cancel_url", intent.cancel_url}, {"now", now}, {"id", intent.id}});
}

void IntentRepository::supersede_strangers(store::Transaction& tx, std::int64_t booking_id, std::int64_t but,
                                           Instant now) {
    tx.run(
        "UPDATE svc_payment_intents SET status = 'cancelled', updated_at = :now WHERE booking_id = :booking_id"
        " AND id <> :but AND is_proven = 0 AND status IN ('created', 'requires_action')",
        {{"now", now}, {"booking_id", booking_id}, {"but", but}});
}

void IntentRepository::supersede(store::Transaction& tx, std::int64_t booking_id, std::int64_t but, Instant now) {
    tx.run(
        "UPDATE svc_payment_intents SET status = 'cancelled', updated_at = :now WHERE booking_id = :booking_id"
        " AND id <> :but AND status IN ('created', 'requires_action')",
        {{"now", now}, {"booking_id", booking_id}, {"but", but}});
}

void IntentRepository::call_off(store::Transaction& tx, std::int64_t booking_id, Instant now) {
    supersede(tx, booking_id, 0, now);
    tx.run("UPDATE svc_payment_intents SET ask_at = :now WHERE booking_id = :booking_id AND reconciliation = 'open'",
           {{"now", now}, {"booking_id", booking_id}});
}

std::vector<std::int64_t> IntentRepository::due(store::Session& session, Instant now, std::int64_t most) {
    return store::numbers(session,
                          "SELECT id FROM svc_payment_intents WHERE reconciliation = 'open' AND ask_at <= :now"
                          " ORDER BY ask_at LIMIT :most",
                          {{"now", now}, {"most", most}});
}

void IntentRepository::note_inquiry(store::Transaction& tx, std::int64_t id, Instant next) {
    tx.run("UPDATE svc_payment_intents SET asks = asks + 1, ask_at = :next WHERE id = :id",
           {{"next", next}, {"id", id}});
}

namespace {

store::Params params_of(std::string_view gateway, const Event& event, std::string_view body_hash, Instant now) {
    return {{"gateway", gateway},
            {"event_id", event.id},
            {"type", event.type},
            {"body_hash", body_hash},
            {"intent_id", event.intent_id},
            {"transaction_id", event.transaction_id},
            {"payload", stored_json(event)},
            {"status", event.kind == Event::Kind::other ? "ignored" : "processed"},
            {"now", now}};
}

}  // namespace

std::optional<InboxEvent> EventRepository::find(store::Session& session, std::string_view gateway,
                                                std::string_view event_id) {
    return store::first_row(
        session,
        "SELECT id, status, body_hash, attempts FROM svc_gateway_events WHERE gateway = :gateway"
        " AND event_id = :event_id",
        {{"gateway", gateway}, {"event_id", event_id}},
        [](std::int64_t id, const std::string& status, const std::string& body_hash, std::int64_t attempts) {
            return InboxEvent{.id = id, .status = status, .body_hash = body_hash, .attempts = attempts};
        });
}

bool EventRepository::insert(store::Transaction& tx, std::string_view gateway, const Event& event,
                             std::string_view body_hash, Instant now) {
    return tx.run(
               "INSERT INTO svc_gateway_events (gateway, event_id, type, body_hash, intent_id, transaction_id,"
               " payload, status, booking_id, received_at) VALUES (:gateway, :event_id, :type, :body_hash,"
               " :intent_id, :transaction_id, :payload, :status, (SELECT booking_id FROM svc_payment_intents"
               " WHERE gateway = :gateway AND provider_id = :intent_id), :now)"
               " ON CONFLICT (gateway, event_id) DO NOTHING",
               params_of(gateway, event, body_hash, now)) == 1;
}

void EventRepository::store_outcome(store::Transaction& tx, std::string_view gateway, std::string_view event_id,
                                    std::string_view status, std::string_view note,
                                    std::optional<std::int64_t> booking_id) {
    tx.run(
        "UPDATE svc_gateway_events SET status = :status, note = :note, booking_id = :booking_id"
        " WHERE gateway = :gateway AND event_id = :event_id",
        {{"status", status}, {"note", note}, {"booking_id", booking_id}, {"gateway", gateway}, {"event_id", event_id}});
}

void EventRepository::failed(store::Transaction& tx, std::string_view gateway, const Event& event,
                             std::string_view body_hash, std::string_view note, Instant now) {
    store::Params params = params_of(gateway, event, body_hash, now);
    params.emplace_back("note", note);
    tx.run(
        "INSERT INTO svc_gateway_events (gateway, event_id, type, body_hash, intent_id, transaction_id, payload,"
        " status, note, received_at) VALUES (:gateway, :event_id, :type, :body_hash, :intent_id, :transaction_id,"
        " :payload, 'failed', :note, :now)"
        " ON CONFLICT (gateway, event_id) DO UPDATE SET attempts = svc_gateway_events.attempts + 1,"
        " note = excluded.note",
        params);
}

std::vector<Event> EventRepository::parked(store::Session& session, std::string_view gateway,
                                           std::string_view intent_id, std::string_view transaction_id) {
    return kept_events(
        session,
        "SELECT event_id, type, intent_id, transaction_id, payload FROM svc_gateway_events WHERE status = 'parked'"
        " AND gateway = :gateway AND ((intent_id <> '' AND intent_id = :intent_id)"
        " OR (transaction_id <> '' AND transaction_id = :transaction_id)) ORDER BY id LIMIT 100",
        {{"gateway", gateway}, {"intent_id", intent_id}, {"transaction_id", transaction_id}});
}

std::optional<Money> EventRepository::refunded_total(store::Session& session, std::string_view gateway,
                                                     std::string_view transaction_id) {
    std::optional<Money> most;
    for (const Event& event :
         kept_events(session,
                     "SELECT event_id, type, intent_id, transaction_id, payload FROM svc_gateway_events"
                     " WHERE status = 'processed' AND gateway = :gateway AND transaction_id = :transaction_id"
                     " AND transaction_id <> '' ORDER BY id",
                     {{"gateway", gateway}, {"transaction_id", transaction_id}}))
        if (event.kind == Event::Kind::refunded && event.refund_id.empty() && event.refunded_total &&
            (!most || (most->currency() == event.refunded_total->currency() && *most < *event.refunded_total)))
            most = event.refunded_total;
    return most;
}

std::int64_t EventRepository::forget_before(store::Transaction& tx, Instant before) {
    return tx.run("DELETE FROM svc_gateway_events WHERE received_at < :before", {{"before", before}});
}

}  // namespace svc::payment
