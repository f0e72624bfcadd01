// Actions report changes, filters let a listener change a value; both are declared once and called in one order.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "shared/json/value.hpp"
#include "shared/store/store.hpp"

namespace svc::hooks {

// An action's declaration. The catalogue (docs/hooks.md) and the walking tests are made from these.
struct Action {
    std::string_view name;                    // svc_{noun}_{verb}
    std::string_view help;                    // when it fires, and when it does not
    std::vector<std::string_view> arguments;  // in order
    // Deprecated (spec 9.4) since this day, "2026-11-01"; empty: not deprecated. It is still called, and each listener
    // that registers for it is logged once.
    std::string_view deprecated_since = {};
    std::string_view instead = {};     // name of the hook that replaces it; empty: none does
    std::string_view since = "3.0.0";  // the first release with this hook
};

// A filter's declaration; the value comes first, then the named arguments.
struct Filter {
    std::string_view name;
    std::string_view help;
    json::Kind value;  // a listener that returns another kind is ignored and logged
    std::vector<std::string_view> arguments;
    // An example of a value as JSON, if it is an object or a list: a returned member of another type than in the
    // example is ignored and logged. An integer in the example allows integers only, a list's first item describes all
    // items; null, and members that the example lacks, allow any type.
    std::string_view like = {};
    std::string_view deprecated_since = {}, instead = {}, since = "3.0.0";  // as an action's
};

enum class Origin : std::uint8_t { base, plugin };

struct Listener {
    std::string name;   // the listener's name, for the log and the order
    int priority = 10;  // lower runs first; then base before Pro, then name
    int takes = 255;    // the number of arguments it takes
    Origin origin = Origin::base;
    std::string module = {};  // muted while that module is off; empty: always on
};

// The listener of an action, called after the commit, in the order of the event rows.
using ActionCall = std::function<void(const json::Array& arguments)>;
// The listener of a filter, called inside the transaction when there is one (else null): returns the new value. An
// exception or a value of another type leaves the value unchanged.
using FilterCall = std::function<json::Value(store::Transaction* tx, const json::Array& value_and_arguments)>;

class Hooks {
  public:
    virtual ~Hooks() = default;

    // Registration, at start-up. An undeclared name is an error: a listener is refused, never left waiting.
    virtual void declare(const Action& action) = 0;
    virtual void declare(const Filter& filter) = 0;
    virtual Result<void> on(std::string_view action, Listener listener, ActionCall call) = 0;
    virtual Result<void> filter(std::string_view name, Listener listener, FilterCall call) = 0;
    [[nodiscard]] virtual bool knows(std::string_view name) const = 0;

    // Writes the event row in the caller's transaction; listeners run after its commit, at least once, also when
    // the process dies in between. [any thread]
    virtual void emit(store::Transaction& tx, const Action& action, json::Array arguments) = 0;

    // Passes the value through the filter's listeners. [any thread]
    virtual json::Value apply(const Filter& filter, json::Value value, json::Array arguments,
                              store::Transaction* tx = nullptr) const = 0;

    // Whether a filter has an active listener, so that its arguments are not built in vain. True if unknown; false for
    // an undeclared filter. [any thread]
    [[nodiscard]] virtual bool filtered(std::string_view) const { return true; }

    // Inside an action's listener: the id of its event, the same when the event runs again after a crash, so that it
    // can detect a repetition. 0 elsewhere. [any thread]
    [[nodiscard]] virtual std::int64_t event_id() const { return 0; }

    // All that was declared, by name.
    [[nodiscard]] virtual std::vector<Action> actions() const = 0;
    [[nodiscard]] virtual std::vector<Filter> filters() const = 0;
};

}  // namespace svc::hooks
