// Hooks that remember what was emitted and let a test answer filters; nothing is dispatched.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "shared/hooks/hooks.hpp"

namespace svc::tests {

// Any thread. What is emitted counts once its transaction has committed.
class RecordingHooks final : public hooks::Hooks {
  public:
    void declare(const hooks::Action& action) override { actions_.push_back(action); }
    void declare(const hooks::Filter& filter) override { filters_.push_back(filter); }
    Result<void> on(std::string_view, hooks::Listener, hooks::ActionCall) override { return {}; }
    Result<void> filter(std::string_view, hooks::Listener, hooks::FilterCall) override { return {}; }
    [[nodiscard]] bool knows(std::string_view name) const override {
        for (const auto& action : actions_)
            if (action.name == name)
                return true;
        return false;
    }
    void emit(store::Transaction& tx, const hooks::Action& action, json::Array arguments) override {
        tx.after_commit([this, name = std::string(action.name), text = json::Value(std::move(arguments)).dump()] {
            const std::lock_guard lock(mutex_);
            emitted_.push_back(name + text);
        });
    }
    json::Value apply(const hooks::Filter& filter, json::Value value, json::Array, store::Transaction*) const override {
        const auto answer = answers.find(std::string(filter.name));
        return answer == answers.end() ? value : answer->second;
    }
    [[nodiscard]] std::vector<hooks::Action> actions() const override { return actions_; }
    [[nodiscard]] std::vector<hooks::Filter> filters() const override { return filters_; }

    // "svc_module_active[\"webhooks\"]", in order; emptied by the call.
    std::vector<std::string> emitted() {
        const std::lock_guard lock(mutex_);
        return std::exchange(emitted_, {});
    }
    std::map<std::string, json::Value> answers;  // by filter

  private:
    std::mutex mutex_;
    std::vector<std::string> emitted_;
    std::vector<hooks::Action> actions_;
    std::vector<hooks::Filter> filters_;
};

}  // namespace svc::tests
