// A delivery: the sending of one event to one endpoint, with its attempts. Module webhooks.
#pragma once

#include "shared/core/error_codes.hpp"
#include "shared/record/record.hpp"

namespace svc::pro::webhooks {

inline constexpr ErrorCode endpoint_inactive{"endpoint_inactive", 409,
                                             "This endpoint is not active. Activate it, then send again."};

namespace status {
inline constexpr std::string_view queued = "queued", delivering = "delivering", delivered = "delivered",
                                  failed = "failed", permanent_failure = "permanent_failure";
}

struct Delivery {
    std::int64_t id = 0, endpoint_id = 0;
    std::string delivery_id, event_uid, event_key, subject_type;
    std::int64_t subject_id = 0, lane = 0;
    std::string payload;  // the message as it is sent
    std::string status{status::queued};
    std::int64_t attempts = 0;
    std::optional<Instant> next_attempt_at, claimed_until, delivered_at;
    std::optional<std::int64_t> http_status, duration_ms;
    std::optional<std::string> error_message;
    std::string request_headers, response_headers, response_body;  // JSON objects, and at most 16 kB
    Instant created_at{};
    std::string endpoint_name;  // read alone
};
const record::Record<Delivery>& delivery_record();

// As the route of one delivery answers it: with request and response.
json::Value shown_whole(const Delivery& delivery);
api::Schema whole_schema();

}  // namespace svc::pro::webhooks
