// Modules: parts of an edition that the operator turns on and off while the server runs (spec 3.6, 4.10).
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "shared/api/schema.hpp"
#include "shared/json/value.hpp"
#include "shared/store/store.hpp"

namespace svc::modules {

struct Module {
    std::string slug;
    std::string name = {}, description = {}, category = {};
    std::string plan = "free";  // free, personal, growth, agency
    bool requires_pro = false;
    bool is_absent = false;  // only listed, for readers who look for it: it cannot be enabled
    std::vector<std::string> depends_on = {};
    api::Schema settings = {};  // its settings' schema; secrets by `secret_settings`
    std::vector<std::string> secret_settings = {};
    // Creates or updates the module's storage; called before it is enabled for the first time and at start-up
    // after an update. Empty: it has none.
    std::function<Result<void>()> prepare = {};
};

// Any thread. `enabled` is a lookup in memory; another process's toggle is seen within a second.
class Modules {
  public:
    virtual ~Modules() = default;
    virtual void declare(Module module) = 0;  // [start-up]
    [[nodiscard]] virtual std::vector<Module> all() const = 0;
    // False for an unknown slug. A module starts disabled.
    [[nodiscard]] virtual bool enabled(std::string_view slug) const = 0;
    virtual Result<void> toggle(std::string_view slug, bool on, std::int64_t user_id) = 0;
    [[nodiscard]] virtual Result<json::Value> settings(std::string_view slug) const = 0;  // opened, not masked
};

}  // namespace svc::modules
