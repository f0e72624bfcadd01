// Actions tell what has happened, filters let a listener change a value; both are declared once, fired in one order.
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
    std::string_view since;                   // "3.0.0"
    std::string_view says;                    // when it fires, and when it does not
    std::vector<std::string_view> arguments;  // in order
    // Deprecated (spec 9.4): the day from which it is, "2026-11-01"; empty: it is not. It keeps firing, and each
    // listener that registers for it is logged once.
    std::string_view deprecated_since = {};
    std::string_view instead = {};  // name of the hook that replaces it; empty: none does
};

// A filter's declaration; the value comes first, then the named arguments.
struct Filter {
    std::string_view name;
    std::string_view since;
    std::string_view says;
    json::Kind value;  // a listener that returns another kind is ignored and logged
    std::vector<std::string_view> arguments;
    // An example of a value, as JSON, where it is an object or a list: a member that an answer has of another kind than
    // the example is ignored and logged. A whole number stands for whole ones, one list item for each; what is null,
    // and what the example lacks, may be of any kind.
    std::string_view like = {};
    std::string_view deprecated_since = {}, instead = {};  // as an action's
};

enum class Origin : std::uint8_t { base, plugin };

struct Listener {
    std::string name;   // who listens, for the log and the order
    int priority = 10;  // lower runs first; then base before Pro, then name
    int takes = 255;    // how many of the arguments it wants
    Origin origin = Origin::base;
    std::string module = {};  // muted while that module is off; empty: always on
};

// What an action's listener is called with, after the commit, in the order of the event rows.
using ActionCall = std::function<void(const json::Array& arguments)>;
// What a filter's listener is called with, inside the transaction when there is one (else null): it answers the
// new value. Throwing or another kind than declared leaves the value as it was.
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

    // Whether a filter's listener would be called now, so that nothing costly is made for nobody. True where that
    // cannot be told; false for a filter that nobody declared. [any thread]
    [[nodiscard]] virtual bool filtered(std::string_view) const { return true; }

    // Inside an action's listener: the number of the event it is called for, the same when the event is run again
    // after a crash, so that it can tell a repetition. 0 elsewhere. [any thread]
    [[nodiscard]] virtual std::int64_t event_id() const { return 0; }

    // All that was declared, by name.
    [[nodiscard]] virtual std::vector<Action> actions() const = 0;
    [[nodiscard]] virtual std::vector<Filter> filters() const = 0;
};

}  // namespace svc::hooks
