// SQL of the licence.
#include "pro/license/repository.hpp"

namespace svc::pro::license {
namespace {

// What the sealed texts are bound to.
constexpr std::string_view key_place = "svc_license/1/license_key", answer_place = "svc_license/1/server_response";

}  // namespace

std::optional<License> Repository::load(store::Session& session) const {
    return session.first<License>(
        "SELECT site_id, license_key, status, last_checked_at, expires_at, customer_name, customer_email,"
        " license_limit, site_count, activations_left, price_id, plan_name, plan_tier, is_lifetime, server_response"
        " FROM svc_license WHERE id = 1",
        "tttiittiiiittit", {}, [&](const store::Row& row) {
            License license{.site_id = row.text(0), .key = {}, .terms = {}};
            if (auto key = secrets_.open(row.text(1), key_place))
                license.key = std::move(*key);
            license.terms = {.status = row.text(2),
                             .expires_at = row.maybe_instant(4),
                             .customer_name = row.text(5),
                             .customer_email = row.text(6),
                             .license_limit = row.maybe_integer(7),
                             .site_count = row.maybe_integer(8),
                             .activations_left = row.maybe_integer(9),
                             .price_id = row.maybe_integer(10),
                             .plan_name = row.text(11),
                             .plan_tier = row.maybe_text(12).value_or(""),
                             .is_lifetime = row.flag(13)};
            license.last_checked_at = row.maybe_instant(3);
            if (!row.is_null(14))
                if (auto answer = secrets_.open(row.text(14), answer_place))
                    license.server_answer = std::move(*answer);
            return license;
        });
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
        " server_response, created_at, updated_at)"
        " VALUES (1, :site_id, :license_key, :status, :last_checked_at, :expires_at, :customer_name, :customer_email,"
        " :license_limit, :site_count, :activations_left, :price_id, :plan_name, :plan_tier, :is_lifetime,"
        " :server_response, :created_at, :updated_at)"
        " ON CONFLICT (id) DO UPDATE SET license_key = excluded.license_key, status = excluded.status,"
        " last_checked_at = excluded.last_checked_at, expires_at = excluded.expires_at,"
        " customer_name = excluded.customer_name, customer_email = excluded.customer_email,"
        " license_limit = excluded.license_limit, site_count = excluded.site_count,"
        " activations_left = excluded.activations_left, price_id = excluded.price_id,"
        " plan_name = excluded.plan_name, plan_tier = excluded.plan_tier, is_lifetime = excluded.is_lifetime,"
        " server_response = excluded.server_response, updated_at = excluded.updated_at",
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
         {"created_at", now},
         {"updated_at", now}});
}

}  // namespace svc::pro::license
