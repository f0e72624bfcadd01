// SQL of gateways' configuration.
#include "base/sales/payment/gateways/repository.hpp"

#include "shared/store/read_rows.hpp"

namespace svc::payment {

std::optional<StoredConfig> GatewayRepository::find(store::Session& session, std::string_view slug) {
    return store::first_row(session, "SELECT is_enabled, config FROM svc_payment_gateways WHERE slug = :slug",
                            {{"slug", slug}}, [](bool is_enabled, const std::string& config) {
                                return StoredConfig{.enabled = is_enabled, .config = config};
                            });
}

std::optional<std::string> GatewayRepository::listed(store::Session& session) {
    return store::first_row(session, "SELECT value FROM svc_settings WHERE key = 'payment_gateways'", {},
                            [](const std::string& value) { return value; });
}

void GatewayRepository::lock(store::Transaction& tx) {
    if (tx.dialect() == store::Dialect::postgresql)
        tx.each("SELECT CAST(pg_advisory_xact_lock(7381920471) AS TEXT)", "t", {}, [](const store::Row&) {});
}

void GatewayRepository::save(store::Transaction& tx, std::string_view slug, const StoredConfig& stored, Instant now) {
    tx.run(
        "INSERT INTO svc_payment_gateways (slug, is_enabled, config, updated_at)"
        " VALUES (:slug, :is_enabled, :config, :now) ON CONFLICT (slug) DO UPDATE SET"
        " is_enabled = excluded.is_enabled, config = excluded.config, updated_at = excluded.updated_at",
        {{"slug", slug}, {"is_enabled", stored.enabled}, {"config", stored.config}, {"now", now}});
}

}  // namespace svc::payment
