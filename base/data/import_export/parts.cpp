// The tables of each kind, as the facts of the features' tables say.
#include "base/data/import_export/parts.hpp"

#include <algorithm>

#include "base/feature/facts.hpp"

namespace svc::import_export {
namespace {

bool is_among(const std::vector<std::string>& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_carried(std::string_view table) {
    const auto& tables = facts::of_base().tables();
    return std::any_of(tables.begin(), tables.end(),
                       [&](const facts::Table& each) { return each.name == table && !each.carried.empty(); });
}

Part part_of(const facts::Table& table, const facts::Carried& carried) {
    Part part{.name = carried.name,
              .table = table.name,
              .key = carried.key,
              .parent = carried.parent,
              .left_out = carried.left_out,
              .condition = carried.condition};
    for (const facts::Reference& reference : table.refers)
        if (!is_among(carried.left_out, reference.column) && is_carried(reference.table))
            part.references.push_back({reference.column, reference.table});
    return part;
}

// A part comes after the parts that it refers to, otherwise in the order of the features.
TableMap make_map() {
    TableMap map;
    std::vector<std::pair<Part, std::vector<std::string>>> left;
    for (const facts::Table& table : facts::of_base().tables())
        for (const facts::Carried& carried : table.carried)
            left.emplace_back(part_of(table, carried), carried.kinds);
    const auto is_ready = [&](const auto& each) {
        return std::none_of(
            each.first.references.begin(), each.first.references.end(), [&](const Reference& reference) {
                return reference.table != each.first.table &&
                       std::any_of(left.begin(), left.end(),
                                   [&](const auto& other) { return other.first.table == reference.table; });
            });
    };
    while (!left.empty()) {
        const auto next = std::find_if(left.begin(), left.end(), is_ready);
        if (next == left.end())
            throw std::logic_error("The tables of exports refer to each other in a circle.");
        for (const std::string& name : next->second) {
            const auto known =
                std::find_if(map.kinds.begin(), map.kinds.end(), [&](const Kind& kind) { return kind.name == name; });
            (known == map.kinds.end() ? map.kinds.emplace_back(Kind{name, {}}) : *known)
                .parts.push_back(next->first.name);
        }
        map.parts.push_back(std::move(next->first));
        left.erase(next);
    }
    return map;
}

}  // namespace

const TableMap& base_tables() {
    static const TableMap map = make_map();
    return map;
}

std::vector<const Part*> TableMap::parts_of(const std::vector<std::string>& wanted_kinds) const {
    std::vector<const Part*> wanted;
    for (const Part& part : parts)
        if (is_among(wanted_kinds, "all") || std::any_of(kinds.begin(), kinds.end(), [&](const Kind& kind) {
                return is_among(wanted_kinds, kind.name) && is_among(kind.parts, part.name);
            }))
            wanted.push_back(&part);
    return wanted;
}

const Part* TableMap::part_named(std::string_view name) const {
    const auto found = std::find_if(parts.begin(), parts.end(), [&](const Part& part) { return part.name == name; });
    return found == parts.end() ? nullptr : &*found;
}

const Part* TableMap::keyed_part_of(std::string_view table) const {
    const auto found = std::find_if(parts.begin(), parts.end(), [&](const Part& part) {
        return part.table == table && !part.key.empty() &&
               std::none_of(part.key.begin(), part.key.end(),
                            [](const std::string& column) { return column.ends_with("_id"); });
    });
    return found == parts.end() ? nullptr : &*found;
}

}  // namespace svc::import_export
