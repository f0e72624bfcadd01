// Small stand-ins for what a plugin registers with: they keep what they are given and follow the contracts' words.
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/modules/modules.hpp"
#include "base/platform/jobs/jobs.hpp"
#include "base/settings/values/settings.hpp"
#include "shared/core/log.hpp"
#include "shared/hooks/hooks.hpp"

namespace svc::tests {

struct FakeModules final : modules::Modules {
    std::vector<modules::Module> declared;
    std::set<std::string, std::less<>> on;
    void declare(modules::Module module) override { declared.push_back(std::move(module)); }
    [[nodiscard]] std::vector<modules::Module> all() const override { return declared; }
    [[nodiscard]] bool enabled(std::string_view slug) const override { return on.contains(slug); }
    Result<void> toggle(std::string_view slug, bool turn_on, std::int64_t) override {
        for (const auto& module : declared) {
            if (module.slug != slug)
                continue;
            if (turn_on && module.prepare)
                if (auto prepared = module.prepare(); !prepared)
                    return prepared;
            if (turn_on)
                on.emplace(slug);
            else
                on.erase(std::string(slug));
            return {};
        }
        return errc::not_found;
    }
    [[nodiscard]] Result<json::Value> settings(std::string_view slug) const override {
        for (const auto& module : declared)
            if (module.slug == slug)
                return json::Value::object();
        return errc::not_found;
    }
};

struct FakeHooks final : hooks::Hooks {
    struct Fired {
        std::string name;
        json::Array arguments;
    };
    const FakeModules& modules;
    std::vector<hooks::Action> declared_actions;
    std::vector<hooks::Filter> declared_filters;
    std::multimap<std::string, std::pair<hooks::Listener, hooks::ActionCall>, std::less<>> listeners;
    std::multimap<std::string, std::pair<hooks::Listener, hooks::FilterCall>, std::less<>> filter_listeners;
    std::vector<Fired> fired;
    int failures = 0;  // listeners that threw

    explicit FakeHooks(const FakeModules& m) : modules(m) {}
    void declare(const hooks::Action& action) override { declared_actions.push_back(action); }
    void declare(const hooks::Filter& filter) override { declared_filters.push_back(filter); }
    [[nodiscard]] std::vector<hooks::Action> actions() const override { return declared_actions; }
    [[nodiscard]] std::vector<hooks::Filter> filters() const override { return declared_filters; }
    [[nodiscard]] bool knows(std::string_view name) const override {
        const auto same = [&](const auto& hook) { return hook.name == name; };
        return std::any_of(declared_actions.begin(), declared_actions.end(), same) ||
               std::any_of(declared_filters.begin(), declared_filters.end(), same);
    }
    Result<void> on(std::string_view action, hooks::Listener listener, hooks::ActionCall call) override {
        if (!knows(action))
            return errc::not_found;
        listeners.emplace(action, std::pair(std::move(listener), std::move(call)));
        return {};
    }
    Result<void> filter(std::string_view name, hooks::Listener listener, hooks::FilterCall call) override {
        if (!knows(name))
            return errc::not_found;
        filter_listeners.emplace(name, std::pair(std::move(listener), std::move(call)));
        return {};
    }
    void emit(store::Transaction& tx, const hooks::Action& action, json::Array arguments) override {
        tx.after_commit([this, name = std::string(action.name), arguments = std::move(arguments)] {
            fired.push_back({name, arguments});
            const auto [from, to] = listeners.equal_range(name);
            for (auto at = from; at != to; ++at)
                try {
                    if (at->second.first.module.empty() || modules.enabled(at->second.first.module))
                        at->second.second(arguments);
                } catch (...) {
                    ++failures;
                }
        });
    }
    json::Value apply(const hooks::Filter& filter, json::Value value, json::Array arguments,
                      store::Transaction* tx) const override {
        const auto [from, to] = filter_listeners.equal_range(filter.name);
        for (auto at = from; at != to; ++at) {
            json::Array all{value};
            all.insert(all.end(), arguments.begin(), arguments.end());
            try {
                auto changed = at->second.second(tx, all);
                if (changed.kind() == filter.value)
                    value = std::move(changed);
            } catch (const store::Retryable&) {
                throw;
            } catch (...) {
            }
        }
        return value;
    }
};

struct FakeSettings final : settings::Settings {
    std::vector<settings::Setting> declared;
    std::map<std::string, json::Value, std::less<>> values;
    void declare(settings::Setting setting) override { declared.push_back(std::move(setting)); }
    [[nodiscard]] std::vector<settings::Setting> all() const override { return declared; }
    [[nodiscard]] json::Value get(std::string_view key) const override {
        if (const auto stored = values.find(key); stored != values.end())
            return stored->second;
        for (const auto& setting : declared)
            if (setting.key == key)
                return setting.initial;
        throw std::logic_error("an undeclared setting");
    }
    [[nodiscard]] Zone zone() const override { return Zone::utc(); }
    [[nodiscard]] Currency currency() const override { return Currency::usd(); }
    Result<Written> write(const json::Value& given, std::int64_t) override {
        Written written;
        for (const auto& [key, value] : given.members()) {
            const auto known = std::find_if(declared.begin(), declared.end(),
                                            [&, &name = key](const auto& setting) { return setting.key == name; });
            if (known == declared.end()) {
                written.rejected_keys.push_back(key);
                continue;
            }
            if (auto checked = known->type.check(value, key); !checked)
                return checked.error();
            values[key] = value;
            written.updated.push_back(key);
        }
        return written;
    }
    Result<Written> write(store::Transaction&, const json::Value& given, std::int64_t user_id) override {
        return write(given, user_id);
    }
};

struct FakeJobs final : jobs::Jobs {
    std::vector<jobs::Job> added;
    std::vector<std::string> woken;
    void add(jobs::Job job) override { added.push_back(std::move(job)); }
    void start() override {}
    void stop() override {}
    void wake(const std::string& name) override { woken.push_back(name); }
    Result<json::Value> run_now(const std::string& name) override {
        for (const auto& job : added)
            if (job.name == name)
                return job.run(Instant::parse("2026-05-04T10:00:00Z").value());
        return errc::not_found;
    }
    [[nodiscard]] std::vector<jobs::Job> all() const override { return added; }
};

}  // namespace svc::tests
