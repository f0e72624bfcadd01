// Registration, order and calling of listeners.
#include "shared/hooks/registry.hpp"

#include <algorithm>
#include <charconv>
#include <exception>
#include <stdexcept>
#include <tuple>

#include "shared/core/log.hpp"
#include "shared/core/no_wait.hpp"

namespace svc::hooks {
namespace {

// Calls with as many of the arguments as the listener takes; copies them only if it takes fewer than all.
template <class Call>
auto with_first(const json::Array& all, int takes, Call&& call) {
    if (takes >= 0 && static_cast<std::size_t>(takes) >= all.size())
        return call(all);
    return call(json::Array(all.begin(), all.begin() + std::max(takes, 0)));
}

bool before(const Listener& a, const Listener& b) {
    return std::tie(a.priority, a.origin, a.name) < std::tie(b.priority, b.origin, b.name);
}

template <class Hook>
bool by_name(const Hook& a, const Hook& b) {
    return a.name < b.name;
}

// In a savepoint, since a failing statement would otherwise end the transaction in which the filter is applied.
json::Value called(const FilterCall& call, store::Transaction* tx, const json::Array& arguments) {
    if (!tx)
        return call(tx, arguments);
    json::Value answer;
    const auto done = tx->attempt([&]() -> Result<void> {
        answer = call(tx, arguments);
        return {};
    });
    if (!done)
        throw std::runtime_error("the listener's part was rolled back");
    return answer;
}

bool is_whole(const json::Value& number) {
    std::int64_t whole = 0;
    const std::string& text = number.number_text();
    const auto read = std::from_chars(text.data(), text.data() + text.size(), whole);
    return read.ec == std::errc() && read.ptr == text.data() + text.size();
}

bool is_like(const json::Value& given, const json::Value& like) {
    return given.kind() == like.kind() && !(like.is_number() && is_whole(like) && !is_whole(given));
}

// Removes parts of an answer whose type differs from the example. A member gets its previous value, if it had one; an
// item of a list is dropped. `misfit` receives the first one.
void fit(json::Value& answer, const json::Value& like, const json::Value& before, const std::string& place,
         std::string& misfit) {
    const auto fault = [&misfit](const std::string& where) {
        if (misfit.empty())
            misfit = where;
    };
    if (like.is_object()) {
        std::erase_if(answer.members(), [&](json::Member& member) {
            auto& [name, given] = member;
            const json::Value& example = like[name];
            if (example.is_null() || given.is_null())
                return false;
            const std::string where = place + name;
            if (is_like(given, example)) {
                fit(given, example, before[name], where + ".", misfit);
                return false;
            }
            fault(where);
            const json::Value* was = before.find(name);
            if (was)
                given = *was;
            return !was;
        });
    } else if (like.is_array() && like.size() > 0) {
        std::size_t at = 0;
        std::erase_if(answer.items(), [&](json::Value& item) {
            const std::string where = place + std::to_string(++at);
            if (!is_like(item, like[0])) {
                fault(where);
                return true;
            }
            fit(item, like[0], {}, where + ".", misfit);
            return false;
        });
    }
}

}  // namespace

std::vector<std::string_view> Registry::Words::argument_views() const { return {arguments.begin(), arguments.end()}; }

template <class Call, class Declaration>
Registry::Chain<Call>& Registry::add(Chains<Call>& chains, const Declaration& declaration) {
    if (frozen_)
        throw std::logic_error("a hook was declared after the start: " + std::string(declaration.name));
    if (knows(declaration.name))
        throw std::logic_error("a hook was declared twice: " + std::string(declaration.name));
    auto& chain = chains[std::string(declaration.name)];
    chain.words = {.name = std::string(declaration.name),
                   .since = std::string(declaration.since),
                   .help = std::string(declaration.help),
                   .deprecated_since = std::string(declaration.deprecated_since),
                   .instead = std::string(declaration.instead),
                   .arguments = {declaration.arguments.begin(), declaration.arguments.end()}};
    return chain;
}

void Registry::declare(const Action& action) { add(actions_, action); }
void Registry::declare(const Filter& filter) {
    auto& chain = add(filters_, filter);
    chain.value = filter.value;
    if (filter.like.empty())
        return;
    auto like = json::parse(filter.like);
    if (!like || like->kind() != filter.value)
        throw std::logic_error("the example of a filter is of another kind than its value: " +
                               std::string(filter.name));
    chain.words.like = filter.like;
    chain.like = std::move(*like);
}

template <class Call>
Result<void> Registry::listen(Chains<Call>& chains, std::string_view name, Listener listener, Call call) {
    const auto found = chains.find(name);
    if (found == chains.end())
        return Error{errc::not_found, "This hook does not exist."_sentence}.because("undeclared: " + std::string(name));
    if (frozen_)
        return Error{errc::conflict, "Listeners can only be registered at start."_sentence}.because("too late: " +
                                                                                                    std::string(name));
    if (const auto& words = found->second.words; !words.deprecated_since.empty())
        report_deprecated(words, listener.name);
    auto& listeners = found->second.listeners;
    const auto place = std::upper_bound(listeners.begin(), listeners.end(), listener,
                                        [](const Listener& a, const auto& b) { return before(a, b.first); });
    listeners.insert(place, {std::move(listener), std::move(call)});
    return {};
}

Result<void> Registry::on(std::string_view action, Listener listener, ActionCall call) {
    return listen(actions_, action, std::move(listener), std::move(call));
}

Result<void> Registry::filter(std::string_view name, Listener listener, FilterCall call) {
    auto done = listen(filters_, name, std::move(listener), std::move(call));
    if (done)
        if (const auto& chain = filters_.find(name)->second; chain.listeners.size() == 1)
            listened_.push_back(&chain);
    return done;
}

bool Registry::knows(std::string_view name) const {
    return actions_.find(name) != actions_.end() || filters_.find(name) != filters_.end();
}

bool Registry::has_listener(std::string_view action) const {
    const auto found = actions_.find(action);
    if (found == actions_.end())
        throw std::logic_error("an undeclared action was emitted: " + std::string(action));
    const auto& listeners = found->second.listeners;
    return std::any_of(listeners.begin(), listeners.end(), [&](const auto& each) { return !muted(each.first); });
}

bool Registry::filtered(std::string_view filter) const {
    const auto found = std::find_if(listened_.begin(), listened_.end(),
                                    [&](const auto* chain) { return chain->words.name == filter; });
    if (found == listened_.end())
        return false;
    const auto& listeners = (*found)->listeners;
    return std::any_of(listeners.begin(), listeners.end(), [&](const auto& each) { return !muted(each.first); });
}

bool Registry::muted(const Listener& listener) const {
    return !listener.module.empty() && ways_.module_enabled && !ways_.module_enabled(listener.module);
}

void Registry::report_deprecated(const Words& words, std::string_view listener) {
    if (reported_.emplace(words.name, listener).second)
        log::warning("deprecated_hook", {{"hook", words.name},
                                         {"listener", listener},
                                         {"since", words.deprecated_since},
                                         {"instead", words.instead}});
}

void Registry::report(std::string_view hook, const Listener& listener, std::string_view problem) const {
    log::error("listener_failed", {{"hook", hook}, {"listener", listener.name}, {"problem", problem}});
    if (ways_.failed)
        ways_.failed(hook, listener.name);
}

void Registry::fire(std::string_view action, const json::Array& arguments) const {
    const auto found = actions_.find(action);
    if (found == actions_.end())
        return;
    std::exception_ptr again;
    for (const auto& [listener, call] : found->second.listeners) {
        if (muted(listener))
            continue;
        try {
            with_first(arguments, listener.takes, call);
        } catch (const WouldWait&) {
            throw;
        } catch (const store::Unavailable&) {
            again = std::current_exception();
        } catch (const store::Retryable&) {
            again = std::current_exception();
        } catch (const std::exception& problem) {
            report(action, listener, problem.what());
        } catch (...) {
            report(action, listener, "something that is no exception was thrown");
        }
    }
    if (again)
        std::rethrow_exception(again);
}

json::Value Registry::apply(const Filter& filter, json::Value value, json::Array arguments,
                            store::Transaction* tx) const {
    const auto found = filters_.find(filter.name);
    if (found == filters_.end())
        throw std::logic_error("an undeclared filter was applied: " + std::string(filter.name));
    const auto& chain = found->second;
    if (chain.listeners.empty())
        return value;
    arguments.insert(arguments.begin(), json::Value());
    for (const auto& [listener, call] : chain.listeners) {
        if (muted(listener))
            continue;
        arguments.front() = value;
        try {
            auto answer =
                with_first(arguments, listener.takes, [&](const json::Array& some) { return called(call, tx, some); });
            if (chain.value != json::Kind::null && answer.kind() != chain.value) {
                report(filter.name, listener, "the answer is of another kind than declared");
                continue;
            }
            std::string misfit;
            fit(answer, chain.like, value, {}, misfit);
            if (!misfit.empty())
                report(filter.name, listener, "of another kind than declared: " + misfit);
            value = std::move(answer);
        } catch (const WouldWait&) {
            throw;
        } catch (const store::Retryable& problem) {
            if (tx)
                throw;  // the whole transaction runs again
            report(filter.name, listener, problem.what());
        } catch (const store::Unavailable& problem) {
            if (tx)
                throw;
            report(filter.name, listener, problem.what());
        } catch (const std::exception& problem) {
            report(filter.name, listener, problem.what());
        } catch (...) {
            report(filter.name, listener, "something that is no exception was thrown");
        }
    }
    return value;
}

std::vector<Action> Registry::actions() const {
    std::vector<Action> all;
    for (const auto& [name, chain] : actions_)
        all.push_back({chain.words.name, chain.words.help, chain.words.argument_views(), chain.words.deprecated_since,
                       chain.words.instead, chain.words.since});
    std::sort(all.begin(), all.end(), by_name<Action>);
    return all;
}

std::vector<Filter> Registry::filters() const {
    std::vector<Filter> all;
    for (const auto& [name, chain] : filters_)
        all.push_back({chain.words.name, chain.words.help, chain.value, chain.words.argument_views(), chain.words.like,
                       chain.words.deprecated_since, chain.words.instead, chain.words.since});
    std::sort(all.begin(), all.end(), by_name<Filter>);
    return all;
}

}  // namespace svc::hooks
