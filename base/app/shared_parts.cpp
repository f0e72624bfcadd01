// Counts each content under its name, then replaces those that occur several times by references.
#include "base/app/shared_parts.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace svc::app {
namespace {

using json::Value;

// Calls `with` for each part of that kind of every operation.
void each_part(Value& paths, std::string_view kind, const std::function<void(Value&)>& with) {
    for (auto& [path, methods] : paths.members())
        for (auto& [method, operation] : methods.members())
            for (auto& [name, parts] : operation.members()) {
                if (name != kind)
                    continue;
                if (parts.is_array())
                    for (Value& part : parts.items())
                        with(part);
                else
                    for (auto& [status, part] : parts.members())
                        with(part);
            }
}

// The names of contents that occur several times: the most frequent one has the plain name, the others a number.
std::map<std::string, std::string> names_of_shared(const std::string& name,
                                                   const std::map<std::string, int>& contents) {
    std::vector<std::pair<int, std::string>> repeated;
    for (const auto& [content, count] : contents)
        if (count > 1)
            repeated.emplace_back(-count, content);
    std::sort(repeated.begin(), repeated.end());
    std::map<std::string, std::string> names;
    for (const auto& [count, content] : repeated)
        names[content] = names.empty() ? name : name + "_" + std::to_string(names.size() + 1);
    return names;
}

void share(Value& paths, Value& components, std::string_view kind, std::string (*name_of)(const Value&)) {
    std::map<std::string, std::map<std::string, int>> counts;
    each_part(paths, kind, [&](const Value& part) {
        if (const std::string name = name_of(part); !name.empty())
            ++counts[name][part.dump()];
    });
    std::map<std::string, std::map<std::string, std::string>> shared;
    for (const auto& [name, contents] : counts)
        shared[name] = names_of_shared(name, contents);
    Value all = Value::object();
    each_part(paths, kind, [&](Value& part) {
        const auto& names = shared[name_of(part)];
        const auto found = names.find(part.dump());
        part.erase("title");
        if (found == names.end())
            return;
        if (!all.find(found->second))
            all.set(found->second, part);
        part = Value::object({{"$ref", "#/components/" + std::string(kind) + "/" + found->second}});
    });
    components.set(std::string(kind), std::move(all));
}

}  // namespace

void share_parameters(Value& paths, Value& components) {
    share(paths, components, "parameters", [](const Value& parameter) {
        const std::string name = parameter.text_or("name");
        return parameter.text_or("in") == "path" ? "path_" + name : name;
    });
}

void share_responses(Value& paths, Value& components) {
    share(paths, components, "responses", [](const Value& response) { return response.text_or("title"); });
}

}  // namespace svc::app
