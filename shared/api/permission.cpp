// Checks callers against the permission of a route.
#include "shared/api/permission.hpp"

#include <algorithm>
#include <stdexcept>

#include "shared/api/route.hpp"

namespace svc::api {

bool Caller::can(std::string_view capability) const {
    const auto has = [this](std::string_view right) {
        return std::binary_search(capabilities.begin(), capabilities.end(), right, std::less<std::string_view>{});
    };
    return is_user() && (has(capability) || (capability.substr(0, 4) == "svc_" && has("manage_options")));
}

Permission::Permission(Rule rule, std::vector<std::string> capabilities, std::string help,
                       std::function<Result<void>(const Request&)> check)
    : rule_(rule), capabilities_(std::move(capabilities)), says_(std::move(help)), check_(std::move(check)) {}

Permission Permission::everyone() { return {Rule::everyone, {}, "everyone", nullptr}; }
Permission Permission::signed_in() { return {Rule::signed_in, {}, "signed in", nullptr}; }
Permission Permission::can(std::string capability) { return any_of({std::move(capability)}); }

Permission Permission::any_of(std::vector<std::string> capabilities) {
    if (capabilities.empty())
        throw std::logic_error("a permission of no capability");
    std::string help;
    for (const std::string& each : capabilities)
        help += (help.empty() ? "" : " or ") + each;
    return {Rule::any_of, std::move(capabilities), std::move(help), nullptr};
}

Permission Permission::decided_by(std::string help, std::function<Result<void>(const Request&)> check) {
    if (!check)
        throw std::logic_error("a permission decided by nobody");
    return {Rule::decided_by, {}, std::move(help), std::move(check)};
}

Result<void> Permission::admits(const Caller& caller) const {
    if (is_public())
        return {};
    if (!caller.is_user())
        return errc::unauthorized;
    if (rule_ == Rule::signed_in ||
        std::any_of(capabilities_.begin(), capabilities_.end(), [&](const auto& each) { return caller.can(each); }))
        return {};
    return errc::forbidden;
}

Result<void> Permission::admits(const Request& request) const {
    if (rule_ == Rule::decided_by)
        return check_(request);
    return {};
}

std::string Permission::text() const { return says_; }
bool Permission::is_public() const { return rule_ == Rule::everyone || rule_ == Rule::decided_by; }

}  // namespace svc::api
