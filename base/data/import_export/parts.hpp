// The parts of an export: kinds of record, each of one or more tables, in the order of their import.
#pragma once

#include <string>
#include <vector>

#include "shared/record/raw_table.hpp"

namespace svc::import_export {

// A column that holds the id of a row of another table.
struct Reference {
    std::string column, table;
};

// Rows of a table, a file of the archive.
struct Part {
    std::string name;  // of the file: "trips"
    std::string table;
    std::vector<std::string> key = {};  // natural key: identifies a record without its id; empty: none
    std::vector<Reference> references = {};
    std::string parent = {};  // the reference whose record these rows belong to: they come and go with it
    std::vector<std::string> left_out = {};  // columns that stay behind: users, files, secrets, sealed answers
    std::string condition = {};              // a constant over the columns
};

// A kind of record that can be chosen: `data_types` of routes 17.1 and 17.2.
struct Kind {
    std::string name;
    std::vector<std::string> parts;
};

// What exports and imports carry.
struct TableMap {
    std::vector<Part> parts;  // a part's references are to parts before it, or to itself
    std::vector<Kind> kinds;

    // The parts of these kinds in their order; "all": every part. Unknown names are left out.
    [[nodiscard]] std::vector<const Part*> parts_of(const std::vector<std::string>& kinds) const;
    [[nodiscard]] const Part* part_named(std::string_view name) const;
    // The first part of a table that has a natural key without ids: by it records are found that an import does not
    // hold.
    [[nodiscard]] const Part* keyed_part_of(std::string_view table) const;
};

const TableMap& base_tables();  // without what listeners add: see table_map.hpp

inline constexpr int schema_version = 1;

}  // namespace svc::import_export
