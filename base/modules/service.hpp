// Modules kept in memory and in svc_modules.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>

#include "base/modules/modules.hpp"
#include "base/platform/crypto/crypto.hpp"
#include "shared/core/date.hpp"
#include "shared/hooks/hooks.hpp"

namespace svc::modules {

inline const hooks::Action module_active{
    "svc_module_active", "3.0.0", "A module was enabled. Not fired at start-up.", {"slug"}};
inline const hooks::Action module_deactive{"svc_module_deactive", "3.0.0", "A module was disabled.", {"slug"}};
inline const hooks::Action module_settings_updated{
    "svc_pro_module_settings_updated", "3.0.0", "A module's settings were saved.", {"slug"}};

class Service final : public Modules {
  public:
    Service(store::Store& store, hooks::Hooks& hooks, const crypto::Keyring& keyring, const Clock& clock);

    void declare(Module module) override;
    [[nodiscard]] std::vector<Module> all() const override { return declared_; }
    [[nodiscard]] bool enabled(std::string_view slug) const override;
    Result<void> toggle(std::string_view slug, bool on, std::int64_t user_id) override;
    [[nodiscard]] Result<json::Value> settings(std::string_view slug) const override;

    // As settings, secrets masked.
    [[nodiscard]] Result<json::Value> shown_settings(std::string_view slug) const;
    struct Written {
        json::Value settings;  // masked
        std::vector<std::string> rejected_keys;
    };
    Result<Written> write_settings(std::string_view slug, const json::Value& values, std::int64_t user_id);
    [[nodiscard]] const Module* find(std::string_view slug) const;

    // Prepares the storage of enabled modules (a newer plugin may bring steps), then reads the rows. [start-up]
    // A module that cannot be prepared is off until the next start, and logged.
    void start();
    void reload();

  private:
    struct State {
        bool enabled = false;
        json::Value settings = json::Value::object();  // as stored, secrets sealed
    };
    using Snapshot = std::map<std::string, State, std::less<>>;
    [[nodiscard]] Result<json::Value> opened(const Module& module, const State& state) const;
    [[nodiscard]] Result<void> prepare(const Module& module);

    store::Store& store_;
    hooks::Hooks& hooks_;
    const crypto::Keyring& keyring_;
    const Clock& clock_;
    std::vector<Module> declared_;
    std::vector<std::string> unprepared_;
    std::atomic<std::shared_ptr<const Snapshot>> snapshot_;
    std::mutex reloading_;
    std::mutex preparing_;
};

}  // namespace svc::modules
