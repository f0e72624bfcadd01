// Declarations, listeners and their order; without rows, threads or time.
#pragma once

#include <deque>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "shared/core/by_text.hpp"
#include "shared/hooks/hooks.hpp"

namespace svc::hooks {

// Filled at start-up by one thread, then frozen; from then on any thread calls the const members.
class Registry {
  public:
    struct Ways {
        // Whether a listener's module is on. Empty: all are.
        std::function<bool(std::string_view module)> module_enabled = {};
        // Reports each listener that threw or, as a filter, returned another kind than declared.
        std::function<void(std::string_view hook, std::string_view listener)> failed = {};
    };
    explicit Registry(Ways ways) : ways_(std::move(ways)) {}

    // A name declared twice, or after freeze(), throws std::logic_error. The texts are copied.
    void declare(const Action& action);
    void declare(const Filter& filter);
    // svc_not_found for a name that was not declared as that, svc_conflict after freeze().
    Result<void> on(std::string_view action, Listener listener, ActionCall call);
    Result<void> filter(std::string_view name, Listener listener, FilterCall call);
    void freeze() { frozen_ = true; }

    [[nodiscard]] bool knows(std::string_view name) const;
    // Whether anyone would be called now. Throws std::logic_error for an action that was not declared.
    [[nodiscard]] bool has_listener(std::string_view action) const;
    // The same for a filter; false for an undeclared one.
    [[nodiscard]] bool filtered(std::string_view filter) const;

    // Calls each listener that is not muted. Logs an exception and calls the next; only store::Unavailable and
    // store::Retryable are thrown after all were called, since they do not concern the listener: the event is tried
    // again.
    void fire(std::string_view action, const json::Array& arguments) const;
    // As Hooks::apply.
    [[nodiscard]] json::Value apply(const Filter& filter, json::Value value, json::Array arguments,
                                    store::Transaction* tx) const;

    // By name.
    [[nodiscard]] std::vector<Action> actions() const;
    [[nodiscard]] std::vector<Filter> filters() const;

  private:
    struct Words {
        std::string name, since, help, like = {}, deprecated_since = {}, instead = {};
        std::deque<std::string> arguments = {};
        [[nodiscard]] std::vector<std::string_view> argument_views() const;
    };
    template <class Call>
    struct Chain {
        Words words;
        json::Kind value = json::Kind::null;
        json::Value like = {};  // null: the type of its parts is unknown
        std::vector<std::pair<Listener, Call>> listeners;
    };
    template <class Call>
    using Chains = ByText<Chain<Call>>;  // a booking looks up a hundred of them

    template <class Call, class Declaration>
    Chain<Call>& add(Chains<Call>& chains, const Declaration& declaration);
    template <class Call>
    Result<void> listen(Chains<Call>& chains, std::string_view name, Listener listener, Call call);
    [[nodiscard]] bool muted(const Listener& listener) const;
    void report_deprecated(const Words& words, std::string_view listener);
    void report(std::string_view hook, const Listener& listener, std::string_view problem) const;

    Ways ways_;
    std::set<std::pair<std::string, std::string>> reported_;  // deprecated hook and listener
    bool frozen_ = false;
    Chains<ActionCall> actions_;
    Chains<FilterCall> filters_;
    // Those with a listener: few of all, and a price calls fourteen.
    std::vector<const Chain<FilterCall>*> listened_;
};

}  // namespace svc::hooks
