// SQL of the licence.
#include "pro/license/repository.hpp"

#include "shared/store/typed.hpp"

namespace svc::pro::license {
namespace {

// The context of the encrypted texts.
constexpr std::string_view key_place = "svc_license/1/license_key", answer_place = "svc_license/1/server_response";

}  // namespace

const std::vector<store::SealedColumn>& sealed_columns() {
    static const std::vector<store::SealedColumn> all{
        {.table = "svc_license", .column = "license_key", .bound_to = "'svc_license/1/license_key'"},
        {.table = "svc_license", .column = "server_response", .bound_to = "'svc_license/1/server_response'"},
        {.table = "svc_evaluation", .column = "seal", .bound_to = "'svc_evaluation/1/seal'"}};
    return all;
}

std::optional<License> Repository::load(store::Session& session) const {
    using Text = std::string;
    using Number = std::optional<std::int64_t>;
    using Moment = std::optional<Instant>;
    auto row = store::tuple<Text, Text, std::optional<Instant>, std::optional<Text>, Text, std::optional<Instant>, Text,
                            Text, Number, Number, Number, Number, Text, Text, bool, Text, Moment, Moment>(
        session,
        "SELECT site_id, license_key, last_checked_at, server_response, status, expires_at, customer_name,"
        " customer_email, license_limit, site_count, activations_left, price_id, plan_name, COALESCE(plan_tier, ''),"
        " is_lifetime, key_origin, unreached_since, lost_at FROM svc_license WHERE id = 1",
        {});
    if (!row)
        return std::nullopt;
    auto& [site_id, sealed_key, last_checked_at, answer, status, expires_at, name, email, limit, sites, left, price,
           plan, tier, is_lifetime, key_origin, unreached_since, lost_at] = *row;
    License license{.site_id = site_id, .key = {}, .key_origin = key_origin, .terms = {}};
    if (auto key = secrets_.open(sealed_key, key_place))
        license.key = std::move(*key);
    license.terms = {.status = status,
                     .expires_at = expires_at,
                     .customer_name = name,
                     .customer_email = email,
                     .license_limit = limit,
                     .site_count = sites,
                     .activations_left = left,
                     .price_id = price,
                     .plan_name = plan,
                     .plan_tier = tier,
                     .is_lifetime = is_lifetime};
    license.last_checked_at = last_checked_at;
    license.unreached_since = unreached_since;
    license.lost_at = lost_at;
    if (answer)
        if (auto opened = secrets_.open(*answer, answer_place))
            license.server_answer = std::move(*opened);
    return license;
}

void Repository::save(store::Transaction& tx, const License& license, Instant now) const {
    const auto& terms = license.terms;
    const auto maybe = [](const std::string& text) { return text.empty() ? std::nullopt : std::optional(text); };
    const auto answer = license.server_answer.empty()
                            ? std::nullopt
                            : std::optional(secrets_.seal(license.server_answer, answer_place));
    tx.run(
        "INSERT INTO svc_license (id, site_id, license_key, status, last_checked_at, expires_at, customer_name,"
        " customer_email, license_limit, site_count, activations_left, price_id, plan_name, plan_tier, is_lifetime,"
        " server_response, key_origin, unreached_since, lost_at, created_at, updated_at)"
        " VALUES (1, :site_id, :license_key, :status, :last_checked_at, :expires_at, :customer_name, :customer_email,"
        " :license_limit, :site_count, :activations_left, :price_id, :plan_name, :plan_tier, :is_lifetime,"
        " :server_response, :key_origin, :unreached_since, :lost_at, :created_at, :updated_at)"
        " ON CONFLICT (id) DO UPDATE SET license_key = excluded.license_key, status = excluded.status,"
        " last_checked_at = excluded.last_checked_at, expires_at = excluded.expires_at,"
        " customer_name = excluded.customer_name, customer_email = excluded.customer_email,"
        " license_limit = excluded.license_limit, site_count = excluded.site_count,"
        " activations_left = excluded.activations_left, price_id = excluded.price_id,"
        " plan_name = excluded.plan_name, plan_tier = excluded.plan_tier, is_lifetime = excluded.is_lifetime,"
        " server_response = excluded.server_response, key_origin = excluded.key_origin,"
        " unreached_since = excluded.unreached_since, lost_at = excluded.lost_at,"
        " updated_at = excluded.updated_at",
        {{"site_id", license.site_id},
         {"license_key", secrets_.seal(license.key, key_place)},
         {"status", terms.status},
         {"last_checked_at", license.last_checked_at},
         {"expires_at", terms.expires_at},
         {"customer_name", terms.customer_name},
         {"customer_email", terms.customer_email},
         {"license_limit", terms.license_limit},
         {"site_count", terms.site_count},
         {"activations_left", terms.activations_left},
         {"price_id", terms.price_id},
         {"plan_name", terms.plan_name},
         {"plan_tier", maybe(terms.plan_tier)},
         {"is_lifetime", terms.is_lifetime},
         {"server_response", answer},
         {"key_origin", license.key_origin},
         {"unreached_since", license.unreached_since},
         {"lost_at", license.lost_at},
         {"created_at", now},
         {"updated_at", now}});
}

void Repository::lock(store::Transaction& tx) { tx.run("UPDATE svc_license SET id = id WHERE id = 1", {}); }

void Repository::note_silence(store::Transaction& tx, Instant now) {
    tx.run("UPDATE svc_license SET unreached_since = :now WHERE id = 1 AND unreached_since IS NULL", {{"now", now}});
}

}  // namespace svc::pro::license
