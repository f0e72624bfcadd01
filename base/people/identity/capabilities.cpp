// The rights of roles, computed once from their table.
#include "base/people/identity/capabilities.hpp"

#include <algorithm>
#include <map>

#include "base/people/identity/hooks.hpp"

namespace svc::identity {
namespace {

bool is_name(std::string_view text) {
    constexpr std::size_t longest = 60;
    return !text.empty() && text.size() <= longest &&
           text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == text.npos;
}

}  // namespace

bool is_capability(std::string_view name) {
    return std::any_of(rights.begin(), rights.end(), [&](const Right& right) { return right.capability == name; });
}

const std::vector<std::string>* capabilities_of(std::string_view system_role) {
    static const auto table = [] {
        std::map<std::string, std::vector<std::string>, std::less<>> made;
        for (const SystemRole& role : system_roles) {
            std::vector<std::string> held;
            for (const Right& right : rights)
                if (right.roles.find(role.letter) != std::string_view::npos)
                    held.emplace_back(right.capability);
            made.emplace(role.slug, expanded(std::move(held)));
        }
        return made;
    }();
    const auto found = table.find(system_role);
    return found == table.end() ? nullptr : &found->second;
}

std::vector<std::string> declared_capabilities(const hooks::Hooks& hooks) {
    json::Value ours = json::array_of(rights, [&](const Right& right) { return right.capability; });
    std::vector<std::string> besides;
    for (const json::Value& name : hooks.apply(module_capabilities, std::move(ours), {}).items())
        if (!is_capability(name.text()) && is_name(name.text()))
            besides.push_back(name.text());
    return besides;
}

std::vector<std::string> expanded(std::vector<std::string> capabilities, const std::vector<std::string>& besides) {
    const std::size_t given = capabilities.size();
    for (std::size_t i = 0; i < given; ++i)
        for (const Implied& rule : implied)
            if (capabilities[i] == rule.capability)
                capabilities.emplace_back(rule.implies);
    std::erase_if(capabilities, [&](const std::string& name) {
        return !is_capability(name) && std::find(besides.begin(), besides.end(), name) == besides.end();
    });
    std::sort(capabilities.begin(), capabilities.end());
    capabilities.erase(std::unique(capabilities.begin(), capabilities.end()), capabilities.end());
    return capabilities;
}

}  // namespace svc::identity
