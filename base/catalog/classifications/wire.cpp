// Classifications as trees, in JSON.
#include "base/catalog/classifications/wire.hpp"

#include <map>

#include "base/catalog/classifications/record.hpp"
#include "shared/api/named.hpp"
#include "shared/api/sometimes_sent.hpp"

namespace svc::catalog::classifications {
namespace {

using json::Value;
using Children = std::map<std::int64_t, std::vector<const Classification*>>;

Value branch(Value top, const Children& children) {
    Value below = Value::array();
    if (const auto found = children.find(top["id"].integer()); found != children.end())
        for (const Classification* child : found->second)
            below.push(branch(to_json(*child), children));
    top.set("subcategories", std::move(below));
    return top;
}

}  // namespace

Value tree_json(Value top, const std::vector<Classification>& all_below) {
    Children children;
    for (const Classification& one : all_below)
        children[one.parent_id.value_or(0)].push_back(&one);
    return branch(std::move(top), children);
}

api::Type tree_answer_of(const Kind& kind) {
    api::Type type = answer_of(kind);
    for (auto level = std::int64_t{0}; level <= deepest_level; ++level) {
        const auto below = level == 0 ? api::object({{.name = "id", .type = api::id()}}) : type;
        type = api::object(
            component_of(kind) + "Tree" + (level < deepest_level ? std::to_string(level) : std::string()),
            answer_of(kind).members->plus({api::sometimes_sent(
                {.name = "subcategories", .type = api::list(below, 100'000), .help = "Only if requested."})}));
    }
    return type;
}

}  // namespace svc::catalog::classifications
