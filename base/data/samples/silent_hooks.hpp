// Hooks without actions: filters price and check as usual, and no action is written.
#pragma once

#include "shared/hooks/hooks.hpp"

namespace svc::samples {

// Over the real ones, which outlive it. Any thread.
class SilentHooks final : public hooks::Hooks {
  public:
    explicit SilentHooks(hooks::Hooks& real) : real_(real) {}

    void declare(const hooks::Action& action) override { real_.declare(action); }
    void declare(const hooks::Filter& filter) override { real_.declare(filter); }
    Result<void> on(std::string_view action, hooks::Listener listener, hooks::ActionCall call) override {
        return real_.on(action, std::move(listener), std::move(call));
    }
    Result<void> filter(std::string_view name, hooks::Listener listener, hooks::FilterCall call) override {
        return real_.filter(name, std::move(listener), std::move(call));
    }
    [[nodiscard]] bool knows(std::string_view name) const override { return real_.knows(name); }
    void emit(store::Transaction& /*tx*/, const hooks::Action& /*action*/, json::Array /*arguments*/) override {}
    [[nodiscard]] json::Value apply(const hooks::Filter& filter, json::Value value, json::Array arguments,
                                    store::Transaction* tx) const override {
        return real_.apply(filter, std::move(value), std::move(arguments), tx);
    }
    [[nodiscard]] std::int64_t event_id() const override { return real_.event_id(); }
    [[nodiscard]] std::vector<hooks::Action> actions() const override { return real_.actions(); }
    [[nodiscard]] std::vector<hooks::Filter> filters() const override { return real_.filters(); }

  private:
    hooks::Hooks& real_;
};

}  // namespace svc::samples
