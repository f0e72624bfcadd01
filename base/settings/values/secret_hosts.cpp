// The secrets that a changed host requires again.
#include "base/settings/values/secret_hosts.hpp"

#include <algorithm>

#include "base/settings/values/settings.hpp"

namespace svc::settings {

bool names_host(std::string_view field) {
    for (const std::string_view last : {"url", "host", "endpoint", "server"})
        if (field == last || field.ends_with("_" + std::string(last)))
            return true;
    return false;
}

Result<void> check_secret_hosts(const std::vector<std::string>& secrets, const json::Value& before,
                                const json::Value& changes, const json::Value& after) {
    const auto& members = after.members();
    if (std::none_of(members.begin(), members.end(), [&](const auto& member) {
            return names_host(member.first) && before[member.first] != member.second &&
                   std::find(secrets.begin(), secrets.end(), member.first) == secrets.end();
        }))
        return {};
    std::optional<Error> missed;
    for (const std::string& name : secrets) {
        const json::Value* given = changes.find(name);
        const bool is_given = given && given->is_string() && !is_masked(given->text());
        if (is_given || before.text_or(name).empty())
            continue;
        if (!missed)
            missed.emplace(errc::validation_error, give_secret_again);
        missed->at(name, give_secret_again);
    }
    return missed ? Result<void>(*missed) : Result<void>();
}

}  // namespace svc::settings
