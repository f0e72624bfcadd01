// Settings in memory, without a database: what was declared, and what the test set.
#pragma once

#include <map>
#include <stdexcept>

#include "base/settings/values/settings.hpp"

namespace svc::tests {

class PlainSettings final : public settings::Settings {
  public:
    void declare(settings::Setting setting) override {
        if (!declared_.emplace(setting.key, setting).second)
            throw std::logic_error("declared twice: " + setting.key);
    }
    void set(const std::string& key, json::Value value) { values_[key] = std::move(value); }

    [[nodiscard]] std::vector<settings::Setting> all() const override {
        std::vector<settings::Setting> all;
        for (const auto& [key, setting] : declared_)
            all.push_back(setting);
        return all;
    }
    [[nodiscard]] json::Value get(std::string_view key) const override {
        const auto setting = declared_.find(key);
        if (setting == declared_.end())
            throw std::logic_error("undeclared: " + std::string(key));
        const auto value = values_.find(key);
        return value == values_.end() ? setting->second.initial : value->second;
    }
    [[nodiscard]] Zone zone() const override { return Zone::utc(); }
    [[nodiscard]] Currency currency() const override { return Currency::usd(); }
    Result<Written> write(const json::Value&, std::int64_t) override { return errc::unavailable; }
    Result<Written> write(store::Transaction&, const json::Value&, std::int64_t) override { return errc::unavailable; }

  private:
    std::map<std::string, settings::Setting, std::less<>> declared_;
    std::map<std::string, json::Value, std::less<>> values_;
};

}  // namespace svc::tests
