// SQL of gateways' configuration.
#include "base/payment/gateways/repository.hpp"

namespace svc::payment {

std::optional<StoredConfig> GatewayRepository::find(store::Session& session, std::string_view slug) {
    return session.first<StoredConfig>(
        "SELECT is_enabled, config FROM svc_payment_gateways WHERE slug = :slug", "it", {{"slug", slug}},
        [](const store::Row& row) { return StoredConfig{.enabled = row.flag(0), .config = row.text(1)}; });
}

std::optional<std::string> GatewayRepository::listed(store::Session& session) {
    return session.first<std::string>("SELECT value FROM svc_settings WHERE key = 'payment_gateways'", "t", {},
                                      [](const store::Row& row) { return row.text(0); });
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
