// An event that this server reports to a partner, with its attempts: a row of the log and of the queue.
#pragma once

#include "pro/tracking/catalogue.hpp"
#include "shared/record/record.hpp"

namespace svc::pro::tracking {

namespace status {
inline constexpr std::string_view queued = "queued", sending = "sending", sent = "sent", failed = "failed",
                                  rejected = "rejected", skipped = "skipped";
}

// Why an event was not sent, or not yet. The admin says each in words.
namespace reason {
inline constexpr std::string_view no_consent = "no_consent", no_client_id = "no_client_id", no_browser = "no_browser",
                                  old_base = "old_base", too_old = "too_old", switched_off = "switched_off",
                                  no_credentials = "no_credentials", no_purchase = "no_purchase",
                                  unreachable = "unreachable", throttled = "throttled", credentials = "credentials",
                                  refused = "refused", gave_up = "gave_up";
}
std::vector<std::string> reasons();

struct TrackedEvent {
    std::int64_t id = 0;
    std::string partner, event, event_id;
    std::int64_t booking_id = 0;
    Money value = Money::zero(Currency::usd());
    std::string status{status::queued};
    std::optional<std::string> reason;
    std::int64_t attempts = 0;
    std::optional<Instant> next_attempt_at, claimed_until, sent_at;
    std::optional<std::int64_t> http_status;
    json::Value payload = json::Value::object();  // as sent, without what names the visitor
    std::string answer;                           // the beginning of the partner's
    Instant occurred_at{}, created_at{};
    std::string reference;  // of the booking; read alone
};

// The rows of one partner; find() and select() do not narrow.
const record::Record<TrackedEvent>& event_record(const Partner& partner);

}  // namespace svc::pro::tracking
