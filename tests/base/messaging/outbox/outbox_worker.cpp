// A process that sends e-mails until it is killed: outbox_worker DATABASE_URL SMTP_PORT NAME.
#include <chrono>
#include <cstdio>
#include <string>
#include <thread>

#include "base/messaging/outbox/sender.hpp"
#include "base/platform/store/open.hpp"
#include "shared/core/log.hpp"

using namespace svc;
using namespace std::chrono_literals;

namespace {

// Waiting times of minutes pass in fractions of a second; all workers agree, as they count from the same day.
class HastyClock final : public Clock {
  public:
    [[nodiscard]] Instant now() const override {
        const auto real = std::chrono::system_clock::now().time_since_epoch();
        const auto micros = std::chrono::duration_cast<std::chrono::microseconds>(real).count();
        constexpr std::int64_t begin = 1'767'225'600'000'000;  // 2026-01-01
        return Instant::from_micros(begin + (micros - begin) * 1000);
    }
};

}  // namespace

int main(int count, char** arguments) {
    if (count != 4)
        return 2;
    log::least(log::Level::error);
    const auto store = store::open({.url = arguments[1], .sessions = 2});
    const HastyClock clock;
    metrics::Registry metrics;
    const auto keyring = crypto::Keyring::for_tests();
    const std::string host = "127.0.0.1";
    const int port = std::stoi(arguments[2]);
    const outbound::SmtpSettings server{.host = host,
                                        .port = port,
                                        .username = {},
                                        .password = {},
                                        .encryption = outbound::SmtpSettings::Encryption::none,
                                        .allowed = outbound::Allowed({host + ":" + arguments[2]}),
                                        .timeout = 400ms};
    messaging::Sender sender(
        *store, *keyring, clock, metrics,
        {.server = [&] { return std::optional(server); }, .process = arguments[3], .lease = 1500ms});
    std::puts("ready");
    std::fflush(stdout);
    for (;;) {
        if (!sender.run())
            return 1;
        std::this_thread::sleep_for(20ms);  // the job's interval
    }
}
