// Stores events with their deliveries in one transaction.
#include "pro/webhooks/service.hpp"

#include <map>
#include <stdexcept>

#include "pro/crypto/hmac.hpp"
#include "pro/webhooks/catalogue.hpp"
#include "pro/webhooks/payload.hpp"

namespace svc::pro::webhooks {
namespace {

using json::Value;

constexpr std::int64_t lanes = 4;  // of an endpoint: that many requests at a time
constexpr auto listens_for = std::chrono::minutes(10);
constexpr std::int64_t kept_days = 30, deleted_at_once = 500;

// Of version 4.
std::string uuid() {
    std::string text = crypto::random_hex(16);
    text[12] = '4';
    text[16] = 'a';
    for (const std::size_t at : {8U, 13U, 18U, 23U})
        text.insert(at, "-");
    return text;
}

// An event is about the booking in its payload, or else about an account.
std::string subject_type_of(const Value& payload) { return payload.find("booking") ? "booking" : "account"; }

}  // namespace

Delivery Service::delivery_of(const Endpoint& endpoint, const StoredEvent& event, Instant now) {
    const auto whole = json::parse(event.payload);
    Delivery delivery;
    delivery.endpoint_id = endpoint.id;
    delivery.delivery_id = uuid();
    delivery.event_uid = event.uid;
    delivery.event_key = event.event_key;
    delivery.subject_type = event.subject_type;
    delivery.subject_id = event.subject_id;
    delivery.lane = event.subject_id % lanes;
    delivery.payload = message_of(whole.value(), endpoint.selected_fields, endpoint.additional_payload_fields);
    delivery.next_attempt_at = now;
    delivery.created_at = now;
    return delivery;
}

void Service::wake() const {
    if (site_.jobs)
        site_.jobs->wake(deliver_job);
}

void Service::occurred(const std::string& event_key, std::int64_t subject_id, const Value& payload) {
    if (!find_event(event_key))
        return;  // a newer base has more events
    const auto now = site_.clock.now();
    const auto occurred_at = Instant::parse(payload.text_or("occurred_at")).value_or(now);
    StoredEvent event{.uid = "evt_" + crypto::random_hex(16),
                      .event_key = event_key,
                      .subject_type = subject_type_of(payload),
                      .subject_id = subject_id,
                      .payload = {},
                      .occurred_at = occurred_at};
    event.payload = envelope(event.uid, event_key, occurred_at, data_of(payload)).dump();
    const auto fingerprint = crypto::sha256_hex(event_key + " " + std::to_string(subject_id) + " " + payload.dump());
    const auto stored = site_.store.write([&](store::Transaction& tx) -> Result<void> {
        if (!Repository::insert_event(tx, event, fingerprint, now))
            return {};
        Repository::capture(tx, event, now);
        for (const Endpoint& endpoint : Repository::endpoints_for(tx, event_key)) {
            Delivery delivery = delivery_of(endpoint, event, now);
            Repository::insert(tx, delivery);
        }
        return {};
    });
    if (!stored)
        throw std::runtime_error("a webhook event was not stored: " + stored.error().message().english());
    wake();
}

Result<Delivery> Service::ping(std::int64_t endpoint_id) {
    const auto now = site_.clock.now();
    StoredEvent event{.uid = "evt_" + crypto::random_hex(16),
                      .event_key = std::string(ping_key),
                      .subject_type = "endpoint",
                      .subject_id = endpoint_id,
                      .payload = {},
                      .occurred_at = now};
    event.payload =
        envelope(event.uid, ping_key, now, Value::object({{"ping", Value::object({{"endpoint_id", endpoint_id}})}}))
            .dump();
    auto made = site_.store.transact<Delivery>([&](store::Transaction& tx) -> Result<Delivery> {
        auto endpoint = endpoint_record().find(tx, endpoint_id);
        if (!endpoint)
            return errc::not_found;
        if (!endpoint->is_active)
            return endpoint_inactive;
        endpoint->selected_fields.clear();  // they are of other events
        Delivery delivery = delivery_of(*endpoint, event, now);
        Repository::insert(tx, delivery);
        return delivery;
    });
    if (made)
        wake();
    return made;
}

// Sends what the endpoint chooses now, of the event as it was.
Result<Replayed> Service::requeue(store::Transaction& tx, const std::vector<std::int64_t>& ids) const {
    Replayed done;
    std::map<std::int64_t, std::optional<Endpoint>> endpoints;
    for (const std::int64_t id : ids) {
        const auto delivery = delivery_record().find(tx, id);
        if (!delivery) {
            ++done.skipped_missing;
            continue;
        }
        auto [at, is_new] = endpoints.try_emplace(delivery->endpoint_id);
        if (is_new)
            at->second = endpoint_record().find(tx, delivery->endpoint_id);
        if (!at->second || !at->second->is_active) {
            ++done.skipped_inactive_endpoint;
            continue;
        }
        ++(Repository::requeue(tx, id, delivery->payload, site_.clock.now()) ? done.requeued : done.skipped);
    }
    done.skipped += done.skipped_inactive_endpoint + done.skipped_missing;
    return done;
}

Result<Delivery> Service::replay(std::int64_t delivery_id) {
    auto queued = site_.store.transact<Delivery>([&](store::Transaction& tx) -> Result<Delivery> {
        SVC_ASSIGN_OR_RETURN(const auto done, requeue(tx, {delivery_id}));
        if (done.skipped_missing)
            return errc::not_found;
        if (done.skipped_inactive_endpoint)
            return endpoint_inactive;
        if (!done.requeued)
            return Error{errc::conflict, "This message is being sent right now."_sentence};
        return delivery_record().find(tx, delivery_id).value();
    });
    if (queued)
        wake();
    return queued;
}

Result<Replayed> Service::replay(const std::vector<std::int64_t>& ids) {
    auto done =
        site_.store.transact<Replayed>([&](store::Transaction& tx) -> Result<Replayed> { return requeue(tx, ids); });
    wake();
    return done;
}

Result<Replayed> Service::replay(const Filter& filter) {
    auto done = site_.store.transact<Replayed>([&](store::Transaction& tx) -> Result<Replayed> {
        const auto total = Repository::count_matching(tx, filter);
        SVC_ASSIGN_OR_RETURN(auto outcome, requeue(tx, Repository::matching(tx, filter, most_replayed)));
        if (total > most_replayed)
            outcome.capped_total = total;
        return outcome;
    });
    wake();
    return done;
}

Result<Sample> Service::listen(const std::string& event_key) {
    return site_.store.transact<Sample>([&](store::Transaction& tx) -> Result<Sample> {
        Repository::arm(tx, event_key, site_.clock.now().plus(listens_for));
        return Repository::sample(tx, event_key).value();
    });
}

Result<void> Service::forget(const std::string& event_key, bool forgets_sample) {
    return site_.store.write([&](store::Transaction& tx) -> Result<void> {
        Repository::disarm(tx, event_key, forgets_sample);
        return {};
    });
}

Result<Value> Service::delete_old(Instant now) {
    std::int64_t rows = 0, of_this = 1;
    const auto before = now.minus(std::chrono::hours(24 * kept_days));
    while (of_this > 0) {
        SVC_ASSIGN_OR_RETURN(of_this,
                             site_.store.transact<std::int64_t>([&](store::Transaction& tx) -> Result<std::int64_t> {
                                 return Repository::delete_before(tx, before, deleted_at_once);
                             }));
        rows += of_this;
    }
    return Value::object({{"deleted", rows}});
}

}  // namespace svc::pro::webhooks
