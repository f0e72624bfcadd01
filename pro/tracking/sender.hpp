// Sends what is due to one partner: a run of its job.
#pragma once

#include <atomic>
#include <optional>

#include "pro/common/site.hpp"
#include "pro/common/site_address.hpp"
#include "pro/tracking/wire.hpp"
#include "shared/plugin/host_calls.hpp"

namespace svc::pro::tracking {

// The waits before the second attempt and later ones, two days together; after the last one an event is given up.
inline constexpr std::chrono::seconds waits[] = {
    std::chrono::minutes(1), std::chrono::minutes(5), std::chrono::minutes(30), std::chrono::hours(2),
    std::chrono::hours(6),   std::chrono::hours(12),  std::chrono::hours(24)};

class Sender {
  public:
    using Fetch = std::function<Result<plugin::FetchReply>(const plugin::FetchTwo::Request&)>;
    Sender(const Site& site, const Partner& partner, Wire wire, Fetch fetch)
        : site_(site), partner_(partner), wire_(std::move(wire)), fetch_(std::move(fetch)) {
        if (const auto* calls = site.host.find<plugin::Calls>())
            address_.emplace(*calls);
    }

    // One event after the other until nothing is due, the partner fails, or some seconds have passed. A partner that
    // does not answer rests afterwards: each run asks it once at most and holds a thread of the jobs for as long as
    // `patience`. {"sent", "failed", "skipped"}. Any thread; runs may overlap.
    Result<json::Value> run();

    // The partner is asked again at once: its settings changed. Any thread.
    void resume() { rests_until_ = 0; }

  private:
    struct Run {
        std::int64_t sent = 0, failed = 0, skipped = 0;
        bool partner_fails = false;
    };
    // What is known when it is sent; the reason if it may not be.
    struct Ready {
        std::string_view reason = {};
        bool waits = false;  // for the purchase that it is about
        Outgoing outgoing = {};
    };
    Ready ready(const TrackedEvent& event);
    void send(Run& run, TrackedEvent event);
    void attempt(Run& run, TrackedEvent& event, const Outgoing& outgoing);
    void fail(Run& run, TrackedEvent& event, std::string_view reason, std::optional<std::chrono::seconds> asked);
    void finish(const TrackedEvent& event);
    std::string site_url();

    const Site& site_;
    const Partner& partner_;
    const Wire wire_;
    const Fetch fetch_;
    std::atomic<std::int64_t> rests_until_{0};  // microseconds; of this process
    std::optional<SiteAddress> address_;        // nothing: the base answers no calls
};

}  // namespace svc::pro::tracking
