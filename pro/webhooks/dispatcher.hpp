// Sends what is due: a run of the job webhook_deliveries.
#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <vector>

#include "pro/common/site.hpp"
#include "pro/webhooks/repository.hpp"
#include "shared/plugin/host_fetch.hpp"

namespace svc::pro::webhooks {

// The waits before the second attempt and later ones; after the last one a delivery has failed for good.
inline constexpr std::chrono::seconds waits[] = {
    std::chrono::seconds(5), std::chrono::minutes(5), std::chrono::minutes(30),
    std::chrono::hours(2),   std::chrono::hours(5),   std::chrono::hours(10),
    std::chrono::hours(14),  std::chrono::hours(20),  std::chrono::hours(24)};

// `due` is the moment of the outcome; the status and headers are those of the response, if there was one.
struct Response {
    int status = 0;  // 0: none, see `problem`
    std::vector<std::pair<std::string, std::string>> headers = {};
    std::string body = {};
    std::string problem = {};
    std::chrono::milliseconds duration{0};
};

// What an attempt's response means: the delivery as it is stored, and what it says about the endpoint. Adds a tenth of
// the wait at most, by `jitter` from 0 to 1.
Attempt judged(Delivery delivery, const Response& response, Instant now, double jitter);

// Several threads send, each one lane of an endpoint at a time, so that a receiver that hangs holds up no other.
class Dispatcher {
  public:
    using Fetch = std::function<Result<plugin::FetchReply>(const plugin::FetchTwo::Request&)>;
    Dispatcher(const Site& site, Fetch fetch) : site_(site), fetch_(std::move(fetch)) {}

    // Returns when nothing is due any more, or after some seconds. {"delivered", "failed"}. One run at a time.
    Result<json::Value> run();

  private:
    struct Batch {
        Lane lane;
        Endpoint endpoint;
        std::vector<Delivery> deliveries;
    };
    struct Run;
    std::optional<Batch> claim(Run& run) const;
    void work(Run& run) const;
    void send(Run& run, Batch batch) const;
    [[nodiscard]] Response request(const Endpoint& endpoint, Delivery& delivery) const;
    void store(const Endpoint& endpoint, const std::vector<Attempt>& attempts,
               const std::vector<std::int64_t>& not_sent) const;

    const Site& site_;
    const Fetch fetch_;
};

}  // namespace svc::pro::webhooks
