// Rows of svc_modules.
#include "base/modules/repository.hpp"

#include "shared/store/typed.hpp"

namespace svc::modules::repository {
namespace {

void make_row(store::Transaction& tx, std::string_view slug, Instant now) {
    tx.run(
        "INSERT INTO svc_modules (slug, created_at, updated_at) VALUES (:slug, :now, :now)"
        " ON CONFLICT (slug) DO NOTHING",
        {{"slug", slug}, {"now", now}});
}

}  // namespace

void each(store::Session& session, const std::function<void(Stored)>& take) {
    for (Stored& stored : store::structs<Stored, std::string, bool, std::string, std::optional<Instant>>(
             session, "SELECT slug, enabled, settings, enabled_at FROM svc_modules"))
        take(std::move(stored));
}

std::map<std::string, Instant, std::less<>> changed_at(store::Session& session) {
    std::map<std::string, Instant, std::less<>> moments;
    for (const auto& [slug, at] :
         store::tuples<std::string, std::optional<Instant>>(session, "SELECT slug, updated_at FROM svc_modules"))
        if (at)
            moments.emplace(slug, *at);
    return moments;
}

bool set_enabled(store::Transaction& tx, std::string_view slug, bool on, std::int64_t user_id, Instant now) {
    make_row(tx, slug, now);
    return tx.run(
               "UPDATE svc_modules SET enabled = :is_on, enabled_at = CASE WHEN :is_on = 1 THEN :now ELSE enabled_at"
               " END, enabled_by = CASE WHEN :is_on = 1 THEN CAST(:user_id AS BIGINT) ELSE enabled_by END,"
               " updated_at = :now WHERE slug = :slug AND enabled <> :is_on",
               {{"is_on", on},
                {"now", now},
                {"user_id", user_id > 0 ? std::optional(user_id) : std::nullopt},
                {"slug", slug}}) > 0;
}

bool holds_enabled(store::Transaction& tx, std::string_view slug) {
    // An update that changes nothing is the lock that both databases know.
    return tx.run("UPDATE svc_modules SET updated_at = updated_at WHERE slug = :slug AND enabled = 1",
                  {{"slug", slug}}) > 0;
}

std::string settings_for_update(store::Transaction& tx, std::string_view slug, Instant now) {
    make_row(tx, slug, now);
    return store::value<std::string>(tx,
                                     "UPDATE svc_modules SET updated_at = :now WHERE slug = :slug RETURNING settings",
                                     {{"now", now}, {"slug", slug}})
        .value();
}

void put_settings(store::Transaction& tx, std::string_view slug, std::string_view settings, Instant now) {
    tx.run("UPDATE svc_modules SET settings = :settings, updated_at = :now WHERE slug = :slug",
           {{"settings", settings}, {"now", now}, {"slug", slug}});
}

}  // namespace svc::modules::repository
