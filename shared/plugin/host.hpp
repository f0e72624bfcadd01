// The base for a plugin: abilities requested by type, in the same C++ as the base's own features.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "shared/api/route.hpp"
#include "shared/core/date.hpp"
#include "shared/core/log.hpp"
#include "shared/core/money.hpp"
#include "shared/hooks/hooks.hpp"
#include "shared/payment/gateway.hpp"
#include "shared/plugin/crossing.hpp"
#include "shared/plugin/svc_plugin.h"
#include "shared/store/store.hpp"

namespace svc::plugin {

// The base lacks or rejected something that the plugin requires. Thrown out of the plugin's attach; what() is one
// sentence for the operator.
struct Refused : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Each ability wraps one table: `id` names it, `usable` checks that the table has what the wrapper calls. Registrations
// throw Refused and belong into attach. All else: any thread, while attached.

class Routes {
  public:
    using Table = svc_routes_1;
    static constexpr const char* id = SVC_ROUTES_1;
    static bool usable(const Table* table) { return SVC_HAS(svc_routes_1, table, keep_reply); }
    explicit Routes(const Table* table) : table_(table) {}

    // `headers`: the request headers its handler reads; others are empty there. CAPABILITIES.md describes bases without
    // a member of the spec.
    void add(api::RouteSpec spec, const std::vector<std::string>& headers = {});

  private:
    struct Added {
        const Table* table;
        api::RouteSpec spec;
        bool reads_body = false;  // the base knows no free_body and hands over bytes
    };
    static svc_status handle(void* context, svc_text request, svc_answer* answer) noexcept;
    static svc_status check(void* context, svc_text request, svc_answer* answer) noexcept;
    static svc_status rules(void* context, svc_text request, svc_answer* answer) noexcept;
    const Table* table_;
    std::deque<Added> added_;  // stable addresses: each is a handler's context
};

// The base's database. Sessions are lent to the callback, see store.hpp.
class Store final : public store::Store {
  public:
    using Table = svc_store_1;
    static constexpr const char* id = SVC_STORE_1;
    static bool usable(const Table* table) { return SVC_HAS(svc_store_1, table, attempt); }
    explicit Store(const Table* table) : table_(table) {}

    [[nodiscard]] store::Dialect dialect() const override;
    void read(const std::function<void(store::Session&)>& work) override;
    Result<void> write(const std::function<Result<void>(store::Transaction&)>& work) override;

    // Runs `work` with the C++ face of a transaction the base lent, for listeners of filters.
    void within(svc_session* transaction, const std::function<void(store::Transaction&)>& work) const;
    // The C face of a transaction made above; any other throws std::logic_error.
    static svc_session* face_of(store::Transaction& tx);

  private:
    const Table* table_;
};

class Hooks final : public hooks::Hooks {
  public:
    using Table = svc_hooks_1;
    static constexpr const char* id = SVC_HOOKS_1;
    static bool usable(const Table* table) { return SVC_HAS(svc_hooks_1, table, apply); }
    // Filters called inside a transaction need the store; without one their listeners see no transaction.
    Hooks(const Table* table, const Store* store) : table_(table), store_(store) {}

    void declare(const hooks::Action& action) override;
    void declare(const hooks::Filter& filter) override;
    // An undeclared name is an error: check knows() first if an older base may lack it.
    Result<void> on(std::string_view action, hooks::Listener listener, hooks::ActionCall call) override;
    Result<void> filter(std::string_view name, hooks::Listener listener, hooks::FilterCall call) override;
    [[nodiscard]] bool knows(std::string_view name) const override;
    void emit(store::Transaction& tx, const hooks::Action& action, json::Array arguments) override;
    json::Value apply(const hooks::Filter& filter, json::Value value, json::Array arguments,
                      store::Transaction* tx = nullptr) const override;
    // The declarations of this plugin.
    [[nodiscard]] std::vector<hooks::Action> actions() const override { return actions_; }
    [[nodiscard]] std::vector<hooks::Filter> filters() const override { return filters_; }

  private:
    struct FilterListener {
        const Store* store;
        hooks::FilterCall call;
    };
    static svc_status call_listener(void* context, svc_text arguments) noexcept;
    static svc_status run_filter(void* context, svc_session* tx, svc_text values, svc_answer* answer) noexcept;
    const Table* table_;
    const Store* store_;
    std::deque<hooks::ActionCall> listeners_;
    std::deque<FilterListener> filter_listeners_;
    std::vector<hooks::Action> actions_;
    std::vector<hooks::Filter> filters_;
};

struct Setting {
    std::string key;
    api::Type type;
    json::Value initial;
    std::string help;
    std::string group = "general";
    bool secret = false;
    std::string module = {};
    std::vector<std::string> also = {};
};

class Settings {
  public:
    using Table = svc_settings_1;
    static constexpr const char* id = SVC_SETTINGS_1;
    static bool usable(const Table* table) { return SVC_HAS(svc_settings_1, table, write); }
    explicit Settings(const Table* table) : table_(table) {}

