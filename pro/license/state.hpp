// In which state the licence is, for people: one of them at a time, the most urgent first. Notices and the admin say
// one sentence about it and the step that follows.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pro/license/evaluation.hpp"
#include "pro/license/license.hpp"

namespace svc::pro::license {

namespace state {
inline constexpr std::string_view none = "none",  // no key
    evaluation = "evaluation",                    // runs, until then
    evaluation_over = "evaluation_over",          // since then
    stored = "stored",                            // a key that is not activated here
    deactivated = "deactivated",                  // elsewhere, known since then
    active = "active",                            // until then, where it ends
    ending = "ending",                            // within 30 days
    grace = "grace",                              // past its end, and the server was not reached since
    expired = "expired", disabled = "disabled", invalid = "invalid",
                                  unreached = "unreached",  // active; the server does not answer since then
    plan_lowered = "plan_lowered";                          // modules are on that the plan lacks
}  // namespace state

struct State {
    // Days without an answer of the licence server until people hear of it, and before the end of a licence.
    static constexpr int silent_days = 3, days_before_end = 30;

    std::string code{state::none};
    std::optional<Instant> since = {}, until = {};
    std::vector<std::string> modules = {};  // plan_lowered: their slugs
};

// `evaluation`: of this database, in a build that can be evaluated. `beyond`: modules that are on and that no plan of
// an active licence has.
State state_of(const License& license, const std::optional<Evaluation>& evaluation, std::vector<std::string> beyond,
               Instant now);

json::Value to_json(const State& state);

}  // namespace svc::pro::license
