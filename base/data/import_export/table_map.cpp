// Checks what listeners add: its names come into statements.
#include "base/data/import_export/table_map.hpp"

#include <algorithm>
#include <stdexcept>

#include "base/platform/store/migrate.hpp"
#include "shared/core/log.hpp"

namespace svc::import_export {
namespace {

using json::Value;

const hooks::Filter export_import_table_map{
    "svc_export_import_table_map",
    "The tables of exports and imports by kind of record, which data_types names. Those of the base are texts; a"
    " listener takes one out of its list to leave it behind, and adds a table as an object: name (of its file), table,"
    " key (columns that identify a record without its id), references (columns and the tables whose ids they hold),"
    " parent (the reference whose record the rows belong to) and left_out (columns that stay behind). Further tables of"
    " the base, such as users, are never carried.",
    json::Kind::object,
    {}};

Value given_map() {
    auto map = Value::object();
    for (const Kind& kind : base_tables().kinds)
        map.set(kind.name, json::array_of(kind.parts));
    return map;
}

bool is_name(std::string_view text) {
    return !text.empty() && text.size() <= 60 && text.front() >= 'a' && text.front() <= 'z' &&
           text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string_view::npos;
}

std::vector<std::string> names_in(const Value& list) {
    std::vector<std::string> names;
    if (list.is_array())
        for (const Value& each : list.items())
            names.push_back(each.is_string() ? each.text() : std::string());
    return names;
}

bool is_of_base(const std::string& table) {
    const auto steps = embedded::base_steps();
    return std::any_of(steps.begin(), steps.end(), [&](const Embedded& step) {
        return step.text.find("CREATE TABLE " + table + " ") != std::string_view::npos;
    });
}

Part part_from(const Value& given) {
    Part part{.name = given.text_or("name"),
              .table = given.text_or("table"),
              .key = names_in(given["key"]),
              .parent = given.text_or("parent"),
              .left_out = names_in(given["left_out"])};
    if (given["references"].is_object())
        for (const auto& [column, table] : given["references"].members())
            part.references.push_back({std::string(column), table.is_string() ? table.text() : std::string()});
    return part;
}

// Why a table cannot be carried; empty: it can.
std::string fault_of(store::Session& session, const TableMap& map, const Part& part) {
    if (!is_name(part.name) || !is_name(part.table))
        return "Its name and its table must be of small letters, digits and underscores.";
    if (map.part_named(part.name) || base_tables().part_named(part.name))
        return "There is a table of this name already.";
    if (is_of_base(part.table))
        return "It is a table of the base.";
    std::vector<std::string> columns = part.key;
    for (const Reference& reference : part.references) {
        if (reference.table != part.table && std::none_of(map.parts.begin(), map.parts.end(), [&](const Part& each) {
                return each.table == reference.table;
            }))
            return "It refers to the table " + reference.table + ", which is not carried before it.";
        columns.push_back(reference.column);
    }
    if (!part.parent.empty() && std::none_of(part.references.begin(), part.references.end(),
                                             [&](const Reference& each) { return each.column == part.parent; }))
        return "Its parent " + part.parent + " is not one of its references.";
    try {
        const record::RawTable table(session, part.table, part.left_out);
        for (const std::string& column : columns)
            if (!table.find(column))
                return "It has no column " + column + ".";
        if (!part.key.empty() && !table.has_id())
            return "A table with a key needs a column id.";
    } catch (const std::logic_error& missing) {
        return missing.what();
    }
    return {};
}

TableMap map_from(store::Session& session, const Value& given) {
    TableMap map;
    const auto is_carried = [&](const Part& part) {
        return std::any_of(given.members().begin(), given.members().end(), [&](const auto& kind) {
            const auto names = names_in(kind.second);
            return std::find(names.begin(), names.end(), part.name) != names.end();
        });
    };
    for (const Part& part : base_tables().parts)
        if (is_carried(part))
            map.parts.push_back(part);
    for (const auto& [name, tables] : given.members()) {
        Kind kind{.name = std::string(name), .parts = {}};
        if (!tables.is_array() || !is_name(kind.name) || kind.name == "all")
            continue;
        for (const Value& each : tables.items()) {
            if (each.is_string() && map.part_named(each.text()))
                kind.parts.push_back(each.text());
            if (!each.is_object())
                continue;
            Part part = part_from(each);
            if (const std::string fault = fault_of(session, map, part); !fault.empty()) {
                log::warning("table_not_carried", {{"table", part.table}, {"problem", fault}});
                continue;
            }
            kind.parts.push_back(part.name);
            map.parts.push_back(std::move(part));
        }
        if (!kind.parts.empty())
            map.kinds.push_back(std::move(kind));
    }
    return map;
}

}  // namespace

std::shared_ptr<const TableMap> table_map(store::Store& store, const hooks::Hooks& hooks) {
    if (!hooks.filtered(export_import_table_map.name))
        return {std::shared_ptr<const TableMap>(), &base_tables()};
    const Value given = hooks.apply(export_import_table_map, given_map(), {});
    return store.reading<std::shared_ptr<const TableMap>>(
        [&](store::Session& session) { return std::make_shared<const TableMap>(map_from(session, given)); });
}

void declare_hooks(hooks::Hooks& hooks) { hooks.declare(export_import_table_map); }

}  // namespace svc::import_export
