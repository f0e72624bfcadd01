// Settings of the site: each declared once with type, bounds and default; read from memory, written to the database.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "shared/api/schema.hpp"
#include "shared/core/date.hpp"
#include "shared/core/money.hpp"
#include "shared/json/value.hpp"
#include "shared/store/store.hpp"

namespace svc::settings {

struct Setting {
    std::string key;
    api::Type type;       // api::integer(1, 36), api::choice({...}), …
    json::Value initial;  // the default of a fresh installation
    std::string help;     // one sentence for docs/settings.md and the schema
    std::string group = "general";
    bool secret = false;                 // sealed at rest, shown masked; writing the masked value back changes nothing
    std::string module = {};             // writable only while that module is on
    std::vector<std::string> also = {};  // older keys: accepted on input, returned with the key on output
    // A further check of a clean value; the error's message is the sentence for the caller.
    std::function<Result<void>(const json::Value&)> also_checks = {};
    // Reduces an accepted value before it is stored.
    std::function<json::Value(const json::Value&)> cleans = {};
    bool from_plugin = false;  // with those of modules, narrowed by svc_pro_writable_settings_schema
};

// Any thread. Values are read from an immutable snapshot that a write replaces; another process's write is seen
// within a second.
class Settings {
  public:
    virtual ~Settings() = default;
    virtual void declare(Setting setting) = 0;  // [start-up]; a second declaration of a key throws std::logic_error
    [[nodiscard]] virtual std::vector<Setting> all() const = 0;

    // The stored value or the default; an undeclared key throws std::logic_error. Secrets come opened.
    [[nodiscard]] virtual json::Value get(std::string_view key) const = 0;
    [[nodiscard]] std::int64_t integer(std::string_view key) const { return get(key).integer(); }
    [[nodiscard]] bool flag(std::string_view key) const { return get(key).boolean(); }
    [[nodiscard]] std::string text(std::string_view key) const { return get(key).text(); }
    [[nodiscard]] virtual Zone zone() const = 0;          // setting `timezone`, parsed
    [[nodiscard]] virtual Currency currency() const = 0;  // setting `currency`, parsed

    struct Written {
        std::vector<std::string> updated, rejected_keys;
    };
    // All or nothing: a bad value is an error naming the key; unknown keys and keys of a disabled module are
    // rejected_keys.
    virtual Result<Written> write(const json::Value& values, std::int64_t user_id) = 0;
    // Inside the caller's transaction (plugin, sweeps); visible after its commit.
    virtual Result<Written> write(store::Transaction& tx, const json::Value& values, std::int64_t user_id) = 0;
};

// Masks a secret: "****" and the last four characters, of one shorter than twelve no character; an empty
// one is empty.
std::string masked(std::string_view secret);
// Whether a text is such a mask, and so no secret that staff typed.
bool is_masked(std::string_view text);

}  // namespace svc::settings
