// SQL of modules.
#include "base/modules/repository.hpp"

namespace svc::modules {

void Repository::each(
    store::Session& session,
    const std::function<void(const std::string& slug, bool enabled, const std::string& settings)>& take) {
    session.each("SELECT slug, enabled, settings FROM svc_modules ORDER BY slug", "tit", {},
                 [&](const store::Row& row) { take(row.text(0), row.flag(1), row.text(2)); });
}

bool Repository::set_enabled(store::Transaction& tx, std::string_view slug, bool enabled, Instant now) {
    tx.run("INSERT INTO svc_modules (slug, enabled, updated_at) VALUES (:slug, 0, :now) ON CONFLICT (slug) DO NOTHING",
           {{"slug", slug}, {"now", now}});
    return tx.run(
               "UPDATE svc_modules SET enabled = :enabled, enabled_at = :enabled_at,"
               " updated_at = :now WHERE slug = :slug AND enabled <> :enabled_now",
               {{"enabled", enabled},
                {"enabled_at", enabled ? std::optional(now) : std::nullopt},
                {"now", now},
                {"slug", slug},
                {"enabled_now", enabled}}) == 1;
}

void Repository::save_settings(store::Transaction& tx, std::string_view slug, const std::string& settings,
                               Instant now) {
    tx.run(
        "INSERT INTO svc_modules (slug, enabled, settings, created_at, updated_at)"
        " VALUES (:slug, 0, :settings, :created_at, :now)"
        " ON CONFLICT (slug) DO UPDATE SET settings = excluded.settings, updated_at = excluded.updated_at",
        {{"slug", slug}, {"settings", settings}, {"created_at", now}, {"now", now}});
}

}  // namespace svc::modules
