// How the pipeline asks its listeners: nothing is made up for a filter that nobody listens to.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string_view>

#include "shared/core/money.hpp"
#include "shared/hooks/hooks.hpp"

namespace svc::pricing {

// One quote's worth: it refers to what it is given.
class Listeners {
  public:
    using Filtered = std::function<bool(std::string_view filter)>;
    Listeners(const hooks::Hooks& hooks, const Filtered& filtered, store::Transaction* tx)
        : hooks_(hooks), filtered_(filtered), tx_(tx) {}

    // What a booking is told as to every listener; made when the first one asks.
    void tell(std::function<json::Value()> context) { make_ = std::move(context); }
    [[nodiscard]] const json::Value& context() const {
        if (context_.is_null())
            context_ = make_();
        return context_;
    }

    // A member of the result so far, by its name in what is shown at the end. Nothing is made of it for nobody.
    void note(std::string_view member, const std::function<json::Value()>& make) const;
    void note(std::string_view member, const Money& amount) const {
        note(member, [&] { return json::Value(amount); });
    }
    // What was noted: the partial result that every step of the pipeline hands on (spec 6.2).
    [[nodiscard]] const json::Value& result() const { return result_; }

    [[nodiscard]] bool hear(const hooks::Filter& filter) const { return !filtered_ || filtered_(filter.name); }
    // An amount: what cannot be read leaves it, what is negative is nothing.
    [[nodiscard]] Money amount(const hooks::Filter& filter, const Money& ours) const {
        return hear(filter) ? amount(filter, ours, {context(), result_}) : ours;
    }
    [[nodiscard]] Money amount(const hooks::Filter& filter, const Money& ours, json::Array arguments) const;
    [[nodiscard]] json::Value value(const hooks::Filter& filter, json::Value ours) const {
        return hear(filter) ? hooks_.apply(filter, std::move(ours), {context(), result_}, tx_) : ours;
    }
    [[nodiscard]] json::Value value(const hooks::Filter& filter, json::Value ours, json::Array arguments) const {
        return hear(filter) ? hooks_.apply(filter, std::move(ours), std::move(arguments), tx_) : ours;
    }
    [[nodiscard]] bool flag(const hooks::Filter& filter, bool ours) const {
        return hear(filter) ? hooks_.apply(filter, ours, {context()}, tx_).boolean() : ours;
    }
    [[nodiscard]] Rate percent(const hooks::Filter& filter, Rate ours) const;

  private:
    const hooks::Hooks& hooks_;
    const Filtered& filtered_;
    store::Transaction* tx_;
    std::function<json::Value()> make_;
    mutable json::Value context_;
    mutable json::Value result_ = json::Value::object();
    mutable std::optional<bool> is_heard_ = {};  // by anybody who gets the result
};

// What a listener answered, in minor units.
Money taken_back(const json::Value& answer, const Money& ours);
// A listener's member when it is of the wanted kind; anything else counts as left out.
std::optional<std::int64_t> whole(const json::Value& object, std::string_view name);
std::optional<std::string> words(const json::Value& object, std::string_view name);
// Services as a party names them: how many by id, or a list of ids. Nothing: they are not to be read.
std::optional<std::map<std::int64_t, std::int64_t>> chosen_services(const json::Value& told);

}  // namespace svc::pricing
