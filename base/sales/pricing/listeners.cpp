// Reads what listeners answer.
#include "base/sales/pricing/listeners.hpp"

#include <algorithm>

#include "base/sales/pricing/hooks.hpp"
#include "shared/api/schema.hpp"

namespace svc::pricing {

using json::Value;

Money taken_back(const Value& answer, const Money& ours) {
    if (!answer.is_number())
        return ours;
    const auto amount = Money::parse(answer.number_text(), ours.currency());
    if (!amount)
        return ours;
    return max(*amount, Money::zero(ours.currency()));
}

std::optional<std::int64_t> whole(const Value& object, std::string_view name) {
    auto number = api::integer().check(object[name], std::string(name));
    return object[name].is_number() && number ? std::optional(number->integer()) : std::nullopt;
}

std::optional<std::string> words(const Value& object, std::string_view name) {
    return object[name].is_string() ? std::optional(object[name].text()) : std::nullopt;
}

std::optional<std::map<std::int64_t, std::int64_t>> chosen_services(const Value& returned) {
    constexpr std::int64_t most = 1000;
    std::map<std::int64_t, std::int64_t> services;
    const auto add = [&](const Value& id, const Value& quantity) {
        const auto service = api::integer(1).check(id, "id");
        const auto count = api::integer(0, most).check(quantity, "quantity");
        if (!service || !count)
            return false;
        if (count->integer() > 0)
            services[service->integer()] = count->integer();
        return true;
    };
    if (returned.is_array()) {
        for (const Value& id : returned.items())
            if (!add(id, 1))
                return std::nullopt;
    } else if (returned.is_object()) {
        for (const auto& [id, quantity] : returned.members())
            if (!add(Value(id), quantity))
                return std::nullopt;
    } else {
        return std::nullopt;
    }
    return services;
}

void Listeners::note(std::string_view member, const std::function<Value()>& make) const {
    if (!has_listeners_)
        has_listeners_ =
            std::any_of(pipeline.begin(), pipeline.end(), [&](const auto* filter) { return has_listener(*filter); });
    if (*has_listeners_)
        result_.set(std::string(member), make());
}

Money Listeners::amount(const hooks::Filter& filter, const Money& ours, json::Array arguments) const {
    return has_listener(filter) ? taken_back(hooks_.apply(filter, ours, std::move(arguments), tx_), ours) : ours;
}

Rate Listeners::percent(const hooks::Filter& filter, Rate ours) const {
    if (!has_listener(filter))
        return ours;
    const auto answer = Rate::parse_percent(hooks_.apply(filter, ours, {context()}, tx_).number_text());
    constexpr std::int64_t all = 1'000'000;
    return answer && answer->ppm >= 0 ? Rate{std::min(answer->ppm, all)} : ours;
}

}  // namespace svc::pricing
