// How the database stores settings: secrets sealed, each for its own key's row alone.
#include "base/settings/values/repository.hpp"
#include "base/settings/values/site_settings.hpp"

namespace svc::settings {
namespace {

constexpr json::Limits stored_limits{.depth = 64, .elements = 100'000, .text = 1 << 20};

std::string place_of(std::string_view key) { return "svc_settings/value/" + std::string(key); }

}  // namespace

// Nothing for unreadable values: a damaged row, a value that an older release allowed, another installation's seal.
std::optional<json::Value> SiteSettings::unseal(const Setting& setting, const std::string& stored) const {
    auto value = json::parse(stored, stored_limits);
    if (value && setting.secret) {
        if (!value->is_string())
            return std::nullopt;
        auto secret = keyring_->open(value->text(), place_of(setting.key));
        if (!secret)
            return std::nullopt;
        value = json::Value(std::move(*secret));
    }
    if (!value)
        return std::nullopt;
    auto clean = setting.type.check(*value, setting.key);
    if (!clean || (setting.also_checks && !setting.also_checks(*clean)))
        return std::nullopt;
    return std::move(*clean);
}

std::string SiteSettings::sealed(std::string_view key, std::string_view secret) const {
    return keyring_->seal(secret, place_of(key));
}

Result<std::int64_t> SiteSettings::renew_sealed() {
    return store_.transact<std::int64_t>([&](store::Transaction& tx) -> Result<std::int64_t> {
        std::vector<std::pair<std::string, std::string>> renewed;
        repository::each(tx, [&](const std::string& key, const std::string& stored) {
            const Setting* setting = find(key);
            const auto value = setting && setting->secret ? json::parse(stored, stored_limits) : json::Value();
            if (value && value->is_string())
                if (auto text = keyring_->renewed(value->text(), place_of(key)))
                    renewed.emplace_back(key, json::Value(std::move(*text)).dump());
        });
        for (const auto& [key, value] : renewed)
            repository::put(tx, key, value, true, 0, clock_.now());
        return std::ssize(renewed);
    });
}

}  // namespace svc::settings
