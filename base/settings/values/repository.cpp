// Rows of svc_settings.
#include "base/settings/values/repository.hpp"

#include "shared/store/typed.hpp"

namespace svc::settings::repository {

void each(store::Session& session, const std::function<void(const std::string& key, const std::string& value)>& take) {
    for (const auto& [key, value] :
         store::tuples<std::string, std::string>(session, "SELECT key, value FROM svc_settings"))
        take(key, value);
}

std::optional<std::string> value_of(store::Session& session, std::string_view key) {
    return store::value<std::string>(session, "SELECT value FROM svc_settings WHERE key = :key", {{"key", key}});
}

std::optional<std::string> locked(store::Session& tx, std::string_view key) {
    // An update that changes nothing is the lock that both databases know.
    return store::value<std::string>(
        tx, "UPDATE svc_settings SET updated_at = updated_at WHERE key = :key RETURNING value", {{"key", key}});
}

void put(store::Transaction& tx, std::string_view key, std::string_view value, bool is_secret, std::int64_t user_id,
         Instant now) {
    tx.run(
        "INSERT INTO svc_settings (key, value, is_secret, updated_by, created_at, updated_at)"
        " VALUES (:key, :value, :is_secret, :user_id, :now, :now)"
        " ON CONFLICT (key) DO UPDATE SET value = excluded.value, is_secret = excluded.is_secret,"
        " updated_by = excluded.updated_by, updated_at = excluded.updated_at",
        {{"key", key},
         {"value", value},
         {"is_secret", is_secret},
         {"user_id", user_id > 0 ? std::optional(user_id) : std::nullopt},
         {"now", now}});
}

}  // namespace svc::settings::repository
