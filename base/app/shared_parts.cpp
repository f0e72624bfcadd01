// Counts each content under its name, then replaces the most frequent one by a reference.
#include "base/app/shared_parts.hpp"

#include <functional>
#include <map>
#include <string>

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

void share(Value& paths, Value& components, std::string_view kind, std::string (*name_of)(const Value&)) {
    std::map<std::string, std::map<std::string, int>> counts;
    each_part(paths, kind, [&](const Value& part) {
        if (const std::string name = name_of(part); !name.empty())
            ++counts[name][part.dump()];
    });
    std::map<std::string, std::string> shared;
    for (const auto& [name, contents] : counts) {
        int most = 1;
        for (const auto& [content, count] : contents)
            if (count > most) {
                most = count;
                shared[name] = content;
            }
    }
    Value all = Value::object();
    each_part(paths, kind, [&](Value& part) {
        const std::string name = name_of(part);
        const auto found = shared.find(name);
        const bool refers = found != shared.end() && found->second == part.dump();
        part.erase("title");
        if (!refers)
            return;
        if (!all.find(name))
            all.set(name, part);
        part = Value::object({{"$ref", "#/components/" + std::string(kind) + "/" + name}});
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
