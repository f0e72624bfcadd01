// The modules of this installation: which are on, and their settings, in memory and in the database.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <set>

#include "base/modules/modules.hpp"
#include "base/platform/crypto/crypto.hpp"
#include "shared/hooks/hooks.hpp"

namespace svc::modules {

// The channel of store::ChangeFeed for toggles and settings; subscribers call reload().
inline constexpr std::string_view changes_channel = "modules";

class SiteModules final : public Modules {
  public:
    // `available` returns whether the edition has the module; empty: every one without requires_pro. The filter
    // svc_pro_available_modules limits these to the licence's plan.
    SiteModules(store::Store& store, std::shared_ptr<const crypto::Keyring> keyring, hooks::Hooks& hooks,
                const Clock& clock, std::function<bool(const Module&)> available = {});
    ~SiteModules() override;
    void set_available(std::function<bool(const Module&)> available) {
        available_ = std::move(available);
    }  // [start-up]

    void declare(Module module) override;

    // Reads the stored state. Once after the declarations, then whenever the channel reports a change; until the first
    // call every module is disabled. Throws store::Unavailable and keeps the previous state.
    void reload();
    // Runs `prepare` of every enabled module, so that its storage is that of this release. One that cannot be prepared
    // is logged and off in this process, and the others serve on. [start-up, after reload]
    void prepare_enabled();

    [[nodiscard]] std::vector<Module> all() const override;
    [[nodiscard]] const Module* find(std::string_view slug) const;
    // The modules that may be turned on, by slug. Asks the licence, so it may read the database.
    [[nodiscard]] std::set<std::string, std::less<>> available() const;
    // As listeners see it too.
    [[nodiscard]] bool enabled(std::string_view slug) const override;
    // The stored state, for listeners that must not be called about their own: whether they are disabled themselves.
    // Off after the end that svc_pro_modules_end names.
    [[nodiscard]] bool is_on(std::string_view slug) const;
    // Turns on what listeners want on a fresh installation. [start-up, after prepare_enabled]
    void turn_on_defaults();
    [[nodiscard]] std::optional<Instant> enabled_at(std::string_view slug) const;

    // svc_not_found; 403 module_not_available without the edition, the plan or a module it depends on. Disabling a
    // module disables those that depend on it. Nothing happens, and nothing is fired, when it is so already.
    Result<void> toggle(std::string_view slug, bool on, std::int64_t user_id) override;

    [[nodiscard]] Result<json::Value> settings(std::string_view slug) const override;
    [[nodiscard]] Result<json::Value> shown_settings(std::string_view slug) const;  // secrets masked

    struct Written {
        json::Value settings;  // as shown
        std::vector<std::string> rejected_keys;
    };
    // All or nothing, only declared names; a masked secret keeps its stored value.
    Result<Written> write_settings(std::string_view slug, const json::Value& values);
    // Encrypts values of other keys with the key in use; returns how many.
    Result<std::int64_t> renew_sealed();

  private:
    struct State {
        bool enabled = false;
        std::optional<Instant> enabled_at;
        json::Value settings = json::Value::object();  // opened, as stored: without defaults
        std::optional<Instant> ends_at = {};           // from when on it is off all the same; its data stays
    };
    struct Snapshot {
        std::map<std::string, State, std::less<>> states;
        [[nodiscard]] const State* find(std::string_view slug) const {
            const auto found = states.find(slug);
            return found == states.end() ? nullptr : &found->second;
        }
    };
    [[nodiscard]] std::shared_ptr<const Snapshot> snapshot() const;
    [[nodiscard]] Error needs(std::string_view slug) const;
    [[nodiscard]] Result<void> prepare(const Module& module);
    [[nodiscard]] std::optional<Instant> end_of_pro() const;
    Result<void> may_enable(const Module& module) const;
    [[nodiscard]] std::vector<std::string> dependents_of(std::string_view slug) const;
    [[nodiscard]] json::Value with_defaults(const Module& module, const json::Value& stored) const;
    [[nodiscard]] json::Value masked_settings(const Module& module, json::Value values) const;
    [[nodiscard]] json::Value unseal(const Module& module, const std::string& stored) const;
    [[nodiscard]] std::string sealed(const Module& module, json::Value values) const;

    store::Store& store_;
    std::shared_ptr<const crypto::Keyring> keyring_;
    hooks::Hooks& hooks_;
    const Clock& clock_;
    std::function<bool(const Module&)> available_;
    std::map<std::string, Module, std::less<>> declared_;
    std::set<std::string, std::less<>> unprepared_;  // filled at start-up
    std::mutex preparing_;

    std::mutex reloading_;
    mutable std::mutex mutex_;
    std::shared_ptr<const Snapshot> snapshot_;
};

}  // namespace svc::modules
