// The completed steps of a request with an Idempotency-Key that takes several writes (promise R3).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "shared/json/value.hpp"
#include "shared/store/last_of_all.hpp"

namespace svc::api {

// Thread-local while such a request is handled (RouteSpec::repeats_safely); created by the code that stores its reply.
class Steps : public store::OnePerThread<Steps> {
  public:
    using Known = std::function<std::optional<json::Value>(std::string_view name)>;
    using Keep = std::function<void(store::Transaction&, std::string_view name, const json::Value&)>;
    Steps(Known known, Keep keep) : known_(std::move(known)), keep_(std::move(keep)) {}

    // The result of that step when an interrupted request is repeated; empty: not done.
    static std::optional<json::Value> before(std::string_view name) {
        return current() ? current()->known_(name) : std::nullopt;
    }

  private:
    friend class Step;
    const Known known_;
    const Keep keep_;
};

// One step: during its lifetime the next durable write of this thread also stores that the step is done, as
// store::LastOfAll does. A step done before stores nothing: its handler checks before() and continues. Costs nothing
// without a key.
class Step {
  public:
    explicit Step(const std::string& name) : before_(Steps::before(name)) {
        if (Steps* const steps = wanted())
            last_.emplace([steps, name](store::Transaction& tx) { steps->keep_(tx, name, json::Value(true)); });
    }
    // Stores left(value) of the value of the handler's transact<T>().
    template <class T, class Left>
    Step(const std::string& name, std::in_place_type_t<T> wants, Left left) : before_(Steps::before(name)) {
        if (Steps* const steps = wanted())
            last_.emplace(wants, [steps, name, left = std::move(left)](store::Transaction& tx, const T& value) {
                steps->keep_(tx, name, left(value));
            });
    }
    template <class T, class Left>
    static Step of(const std::string& name, Left left) {
        return {name, std::in_place_type<T>, std::move(left)};
    }

    // The stored result, if the step was done before.
    [[nodiscard]] const std::optional<json::Value>& before() const { return before_; }

  private:
    [[nodiscard]] Steps* wanted() const { return before_ ? nullptr : Steps::current(); }

    const std::optional<json::Value> before_;
    std::optional<store::LastOfAll> last_;
};

}  // namespace svc::api
