// Applies the filters of a quote: builds no arguments for a filter without listeners.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string_view>

#include "shared/core/money.hpp"
#include "shared/hooks/hooks.hpp"

namespace svc::pricing {

// For one quote: refers to its arguments.
class Listeners {
  public:
    using Filtered = std::function<bool(std::string_view filter)>;
    Listeners(const hooks::Hooks& hooks, const Filtered& filtered, store::Transaction* tx)
        : hooks_(hooks), filtered_(filtered), tx_(tx) {}

    // Sets the booking's context for every listener; built when the first one is called.
    void provide_context(std::function<json::Value()> context) { make_ = std::move(context); }
    [[nodiscard]] const json::Value& context() const {
        if (context_.is_null())
            context_ = make_();
        return context_;
    }

    // Adds a member to the partial result, by its name in the final one. Not built without listeners.
    void note(std::string_view member, const std::function<json::Value()>& make) const;
    void note(std::string_view member, const Money& amount) const {
        note(member, [&] { return json::Value(amount); });
    }
    // The partial result, passed to every step of the pipeline (spec 6.2).
    [[nodiscard]] const json::Value& result() const { return result_; }

    [[nodiscard]] bool has_listener(const hooks::Filter& filter) const { return !filtered_ || filtered_(filter.name); }
    // An amount: an invalid value changes nothing, a negative one counts as zero.
    [[nodiscard]] Money amount(const hooks::Filter& filter, const Money& ours) const {
        return has_listener(filter) ? amount(filter, ours, {context(), result_}) : ours;
    }
    [[nodiscard]] Money amount(const hooks::Filter& filter, const Money& ours, json::Array arguments) const;
    [[nodiscard]] json::Value value(const hooks::Filter& filter, json::Value ours) const {
        return has_listener(filter) ? hooks_.apply(filter, std::move(ours), {context(), result_}, tx_) : ours;
    }
    [[nodiscard]] json::Value value(const hooks::Filter& filter, json::Value ours, json::Array arguments) const {
        return has_listener(filter) ? hooks_.apply(filter, std::move(ours), std::move(arguments), tx_) : ours;
    }
    [[nodiscard]] bool flag(const hooks::Filter& filter, bool ours) const {
        return has_listener(filter) ? hooks_.apply(filter, ours, {context()}, tx_).boolean() : ours;
    }
    [[nodiscard]] Rate percent(const hooks::Filter& filter, Rate ours) const;

  private:
    const hooks::Hooks& hooks_;
    const Filtered& filtered_;
    store::Transaction* tx_;
    std::function<json::Value()> make_;
    mutable json::Value context_;
    mutable json::Value result_ = json::Value::object();
    mutable std::optional<bool> has_listeners_ = {};  // by any reader of the result
};

// A listener's amount in minor units.
Money taken_back(const json::Value& answer, const Money& ours);
// A listener's member if it has the right type; else as absent.
std::optional<std::int64_t> whole(const json::Value& object, std::string_view name);
std::optional<std::string> words(const json::Value& object, std::string_view name);
// Services as a party names them: how many by id, or a list of ids. Nothing: they are not to be read.
std::optional<std::map<std::int64_t, std::int64_t>> chosen_services(const json::Value& returned);

}  // namespace svc::pricing