    void declare(const Setting& setting);
    // An undeclared key throws Failed.
    [[nodiscard]] json::Value get(std::string_view key) const;
    [[nodiscard]] std::string text(std::string_view key) const { return get(key).text(); }
    Result<void> write(const json::Value& values, store::Transaction* tx = nullptr, std::int64_t user_id = 0);

  private:
    const Table* table_;
};

// A storage step: name and SQL text, embedded in the plugin.
struct Step {
    std::string_view name, sql;
};

struct Module {
    std::string slug;
    std::string name, description, category;
    std::string plan = "personal";
    std::vector<std::string> depends_on = {};
    api::Schema settings = {};
    std::vector<std::string> secret_settings = {};
    std::vector<Step> steps = {};
    std::function<Result<void>()> prepare = {};  // after the steps
};

class Modules {
  public:
    using Table = svc_modules_1;
    static constexpr const char* id = SVC_MODULES_1;
    static bool usable(const Table* table) { return SVC_HAS(svc_modules_1, table, settings); }
    explicit Modules(const Table* table) : table_(table) {}

    void declare(Module module);
    // The plugin's own schema steps, for enabled and disabled modules.
    void storage(const std::vector<Step>& steps);
    [[nodiscard]] bool enabled(std::string_view slug) const;
    [[nodiscard]] Result<json::Value> settings(std::string_view slug) const;

  private:
    static svc_status prepare(void* context, svc_answer* why_not) noexcept;
    const Table* table_;
    std::deque<std::function<Result<void>()>> prepares_;
};

using GatewayField = payment::GatewayField;
using GatewayInfo = payment::GatewayInfo;
// A gateway of the plugin. Any thread; it may wait for a provider.
using Gateway = payment::Gateway;

class Gateways {
  public:
    using Table = svc_gateways_2;
    static constexpr const char* id = SVC_GATEWAYS_2;
    static bool usable(const Table* table) { return SVC_HAS(svc_gateways_2, table, add); }
    explicit Gateways(const Table* table) : table_(table) {}

    void add(std::unique_ptr<Gateway> gateway);

  private:
    struct Offered {
        std::unique_ptr<Gateway> gateway;
        svc_gateway_2 table;
    };
    const Table* table_;
    std::deque<Offered> offered_;
};

// For a base that is too old for charging gateways: it refuses those and takes offline ones.
class OfflineGateways {
  public:
    using Table = svc_gateways_1;
    static constexpr const char* id = SVC_GATEWAYS_1;
    static bool usable(const Table* table) { return SVC_HAS(svc_gateways_1, table, add); }
    explicit OfflineGateways(const Table* table) : table_(table) {}

    void add(std::unique_ptr<Gateway> gateway);

  private:
    struct Offered {
        std::unique_ptr<Gateway> gateway;
        svc_gateway_1 table;
    };
    const Table* table_;
    std::deque<Offered> offered_;
};

struct Job {
    std::string name, help;
    std::chrono::seconds every{3600};
    std::optional<ClockTime> daily_at = {};
    std::function<Result<json::Value>(Instant now)> run;
};

class Jobs {
  public:
    using Table = svc_jobs_1;
    static constexpr const char* id = SVC_JOBS_1;
    static bool usable(const Table* table) { return SVC_HAS(svc_jobs_1, table, wake); }
    explicit Jobs(const Table* table) : table_(table) {}

    void add(Job job);
    void wake(std::string_view name);

  private:
    static svc_status run(void* context, std::int64_t now, svc_answer* answer) noexcept;
    const Table* table_;
    std::deque<Job> jobs_;
};

class Log {
  public:
    using Table = svc_log_1;
    static constexpr const char* id = SVC_LOG_1;
    static bool usable(const Table* table) { return SVC_HAS(svc_log_1, table, write); }
    explicit Log(const Table* table) : table_(table) {}

    void write(log::Level level, std::string_view event, log::Fields fields) const;

  private:
    const Table* table_;
};

class Secrets {
  public:
    using Table = svc_secrets_1;
    static constexpr const char* id = SVC_SECRETS_1;
    static bool usable(const Table* table) { return SVC_HAS(svc_secrets_1, table, open); }
    explicit Secrets(const Table* table) : table_(table) {}

    [[nodiscard]] std::string seal(std::string_view secret, std::string_view bound_to) const;
    [[nodiscard]] Result<std::string> open(std::string_view sealed, std::string_view bound_to) const;

