// Reads what listeners answer.
#include "base/pricing/listeners.hpp"

#include <algorithm>

#include "base/pricing/hooks.hpp"
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

void Listeners::note(std::string_view member, const std::function<Value()>& make) const {
    if (!is_heard_)
        is_heard_ = std::any_of(pipeline.begin(), pipeline.end(), [&](const auto* filter) { return hear(*filter); });
    if (*is_heard_)
        result_.set(std::string(member), make());
}

Money Listeners::amount(const hooks::Filter& filter, const Money& ours, json::Array arguments) const {
    return hear(filter) ? taken_back(hooks_.apply(filter, ours, std::move(arguments), tx_), ours) : ours;
}

Rate Listeners::percent(const hooks::Filter& filter, Rate ours) const {
    if (!hear(filter))
        return ours;
    const auto answer = Rate::parse_percent(hooks_.apply(filter, ours, {context()}, tx_).number_text());
    constexpr std::int64_t all = 1'000'000;
    return answer && answer->ppm >= 0 ? Rate{std::min(answer->ppm, all)} : ours;
}

}  // namespace svc::pricing
