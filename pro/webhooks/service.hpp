// Events as they come in, what is queued of them, and what is sent again.
#pragma once

#include "pro/common/site.hpp"
#include "pro/webhooks/repository.hpp"

namespace svc::pro::webhooks {

inline constexpr std::string_view deliver_job = "webhook_deliveries";
inline constexpr std::int64_t most_replayed = 500, most_replayed_ids = 200;

struct Replayed {
    std::int64_t requeued = 0, skipped = 0, skipped_inactive_endpoint = 0, skipped_missing = 0;
    std::optional<std::int64_t> capped_total = {};  // all that match the filter, where it is more than are sent
};

// Any thread.
class Service {
  public:
    explicit Service(const Site& site) : site_(site) {}

    // An automation event: key, id of its booking or account, payload. Stores it once, however often it is reported,
    // and queues a delivery for each endpoint that takes it. Throws on failure, so that it is reported again.
    void occurred(const std::string& event_key, std::int64_t subject_id, const json::Value& payload);

    Result<Delivery> ping(std::int64_t endpoint_id);
    Result<Delivery> replay(std::int64_t delivery_id);
    Result<Replayed> replay(const std::vector<std::int64_t>& ids);
    Result<Replayed> replay(const Filter& filter);

    // Sets the answer of the next event of that kind as its sample, for ten minutes.
    Result<Sample> listen(const std::string& event_key);
    Result<void> forget(const std::string& event_key, bool forgets_sample);

    Result<json::Value> delete_old(Instant now);

  private:
    static Delivery delivery_of(const Endpoint& endpoint, const StoredEvent& event, Instant now);
    Result<Replayed> requeue(store::Transaction& tx, const std::vector<std::int64_t>& ids) const;
    void wake() const;

    const Site& site_;
};

}  // namespace svc::pro::webhooks
