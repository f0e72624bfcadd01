// The stored configuration of gateways.
#pragma once

#include <optional>
#include <string>

#include "shared/store/store.hpp"

namespace svc::payment {

// The stored configuration of a gateway: secrets inside are sealed by the service.
struct StoredConfig {
    bool enabled = false;
    std::string config = {};  // JSON
    bool operator==(const StoredConfig&) const = default;
};

class GatewayRepository {
  public:
    // The stored setting payment_gateways, from any process; none: never set.
    static std::optional<std::string> listed(store::Session& session);
    static std::optional<StoredConfig> find(store::Session& session, std::string_view slug);
    static void lock(store::Transaction& tx);  // until its end no other transaction saves one
    static void save(store::Transaction& tx, std::string_view slug, const StoredConfig& stored, Instant now);
};

}  // namespace svc::payment
