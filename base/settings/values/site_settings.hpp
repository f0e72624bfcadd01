// The settings of this installation: declarations, the stored values in memory, and their writing.
#pragma once

#include <map>
#include <mutex>

#include "base/platform/crypto/crypto.hpp"
#include "base/settings/values/settings.hpp"
#include "shared/core/by_text.hpp"
#include "shared/hooks/hooks.hpp"

namespace svc::settings {

// The channel of store::ChangeFeed that announces writes; listeners call reload().
inline constexpr std::string_view changes_channel = "settings";

// A remark for the operator about values that go badly together.
struct Notice {
    std::string level, code;  // level: "warning" or "info"
    std::string key;          // the setting to look at
    Sentence message;
};

class SiteSettings final : public Settings {
  public:
    // `module_enabled` is called with Setting::module and must outlive this.
    SiteSettings(store::Store& store, std::shared_ptr<const crypto::Keyring> keyring, const Clock& clock,
                 std::function<bool(std::string_view)> module_enabled);
    ~SiteSettings() override;

    void declare(Setting setting) override;
    // Checks values that belong together; `get` returns the values as they would be stored. [start-up]
    using Get = std::function<json::Value(std::string_view key)>;
    using Together = std::function<Result<void>(const Get&)>;
    void declare_together(Together check);
    // Whether the database has the record that a setting names; called in the transaction that writes it, for a value
    // other than the stored one. [start-up]
    using Names = std::function<Result<void>(store::Session& session, const json::Value& value)>;
    void declare_naming(std::string key, Names check) { naming_.emplace(std::move(key), std::move(check)); }

    // Changes settings that clients cannot send, when another one changes, from its previous value. [start-up]
    using Follows = std::function<json::Value(const json::Value& before, const json::Value& value, Instant now)>;
    void declare_following(std::string key, Follows follows) { following_.emplace(std::move(key), std::move(follows)); }

    // The hooks whose filters may change shown and stored values (hooks.hpp); without them none do. Must outlive this.
    // [start-up]
    void listen_with(const hooks::Hooks& hooks) { hooks_ = &hooks; }

    // Called in the transaction that wrote settings of a module, once per module. [start-up]
    using OfModule = std::function<void(store::Transaction& tx, std::string_view module)>;
    void on_module_settings(OfModule listener) { of_module_ = std::move(listener); }

    // Reads the stored values. Once after the declarations, then at each message of the channel. Until the first call
    // every setting has its default. Throws store::Unavailable and leaves the values unchanged.
    void reload();
    // Called at the end of each reload, for code that caches a value. [start-up]
    void follow(std::function<void()> follower) { followers_.push_back(std::move(follower)); }

    [[nodiscard]] std::vector<Setting> all() const override;
    [[nodiscard]] bool knows(std::string_view key) const;
    [[nodiscard]] json::Value get(std::string_view key) const override;
    [[nodiscard]] Zone zone() const override;
    [[nodiscard]] Currency currency() const override;
    // Seals values of older keys with the current key; returns their number.
    Result<std::int64_t> renew_sealed();
    Result<Written> write(const json::Value& values, std::int64_t user_id) override;
    Result<Written> write(store::Transaction& tx, const json::Value& values, std::int64_t user_id) override;

    // The settings of modules and plugins that callers of the interface may write, as listeners want it: names of
    // sanitizers by key.
    [[nodiscard]] json::Value writable_of_plugins() const;
    // The part of `sent` that a caller of the interface may write, sanitized; adds the names of the rest to `refused`:
    // settings that only the server writes and those that listeners withhold.
    [[nodiscard]] json::Value writable(const json::Value& sent, std::vector<std::string>& refused) const;

    // Every setting whose module is on and whose group or key begins with `group`, secrets masked, older keys too.
    [[nodiscard]] json::Value shown(std::string_view group = {}) const;
    [[nodiscard]] std::vector<Notice> notices() const;

  private:
    struct Snapshot;
    struct Change;
    [[nodiscard]] std::shared_ptr<const Snapshot> snapshot() const;
    [[nodiscard]] const Setting* find(std::string_view key_or_older) const;
    [[nodiscard]] bool is_on(const Setting& setting) const;
    [[nodiscard]] Error by_names_sent(const Error& error, const std::vector<Change>& changes,
                                      const Together& check) const;
    Result<std::vector<Change>> accepted(store::Transaction& tx, const json::Value& values, Written& written) const;
    // Nothing: the value does not pass.
    static std::optional<json::Value> passed(const Setting& setting, const json::Value& value);
    void let_change(store::Transaction& tx, std::vector<Change>& changes) const;
    void put(store::Transaction& tx, const Setting& setting, const json::Value& value, std::int64_t user_id) const;
    void let_change(std::string_view group, json::Value& settings) const;
    void let_default(ByText<json::Value>& values) const;
    [[nodiscard]] std::optional<json::Value> unseal(const Setting& setting, const std::string& stored) const;
    [[nodiscard]] std::string sealed(std::string_view key, std::string_view secret) const;

    store::Store& store_;
    std::shared_ptr<const crypto::Keyring> keyring_;
    const Clock& clock_;
    std::function<bool(std::string_view)> module_enabled_;
    const hooks::Hooks* hooks_ = nullptr;
    std::map<std::string, Setting, std::less<>> declared_;
    std::map<std::string, std::string, std::less<>> older_;  // older key -> key
    std::vector<Together> together_;
    std::map<std::string, Names, std::less<>> naming_;
    std::map<std::string, Follows, std::less<>> following_;
    std::vector<std::function<void()>> followers_;
    OfModule of_module_;

    std::mutex reloading_;
    mutable std::mutex mutex_;
    std::shared_ptr<const Snapshot> snapshot_;
};

// The company's letterhead, locale and the limits of the interface itself.
void declare_settings(SiteSettings& settings);

}  // namespace svc::settings
