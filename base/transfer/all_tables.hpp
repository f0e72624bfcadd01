// The tables of a whole installation, in the order in which they can be filled.
#pragma once

#include <string>
#include <vector>

#include "shared/store/store.hpp"

namespace svc::transfer {

struct WholeTable {
    std::string name;
    // Columns that refer to a table after this one, or to this one: they are filled once all rows are there.
    std::vector<std::string> later = {};
};

// As the database's catalog has them, Pro's too: what is referred to comes first. Without what each database keeps for
// itself: its ledger of schema steps, counters of changes, and what is derived of other tables' rows.
std::vector<WholeTable> whole_tables(store::Session& session);
// Tables that are derived of others' rows by triggers and jobs: they are cleared, and fill as rows come.
const std::vector<std::string>& derived_tables();

}  // namespace svc::transfer
