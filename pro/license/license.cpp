// The public view of a licence.
#include "pro/license/license.hpp"

#include <algorithm>
#include <array>
#include <random>

#include "shared/core/ascii.hpp"
#include "shared/plugin/pro_modules.hpp"

namespace svc::pro::license {
namespace {

constexpr std::array<std::string_view, 3> tiers{"personal", "growth", "agency"};

// An unknown plan ranks above all known ones.
auto rank(std::string_view plan) { return std::find(tiers.begin(), tiers.end(), plan); }

}  // namespace

std::string random_id() {
    std::random_device device;
    std::string id;
    for (int i = 0; i < 32; ++i)
        id.push_back(ascii::hex_digits[device() % ascii::hex_digits.size()]);
    return id;
}

// A server out of reach must not turn a paying customer's licence off on the day it is renewed.
std::string status_at(const Terms& terms, Instant now) {
    const bool is_over = terms.expires_at && now > terms.expires_at->plus(grace);
    return std::string(terms.status == status::active && is_over ? status::expired : terms.status);
}

bool was_activated(const License& license) {
    return license.terms.status == status::active || license.terms.status == status::expired;
}

std::vector<std::string> beyond_plan(const License& license, const std::function<bool(std::string_view)>& is_on,
                                     Instant now) {
    std::vector<std::string> slugs;
    for (const plugin::ProModule& module : plugin::pro_modules)
        if (is_on(module.slug) && !covers(license, module.plan, now))
            slugs.emplace_back(module.slug);
    return slugs;
}

bool covers(const License& license, std::string_view plan, Instant now) {
    if (plan == "free")
        return true;
    // An active licence without a plan has the lowest one sold.
    const auto held = rank(license.terms.plan_tier.empty() ? tiers.front() : license.terms.plan_tier);
    return status_at(license.terms, now) == status::active && held != tiers.end() && rank(plan) <= held;
}

json::Value covered(const License& license, const json::Value& modules, Instant now) {
    auto listed = json::Value::array();
    for (const auto& module : modules.items())
        if (covers(license, module.text_or("plan"), now))
            listed.push(module);
    return listed;
}

std::string masked(std::string_view key) {
    constexpr std::size_t shown = 4;
    if (key.empty())
        return {};
    return "****" + std::string(key.size() >= 2 * shown ? key.substr(key.size() - shown) : std::string_view());
}

json::Value to_json(const License& license, Instant now) {
    const auto& terms = license.terms;
    const auto plan =
        json::Value::object({{"name", terms.plan_name},
                             {"tier", terms.plan_tier.empty() ? json::Value() : json::Value(terms.plan_tier)},
                             {"is_lifetime", terms.is_lifetime}});
    return json::Value::object({{"key", masked(license.key)},
                                {"status", status_at(terms, now)},
                                {"last_checked", license.last_checked_at},
                                {"expires", terms.expires_at},
                                {"license_limit", terms.license_limit},
                                {"site_count", terms.site_count},
                                {"activations_left", terms.activations_left},
                                {"plan", plan}});
}

}  // namespace svc::pro::license
