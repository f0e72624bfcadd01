// What may be seen of a licence.
#include "pro/license/license.hpp"

namespace svc::pro::license {
namespace {

// A server out of reach must not turn a paying customer's licence off on the day it is renewed.
std::string status_now(const Terms& terms, Instant now) {
    const bool is_over = terms.expires_at && now > terms.expires_at->plus(grace);
    return std::string(terms.status == status::active && is_over ? status::expired : terms.status);
}

}  // namespace

std::string masked(std::string_view key) {
    constexpr std::size_t shown = 4;
    if (key.empty())
        return {};
    return "****" + std::string(key.size() >= 2 * shown ? key.substr(key.size() - shown) : std::string_view());
}

json::Value shown(const License& license, Instant now) {
    const auto& terms = license.terms;
    const auto plan =
        json::Value::object({{"name", terms.plan_name},
                             {"tier", terms.plan_tier.empty() ? json::Value() : json::Value(terms.plan_tier)},
                             {"is_lifetime", terms.is_lifetime}});
    return json::Value::object({{"key", masked(license.key)},
                                {"status", status_now(terms, now)},
                                {"last_checked", license.last_checked_at},
                                {"expires", terms.expires_at},
                                {"license_limit", terms.license_limit},
                                {"site_count", terms.site_count},
                                {"activations_left", terms.activations_left},
                                {"plan", plan}});
}

}  // namespace svc::pro::license
