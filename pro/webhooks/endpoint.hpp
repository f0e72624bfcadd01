// An endpoint: where events of the site are sent to, and how. Module webhooks.
#pragma once

#include "shared/plugin/host.hpp"
#include "shared/record/record.hpp"
#include "shared/resource/resource.hpp"
#include "shared/store/sealed_columns.hpp"

namespace svc::pro::webhooks {

inline constexpr std::string_view module_slug = "webhooks";
inline constexpr std::string_view capability = "svc_manage_webhooks";
inline constexpr std::string_view every_event = "*";

struct Endpoint : record::Audit {
    std::int64_t id = 0;
    std::string uid;  // sealed values are bound to it
    std::string name, url, description;
    std::string event;  // a key or every_event
    std::string http_method{"POST"};
    std::string headers;                               // sealed; empty: none
    json::Value header_hints = json::Value::object();  // as answers show them
    json::Value additional_payload_fields = json::Value::object();
    std::vector<std::string> selected_fields;     // empty: all
    std::string secret, secret_hint, old_secret;  // sealed, but for the hint
    std::optional<Instant> old_secret_until;
    std::string certificate;  // sealed; empty: none
    std::optional<std::string> certificate_fingerprint;
    std::optional<Instant> certificate_expires_at;
    bool is_active = true, log_deliveries = true;
    // Written by deliveries.
    std::int64_t consecutive_failures = 0;
    std::optional<Instant> failing_since, resume_at, paused_at, last_delivered_at;
    std::optional<std::string> pause_reason;  // failing, gone
    std::optional<std::int64_t> last_status;
    std::int64_t total = 0, delivered = 0, failed = 0, waiting = 0;
    std::string custom_secret;  // of a create, not stored

    [[nodiscard]] std::string place_of(std::string_view column) const {
        return "svc_webhook_endpoints." + uid + "." + std::string(column);
    }
};
const record::Record<Endpoint>& endpoint_record();
const std::vector<store::SealedColumn>& sealed_columns();

// The secrets that sign at that moment, the newest first, and the headers of the operator.
Result<std::vector<std::string>> keys_of(const Endpoint& endpoint, const plugin::Secrets& secrets, Instant now);
Result<json::Value> headers_of(const Endpoint& endpoint, const plugin::Secrets& secrets);
// {"chain", "key"} as PEM; an empty object: none.
Result<json::Value> certificate_of(const Endpoint& endpoint, const plugin::Secrets& secrets);

resource::Resource<Endpoint> endpoint_resource(store::Store& store, const plugin::Secrets& secrets,
                                               std::function<Zone()> zone, std::function<void()> written);

// A new endpoint with the secret it will sign with.
Endpoint endpoint_with(const std::string& key, const plugin::Secrets& secrets);
// The earlier secret signs for another day.
void replace_secret(Endpoint& endpoint, const std::string& key, const plugin::Secrets& secrets, Instant now);

}  // namespace svc::pro::webhooks
