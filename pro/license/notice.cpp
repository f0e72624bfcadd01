// One notice at most, by the licence's state.
#include "pro/license/notice.hpp"

#include <algorithm>
#include <array>

namespace svc::pro::license {
namespace {

struct StateNotice {
    std::string_view code;
    const char *id, *type, *title, *message;
};
// A state that needs nobody is not among them. Its screen names the day and the next step.
constexpr std::array state_notices{
    StateNotice{state::ending, "license_expiring", "warning", "The licence ends soon",
                "Renew it to keep turning on modules and getting updates."},
    StateNotice{state::expired, "license_expiring", "error", "The licence has ended",
                "Modules that are on keep working; none can be turned on. Renew the licence and check it."},
    StateNotice{
        state::grace, "license_grace", "warning", "The licence is past its end",
        "The licence server was not reached since, so everything still works for some days. Check the licence."},
    StateNotice{state::unreached, "license_unreached", "warning", "The licence server does not answer",
                "Everything works as before. See that this server may reach it, and check the licence."},
    StateNotice{state::plan_lowered, "license_plan", "warning", "Modules are on that your plan lacks",
                "They keep working; once turned off, they cannot be turned on again."},
    StateNotice{state::deactivated, "license_deactivated", "error", "This installation was deactivated elsewhere",
                "Modules that are on keep working; none can be turned on. Activate the licence here again."},
    StateNotice{state::disabled, "license_disabled", "error", "The licence is disabled",
                "Modules that are on keep working; none can be turned on. Ask who sold it, or enter another key."},
    StateNotice{state::invalid, "license_invalid", "error", "The licence key is not known any more",
                "Modules that are on keep working; none can be turned on. Enter another key."},
};

}  // namespace

json::Value with_notice(const State& state, const json::Value& notices, Instant now) {
    json::Value all = notices;
    const auto* const found = std::find_if(state_notices.begin(), state_notices.end(),
                                           [&](const StateNotice& each) { return each.code == state.code; });
    if (found == state_notices.end() || !all.is_array())
        return all;
    std::string message = found->message;
    if (state.code == state::ending && state.until)
        message = "It ends on " + state.until->text().substr(0, 10) + ". " + message;
    all.push(json::Value::object(
        {{"id", found->id},
         {"type", found->type},
         {"title", found->title},
         {"message", std::move(message)},
         {"actions", json::Value::array({json::Value::object({{"label", "Licence"}, {"url", "/admin/modules"}})})},
         {"since", state.since.value_or(now)},
         {"dismissible", true}}));
    return all;
}

}  // namespace svc::pro::license
