// The job that hands queued e-mails to the mail server.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "base/messaging/outbox/email.hpp"
#include "base/platform/crypto/crypto.hpp"
#include "base/platform/events/process.hpp"
#include "base/platform/jobs/jobs.hpp"
#include "base/platform/metrics/metrics.hpp"
#include "base/platform/outbound/mail.hpp"

namespace svc::messaging {

struct SenderOptions {
    // The mail server as it is set now; nothing: e-mails stay queued. [any thread]
    std::function<std::optional<outbound::SmtpSettings>()> server;
    // Sends; tests replace it. [several threads at a time]
    std::function<Result<void>(const outbound::Mail&, const outbound::SmtpSettings&)> send = outbound::send;
    // 0 to 1, for the waiting times. Empty: random.
    std::function<double()> chance = {};
    std::string process = events::process_name();
    // How long an e-mail of a process that died waits. Longer than a sending may take, or two might send it.
    std::chrono::milliseconds lease{60'000};
    int most_in_a_run = 500;
    // At the end of a run that reached its limit: requests another run. [the run's thread]
    std::function<void()> go_on = {};
    // Once the first of a run is taken, each by its own connection; some servers take no more of one sender.
    int at_a_time = 3;
};

// Sends in order for each booking, one e-mail of it at a time, and at least once: a receiver recognises a repetition by
// its Message-ID. Begins no other in a run after three servers' failures in a row. The store, keyring, clock and
// metrics outlive it, and the metrics' text is not read after its end.
class Sender {
  public:
    Sender(store::Store& store, const crypto::Keyring& keyring, const Clock& clock, metrics::Registry& metrics,
           SenderOptions options);

    // Named "email_queue", each minute; wake it when something was queued.
    [[nodiscard]] jobs::Job job();
    // Returns {"sent", "again", "failed"}. Any number of processes and threads may run it at a time.
    Result<json::Value> run();
    // The run ends after the e-mails that are under way. Before jobs::Jobs::stop().
    void stop() { stopping_ = true; }

    // Seals the stored texts with the current key; returns their number.
    Result<std::int64_t> renew_sealed();

    // How long the e-mail that could have gone for longest has waited; nothing while no mail server is set.
    [[nodiscard]] std::optional<std::chrono::microseconds> lateness();

  private:
    enum class Outcome : std::uint8_t { sent, again, failed };
    struct Done {
        std::int64_t id = 0;
        Outcome outcome = Outcome::sent;
        Instant next = {};
        std::string error = {};
    };
    void record(store::Transaction& tx, const Done& done);
    std::optional<LeasedEmail> step(const std::optional<Done>& done);
    Done try_once(LeasedEmail email, const outbound::SmtpSettings& server, bool& server_failed);
    double chance() const;
    struct Run;
    void send_some(Run& run);

    store::Store& store_;
    const crypto::Keyring& keyring_;
    const Clock& clock_;
    const SenderOptions options_;
    metrics::Counter &sent_, &again_, &failed_;
    metrics::Histogram& delay_;
    std::atomic<bool> stopping_ = false;
};

}  // namespace svc::messaging
