// The tables of a whole installation, in the order in which they can be filled.
#pragma once

#include <string>
#include <vector>

#include "shared/store/store.hpp"

namespace svc::import_export {

struct WholeTable {
    std::string name;
    // Columns that refer to a table after this one: they are filled once all rows are there.
    std::vector<std::string> later = {};
    // Columns that refer to this table: its rules may require them, so a row comes once those are there that it refers
    // to.
    std::vector<std::string> own = {};
};

// In the order of the database's catalog, with Pro's tables: referenced tables first. Without the data of a single
// database: its ledger of schema steps, counters of changes, and data derived from other tables.
std::vector<WholeTable> whole_tables(store::Session& session);
// Tables that are derived of others' rows by triggers and jobs: they are cleared, and fill as rows come.
const std::vector<std::string>& derived_tables();

}  // namespace svc::import_export
