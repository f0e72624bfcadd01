// From the terms of a licence to its state.
#include "pro/license/state.hpp"

#include <algorithm>

namespace svc::pro::license {
namespace {

using std::chrono::hours;

constexpr hours one_day{24};

State of_inactive(const License& license, const std::optional<Evaluation>& evaluation, Instant now) {
    if (evaluation && evaluation->is_running(now))
        return {
            .code = std::string(state::evaluation), .since = evaluation->started_at, .until = evaluation->ends_at()};
    if (license.lost_at)
        return {.code = std::string(state::deactivated), .since = license.lost_at};
    if (!license.key.empty())
        return {.code = std::string(state::stored)};
    if (evaluation)
        return {.code = std::string(state::evaluation_over), .since = std::min(evaluation->ends_at(), now)};
    return {};
}

State of_active(const License& license, std::vector<std::string> beyond, Instant now) {
    const auto ends = license.terms.expires_at;
    if (ends && *ends < now)
        return {.code = std::string(state::grace), .since = ends, .until = ends->plus(grace)};
    if (!beyond.empty())
        return {.code = std::string(state::plan_lowered), .modules = std::move(beyond)};
    if (license.unreached_since && license.unreached_since->plus(one_day * State::silent_days) <= now)
        return {.code = std::string(state::unreached), .since = license.unreached_since, .until = ends};
    if (ends && !license.terms.is_lifetime && ends->minus(one_day * State::days_before_end) <= now)
        return {
            .code = std::string(state::ending), .since = ends->minus(one_day * State::days_before_end), .until = ends};
    return {.code = std::string(state::active), .until = ends};
}

}  // namespace

State state_of(const License& license, const std::optional<Evaluation>& evaluation, std::vector<std::string> beyond,
               Instant now) {
    const std::string status = status_at(license.terms, now);
    if (status == status::active)
        return of_active(license, std::move(beyond), now);
    if (status == status::expired)
        return {.code = std::string(state::expired), .since = license.terms.expires_at};
    if (status == status::disabled || status == status::invalid)
        return {.code = status, .since = license.last_checked_at};
    return of_inactive(license, evaluation, now);
}

json::Value to_json(const State& state) {
    return json::Value::object(
        {{"code", state.code},
         {"since", state.since},
         {"until", state.until},
         {"modules", json::array_of(state.modules, [](const std::string& slug) { return json::Value(slug); })}});
}

}  // namespace svc::pro::license