  private:
    const Table* table_;
};

struct FetchRequest {
    std::string method, url;
    std::vector<std::pair<std::string, std::string>> headers = {};
    std::string body = {};
    std::chrono::milliseconds timeout{5000};
    std::size_t limit = 256 * 1024;
};

struct FetchReply {
    int status = 0;
    std::vector<std::pair<std::string, std::string>> headers;
    std::string body;
};

class Fetch {
  public:
    using Table = svc_fetch_1;
    static constexpr const char* id = SVC_FETCH_1;
    static bool usable(const Table* table) { return SVC_HAS(svc_fetch_1, table, fetch); }
    explicit Fetch(const Table* table) : table_(table) {}

    [[nodiscard]] Result<FetchReply> operator()(const FetchRequest& request) const;

  private:
    const Table* table_;
};

class ConfirmModes {
  public:
    using Table = svc_confirm_modes_1;
    static constexpr const char* id = SVC_CONFIRM_MODES_1;
    static bool usable(const Table* table) { return SVC_HAS(svc_confirm_modes_1, table, confirms); }
    explicit ConfirmModes(const Table* table) : table_(table) {}

    [[nodiscard]] Result<bool> confirms(std::int64_t booking_id, bool settles_in_full) const;

  private:
    const Table* table_;
};

// The base, from attach until detach; owns the wrappers and the plugin's objects.
class Host {
  public:
    explicit Host(const svc_host* host);
    ~Host();
    Host(const Host&) = delete;
    Host& operator=(const Host&) = delete;

    // The ability, or null when this base has none. Any thread; the answer lives as long as the host.
    template <class Ability>
    Ability* find() const {
        const std::lock_guard lock(mutex_);
        return found<Ability>();
    }
    // The same, but throws Refused when it is missing: for abilities that the plugin requires.
    template <class Ability>
    Ability& need() const {
        if (auto* ability = find<Ability>())
            return *ability;
        throw Refused(std::string("The base has no ") + Ability::id + ", without which this plugin cannot run.");
    }
    [[nodiscard]] Hooks& hooks() const { return need<Hooks>(); }
    [[nodiscard]] std::string version() const;  // for the log; never compared

    // Makes an object that lives until detach; the last made ends first.
    template <class T, class... Arguments>
    T& make(Arguments&&... arguments) {
        auto object = std::make_shared<T>(std::forward<Arguments>(arguments)...);
        kept_.push_back(object);
        return *object;
    }

  private:
    template <class Ability>
    Ability* found() const {
        auto [place, fresh] = abilities_.try_emplace(Ability::id);
        if (fresh) {
            const auto* table = static_cast<const typename Ability::Table*>(service(Ability::id));
            if (Ability::usable(table)) {
                if constexpr (std::is_same_v<Ability, Hooks>)
                    place->second = std::make_shared<Hooks>(table, found<Store>());
                else
                    place->second = std::make_shared<Ability>(table);
            }
        }
        return static_cast<Ability*>(place->second.get());
    }
    const void* service(const char* id) const;

    const svc_host* host_;
    mutable std::mutex mutex_;
    mutable std::map<std::string_view, std::shared_ptr<void>> abilities_;
    std::vector<std::shared_ptr<void>> kept_;
};

// The two functions of a plugin's table around its C++ attach.
svc_status attach_plugin(void (*attach)(Host&), const svc_host* host, void** self, svc_answer* why_not) noexcept;
void detach_plugin(void* self) noexcept;

template <void (*attach)(Host&)>
svc_status attach_entry(const svc_host* host, void** self, svc_answer* why_not) noexcept {
    return attach_plugin(attach, host, self, why_not);
}

}  // namespace svc::plugin

// The entry of a plugin library, once at file scope outside any namespace: its name and version (literals), the
// lowest minor of the waist it runs on, and its void(svc::plugin::Host&). Constructors of the library must do
// nothing that can fail or be seen: they run while it is merely being tried.
#define SVC_PLUGIN(plugin_name, plugin_version, lowest_minor, attach_function)                   \
    SVC_PLUGIN_NOTE(SVC_ABI_MAJOR, lowest_minor);                                                \
    extern "C" __attribute__((visibility("default"))) const svc_plugin* svc_plugin_entry(void) { \
        static const svc_plugin table = {sizeof(svc_plugin),                                     \
                                         SVC_ABI_MAJOR,                                          \
                                         lowest_minor,                                           \
                                         {plugin_name, sizeof(plugin_name) - 1},                 \
                                         {plugin_version, sizeof(plugin_version) - 1},           \
                                         &svc::plugin::attach_entry<&attach_function>,           \
                                         &svc::plugin::detach_plugin};                           \
        return &table;                                                                           \
    }                                                                                            \
    static_assert(true)
